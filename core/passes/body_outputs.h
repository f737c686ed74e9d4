#pragma once

#include "ops/patch_builder.h"

#include <string>

namespace fusescope {

// Puts what an opened body gives in the place of the outputs of the node that owned it, before that
// node is removed.
class BodyOutputs
{
public:
    BodyOutputs(PatchBuilder& builder, NodeId owner) : m_builder(builder), m_owner(owner) {}

    // `given` stands for `output` from now on. Where `output` is an output of its body its name
    // stays: the maker of `given` makes it, or an Identity where that is an input, an initializer,
    // a value from outside, or stands for another output already. `own`: the node that makes `given`
    // came from the opened body.
    void connect(ValueId output, ValueId given, bool own);

private:
    PatchBuilder& m_builder;
    NodeId m_owner;
    std::unordered_map<ValueId, ValueId> m_taken;
};

} // namespace fusescope

#pragma once

#include "io/wire.h"
#include "model/body.h"

#include <algorithm>
#include <vector>

namespace fusescope {

// AttributeProto and the small messages around it.

// All but graphs. Tensors must live until the message is written.
WireMessage plainAttribute(const Attribute& attribute);
std::string_view attributeName(std::string_view message);
// The original message with the contents of its tensor in it.
WireMessage inlinedAttribute(std::string_view original, const Tensor& tensor);

// StringStringEntryProto and OperatorSetIdProto.
WireMessage entryMessage(std::string_view key, std::string_view value);
WireMessage opsetMessage(const std::pair<std::string, std::int64_t>& opset);

// The fields of a NodeProto that hold no values and no attributes: which of them differ from those of
// a node that stood before (all, if none did), and all of one of them.
std::vector<std::uint32_t> changedNodeFields(const Node* before, const Node& node);
void addNodeField(WireMessage& out, std::uint32_t number, const Node& node);

// All of one field of a ModelProto or FunctionProto that is no list of graphs, nodes or values.
void addHeaderField(WireMessage& out, std::uint32_t number, const Header& header);
void addFunctionField(WireMessage& out, std::uint32_t number, const FunctionInfo& info);

// The fields of `original` in their order; the first of each number in `replaced` is where emit()
// writes all of that number, the numbers that it lacks follow in the order given.
template <class Emit>
void rewrite(WireMessage& out, std::string_view original, std::vector<std::uint32_t> replaced,
             Emit emit)
{
    std::vector<std::uint32_t> left = replaced;
    WireReader reader(original);
    for (WireField f; reader.next(f);) {
        if (std::find(replaced.begin(), replaced.end(), f.number) == replaced.end()) {
            out.kept(f.whole);
        } else if (const auto at = std::find(left.begin(), left.end(), f.number); at != left.end()) {
            left.erase(at);
            emit(f.number);
        }
    }
    for (const std::uint32_t number : left)
        emit(number);
}

} // namespace fusescope

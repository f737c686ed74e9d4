#pragma once

#include "io/model_writer.h"

#include <unordered_map>

namespace fusescope {

// Which records of a state of the model are as the file spells them, so that their messages can be
// kept.
class KeptRecords
{
public:
    // `usesDataFile`: large initializers go to another file.
    KeptRecords(const OpenedModel& opened, const Graph& graph, bool usesDataFile)
        : m_opened(opened), m_old(opened.graph), m_new(graph), m_usesDataFile(usesDataFile)
    {
    }

    bool isUnchanged(NodeId id);
    // With all that stands in it.
    bool isUnchanged(BodyId id);
    // Whether the ValueInfoProto of a value still holds.
    bool isInfoKept(ValueId id) const;
    // Whether the original message, the one at `index` of the body's, still says what the initializer
    // holds.
    bool isInitializerKept(const BodyRecord& record, ValueId id, std::size_t index) const;
    bool goesOutside(const TensorPtr& tensor) const;
    // Null for a body that the file does not have.
    const BodyRecord* recordOf(BodyId id) const;

private:
    bool sameName(ValueId id) const;
    bool sameNames(const std::vector<ValueId>& ids) const;
    bool compareBody(BodyId id);

    const OpenedModel& m_opened;
    const Graph& m_old;
    const Graph& m_new;
    bool m_usesDataFile;
    std::unordered_map<BodyId, bool> m_unchanged;
};

} // namespace fusescope

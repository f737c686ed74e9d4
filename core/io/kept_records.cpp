#include "io/kept_records.h"

#include "io/type_message.h"

#include <algorithm>

namespace fusescope {

namespace {

constexpr std::int64_t smallestExternal = 1024;

} // namespace

bool KeptRecords::sameName(ValueId id) const
{
    if (!id)
        return true;
    const ValuePtr& before = m_old.valuePtr(id);
    const ValuePtr& after = m_new.valuePtr(id);
    return before == after || (before && after && before->name == after->name);
}

bool KeptRecords::sameNames(const std::vector<ValueId>& ids) const
{
    return std::all_of(ids.begin(), ids.end(), [this](ValueId id) { return sameName(id); });
}

bool KeptRecords::isUnchanged(NodeId id)
{
    const NodePtr& node = m_new.nodePtr(id);
    if (!node || node != m_old.nodePtr(id) || id.value >= m_opened.records.nodes.size() ||
        m_opened.records.nodeHasExternal[id.value])
        return false;
    return sameNames(node->inputs) && sameNames(node->outputs) &&
           std::all_of(node->bodies.begin(), node->bodies.end(),
                       [this](BodyId body) { return isUnchanged(body); });
}

bool KeptRecords::isUnchanged(BodyId id)
{
    const auto [at, isNew] = m_unchanged.try_emplace(id, false);
    if (isNew) {
        const bool answer = compareBody(id);
        m_unchanged[id] = answer;
        return answer;
    }
    return at->second;
}

const BodyRecord* KeptRecords::recordOf(BodyId id) const
{
    return id.value < m_opened.records.bodies.size() ? &m_opened.records.bodies[id.value]
                                                     : nullptr;
}

bool KeptRecords::compareBody(BodyId id)
{
    const Body* before = m_old.body(id);
    const Body* after = m_new.body(id);
    const BodyRecord* record = recordOf(id);
    if (!before || !after || !record)
        return false;
    if (before != after && (before->inputs != after->inputs || before->outputs != after->outputs ||
                            before->initializers != after->initializers ||
                            before->name != after->name || before->function != after->function ||
                            before->metadata != after->metadata))
        return false;
    if (!sameNames(after->inputs) || !sameNames(after->outputs))
        return false;
    std::size_t index = 0;
    for (const ValueId initializer : after->initializers) {
        if (!isInitializerKept(*record, initializer, index++))
            return false;
    }
    for (std::size_t i = 0; i < record->valueInfos.size(); ++i) {
        if (!isInfoKept(m_opened.valueInfos[id.value][i]))
            return false;
    }
    const auto oldNodes = m_old.nodes(id);
    const auto newNodes = m_new.nodes(id);
    return *oldNodes == *newNodes &&
           std::all_of(newNodes->begin(), newNodes->end(),
                       [this](NodeId node) { return isUnchanged(node); });
}

bool KeptRecords::isInfoKept(ValueId id) const
{
    const Value* before = m_old.value(id);
    const Value* after = m_new.value(id);
    return before == after ||
           (after && before->name == after->name && !contradict(before->type, after->type));
}

bool KeptRecords::isInitializerKept(const BodyRecord& record, ValueId id,
                                    std::size_t index) const
{
    const Value* was = m_old.value(id);
    const Value* is = m_new.value(id);
    if (!was || !is || was->name != is->name || was->constant != is->constant ||
        was->sparse != is->sparse)
        return false;
    const bool available = is->constant && is->constant->isAvailable();
    if (record.isExternal[index] && available)
        return false;
    return !goesOutside(is->constant);
}

bool KeptRecords::goesOutside(const TensorPtr& tensor) const
{
    return m_usesDataFile && tensor && tensor->isAvailable() && !tensor->isString() &&
           tensor->byteSize() >= smallestExternal;
}

} // namespace fusescope

#include "diff/value_match.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

namespace fusescope {

namespace {

using Names = std::unordered_map<std::string, ValueId>;
using Partners = std::unordered_map<NodeId, FileMatch>;

// The values that nodes of the main graph compute.
std::vector<ValueId> computedIn(const Graph& graph)
{
    std::vector<ValueId> values;
    for (const NodeId id : *graph.nodes(graph.mainBody())) {
        for (const ValueId output : graph.node(id)->outputs) {
            if (output && !graph.constant(output))
                values.push_back(output);
        }
    }
    return values;
}

// What the main graph is given: its inputs and initializers.
std::vector<ValueId> givenIn(const Graph& graph)
{
    std::vector<ValueId> values;
    for (std::uint32_t i = 1; i < graph.valueLimit(); ++i) {
        const Value* value = graph.value(ValueId{i});
        if (value && value->body == graph.mainBody() && (value->isInput || value->isInitializer()))
            values.push_back(ValueId{i});
    }
    return values;
}

Names namesOf(const Graph& graph, const std::vector<ValueId>& values)
{
    Names names;
    for (const ValueId id : values) {
        if (const std::string& name = graph.value(id)->name; !name.empty())
            names.emplace(name, id);
    }
    return names;
}

ValueId named(const Names& names, const std::string& name)
{
    const auto found = names.find(name);
    return found == names.end() ? ValueId{} : found->second;
}

Partners partnersOf(const FileDiff& diff)
{
    Partners partners;
    for (const FileMatch& match : diff.matched)
        partners.emplace(match.a, match);
    return partners;
}

// The same output of the node that the maker of a value is matched with.
ValueMatch byMaker(const Graph& a, const Graph& b, const Partners& partners, ValueId id)
{
    const auto partner = partners.find(a.producer(id));
    if (partner == partners.end())
        return {};
    const Node& other = *b.node(partner->second.b);
    const ValueId value = other.output(a.producerOutput(id));
    return other.body == b.mainBody() && value ? ValueMatch{id, value, partner->second.how}
                                               : ValueMatch{};
}

// The constant or input that a matched reader reads in the same place.
ValueId byReader(const Graph& a, const Graph& b, const Partners& partners, ValueId id)
{
    for (const Use& use : a.uses(id)) {
        const auto partner = partners.find(use.node);
        if (partner == partners.end())
            continue;
        const ValueId read = b.node(partner->second.b)->input(use.index);
        const Value* value = read ? b.value(read) : nullptr;
        if (value && (value->isInput || value->isInitializer()))
            return read;
    }
    return {};
}

bool sameContents(const TensorPtr& a, const TensorPtr& b)
{
    return a == b || (a && b && a->bitwiseEquals(*b));
}

bool differs(const Graph& a, const Graph& b, ValueId left, ValueId right)
{
    const Value& x = *a.value(left);
    const Value& y = *b.value(right);
    return x.type != y.type || x.isInput != y.isInput || !sameContents(x.constant, y.constant);
}

} // namespace

std::vector<ValueMatch> matchComputed(const Graph& a, const Graph& b, const FileDiff& diff)
{
    const std::vector<ValueId> left = computedIn(a), right = computedIn(b);
    const Names namesA = namesOf(a, left), namesB = namesOf(b, right);
    const Partners partners = partnersOf(diff);
    std::vector<ValueMatch> matches;
    for (const ValueId id : left) {
        if (const ValueId same = named(namesB, a.value(id)->name)) {
            matches.push_back({id, same, FileMatch::How::name});
            continue;
        }
        // A value that a name brings together with another one is that one's partner alone.
        const ValueMatch match = byMaker(a, b, partners, id);
        if (match.b && !b.constant(match.b) && !named(namesA, b.value(match.b)->name))
            matches.push_back(match);
    }
    return matches;
}

std::vector<FileValueChange> changedValues(const Graph& a, const Graph& b, const FileDiff& diff)
{
    const std::vector<ValueId> left = givenIn(a), right = givenIn(b);
    const Names namesA = namesOf(a, left), namesB = namesOf(b, right);
    const Partners partners = partnersOf(diff);
    std::unordered_set<ValueId> taken;
    std::vector<FileValueChange> changes;
    for (const ValueId id : left) {
        ValueId other = named(namesB, a.value(id)->name);
        if (!other) {
            other = byReader(a, b, partners, id);
            if (other && (named(namesA, b.value(other)->name) || taken.contains(other)))
                other = {};
        }
        if (other)
            taken.insert(other);
        if (!other || differs(a, b, id, other))
            changes.push_back({id, other});
    }
    for (const ValueId id : right) {
        if (!taken.contains(id))
            changes.push_back({{}, id});
    }
    for (const ValueMatch& match : matchComputed(a, b, diff)) {
        if (a.value(match.a)->type != b.value(match.b)->type)
            changes.push_back({match.a, match.b});
    }
    return changes;
}

} // namespace fusescope

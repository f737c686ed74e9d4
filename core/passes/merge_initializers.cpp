#include "passes/rule_support.h"
#include "passes/rules.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <tuple>
#include <unordered_map>

namespace fusescope {

namespace {

// before:  initializers W1, W2 of equal bits      y = Op (x, W1)   z = Op (x, W2)
// after:   initializer W1                         y = Op (x, W1)   z = Op (x, W1)
//
// Of the model as a whole, in one step without a root, and the last of a round: what shares a
// constant no longer would cost each fusion before it a private copy. Element type, shape and bits
// must be the same, and the one that stays must be seen wherever the other is read. Kept: what a
// caller may replace, outputs, pinned values and the parameters of annotations.
class MergeInitializers final : public Pass
{
public:
    RuleId rule() const override { return "merge-initializers"; }
    Stage stage() const override { return Stage::deadCode; }
    std::span<const std::string_view> rootTypes() const override { return {}; }
    bool isOfWholeModel() const override { return true; }
    PassAnswer examine(const PassContext& context, NodeId root) const override;
};

// Up to 64 bytes, spread over the contents: tells large tensors apart before all of them is read.
// Equal for equal bits, however they are stored.
std::uint64_t sampleOf(const Tensor& tensor)
{
    const std::int64_t size = tensor.byteSize();
    if (tensor.isString() || size == 0)
        return 0;
    const auto* bytes = reinterpret_cast<const unsigned char*>(tensor.data());
    const auto* element = static_cast<const unsigned char*>(tensor.splatElement());
    const std::int64_t width = std::max(1, bitsOf(tensor.dtype()) / 8);
    const std::int64_t step = std::max<std::int64_t>(1, size / 64);
    std::uint64_t hash = 1469598103934665603ULL; // FNV-1a
    for (std::int64_t i = size % step; i < size; i += step)
        hash = (hash ^ (bytes ? bytes[i] : element[i % width])) * 1099511628211ULL;
    return hash;
}

class Search
{
public:
    Search(const Graph& graph, const Policy& policy)
        : m_graph(graph), m_stays(keptInitializers(graph, policy))
    {
    }

    // Who goes, and who is read in its place.
    std::vector<std::pair<ValueId, ValueId>> pairs()
    {
        using Key = std::tuple<DType, std::vector<std::int64_t>>;
        std::map<Key, std::vector<ValueId>> groups; // in the order of bodies: outer ones first
        for (const BodyId body : m_graph.bodies()) {
            for (const ValueId id : m_graph.body(body)->initializers) {
                const TensorPtr tensor = m_graph.constant(id);
                if (tensor && tensor->isAvailable())
                    groups[{tensor->dtype(), tensor->shape()}].push_back(id);
            }
        }
        std::vector<std::pair<ValueId, ValueId>> result;
        for (const auto& [key, members] : groups) {
            if (members.size() > 1)
                searchGroup(members, result);
        }
        std::sort(result.begin(), result.end());
        return result;
    }

private:
    void searchGroup(const std::vector<ValueId>& members,
                     std::vector<std::pair<ValueId, ValueId>>& result)
    {
        std::map<std::pair<std::uint64_t, std::uint64_t>, std::vector<ValueId>> distinct;
        std::unordered_map<std::uint64_t, int> alike;
        for (const ValueId id : members)
            ++alike[m_graph.constant(id)->hash()];
        for (const ValueId id : members) {
            const TensorPtr tensor = m_graph.constant(id);
            const std::uint64_t first = tensor->hash();
            if (alike[first] < 2)
                continue;
            auto& known = distinct[{first, sampleOf(*tensor)}];
            const auto found = std::find_if(known.begin(), known.end(), [&](ValueId other) {
                return mayReplace(other, id) && m_graph.constant(other)->bitwiseEquals(*tensor);
            });
            if (found != known.end())
                result.emplace_back(id, *found);
            else
                known.push_back(id);
        }
    }

    bool mayReplace(ValueId stays, ValueId goes)
    {
        const Value& from = *m_graph.value(goes);
        const Value& to = *m_graph.value(stays);
        const auto uses = m_graph.uses(goes);
        return !uses.empty() && from.type == to.type && m_graph.encloses(to.body, from.body) &&
               !(m_stays && m_stays(goes)) &&
               std::ranges::none_of(uses, [](const Use& use) { return use.isBodyOutput(); });
    }

    const Graph& m_graph;
    std::function<bool(ValueId)> m_stays;
};

PassAnswer MergeInitializers::examine(const PassContext& context, NodeId) const
{
    const auto pairs = Search(context.match.view.graph(), context.match.policy).pairs();
    if (pairs.empty())
        return {};
    Offer offer;
    offer.title = Message("title.merge-initializers",
                          {{"count", static_cast<std::int64_t>(pairs.size())}});
    offer.build = [pairs](PatchBuilder& builder) -> Result<void> {
        for (const auto& [goes, stays] : pairs) {
            builder.rewire(goes, stays);
            builder.removeInitializer(goes);
        }
        return {};
    };
    return offer;
}

} // namespace

std::unique_ptr<const Pass> mergeInitializersRule()
{
    return std::make_unique<MergeInitializers>();
}

} // namespace fusescope

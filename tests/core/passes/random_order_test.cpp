#include "model/origins.h"
#include "pass_run.h"
#include "seeds.h"
#include "support/random_graph.h"
#include "support/test_class.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

using namespace fusescope;
using namespace fusescope::test;

namespace {

// A rewrite by its rule and the nodes of the file that it took, which their first results name.
struct Rewrite
{
    std::string rule;
    std::set<std::string> nodes;
    auto operator<=>(const Rewrite&) const = default;
};

std::string textOf(const Rewrite& rewrite)
{
    std::string text = rewrite.rule + ":";
    for (const std::string& node : rewrite.nodes)
        text += " " + node;
    return text;
}

std::vector<Rewrite> rewritesOf(const PassRun& run)
{
    std::vector<Rewrite> rewrites;
    Graph graph = run.opened;
    for (const Step& step : run.steps) {
        Rewrite rewrite{std::string(step.rule), {}};
        for (const NodeId taken : step.taken) {
            for (const NodeId origin : originsOf(taken, graph.node(taken))) {
                const Node* node = run.opened.node(origin);
                const Value* value = node ? run.opened.value(node->output(0)) : nullptr;
                if (value)
                    rewrite.nodes.insert(value->name);
            }
        }
        rewrites.push_back(std::move(rewrite));
        if (!graph.apply(step.patch))
            break;
    }
    std::ranges::sort(rewrites);
    return rewrites;
}

std::vector<Rewrite> withoutThose(const std::vector<Rewrite>& all, const std::vector<Rewrite>& other)
{
    std::vector<Rewrite> rest;
    std::ranges::set_difference(all, other, std::back_inserter(rest));
    return rest;
}

// Nodes that rewrites took together, in one order or another.
class Groups
{
public:
    void join(const Rewrite& rewrite)
    {
        for (const std::string& node : rewrite.nodes)
            m_parents[of(node)] = of(*rewrite.nodes.begin());
    }
    std::string of(std::string node) const
    {
        for (auto found = m_parents.find(node); found != m_parents.end() && found->second != node;
             found = m_parents.find(node))
            node = found->second;
        return node;
    }

private:
    std::map<std::string, std::string> m_parents;
};

// What fires in one of two orders only had a candidate that shares a node with it, which fires in the
// other only (of duplicates, either one stays). The first that had none; nothing when there is none.
std::string uncontested(const std::vector<Rewrite>& written, const std::vector<Rewrite>& shuffled)
{
    Groups groups;
    for (const auto* list : {&written, &shuffled})
        std::ranges::for_each(*list, [&groups](const Rewrite& rewrite) { groups.join(rewrite); });
    const auto groupOf = [&groups](const Rewrite& rewrite) {
        return rewrite.nodes.empty() ? std::string() : groups.of(*rewrite.nodes.begin());
    };
    const std::vector<Rewrite> here = withoutThose(written, shuffled);
    const std::vector<Rewrite> there = withoutThose(shuffled, written);
    const auto lacking = [&](const std::vector<Rewrite>& list, const std::vector<Rewrite>& other) {
        for (const Rewrite& rewrite : list) {
            const std::string group = groupOf(rewrite);
            if (group.empty() ||
                std::ranges::none_of(other, [&](const Rewrite& r) { return groupOf(r) == group; }))
                return textOf(rewrite);
        }
        return std::string();
    };
    const std::string first = lacking(here, there);
    const std::string second = lacking(there, here);
    return !first.empty()    ? "as written only: " + first
           : !second.empty() ? "shuffled only: " + second
                             : std::string();
}

} // namespace

// The order of the nodes in the file changes neither the outputs nor, where no two candidates share
// a node, which rewrites fire; on random graphs.
class RandomOrderTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void anyOrderGivesTheSame()
    {
        int same = 0;
        const Seeds range = seeds(200);
        for (std::uint64_t seed = range.first; seed <= range.last; ++seed) {
            const std::string text = randomGraph(seed);
            const std::string moved = randomGraph(seed, seed);
            const PassRun first = runPasses(text);
            const PassRun second = runPasses(moved);
            const auto where = [&] { return fmt::format("seed {}\n{}\n{}", seed, text, moved); };
            QVERIFY2(second.problem.empty(), (second.problem + "\n" + where()).c_str());
            const std::string differs =
                conditionedProblem(first.opened, second.graph, toleranceFor(text), seed);
            QVERIFY2(differs.empty(), (differs + "\n" + where()).c_str());
            const std::vector<Rewrite> written = rewritesOf(first), shuffled = rewritesOf(second);
            const std::string alone = uncontested(written, shuffled);
            QVERIFY2(alone.empty(), (alone + "\n" + where()).c_str());
            same += written == shuffled;
        }
        // Most graphs have no such candidates.
        QVERIFY2(range.asked || same > 100, std::to_string(same).c_str());
    }
};

FUSESCOPE_TEST(RandomOrderTest, random_order_test)
#include "random_order_test.moc"

#pragma once

#include "model/history.h"
#include "passes/edit.h"
#include "passes/pass.h"

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <stop_token>
#include <vector>

namespace fusescope {

// A rewrite named independently of its number: the rule and the file nodes that its root stands for.
struct RewriteKey
{
    std::string rule;
    std::vector<NodeId> origins;
    auto operator<=>(const RewriteKey&) const = default;
};

// Fixes, edits, skips, pins and options: what a person changed. Same model and same plan, same steps.
struct Plan
{
    std::vector<Fix> fixes;
    std::vector<Edit> edits; // of a scratch copy: steps after those of the fixes
    std::set<RewriteKey> skips;
    std::set<int> skipNumbers; // by step number, as the command line gives them
    int maxSteps = -1;         // applied and skipped steps, fixes included; −1: no limit
    Policy policy;

    bool operator==(const Plan&) const = default;
};

// A candidate that is refused when all passes have ended.
struct Blocked
{
    MissReason miss;
    int finalAt = 0;          // the step at which this answer became final
    std::string_view pass;    // the pass that refused it last
};

// A refusal that a later step lifted: told in that step ("blocked until step 12").
struct Lifted
{
    MissReason miss;
    int until = 0;
};

// The sizes that a run takes for symbols, and for unnamed sizes of inputs.
using SymbolSizes = std::map<Dim, std::int64_t>;

// Runs the passes of a plan over a model, one step at a time: fixes and edits first, then the list;
// a pass is asked until it has no offer left, then the next; rounds repeat while one changed
// something, at most 10. A worklist makes it fast and changes nothing.
class Optimizer
{
public:
    // `sizes` are taken for symbols where the cost of a step is counted; nothing else asks them.
    Optimizer(Graph opened, Plan plan, std::shared_ptr<IdPool> pool = nullptr,
              SymbolSizes sizes = {});
    ~Optimizer();
    Optimizer(Optimizer&&) noexcept;
    Optimizer& operator=(Optimizer&&) noexcept;

    // The next step, applied to graph() (a skipped one changes nothing); nothing when all passes
    // have ended. A pass whose rewrite fails to build is an error of ours: it is reported as the
    // step's refusal and the optimization goes on.
    Result<std::optional<Step>> next(std::stop_token stop = {});

    const Graph& graph() const;
    // After next() gave nothing: the refusals in the order of passes and roots, and remarks.
    std::vector<Blocked> blocked() const;
    std::vector<Lifted> lifted() const;
    std::vector<Remark> remarks() const;

private:
    struct State;
    std::unique_ptr<State> m_state;
};

Message fixTitle(const Graph& graph, const Fix& fix);

// Why was, or was not, a candidate at this root fused: every rule that could have it as root, with
// all conditions and what each saw.
struct Explanation
{
    enum class Status { blocked, legal, disabled, noCandidate };
    RuleId rule;
    NodeId root;
    Status status = Status::noCandidate;
    std::vector<ConditionRecord> conditions;
    std::optional<MissReason> miss;
};
std::vector<Explanation> explainNode(const Graph& graph, const Plan& plan, NodeId node);

// For two nodes: the answer of the rule, of any stage, that would rewrite them together; else of one
// that would take either away alone; else of the nearest one.
struct PairExplanation
{
    enum class Answer { blocked, legal, disabled, noPattern };
    Answer answer = Answer::noPattern;
    Explanation nearest;
    NodeId alone;    // the only one that a legal or disabled rule takes
    Message message;
    Message note;    // with noPattern: what the nearest rule is, and what differs
};
PairExplanation explainPair(const Graph& graph, const Plan& plan, NodeId a, NodeId b);

// Regions back to the operators they stand for: the form of the exported file. Records that are then
// as in `opened` become the very same pointers, so that they are written as they were.
enum class ExportForm { standard, functions, contrib };
Result<GraphPatch> lower(const Graph& graph, IdPool& pool, ExportForm form,
                         const Graph* opened = nullptr);

} // namespace fusescope

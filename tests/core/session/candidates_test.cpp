#include "session/candidates.h"
#include "session/session.h"
#include "support/model_bytes.h"
#include "support/rewrite_check.h"
#include "support/test_class.h"

#include <algorithm>

using namespace fusescope;
using namespace fusescope::test;

// What the rules said over a whole run, with the conditions as they saw them where they said it.
class CandidatesTest : public QObject
{
    Q_OBJECT

    // The first Relu ends the convolution; what the second one would end has two readers.
    static constexpr std::string_view network = R"(
        g (float[1, 3, 8, 8] x) => (float[1, 4, 8, 8] y, float[1, 4, 8, 8] z, float[1, 4, 8, 8] w)
        <float[4, 3, 1, 1] W = random(1), float[4] s = random(2, 0.5, 2), float[4] b = random(3),
         float[4] m = random(4), float[4] v = random(5, 0.5, 2), float[4, 3, 1, 1] V = random(6)>
        { [conv] c = Conv (x, W)
          [bn] n = BatchNormalization (c, s, b, m, v)
          [relu] y = Relu (n)
          [other] d = Conv (x, V)
          [last] z = Relu (d)
          [reader] w = Neg (d) })";

    struct Run
    {
        std::shared_ptr<Session> session;
        TimelinePtr timeline;
    };

    static Run runOf(std::string_view text, Plan plan)
    {
        SessionOptions options;
        options.plan = std::move(plan);
        options.runInBackground = false;
        const auto session = Session::openBytes(modelBytes(text), "candidates", options);
        return {*session, *(*session)->finish()};
    }

    static const Candidate* find(const std::vector<Candidate>& all, RuleId rule,
                                 Candidate::Status status)
    {
        const auto found = std::ranges::find_if(all, [&](const Candidate& one) {
            return one.rule == rule && one.status == status;
        });
        return found == all.end() ? nullptr : &*found;
    }

    static std::vector<TextId> failed(const Candidate& one)
    {
        std::vector<TextId> ids;
        for (const ConditionRecord& condition : one.conditions) {
            if (!condition.holds)
                ids.push_back(condition.name);
        }
        return ids;
    }

private Q_SLOTS:
    void eachHasTheConditionsOfItsState()
    {
        const Run run = runOf(network, {});
        const auto all = candidatesOf(*run.timeline, {}, true);
        QVERIFY(all.has_value());
        const Candidate* folded = find(*all, "conv-batchnorm", Candidate::Status::applied);
        QVERIFY(folded && folded->conditions.size() > 5);
        QVERIFY(failed(*folded).empty());
        const Candidate* refused = find(*all, "conv-activation", Candidate::Status::blocked);
        QVERIFY(refused && !refused->reasons.empty());
        QCOMPARE(failed(*refused), std::vector<TextId>{"condition.single-reader"});
        const auto bare = candidatesOf(*run.timeline, {}, false);
        QVERIFY(bare.has_value() && bare->size() == all->size());
        QVERIFY(std::ranges::all_of(*bare, [](const Candidate& one) { return one.conditions.empty(); }));
    }

    void aSkippedOneHasThemToo()
    {
        Plan plan;
        plan.skipNumbers = {1};
        const Run run = runOf(network, plan);
        const auto all = candidatesOf(*run.timeline, {}, true);
        QVERIFY(all.has_value());
        const Candidate* skipped = find(*all, "conv-batchnorm", Candidate::Status::skipped);
        QVERIFY(skipped && skipped->step == 1 && !skipped->conditions.empty());
    }

    // The BatchNormalization, the root, is gone in the last state.
    void ofANodeThatIsGone()
    {
        const Run run = runOf(network, {});
        const NodeId node = run.session->findNodes(run.timeline->at(0), "bn").front();
        QVERIFY(!run.timeline->at(run.timeline->size()).node(node));
        const auto all = candidatesOf(*run.timeline, {node}, true);
        QVERIFY(all.has_value());
        const Candidate* folded = find(*all, "conv-batchnorm", Candidate::Status::applied);
        QVERIFY(folded && !folded->conditions.empty());
        QVERIFY(!find(*all, "conv-activation", Candidate::Status::blocked));
    }

    void aRuleThatIsOff()
    {
        Plan plan;
        plan.policy.disabled = {"fusion"};
        const Run run = runOf(network, plan);
        const auto all = candidatesOf(*run.timeline, {}, true);
        QVERIFY(all.has_value());
        const Candidate* off = find(*all, "conv-batchnorm", Candidate::Status::disabled);
        QVERIFY(off && off->step == 0 && !off->conditions.empty() && failed(*off).empty());
        // The one with two readers would not be fused in any case.
        const Graph last = run.timeline->at(run.timeline->size());
        const NodeId refused = run.session->findNodes(last, "last").front();
        QVERIFY(std::ranges::none_of(*all, [&](const Candidate& one) { return one.root == refused; }));
        // Nothing is off: nothing is disabled.
        const Run on = runOf(network, {});
        const auto none = candidatesOf(*on.timeline, {}, false);
        QVERIFY(std::ranges::none_of(*none, [](const Candidate& one) {
            return one.status == Candidate::Status::disabled;
        }));
    }

    void whatAStepLifted()
    {
        Plan plan;
        plan.policy.disabled = {"fusion"};
        plan.policy.maxGrowth = 0;
        const Run run = runOf(R"(g (int64 i, float[8000] z) => (float y)
            <float[1] one = {1}, int64[1] r = {2000}, float[8000] big = random(1)>
            { t = Tile (one, r)
              y = Gather (t, i)
              d = Add (z, big) })",
                              plan);
        const auto all = candidatesOf(*run.timeline, {}, true);
        QVERIFY(all.has_value());
        const Candidate* folded = find(*all, "fold-constant", Candidate::Status::applied);
        QVERIFY(folded && folded->step == 2 && folded->lifted.size() == 1);
        QVERIFY(folded->lifted.front().code == ReasonCode::growthLimit);
        const Candidate* dead = find(*all, "remove-dead", Candidate::Status::applied);
        QVERIFY(dead && dead->lifted.empty());
    }

    void whatWasKept()
    {
        const Run run = runOf(R"(g (float[2] x, bool c) => (float[2] y)
            { [exp] e = Exp (x)
              [if] y = If <then_branch = t () => (float[2] a) { a = Neg (e) },
                           else_branch = f () => (float[2] b) { b = Abs (x) }> (c) })",
                              {});
        const auto kept = keptRemarks(*run.timeline, {});
        const Graph opened = run.timeline->at(0);
        const NodeId exp = run.session->findNodes(opened, "exp").front();
        QCOMPARE(kept.size(), std::size_t{1});
        QCOMPARE(kept.front().root, exp);
        QCOMPARE(keptRemarks(*run.timeline, {exp}).size(), std::size_t{1});
        const NodeId other = run.session->findNodes(opened, "y").front();
        QVERIFY(keptRemarks(*run.timeline, {other}).empty());
    }
};

FUSESCOPE_TEST(CandidatesTest, candidates_test)
#include "candidates_test.moc"

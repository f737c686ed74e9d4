#include "report/node_names.h"
#include "session/safe_fixes.h"
#include "session/session.h"
#include "support/model_bytes.h"
#include "support/rewrite_check.h"
#include "support/test_class.h"

#include <algorithm>

using namespace fusescope;
using namespace fusescope::test;

// All safe fixes at once, what each will do, and the way back.
class FixesPlanTest : public QObject
{
    Q_OBJECT

    // Two Pads with two readers each (safe), a training BatchNormalization (changes the meaning), a
    // debugging output in between (changes the interface).
    static constexpr std::string_view model = R"(
        g (float[1, 3, 6, 6] x) => (float[1, 4, 6, 6] y, float[1, 3, 8, 8] z, float[1, 4, 6, 6] v,
                                    float[1, 3, 10, 10] w, float[1, 4, 6, 6] t,
                                    float[1, 4, 6, 6] inner, float[1, 4, 6, 6] r)
        <float[4, 3, 3, 3] W = random(1), float[4, 3, 5, 5] V = random(2),
         float[4, 3, 1, 1] U = random(3), int64[8] p = {0, 0, 1, 1, 0, 0, 1, 1},
         int64[8] q = {0, 0, 2, 2, 0, 0, 2, 2}, float[4] s = random(4, 0.5, 2),
         float[4] b = random(5), float[4] m = random(6), float[4] d = random(7, 0.5, 2)>
        { [pad1] a = Pad (x, p)
          [conv1] y = Conv (a, W)
          [sigmoid] z = Sigmoid (a)
          [pad2] c = Pad (x, q)
          [conv2] v = Conv (c, V)
          [tanh] w = Tanh (c)
          [conv3] e = Conv (x, U)
          [bn] t, rm, rv = BatchNormalization <training_mode = 1> (e, s, b, m, d)
          [conv4] inner = Conv (x, U)
          [relu] r = Relu (inner) })";

    static std::shared_ptr<Session> opened()
    {
        SessionOptions options;
        options.runInBackground = false;
        options.plan.policy.disabled = {"merge-duplicates"}; // conv3 and conv4 stay two
        const auto session = Session::openBytes(modelBytes(model), "fixes", options);
        return session ? *session : nullptr;
    }

    static std::vector<std::string> rows(const Timeline& timeline)
    {
        std::vector<std::string> list;
        const Graph graph = timeline.at(timeline.size());
        for (const Blocked& row : timeline.blocked)
            list.push_back(std::string(row.miss.rule) + " " + reachableName(graph, row.miss.root));
        return list;
    }

    static std::string log(const Timeline& timeline)
    {
        std::string text;
        for (const auto& step : timeline.steps)
            text += std::to_string(step->number) + " " + std::string(step->rule) + " " +
                    std::to_string(step->root.value) + "\n";
        return text;
    }

private Q_SLOTS:
    void onlyTheSafeOnes()
    {
        const auto session = opened();
        QVERIFY(session);
        const TimelinePtr timeline = *session->finish();
        int offered = 0;
        for (const Blocked& row : timeline->blocked) {
            for (const Reason& reason : row.miss.reasons)
                offered += reason.fix ? 1 : 0;
        }
        QCOMPARE(offered, 4);
        const auto fixes = safeFixes(*timeline);
        QCOMPARE(fixes.size(), std::size_t{2});
        for (const Fix& fix : fixes)
            QVERIFY(fix.kind == FixKind::duplicateProducer);
    }

    // One numbered step a fix, before all passes; nothing is offered twice.
    void aStepForEach()
    {
        const auto session = opened();
        const TimelinePtr before = *session->finish();
        Plan plan = before->plan;
        plan.fixes = safeFixes(*before);
        session->setPlan(plan);
        const TimelinePtr after = *session->finish();
        QVERIFY(after->generation > before->generation);
        QVERIFY(!after->failed);
        for (int i = 0; i < after->size(); ++i)
            QCOMPARE(after->steps[static_cast<std::size_t>(i)]->number, i + 1);
        for (std::size_t i = 0; i < 2; ++i) {
            QVERIFY(after->steps[i]->stage == Stage::fixes);
            QCOMPARE(std::string(after->steps[i]->rule), std::string("duplicate-producer"));
            // What it does can be looked at before the rest: one node more.
            const int step = static_cast<int>(i);
            const auto changes = session->diff(*after, step, step + 1).nodes;
            QCOMPARE(std::count_if(changes.begin(), changes.end(),
                                   [](const NodeChange& c) { return c.kind == ChangeKind::added; }),
                     std::ptrdiff_t{1});
        }
        QVERIFY(after->steps[2]->stage != Stage::fixes);
        QVERIFY(safeFixes(*after).empty());
        const auto old = rows(*before), now = rows(*after);
        for (const char* gone : {"pad-conv conv1", "pad-conv conv2"}) {
            QVERIFY(std::find(old.begin(), old.end(), gone) != old.end());
            QVERIFY(std::find(now.begin(), now.end(), gone) == now.end());
        }
        const auto proof = session->prove(*after, after->size(), 3);
        QVERIFY(proof && proof->status == VerificationStatus::pass);
    }

    // Without them the steps are what they were, ids included.
    void theWayBack()
    {
        const auto session = opened();
        const TimelinePtr before = *session->finish();
        const Plan old = before->plan;
        const std::string first = log(*before);
        Plan plan = old;
        plan.fixes = safeFixes(*before);
        session->setPlan(plan);
        QVERIFY(log(**session->finish()) != first);
        session->setPlan(old);
        const TimelinePtr again = *session->finish();
        QCOMPARE(log(*again), first);
        QVERIFY(rows(*again) == rows(*before));
    }
};

FUSESCOPE_TEST(FixesPlanTest, fixes_plan_test)
#include "fixes_plan_test.moc"

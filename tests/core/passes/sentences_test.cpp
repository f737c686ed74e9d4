#include "io/document.h"
#include "pass_run.h"
#include "passes/explain.h"
#include "report/render.h"
#include "support/sentences.h"
#include "support/test_class.h"

#include <QDir>

using namespace fusescope;
using namespace fusescope::test;

// Whatever is said of a model names each thing that its sentence has a place for.
class SentencesTest : public QObject
{
    Q_OBJECT

    static std::string explainedProblem(const PassRun& run)
    {
        for (const NodeId id : run.graph.allNodes()) {
            for (const Explanation& one : explainNode(run.graph, {}, id, run.opened)) {
                for (const ConditionRecord& condition : one.conditions) {
                    const std::string problem = sentenceProblem(condition);
                    if (!problem.empty())
                        return problem;
                }
                const std::string problem =
                    one.miss ? sentenceProblem(one.miss->reasons) : std::string();
                if (!problem.empty())
                    return problem;
            }
        }
        return {};
    }

private Q_SLOTS:
    void examples_data()
    {
        QTest::addColumn<QString>("path");
        const QDir folder(QStringLiteral(FUSESCOPE_SOURCE_DIR "/resources/examples"));
        for (const QString& name : folder.entryList({"*.onnx"}))
            QTest::newRow(qPrintable(name)) << folder.filePath(name);
        QVERIFY(folder.entryList({"*.onnx"}).size() > 50);
    }
    void examples()
    {
        QFETCH(QString, path);
        const auto document = Document::open(path.toStdString());
        QVERIFY(document);
        Graph graph = (*document)->graph();
        const auto inferred = inferGraph(graph);
        QVERIFY(inferred);
        for (const InferenceProblem& problem : inferred->problems)
            QCOMPARE(sentenceProblem(problem.message), std::string());
        QVERIFY(graph.apply(inferred->patch));
        const PassRun run = runPasses(graph); // it looks at the sentences of its steps and refusals
        QCOMPARE(run.problem, std::string());
        QCOMPARE(explainedProblem(run), std::string());
    }

    void whatIsMissingIsFound()
    {
        QCOMPARE(sentenceProblem(Message("reason.non-deterministic", {{"node", NodeId{1}}})),
                 std::string("{op} of reason.non-deterministic has no argument"));
        QCOMPARE(sentenceProblem(Message("reason.nowhere")),
                 std::string("reason.nowhere has no text"));
    }

    // One fact has the same words wherever it is met, and sizes have a unit.
    void foldingSaysWhatPatternsSay()
    {
        const auto said = [](std::string_view text, const Plan& plan, ReasonCode code) {
            const PassRun run = runPasses(text, plan);
            if (!run.problem.empty())
                return run.problem;
            for (const Blocked& row : run.blocked) {
                for (const Reason& reason : row.miss.reasons) {
                    if (reason.code == code)
                        return render(reason.headline, &run.graph) + ": " +
                               render(reason.message, &run.graph);
                }
            }
            return std::string("nothing");
        };
        QCOMPARE(said(R"(g (float[4] x) => (float[4] y) <float[4] c = {1, 2, 3, 4}>
                      { [rnd] r = RandomNormalLike (c) y = Add (x, r) })",
                      {}, ReasonCode::nonDeterministic),
                 std::string("Result differs from run to run: `rnd` is RandomNormalLike, which may "
                             "give another value at each run."));
        Plan small;
        small.policy.maxGrowth = 1000;
        QCOMPARE(said(R"(g (float[40000] x) => (float[40000] y)
                      <float[4] c = {1, 2, 3, 4}, int64[1] n = {10000}>
                      { t = Tile (c, n) y = Add (x, t) })",
                      small, ReasonCode::growthLimit),
                 std::string("Model would grow beyond the limit: The model would grow by 160.0 kB; "
                             "the limit leaves 1000 B."));
    }
};

FUSESCOPE_TEST(SentencesTest, sentences_test)
#include "sentences_test.moc"

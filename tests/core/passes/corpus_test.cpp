#include "io/document.h"
#include "pass_run.h"
#include "support/test_class.h"

#include <fmt/format.h>

#include <filesystem>

// label: slow
// needs: models

using namespace fusescope;
using namespace fusescope::test;

// Every model of the corpus through all passes.
class CorpusTest : public QObject
{
    Q_OBJECT

    static Graph opened(const std::string& path, bool& ok)
    {
        const auto document = Document::open(path);
        ok = document.has_value();
        if (!ok)
            return {};
        Graph graph = (*document)->graph();
        const auto inferred = inferGraph(graph);
        ok = inferred && graph.apply(inferred->patch);
        return graph;
    }

    static std::map<std::string, int> counted(const PassRun& run)
    {
        std::map<std::string, int> count;
        for (const Step& step : run.steps)
            ++count[std::string(step.rule)];
        return count;
    }

private Q_SLOTS:
    void everyModel_data()
    {
        QTest::addColumn<QString>("path");
        for (const char* folder : {"real", "light", "synthetic", "torch"}) {
            const auto root = std::filesystem::path(FUSESCOPE_MODELS) / folder;
            for (const auto& entry : std::filesystem::recursive_directory_iterator(root)) {
                if (entry.path().extension() == ".onnx")
                    QTest::newRow(
                        std::filesystem::relative(entry.path(), FUSESCOPE_MODELS).c_str())
                        << QString::fromStdString(entry.path().string());
            }
        }
    }

    // Valid after every step, valid when lowered, and the same at every run.
    void everyModel()
    {
        QFETCH(QString, path);
        bool ok = false;
        const Graph graph = opened(path.toStdString(), ok);
        QVERIFY(ok);
        if (graph.nodeCount() > 2000) {
            Optimizer optimizer(graph, Plan{});
            for (auto step = optimizer.next(); step && *step;)
                step = optimizer.next();
            QVERIFY(optimizer.graph().check());
            return;
        }
        const PassRun run = runPasses(graph);
        QCOMPARE(run.problem, std::string());
        const PassRun again = runPasses(graph);
        QCOMPARE(run.log(), again.log());
        Graph lowered = run.graph;
        IdPool pool(graph);
        const auto patch = lower(lowered, pool, ExportForm::standard, &graph);
        QVERIFY(patch);
        QVERIFY(lowered.apply(*patch));
        QVERIFY(lowered.check());
        for (const NodeId id : lowered.allNodes())
            QVERIFY(!lowered.node(id)->region);
    }

    void whatIsKnownOfSomeModels()
    {
        bool ok = false;
        const auto run = [&ok](const char* name) {
            const auto root = std::filesystem::path(FUSESCOPE_MODELS) / name;
            return runPasses(opened((root / "model.onnx").string(), ok));
        };
        const PassRun raw = run("torch/resnet50_dynamo18_raw");
        QVERIFY(ok);
        auto count = counted(raw);
        QCOMPARE(count["conv-batchnorm"], 53);
        QCOMPARE(count["conv-activation"], 33);
        QCOMPARE(count["conv-add-activation"], 16);
        QVERIFY(raw.blocked.empty());
        const PassRun functions = run("torch/modules_as_functions_ts17");
        QVERIFY(ok);
        QVERIFY(counted(functions)["conv-batchnorm"] > 0);
        QVERIFY(functions.graph.header().functions.empty());
    }

    void fewNodesAreLeft_data()
    {
        QTest::addColumn<int>("most");
        const auto row = [](const char* name, int most) { QTest::newRow(name) << most; };
        // The fewest that another optimizer leaves with every operator standard, the same public
        // interface and the same outputs.
        row("synthetic/bert_like_12x64", 620);
        row("real/gtcrn", 379);
        row("real/silero_vad", 116);
        row("real/yolox_nano", 362);
        row("real/dtln_1", 35);
        row("real/magika", 62);
        row("real/ppocr_cls", 179);
        row("real/ppocr_det", 297);
        row("real/yunet_dynamic", 115);
        row("real/blazeface_back", 147);
        row("real/rfb320", 160);
        row("light/light_densenet121", 491);
        row("light/light_inception_v1", 138);
        row("light/light_inception_v2", 154);
        row("light/light_resnet50", 123);
        row("light/light_shufflenet", 154);
    }

    // Bodies counted, Constant nodes not.
    void fewNodesAreLeft()
    {
        QFETCH(int, most);
        const auto path =
            std::filesystem::path(FUSESCOPE_MODELS) / QTest::currentDataTag() / "model.onnx";
        bool ok = false;
        const Graph graph = opened(path.string(), ok);
        QVERIFY(ok);
        Optimizer optimizer(graph, Plan{});
        for (auto step = optimizer.next(); step && *step;)
            step = optimizer.next();
        Graph lowered = optimizer.graph();
        IdPool pool(graph);
        const auto patch = lower(lowered, pool, ExportForm::standard, &graph);
        QVERIFY(patch);
        QVERIFY(lowered.apply(*patch));
        int count = 0;
        for (const NodeId id : lowered.allNodes())
            count += lowered.node(id)->is("Constant") ? 0 : 1;
        QVERIFY2(count <= most, fmt::format("{} nodes", count).c_str());
    }

    void weightsThatACallerMayReplaceAreTheReason()
    {
        const auto path = std::filesystem::path(FUSESCOPE_MODELS) / "real/rfb320/model.onnx";
        bool ok = false;
        const PassRun run = runPasses(opened(path.string(), ok));
        QVERIFY(ok);
        int overridable = 0;
        for (const Blocked& row : run.blocked) {
            if (row.miss.rule == "conv-batchnorm")
                overridable += row.miss.reasons.front().code == ReasonCode::overridableInitializer;
        }
        QCOMPARE(overridable, 35);
    }
};

FUSESCOPE_TEST(CorpusTest, corpus_test)
#include "corpus_test.moc"

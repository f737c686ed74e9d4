#include "io/document.h"
#include "io/wire.h"
#include "model/graph_text.h"
#include "report/render.h"
#include "session/session.h"
#include "support/rewrite_check.h"
#include "support/test_class.h"

#include <QTemporaryDir>

#include <algorithm>
#include <filesystem>

using namespace fusescope;
using namespace fusescope::test;

// Exports that other engines broke, by the number that the project gives each of them (69 to 82):
// each model is opened from a file, optimized, exported and opened again.
//
// Not here: 74, layout operators of one processor, which are no part of any form of ours.
class DefectsExportTest : public QObject
{
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> m_folder;

    std::string path(const QString& name) const { return m_folder->filePath(name).toStdString(); }

    // The model of a text as a file; its weights in a file beside it when asked.
    std::string written(std::string_view text, const QString& name,
                        bool external = false) const
    {
        const auto graph = parseGraph(text);
        if (!graph)
            qFatal("%s", render(graph.error().message, nullptr).c_str());
        WireMessage empty;
        empty.message(7, WireMessage());
        const auto document = Document::parse(empty.text(), "empty");
        Document::SaveOptions options;
        if (external)
            options.externalData = Document::SaveOptions::ExternalData::always;
        const auto saved = (*document)->save(*graph, path(name), options);
        if (!saved)
            qFatal("%s", render(saved.error().message, nullptr).c_str());
        return saved->path;
    }

    struct Exported
    {
        Graph opened, read;
        VerificationStatus status = VerificationStatus::notRun;
        std::string error, why;
    };
    Exported exported(const std::string& file, const QString& target,
                      ExportForm form = ExportForm::standard, const Plan& plan = {}) const
    {
        Exported result;
        SessionOptions options;
        options.plan = plan;
        options.runInBackground = false;
        const auto session = Session::open(file, options);
        if (!session) {
            result.error = "open: " + render(session.error().message, nullptr);
            return result;
        }
        result.opened = (*session)->opened();
        const auto timeline = (*session)->finish();
        ExportOptions how;
        how.form = form;
        const auto done = (*session)->exportModel(**timeline, path(target), how);
        if (!done) {
            result.error = "export: " + render(done.error().message, nullptr);
            return result;
        }
        result.status = done->verification.status;
        result.why = render(done->verification.why, nullptr);
        const auto again = Document::open(path(target));
        if (!again)
            result.error = "again: " + render(again.error().message, nullptr);
        else
            result.read = (*again)->graph();
        return result;
    }

    static std::vector<std::string> outputNames(const Graph& graph)
    {
        std::vector<std::string> names;
        for (const ValueId id : graph.body(graph.mainBody())->outputs)
            names.push_back(graph.value(id)->name);
        return names;
    }

    static std::vector<std::string> domains(const Graph& graph)
    {
        std::vector<std::string> names;
        for (const auto& [domain, version] : graph.header().opsets)
            names.push_back(domain);
        std::sort(names.begin(), names.end());
        return names;
    }

private Q_SLOTS:
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }

    // 69: an initializer inside a Loop's body comes out with its numbers.
    void initializersInsideALoop()
    {
        const Exported done = exported(written(R"(g (float[200] x) => (float[200] y)
            <int64 n = {2}, bool c = {1}>
            { y = Loop (n, c, x) <body = b (int64 i, bool k, float[200] a) => (bool ko, float[200] ao)
                <float[200] w = random(1)> { ko = Identity (k) ao = Add (a, w) }> })",
                                               "loop.onnx"),
                                       "out.onnx");
        QCOMPARE(done.error, std::string());
        QVERIFY(done.status == VerificationStatus::pass);
        const Node& loop = *done.read.node(nodeNamed(done.read, "y"));
        const Body& body = *done.read.body(loop.bodies.front());
        QCOMPARE(body.initializers.size(), std::size_t{1});
        const Tensor expected = randomTensor(DType::float32, {200}, 1);
        QCOMPARE(done.read.value(body.initializers[0])->constant->load<float>(199),
                 expected.load<float>(199));
    }

    // 70: what is larger than a message may be goes into a file beside it.
    void moreThanAMessageHolds()
    {
        const std::string small = written(R"(g (float[4, 64] x) => (float[4, 64] y)
            <float[64, 64] W = random(1)> { t = Identity (x)  y = MatMul (t, W) })",
                                          "m.onnx", true);
        const auto session = Session::open(small, {});
        QVERIFY(session);
        const auto timeline = (*session)->finish();
        ExportOptions how;
        how.externalData = ExportOptions::ExternalData::always;
        const auto done = (*session)->exportModel(**timeline, path("out.onnx"), how);
        QVERIFY(done);
        QVERIFY(std::filesystem::exists(path("out.onnx.data")));
        QVERIFY(done->verification.status == VerificationStatus::pass);
        // A size that a message cannot hold is refused inline before a byte is written.
        Graph huge = graphOf(R"(g (float[1] x) => (float[1] y) <float[600, 1024, 1024] W = fill(0)>
            { s = ReduceSum <keepdims = 0> (W)  y = Add (x, s) })");
        WireMessage empty;
        empty.message(7, WireMessage());
        const auto document = Document::parse(empty.text(), "empty");
        Document::SaveOptions inlineData;
        inlineData.externalData = Document::SaveOptions::ExternalData::never;
        QVERIFY(!(*document)->save(huge, path("huge.onnx"), inlineData));
        QVERIFY(!std::filesystem::exists(path("huge.onnx")));
    }

    // 71, 76: data is found beside the model, at its offset, wherever the program runs.
    void dataLiesBesideItsModel()
    {
        QDir(m_folder->path()).mkdir("a");
        QDir(m_folder->path()).mkdir("b");
        const std::string file = written(R"(g (float[1000] x) => (float[1000] y)
            <float[1000] p = random(1), float[1000] q = random(2)>
            { s = Add (x, p)  y = Mul (s, q) })",
                                         "a/m.onnx", true);
        const Exported done = exported(file, "b/out.onnx");
        QCOMPARE(done.error, std::string());
        QVERIFY(done.status == VerificationStatus::pass);
        std::filesystem::remove_all(path("a"));
        const auto again = Document::open(path("b/out.onnx"));
        QVERIFY(again);
        const Graph& graph = (*again)->graph();
        const Tensor second = randomTensor(DType::float32, {1000}, 2);
        const Node& mul = *graph.node(nodeNamed(graph, "y"));
        QCOMPARE(graph.constant(mul.input(1))->asDouble(7), second.asDouble(7));
    }

    // 72, 73: every domain in use is imported, and no other.
    void domainsAreImported()
    {
        const std::string file = written(R"(g (float[1, 2, 4, 4] x) => (float[1, 2, 4, 4] y)
            <float[2, 2, 1, 1] W = random(1)> { c = Conv (x, W)  y = Relu (c) })",
                                         "m.onnx");
        const Exported plain = exported(file, "plain.onnx");
        QCOMPARE(plain.error, std::string());
        QCOMPARE(domains(plain.read), std::vector<std::string>{""});
        const Exported contrib = exported(file, "contrib.onnx", ExportForm::contrib);
        QCOMPARE(contrib.error, std::string());
        // The standard operators that FusedConv stands for were run in its place.
        QVERIFY(contrib.status == VerificationStatus::partial);
        QCOMPARE(domains(contrib.read), (std::vector<std::string>{"", "com.microsoft"}));
        QCOMPARE(operatorsOf(contrib.read), std::string("FusedConv"));
        const Exported functions = exported(file, "functions.onnx", ExportForm::functions);
        QCOMPARE(functions.error, std::string());
        for (const NodeId id : functions.read.allNodes()) {
            const auto& names = domains(functions.read);
            QVERIFY(std::find(names.begin(), names.end(), functions.read.node(id)->op.domain) !=
                    names.end());
        }
    }

    // The operators of com.microsoft that the export made are counted, with a step skipped too; those
    // of the file are none of them.
    void contribOperatorsAreCounted()
    {
        const std::string file = written(R"(g (float[1, 2, 4, 4] x, float[2, 3] u) => (float[1, 2, 4, 4] y, float[2, 2] z)
            <float[2, 2, 1, 1] W = random(1), float[3, 2] V = random(2), float[2] b = random(3)>
            { c = Conv (x, W)  d = Relu (c)  e = Conv (d, W)  f = Sigmoid (e)
              h = Conv (f, W)  y = Tanh (h)  g = Gemm (u, V, b)  z = Relu (g) })",
                                         "m.onnx");
        const Exported all = exported(file, "all.onnx", ExportForm::contrib);
        QCOMPARE(all.error, std::string());
        QCOMPARE(operatorsOf(all.read), std::string("FusedConv FusedConv FusedConv Gemm Relu"));
        QVERIFY(all.status == VerificationStatus::partial);
        QVERIFY2(all.why.starts_with("3 operators of com.microsoft"), all.why.c_str());
        Plan plan;
        plan.skipNumbers = {1, 2};
        const Exported one = exported(file, "one.onnx", ExportForm::contrib, plan);
        QCOMPARE(one.error, std::string());
        QVERIFY2(one.why.starts_with("One operator of com.microsoft"), one.why.c_str());
        plan.skipNumbers = {1, 2, 3, 4};
        const Exported none = exported(file, "none.onnx", ExportForm::contrib, plan);
        QCOMPARE(none.error, std::string());
        QVERIFY(none.status == VerificationStatus::pass);
        QCOMPARE(domains(none.read), std::vector<std::string>{""});
        const std::string own = written(R"(<ir_version: 8, opset_import: ["" : 17, "com.microsoft" : 1]>
            g (float[1, 2, 4, 4] x, float[2, 3] u) => (float[1, 2, 4, 4] y, float[2, 2] z)
            <float[2, 2, 1, 1] W = random(1), float[3, 2] V = random(2), float[2] b = random(3)>
            { c = Conv (x, W)  y = Relu (c)
              z = com.microsoft.FusedGemm <activation = "Relu"> (u, V, b) })",
                                        "own.onnx");
        for (const bool skips : {false, true}) {
            plan.skipNumbers.clear();
            if (skips)
                plan.skipNumbers = {1};
            const Exported done = exported(own, "own-out.onnx", ExportForm::contrib, plan);
            QCOMPARE(done.error, std::string());
            QVERIFY(done.status == VerificationStatus::partial);
            QCOMPARE(operatorsOf(done.read),
                     std::string(skips ? "Conv Relu FusedGemm" : "FusedConv FusedGemm"));
            std::filesystem::remove(path("own-out.onnx"));
        }
    }

    // 75: functions that nobody opened go out as they came.
    void functionsAreKept()
    {
        Plan plan;
        plan.policy.disabled = {"inline-function"};
        const Exported done = exported(written(R"(<ir_version: 8, opset_import: ["" : 17, "f" : 1]>
            g (float[2] x) => (float[2] y) { y = f.twice (x) }
            <domain: "f", opset_import: ["" : 17]> twice (a) => (b) { b = Add (a, a) })",
                                               "f.onnx"),
                                       "out.onnx", ExportForm::standard, plan);
        QCOMPARE(done.error, std::string());
        QVERIFY(done.status == VerificationStatus::pass);
        QCOMPARE(done.read.header().functions.size(), std::size_t{1});
    }

    // 77: what a fusion makes bears the name of the output.
    void outputsKeepTheirNames()
    {
        const Exported done = exported(written(R"(g (float[1, 2, 4, 4] x) => (float[1, 2, 4, 4] prob)
            <float[2, 2, 1, 1] W = random(1), float[2] s = random(2, 0.5, 2), float[2] b = random(3),
             float[2] m = random(4), float[2] v = random(5, 0.5, 2)>
            { c = Conv (x, W)  prob = BatchNormalization (c, s, b, m, v) })",
                                               "m.onnx"),
                                       "out.onnx");
        QCOMPARE(done.error, std::string());
        QCOMPARE(operatorsOf(done.read), std::string("Conv"));
        QCOMPARE(outputNames(done.read), std::vector<std::string>{"prob"});
    }

    // 78: names that look like ours are no trouble.
    void newNamesAreUnique()
    {
        const Exported done = exported(written(R"(g (float[1, 2, 4, 4] x) => (float[1, 2, 4, 4] y, float[1, 2, 4, 4] fused_1)
            <float[2, 2, 1, 1] W = random(1), float[2, 2, 1, 1] W_folded = random(6),
             float[2, 2, 1, 1] W_1 = random(7), float[2] s = random(2, 0.5, 2),
             float[2] b = random(3), float[2] m = random(4), float[2] v = random(5, 0.5, 2)>
            { c = Conv (x, W)  y = BatchNormalization (c, s, b, m, v)
              d = Conv (x, W)  e = Conv (d, W_folded) fused_1 = Conv (e, W_1) })",
                                               "m.onnx"),
                                       "out.onnx");
        QCOMPARE(done.error, std::string());
        QVERIFY(done.status == VerificationStatus::pass);
        QCOMPARE(outputNames(done.read), (std::vector<std::string>{"y", "fused_1"}));
        std::vector<std::string> names;
        for (const ValueId id : done.read.body(done.read.mainBody())->initializers)
            names.push_back(done.read.value(id)->name);
        std::sort(names.begin(), names.end());
        QVERIFY(std::adjacent_find(names.begin(), names.end()) == names.end());
    }

    // 79: a declared shape that inference contradicts is shown as a problem, and the model runs.
    void contradictingShapesOpen()
    {
        const Exported done = exported(written(R"(g (float[3] x) => (float[2, 3] y) <float[1] k = {2}>
            { t = Mul (x, k)  y = Relu (t) })",
                                               "m.onnx"),
                                       "out.onnx");
        QCOMPARE(done.error, std::string());
        QCOMPARE(outputNames(done.read), std::vector<std::string>{"y"});
    }

    // 80: a body's own name that an outer value bears too.
    void namesAreResolvedByScope()
    {
        const Exported done = exported(written(R"(g (float[2] x, bool c) => (float[2] y, float[2] t)
            { y = If (c) <then_branch = a () => (float[2] p) { t = Exp (x)  p = Neg (t) },
                          else_branch = b () => (float[2] q) { q = Abs (x) }>
              t = Sqrt (x) })",
                                               "m.onnx"),
                                       "out.onnx");
        QCOMPARE(done.error, std::string());
        QVERIFY(done.status == VerificationStatus::pass);
        QCOMPARE(outputNames(done.read), (std::vector<std::string>{"y", "t"}));
    }

    // 81: what is written is sorted.
    void whatIsWrittenIsSorted()
    {
        const Exported done = exported(written(R"(<ir_version: 8, opset_import: ["" : 17, "acme" : 1]>
            g (float[2] x) => (float[2] y) <float[2] a = {1, 2}, float[2] b = {3, 4}, float[2] k>
            { k = acme.Mystery (a)  s = Add (a, b)  t = MatMul (k, s)  y = Add (t, x) })",
                                               "m.onnx"),
                                       "out.onnx");
        QCOMPARE(done.error, std::string());
        QVERIFY(done.read.check());
        QVERIFY(done.status != VerificationStatus::fail);
        QCOMPARE(operatorsOf(done.read), std::string("Mystery MatMul Add"));
    }

    // 82: an inner value that is made an output stays one, and says that it is in the way.
    void anInnerOutputIsInTheWay()
    {
        SessionOptions options;
        options.runInBackground = false;
        const auto session = Session::open(
            written(R"(g (float[1, 2, 4, 4] x) => (float[1, 2, 4, 4] y, float[1, 2, 4, 4] c)
            <float[2, 2, 1, 1] W = random(1)> { c = Conv (x, W)  y = Relu (c) })",
                    "m.onnx"),
            options);
        QVERIFY(session);
        const auto timeline = (*session)->finish();
        // The window names what is blocked by the newest state that the history keeps.
        QCOMPARE((*timeline)->history->latest().nodeCount(),
                 (*timeline)->at((*timeline)->size()).nodeCount());
        QCOMPARE((*timeline)->blocked.size(), std::size_t{1});
        const Reason& reason = (*timeline)->blocked[0].miss.reasons.front();
        QCOMPARE(std::string(idOf(reason.code)), std::string("graph-output"));
        QVERIFY(reason.fix && reason.fix->kind == FixKind::dropOutput);
        QCOMPARE(outputNames((*timeline)->at((*timeline)->size())),
                 (std::vector<std::string>{"y", "c"}));
    }
};

FUSESCOPE_TEST(DefectsExportTest, defects_export_test)
#include "defects_export_test.moc"

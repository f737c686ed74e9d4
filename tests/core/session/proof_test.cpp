#include "exec/inputs.h"
#include "io/data_files.h"
#include "model_text.h"
#include "report/render.h"
#include "session/cut_nodes.h"
#include "session/divergence_cause.h"
#include "support/rewrite_check.h"
#include "support/test_class.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>

#include <algorithm>
#include <cmath>
#include <limits>

using namespace fusescope;
using namespace fusescope::test;

namespace {

constexpr std::string_view unknownResult = R"(
    <ir_version: 8, opset_import: ["" : 17, "own" : 1]>
    net (float[N, 3] x) => (float[N, 4] y)
    <float[3, 4] w = random(1), float[4] b = random(2)>
    {
        [same] i = Identity (x)
        m = MatMul (i, w)
        s = Add (m, b)
        [odd] u = own.Odd (s)
        [relu] r = Relu (u)
        y = Add (r, s)
    })";

std::string joined(const Graph& graph, const std::vector<NodeId>& nodes)
{
    std::string text;
    for (const NodeId id : nodes)
        text += (text.empty() ? "" : " ") + graph.node(id)->op.type;
    return text;
}

std::string namesOf(const std::vector<TensorComparison>& list)
{
    std::string text;
    for (const TensorComparison& one : list)
        text += (text.empty() ? "" : " ") + one.name + (one.pass ? "" : "!");
    return text;
}

// Three folders of random values of one input.
bool writeSamples(const QTemporaryDir& folder, const char* input, std::vector<std::int64_t> shape)
{
    for (int i = 0; i < 3; ++i) {
        const QString set = QStringLiteral("sample_%1").arg(i);
        const auto x = randomTensor(DType::float32, shape, static_cast<std::uint64_t>(i + 1));
        const std::string file = folder.filePath(set + QStringLiteral("/input_0.pb")).toStdString();
        if (!QDir(folder.path()).mkdir(set) || !writeTensorProto(file, input, x))
            return false;
    }
    return true;
}

// The model before and after over a folder of inputs.
Result<Comparison> comparedOver(Session& session, const QTemporaryDir& folder)
{
    FUSESCOPE_ASSIGN(const TimelinePtr timeline, session.finish());
    CompareOptions options;
    options.inputs.sources = {folder.path().toStdString()};
    return session.compare(*timeline, 0, timeline->size(), options);
}

} // namespace

// What a proof does with models that do not simply run: unknown operators, random ones, values that
// only a data set gives.
class ProofTest : public QObject
{
    Q_OBJECT

    static Comparison proved(Session& session)
    {
        const auto timeline = session.finish();
        if (!timeline)
            qFatal("the passes failed");
        const auto proof = session.prove(**timeline, (*timeline)->size(), 1);
        if (!proof)
            qFatal("the proof failed to run");
        return *proof;
    }

    static std::string written(const QTemporaryDir& folder, const char* name,
                               const std::string& bytes)
    {
        QFile file(folder.filePath(QString::fromLatin1(name)));
        if (!file.open(QIODevice::WriteOnly))
            qFatal("cannot write");
        file.write(bytes.data(), static_cast<qint64>(bytes.size()));
        return file.fileName().toStdString();
    }

private Q_SLOTS:
    // The result of an operator that nobody knows has no type: it is made like what the node reads.
    void anUnknownOperatorIsCutThoughItsResultHasNoType()
    {
        const auto session = sessionOf(bytesOf(unknownResult));
        const Comparison proof = proved(*session);
        QCOMPARE(proof.status, VerificationStatus::partial);
        QCOMPARE(joined(session->opened(), proof.cut), std::string("Odd"));
        QCOMPARE(namesOf(proof.outputs), std::string("y s"));
        QCOMPARE(proof.executor, std::string("reference"));
    }

    void aCutModelIsExportedWithItsUnknownOperator()
    {
        QTemporaryDir folder;
        const auto session = sessionOf(bytesOf(unknownResult));
        const auto timeline = session->finish();
        QVERIFY(timeline);
        const std::string path = folder.filePath(QStringLiteral("out.onnx")).toStdString();
        const auto result = session->exportModel(**timeline, path, {});
        QVERIFY(result);
        QCOMPARE(result->verification.status, VerificationStatus::partial);
        const auto again = Session::open(path);
        QVERIFY(again);
        QVERIFY(nodeNamed((*again)->opened(), "odd"));
        QVERIFY(!nodeNamed((*again)->opened(), "same"));
        // The file against the source: nodes are cut on both sides by the names of what they make.
        const auto comparison = compareFiles(*session, **again, {});
        QVERIFY(comparison);
        QCOMPARE(comparison->status, VerificationStatus::partial);
        QCOMPARE(namesOf(comparison->outputs), std::string("y s"));
    }

    // What a node that is cut reads is an output of the model that is left: it must be right too.
    void whatACutNodeReadsIsCompared()
    {
        std::string other(unknownResult);
        other.replace(other.find("s = Add (m, b)"), 14, "s = Sub (m, b)");
        const auto a = sessionOf(bytesOf(unknownResult));
        const auto b = sessionOf(bytesOf(other));
        const auto comparison = compareFiles(*a, *b, {});
        QVERIFY(comparison);
        QCOMPARE(comparison->status, VerificationStatus::fail);
        QCOMPARE(namesOf(comparison->outputs), std::string("y! s!"));
    }

    void aFolderOfManyInputsTellsHowOftenTheLargestAgree()
    {
        QTemporaryDir folder;
        QVERIFY(writeSamples(folder, "x", {2, 6}));
        const auto session = sessionOf(bytesOf(R"(
            net (float[N, 6] x) => (float[N, 6] y) { i = Identity (x)  y = Softmax (i) })"));
        const auto comparison = comparedOver(*session, folder);
        QVERIFY(comparison);
        QCOMPARE(comparison->status, VerificationStatus::pass);
        QCOMPARE(comparison->samples, 3);
        QCOMPARE(comparison->top1Agreement, 1.0);
        QCOMPARE(comparison->outputs.front().shape, (std::vector<std::int64_t>{2, 6}));
    }

    // The one of them that differs most is gone by: no difference is allowed, and a fold rounds.
    void aFolderOfManyInputsIsBisected()
    {
        QTemporaryDir folder;
        QVERIFY(writeSamples(folder, "x", {1, 4, 5, 5}));
        const auto session = sessionOf(bytesOf(R"(
            net (float[1, 4, 5, 5] x) => (float[1, 4, 5, 5] y)
            <float[4, 4, 1, 1] w = random(1), float[4] s = random(2, 0.5, 2),
             float[4] b = random(3), float[4] m = random(4), float[4] v = random(5, 0.5, 2)>
            {
                i = Identity (x)
                c = Conv (i, w)
                n = BatchNormalization (c, s, b, m, v)
                y = Relu (n)
            })"));
        const auto timeline = session->finish();
        QVERIFY(timeline);
        CompareOptions options;
        options.inputs.sources = {folder.path().toStdString()};
        options.rtol = 0;
        const int last = (*timeline)->size();
        const auto comparison = session->compare(**timeline, 0, last, options);
        QVERIFY(comparison);
        QCOMPARE(comparison->status, VerificationStatus::fail);
        const auto found = session->bisect(**timeline, 0, last, options);
        QVERIFY(found);
        QVERIFY(found->step);
        QCOMPARE((*timeline)->steps[static_cast<std::size_t>(*found->step - 1)]->rule,
                 RuleId("conv-batchnorm"));
        const auto& tested = found->tested;
        QCOMPARE(tested.back().second, comparison->outputs.front().maxAbs);
    }

    // One channel has next to no variance: its scale is large, and so is what rounding moves there.
    void theCauseOfADivergenceIsAValueWithItsChannels()
    {
        const auto session = sessionOf(bytesOf(R"(
            net (float[1, 4, 5, 5] x) => (float[1, 4, 5, 5] y)
            <float[4, 4, 1, 1] w = random(1), float[4] s = {1, 1, 1, 1},
             float[4] b = random(3), float[4] m = random(4), float[4] v = {1, 1, 0.000000001, 1}>
            {
                i = Identity (x)
                [conv] c = Conv (i, w)
                n = BatchNormalization (c, s, b, m, v)
                y = Relu (n)
            })"));
        const auto timeline = session->finish();
        QVERIFY(timeline);
        CompareOptions options;
        options.rtol = 0;
        const auto found = session->bisect(**timeline, 0, (*timeline)->size(), options);
        QVERIFY(found);
        QVERIFY(found->step && found->cause);
        const DivergenceCause& cause = *found->cause;
        const Graph after = (*timeline)->at(*found->step);
        QCOMPARE(after.node(cause.node)->name, std::string("conv"));
        QCOMPARE(cause.tensor.value, after.node(cause.node)->outputs.front());
        QVERIFY(!cause.tensor.pass);
        QCOMPARE(cause.axis, std::size_t{1});
        QCOMPARE(cause.channels.size(), std::size_t{4});
        QCOMPARE(std::ranges::max_element(cause.channels) - cause.channels.begin(), 2);
        QCOMPARE(cause.channels[2], cause.tensor.maxAbs);
        QVERIFY(cause.channels[2] > 10 * cause.channels[0]);
        QCOMPARE(cause.limit, 0.0); // none allowed
        // With the tolerance that is usual nothing diverges, and nothing is the cause.
        const auto none = session->bisect(**timeline, 0, (*timeline)->size(), {});
        QVERIFY(none);
        QVERIFY(!none->step && !none->cause);
    }

    void errorsOfChannelsKnowWhatIsNotFinite()
    {
        const float nan = std::nanf("");
        const float inf = std::numeric_limits<float>::infinity();
        const auto tensor = [](std::vector<float> values) {
            return Tensor::of<float>({1, 3, 2}, values);
        };
        const auto errors = channelErrors(tensor({1, 2, nan, inf, 5, 6}),
                                          tensor({1, 2.5f, nan, inf, nan, 7}), 1);
        QCOMPARE(errors.size(), std::size_t{3});
        QCOMPARE(errors[0], 0.5);
        QCOMPARE(errors[1], 0.0);
        QVERIFY(std::isnan(errors[2]));
        QVERIFY(channelErrors(tensor({1, 2, 3, 4, 5, 6}), Tensor::of<float>({2}, {1, 2}), 0).empty());
    }

    // A row that is NaN on both sides has no largest entry to agree about.
    void rowsOfNaNDoNotAgree()
    {
        QTemporaryDir folder;
        QVERIFY(writeSamples(folder, "x", {2, 6}));
        const auto session = sessionOf(bytesOf(R"(
            net (float[N, 6] x) => (float[N, 6] y) { i = Identity (x)  d = Sub (i, i)  y = Div (d, d) })"));
        const auto comparison = comparedOver(*session, folder);
        QVERIFY(comparison);
        QCOMPARE(comparison->outputs.front().nanBefore, std::int64_t{12});
        QVERIFY(comparison->top1Agreement < 0);
    }

    void aFolderWithoutInputsIsAnError()
    {
        QTemporaryDir folder;
        const auto session = sessionOf(bytesOf("net (float[2] x) => (float[2] y) { y = Neg (x) }"));
        const auto timeline = session->finish();
        QVERIFY(timeline);
        CompareOptions options;
        options.inputs.sources = {folder.path().toStdString()};
        const auto comparison = session->compare(**timeline, 0, 0, options);
        QVERIFY(!comparison);
        QCOMPARE(comparison.error().code, ErrorCode::unreadable);
    }

    // A rewrite gives the node another operand: that one must have the same value, by whatever id.
    void anOperandIsComparedThoughItsIdIsGone()
    {
        constexpr std::string_view text = R"(
            <ir_version: 8, opset_import: ["" : 17, "own" : 1]>
            net (float[2, 3] x) => (float[2, 3] y)
            { r = Relu (x)  [same] i = Identity (r)  [odd] y = own.Odd (i, x) })";
        const Comparison proof = proved(*sessionOf(bytesOf(text)));
        QCOMPARE(proof.status, VerificationStatus::partial);
        QCOMPARE(namesOf(proof.outputs), std::string("y i"));
        std::string other(text);
        other.replace(other.find("r = Relu (x)  [same] i = Identity (r)"), 37, "t = Exp (x)");
        other.replace(other.find("Odd (i"), 6, "Odd (t");
        const auto comparison = compareFiles(*sessionOf(bytesOf(text)), *sessionOf(bytesOf(other)), {});
        QVERIFY(comparison);
        QCOMPARE(comparison->status, VerificationStatus::fail);
        QCOMPARE(namesOf(comparison->outputs), std::string("y i!"));
    }

    void aCutNodeThatIsGoneFails()
    {
        const auto comparison = compareFiles(
            *sessionOf(bytesOf(R"(<ir_version: 8, opset_import: ["" : 17, "own" : 1]>
                net (float[2] x) => (float[2] y) { t = own.Odd (x)  y = Neg (t) })")),
            *sessionOf(bytesOf(R"(<ir_version: 8, opset_import: ["" : 17, "own" : 1]>
                net (float[2] x) => (float[2] y) { t = Exp (x)  y = Neg (t) })")),
            {});
        QVERIFY(comparison);
        QCOMPARE(comparison->status, VerificationStatus::fail);
    }

    void anUnknownNodeThatReadsNothingCannotBeCut()
    {
        const auto session = sessionOf(bytesOf(R"(
            <ir_version: 8, opset_import: ["" : 17, "own" : 1]>
            net (float[2] x) => (float[2] y)
            { [odd] u = own.Odd ()  [relu] r = Relu (u)  y = Add (r, x) })"));
        const Comparison proof = proved(*session);
        QCOMPARE(proof.status, VerificationStatus::notRun);
        QCOMPARE(std::string(proof.why.text.key), std::string("session.no-kernel"));
    }

    void aNodeWhoseResultsNobodyReadsIsLeftOutOnBothSides()
    {
        const Graph graph = graphOf(R"(
            <ir_version: 8, opset_import: ["" : 17, "own" : 1]>
            net (float[2] x) => (float[2] y)
            {
                a = Neg (x)
                [print] p = own.Print (a)
                [check] own.Check (a)
                [odd] u = own.Odd (a)
                y = Add (u, a)
            })");
        const auto cut = ReferenceExecutor::nodesWithoutKernel(graph);
        QCOMPARE(joined(graph, cut), std::string("Print Check Odd"));
        const auto less = withoutUnread(graph, cut);
        QVERIFY(less);
        QCOMPARE(operatorsOf(*less), std::string("Neg Odd Add"));
        QVERIFY(less->check());
        // Nothing to leave out: the same records.
        const auto same = withoutUnread(*less, {nodeNamed(*less, "odd")});
        QVERIFY(same);
        QCOMPARE(operatorsOf(*same), std::string("Neg Odd Add"));
    }

    // A random operator draws by its id; in the file read back the ids are others, since nodes are
    // gone. The proof holds all the same, and the file says what the source says.
    void randomOperatorsAreProvedByTheIdsOfTheSource()
    {
        QTemporaryDir folder;
        const auto session = sessionOf(bytesOf(R"(
            net (float[2, 3] x) => (float[2, 3] y)
            {
                [same] i = Identity (x)
                n = RandomNormal <shape = [2, 3]> ()
                y = Add (i, n)
            })"));
        const auto timeline = session->finish();
        QVERIFY(timeline);
        QCOMPARE((*timeline)->size(), 1);
        const std::string path = folder.filePath(QStringLiteral("out.onnx")).toStdString();
        const auto result = session->exportModel(**timeline, path, {});
        QVERIFY(result);
        QCOMPARE(result->verification.status, VerificationStatus::pass);
        QCOMPARE(result->nodes, std::size_t(2));
        // That it is the ids that matter: compared as two files the draws differ.
        const auto again = Session::open(path);
        QVERIFY(again);
        const auto comparison = compareFiles(*session, **again, {});
        QVERIFY(comparison);
        QCOMPARE(comparison->status, VerificationStatus::fail);
    }

    // Integers choose what a model computes: those of the data set beside the file let it run.
    void aDataSetGivesSizesAndIntegers()
    {
        QTemporaryDir folder;
        const std::string path = written(folder, "model.onnx", bytesOf(R"(
            net (float[?, ?, 3] x, int64[2] to) => (float[?, ?] y)
            { i = Identity (x)  r = Reshape <allowzero = 1> (i, to)  y = Neg (r) })"));
        SessionOptions options;
        options.runInBackground = false;
        const auto bare = Session::open(path, options);
        QVERIFY(bare);
        QCOMPARE(proved(**bare).status, VerificationStatus::notRun);

        QVERIFY(QDir(folder.path()).mkdir(QStringLiteral("test_data_set_0")));
        const std::string set = folder.filePath(QStringLiteral("test_data_set_0/")).toStdString();
        QVERIFY(writeTensorProto(set + "input_0.pb", "x",
                                 randomTensor(DType::float32, {4, 2, 3}, 1)));
        Tensor to = Tensor::allocate(DType::int64, {2});
        to.storeInt(0, 8);
        to.storeInt(1, 3);
        QVERIFY(writeTensorProto(set + "input_1.pb", "to", to));
        const auto session = Session::open(path, options);
        QVERIFY(session);
        const Comparison proof = proved(**session);
        QCOMPARE(proof.status, VerificationStatus::pass);
        QCOMPARE(proof.outputs.front().shape, (std::vector<std::int64_t>{8, 3}));

        const auto timeline = (*session)->finish();
        const auto report = (*session)->run(**timeline, 0, RunExecutor::reference, {});
        QVERIFY(report);
        QCOMPARE(report->outputs.front().second.tensor()->shape(),
                 (std::vector<std::int64_t>{8, 3}));
        // Floats are seeded, not the set's.
        const Tensor* x = report->inputs.back().second.tensor();
        QCOMPARE(x->shape(), (std::vector<std::int64_t>{4, 2, 3}));
        QVERIFY(x->asDouble(0) != randomTensor(DType::float32, {4, 2, 3}, 1).asDouble(0));
        // What somebody gives wins.
        InputSpec given;
        given.shapes["x"] = {2, 4, 3};
        const auto other = (*session)->run(**timeline, 0, RunExecutor::reference, given);
        QVERIFY(other);
        QCOMPARE(other->inputs.back().second.tensor()->shape(),
                 (std::vector<std::int64_t>{2, 4, 3}));
        InputSpec none;
        none.useDataSetBesideModel = false;
        QVERIFY(!(*session)->run(**timeline, 0, RunExecutor::reference, none));
    }
};

FUSESCOPE_TEST(ProofTest, proof_test)
#include "proof_test.moc"

#include "model_text.h"
#include "report/render.h"
#include "support/test_class.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QTemporaryDir>

using namespace fusescope;
using namespace fusescope::test;

namespace {

constexpr std::string_view small = R"(
    <ir_version: 8, opset_import: ["" : 17]>
    net (float[N, 3] x) => (float[N, 4] y)
    <float[3, 4] w = random(1), float[4] b = random(2)>
    {
        i = Identity (x)
        m = MatMul (i, w)
        y = Add (m, b)
    })";

std::string names(const std::vector<TensorComparison>& list)
{
    std::string text;
    for (const TensorComparison& one : list)
        text += (text.empty() ? "" : " ") + one.name + (one.pass ? "" : "!") +
                (one.nameAfter.empty() ? "" : "/" + one.nameAfter);
    return text;
}

} // namespace

// What stands between a result and its place on the disk, and how outputs find each other.
class ExportGateTest : public QObject
{
    Q_OBJECT

    QTemporaryDir m_folder;

    std::string path(const char* name) const
    {
        return m_folder.filePath(QString::fromLatin1(name)).toStdString();
    }

    Result<ExportResult> exported(const char* name, const ExportOptions& options) const
    {
        const auto session = sessionOf(bytesOf(small));
        const auto timeline = session->finish();
        if (!timeline)
            qFatal("the passes failed");
        return session->exportModel(**timeline, path(name), options);
    }

    static Result<Comparison> compared(std::string_view a, std::string_view b)
    {
        return compareFiles(*sessionOf(bytesOf(a)), *sessionOf(bytesOf(b)), {});
    }

private Q_SLOTS:
    void aLinkStaysOneAndItsFileIsWritten()
    {
        QVERIFY(QDir(m_folder.path()).mkpath(QStringLiteral("elsewhere")));
        QFile real(m_folder.filePath(QStringLiteral("elsewhere/real.onnx")));
        QVERIFY(real.open(QIODevice::WriteOnly));
        real.write("old");
        real.close();
        QVERIFY(QFile::link(real.fileName(), QString::fromStdString(path("link.onnx"))));
        ExportOptions options;
        QVERIFY(!exported("link.onnx", options));
        options.overwrite = true;
        const auto result = exported("link.onnx", options);
        QVERIFY(result);
        QVERIFY(QFileInfo(QString::fromStdString(path("link.onnx"))).isSymLink());
        QCOMPARE(QFileInfo(real.fileName()).size(), qint64(result->bytes));
        QVERIFY(Session::open(path("link.onnx")));
        QCOMPARE(QDir(m_folder.filePath(QStringLiteral("elsewhere")))
                     .entryList(QDir::AllEntries | QDir::NoDotAndDotDot | QDir::Hidden),
                 QStringList(QStringLiteral("real.onnx")));
        QVERIFY(QFile::remove(QString::fromStdString(path("link.onnx"))));
        QVERIFY(QDir(m_folder.filePath(QStringLiteral("elsewhere"))).removeRecursively());
    }

    // The data stands in its place already when the model turns out to have none.
    void filesTakeTheirPlaceTogetherOrNotAtAll()
    {
        QFile data(m_folder.filePath(QStringLiteral("taken.onnx.data")));
        QVERIFY(data.open(QIODevice::WriteOnly));
        data.write("of an older export");
        data.close();
        QVERIFY(QDir(m_folder.path()).mkpath(QStringLiteral("taken.onnx/full")));
        ExportOptions options;
        options.overwrite = true;
        options.externalData = ExportOptions::ExternalData::always;
        const auto result = exported("taken.onnx", options);
        QVERIFY(!result);
        QCOMPARE(result.error().code, ErrorCode::notWritten);
        QVERIFY(data.open(QIODevice::ReadOnly));
        QCOMPARE(data.readAll(), QByteArray("of an older export"));
        QCOMPARE(QDir(m_folder.path()).entryList(QDir::AllEntries | QDir::NoDotAndDotDot | QDir::Hidden),
                 QStringList({QStringLiteral("taken.onnx"), QStringLiteral("taken.onnx.data")}));
    }

    void anOlderExportIsReplacedWhenAsked()
    {
        ExportOptions options;
        options.externalData = ExportOptions::ExternalData::always;
        QVERIFY(exported("again.onnx", options));
        QCOMPARE(exported("again.onnx", options).error().code, ErrorCode::notWritten);
        options.overwrite = true;
        const auto result = exported("again.onnx", options);
        QVERIFY(result);
        QCOMPARE(result->verification.status, VerificationStatus::pass);
        QVERIFY(Session::open(path("again.onnx")));
    }

    void theProofRunsAtTheSizesGiven()
    {
        ExportOptions options;
        options.inputs.dims["N"] = 5;
        const auto result = exported("sized.onnx", options);
        QVERIFY(result);
        QCOMPARE(result->verification.status, VerificationStatus::pass);
        for (const auto& output : result->verification.outputs)
            QCOMPARE(output.shape, (std::vector<std::int64_t>{5, 4}));
    }

    void inputsThatCannotBeReadAreAnError()
    {
        ExportOptions options;
        options.inputs.sources = {path("nowhere")};
        QVERIFY(!exported("unread.onnx", options));
        QVERIFY(!QFile::exists(m_folder.filePath(QStringLiteral("unread.onnx"))));
    }

    // ONNX Runtime loads no model in which two nodes have one name.
    void nodesOfAnExportHaveNamesOfTheirOwn()
    {
        const auto session = sessionOf(bytesOf(R"(
            <ir_version: 8, opset_import: ["" : 17]>
            net (float[3, 2] x) => (float[3, 1] y) <int64[1] zero = {0}, int64[1] one = {1}>
            { [left] a = Gather <axis = 1> (x, zero)  [right] b = Gather <axis = 1> (x, one)
              [sum] y = Sub (a, b) })"));
        const auto timeline = session->finish();
        QVERIFY(timeline);
        QVERIFY((*timeline)->size() > 0);
        QVERIFY(session->exportModel(**timeline, path("named.onnx"), {}));
        const auto read = Session::open(path("named.onnx"));
        QVERIFY(read);
        std::set<std::string> found;
        bool split = false;
        for (const NodeId id : (*read)->opened().allNodes()) {
            const Node& node = *(*read)->opened().node(id);
            split = split || node.is("Split");
            if (!node.name.empty())
                QVERIFY2(found.insert(node.name).second, node.name.c_str());
        }
        QVERIFY(split);
    }

    void outputsOfTwoFilesAreMatchedByName()
    {
        const auto swapped = compared("a (float[2] x) => (float[2] p, float[2] q)"
                                      " { p = Exp (x)  q = Neg (x) }",
                                      "b (float[2] x) => (float[2] q, float[2] p)"
                                      " { p = Exp (x)  q = Neg (x) }");
        QVERIFY(swapped);
        QCOMPARE(swapped->status, VerificationStatus::pass);
        QCOMPARE(names(swapped->outputs), std::string("p q"));
    }

    void anOutputOfAnotherNameIsMatchedByItsPlace()
    {
        const auto renamed = compared("a (float[2] x) => (float[2] p) { p = Exp (x) }",
                                      "b (float[2] x) => (float[2] q) { q = Exp (x) }");
        QVERIFY(renamed);
        QCOMPARE(renamed->status, VerificationStatus::pass);
        QCOMPARE(names(renamed->outputs), std::string("p/q"));
    }

    void anOutputMoreOrLessNeverPasses()
    {
        constexpr std::string_view one = "a (float[2] x) => (float[2] p) { p = Exp (x) }";
        constexpr std::string_view two = "b (float[2] x) => (float[2] p, float[2] q)"
                                         " { p = Exp (x)  q = Neg (x) }";
        const auto more = compared(one, two);
        QVERIFY(more);
        QCOMPARE(more->status, VerificationStatus::fail);
        QCOMPARE(names(more->outputs), std::string("p q!"));
        const auto less = compared(two, one);
        QVERIFY(less);
        QCOMPARE(less->status, VerificationStatus::fail);
        QCOMPARE(names(less->outputs), std::string("p q!"));
    }
};

FUSESCOPE_TEST(ExportGateTest, export_gate_test)

#include "export_gate_test.moc"

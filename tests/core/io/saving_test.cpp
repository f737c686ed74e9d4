#include "io/attribute_message.h"
#include "io/document.h"
#include "io/file_writer.h"
#include "io/wire.h"
#include "model/graph_text.h"
#include "report/render.h"
#include "support/test_class.h"

#include <QTemporaryDir>

#include <unistd.h>

using namespace fusescope;

// What a save owes to the file it came from and to those that it replaces; messages that are damaged
// inside.
class SavingTest : public QObject
{
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> m_folder;

    std::string path(const QString& name) const { return m_folder->filePath(name).toStdString(); }

    static std::string read(const std::string& name)
    {
        QFile file(QString::fromStdString(name));
        return file.open(QIODevice::ReadOnly) ? file.readAll().toStdString() : std::string("none");
    }
    static void write(const std::string& name, const std::string& bytes)
    {
        QFile file(QString::fromStdString(name));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(bytes.data(), static_cast<qint64>(bytes.size()));
    }
    QStringList files() const
    {
        return QDir(m_folder->path()).entryList(QDir::Files | QDir::Hidden | QDir::System);
    }

    static AtomicFile fileOf(const std::string& path, std::string_view bytes)
    {
        auto file = AtomicFile::create(path, bytes.size());
        if (!file || !file->write(bytes) || !file->sync())
            QTest::qFail("cannot write", __FILE__, __LINE__);
        return std::move(*file);
    }

    static WireMessage nodeMessage(const char* input, const char* output, const char* type)
    {
        WireMessage node;
        node.bytes(1, input);
        node.bytes(2, output);
        node.bytes(4, type);
        return node;
    }
    static WireMessage named(std::uint32_t field, const char* name)
    {
        WireMessage value;
        value.bytes(field, name);
        return value;
    }
    static WireMessage scaleMessage(const char* name)
    {
        WireMessage tensor;
        tensor.varint(2, 1);
        tensor.bytes(8, name);
        tensor.bytes(9, std::string_view("\0\0\x80\x3f", 4));
        return tensor;
    }
    static WireMessage annotation(const char* tensor, const char* scale)
    {
        WireMessage result = named(1, tensor);
        result.message(2, entryMessage("SCALE_TENSOR", scale));
        return result;
    }

    static std::string damaged(std::uint32_t modelField, std::uint32_t nodeField,
                               std::uint32_t tensorField)
    {
        const std::string_view cut("\x0a\x7f", 2); // a text of 127 bytes, of which none is there
        WireMessage graph;
        WireMessage node = nodeMessage("x", "y", "Neg");
        if (nodeField)
            node.bytes(nodeField, cut);
        graph.message(1, std::move(node));
        WireMessage tensor = scaleMessage("x");
        if (tensorField)
            tensor.bytes(tensorField, cut);
        graph.message(5, std::move(tensor));
        graph.message(12, named(1, "y"));
        WireMessage model;
        model.varint(1, 8);
        model.message(7, std::move(graph));
        model.message(8, opsetMessage({"", 17}));
        if (modelField)
            model.bytes(modelField, cut);
        return model.text();
    }

private Q_SLOTS:
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }

    void aModelAndItsDataAreReplacedTogether()
    {
        write(path("data"), "old data");
        write(path("model"), "old model");
        AtomicFile data = fileOf(path("data"), "new data");
        AtomicFile model = fileOf(path("model"), "new model");
        QVERIFY(AtomicFile::renameBoth(data, model));
        QCOMPARE(read(path("data")), std::string("new data"));
        QCOMPARE(read(path("model")), std::string("new model"));
        QCOMPARE(files(), (QStringList{"data", "model"}));
    }

    void dataComesBackWhenTheModelCannotFollow_data()
    {
        QTest::addColumn<bool>("stood");
        QTest::newRow("data stood there") << true;
        QTest::newRow("none stood there") << false;
    }
    void dataComesBackWhenTheModelCannotFollow()
    {
        QFETCH(bool, stood);
        if (stood)
            write(path("data"), "old data");
        {
            AtomicFile data = fileOf(path("data"), "new data");
            AtomicFile model = fileOf(path("model"), "new model");
            QVERIFY(QDir(m_folder->path()).mkdir("model")); // no file can take its place
            const auto done = AtomicFile::renameBoth(data, model);
            QVERIFY(!done);
            QVERIFY(done.error().code == ErrorCode::notWritten);
        }
        QCOMPARE(read(path("data")), std::string(stood ? "old data" : "none"));
        QCOMPARE(files(), stood ? QStringList{"data"} : QStringList());
    }

    // An annotation goes with the tensors that it names, and only with them.
    void annotationsGoWithTheirTensors()
    {
        WireMessage graph;
        graph.message(1, nodeMessage("x", "a", "Relu"));
        graph.message(1, nodeMessage("a", "y", "Neg"));
        graph.bytes(2, "g");
        graph.message(5, scaleMessage("s"));
        graph.message(5, scaleMessage("t"));
        graph.message(11, named(1, "x"));
        graph.message(12, named(1, "y"));
        graph.message(14, annotation("a", "s"));
        graph.message(14, annotation("y", "t"));
        WireMessage model;
        model.varint(1, 8);
        model.message(7, std::move(graph));
        model.message(8, opsetMessage({"", 17}));
        const auto document = Document::parse(model.text(), "model");
        QVERIFY(document.has_value());
        Graph edited = (*document)->graph();
        const BodyId main = edited.mainBody();
        auto body = std::make_shared<Body>(*edited.body(main));
        const auto nodes = edited.nodes(main);
        const std::map<ValueId, std::vector<ValueId>> named = {
            {body->initializers[0], {edited.node((*nodes)[0])->output(0)}},
            {body->initializers[1], {edited.node((*nodes)[1])->output(0)}}};
        QVERIFY((*document)->annotated() == named);
        const ValueId gone = body->initializers.front();
        body->initializers.erase(gone);
        GraphPatch patch;
        patch.bodies.push_back({main, edited.bodyPtr(main), body});
        patch.values.push_back({gone, edited.valuePtr(gone), nullptr});
        QVERIFY(edited.apply(patch));
        const auto bytes = (*document)->serialize(edited);
        QVERIFY(bytes.has_value());
        const std::string kept = annotation("y", "t").text();
        const std::string lost = annotation("a", "s").text();
        QVERIFY(model.text().find(lost) != std::string::npos);
        QVERIFY(bytes->find(kept) != std::string::npos);
        QVERIFY(bytes->find(lost) == std::string::npos);
    }

    void damageInsideAnEntryIsAnError_data()
    {
        QTest::addColumn<int>("model");
        QTest::addColumn<int>("node");
        QTest::addColumn<int>("tensor");
        QTest::newRow("opset_import") << 8 << 0 << 0;
        QTest::newRow("metadata_props") << 14 << 0 << 0;
        QTest::newRow("metadata of a node") << 0 << 9 << 0;
        QTest::newRow("external_data") << 0 << 0 << 13;
    }
    void damageInsideAnEntryIsAnError()
    {
        QFETCH(int, model);
        QFETCH(int, node);
        QFETCH(int, tensor);
        QVERIFY(Document::parse(damaged(0, 0, 0), "sound").has_value());
        const auto document =
            Document::parse(damaged(static_cast<std::uint32_t>(model), static_cast<std::uint32_t>(node),
                                    static_cast<std::uint32_t>(tensor)),
                            "damaged");
        QVERIFY(!document.has_value());
        QCOMPARE(std::string(document.error().message.text.key), std::string("io.malformed"));
    }

    // A small model is read when it is opened: what becomes of its file is no matter then.
    void aFileThatIsCutAfterwardsIsNoMatter()
    {
        write(path("m.onnx"), damaged(0, 0, 0));
        const auto document = Document::open(path("m.onnx"));
        QVERIFY(document.has_value());
        QCOMPARE(::truncate(path("m.onnx").c_str(), 0), 0);
        const Graph& graph = (*document)->graph();
        const Value& x = *graph.value(graph.body(graph.mainBody())->initializers.front());
        QCOMPARE(x.constant->asDouble(0), 1.0);
    }
};

FUSESCOPE_TEST(SavingTest, saving_test)
#include "saving_test.moc"

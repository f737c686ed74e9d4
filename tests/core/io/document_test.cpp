#include "io/attribute_message.h"
#include "io/document.h"
#include "io/tensor_message.h"
#include "io/wire.h"
#include "model/graph_text.h"
#include "report/render.h"
#include "support/same_graph.h"
#include "support/test_class.h"

#include <QTemporaryDir>

#include <sys/stat.h>
#include <unistd.h>

using namespace fusescope;
using External = Document::SaveOptions::ExternalData;

namespace {

std::string errorOf(const Error& error)
{
    return render(error.message, nullptr);
}

// The bytes of a model written as text: an empty model to which the graph is new.
std::string modelBytes(std::string_view text)
{
    const auto graph = parseGraph(text);
    if (!graph)
        QTest::qFail(errorOf(graph.error()).c_str(), __FILE__, __LINE__);
    WireMessage empty;
    empty.message(7, WireMessage());
    const auto document = Document::parse(empty.text(), "empty");
    const auto bytes = (*document)->serialize(*graph);
    if (!bytes)
        QTest::qFail(errorOf(bytes.error()).c_str(), __FILE__, __LINE__);
    return bytes.value_or("");
}

constexpr std::string_view small = R"(
    <ir_version: 8, opset_import: ["" : 17]>
    main (float[N, 3] x) => (float[N, 4] y) <float[3, 4] w = random(3), float[4] b = {1, 2, 3, 4}>
    { p = MatMul (x, w)  y = Add (p, b) })";

// A graph in which the node made last is another operator.
Graph edited(const Graph& graph)
{
    GraphPatch patch;
    const NodeId id = graph.allNodes().back();
    auto node = std::make_shared<Node>(*graph.node(id));
    node->op.type = "Sub";
    patch.nodes.push_back({id, graph.nodePtr(id), node});
    Graph result = graph;
    if (!result.apply(patch))
        QTest::qFail("the edit does not apply", __FILE__, __LINE__);
    return result;
}

} // namespace

class DocumentTest : public QObject
{
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> m_folder;

    std::string path(const QString& name) const { return m_folder->filePath(name).toStdString(); }

    std::string write(const QString& name, const std::string& bytes) const
    {
        QFile file(m_folder->filePath(name));
        if (!file.open(QIODevice::WriteOnly))
            QTest::qFail("cannot write", __FILE__, __LINE__);
        file.write(bytes.data(), static_cast<qint64>(bytes.size()));
        return path(name);
    }

    std::string read(const std::string& name) const
    {
        QFile file(QString::fromStdString(name));
        return file.open(QIODevice::ReadOnly) ? file.readAll().toStdString() : "";
    }

    int fileCount() const
    {
        return static_cast<int>(
            QDir(m_folder->path()).entryList(QDir::Files | QDir::Hidden | QDir::System).size());
    }

    // A model with one external initializer `w` of four floats.
    std::string externalModel(const std::string& location, const std::string& offset,
                              const std::string& length) const
    {
        WireMessage tensor;
        tensor.varint(1, 4);
        tensor.varint(2, 1);
        tensor.bytes(8, "w");
        for (const auto& [key, value] :
             {std::pair("location", location), {"offset", offset}, {"length", length}}) {
            if (!value.empty())
                tensor.message(13, entryMessage(key, value));
        }
        tensor.varint(14, 1);
        WireMessage node;
        node.bytes(1, "w");
        node.bytes(2, "y");
        node.bytes(4, "Neg");
        WireMessage output;
        output.bytes(1, "y");
        WireMessage graph;
        graph.message(1, std::move(node));
        graph.bytes(2, "g");
        graph.message(5, std::move(tensor));
        graph.message(12, std::move(output));
        WireMessage model;
        model.varint(1, 8);
        model.message(7, std::move(graph));
        model.message(8, opsetMessage({"", 17}));
        return model.text();
    }

private Q_SLOTS:
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }

    void roundTripOfAText()
    {
        const auto graph = parseGraph(small);
        const auto document = Document::parse(modelBytes(small), "small");
        QVERIFY2(document.has_value(), document ? "" : errorOf(document.error()).c_str());
        QCOMPARE(support::differenceOf(*graph, (*document)->graph()), std::string());
        QVERIFY((*document)->problems().empty());
    }

    void aFileThatIsCutOffSaysHowMuchIsMissing()
    {
        std::string bytes = modelBytes(small);
        const std::size_t size = bytes.size();
        bytes.resize(size - 7);
        const auto document = Document::parse(bytes, "cut");
        QVERIFY(!document);
        QVERIFY2(errorOf(document.error()).find("ends after " + std::to_string(size - 7) +
                                                " bytes") != std::string::npos,
                 errorOf(document.error()).c_str());
    }

    void weightsStayInTheFile()
    {
        const auto document = Document::open(write("m.onnx", modelBytes(small)));
        const Graph& graph = (*document)->graph();
        const Value& w = *graph.value(graph.body(graph.mainBody())->initializers[0]);
        QVERIFY(w.constant->isMapped());
    }

    void unchangedRecordsKeepTheirBytes()
    {
        // A node with fields that this program does not know, in an order of its own.
        WireMessage node;
        node.bytes(99, "unknown");
        node.bytes(4, "Neg");
        node.bytes(2, "y");
        node.bytes(1, "x");
        node.message(10, WireMessage());
        const std::string odd = node.text();
        WireMessage second;
        second.bytes(1, "y");
        second.bytes(2, "z");
        second.bytes(4, "Abs");
        second.bytes(98, "kept too");
        WireMessage input, output, graph, model;
        input.bytes(1, "x");
        output.bytes(1, "z");
        graph.bytes(97, "graph");
        graph.message(12, std::move(output));
        graph.message(1, std::move(node));
        graph.message(1, std::move(second));
        graph.message(11, std::move(input));
        model.message(8, opsetMessage({"", 17}));
        model.message(7, std::move(graph));
        model.varint(1, 8);
        model.bytes(1000, "model");
        const std::string bytes = model.text();
        const auto document = Document::parse(bytes, "odd");
        QVERIFY(document.has_value());
        QCOMPARE(*(*document)->serialize((*document)->graph()), bytes);
        const auto changed = (*document)->serialize(edited((*document)->graph()));
        QVERIFY(changed.has_value());
        for (const std::string& part : {odd, std::string("graph"), std::string("kept too"),
                                        std::string("model"), std::string("Sub")})
            QVERIFY2(changed->find(part) != std::string::npos, part.c_str());
        QVERIFY(changed->find("Abs") == std::string::npos);
    }

    void newerFieldsAreRead()
    {
        WireMessage node, graph, model, input, function;
        node.bytes(1, "x");
        node.bytes(2, "x2");
        node.bytes(4, "F");
        node.bytes(7, "f");
        node.bytes(8, "over");
        node.message(9, entryMessage("k", "v"));
        input.bytes(1, "x");
        graph.message(1, std::move(node));
        graph.message(11, std::move(input));
        graph.message(16, entryMessage("graph", "meta"));
        WireMessage attribute;
        attribute.bytes(1, "alpha");
        attribute.fixed32(2, 0x3f800000);
        attribute.varint(20, 1);
        function.bytes(1, "F");
        function.bytes(4, "a");
        function.bytes(10, "f");
        function.bytes(13, "over");
        function.message(11, std::move(attribute));
        function.message(14, entryMessage("fk", "fv"));
        model.varint(1, 14);
        model.message(7, std::move(graph));
        model.message(8, opsetMessage({"f", 1}));
        model.message(25, std::move(function));
        const auto document = Document::parse(model.text(), "new");
        QVERIFY2(document.has_value(), document ? "" : errorOf(document.error()).c_str());
        const Graph& g = (*document)->graph();
        const Node& n = *g.node(NodeId{1});
        QCOMPARE(n.op.overload, std::string("over"));
        QCOMPARE(n.metadata[0].second, std::string("v"));
        QCOMPARE(g.body(g.mainBody())->metadata[0].first, std::string("graph"));
        const BodyId called = g.functionOf(n.op);
        QVERIFY(called);
        QCOMPARE(g.body(called)->function->defaults.getFloat("alpha", 0), 1.0F);
        QCOMPARE(g.body(called)->function->metadata[0].second, std::string("fv"));
    }

    void savesAtomicallyAndNeverOverTheSource()
    {
        const std::string source = write("m.onnx", modelBytes(small));
        const std::string before = read(source);
        const auto document = Document::open(source);
        const Graph& graph = (*document)->graph();
        ::link(source.c_str(), path("hard.onnx").c_str());
        ::symlink(source.c_str(), path("soft.onnx").c_str());
        QDir(m_folder->path()).mkdir("sub");
        ::symlink(m_folder->path().toStdString().c_str(), path("sub/loop").c_str());
        for (const char* name : {"m.onnx", "hard.onnx", "soft.onnx", "sub/../m.onnx", "sub/loop/m.onnx"}) {
            Document::SaveOptions options;
            options.overwrite = true;
            const auto saved = (*document)->save(edited(graph), path(name), options);
            QVERIFY2(!saved, name);
            QVERIFY(saved.error().code == ErrorCode::notWritten);
            QVERIFY(errorOf(saved.error()).find("never written") != std::string::npos);
        }
        QCOMPARE(read(source), before);
        const int files = fileCount();
        const auto saved = (*document)->save(edited(graph), path("out.onnx"), {});
        QVERIFY2(saved.has_value(), saved ? "" : errorOf(saved.error()).c_str());
        QCOMPARE(saved->bytes, static_cast<std::int64_t>(read(path("out.onnx")).size()));
        QCOMPARE(fileCount(), files + 1);
        QVERIFY(!(*document)->save(graph, path("out.onnx"), {})); // exists
        Document::SaveOptions over;
        over.overwrite = true;
        QVERIFY((*document)->save(graph, path("out.onnx"), over).has_value());
        QCOMPARE(read(path("out.onnx")), before);
        QVERIFY(!(*document)->save(graph, path("no/such/folder.onnx"), {}));
        QVERIFY(!(*document)->save(graph, path("sub"), over));
        QVERIFY(!(*document)->save(graph, "/proc/x.onnx", {}));
        std::stop_source stop;
        stop.request_stop();
        const auto stopped = (*document)->save(graph, path("stopped.onnx"), {}, stop.get_token());
        QVERIFY(!stopped && stopped.error().code == ErrorCode::cancelled);
        QCOMPARE(fileCount(), files + 1);
    }

    void sourceThatWasReplacedIsStillTheSource()
    {
        const std::string source = write("m.onnx", modelBytes(small));
        const auto document = Document::open(source);
        QVERIFY(QFile::remove(QString::fromStdString(source)));
        QVERIFY(!(*document)->save((*document)->graph(), source, {}));
    }

    void oddNames()
    {
        for (const char* name : {"\xE6\xA8\xA1\xE5\x9E\x8B \xE4\xB8\x80.onnx", "with space.onnx",
                                 "back\\slash.onnx", "\xFF\xFE.onnx"}) {
            const std::string file = m_folder->path().toStdString() + "/" + name;
            const auto document = Document::parse(modelBytes(small), "m");
            const auto saved = (*document)->save((*document)->graph(), file, {});
            QVERIFY2(saved.has_value(), name);
            QVERIFY2(Document::open(file).has_value(), name);
            ::unlink(file.c_str()); // Qt cannot name the last one
        }
    }

    void externalDataIsReadAndTakenIn()
    {
        const std::vector<float> values = {1, 2, 3, 4};
        const std::string raw(reinterpret_cast<const char*>(values.data()), 16);
        write("w.bin", "12345678" + raw);
        const auto document = Document::open(write("m.onnx", externalModel("w.bin", "8", "16")));
        QVERIFY2(document.has_value(), document ? "" : errorOf(document.error()).c_str());
        const Graph& graph = (*document)->graph();
        const Tensor& w = *graph.value(graph.body(graph.mainBody())->initializers[0])->constant;
        QCOMPARE(w.asDouble(3), 4.0);
        QCOMPARE((*document)->externalFiles(), std::vector<std::string>{"w.bin"});
        QVERIFY((*document)->problems().empty());
        // Never over the weights either.
        Document::SaveOptions over;
        over.overwrite = true;
        QVERIFY(!(*document)->save(graph, path("w.bin"), over));
        const auto saved = (*document)->save(graph, path("out.onnx"), {});
        QVERIFY(saved.has_value() && saved->externalFiles.empty());
        QVERIFY(QFile::remove(m_folder->filePath("w.bin")));
        const auto again = Document::open(path("out.onnx"));
        QCOMPARE((*again)->graph().value(ValueId{1})->constant->asDouble(2), 3.0);
    }

    void externalDataIsWritten()
    {
        const auto graph = parseGraph(R"(g (float[1000] x) => (float[1000] y)
            <float[1000] a = random(1), float[1000] f = fill(3), float[2] tiny = {1, 2}>
            { p = Add (x, a)  q = Add (p, f)  y = Identity (q) })");
        WireMessage empty;
        empty.message(7, WireMessage());
        const auto document = Document::parse(empty.text(), "empty");
        Document::SaveOptions options;
        options.externalData = External::always;
        const auto saved = (*document)->save(*graph, path("big.onnx"), options);
        QVERIFY2(saved.has_value(), saved ? "" : errorOf(saved.error()).c_str());
        QCOMPARE(saved->externalFiles, std::vector<std::string>{"big.onnx.data"});
        const auto again = Document::open(path("big.onnx"));
        QVERIFY2(again.has_value(), again ? "" : errorOf(again.error()).c_str());
        QCOMPARE(support::differenceOf(*graph, (*again)->graph()), std::string());
        QCOMPARE((*again)->fileBytes(), saved->bytes);
        // From external to external in another folder, and the old data is not written over.
        QDir(m_folder->path()).mkdir("other");
        const auto copy = (*again)->save((*again)->graph(), path("other/big.onnx"), options);
        QVERIFY2(copy.has_value(), copy ? "" : errorOf(copy.error()).c_str());
        const auto third = Document::open(path("other/big.onnx"));
        QCOMPARE(support::differenceOf(*graph, (*third)->graph()), std::string());
    }

    void externalDataStaysInTheFolder_data()
    {
        QTest::addColumn<QString>("location");
        QTest::addColumn<QString>("offset");
        QTest::addColumn<QString>("length");
        QTest::addColumn<QString>("says");
        QTest::newRow("absolute") << "/etc/passwd" << "" << "" << "outside the model's folder";
        QTest::newRow("parent") << "../secret" << "" << "" << "outside the model's folder";
        QTest::newRow("inner parent") << "a/../../secret" << "" << "" << "outside the model's folder";
        QTest::newRow("backslash parent") << "..\\secret" << "" << "" << "outside the model's folder";
        QTest::newRow("link") << "link" << "" << "" << "outside the model's folder";
        QTest::newRow("link in path") << "linked/passwd" << "" << "" << "outside the model's folder";
        QTest::newRow("missing") << "gone.bin" << "" << "" << "cannot be opened";
        QTest::newRow("empty") << "" << "" << "" << "outside the model's folder";
        QTest::newRow("folder") << "linked" << "" << "" << "cannot be opened";
        QTest::newRow("pipe") << "pipe" << "" << "" << "not a regular file";
        QTest::newRow("beyond the end") << "w.bin" << "10" << "16" << "needs 16 bytes from byte 10";
        QTest::newRow("overflow") << "w.bin" << "9223372036854775800" << "16"
                                   << "from byte 9223372036854775800";
        QTest::newRow("huge offset") << "w.bin" << "18446744073709551615" << "16" << "not a number";
        QTest::newRow("negative") << "w.bin" << "-1" << "16" << "not a number";
        QTest::newRow("wrong length") << "w.bin" << "0" << "17" << "needs 16 bytes, but 17";
    }

    void externalDataStaysInTheFolder()
    {
        QFETCH(QString, location);
        QFETCH(QString, offset);
        QFETCH(QString, length);
        QFETCH(QString, says);
        write("secret", std::string(64, 's'));
        QDir(m_folder->path()).mkdir("inside");
        write("inside/w.bin", std::string(16, 'w'));
        ::symlink("../secret", path("inside/link").c_str());
        ::symlink("/etc", path("inside/linked").c_str());
        ::mkfifo(path("inside/pipe").c_str(), 0600);
        const auto document = Document::open(
            write("inside/m.onnx", externalModel(location.toStdString(), offset.toStdString(),
                                                 length.toStdString())));
        QVERIFY2(document.has_value(), document ? "" : errorOf(document.error()).c_str());
        const Tensor& w = *(*document)->graph().value(ValueId{1})->constant;
        QVERIFY(!w.isAvailable());
        const std::string why = render(w.whyUnavailable(), nullptr);
        QVERIFY2(QString::fromStdString(why).contains(says), why.c_str());
        QVERIFY(!(*document)->problems().empty());
        // The graph can be saved; the reference stays as it is.
        const auto saved = (*document)->serialize(edited((*document)->graph()));
        QVERIFY(saved.has_value());
        QVERIFY(saved->find(location.toStdString()) != std::string::npos);
    }

    void noRoomAndNoRight()
    {
        const auto document = Document::parse(modelBytes(small), "m");
        if (::geteuid() != 0) {
            QDir(m_folder->path()).mkdir("locked");
            ::chmod(path("locked").c_str(), 0500);
            const auto saved = (*document)->save((*document)->graph(), path("locked/x.onnx"), {});
            QVERIFY(!saved && saved.error().code == ErrorCode::notWritten);
        }
        // Every write to /dev/full fails for want of room; it is no regular file and is refused.
        Document::SaveOptions over;
        over.overwrite = true;
        QVERIFY(!(*document)->save((*document)->graph(), "/dev/full", over));
    }

    void oldIrListsNewInitializersAmongTheInputs()
    {
        const auto document = Document::parse(
            modelBytes("<ir_version: 3, opset_import: [\"\" : 7]>"
                       "g (float[2] x, float[2] w = {1, 2}) => (float[2] y) { y = Add (x, w) }"),
            "old");
        Graph graph = (*document)->graph();
        GraphPatch patch;
        auto body = std::make_shared<Body>(*graph.body(graph.mainBody()));
        auto value = std::make_shared<Value>();
        value->name = "made";
        value->body = graph.mainBody();
        value->type = Type::tensor(DType::float32, Shape::of({2}));
        value->constant = std::make_shared<const Tensor>(Tensor::of<float>({2}, std::vector<float>{5, 6}));
        const ValueId added{graph.valueLimit()};
        const ValueId w = body->initializers[0];
        body->initializers = {added};
        std::erase(body->inputs, w);
        auto node = std::make_shared<Node>(*graph.node(NodeId{1}));
        node->inputs[1] = added;
        patch.nodes.push_back({NodeId{1}, graph.nodePtr(NodeId{1}), node});
        patch.values.push_back({added, nullptr, value});
        patch.values.push_back({w, graph.valuePtr(w), nullptr});
        patch.bodies.push_back({graph.mainBody(), graph.bodyPtr(graph.mainBody()), body});
        const auto applied = graph.apply(patch);
        QVERIFY2(applied.has_value(), applied ? "" : errorOf(applied.error()).c_str());
        const auto again = Document::parse(*(*document)->serialize(graph), "new");
        const Graph& g = (*again)->graph();
        const Body& main = *g.body(g.mainBody());
        QCOMPARE(main.inputs.size(), std::size_t{2});
        QCOMPARE(g.value(main.inputs[1])->name, std::string("made"));
        QVERIFY(g.value(main.inputs[1])->isInitializer());
        QCOMPARE(g.header().irVersion, std::int64_t{3});
    }

    void regionsAreNotWritten()
    {
        const auto graph = parseGraph(
            "g (x) => (y) { y = fusescope.R <kind = \"k\", body = (a) => (r) { r = Neg (a) }> (x) }");
        WireMessage empty;
        empty.message(7, WireMessage());
        QVERIFY(!(*Document::parse(empty.text(), "e"))->serialize(*graph));
    }

    void contentHashLeavesOutWeights()
    {
        const auto hashOf = [](std::string_view text) {
            return (*Document::parse(modelBytes(text), "m"))->contentHash();
        };
        const auto model = [](int seed, const char* op) {
            return "g (float[64] x) => (float[64] y) <float[64] w = random(" + std::to_string(seed) +
                   ")> { y = " + op + " (x, w) }";
        };
        QCOMPARE(hashOf(model(1, "Add")), hashOf(model(2, "Add")));
        QVERIFY(hashOf(model(1, "Add")) != hashOf(model(1, "Sub")));
    }
};

FUSESCOPE_TEST(DocumentTest, document_test)
#include "document_test.moc"

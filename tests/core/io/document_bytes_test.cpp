#include "io/document.h"
#include "io/tensor_message.h"
#include "io/wire.h"
#include "model/graph_text.h"
#include "report/render.h"
#include "support/same_graph.h"
#include "support/test_class.h"

#include <QTemporaryDir>

using namespace fusescope;

namespace {

std::string errorOf(const Error& error)
{
    return render(error.message, nullptr);
}

} // namespace

// Bytes that no exporter writes, and the many ways in which a tensor's numbers may be spelled.
class DocumentBytesTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void hostileFiles_data()
    {
        QTest::addColumn<QByteArray>("bytes");
        const auto row = [](const char* name, const std::string& bytes) {
            QTest::newRow(name) << QByteArray(bytes.data(), static_cast<int>(bytes.size()));
        };
        row("empty", "");
        row("text", "<html>no model</html>");
        row("lying length", "\x3A\xFF\xFF\xFF\xFF\x0F");
        row("endless varint", std::string(20, '\xFF'));
        row("field zero", std::string("\x00\x01", 2));
        row("open groups", std::string(100000, '\x0B'));
        std::string deep;
        for (int i = 0; i < 3000; ++i) {
            WireMessage graph, attribute, node;
            graph.kept(deep);
            attribute.bytes(1, "b");
            attribute.varint(20, 5);
            attribute.message(6, std::move(graph));
            node.bytes(4, "If");
            node.message(5, std::move(attribute));
            WireMessage outer;
            outer.message(1, std::move(node));
            deep = outer.text();
        }
        WireMessage model;
        model.bytes(7, deep);
        row("deep graphs", model.text());
        std::string type;
        for (int i = 0; i < 3000; ++i) {
            WireMessage element, sequence;
            element.bytes(1, type);
            sequence.message(4, std::move(element));
            type = sequence.text();
        }
        WireMessage info, graph, typed;
        info.bytes(1, "x");
        info.bytes(2, type);
        graph.message(11, std::move(info));
        typed.message(7, std::move(graph));
        row("deep types", typed.text());
    }

    void hostileFiles()
    {
        QFETCH(QByteArray, bytes);
        const auto document = Document::parse(bytes.toStdString(), "bad.onnx");
        QVERIFY(!document);
        QCOMPARE(document.error().file, std::string("bad.onnx"));
        QVERIFY(!errorOf(document.error()).empty());
    }

    void hostileTensors_data()
    {
        QTest::addColumn<QList<qint64>>("dims");
        QTest::addColumn<int>("type");
        QTest::addColumn<QString>("says");
        const qint64 large = std::numeric_limits<qint64>::max();
        QTest::newRow("huge") << QList<qint64>{large, large} << 1 << "impossible size";
        QTest::newRow("too many bytes") << QList<qint64>{large} << 11 << "impossible size";
        QTest::newRow("negative") << QList<qint64>{-1} << 1 << "negative or impossible";
        QTest::newRow("large") << QList<qint64>{1000000000000} << 1 << "needs 4000000000000 bytes";
        QTest::newRow("unknown type") << QList<qint64>{1} << 77 << "unknown element type 77";
        QTest::newRow("string") << QList<qint64>{1000000000000} << 8 << "has no contents";
    }

    void hostileTensors()
    {
        QFETCH(QList<qint64>, dims);
        QFETCH(int, type);
        QFETCH(QString, says);
        WireMessage tensor, graph, model;
        for (const qint64 dim : dims)
            tensor.varint(1, static_cast<std::uint64_t>(dim));
        tensor.varint(2, static_cast<std::uint64_t>(type));
        tensor.bytes(8, "w");
        tensor.bytes(9, "abc");
        graph.message(5, std::move(tensor));
        model.message(7, std::move(graph));
        const auto document = Document::parse(model.text(), "m");
        QVERIFY(document.has_value());
        const Tensor& w = *(*document)->graph().value(ValueId{1})->constant;
        QVERIFY(!w.isAvailable());
        const std::string why = render(w.whyUnavailable(), nullptr);
        QVERIFY2(QString::fromStdString(why).contains(says), why.c_str());
        QCOMPARE(*(*document)->serialize((*document)->graph()), model.text());
    }

    void typedAndPackedData()
    {
        const auto tensorOf = [](int type, std::vector<std::int64_t> dims, auto fill) {
            WireMessage message;
            for (const auto d : dims)
                message.varint(1, static_cast<std::uint64_t>(d));
            message.varint(2, static_cast<std::uint64_t>(type));
            fill(message);
            return readTensorMessage(message.text(), {})->tensor;
        };
        const std::string floats("\0\0\x80\x3F\0\0\0\x40", 8);
        // The text of the message is gone when it is read: only copies may be looked at.
        const auto unpacked = tensorOf(1, {2}, [](WireMessage& m) {
            m.fixed32(4, 0x3F800000);
            m.fixed32(4, 0x40000000);
        });
        QCOMPARE(unpacked->asDouble(1), 2.0);
        const auto ints = tensorOf(7, {3}, [](WireMessage& m) {
            m.varint(7, static_cast<std::uint64_t>(-5));
            m.bytes(7, std::string("\x07\x80\x01", 3));
        });
        const std::vector<std::int64_t> expected = {-5, 7, 128};
        QCOMPARE(ints->asInts(), expected);
        const auto halves = tensorOf(10, {2}, [](WireMessage& m) {
            m.varint(5, 0x3C00);
            m.varint(5, 0xC000);
        });
        QCOMPARE(halves->asDouble(1), -2.0);
        const auto nibbles = tensorOf(22, {3}, [](WireMessage& m) {
            m.varint(5, 0x8F);
            m.varint(5, 0x07);
        });
        const std::vector<std::int64_t> four = {-1, -8, 7};
        QCOMPARE(nibbles->asInts(), four);
        const auto bools = tensorOf(9, {2}, [](WireMessage& m) {
            m.varint(5, 1);
            m.varint(5, 0);
        });
        QCOMPARE(bools->asInt(0), std::int64_t{1});
        const auto wrong = tensorOf(6, {3}, [](WireMessage& m) { m.varint(5, 1); });
        QVERIFY(!wrong->isAvailable());
        WireMessage packed;
        packed.varint(1, 2);
        packed.varint(2, 1);
        packed.bytes(4, floats);
        const std::string bytes = packed.text();
        const auto mapped = readTensorMessage(bytes, {});
        QVERIFY(mapped->tensor->isMapped());
        QCOMPARE(mapped->tensor->asDouble(1), 2.0);
    }

    void largeSplatsAreWrittenOut()
    {
        const auto graph = parseGraph(
            "g (float[3000000] x) => (y) <float[3000000] w = fill(2.5)> { y = Add (x, w) }");
        WireMessage empty;
        empty.message(7, WireMessage());
        const auto document = Document::parse(empty.text(), "e");
        QTemporaryDir folder;
        const std::string path = folder.filePath("s.onnx").toStdString();
        QVERIFY((*document)->save(*graph, path, {}).has_value());
        const auto again = Document::open(path);
        const Graph& g = (*again)->graph();
        const Tensor& w = *g.value(g.body(g.mainBody())->initializers[0])->constant;
        QCOMPARE(w.elementCount(), std::int64_t{3000000});
        QCOMPARE(w.asDouble(2999999), 2.5);
    }
};

FUSESCOPE_TEST(DocumentBytesTest, document_bytes_test)
#include "document_bytes_test.moc"

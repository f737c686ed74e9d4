// needs: models
#include "io/document.h"
#include "report/render.h"
#include "support/same_graph.h"
#include "support/test_class.h"

#include <QDirIterator>
#include <QTemporaryDir>

#include <fstream>

#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>
#include <onnx/onnx_pb.h>

using namespace fusescope;

namespace {

QStringList modelsUnder(const char* folder)
{
    QStringList result;
    QDirIterator it(QStringLiteral(FUSESCOPE_MODELS "/") + QLatin1String(folder),
                    {QStringLiteral("*.onnx")}, QDir::Files, QDirIterator::Subdirectories);
    while (it.hasNext())
        result << it.next();
    result.sort();
    return result;
}

std::string contentsOf(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll().toStdString() : std::string();
}

std::string deterministic(const onnx::ModelProto& model)
{
    std::string text;
    google::protobuf::io::StringOutputStream stream(&text);
    google::protobuf::io::CodedOutputStream coded(&stream);
    coded.SetSerializationDeterministic(true);
    model.SerializeToCodedStream(&coded);
    coded.Trim();
    return text;
}

// The bytes of the file as ONNX's own library sees them, contents of other files taken in.
std::string normalized(const std::string& bytes, const Graph& graph)
{
    onnx::ModelProto model;
    if (!model.ParseFromString(bytes))
        return "unparsed";
    const Body& main = *graph.body(graph.mainBody());
    for (int i = 0; i < model.graph().initializer_size(); ++i) {
        auto& tensor = *model.mutable_graph()->mutable_initializer(i);
        const Value& value = *graph.value(main.initializers[static_cast<std::size_t>(i)]);
        if (tensor.data_location() != onnx::TensorProto::EXTERNAL || !value.constant ||
            !value.constant->isAvailable())
            continue;
        tensor.clear_external_data();
        tensor.clear_data_location();
        tensor.set_raw_data(value.constant->data(),
                            static_cast<std::size_t>(value.constant->byteSize()));
    }
    return deterministic(model);
}

// The same graph in records of its own, so that every one counts as changed.
Graph rebuilt(const Graph& graph)
{
    GraphPatch patch;
    for (const NodeId id : graph.allNodes())
        patch.nodes.push_back({id, graph.nodePtr(id), std::make_shared<const Node>(*graph.node(id))});
    for (const BodyId id : graph.bodies())
        patch.bodies.push_back({id, graph.bodyPtr(id), std::make_shared<const Body>(*graph.body(id))});
    auto header = std::make_shared<Header>(graph.header());
    header->docString += "x";
    patch.header = {graph.headerPtr(), header};
    Graph result = graph;
    const auto applied = result.apply(patch);
    return applied ? result : Graph();
}

std::string withAddedDoc(const std::string& bytes)
{
    onnx::ModelProto model;
    if (!model.ParseFromString(bytes))
        return "unparsed";
    model.set_doc_string(model.doc_string() + "x");
    return deterministic(model);
}

std::string errorText(const Error& error)
{
    return render(error.message, nullptr);
}

} // namespace

class ModelFilesTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void opensAndSavesAll_data()
    {
        QTest::addColumn<QString>("path");
        for (const char* folder : {"real", "light", "synthetic", "torch"}) {
            for (const QString& path : modelsUnder(folder))
                QTest::newRow(qPrintable(path.section('/', -3, -2))) << path;
        }
    }

    void opensAndSavesAll()
    {
        QFETCH(QString, path);
        QElapsedTimer timer;
        timer.start();
        const auto document = Document::open(path.toStdString());
        const qint64 elapsed = timer.elapsed();
        QVERIFY2(document.has_value(), document ? "" : errorText(document.error()).c_str());
        const Graph& graph = (*document)->graph();
        const auto checked = graph.check();
        QVERIFY2(checked.has_value(), checked ? "" : errorText(checked.error()).c_str());
        if (elapsed > 100)
            qInfo("%s: %zu nodes in %lld ms", qPrintable(path.section('/', -2, -2)),
                  graph.nodeCount(), static_cast<long long>(elapsed));
        roundTrip(**document, path);
    }

    void oddFilesOpenOrSayWhy()
    {
        int opened = 0;
        int refused = 0;
        for (const QString& path : modelsUnder("odd")) {
            const auto document = Document::open(path.toStdString());
            const QString name = path.section('/', -2);
            if (!document) {
                ++refused;
                QVERIFY(!errorText(document.error()).empty());
                QCOMPARE(QString::fromStdString(document.error().file), path);
                qInfo("%-60s refused: %s", qPrintable(name), errorText(document.error()).c_str());
                continue;
            }
            ++opened;
            const Graph& graph = (*document)->graph();
            const auto checked = graph.check();
            std::string note;
            for (const Problem& problem : (*document)->problems())
                note += (note.empty() ? " " : "; ") + render(problem.message, &graph);
            qInfo("%-60s %4zu nodes%s", qPrintable(name), graph.nodeCount(),
                  note.substr(0, 200).c_str());
            if (!checked)
                qInfo("    not sound: %s", render(checked.error().message, &graph).c_str());
            roundTrip(**document, path);
        }
        qInfo("%d opened, %d refused", opened, refused);
        QVERIFY(opened > 140);
    }

private:
    static void roundTrip(const Document& document, const QString& path)
    {
        const Graph& graph = document.graph();
        const std::string source = contentsOf(path);
        const auto saved = document.serialize(graph);
        QVERIFY2(saved.has_value(), saved ? "" : errorText(saved.error()).c_str());
        if (document.externalFiles().empty())
            QVERIFY2(*saved == source, qPrintable(path));
        const std::string expected = normalized(source, graph);
        QVERIFY2(normalized(*saved, graph) == expected, qPrintable(path));

        // Everything made anew.
        const Graph again = rebuilt(graph);
        if (again.nodeCount() != graph.nodeCount())
            return; // a graph that breaks a rule takes no patches
        const auto written = document.serialize(again);
        QVERIFY2(written.has_value(), written ? "" : errorText(written.error()).c_str());
        const auto reread = Document::parse(*written, "again", QFileInfo(path).path().toStdString());
        QVERIFY2(reread.has_value(), reread ? "" : errorText(reread.error()).c_str());
        bool unsorted = false;
        for (const Problem& problem : document.problems())
            unsorted = unsorted || problem.message.text == TextId("model.unsorted");
        if (unsorted)
            return;
        const std::string difference = support::differenceOf(graph, (*reread)->graph());
        QVERIFY2(difference.empty(), (path.toStdString() + ": " + difference).c_str());
        QVERIFY2(normalized(*written, graph) == withAddedDoc(expected), qPrintable(path));
    }
};

FUSESCOPE_TEST(ModelFilesTest, model_files_test)
#include "model_files_test.moc"

#include "io/document.h"
#include "io/wire.h"
#include "model/graph_text.h"
#include "report/render.h"
#include "support/test_class.h"

using namespace fusescope;

namespace {

Graph parsed(const std::string& text)
{
    const auto graph = parseGraph(text);
    if (!graph)
        QTest::qFail(render(graph.error().message, nullptr).c_str(), __FILE__, __LINE__);
    return graph.value_or(Graph());
}

std::string bytesOf(const std::string& text)
{
    WireMessage empty;
    empty.message(7, WireMessage());
    const auto document = Document::parse(empty.text(), "empty");
    return (*document)->serialize(parsed(text)).value_or("");
}

} // namespace

class ValidateTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void functionsThatCallThemselves()
    {
        const auto document = Document::parse(bytesOf(R"(
            <ir_version: 8, opset_import: ["" : 17, "l" : 1]>
            g (float[2] x) => (float[] y) { y = l.a (x) }
            <domain: "l", opset_import: ["" : 17, "l" : 1]> a (p) => (q) { q = l.b (p) }
            <domain: "l", opset_import: ["" : 17, "l" : 1]> b (p) => (q) { t = l.c (p) q = l.b (t) }
            <domain: "l", opset_import: ["" : 17, "l" : 1]> c (p) => (q) { q = Neg (p) })"),
                                              "functions");
        QVERIFY(document);
        std::string says;
        for (const Problem& problem : validate((*document)->graph()))
            says += render(problem.message, &(*document)->graph()) + '\n';
        QCOMPARE(says, std::string("The function b calls itself, which ONNX does not allow.\n"));
    }

    void sparseIndices_data()
    {
        QTest::addColumn<QByteArray>("indices");
        QTest::addColumn<bool>("sound");
        QTest::newRow("ascending") << QByteArray("{0, 2}") << true;
        QTest::newRow("twice") << QByteArray("{2, 2}") << false;
        QTest::newRow("descending") << QByteArray("{2, 0}") << false;
        QTest::newRow("beyond the shape") << QByteArray("{0, 4}") << false;
        QTest::newRow("negative") << QByteArray("{-1, 2}") << false;
    }
    void sparseIndices()
    {
        QFETCH(QByteArray, indices);
        QFETCH(bool, sound);
        const Graph graph = parsed("<ir_version: 8, opset_import: [\"\" : 17]>\n"
                                   "g (float[4] x) => (float[] y) "
                                   "<float[4] w = sparse([4], float[2] {1, 2}, int64[2] " +
                                   indices.toStdString() + ")> { y = Add (x, w) }");
        const auto problems = validate(graph);
        QCOMPARE(problems.empty(), sound);
    }

    void names_data()
    {
        QTest::addColumn<QString>("nodes");
        QTest::addColumn<int>("opset");
        QTest::addColumn<QString>("says");
        const auto row = [](const char* name, const char* nodes, int opset, const char* says) {
            QTest::newRow(name) << nodes << opset << says;
        };
        row("sound", "y = Relu (x)", 17, "");
        row("unknown operator", "y = Reluu (x)", 17, "ONNX has no operator `Reluu`.");
        row("later operator", "y = Gelu (x)", 17,
            "The operator `Gelu` came with opset 20; the model imports opset 17.");
        row("deprecated", "y = Upsample (x, x)", 10,
            "The operator `Upsample` is deprecated since opset 10.");
        row("too few inputs", "y = Conv (x)", 17, "Inputs of `Conv`: at least 2; given: 1.");
        row("too many inputs", "y = Relu (x, x)", 17, "Inputs of `Relu`: at most 1; given: 2.");
        row("absent input", "y = Add (x, \"\")", 17, "`Add` lacks its input `B`.");
        row("too many outputs", "y, z = Relu (x)", 17,
            "Outputs of `Relu`: at most 1; named: 2.");
        row("missing attribute", "y = Cast (x)", 17, "`Cast` lacks its attribute `to`.");
        row("attribute type", "y = Elu <alpha: int = 1> (x)", 17,
            "The attribute `alpha` of `Elu` is of the type INT; it has to be FLOAT.");
        row("unknown attribute", "y = Relu <slope = 1.0> (x)", 17,
            "`Relu` has no attribute `slope` at this opset.");
        row("batch normalization", "y, m, v = BatchNormalization (x, x, x, x, x)", 15,
            "`BatchNormalization` has more than one output, but does not run in training mode.");
        row("old batch normalization", "y, m, v, a, b = BatchNormalization (x, x, x, x, x)", 9, "");
        row("training", "y, m, v = BatchNormalization <training_mode = 1> (x, x, x, x, x)", 15, "");
        row("reference", "y = Elu <alpha: float = @a> (x)", 17,
            "The attribute `alpha` refers to a function's attribute, but its node is in no function.");
        row("other domain", "y = com.acme.Anything <a = 1> (x, x, x)", 17, "");
        row("not imported", "y = org.other.Op (x)", 17, "The operator set `org.other` is not imported.");
    }

    void names()
    {
        QFETCH(QString, nodes);
        QFETCH(int, opset);
        QFETCH(QString, says);
        const Graph graph = parsed("<ir_version: 8, opset_import: [\"\" : " + std::to_string(opset) +
                                   ", \"com.acme\" : 1]> g (float[2] x) => (y) { " +
                                   nodes.toStdString() + " }");
        const auto problems = validate(graph);
        std::string text;
        for (const Problem& problem : problems) {
            text += (text.empty() ? "" : "\n") + render(problem.message, &graph);
            QCOMPARE(problem.node, NodeId{1});
        }
        QCOMPARE(QString::fromStdString(text), says);
    }

    void headersAndFunctions()
    {
        const auto textOf = [](const std::string& model) {
            std::string text;
            const Graph graph = parsed(model);
            for (const Problem& problem : validate(graph))
                text += render(problem.message, &graph) + "\n";
            return text;
        };
        const std::string body = " g (float x) => (y) { y = Relu (x) } ";
        const auto has = [](const std::string& text, const char* part) {
            return text.find(part) != std::string::npos;
        };
        QVERIFY(has(textOf("<ir_version: 99, opset_import: [\"\" : 17]>" + body), "IR version 99"));
        QVERIFY(has(textOf("<ir_version: 8, opset_import: [\"\" : 999]>" + body), "version 999"));
        QVERIFY(has(textOf("<ir_version: 8, opset_import: [\"\" : 17, \"ai.onnx\" : 18]>" + body),
                    "imported twice"));
        QVERIFY(has(textOf("<ir_version: 8, opset_import: []>" + body), "imports no operator set"));
        const std::string function = "<domain: \"f\", opset_import: [\"\" : 17]> F <a> (x) => (y)"
                                     "{ y = Elu <alpha: float = @a> (x) } ";
        const std::string calls = "<ir_version: 8, opset_import: [\"\" : 17, \"f\" : 1]>"
                                  " g (float x) => (y) { y = f.F (x, x) } ";
        const std::string called = textOf(calls + function);
        QVERIFY(has(called, "Inputs of `F`: at most 1; given: 2."));
        QVERIFY(has(called, "The call does not give the function's attribute `a`."));
        QVERIFY(has(textOf(calls + function + function), "The function `F` is defined twice."));
    }

    // Dropouts alone are in training mode: what PyTorch's newer exporter writes of a module in train mode.
    void exportedInTrainMode_data()
    {
        QTest::addColumn<QString>("header");
        QTest::addColumn<QString>("nodes");
        QTest::addColumn<bool>("told");
        const QString torch = QStringLiteral("ir_version: 10, producer_name: \"pytorch\"");
        const QString drop = QStringLiteral("t = Dropout (x, half, yes) ");
        const QString norm = QStringLiteral("y = BatchNormalization (t, s, s, s, s)");
        QTest::newRow("inference form") << torch << drop + norm << true;
        QTest::newRow("folded") << torch << drop + "y = Relu (t)" << true;
        QTest::newRow("a Constant node")
            << torch << "c = Constant <value = bool {1}> () t = Dropout (x, half, c) " + norm << true;
        QTest::newRow("training form")
            << torch
            << drop + "y, m, v = BatchNormalization <training_mode = 1> (t, s, s, s, s)" << false;
        QTest::newRow("eval") << torch << "t = Dropout (x, half, no) " + norm << false;
        QTest::newRow("by default") << torch << "t = Dropout (x, half) " + norm << false;
        QTest::newRow("another exporter")
            << QStringLiteral("ir_version: 10, producer_name: \"tf2onnx\"") << drop + norm << false;
        QTest::newRow("an older exporter")
            << QStringLiteral("ir_version: 8, producer_name: \"pytorch\"") << drop + norm << false;
    }
    void exportedInTrainMode()
    {
        QFETCH(QString, header);
        QFETCH(QString, nodes);
        QFETCH(bool, told);
        const Graph graph = parsed("<" + header.toStdString() +
                                   ", opset_import: [\"\" : 18]> g (float[2, 3] x) => (y) "
                                   "<float[3] s = {1, 2, 3}, float half = {0.5}, bool yes = {1}, "
                                   "bool no = {0}> { " +
                                   nodes.toStdString() + " }");
        const auto problems = validate(graph);
        QCOMPARE(problems.size(), std::size_t{told ? 1U : 0U});
        if (told) {
            QVERIFY(problems.front().severity == Severity::note);
            QVERIFY(graph.node(problems.front().node)->is("Dropout"));
            QVERIFY(render(problems.front().message, &graph).find("train mode") != std::string::npos);
        }
    }

    void savingIsStrictForWhatIsNew()
    {
        const Graph sound = parsed("g (float x) => (y) { y = Relu (x) }");
        QVERIFY(validateForSaving(sound).has_value());
        const Graph odd = parsed("g (float x) => (y) { y = Reluu (x) }");
        QVERIFY(!validateForSaving(odd));
        QVERIFY(validateForSaving(odd, &odd).has_value());
        QVERIFY(!validateForSaving(odd, &sound));
    }

    void onnxSecondsTheOpinion()
    {
        const std::string head = "<ir_version: 8, opset_import: [\"\" : 17]> ";
        QVERIFY(!onnxCheckerComplaint(
            bytesOf(head + "g (float[2] x) => (float[2] y) { y = Relu (x) }")));
        const auto complaint = onnxCheckerComplaint(
            bytesOf(head + "g (float[2] x) => (float[2] y) { y = Relu (x, x) }"));
        QVERIFY(complaint && !complaint->empty());
        // Beyond what it knows it says nothing.
        QVERIFY(!onnxCheckerComplaint(bytesOf("<ir_version: 10, opset_import: [\"\" : 21]> "
                                              "g (float[2] x) => (float[2] y) { y = Relu (x, x) }")));
        QVERIFY(!onnxCheckerComplaint("no model"));
    }

    // Single assignment: what a name means must not depend on who is asked.
    void writtenTwice_data()
    {
        QTest::addColumn<QString>("graph");
        QTest::addColumn<QString>("says");
        QTest::newRow("by two nodes")
            << "g (float[2] x) => (float[2] y) { [a] t = Neg (x) [b] t = Abs (x) y = Relu (t) }"
            << "`t` is written twice: by Neg a and by Abs b. A name may be written once in a graph.";
        QTest::newRow("by two nodes without names")
            << "g (float[2] x) => (float[2] y) { t = Neg (x) t = Abs (x) y = Relu (t) }"
            << "`t` is written twice: by Neg #1 and by Abs #2. A name may be written once in a graph.";
        QTest::newRow("by one node")
            << "g (float[2] x) => (float[1] y) { [a] y, y = Split (x) }"
            << "`y` is written twice by Split a. A name may be written once in a graph.";
        QTest::newRow("an input")
            << "g (float[2] x) => (float[2] x) { [a] x = Neg (x) }"
            << "`x` is an input or initializer of the graph, and Neg a writes it as well. A name may "
               "be written once in a graph.";
        QTest::newRow("in a branch")
            << "g (bool c, float[2] x) => (float[2] y) { y = If (c) <then_branch = a () => (float[2] p) "
               "{ [n] p = Abs (x) [m] p = Neg (x) }, else_branch = b () => (float[2] q) { q = Neg (x) }> }"
            << "`p` is written twice: by Abs n and by Neg m. A name may be written once in a graph.";
    }
    void writtenTwice()
    {
        QFETCH(QString, graph);
        QFETCH(QString, says);
        const auto parsed = parseGraph(graph.toStdString());
        QVERIFY(!parsed);
        QCOMPARE(parsed.error().code, ErrorCode::invalidModel);
        QCOMPARE(QString::fromStdString(render(parsed.error().message, nullptr)), says);
    }

    // One name in two graphs of a model is two values.
    void writtenInTwoGraphs()
    {
        QVERIFY(parseGraph("g (bool c, float[2] x) => (float[2] y) { y = If (c) <then_branch = a () => "
                           "(float[2] p) { p = Abs (x) }, else_branch = b () => (float[2] p) "
                           "{ p = Neg (x) }> }"));
    }
};

FUSESCOPE_TEST(ValidateTest, validate_test)
#include "validate_test.moc"

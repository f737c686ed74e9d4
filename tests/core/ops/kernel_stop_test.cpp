#include "model/graph_text.h"
#include "model/schema.h"
#include "ops/registry.h"
#include "support/test_class.h"

using namespace fusescope;

// A kernel that may take long looks at the stop itself, not only the run between two nodes.
class KernelStopTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void endsInside_data()
    {
        QTest::addColumn<QString>("node");
        const auto row = [](const char* name, const char* node) {
            QTest::newRow(name) << QString::fromUtf8(node);
        };
        row("top k", "y, i = TopK (x, n)");
        row("greatest", "y = ArgMax (x)");
        row("unique", "y = Unique (x)");
        row("non-zero", "y = NonZero (x)");
        row("transform of a prime length", "y = DFT (t, \"\", one)");
        row("short-time transform", "y = STFT (u, p, \"\", p)");
        row("two operands", "y = Einsum <equation = \"i,i->\"> (x, x)");
        row("three operands", "y = Einsum <equation = \"i,i,i->\"> (x, x, x)");
        row("expression", "y = RegexFullMatch <pattern = \"(a|b)*\"> (words)");
        row("product", "y = MatMul (x, x)");
        row("softmax", "y = Softmax (x)");
    }

    void endsInside()
    {
        QFETCH(QString, node);
        const auto graph = parseGraph(
            "<ir_version: 10, opset_import: [\"\" : 20]>\n"
            "g () => () <float[131072] x = fill(1), float[1, 509, 1] t = fill(1), int64[1] n = {100},"
            " string[1] words = {\"abab\"}, float[1, 509] u = fill(1), int64 p = {509}, int64 one = {1}> { " +
            node.toStdString() + " }");
        QVERIFY(graph);
        const NodeId id = graph->nodes(graph->mainBody())->front();
        const Node& n = *graph->node(id);
        const int since = findSchema(n.op.domain, n.op.type, 20)->sinceVersion;
        const OpEntry* entry = findOp(n.op.domain, n.op.type, since);
        QVERIFY(entry && entry->kernel);
        std::vector<RuntimeValue> inputs;
        for (const ValueId input : n.inputs)
            inputs.push_back(input ? RuntimeValue(graph->value(input)->constant) : RuntimeValue());
        std::stop_source source;
        const auto run = [&] {
            KernelContext context(n, id, since, inputs, {}, 0, source.get_token());
            return entry->kernel(context);
        };
        QVERIFY2(run(), "it runs when nobody stops it");
        source.request_stop();
        const auto stopped = run();
        QVERIFY(!stopped);
        QCOMPARE(stopped.error().code, ErrorCode::cancelled);
    }
};

FUSESCOPE_TEST(KernelStopTest, kernel_stop_test)
#include "kernel_stop_test.moc"

#include "support/rewrite_check.h"
#include "support/test_class.h"

#include <fmt/format.h>

using namespace fusescope;
using namespace fusescope::test;

namespace {

constexpr std::string_view rule = "log-softmax";

Graph model(std::string_view body, int opset = 17, std::string_view type = "float")
{
    return graphOf(fmt::format(R"(<ir_version: 8, opset_import: ["" : {0}]>
        g ({1}[N, 5] x, bool[N, 5] m) => ({1}[N, 5] y)
        <{1} ten = {{10}}, {1} low = {{-20}}, {1} high = {{20}}, {1} far = {{90}}, {1} endless = {{-inf}}>
        {{ {2} }})",
                               opset, type, body));
}

} // namespace

// Where no quotient can round to 0, and where one may.
class LogSoftmaxTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void joined_data()
    {
        QTest::addColumn<int>("opset");
        QTest::addColumn<QString>("type");
        QTest::addColumn<QString>("body");
        QTest::addColumn<QString>("left");
        for (const int opset : {9, 11, 13, 17}) {
            QTest::addRow("tanh, %d", opset)
                << opset << "float" << "t = Tanh (x) u = Mul (t, ten) s = Softmax <axis = 1> (u) "
                                       "y = Log (s)"
                << "Tanh Mul LogSoftmax";
        }
        QTest::newRow("by default") << 17 << "float" << "t = Sigmoid (x) s = Softmax (t) y = Log (s)"
                                    << "Sigmoid LogSoftmax";
        QTest::newRow("flattened") << 11 << "float" << "t = Erf (x) s = Softmax (t) y = Log (s)"
                                   << "Erf LogSoftmax";
        QTest::newRow("clip") << 17 << "float"
                              << "t = Clip (x, low, high) s = Softmax <axis = 0> (t) y = Log (s)"
                              << "Clip LogSoftmax";
        QTest::newRow("double") << 17 << "double"
                                << "t = Clip (x, low, far) s = Softmax (t) y = Log (s)"
                                << "Clip LogSoftmax";
        QTest::newRow("twice") << 17 << "float"
                               << "s = Softmax (x) t = Softmax (s) y = Log (t)"
                               << "Softmax LogSoftmax";
    }
    void joined()
    {
        QFETCH(int, opset);
        QFETCH(QString, type);
        QFETCH(QString, body);
        QFETCH(QString, left);
        Graph graph = model(body.toStdString(), opset, type.toStdString());
        QCOMPARE(rewriteProblem(graph, rule, "y"), std::string());
        QCOMPARE(operatorsOf(graph), left.toStdString());
    }

    void refused_data()
    {
        QTest::addColumn<QString>("type");
        QTest::addColumn<QString>("body");
        QTest::addColumn<QString>("codes");
        const auto row = [](const char* type, const char* body, const char* codes) {
            QTest::addRow("%s %s", type, body) << type << body << codes;
        };
        row("float", "s = Softmax (x) y = Log (s)", "not-finite");
        row("float", "t = Clip (x, low, far) s = Softmax (t) y = Log (s)", "not-finite");
        row("float", "t = Clip (x, low) s = Softmax (t) y = Log (s)", "not-finite");
        row("float", "t = Clip (x, high, low) s = Softmax (t) y = Log (s)", "not-finite");
        row("float", "t = Tanh (x) w = Where (m, t, endless) s = Softmax (w) y = Log (s)",
            "not-finite");
        row("float16", "t = Tanh (x) s = Softmax (t) y = Log (s)", "unsupported-type");
        row("float", "t = Tanh (x) s = Softmax (t) l = Log (s) y = Add (l, s)", "no candidate");
        row("float", "t = Tanh (x) s = Softmax (t) y = Exp (s)", "no candidate");
    }
    void refused()
    {
        QFETCH(QString, type);
        QFETCH(QString, body);
        QFETCH(QString, codes);
        QCOMPARE(codesOf(model(body.toStdString(), 17, type.toStdString()), rule, "y"),
                 codes.toStdString());
    }

    void readElsewhere()
    {
        QCOMPARE(codesOf(model("t = Tanh (x) s = Softmax (t) l = Log (s) y = Mul (l, s)"), rule, "l"),
                 std::string("multi-consumer"));
    }
};

FUSESCOPE_TEST(LogSoftmaxTest, log_softmax_test)
#include "log_softmax_test.moc"

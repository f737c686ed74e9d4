#include "support/rewrite_check.h"
#include "support/test_class.h"

#include <fmt/format.h>

using namespace fusescope;
using namespace fusescope::test;

namespace {

std::string model(std::string_view nodes, std::string_view outputs = "float[N, 3, 5] y",
                  std::string_view type = "float", int opset = 15)
{
    return fmt::format(R"(<ir_version: 8, opset_import: ["" : {3}]>
        g ({2}[N, 3, 5] x, {2}[3] open) => ({1})
        <{2}[3] s1 = random(1, 0.5, 2), {2}[3] b1 = random(2), {2}[3] m1 = random(3),
         {2}[3] v1 = random(4, 0.5, 2), {2}[3] s2 = {{1.5, -2, 0.25}}, {2}[3] b2 = random(5),
         {2}[3] m2 = random(6), {2}[3] v2 = random(7, 0.5, 2), {2}[3] huge = {{30000, 1, 1}},
         {2}[3] negative = {{-1, 1, 1}}>
        {{ {0} }})",
                       nodes, outputs, type, opset);
}

constexpr const char* first = "a = BatchNormalization (x, s1, b1, m1, v1) ";
constexpr const char* last = "y = BatchNormalization <epsilon = 0.01> (a, s2, b2, m2, v2) ";

} // namespace

class BatchnormChainTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void joins_data()
    {
        QTest::addColumn<QString>("type");
        QTest::addColumn<int>("opset");
        QTest::newRow("float") << "float" << 15;
        QTest::newRow("double") << "double" << 9;
        QTest::newRow("old") << "float" << 7;
    }
    void joins()
    {
        QFETCH(QString, type);
        QFETCH(int, opset);
        const std::string t = type.toStdString();
        Graph graph = graphOf(model(std::string(first) + last, t + "[N, 3, 5] y", t, opset));
        QCOMPARE(rewriteProblem(graph, "batchnorm-chain", "y",
                                {.policy = {}, .rtol = t == "double" ? 1e-12 : 2e-6}),
                 std::string());
        QCOMPARE(operatorsOf(graph), std::string("BatchNormalization"));
    }

    void refuses_data()
    {
        QTest::addColumn<QString>("nodes");
        QTest::addColumn<QString>("outputs");
        QTest::addColumn<QString>("codes");
        const QString both = QString(first) + last;
        const QString y = "float[N, 3, 5] y";
        QTest::newRow("read elsewhere") << both + "z = Relu (a)" << y + ", float[N, 3, 5] z"
                                        << "multi-consumer";
        QTest::newRow("an output") << both << y + ", float[N, 3, 5] a" << "graph-output";
        QTest::newRow("scale of an input") << QString(both).replace("s1", "open") << y
                                           << "not-constant";
        QTest::newRow("mean of an input") << QString(both).replace("m2", "open") << y
                                          << "not-constant";
        QTest::newRow("first in training")
            << QString(both).replace("a = BatchNormalization (",
                                     "a, p, q = BatchNormalization <training_mode = 1> (")
            << y << "training-mode-batchnorm";
        QTest::newRow("negative variance") << QString(both).replace("v1", "negative") << y
                                           << "not-finite";
        QTest::newRow("something between")
            << QString(first) + "r = Relu (a) " + QString(last).replace("(a,", "(r,") << y
            << "no candidate";
    }
    void refuses()
    {
        QFETCH(QString, nodes);
        QFETCH(QString, outputs);
        QFETCH(QString, codes);
        const Graph graph = graphOf(model(nodes.toStdString(), outputs.toStdString()));
        QCOMPARE(codesOf(graph, "batchnorm-chain", "y"), codes.toStdString());
    }

    // 30000·3 is beyond half precision.
    void refusesWhatTheTypeCannotHold()
    {
        QString nodes = QString(first) + last;
        nodes.replace("s1", "huge").replace("s2", "huge");
        const Graph graph = graphOf(
            model(nodes.toStdString(), "float16[N, 3, 5] y", "float16"));
        QCOMPARE(codesOf(graph, "batchnorm-chain", "y"), std::string("not-finite"));
    }
};

FUSESCOPE_TEST(BatchnormChainTest, batchnorm_chain_test)
#include "batchnorm_chain_test.moc"

#include "support/rewrite_check.h"
#include "support/test_class.h"

#include <fmt/format.h>

using namespace fusescope;
using namespace fusescope::test;

namespace {

constexpr std::string_view rule = "convtranspose-batchnorm";

std::string model(int group, std::string_view attributes, std::string_view more = "",
                  std::string_view outputs = "float[N, 6, A, B] y")
{
    return fmt::format(R"(g (float[N, 4, 3, 3] x) => ({})
        <float[4, {}, 2, 2] W = random(1), float[6] b = random(2), float[6] s = random(3, 0.5, 2),
         float[6] t = random(4), float[6] m = random(5), float[6] v = random(6, 0.3, 3)>
        {{ [up] c = ConvTranspose <group = {}{}> (x, W, b)
           [bn] y = BatchNormalization (c, s, t, m, v) {} }})",
                       outputs, 6 / group, group, attributes, more);
}

} // namespace

class ConvtransposeBatchnormTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void folds_data()
    {
        QTest::addColumn<int>("group");
        QTest::addColumn<QString>("attributes");
        QTest::newRow("plain") << 1 << "";
        QTest::newRow("groups") << 2 << "";
        QTest::newRow("output_padding") << 2 << ", strides = [2, 2], output_padding = [1, 1]";
        QTest::newRow("pads") << 1 << ", strides = [2, 2], pads = [1, 0, 0, 1]";
    }
    void folds()
    {
        QFETCH(int, group);
        QFETCH(QString, attributes);
        Graph graph = graphOf(model(group, attributes.toStdString()));
        QCOMPARE(rewriteProblem(graph, rule, "bn"), std::string());
        QCOMPARE(operatorsOf(graph), std::string("ConvTranspose"));
    }

    void refuses()
    {
        QCOMPARE(refusalOf(graphOf(model(1, "", "[relu] z = Relu (c)",
                                         "float[N, 6, A, B] y, float[N, 6, C, D] z")),
                           rule, "bn"),
                 std::string("multi-consumer [relu] Result is read elsewhere too | `up` is also read "
                             "by `relu`, which needs the value before `bn`. | Give that reader a "
                             "producer of its own, or drop that reader."));
        // Four input channels are no three groups.
        QCOMPARE(codesOf(graphOf(model(3, "")), rule, "bn"), std::string("unsupported-attribute"));
        const Graph wrong = graphOf(R"(g (float[1, 4, 3, 3] x) => (float[1, 4, A, B] y)
            <float[4, 2, 2, 2] W = random(1), float[2] s = {1, 2}>
            { c = ConvTranspose <group = 2> (x, W)
              y = BatchNormalization (c, s, s, s, s) })");
        QCOMPARE(codesOf(wrong, rule, "y"), std::string("channel-mismatch"));
        QCOMPARE(codesOf(wrong, "conv-batchnorm", "y"), std::string("no candidate"));
    }
};

FUSESCOPE_TEST(ConvtransposeBatchnormTest, convtranspose_batchnorm_test)
#include "convtranspose_batchnorm_test.moc"

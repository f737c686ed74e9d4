#include "fuzz/node_check.h"
#include "model/graph_text.h"
#include "report/render.h"
#include "support/test_class.h"

using namespace fusescope;
using namespace fusescope::test;

// Random nodes of every operator, and the graphs that once went wrong.
class FuzzSeedsTest : public QObject
{
    Q_OBJECT

    static QString joined(const std::vector<std::string>& findings)
    {
        QString text;
        for (const std::string& finding : findings)
            text += QString::fromStdString(finding) + u'\n';
        return text;
    }

    static QString checked(const char* text, int opset = 22)
    {
        const auto graph =
            parseGraph("<ir_version: 10, opset_import: [\"\" : " + std::to_string(opset) +
                       ", \"ai.onnx.ml\" : 5]>\n" + text);
        if (!graph)
            return QStringLiteral("parse: ") +
                   QString::fromStdString(render(graph.error().message, nullptr));
        const CheckResult result = checkNode({*graph, {}, true, true});
        return result.findings.empty() ? QString::fromStdString(result.error)
                                       : joined(result.findings);
    }

private Q_SLOTS:
    // Eight seeds an operator version: a few hundred cases a family.
    void everyOperator()
    {
        constexpr std::uint64_t seeds = 8;
        int ran = 0;
        int made = 0;
        QString findings;
        for (const OpSchema& schema : allSchemas()) {
            for (std::uint64_t seed = 0; seed < seeds; ++seed) {
                const auto node = randomNode(schema, seed);
                if (!node)
                    continue;
                ++made;
                const CheckResult result = checkNode(*node);
                ran += result.ran ? 1 : 0;
                if (!result.findings.empty())
                    findings += QString::fromLatin1(schema.name.data(),
                                                    static_cast<qsizetype>(schema.name.size())) +
                                QStringLiteral("-%1 seed %2: ").arg(schema.sinceVersion).arg(seed) +
                                joined(result.findings);
            }
        }
        QVERIFY2(findings.isEmpty(), qPrintable(findings));
        QVERIFY(made > 5000);
        QVERIFY2(ran > made / 2, "most random nodes are to be right");
    }

    void sameCaseForSameSeed()
    {
        for (const char* op : {"Conv", "Loop", "Resize", "LSTM"}) {
            const OpSchema* schema = findSchema("", op, 22);
            QVERIFY(schema);
            const auto first = randomNode(*schema, 77);
            const auto second = randomNode(*schema, 77);
            const auto other = randomNode(*schema, 78);
            QVERIFY(first && second && other);
            QCOMPARE(textOf(*first), textOf(*second));
            QVERIFY(textOf(*first) != textOf(*other));
        }
    }
};

FUSESCOPE_TEST(FuzzSeedsTest, fuzz_seeds_test)
#include "fuzz_seeds_test.moc"

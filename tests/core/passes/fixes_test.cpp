#include "fix_check.h"
#include "support/test_class.h"

#include <QDir>

using namespace fusescope;
using namespace fusescope::test;

// A fix that is offered does what it says, on every example.
class FixesTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everyExample()
    {
        const QDir examples(QStringLiteral(FUSESCOPE_SOURCE_DIR "/resources/examples"));
        int rows = 0;
        std::string problems;
        for (const QString& name : examples.entryList({QStringLiteral("*.onnx")})) {
            Graph graph;
            QVERIFY(openInferred(examples.filePath(name).toStdString(), graph));
            const FixCheck check = checkFixes(graph, true);
            rows += check.rows;
            if (!check.problem.empty())
                problems += name.toStdString() + " " + check.problem + "\n";
        }
        QVERIFY2(problems.empty(), problems.c_str());
        QVERIFY(rows >= 6);
    }
};

FUSESCOPE_TEST(FixesTest, fixes_test)
#include "fixes_test.moc"

#include "fix_check.h"
#include "support/test_class.h"

#include <filesystem>

// label: slow
// needs: models

using namespace fusescope;
using namespace fusescope::test;

// A fix that is offered does what it says, on every model of the corpus that is not too large.
class FixesCorpusTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everyModel_data()
    {
        QTest::addColumn<QString>("path");
        for (const char* folder : {"real", "torch", "synthetic", "odd", "light"}) {
            const auto root = std::filesystem::path(FUSESCOPE_MODELS) / folder;
            for (const auto& entry : std::filesystem::recursive_directory_iterator(root)) {
                if (entry.path().extension() == ".onnx")
                    QTest::newRow(
                        std::filesystem::relative(entry.path(), FUSESCOPE_MODELS).c_str())
                        << QString::fromStdString(entry.path().string());
            }
        }
    }

    void everyModel()
    {
        QFETCH(QString, path);
        constexpr std::size_t mostNodes = 2000, mostToRun = 200;
        Graph graph;
        if (!openInferred(path.toStdString(), graph) || graph.nodeCount() > mostNodes)
            return; // others test that it says why
        const FixCheck check = checkFixes(graph, graph.nodeCount() <= mostToRun);
        QCOMPARE(check.problem, std::string());
    }
};

FUSESCOPE_TEST(FixesCorpusTest, fixes_corpus_test)
#include "fixes_corpus_test.moc"

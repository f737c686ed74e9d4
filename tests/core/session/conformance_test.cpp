// label: slow
// needs: models
#include "core/session/official_tests.h"
#include "report/render.h"
#include "session/conformance.h"
#include "support/test_class.h"

#include <QProcess>
#include <QTemporaryDir>

using namespace fusescope;
using namespace fusescope::test;

// The operator tests of ONNX 1.23, and small models with data sets.
class ConformanceTest : public QObject
{
    Q_OBJECT

private:
    QTemporaryDir m_folder;

    std::string root() const { return m_folder.path().toStdString(); }

private Q_SLOTS:
    void initTestCase()
    {
        QCOMPARE(QProcess::execute(QStringLiteral("tar"),
                                   {QStringLiteral("-xf"),
                                    QStringLiteral(FUSESCOPE_MODELS "/onnx-node-tests.tar.xz"),
                                    QStringLiteral("-C"), m_folder.path()}),
                 0);
    }

    void list()
    {
        const auto listed = readNotPossible(FUSESCOPE_TEST_DATA "/conformance_not_possible.txt");
        QVERIFY(!listed.empty());
        QVERIFY2(listed.size() < 20, std::to_string(listed.size()).c_str());
        for (const NotPossible& one : listed)
            QVERIFY2(!one.reason.empty(), one.folder.c_str());
    }

    void kernels()
    {
        int passed = 0;
        const auto listed = readNotPossible(FUSESCOPE_TEST_DATA "/conformance_not_possible.txt");
        const std::string faults = conformanceFaults(root(), "1.23", listed, passed);
        std::fputs(faults.c_str(), stderr);
        QVERIFY2(faults.empty(), faults.c_str());
        QVERIFY2(passed >= 1345, std::to_string(passed).c_str());
    }

    void inference_data()
    {
        QTest::addColumn<int>("knowledge");
        QTest::newRow("declared") << static_cast<int>(Knowledge::declared);
        QTest::newRow("contents") << static_cast<int>(Knowledge::contents);
        QTest::newRow("symbols") << static_cast<int>(Knowledge::symbols);
        QTest::newRow("equalities") << static_cast<int>(Knowledge::equalities);
    }
    void inference()
    {
        QFETCH(int, knowledge);
        int values = 0;
        const std::string faults =
            inferenceFaults(root(), static_cast<Knowledge>(knowledge), values);
        std::fputs(faults.c_str(), stderr);
        QVERIFY2(faults.empty(), faults.c_str());
        QVERIFY2(values >= 4000, std::to_string(values).c_str());
    }

    void smallModels()
    {
        const std::string models = FUSESCOPE_MODELS;
        const auto report = conformance(
            {models + "/real/dtln_1", models + "/real/espcn_float", models + "/real/gtcrn",
             models + "/real/magika", models + "/real/silero_vad", models + "/light/light_shufflenet",
             models + "/torch/control_flow_ts17", models + "/torch/gpt2_ts14"},
            RunExecutor::reference, {}, {}, {1e-3, 1e-7, 1e-4});
        QVERIFY(report.has_value());
        std::string failed;
        for (const auto& [folder, why] : report->failed)
            failed += folder + ": " + render(why, nullptr) + "\n";
        QVERIFY2(failed.empty(), failed.c_str());
        QCOMPARE(report->passed, 8);
    }

    void stops()
    {
        std::stop_source stop;
        stop.request_stop();
        const std::vector<std::string> folders = {FUSESCOPE_MODELS "/real/dtln_1"};
        const auto report = conformance(folders, RunExecutor::reference, stop.get_token());
        QVERIFY(!report);
        QCOMPARE(report.error().code, ErrorCode::cancelled);
    }
};

FUSESCOPE_TEST(ConformanceTest, conformance_test)
#include "conformance_test.moc"

// label: slow
// needs: models
#include "report/render.h"
#include "session/conformance.h"
#include "support/test_class.h"

#include <QProcess>
#include <QTemporaryDir>

#include <set>

using namespace fusescope;

namespace {

std::string lines(const ConformanceReport& report)
{
    std::string text;
    for (const auto& [folder, why] : report.failed)
        text += folder + ": " + render(why, nullptr) + "\n";
    return text;
}

} // namespace

class ConformanceTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void officialOperatorTests()
    {
        QTemporaryDir folder;
        QCOMPARE(QProcess::execute(QStringLiteral("tar"),
                                   {QStringLiteral("-xf"),
                                    QStringLiteral(FUSESCOPE_MODELS "/onnx-node-tests.tar.xz"),
                                    QStringLiteral("-C"), folder.path()}),
                 0);
        const auto report = conformance({folder.path().toStdString()}, RunExecutor::reference);
        QVERIFY(report.has_value());
        // The expected values of these two were computed in single precision and carry errors far
        // above the tolerance where the exact result is zero.
        std::set<std::string> inexact = {"test_dft_inverse", "test_dft_inverse_opset19"};
        ConformanceReport rest = *report;
        std::erase_if(rest.failed, [&](const auto& failure) {
            return inexact.erase(failure.first.substr(failure.first.rfind('/') + 1)) > 0;
        });
        QVERIFY2(rest.failed.empty(), lines(rest).c_str());
        QVERIFY2(report->passed >= 1330, std::to_string(report->passed).c_str());
        // Pictures are decoded outside core.
        std::set<std::string> without;
        for (const auto& [where, name] : report->unsupported)
            without.insert(name);
        QVERIFY(!without.contains("Conv"));
        QVERIFY(without.contains("ImageDecoder"));
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
        QVERIFY2(report->failed.empty(), lines(*report).c_str());
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

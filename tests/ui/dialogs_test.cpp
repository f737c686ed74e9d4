#include "panel_fixture.h"
#include "support/test_class.h"
#include "ui/dialogs/export_dialog.h"
#include "ui/dialogs/image_tensor.h"
#include "ui/dialogs/passes_dialog.h"
#include "ui/dialogs/reasons_dialog.h"
#include "ui/language.h"
#include "ui/panels/operator_texts.h"

#include <QDir>
#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QSignalSpy>

#include <cmath>

using namespace fusescope;
using namespace fusescope::test;

// Export, Passes and the help pages, with the texts of operators.
class DialogsTest : public QObject, PanelFixture
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { installTheme(); }
    void init() { QVERIFY(openNetwork()); }

    void exportNeverOffersTheSource()
    {
        ExportDialog dialog(*m_state);
        picture(dialog, QStringLiteral("export"));
        QCOMPARE(dialog.options().upTo, -1);
        QCOMPARE(dialog.options().form, ExportForm::standard);
        QVERIFY(dialog.options().verify);
        QVERIFY(!dialog.options().overwrite);
        QSignalSpy written(m_state.get(), &AppState::exported);
        dialog.setPath(m_folder.filePath(QStringLiteral("net.onnx"))); // the source
        dialog.accept();
        QVERIFY(!m_state->jobs().isRunning(JobKind::exportModel));
        dialog.setPath(m_folder.filePath(QStringLiteral("net.optimized.onnx")));
        dialog.accept();
        QTRY_COMPARE_WITH_TIMEOUT(written.count(), 1, 20000);
        QVERIFY(QFile::exists(m_folder.filePath(QStringLiteral("net.optimized.onnx"))));
    }

    void passesGiveTheirIds()
    {
        PassesDialog dialog(*m_state);
        QVERIFY(dialog.disabled().empty());
        dialog.setAll(false);
        QVERIFY(dialog.disabled().contains("conv-batchnorm"));
    }

    void theTargetIsChosenWithThePasses()
    {
        PassesDialog dialog(*m_state);
        QCOMPARE(dialog.target(), std::string("generic"));
        dialog.setTarget("npu");
        dialog.accept();
        QCOMPARE(m_state->plan().policy.target, std::string("npu"));
        PassesDialog again(*m_state);
        QCOMPARE(again.target(), std::string("npu"));
        again.setTarget("generic");
        again.accept();
        QCOMPARE(m_state->plan().policy.target, std::string("generic"));
    }

    void picturesBecomeTensors()
    {
        QImage image(2, 2, QImage::Format_RGB32);
        image.fill(QColor(255, 0, 51));
        const Type type = Type::tensor(DType::float32, Shape::of({Dim(1), Dim(3), Dim(2), Dim(2)}));
        const auto tensor = imageTensor(image, type, {{0}, {1.0 / 255}});
        QVERIFY(tensor);
        QCOMPARE(tensor->asDouble(0), 1.0);
        QCOMPARE(tensor->asDouble(4), 0.0);
        QVERIFY(std::abs(tensor->asDouble(8) - 0.2) < 1e-6);
        QVERIFY(!imageTensor(image, Type::tensor(DType::int64, type.shape), {}));
    }

    void helpPagesAreShown()
    {
        ReasonsDialog dialog(*m_state);
        QVERIFY(dialog.pageCount() > 10);
        QVERIFY(dialog.showPage(QStringLiteral("conv-batchnorm")));
        QVERIFY(!dialog.shownText().isEmpty());
        QVERIFY(!dialog.showPage(QStringLiteral("../../etc/passwd")));
        picture(dialog, QStringLiteral("reasons"));
    }

    // Every operator has its sentence in each language.
    void operatorTextsAreTranslated()
    {
        QFile table(QStringLiteral(FUSESCOPE_SOURCE_DIR "/core/model/schemas/descriptions.json"));
        QFile chinese(QStringLiteral(":/operators/zh_CN.json"));
        QVERIFY(table.open(QIODevice::ReadOnly) && chinese.open(QIODevice::ReadOnly));
        const QStringList names = QJsonDocument::fromJson(table.readAll()).object().keys();
        QVERIFY(names.size() > 200);
        QCOMPARE(QJsonDocument::fromJson(chinese.readAll()).object().keys(), names);
        const OpSchema* conv = findSchema("", "Conv", 17);
        QVERIFY(operatorText(*conv).startsWith(QStringLiteral("Slides filters")));
        installTranslations(QStringLiteral("zh_CN"));
        const QString spoken = operatorText(*conv);
        installTranslations({});
        QVERIFY2(spoken.contains(QStringLiteral("滤波器")), qPrintable(spoken));
        QVERIFY(operatorText(*conv).startsWith(QStringLiteral("Slides filters")));
    }

    // Each page in each language: the same sections and lists, and the same code.
    void helpPagesAreTranslated()
    {
        const auto outline = [](const QString& path) {
            QStringList lines;
            QFile file(path);
            bool code = false;
            for (const QString& line : QString::fromUtf8(file.open(QIODevice::ReadOnly) ? file.readAll()
                                                                                        : QByteArray())
                                           .split(u'\n')) {
                code = code != line.startsWith(QStringLiteral("```"));
                const QString kind = line.section(u' ', 0, 0);
                const bool marked = kind == u"#" || kind == u"##" || kind == u"-";
                lines << (code ? line : marked ? kind : line.isEmpty() ? QString() : QStringLiteral("text"));
            }
            return lines;
        };
        const QStringList pages =
            QDir(QStringLiteral(":/help")).entryList({QStringLiteral("*.md")}, QDir::Files);
        QVERIFY(pages.size() > 100);
        for (const QString& page : pages)
            QCOMPARE(outline(QStringLiteral(":/help/zh_CN/") + page),
                     outline(QStringLiteral(":/help/") + page));
        QCOMPARE(QDir(QStringLiteral(":/help/zh_CN")).entryList(QDir::Files).size(), pages.size());
        installTranslations(QStringLiteral("zh_CN"));
        ReasonsDialog dialog(*m_state);
        QVERIFY(dialog.showPage(QStringLiteral("conv-bias")));
        QVERIFY(dialog.shownText().contains(QStringLiteral("偏置")));
        installTranslations({});
    }
};

FUSESCOPE_TEST(DialogsTest, dialogs_test)
#include "dialogs_test.moc"

// needs: models
#include "fuzz/damaged_file.h"
#include "io/document.h"
#include "report/render.h"
#include "support/test_class.h"

#include <QDirIterator>

using namespace fusescope;

// Files with damaged bytes open or say why; nothing else happens.
class FuzzTest : public QObject
{
    Q_OBJECT

    static QByteArray contentsOf(const QString& path)
    {
        QFile file(path);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }

    // Opens, and where that works looks at everything and writes it.
    static bool survives(const std::string& bytes)
    {
        const auto document = Document::parse(bytes, "damaged", "/nowhere");
        if (!document)
            return !render(document.error().message, nullptr).empty();
        const Graph& graph = (*document)->graph();
        volatile double sum = 0; // so that nothing read is left out
        for (std::uint32_t i = 1; i < graph.valueLimit(); ++i) {
            const Value* value = graph.value(ValueId{i});
            if (value && value->constant && value->constant->isAvailable() &&
                value->constant->elementCount() > 0)
                sum = sum + value->constant->asDouble(value->constant->elementCount() - 1);
        }
        for (const Problem& problem : (*document)->problems())
            sum = sum + static_cast<double>(render(problem.message, &graph).size());
        return (*document)->serialize(graph).has_value();
    }

private Q_SLOTS:
    void mutatedFiles()
    {
        QStringList files;
        QDirIterator it(QStringLiteral(FUSESCOPE_MODELS "/odd"), {QStringLiteral("*.onnx")},
                        QDir::Files, QDirIterator::Subdirectories);
        while (it.hasNext())
            files << it.next();
        files << QStringLiteral(FUSESCOPE_MODELS "/synthetic/conv_bn_blocked/model.onnx");
        files.sort();
        int opened = 0;
        int count = 0;
        for (const QString& path : files) {
            const std::string good = contentsOf(path).toStdString();
            if (good.empty() || good.size() > 60000)
                continue;
            for (int i = 0; i < 30; ++i) {
                const std::string bytes = test::damagedFile(good, static_cast<std::uint64_t>(count));
                QVERIFY2(survives(bytes), qPrintable(path));
                opened += Document::parse(bytes, "x").has_value() ? 1 : 0;
                ++count;
            }
        }
        qInfo("%d damaged files, of which %d open", count, opened);
        QVERIFY(count > 3000 && opened > 300 && opened < count);
    }

    void cutFiles()
    {
        const std::string good =
            contentsOf(QStringLiteral(FUSESCOPE_MODELS "/synthetic/conv_bn_blocked/model.onnx"))
                .toStdString();
        for (std::size_t size = 0; size < good.size(); size += 13)
            QVERIFY(survives(good.substr(0, size)));
    }
};

FUSESCOPE_TEST(FuzzTest, fuzz_test)
#include "fuzz_test.moc"

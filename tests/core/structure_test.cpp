#include "support/test_class.h"

#include <QDirIterator>
#include <QRegularExpression>

// The house: which folder may include which. An arrow that the table does not have is a defect.
class StructureTest : public QObject
{
    Q_OBJECT

    using Arrows = QMap<QString, QStringList>;

    static Arrows allowed()
    {
        const QStringList values = {"base", "model", "report", "diff", "layout"};
        return {{"base", {}},
                {"model", {"base"}},
                {"report", {"base", "model"}},
                {"ops", {"base", "model", "report"}},
                {"patterns", {"base", "model", "report", "ops"}},
                {"exec", {"base", "model", "report", "ops"}},
                {"passes", {"base", "model", "report", "ops", "patterns", "exec"}},
                {"io", {"base", "model", "report"}},
                {"diff", {"base", "model"}},
                {"layout", {"base"}},
                {"session",
                 {"base", "model", "report", "ops", "patterns", "exec", "passes", "io", "diff",
                  "layout"}},
                {"ui", values + QStringList{"session"}},
                {"app", values + QStringList{"session", "ui"}}};
    }

    static QString folderOf(const QString& path)
    {
        const QStringList parts = path.split('/');
        return parts.value(0) == "core" ? parts.value(1) : parts.value(0);
    }

    static QStringList sources(const QString& top)
    {
        QStringList files;
        QDirIterator it(QStringLiteral(FUSESCOPE_SOURCE_DIR) + "/" + top,
                        {"*.cpp", "*.h", "*.inc"}, QDir::Files, QDirIterator::Subdirectories);
        while (it.hasNext())
            files << it.next().mid(int(qstrlen(FUSESCOPE_SOURCE_DIR)) + 1);
        files.sort();
        // Nothing holds of no files.
        if (files.size() < 5)
            QTest::qFail(qPrintable("no sources in " + top), __FILE__, __LINE__);
        return files;
    }

    static QString textOf(const QString& path)
    {
        QFile file(QStringLiteral(FUSESCOPE_SOURCE_DIR) + "/" + path);
        return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
    }

private Q_SLOTS:
    void includesFollowTheArrows()
    {
        const Arrows arrows = allowed();
        static const QRegularExpression include("^\\s*#\\s*include\\s+\"([a-z_]+)/",
                                                QRegularExpression::MultilineOption);
        QStringList wrong;
        int seen = 0;
        for (const QString& file : sources("core") + sources("ui") + sources("app")) {
            const QString from = folderOf(file);
            if (file.startsWith("core/") && file.count('/') == 1)
                continue;
            QVERIFY2(arrows.contains(from), qPrintable(file));
            auto matches = include.globalMatch(textOf(file));
            while (matches.hasNext()) {
                const QString to = matches.next().captured(1);
                if (!arrows.contains(to))
                    continue;
                ++seen;
                if (to != from && !arrows[from].contains(to))
                    wrong << file + " includes " + to;
            }
        }
        QVERIFY(seen > 20);
        QVERIFY2(wrong.isEmpty(), qPrintable(wrong.join('\n')));
    }

    void coreHasNoQt()
    {
        static const QRegularExpression qt("#\\s*include\\s+[<\"]Q[A-Za-z]");
        for (const QString& file : sources("core"))
            QVERIFY2(!textOf(file).contains(qt), qPrintable(file));
    }

    // What they read depends on the locale, which a window sets.
    void nothingReadsNumbersByTheLocale()
    {
        static const QRegularExpression reader(QStringLiteral("\\b(std::)?(sto[dfl]d?|strto[dfl]d?|atof|sscanf)\\("));
        QStringList wrong;
        for (const QString& top : {QStringLiteral("core"), QStringLiteral("ui"), QStringLiteral("app")}) {
            for (const QString& path : sources(top)) {
                if (textOf(path).contains(reader))
                    wrong << path;
            }
        }
        QCOMPARE(wrong, QStringList());
    }

    void onlyIoKnowsOnnxAndProtobuf()
    {
        static const QRegularExpression header("#\\s*include\\s+[<\"](onnx|google/protobuf)");
        for (const QString& file : sources("core") + sources("ui") + sources("app")) {
            if (!file.startsWith("core/io/"))
                QVERIFY2(!textOf(file).contains(header), qPrintable(file));
        }
    }

    void theTopLevelHasNoOtherFolder()
    {
        const QStringList expected = {"app", "build", "core", "resources", "tests", "translations",
                                      "ui"};
        const QDir top(QStringLiteral(FUSESCOPE_SOURCE_DIR));
        for (const QString& folder : top.entryList(QDir::Dirs | QDir::NoDotAndDotDot))
            QVERIFY2(expected.contains(folder), qPrintable(folder));
    }

    void mainStaysShort()
    {
        QVERIFY(textOf("app/main.cpp").count('\n') < 60);
    }
};

FUSESCOPE_TEST(StructureTest, structure_test)
#include "structure_test.moc"

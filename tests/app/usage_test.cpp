#include "app/arguments.h"
#include "command_run.h"
#include "support/test_class.h"
#include "ui/nearest.h"
#include "ui/raw_text.h"

// Paths: FUSESCOPE_SOURCE_DIR, FUSESCOPE_BINARY_DIR.

using namespace fusescope;
using namespace fusescope::test;

namespace {

// The program through a shell, which can give it any bytes.
CommandResult shell(const QString& line)
{
    QProcess process;
    process.start(QStringLiteral("/bin/sh"), {QStringLiteral("-c"), line, program()});
    CommandResult result;
    if (!process.waitForFinished(120000))
        return result;
    result.status = process.exitCode();
    result.out = process.readAllStandardOutput();
    result.err = process.readAllStandardError();
    return result;
}

} // namespace

// What the program says to arguments that are wrong, or that ask about it.
class UsageTest : public QObject
{
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> m_folder;

    QString at(const char* name) const { return m_folder->filePath(QLatin1String(name)); }

private Q_SLOTS:
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }

    // A name that the model or the program does not have is never passed over.
    void unknownNames_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QString>("says");
        const QString model = example("residual-block");
        const auto row = [](const char* name, QStringList arguments, const char* says) {
            QTest::newRow(name) << arguments << QString::fromUtf8(says);
        };
        row("dim", {"compare", model, "--dim", "M=3"}, "a size \"M\"");
        row("dim, what there is", {"compare", model, "--dim", "batch_size=3"}, "There are: N.");
        row("shape", {"run", model, "--shape", "imag=1x3x8x8"}, "Did you mean \"image\"?");
        row("inputs", {"run", model, "--inputs", "imaeg=x.npy"}, "Did you mean \"image\"?");
        row("skip", {"explain", model, "--skip", "99"}, "there are 13 steps");
        row("step", {"run", model, "--step", "99"}, "13 steps");
        row("lang", {"info", model, "--lang", "klingon"}, "en or zh_CN");
        row("pass", {"explain", model, "--passes", "conv-batchnrom"}, "Did you mean \"conv-batchnorm\"?");
        row("disable", {"explain", model, "--disable", "foldin"}, "Did you mean \"folding\"?");
        row("target", {"explain", model, "--target", "onnxruntme"}, "Did you mean \"onnxruntime\"?");
        row("fix", {"explain", model, "--fix", "drop-nop@x"}, "Did you mean \"drop-noop\"?");
        row("pin", {"explain", model, "--pin", "stem/cnov"}, "Did you mean \"stem/conv\"?");
        row("node", {"explain", model, "--node", "stem/cnov"}, "Did you mean \"stem/conv\"?");
        row("between", {"explain", model, "--between", "stem/conv", "stem/rleu"},
            "Did you mean \"stem/relu\"?");
        row("pure", {"explain", model, "--pure", "own:Log"}, "There are none.");
        row("option", {"info", model, "--jsno"}, "Did you mean \"--json\"?");
        row("pass of a drawing", {"layout", model, "--passes", "nope"}, "no stage or rule");
        row("two models take no passes", {"compare", model, model, "--passes", "fusion"}, "one model");
        row("two models take no skips", {"diff", model, model, "--skip", "1"}, "one model");
        row("one question", {"explain", model, "--node", "a", "--between", "a", "b"}, "take one");
        row("one name", {"explain", model, "--between", "stem/conv"}, "two names");
        row("one model", {"explain", model, model}, "Usage: fusescope explain");
        row("twice", {"run", model, "--seed", "1", "--seed", "2"}, "--seed is given more than once");
        row("two outputs", {"optimize", model, "-o", "a.onnx", "-o", "b.onnx"}, "--output is given");
        row("no pass", {"explain", model, "--passes", ""}, "names no stage");
        row("backwards", {"diff", model, "--steps", "7..3"}, "earlier step first: 3..7");
        row("too many steps", {"diff", model, "--steps", "0..99"}, "There are 13 steps");
        row("contradiction", {"explain", model, "--keep-quantization", "--fold-quantization"},
            "contradict");
    }
    void unknownNames()
    {
        QFETCH(QStringList, arguments);
        QFETCH(QString, says);
        const auto result = command(arguments);
        QCOMPARE(result.status, 2);
        QVERIFY2(QString::fromUtf8(result.err).contains(says), result.err.constData());
        QVERIFY(result.out.isEmpty());
        // The same as a document.
        const auto document = command(arguments + QStringList{"--json"});
        QCOMPARE(document.status, 2);
        QCOMPARE(document.json()["schema"].toInt(), 1);
        QCOMPARE(document.json()["error"].toObject()["status"].toInt(), 2);
    }

    void numbers_data()
    {
        QTest::addColumn<QString>("command");
        QTest::addColumn<QString>("option");
        QTest::addColumn<QStringList>("values");
        const QString huge = QStringLiteral("99999999999999999999");
        QTest::newRow("threads") << "bench" << "--threads" << QStringList{"0", "-1", "257", huge, "1.5", ""};
        QTest::newRow("threads of run") << "run" << "--threads" << QStringList{"0", "-3", "two"};
        QTest::newRow("repeat") << "bench" << "--repeat" << QStringList{"0", "-1", "1000001", huge};
        QTest::newRow("seed") << "run" << "--seed" << QStringList{"-1", huge, "x"};
        QTest::newRow("step") << "run" << "--step" << QStringList{"-1", "99999999999", huge};
        QTest::newRow("max-steps") << "explain" << "--max-steps" << QStringList{"-1", "99999999999"};
        QTest::newRow("max-growth") << "explain" << "--max-growth" << QStringList{"-1", huge, "1G"};
        QTest::newRow("skip") << "explain" << "--skip" << QStringList{"0", "-1", huge, "a"};
        QTest::newRow("rtol") << "compare" << "--rtol" << QStringList{"-1", "nan", "inf", "x"};
        QTest::newRow("dim") << "run" << "--dim" << QStringList{"N=-1", "N=", "N", "=3", "N=x"};
        QTest::newRow("shape") << "run" << "--shape"
                               << QStringList{"image=1x-3x8x8", "image", "image=1xx8", "image=axb"};
        QTest::newRow("steps") << "diff" << "--steps"
                               << QStringList{"3", "5..2", "0..99", "0..99999999999", "a..b", "-1..2"};
    }
    void numbers()
    {
        QFETCH(QString, command);
        QFETCH(QString, option);
        QFETCH(QStringList, values);
        for (const QString& value : values) {
            const auto result =
                test::command({command, example("residual-block"), option, value});
            QVERIFY2(result.status == 2, qPrintable(option + QLatin1Char(' ') + value));
            QVERIFY(result.err.contains(option.toUtf8()));
        }
    }

    // Usage with its operands and an example that would be understood.
    void helpOfEachCommand()
    {
        for (const Command& one : commands()) {
            const auto result = command({QLatin1String(one.name), "--help"});
            QCOMPARE(result.status, 0);
            const QString text = QString::fromUtf8(result.out);
            QVERIFY(text.startsWith(QStringLiteral("Usage: fusescope %1 %2")
                                        .arg(QLatin1String(one.name), QString::fromUtf8(one.operands))));
            QVERIFY(text.contains(QLatin1String(one.example)));
            QVERIFY(text.contains(QLatin1String("--json")));
            const QStringList words = QString::fromUtf8(one.example).split(QLatin1Char(' '));
            QCOMPARE(words.first(), QString::fromUtf8(one.name));
            QString error;
            QVERIFY2(Arguments::parse(one, words.mid(1), &error).has_value(), qPrintable(error));
            for (const QString& line : text.split(QLatin1Char('\n')))
                QVERIFY2(line.size() <= 100, qPrintable(line));
            QCOMPARE(command({QLatin1String(one.name), "--version"}).out,
                     command({"--version"}).out);
        }
        QVERIFY(command({"--help"}).out.contains("conformance DIR"));
    }

    void unknownCommands()
    {
        const auto result = command({"optimise", example("gelu")});
        QCOMPARE(result.status, 2);
        QVERIFY(result.err.contains("no command or file \"optimise\""));
        QVERIFY(result.err.contains("Did you mean \"optimize\"?"));
        const auto nope = command({"nope", example("gelu"), "--json"});
        QCOMPARE(nope.status, 2);
        QVERIFY(nope.err.contains("There are: optimize, explain"));
        QCOMPARE(nope.json()["error"].toObject()["status"].toInt(), 2);
        const auto early = command({"--json", "info", example("gelu")});
        QCOMPARE(early.status, 2);
        QVERIFY(early.err.contains("after the command"));
    }

    // Without a display the window says so, and everything else works in silence, even where the
    // system has no place for a session's files.
    void withoutADisplay()
    {
        const QString bare = QStringLiteral("env -u DISPLAY -u WAYLAND_DISPLAY -u QT_QPA_PLATFORM "
                                            "-u XDG_RUNTIME_DIR \"$0\" ");
        const auto window = shell(bare + example("gelu"));
        QCOMPARE(window.status, 2);
        QVERIFY(window.err.contains("no display"));
        for (const char* line : {"info MODEL", "layout MODEL", "render MODEL -o OUT.svg --quiet",
                                 "report MODEL -o OUT.html --quiet", "optimize MODEL -o OUT.onnx --quiet"}) {
            QString words = QLatin1String(line);
            words.replace(QLatin1String("MODEL"), example("gelu"));
            words.replace(QLatin1String("OUT"), at("out"));
            const auto result = shell(bare + words);
            QCOMPARE(result.status, 0);
            QCOMPARE(QString::fromUtf8(result.err), QString());
        }
    }

    // --quiet: no steps, no news; but what went wrong, and what is not proved.
    void quiet()
    {
        const auto fine = command({"optimize", example("gelu"), "-o", at("a.onnx"), "--quiet"});
        QCOMPARE(fine.status, 0);
        QVERIFY(fine.out.isEmpty() && fine.err.isEmpty());
        QVERIFY(QFile::exists(at("a.onnx")));
        const auto again = command({"optimize", example("gelu"), "-o", at("a.onnx"), "--quiet"});
        QCOMPARE(again.status, 5);
        QVERIFY(!again.err.isEmpty());
        const auto partial =
            command({"optimize", example("custom-operators"), "-o", at("b.onnx"), "--quiet"});
        QCOMPARE(partial.status, 0);
        QVERIFY(partial.out.isEmpty());
        QVERIFY(partial.err.contains("Not fully proved"));
        // What a command is asked for is no news.
        QVERIFY(!command({"explain", example("gelu"), "--quiet"}).out.isEmpty());
        QVERIFY(!command({"optimize", example("gelu"), "-o", at("c.onnx"), "--quiet", "--json"})
                     .json()
                     .isEmpty());
    }

    // A file's name is bytes: they need not be UTF-8, and a document stays one.
    void namesThatAreNotUtf8()
    {
        QVERIFY(QFile::copy(example("conv-batchnorm"), at("m.onnx")));
        const QString folder = m_folder->path() + QStringLiteral("/d$(printf '\\377\\376')");
        const QString go = QStringLiteral("mkdir -p \"%1\" && cp \"%2\" \"%1/m$(printf '\\303')é.onnx\" && ")
                               .arg(folder, at("m.onnx"));
        const QString model = QStringLiteral("\"%1/m$(printf '\\303')é.onnx\"").arg(folder);
        const auto info = shell(go + QStringLiteral("\"$0\" info %1 --json").arg(model));
        QCOMPARE(info.status, 0);
        QVERIFY(!info.json().isEmpty());
        for (const char* line : {"optimize %1 -o \"%2/o$(printf '\\200').onnx\" --json",
                                 "report %1 -o \"%2/r$(printf '\\200').html\" --json",
                                 "render %1 -o \"%2/r$(printf '\\200').svg\" --json",
                                 "run %1 -o \"%2/r$(printf '\\200').npz\" --json",
                                 "compare %1 \"%2/o$(printf '\\200').onnx\" --json",
                                 "run %1 --inputs \"%2/r$(printf '\\200')\" --json"}) {
            const auto result =
                shell(QStringLiteral("\"$0\" ") + QString::fromUtf8(line).arg(model, folder));
            const bool isInput = QByteArray(line).contains("--inputs");
            QCOMPARE(result.status, isInput ? 3 : 0);
            QVERIFY2(!result.json().isEmpty(), result.out.constData());
        }
        const auto list = shell(QStringLiteral("ls \"%1\" | wc -l").arg(folder));
        QCOMPARE(list.out.trimmed(), QByteArray("5"));
        const auto found = shell(QStringLiteral("test -f \"%1/o$(printf '\\200').onnx\"").arg(folder));
        QCOMPARE(found.status, 0);
        QCOMPARE(shell(QStringLiteral("rm -r \"%1\"").arg(folder)).status, 0); // Qt cannot
    }

    void bytesComeBack_data()
    {
        QTest::addColumn<QByteArray>("bytes");
        QTest::newRow("text") << QByteArray("plain é 汉 \xF0\x9F\x99\x82.onnx");
        QTest::newRow("no UTF-8") << QByteArray("a\xFF\xFE b\x80");
        QTest::newRow("cut sequence") << QByteArray("a\xE6\xB1");
        QTest::newRow("too long") << QByteArray("\xC0\xAF\xE0\x80\xAF");
        QTest::newRow("surrogates") << QByteArray("\xED\xA0\x80\xED\xB0\x80");
        QTest::newRow("beyond the last") << QByteArray("\xF4\x90\x80\x80");
    }
    void bytesComeBack()
    {
        QFETCH(QByteArray, bytes);
        const std::string given = bytes.toStdString();
        QCOMPARE(bytesOf(textOfBytes(given)), given);
    }

    void nearestNames()
    {
        const QStringList names{"optimize", "explain", "compare", "render", "report", "run"};
        QCOMPARE(nearestOf("optimise", names), QStringLiteral("optimize"));
        QCOMPARE(nearestOf("reprot", names), QStringLiteral("report"));
        QCOMPARE(nearestOf("RUN", names), QStringLiteral("run"));
        QCOMPARE(nearestOf("nothing like it", names), QString());
        QCOMPARE(nearestOf("", names), QString());
        QCOMPARE(insteadOf("zzz", {}), QStringLiteral("There are none."));
        QVERIFY(insteadOf("zzz", names).contains("optimize, explain"));
    }
};

FUSESCOPE_TEST(UsageTest, usage_test)
#include "usage_test.moc"

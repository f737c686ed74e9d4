#include "command_run.h"
#include "support/test_class.h"

#include <csignal>
#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

// Paths: FUSESCOPE_SOURCE_DIR, FUSESCOPE_BINARY_DIR.

using namespace fusescope;
using namespace fusescope::test;

namespace {

// A network with much to compute and weights that no reader can fold: minutes on the reference.
constexpr std::string_view heavy = R"(
    net (float[1, 64, 224, 224] x) => (float[1, 64, 224, 224] y)
    <float[64, 64, 3, 3] a = random(1), float[64, 64, 3, 3] b = random(2),
     float[64, 64, 3, 3] c = random(3), float[64, 64, 3, 3] d = random(4)>
    {
        p = Conv <pads = [1, 1, 1, 1]> (x, a)  q = Relu (p)
        r = Conv <pads = [1, 1, 1, 1]> (q, b)  s = Relu (r)
        t = Conv <pads = [1, 1, 1, 1]> (s, c)  u = Relu (t)
        v = Conv <pads = [1, 1, 1, 1]> (u, d)  y = Relu (v)
    })";

} // namespace

// What a command ends with, and that nothing half-written stays.
class ExitStatusTest : public QObject
{
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> m_folder;

    QString at(const char* name) const { return m_folder->filePath(QLatin1String(name)); }

    QString write(const char* name, const QByteArray& bytes) const
    {
        return fileOf(bytes, *m_folder, name);
    }

private Q_SLOTS:
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }

    void allRight()
    {
        const auto result = command({"optimize", example("conv-batchnorm"), "-o", at("out.onnx")});
        QCOMPARE(result.status, 0);
        QCOMPARE(filesIn(*m_folder), QStringList{"out.onnx"});
        QVERIFY(result.err.contains("outputs agree"));
    }

    // What was wrong in the source is not made right by writing it: it is said.
    void problemsOfTheSource()
    {
        const QString model = modelFile(R"(<ir_version: 8, opset_import: ["" : 17]>
            net (float[2] x) => (float[2] y, float[2] z)
            { y = Neg (x)  z = Relu (x, x) })",
                                        *m_folder, QStringLiteral("wrong.onnx"));
        const auto problems = command({"info", model, "--json"}).json()["problems"].toArray();
        const auto errors = std::ranges::count_if(problems, [](const QJsonValue& problem) {
            return problem.toObject()["severity"] == QStringLiteral("error");
        });
        QCOMPARE(errors, 1);
        const auto result = command({"optimize", model, "-o", at("out.onnx")});
        QCOMPARE(result.status, 0);
        QVERIFY2(result.err.contains("The source has 1 problem, and so has the written file"),
                 result.err.constData());
    }

    void theAnswerIsNo()
    {
        const QString one = modelFile("net (float[2] x) => (float[2] y) { y = Neg (x) }",
                                      *m_folder, QStringLiteral("one.onnx"));
        const QString two = modelFile("net (float[2] x) => (float[2] y) { y = Exp (x) }",
                                      *m_folder, QStringLiteral("two.onnx"));
        const auto compared = command({"compare", one, two, "--json"});
        QCOMPARE(compared.status, 1);
        QCOMPARE(compared.json()["status"].toString(), QStringLiteral("fail"));
        QCOMPARE(command({"compare", one, one}).status, 0);
        const QStringList optimize{"optimize", example("second-reader"), "--force", "-o",
                                   at("out.onnx")};
        QCOMPARE(command(optimize).status, 0);
        QCOMPARE(command(optimize + QStringList{"--fail-on-blocked"}).status, 1);
        QCOMPARE(command({"compare", example("second-reader")}).status, 0);
        QCOMPARE(command({"compare", example("second-reader"), "--fail-on-blocked"}).status, 1);
        const QString second = example("second-reader");
        const QList<QStringList> others{{"explain", second},
                                        {"explain", second, "--between", "conv", "relu"},
                                        {"run", second},
                                        {"bench", second, "--repeat", "1"},
                                        {"bench", second, "--repeat", "1", "--json"},
                                        {"diff", second, "--steps", "0..0"},
                                        {"layout", second},
                                        {"layout", second, "--union", "--json"},
                                        {"render", second, "-o", at("picture.svg")},
                                        {"report", second, "-o", at("report.md")}};
        for (const QStringList& other : others) {
            const QStringList force = other.contains("-o") ? QStringList{"--force"} : QStringList{};
            QCOMPARE(command(other + force).status, 0);
            QCOMPARE(command(other + force + QStringList{"--fail-on-blocked"}).status, 1);
        }
    }

    // What is read is never written, by whatever name; nor is what is no file.
    void whatIsReadStays()
    {
        const QString model = modelFile("net (float[2] x) => (float[2] y) { y = Neg (x) }",
                                        *m_folder, QStringLiteral("model.onnx"));
        QVERIFY(QFile::link(model, at("link.npz")));
        QCOMPARE(command({"run", model, "-o", at("link.npz"), "--force"}).status, 5);
        QCOMPARE(command({"info", model}).status, 0);
        QCOMPARE(command({"run", model, "-o", at("x.npz")}).status, 0);
        QCOMPARE(command({"run", model, "-o", at("x.npz"), "--force"}).status, 0);
        QVERIFY(QDir(m_folder->path()).mkdir(QStringLiteral("folder")));
        QCOMPARE(command({"optimize", model, "-o", at("folder"), "--force"}).status, 5);
        QVERIFY(QFileInfo(at("folder")).isDir());
    }

    // A proof that fails writes nothing: no difference at all is allowed, and there is one.
    void aFailedProofWritesNothing()
    {
        const auto result = command({"optimize", example("conv-batchnorm"), "-o", at("out.onnx"),
                                     "--rtol", "0", "--atol", "0", "--json"});
        QCOMPARE(result.status, 1);
        QCOMPARE(result.json()["verification"].toObject()["status"].toString(),
                 QStringLiteral("fail"));
        QVERIFY(result.json()["output"].isNull());
        QVERIFY(filesIn(*m_folder).isEmpty());
    }

    void wrongUsage_data()
    {
        QTest::addColumn<QStringList>("arguments");
        const QString model = example("conv-batchnorm");
        QTest::newRow("no output") << QStringList{"optimize", model};
        QTest::newRow("no model") << QStringList{"optimize", "-o", "out.onnx"};
        QTest::newRow("an option that is none") << QStringList{"info", model, "--nonsense"};
        QTest::newRow("a pass that is none") << QStringList{"explain", model, "--passes", "nonsense"};
        QTest::newRow("no number") << QStringList{"explain", model, "--max-steps", "many"};
        QTest::newRow("a form that is none")
            << QStringList{"optimize", model, "-o", "out.onnx", "--form", "other"};
        QTest::newRow("a step too far") << QStringList{"run", model, "--step", "1000"};
        QTest::newRow("a picture of no kind") << QStringList{"render", model, "-o", "out.gif"};
        QTest::newRow("an input that is none") << QStringList{"run", model, "--shape", "x"};
    }
    void wrongUsage()
    {
        QFETCH(QStringList, arguments);
        const auto result = command(arguments);
        QCOMPARE(result.status, 2);
        QVERIFY(!result.err.isEmpty());
    }

    void unreadable()
    {
        QCOMPARE(command({"info", at("missing.onnx")}).status, 3);
        write("broken.onnx", QByteArray("\x3a\xff\xff\xff\x7f garbage", 14));
        const auto broken = command({"info", at("broken.onnx"), "--json"});
        QCOMPARE(broken.status, 3);
        QCOMPARE(broken.json()["error"].toObject()["status"].toInt(), 3);
        write("values.npy", "no array");
        QCOMPARE(command({"run", example("conv-batchnorm"), "--inputs",
                          QStringLiteral("x=") + at("values.npy")})
                     .status,
                 3);
        QCOMPARE(command({"explain", example("conv-batchnorm"), "--plan", at("missing.json")}).status,
                 3);
    }

    void cannotBeDone()
    {
        const QString model = modelFile(
            R"(<ir_version: 8, opset_import: ["" : 17, "own" : 1]>
               net (float[2] x) => (float[2] y) { y = own.Odd (x) })",
            *m_folder, QStringLiteral("odd.onnx"));
        const auto result = command({"run", model, "--json"});
        QCOMPARE(result.status, 4);
        QVERIFY(result.json()["error"].toObject()["message"].toString().contains("own.Odd"));
        // An export of it is partial, and that is all right.
        const auto written = command({"optimize", model, "-o", at("out.onnx"), "--json"});
        QCOMPARE(written.status, 0);
        QCOMPARE(written.json()["verification"].toObject()["status"].toString(),
                 QStringLiteral("partial"));
    }

    void notWritten()
    {
        const QString model = example("conv-batchnorm");
        write("there.onnx", "something else");
        QCOMPARE(command({"optimize", model, "-o", at("there.onnx")}).status, 5);
        QCOMPARE(command({"optimize", model, "-o", at("no/folder/out.onnx")}).status, 5);
        QCOMPARE(filesIn(*m_folder), QStringList{"there.onnx"});
        QFile file(at("there.onnx"));
        QVERIFY(file.open(QIODevice::ReadOnly));
        QCOMPARE(file.readAll(), QByteArray("something else"));
        // The source never, not even by force.
        QVERIFY(QFile::copy(model, at("source.onnx")));
        QCOMPARE(command({"optimize", at("source.onnx"), "-o", at("source.onnx"), "--force"}).status,
                 5);
        QCOMPARE(command({"render", model, "-o", at("no/folder/out.svg")}).status, 5);
        QCOMPARE(command({"report", model, "-o", at("there.onnx")}).status, 2);
    }

    void cancelled_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::newRow("optimize") << QStringList{"optimize", "MODEL", "-o", "OUT"};
        QTest::newRow("compare") << QStringList{"compare", "MODEL"};
        QTest::newRow("bench") << QStringList{"bench", "MODEL", "--repeat", "1000000"};
        QTest::newRow("run") << QStringList{"run", "MODEL", "--executor", "reference"};
    }
    void cancelledWhilePrinting_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::newRow("explain") << QStringList{"explain", "MODEL"};
        QTest::newRow("optimize") << QStringList{"optimize", "MODEL", "-o", "OUT", "--no-verify"};
    }
    // Ctrl+C while nobody reads the answer: the rest of it does not come.
    void cancelledWhilePrinting()
    {
        QFETCH(QStringList, arguments);
        std::string text = "g (float[4] x) => (float[4] y) { v0 = Neg (x)\n";
        constexpr int count = 4000; // each Identity is a step with a line of its own
        for (int i = 1; i <= count; ++i)
            text += "v" + std::to_string(i) + " = Identity (v" + std::to_string(i - 1) + ")\n";
        text += "y = Neg (v" + std::to_string(count) + ") }";
        arguments.replaceInStrings("MODEL", modelFile(text, *m_folder, QStringLiteral("m.onnx")));
        arguments.replaceInStrings("OUT", at("out.onnx"));
        const QByteArray pipe = QFile::encodeName(at("pipe"));
        QCOMPARE(::mkfifo(pipe.constData(), 0600), 0);
        const int end = ::open(pipe.constData(), O_RDONLY | O_NONBLOCK);
        QVERIFY(end >= 0);
        QProcess process;
        process.setStandardOutputFile(at("pipe"));
        process.start(program(), arguments);
        QVERIFY(process.waitForStarted());
        // The pipe is full: it waits within the answer.
        const int room = ::fcntl(end, F_GETPIPE_SZ);
        QVERIFY(QTest::qWaitFor(
            [end, room] {
                int waiting = 0;
                return ::ioctl(end, FIONREAD, &waiting) == 0 && waiting > room - 4096;
            },
            60000));
        const auto pid = static_cast<pid_t>(process.processId());
        QCOMPARE(::kill(pid, SIGINT), 0);
        // The signal has been taken.
        QVERIFY(QTest::qWaitFor(
            [pid] {
                QFile status(QStringLiteral("/proc/%1/status").arg(pid));
                return status.open(QIODevice::ReadOnly) &&
                       status.readAll().contains("ShdPnd:\t0000000000000000");
            },
            60000));
        QByteArray read;
        char buffer[65536];
        QVERIFY(QTest::qWaitFor(
            [&] {
                process.waitForFinished(1);
                for (ssize_t n = 0; (n = ::read(end, buffer, sizeof(buffer))) > 0;)
                    read.append(buffer, n);
                return process.state() == QProcess::NotRunning;
            },
            60000));
        ::close(end);
        QCOMPARE(process.exitStatus(), QProcess::NormalExit);
        QCOMPARE(process.exitCode(), 130);
        QVERIFY(read.count('\n') < count);
    }

    // Ctrl+C while it computes: 130, and nothing half-written stays.
    void cancelled()
    {
        QFETCH(QStringList, arguments);
        arguments.replaceInStrings("MODEL", modelFile(heavy, *m_folder, QStringLiteral("m.onnx")));
        arguments.replaceInStrings("OUT", at("out.onnx"));
        QProcess process;
        process.start(program(), arguments + QStringList{"--progress", "always"});
        QVERIFY(process.waitForStarted());
        // It computes once it says so.
        QByteArray said;
        QVERIFY(QTest::qWaitFor(
            [&] {
                process.waitForReadyRead(50);
                said += process.readAllStandardError();
                return said.contains("Running") || said.contains("Timing");
            },
            60000));
        QCOMPARE(process.state(), QProcess::Running);
        QCOMPARE(::kill(static_cast<pid_t>(process.processId()), SIGINT), 0);
        QVERIFY(process.waitForFinished(60000));
        QCOMPARE(process.exitStatus(), QProcess::NormalExit);
        QCOMPARE(process.exitCode(), 130);
        QCOMPARE(filesIn(*m_folder), QStringList{"m.onnx"});
    }

    // Where the machine has less than a run may use, it ends with an error and not with an abort.
    void endsWithoutMemory_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::newRow("reference") << QStringList{"run", "--executor", "reference"};
        QTest::newRow("fused") << QStringList{"run"};
        QTest::newRow("bench") << QStringList{"bench", "--repeat", "1"};
    }
    void endsWithoutMemory()
    {
        QFETCH(QStringList, arguments);
        arguments << modelFile("g (float[1] x) => (float[N] y) <int64[1] s = {1073741824}> "
                               "{ z = ConstantOfShape (s) y = Add (z, x) }",
                               *m_folder, QStringLiteral("fill.onnx"));
        QProcess process;
        process.setChildProcessModifier([] {
            const rlimit three{rlim_t{3} << 30, rlim_t{3} << 30};
            setrlimit(RLIMIT_AS, &three);
        });
        process.start(program(), arguments);
        QVERIFY(process.waitForFinished(120000));
        QCOMPARE(process.exitStatus(), QProcess::NormalExit);
        QCOMPARE(process.exitCode(), 4);
    }
};

FUSESCOPE_TEST(ExitStatusTest, exit_status_test)
#include "exit_status_test.moc"

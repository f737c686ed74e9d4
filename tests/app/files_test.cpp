#include "command_run.h"
#include "support/test_class.h"

#include <csignal>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

// Paths: FUSESCOPE_SOURCE_DIR, FUSESCOPE_BINARY_DIR.

using namespace fusescope;
using namespace fusescope::test;

namespace {

// 24 MB of weights, so that they are mapped, and a network that takes its time.
constexpr std::string_view large = R"(
    net (float[1, 64, 160, 160] x) => (float[1, 64, 160, 160] y)
    <float[64, 64, 3, 3] a = random(1), float[64, 64, 3, 3] b = random(2), float[6000000] w = random(3)>
    {
        p = Conv <pads = [1, 1, 1, 1]> (x, a)  q = Relu (p)
        r = Conv <pads = [1, 1, 1, 1]> (q, b)  s = Relu (r)
        m = ReduceMax <keepdims = 0> (w)
        y = Mul (s, m)
    })";

// A model whose weights lie in `location` beside it.
QByteArray external(const QByteArray& location, const QByteArray& length = "32")
{
    const auto field = [](int number, const QByteArray& bytes) {
        const auto size = bytes.size(); // two bytes of it: up to 16383
        return QByteArray(1, char(number << 3 | 2)) + char((size & 0x7F) | 0x80) +
               char(size >> 7) + bytes;
    };
    const auto varint = [](int number, int value) {
        return QByteArray(1, char(number << 3)) + char(value);
    };
    const auto entry = [&](const QByteArray& key, const QByteArray& value) {
        return field(13, field(1, key) + field(2, value));
    };
    const QByteArray type = field(1, varint(1, 1) + field(2, field(1, varint(1, 8))));
    const auto port = [&](const QByteArray& name) { return field(1, name) + field(2, type); };
    const QByteArray weights = varint(1, 8) + varint(2, 1) + field(8, "w") +
                               entry("location", location) + entry("length", length) + varint(14, 1);
    const QByteArray node = field(1, "x") + field(1, "w") + field(2, "y") + field(3, "add") + field(4, "Add");
    const QByteArray graph = field(1, node) + field(2, "g") + field(5, weights) +
                             field(11, port("x")) + field(12, port("y"));
    return varint(1, 8) + field(8, field(1, "") + varint(2, 17)) + field(7, graph);
}

// Waits until a command tells that it runs the model; what it said on stderr until then.
bool saysThatItRuns(QProcess& process, QByteArray& said)
{
    return QTest::qWaitFor(
        [&] {
            process.waitForReadyRead(50);
            said += process.readAllStandardError();
            return said.contains("Running");
        },
        60000);
}

} // namespace

// An unhappy day: files that are not there, are something else, change, or cannot be written. Each
// ends with its status and a sentence that names the file, and leaves nothing half-written.
class FilesTest : public QObject
{
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> m_folder;

    QString at(const char* name) const { return m_folder->filePath(QLatin1String(name)); }

    QString write(const char* name, const QByteArray& bytes) const
    {
        return fileOf(bytes, *m_folder, name);
    }

    // The program under a shell's limits.
    CommandResult limited(const QString& limit, const QStringList& arguments) const
    {
        QProcess process;
        process.start(QStringLiteral("/bin/sh"),
                      QStringList{QStringLiteral("-c"), limit + QStringLiteral("; exec \"$0\" \"$@\""),
                                  program()} +
                          arguments);
        process.waitForFinished(120000);
        CommandResult result;
        result.status = process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -2;
        result.out = process.readAllStandardOutput();
        result.err = process.readAllStandardError();
        return result;
    }

private Q_SLOTS:
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }

    void whatIsNoFile()
    {
        QCOMPARE(::mkfifo(qPrintable(at("pipe.onnx")), 0600), 0);
        for (const QString& path : {at("pipe.onnx"), m_folder->path(), at("missing.onnx"),
                                    QStringLiteral("/dev/null"), QStringLiteral("/dev/zero")}) {
            const auto result = command({"info", path, "--json"});
            QCOMPARE(result.status, 3);
            QVERIFY2(QString::fromUtf8(result.err).contains(path), result.err.constData());
            QCOMPARE(result.json()["error"].toObject()["file"].toString(), path);
        }
        write("empty.onnx", QByteArray());
        QCOMPARE(command({"info", at("empty.onnx")}).status, 3);
    }

    // The graph of a model whose weights are lost opens all the same; none outside its folder are
    // looked at.
    void externalData_data()
    {
        QTest::addColumn<QByteArray>("location");
        QTest::addColumn<QByteArray>("length");
        QTest::addColumn<bool>("fine");
        QTest::newRow("beside") << QByteArray("w.data") << QByteArray("32") << true;
        QTest::newRow("missing") << QByteArray("none.data") << QByteArray("32") << false;
        QTest::newRow("too short") << QByteArray("short.data") << QByteArray("32") << false;
        QTest::newRow("other length") << QByteArray("w.data") << QByteArray("99") << false;
        QTest::newRow("no number") << QByteArray("w.data") << QByteArray("-4") << false;
        QTest::newRow("absolute") << m_outside.toUtf8() << QByteArray("32") << false;
        QTest::newRow("above") << QByteArray("../w.data") << QByteArray("32") << false;
        QTest::newRow("a link out") << QByteArray("link.data") << QByteArray("32") << false;
        QTest::newRow("a folder") << QByteArray("sub") << QByteArray("32") << false;
    }
    void externalData()
    {
        QFETCH(QByteArray, location);
        QFETCH(QByteArray, length);
        QFETCH(bool, fine);
        QDir(m_folder->path()).mkdir(QStringLiteral("sub"));
        const QByteArray weights("\0\0\200?\0\0\200?\0\0\200?\0\0\200?\0\0\200?\0\0\200?\0\0\200?\0\0\200?", 32);
        write("w.data", weights);
        write("short.data", weights.left(8));
        QFile::link(m_outside, at("link.data"));
        const QString model = write("m.onnx", external(location, length));
        const auto info = command({"info", model, "--json"});
        QCOMPARE(info.status, 0);
        QCOMPARE(info.json()["problems"].toArray().isEmpty(), fine);
        QCOMPARE(command({"run", model}).status, fine ? 0 : 3);
        const auto written = command({"optimize", model, "-o", at("out.onnx"), "--json"});
        if (fine)
            QCOMPARE(written.json()["verification"].toObject()["status"].toString(),
                     QStringLiteral("pass"));
        else
            QVERIFY(written.json()["verification"].toObject()["status"].toString() !=
                    QLatin1String("pass"));
    }

    // A file that may not grow, as on a full disk.
    void noRoomToWrite_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::newRow("optimize") << QStringList{"optimize", "MODEL", "-o", "out.onnx", "--no-verify"};
        QTest::newRow("external") << QStringList{"optimize", "MODEL", "-o", "out.onnx", "--no-verify",
                                                 "--external-data", "always"};
        QTest::newRow("run") << QStringList{"run", "MODEL", "-o", "out.npz"};
        QTest::newRow("folder") << QStringList{"run", "MODEL", "-o", "out"};
        QTest::newRow("report") << QStringList{"report", "MODEL", "-o", "out.html"};
        QTest::newRow("render") << QStringList{"render", "MODEL", "-o", "out.svg"};
    }
    void noRoomToWrite()
    {
        QFETCH(QStringList, arguments);
        QTemporaryDir models;
        const QString model =
            modelFile("net (float[300] x) => (float[300] y) <float[300] w = random(1)> "
                      "{ y = Add (x, w) }",
                      models, QStringLiteral("m.onnx"));
        arguments.replaceInStrings(QStringLiteral("MODEL"), model);
        const auto result =
            limited(QStringLiteral("cd \"%1\"; ulimit -f 1").arg(m_folder->path()), arguments);
        QCOMPARE(result.status, 5);
        QVERIFY(result.err.contains("out"));
        QCOMPARE(filesIn(*m_folder), QStringList());
    }

    void noPlaceToWrite()
    {
        const QString model = example("conv-batchnorm");
        const QString missing = at("no/folder/out");
        for (const QString& ending : {QStringLiteral(".onnx"), QStringLiteral(".html")})
            QCOMPARE(command({ending == QLatin1String(".onnx") ? "optimize" : "report", model, "-o",
                              missing + ending})
                         .status,
                     5);
        QCOMPARE(command({"run", model, "-o", missing + QStringLiteral(".npz")}).status, 5);
        // Values have their endings: another one is asked for wrongly, and nothing is run for it.
        QCOMPARE(command({"run", model, "-o", at("out.txt")}).status, 2);
        QCOMPARE(command({"render", model, "-o", at("out.gif")}).status, 2);
        QCOMPARE(command({"report", model, "-o", at("out.txt")}).status, 2);
        const QString two = example("residual-block");
        QCOMPARE(command({"run", two, "-o", at("one.npy")}).status, 4);
        QVERIFY(filesIn(*m_folder).isEmpty());
        if (::geteuid() != 0) {
            QCOMPARE(::chmod(qPrintable(m_folder->path()), 0500), 0);
            QCOMPARE(command({"optimize", model, "-o", at("out.onnx")}).status, 5);
            ::chmod(qPrintable(m_folder->path()), 0700);
        }
    }

    void nobodyReadsTheAnswer()
    {
        const auto result = limited(QStringLiteral("exec > /dev/full"), {"info", example("gelu")});
        QCOMPARE(result.status, 5);
        QVERIFY(result.err.contains("standard output"));
    }

    // Weights that another program cuts off or writes over while they are in use: no crash, and
    // nothing is written that was made of them.
    void changedWhileOpen_data()
    {
        QTest::addColumn<bool>("shorten");
        QTest::newRow("shortened") << true;
        QTest::newRow("written over") << false;
    }
    void changedWhileOpen()
    {
        QFETCH(bool, shorten);
        const QString model = modelFile(large, *m_folder, QStringLiteral("m.onnx"));
        QProcess process;
        process.start(program(), {"optimize", model, "-o", at("out.onnx"), "--disable", "folding",
                                  "--progress", "always"});
        QVERIFY(process.waitForStarted());
        QByteArray said;
        QVERIFY(saysThatItRuns(process, said));
        QFile file(model);
        if (shorten) {
            QVERIFY(file.resize(1000));
        } else {
            QVERIFY(file.open(QIODevice::ReadWrite));
            QVERIFY(file.seek(file.size() / 2));
            QCOMPARE(file.write(QByteArray(4096, 'x')), 4096);
        }
        file.close();
        QVERIFY(process.waitForFinished(120000));
        QCOMPARE(process.exitStatus(), QProcess::NormalExit);
        QCOMPARE(process.exitCode(), 3);
        said += process.readAllStandardError();
        QVERIFY(said.contains("was changed while it was open"));
        QCOMPARE(filesIn(*m_folder), QStringList{"m.onnx"});
    }

    // A second Ctrl+C ends the program at once; what it was writing goes with it.
    void interruptedTwice()
    {
        const QString model = modelFile(large, *m_folder, QStringLiteral("m.onnx"));
        QProcess process;
        process.start(program(), {"optimize", model, "-o", at("out.onnx"), "--progress", "always"});
        QVERIFY(process.waitForStarted());
        QByteArray said;
        QVERIFY(saysThatItRuns(process, said));
        QVERIFY(filesIn(*m_folder).size() > 1); // the draft
        const auto pid = static_cast<pid_t>(process.processId());
        ::kill(pid, SIGINT);
        QTest::qWait(1);
        ::kill(pid, SIGINT);
        QVERIFY(process.waitForFinished(60000));
        QCOMPARE(process.exitCode(), 130);
        QCOMPARE(filesIn(*m_folder), QStringList{"m.onnx"});
    }

private:
    QTemporaryDir m_elsewhere;
    QString m_outside = [this] {
        QFile file(m_elsewhere.filePath(QStringLiteral("outside.data")));
        if (file.open(QIODevice::WriteOnly))
            file.write(QByteArray(32, 'a'));
        return file.fileName();
    }();
};

FUSESCOPE_TEST(FilesTest, files_test)
#include "files_test.moc"

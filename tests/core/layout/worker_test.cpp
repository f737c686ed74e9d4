#include "core/layout/checks.h"
#include "core/layout/families.h"
#include "support/test_class.h"

#include <QElapsedTimer>
#include <QTemporaryDir>
#include <csignal>
#include <thread>

using namespace fusescope;
using checks::draw;
using checks::problemsOf;

namespace {

// The silent workers sleep for 100 s: below this bound, of milliseconds, nobody waited for them. It
// can tell a hang and nothing else.
constexpr int hang = 60'000;

} // namespace

// Whatever becomes of the worker process, there is a drawing.
class WorkerTest : public QObject
{
    Q_OBJECT

    QTemporaryDir m_folder;

    std::string script(const char* name, const char* text)
    {
        QFile file(m_folder.filePath(name));
        if (!file.open(QIODevice::WriteOnly))
            return {};
        file.write("#!/bin/sh\n");
        file.write(text);
        file.close();
        file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
        return file.fileName().toStdString();
    }

    static std::vector<pid_t> workers()
    {
        std::vector<pid_t> found;
        for (const QString& task :
             QDir("/proc/self/task").entryList(QDir::Dirs | QDir::NoDotAndDotDot)) {
            QFile file("/proc/self/task/" + task + "/children");
            if (!file.open(QIODevice::ReadOnly))
                continue;
            for (const QByteArray& pid : file.readAll().split(' ')) {
                QFile name("/proc/" + pid.trimmed() + "/comm");
                if (!pid.trimmed().isEmpty() && name.open(QIODevice::ReadOnly) &&
                    name.readAll().startsWith("fusescope-layou"))
                    found.push_back(pid.trimmed().toInt());
            }
        }
        return found;
    }

private Q_SLOTS:
    void badWorkers_data()
    {
        QTest::addColumn<QString>("path");
        const auto row = [this](const char* name, const char* text) {
            QTest::newRow(name) << QString::fromStdString(script(name, text));
        };
        QTest::newRow("missing") << m_folder.filePath("none");
        QTest::newRow("a folder") << m_folder.path();
        row("ends-at-once", "exit 1\n");
        row("ends-after-reading", "head -c 100 >/dev/null\nexit 0\n");
        row("kills-itself", "kill -9 $$\n");
        row("nonsense", "yes nonsense\n");
        row("half-an-answer", "printf 'FSLA\\0\\0\\0\\0'\nexit 0\n");
        row("wrong-sizes",
            "printf "
            "'FSLA\\0\\0\\0\\0\\377\\377\\377\\177\\377\\377\\377\\177\\377\\377\\377\\177'\n"
            "cat >/dev/null\n");
        row("refuses",
            "printf 'FSLA\\1\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0'\ncat >/dev/null\n");
    }

    void badWorkers()
    {
        QFETCH(QString, path);
        LayoutOptions options;
        options.workerPath = path.toStdString();
        options.useCache = false;
        const LayoutGraph graph = families::make("inception", 150);
        const LayoutResult result = draw(graph, options);
        QCOMPARE(problemsOf(graph, result, options.direction), QString());
        QCOMPARE(result.engine, LayoutEngine::fallback);
        QVERIFY(!result.deadlineMissed);
        options.useGraphviz = false;
        QVERIFY(draw(graph, options).boxes == result.boxes);
    }

    void silentWorkerAndDeadline()
    {
        LayoutOptions options;
        options.workerPath = script("silent", "exec sleep 100\n");
        options.useCache = false;
        options.deadline = std::chrono::milliseconds(600);
        const LayoutGraph graph = families::make("bert", 500);
        const LayoutResult result = draw(graph, options);
        QVERIFY(result.milliseconds < hang);
        QVERIFY(result.deadlineMissed);
        QCOMPARE(result.engine, LayoutEngine::fallback);
        QCOMPARE(problemsOf(graph, result, options.direction), QString());
    }

    void silentWorkerAndCancel()
    {
        LayoutOptions options;
        options.workerPath = script("silent-too", "exec sleep 100\n");
        options.useCache = false;
        std::stop_source stop;
        std::jthread later([&stop] {
            std::this_thread::sleep_for(std::chrono::milliseconds(200));
            stop.request_stop();
        });
        QElapsedTimer timer;
        timer.start();
        const auto result = layoutGraph(families::make("bert", 500), options, stop.get_token(), {});
        QVERIFY(!result);
        QCOMPARE(result.error().code, ErrorCode::cancelled);
        QVERIFY(timer.elapsed() < hang);
    }

    void cancelOfHeavyWork()
    {
        const LayoutGraph graph = families::make("random", 20000);
        for (const bool graphviz : {true, false}) {
            LayoutOptions options;
            options.useGraphviz = graphviz;
            options.useCache = false;
            std::stop_source stop;
            std::jthread later([&] {
                std::this_thread::sleep_for(std::chrono::milliseconds(150));
                stop.request_stop();
            });
            const auto result = layoutGraph(graph, options, stop.get_token(), {});
            later.join();
            QVERIFY(!result); // whoever does not stop has a drawing
            QCOMPARE(result.error().code, ErrorCode::cancelled);
        }
    }

    void cancelledBefore()
    {
        std::stop_source stop;
        stop.request_stop();
        const auto result = layoutGraph(families::make("bert", 100), {}, stop.get_token(), {});
        QVERIFY(!result);
        QCOMPARE(result.error().code, ErrorCode::cancelled);
    }

    void killedWorkersAreReplaced()
    {
        const LayoutGraph graph = families::make("encdec", 900);
        LayoutOptions options;
        options.useCache = false;
        const LayoutResult undisturbed = draw(graph, options);
        QVERIFY(!workers().empty());
        std::jthread killer([](std::stop_token stop) {
            for (int i = 0; i < 6 && !stop.stop_requested(); ++i) {
                for (const pid_t pid : workers())
                    kill(pid, SIGKILL);
                std::this_thread::sleep_for(std::chrono::milliseconds(25));
            }
        });
        for (int run = 0; run < 6; ++run) {
            const LayoutResult result = draw(graph, options);
            QCOMPARE(problemsOf(graph, result, options.direction), QString());
        }
        killer.request_stop();
        killer.join();
        const LayoutResult after = draw(graph, options);
        QVERIFY(after.boxes == undisturbed.boxes);
        QCOMPARE(after.engine, LayoutEngine::segmentedDot);
    }

    void manyLayoutsInOneProgram()
    {
        LayoutOptions options;
        options.useCache = false;
        const LayoutGraph graph = families::make("random", 30);
        const LayoutResult first = draw(graph, options);
        for (int i = 0; i < 250; ++i) {
            const LayoutResult again = draw(graph, options);
            QCOMPARE(again.engine, LayoutEngine::dot);
            QVERIFY(again.boxes == first.boxes);
        }
        QVERIFY(workers().size() <= 2);
    }

    void severalThreads()
    {
        const LayoutGraph graph = families::make("gpt", 500);
        LayoutOptions options;
        options.useCache = false;
        const LayoutResult alone = draw(graph, options);
        std::atomic<int> equal = 0;
        {
            std::vector<std::jthread> threads;
            for (int i = 0; i < 4; ++i)
                threads.emplace_back([&] { equal += draw(graph, options).boxes == alone.boxes; });
        }
        QCOMPARE(equal.load(), 4);
    }
};

FUSESCOPE_TEST(WorkerTest, worker_test)
#include "worker_test.moc"

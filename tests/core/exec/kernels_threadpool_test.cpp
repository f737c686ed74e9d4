#include "exec/kernels/target.h"
#include "exec/kernels/threadpool.h"
#include "support/test_class.h"

#include <atomic>
#include <set>
#include <thread>
#include <vector>

using namespace fusescope::kernels;

class KernelsThreadpoolTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everyChunkOnce_data()
    {
        QTest::addColumn<int>("threads");
        QTest::addColumn<int>("chunks");
        for (const int threads : {1, 2, 3, 5})
            for (const int chunks : {0, 1, 2, 7, 100})
                QTest::addRow("%d threads, %d chunks", threads, chunks) << threads << chunks;
    }
    void everyChunkOnce()
    {
        QFETCH(int, threads);
        QFETCH(int, chunks);
        ThreadPool pool(threads);
        QCOMPARE(pool.threads(), threads);
        for (int round = 0; round < 50; ++round) {
            std::vector<int> calls(static_cast<std::size_t>(chunks));
            std::vector<int> workers(static_cast<std::size_t>(chunks), -1);
            QVERIFY(pool.parallelFor(chunks, [&](std::int64_t chunk, int worker) {
                ++calls[static_cast<std::size_t>(chunk)];
                workers[static_cast<std::size_t>(chunk)] = worker;
            }));
            QCOMPARE(calls, std::vector<int>(static_cast<std::size_t>(chunks), 1));
            if (chunks <= 1)
                continue;
            // The split is static: worker w has its contiguous share.
            for (int worker = 0; worker < threads; ++worker)
                for (int c = chunks * worker / threads; c < chunks * (worker + 1) / threads; ++c)
                    QCOMPARE(workers[static_cast<std::size_t>(c)], worker);
        }
    }

    void callerTakesPart()
    {
        ThreadPool pool(2);
        std::vector<std::thread::id> threads(2);
        pool.parallelFor(2, [&](std::int64_t chunk, int) {
            threads[static_cast<std::size_t>(chunk)] = std::this_thread::get_id();
        });
        QVERIFY(threads[0] == std::this_thread::get_id());
        QVERIFY(threads[1] != std::this_thread::get_id());
    }

    void threadCountChanges()
    {
        ThreadPool pool(1);
        for (const int threads : {3, 1, 2, 2, 4}) {
            pool.setThreads(threads);
            QCOMPARE(pool.threads(), threads);
            std::atomic<int> sum{0};
            pool.parallelFor(10, [&](std::int64_t chunk, int) { sum += static_cast<int>(chunk); });
            QCOMPARE(sum.load(), 45);
        }
        pool.setThreads(0);
        QVERIFY(pool.threads() >= 1);
    }

    void stopFlagEndsEarly()
    {
        for (const int threads : {1, 2}) {
            ThreadPool pool(threads);
            std::atomic<bool> stop{false};
            pool.setStopFlag(&stop);
            std::atomic<int> calls{0};
            QVERIFY(!pool.parallelFor(1000, [&](std::int64_t, int) {
                ++calls;
                stop = true;
            }));
            // Each worker ends after the chunk in which it could see the flag.
            QVERIFY(calls.load() < 1000);
            QVERIFY(pool.stopped());
            QVERIFY(
                !pool.parallelFor(5, [&](std::int64_t, int) { QFAIL("begun after the stop"); }));
            pool.setStopFlag(nullptr);
            QVERIFY(pool.parallelFor(5, [](std::int64_t, int) {}));
        }
    }

    void nestedCallsStayOnTheirWorker()
    {
        ThreadPool pool(2);
        std::atomic<int> wrong{0};
        std::atomic<int> inner{0};
        pool.parallelFor(4, [&](std::int64_t, int worker) {
            pool.parallelFor(3, [&](std::int64_t, int nested) {
                ++inner;
                wrong += nested == worker ? 0 : 1;
            });
        });
        QCOMPARE(inner.load(), 12);
        QCOMPARE(wrong.load(), 0);
    }

    void targets()
    {
        const std::vector<std::string> names = availableTargets();
        QVERIFY(!names.empty());
        const std::set<int> widths{1, 4, 8, 16};
        for (const std::string& name : names) {
            QVERIFY(useTarget(name));
            QCOMPARE(targetName(), name);
            QVERIFY(widths.count(blockLanes()) == 1);
        }
        QVERIFY(!useTarget("no such instruction set"));
        QVERIFY(useTarget(""));
        QCOMPARE(targetName(), names.front());
    }
};

FUSESCOPE_TEST(KernelsThreadpoolTest, kernels_threadpool_test)
#include "kernels_threadpool_test.moc"

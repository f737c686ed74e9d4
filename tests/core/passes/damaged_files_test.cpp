#include "exec/executor.h"
#include "exec/inputs.h"
#include "fuzz/dice.h"
#include "io/document.h"
#include "model/id_pool.h"
#include "ops/inference.h"
#include "passes/optimizer.h"
#include "report/render.h"
#include "support/test_class.h"

#include <QDir>

using namespace fusescope;
using namespace fusescope::test;

// Small models with damaged bytes through everything: they are opened, inferred, optimized, run and
// exported, or an error says why not.
class DamagedFilesTest : public QObject
{
    Q_OBJECT

    struct Count
    {
        int opened = 0, ran = 0, exported = 0;
    };

    static std::string damaged(const std::string& good, Dice& dice)
    {
        std::string bytes = good;
        const std::uint64_t changes = 1 + dice.below(3);
        for (std::uint64_t i = 0; i < changes && !bytes.empty(); ++i) {
            const std::size_t at = dice.below(bytes.size());
            switch (dice.below(6)) {
            case 0: bytes[at] = static_cast<char>(dice.next()); break;
            case 1: bytes.erase(at, 1 + dice.below(4)); break;
            case 2: bytes.insert(at, 1 + dice.below(4), static_cast<char>(dice.next())); break;
            case 3: bytes[at] = static_cast<char>(bytes[at] + (dice.chance(50) ? 1 : -1)); break;
            default: bytes[at] = static_cast<char>(bytes[at] ^ (1 << dice.below(8))); break;
            }
        }
        return bytes;
    }

    static std::int64_t inputBytes(const Graph& graph)
    {
        std::int64_t total = 0;
        for (const ValueId id : graph.body(graph.mainBody())->inputs) {
            const Type& type = graph.value(id)->type;
            std::vector<std::int64_t> sizes;
            for (const Dim& dim : type.shape.dims())
                sizes.push_back(dim.constant().value_or(224));
            const auto count = elementCountOf(sizes);
            const auto bytes = count ? bytesOf(type.dtype, *count) : std::nullopt;
            constexpr std::int64_t many = 1 << 20;
            total += bytes && *bytes < many ? *bytes : many;
        }
        return total;
    }

    // Every text is looked at: an error that cannot be said is a failure.
    static bool survives(const std::string& bytes, Count& count)
    {
        const auto document = Document::parse(bytes, "damaged", "/nowhere");
        if (!document)
            return !render(document.error().message, nullptr).empty();
        ++count.opened;
        Graph graph = (*document)->graph();
        const auto inferred = inferGraph(graph);
        if (!inferred || !graph.apply(inferred->patch))
            return false;
        for (const InferenceProblem& problem : inferred->problems) {
            if (render(problem.message, &graph).empty())
                return false;
        }
        Optimizer optimizer(graph, {});
        for (int i = 0; i < 200; ++i) {
            const auto step = optimizer.next();
            if (!step || !optimizer.graph().check())
                return false;
            if (!*step)
                break;
        }
        if (inputBytes(graph) < 1 << 20)
            count.ran += runs(graph, optimizer.graph()) ? 1 : 0;
        Graph lowered = optimizer.graph();
        IdPool pool(lowered);
        const auto patch = lower(lowered, pool, ExportForm::standard, &graph);
        if (patch && lowered.apply(*patch))
            count.exported += (*document)->serialize(lowered) ? 1 : 0;
        return true;
    }

    static bool runs(const Graph& graph, const Graph& optimized)
    {
        const auto made = makeInputs(graph, {});
        if (!made)
            return false;
        RunOptions options;
        options.memoryLimit = std::int64_t{64} << 20;
        options.maxTrips = 50;
        PlanOptions planOptions;
        planOptions.memoryLimit = options.memoryLimit;
        const bool before = ReferenceExecutor(graph).run(made->inputs, options).has_value();
        auto plan = FusedExecutor::plan(optimized, made->inputs, planOptions);
        return plan && plan->run(made->inputs, options) && before;
    }

private Q_SLOTS:
    void damagedExamples()
    {
        const QDir folder(QStringLiteral(FUSESCOPE_SOURCE_DIR "/resources/examples"));
        const QStringList names = folder.entryList({QStringLiteral("*.onnx")}, QDir::Files, QDir::Name);
        QVERIFY(names.size() > 20);
        Count count;
        int all = 0;
        std::uint64_t seed = 0;
        for (const QString& name : names) {
            QFile file(folder.filePath(name));
            QVERIFY(file.open(QIODevice::ReadOnly));
            const std::string good = file.readAll().toStdString();
            for (int i = 0; i < 40; ++i) {
                Dice dice(++seed);
                QVERIFY2(survives(damaged(good, dice), count),
                         qPrintable(QStringLiteral("%1, seed %2").arg(name).arg(seed)));
                ++all;
            }
        }
        qInfo("%d damaged models: %d open, %d run, %d are exported", all, count.opened, count.ran,
              count.exported);
        QVERIFY(count.opened > all / 10 && count.opened < all);
        QVERIFY(count.ran > 100 && count.exported > 100);
    }
};

FUSESCOPE_TEST(DamagedFilesTest, damaged_files_test)
#include "damaged_files_test.moc"

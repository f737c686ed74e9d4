#include "pass_run.h"
#include "fuzz/damaged_file.h"
#include "fuzz/file_check.h"
#include "support/random_graph.h"
#include "support/test_class.h"

#include <fmt/format.h>

#include <QDir>

using namespace fusescope;
using namespace fusescope::test;

// Models whose constants, attributes and operands do not fit each other: inference, every rule and
// the executor get through them without harm, each step leaves a sound graph, and where the model
// runs at all it gives the same afterwards.
class DamagedModelsTest : public QObject
{
    Q_OBJECT

    class Numbers
    {
    public:
        explicit Numbers(std::uint64_t seed) : m_state(seed * 0x9e3779b97f4a7c15U + 1) {}
        std::size_t below(std::size_t end)
        {
            m_state ^= m_state << 13;
            m_state ^= m_state >> 7;
            m_state ^= m_state << 17;
            return static_cast<std::size_t>(m_state % end);
        }

    private:
        std::uint64_t m_state;
    };

    // Another shape for a constant: an axis more or less, another size, no elements.
    static Tensor reshaped(const Tensor& tensor, Numbers& numbers)
    {
        std::vector<std::int64_t> shape = tensor.shape();
        const std::size_t kind = numbers.below(4);
        if (kind == 0 && !shape.empty())
            shape.pop_back();
        else if (kind == 1)
            shape.push_back(static_cast<std::int64_t>(numbers.below(3)));
        else if (!shape.empty())
            shape[numbers.below(shape.size())] = static_cast<std::int64_t>(numbers.below(7));
        return randomTensor(tensor.dtype(), std::move(shape), numbers.below(1000));
    }

    static void damage(Node& node, Numbers& numbers)
    {
        const std::size_t kind = numbers.below(3);
        if (kind == 0 && node.inputs.size() > 1) {
            std::swap(node.inputs[0], node.inputs[1]);
        } else if (kind == 1 && node.inputs.size() > 1) {
            node.inputs.pop_back();
        } else {
            const std::size_t at = node.attributes.empty() ? 0 : numbers.below(node.attributes.size());
            std::size_t i = 0;
            for (Attribute attribute : Attributes(node.attributes)) {
                if (i++ != at)
                    continue;
                const auto small = static_cast<std::int64_t>(numbers.below(9)) - 3;
                if (auto* number = std::get_if<std::int64_t>(&attribute.value))
                    *number = small;
                else if (auto* list = std::get_if<std::vector<std::int64_t>>(&attribute.value);
                         list && !list->empty())
                    (*list)[numbers.below(list->size())] = small;
                node.attributes.set(std::move(attribute));
            }
        }
    }

    static Graph damaged(std::uint64_t seed)
    {
        Numbers numbers(seed);
        Graph graph = *parseGraph(randomGraph(seed));
        for (std::size_t times = 1 + numbers.below(4); times > 0; --times) {
            GraphPatch patch;
            if (numbers.below(2) == 0) {
                const auto& initializers = graph.body(graph.mainBody())->initializers;
                if (initializers.empty())
                    continue;
                const ValueId id = initializers[numbers.below(initializers.size())];
                auto value = std::make_shared<Value>(*graph.value(id));
                if (!value->constant || value->constant->isString())
                    continue;
                value->constant = std::make_shared<const Tensor>(reshaped(*value->constant, numbers));
                value->type =
                    Type::tensor(value->constant->dtype(), Shape::ofSizes(value->constant->shape()));
                patch.values.push_back({id, graph.valuePtr(id), value});
            } else {
                const auto nodes = graph.allNodes();
                const NodeId id = nodes[numbers.below(nodes.size())];
                auto node = std::make_shared<Node>(*graph.node(id));
                if (!node->bodies.empty())
                    continue;
                damage(*node, numbers);
                patch.nodes.push_back({id, graph.nodePtr(id), node});
            }
            if (!graph.apply(patch))
                continue;
        }
        const auto inferred = inferGraph(graph);
        if (!inferred || !graph.apply(inferred->patch))
            QTest::qFail("inference fails as a whole", __FILE__, __LINE__);
        return graph;
    }

private Q_SLOTS:
    void allRulesGetThrough()
    {
        constexpr std::uint64_t count = 150;
        int ran = 0;
        int refused = 0;
        for (std::uint64_t seed = 1; seed <= count; ++seed) {
            const Graph opened = damaged(seed);
            const PassRun run = runPasses(opened);
            QVERIFY2(run.problem.empty(), fmt::format("seed {}: {}", seed, run.problem).c_str());
            for (const NodeId id : run.graph.allNodes())
                (void)explainNode(run.graph, {}, id);
            const std::string differs = runProblem(opened, run.graph, 1e-4, seed);
            if (differs.starts_with("before: ")) {
                ++refused;
                continue;
            }
            ++ran;
            QVERIFY2(differs.empty(),
                     fmt::format("seed {}: {}\n{}\n{}", seed, differs, run.log(), printGraph(opened))
                         .c_str());
        }
        // The damage reaches both kinds.
        QVERIFY2(ran > 20 && refused > 20, fmt::format("{} ran, {} did not", ran, refused).c_str());
    }

    // Files with faults in their bytes and records, opened, optimized, written, read back and run.
    void filesGetThrough()
    {
        constexpr std::uint64_t seeds = 6;
        int opened = 0, ran = 0, steps = 0, count = 0;
        QDir folder(QStringLiteral(FUSESCOPE_SOURCE_DIR "/resources/examples"));
        for (const QString& name : folder.entryList({QStringLiteral("*.onnx")}, QDir::Files)) {
            QFile file(folder.filePath(name));
            QVERIFY(file.open(QIODevice::ReadOnly));
            const std::string good = file.readAll().toStdString();
            for (std::uint64_t seed = 0; seed < seeds; ++seed) {
                const FileCheckResult result = checkFile(damagedFile(good, seed));
                QVERIFY2(result.findings.empty(),
                         fmt::format("{} --seed {}: {}", file.fileName().toStdString(), seed,
                                     fmt::join(result.findings, "; "))
                             .c_str());
                opened += result.opened ? 1 : 0;
                ran += result.ran ? 1 : 0;
                steps += result.steps;
                ++count;
            }
        }
        qInfo("%d files, %d open, %d run, %d steps", count, opened, ran, steps);
        QVERIFY(count > 400 && opened > count / 4 && opened < count && ran > count / 8);
        QVERIFY(steps > 150);
    }
};

FUSESCOPE_TEST(DamagedModelsTest, damaged_models_test)
#include "damaged_models_test.moc"

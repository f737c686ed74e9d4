// label: slow
// needs: models
#include "model_text.h"
#include "ops/patch_builder.h"
#include "support/test_class.h"

#include <QDirIterator>

using namespace fusescope;
using namespace fusescope::test;

namespace {

// Weights that a person would believe, by what reads them: scaled by the fan-in, variances positive.
Tensor weightsFor(const Graph& graph, ValueId value, std::vector<std::int64_t> shape)
{
    const std::uint64_t seed = value.value;
    double low = -0.1, high = 0.1;
    for (const Use& use : graph.uses(value)) {
        const Node* reader = graph.node(use.node);
        if (!reader)
            continue;
        if (reader->is("BatchNormalization")) {
            const bool positive = use.index == 1 || use.index == 4;
            low = positive ? 0.5 : -0.1;
            high = positive ? 1.5 : 0.1;
        } else if ((reader->is("Conv") || reader->is("Gemm")) && use.index == 1 &&
                   shape.size() >= 2) {
            double fan = 1;
            for (std::size_t i = 1; i < shape.size(); ++i)
                fan *= static_cast<double>(shape[i]);
            high = std::sqrt(6.0 / fan);
            low = -high;
        }
    }
    return randomTensor(DType::float32, std::move(shape), seed, low, high);
}

// The model with seeded weights where the file has nodes that fill them with one number.
Result<Graph> withWeights(const Graph& graph)
{
    Graph result = graph;
    IdPool pool(graph);
    std::optional<PatchBuilder> builder;
    for (const NodeId id : graph.allNodes()) {
        const Node& node = *graph.node(id);
        const TensorPtr sizes = node.is("ConstantOfShape") ? graph.constant(node.inputs[0]) : nullptr;
        if (!sizes)
            continue;
        std::vector<std::int64_t> shape;
        for (std::int64_t i = 0; i < sizes->elementCount(); ++i)
            shape.push_back(sizes->asInt(i));
        if (!builder)
            builder.emplace(graph, pool, "weights", id);
        auto tensor =
            std::make_shared<const Tensor>(weightsFor(graph, node.outputs[0], std::move(shape)));
        builder->editNode(id, [&tensor](Node& edited) {
            edited.op.type = "Constant";
            edited.inputs.clear();
            edited.attributes = {};
            edited.attributes.set(Attribute("value", std::move(tensor)));
        });
    }
    if (!builder)
        return result;
    FUSESCOPE_ASSIGN(const GraphPatch patch, builder->finish());
    FUSESCOPE_TRY(result.apply(patch));
    return result;
}

} // namespace

// The published architectures whose files fill every weight with one number: proved with weights of
// their own, since equal numbers hide most mistakes.
class LightModelsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void provedWithSeededWeights_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<bool>("byReference");
        QTest::newRow("squeezenet") << QStringLiteral("squeezenet") << true;
        QTest::newRow("shufflenet") << QStringLiteral("shufflenet") << true;
        // Larger ones on the fast executor: minutes less.
        QTest::newRow("densenet121") << QStringLiteral("densenet121") << false;
        QTest::newRow("inception_v1") << QStringLiteral("inception_v1") << false;
        QTest::newRow("inception_v2") << QStringLiteral("inception_v2") << false;
        QTest::newRow("resnet50") << QStringLiteral("resnet50") << false;
        QTest::newRow("alexnet") << QStringLiteral("bvlc_alexnet") << false;
        QTest::newRow("zfnet512") << QStringLiteral("zfnet512") << false;
        QTest::newRow("vgg19") << QStringLiteral("vgg19") << false;
    }
    void provedWithSeededWeights()
    {
        QFETCH(QString, name);
        QFETCH(bool, byReference);
        QDirIterator files(QStringLiteral(FUSESCOPE_MODELS "/light/light_") + name,
                           {QStringLiteral("*.onnx")}, QDir::Files);
        QVERIFY(files.hasNext());
        const auto document = Document::open(files.next().toStdString());
        QVERIFY(document);
        const auto graph = withWeights((*document)->graph());
        QVERIFY(graph);
        auto bytes = (*document)->serialize(*graph);
        QVERIFY(bytes);
        const auto session = sessionOf(std::move(*bytes));
        const auto timeline = session->finish();
        QVERIFY(timeline);
        QVERIFY((*timeline)->size() > 0);
        const int last = (*timeline)->size();
        if (byReference) {
            const auto proof = session->prove(**timeline, last, 1);
            QVERIFY(proof);
            QCOMPARE(proof->status, VerificationStatus::pass);
            QVERIFY(proof->outputs.front().infBefore == 0 && proof->outputs.front().nanBefore == 0);
            return;
        }
        const auto before = session->run(**timeline, 0, RunExecutor::fused, {}, 2);
        const auto after = session->run(**timeline, last, RunExecutor::fused, {}, 2);
        QVERIFY(before && after);
        const Tensor& x = *before->outputs.front().second.tensor();
        const Tensor& y = *after->outputs.front().second.tensor();
        QVERIFY(x.shape() == y.shape());
        double scale = 0, apart = 0, sum = 0;
        for (std::int64_t i = 0; i < x.elementCount(); ++i) {
            scale = std::max(scale, std::abs(x.asDouble(i)));
            sum += x.asDouble(i);
            apart = std::max(apart, std::abs(x.asDouble(i) - y.asDouble(i)));
        }
        // Not one number all over, or it would show nothing.
        QVERIFY(scale > 1.0001 * std::abs(sum) / static_cast<double>(x.elementCount()));
        QVERIFY2(apart <= 1e-4 * scale, std::to_string(apart / scale).c_str());
    }
};

FUSESCOPE_TEST(LightModelsTest, light_models_test)
#include "light_models_test.moc"

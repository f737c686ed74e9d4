// label: slow
// needs: models
#include "io/document.h"
#include "ops/inference.h"
#include "passes/optimizer.h"
#include "session/session.h"
#include "support/test_class.h"

#include <QFile>
#include <QTemporaryDir>

using namespace fusescope;

namespace {

std::shared_ptr<Session> opened(const std::string& path)
{
    SessionOptions options;
    options.runInBackground = false;
    auto session = Session::open(path, options);
    return session ? *session : nullptr;
}

std::string model(const char* name)
{
    return std::string(FUSESCOPE_MODELS "/") + name + "/model.onnx";
}

// How far two runs are apart, relative to the largest value of each output; infinite when they are
// not of one kind.
double distance(const RunReport& a, const RunReport& b)
{
    double most = a.outputs.size() == b.outputs.size() ? 0 : INFINITY;
    for (std::size_t i = 0; i < a.outputs.size() && i < b.outputs.size(); ++i) {
        const Tensor* x = a.outputs[i].second.tensor();
        const Tensor* y = b.outputs[i].second.tensor();
        if (a.outputs[i].first != b.outputs[i].first || !x || !y || x->shape() != y->shape() ||
            x->dtype() != y->dtype())
            return INFINITY;
        double scale = 0, difference = 0;
        for (std::int64_t k = 0; k < x->elementCount(); ++k) {
            scale = std::max(scale, std::abs(x->asDouble(k)));
            difference = std::max(difference, std::abs(x->asDouble(k) - y->asDouble(k)));
            if (std::isnan(x->asDouble(k)) != std::isnan(y->asDouble(k)))
                return INFINITY;
        }
        if (difference > 0)
            most = std::max(most, difference / scale);
    }
    return most;
}

} // namespace

// Every state between the file and the optimized model is a model of its own, and there is a way
// back from each.
class StepwiseTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everyStateExportsAndComputesTheSame_data()
    {
        QTest::addColumn<QString>("name");
        for (const char* name : {"real/magika", "real/dtln_1", "real/yunet_dynamic",
                                 "real/blazeface_back", "real/rfb320"})
            QTest::newRow(name) << QString::fromLatin1(name);
    }
    void everyStateExportsAndComputesTheSame()
    {
        QFETCH(QString, name);
        const auto session = opened(model(name.toUtf8().constData()));
        QVERIFY(session);
        const auto timeline = session->finish();
        QVERIFY(timeline);
        const auto expected = session->run(**timeline, 0, RunExecutor::fused, {});
        QVERIFY(expected);
        InputSpec same; // the values of the first run, whatever a state's own defaults are
        same.useDataSetBesideModel = false;
        for (const auto& [input, value] : expected->inputs)
            same.tensors[input] = value.tensorPtr();
        QTemporaryDir folder;
        ExportOptions options;
        options.verify = false; // the run below is the proof
        options.overwrite = true;
        // All states of a short tale, thirty of a long one, the last one always.
        const int stride = std::max(1, (*timeline)->size() / 30);
        for (int step = (*timeline)->size(); step > 0; step -= stride) {
            options.upTo = step;
            const std::string path = folder.filePath(QStringLiteral("state.onnx")).toStdString();
            const auto written = session->exportModel(**timeline, path, options);
            QVERIFY2(written, std::to_string(step).c_str());
            const auto state = opened(path);
            QVERIFY2(state, std::to_string(step).c_str());
            for (const Problem& problem : validate(state->opened()))
                QVERIFY2(problem.severity != Severity::error, problem.message.text.key.data());
            const auto run = state->run(*state->timeline(), 0, RunExecutor::fused, same);
            QVERIFY2(run, std::to_string(step).c_str());
            const double apart = distance(*expected, *run);
            QVERIFY2(apart < 1e-4, (std::to_string(step) + ": " + std::to_string(apart)).c_str());
        }
    }

    // To the end and back, patch by patch: what is saved then is the file.
    void backAtTheStartTheBytesAreTheFiles_data()
    {
        QTest::addColumn<QString>("name");
        for (const char* name :
             {"real/magika", "real/silero_vad", "real/rfb320", "real/espcn_quant", "real/gtcrn",
              "light/light_squeezenet", "synthetic/conv_bn_blocked", "torch/control_flow_ts17",
              "torch/modules_as_functions_ts17", "torch/local_function_ts17",
              "torch/qdq_cnn_ts13", "torch/gpt2_ts14", "torch/resnet18_ts13_keepinit",
              "torch/cond_dynamo20", "torch/debug_print_ts17"})
            QTest::newRow(name) << QString::fromLatin1(name);
    }
    void backAtTheStartTheBytesAreTheFiles()
    {
        QFETCH(QString, name);
        const std::string path = model(name.toUtf8().constData());
        QFile file(QString::fromStdString(path));
        QVERIFY(file.open(QIODevice::ReadOnly));
        const std::string bytes = file.readAll().toStdString();
        // One document throughout: what is kept is known by its records.
        const auto document = Document::open(path);
        QVERIFY(document);
        Graph graph = (*document)->graph();
        const auto inferred = inferGraph(graph);
        QVERIFY(inferred && graph.apply(inferred->patch));
        const auto first = (*document)->serialize(graph);
        QVERIFY(first && *first == bytes);
        Optimizer optimizer(graph, Plan{});
        std::vector<Step> steps;
        auto step = optimizer.next();
        for (; step && *step; step = optimizer.next())
            steps.push_back(std::move(**step));
        QVERIFY(step);
        QVERIFY(!steps.empty());
        graph = optimizer.graph();
        for (auto at = steps.rbegin(); at != steps.rend(); ++at)
            QVERIFY(graph.apply(at->patch.inverse()));
        QVERIFY(graph.check());
        const auto saved = (*document)->serialize(graph);
        QVERIFY(saved);
        QVERIFY(*saved == bytes);
        // And the file itself was not touched.
        QFile again(QString::fromStdString(path));
        QVERIFY(again.open(QIODevice::ReadOnly));
        QVERIFY(again.readAll().toStdString() == bytes);
    }
};

FUSESCOPE_TEST(StepwiseTest, stepwise_test)
#include "stepwise_test.moc"

#include "ui/open_model.h"

#include "io/document.h"
#include "model/graph_text.h"

#include <QFile>
#include <QTest>

namespace fusescope::test {

std::string_view twoConvText()
{
    return R"(<ir_version: 8, opset_import: ["" : 17]>
        net (float[1, 3, 8, 8] x) => (float[1, 4, 8, 8] y)
        <float[4, 3, 3, 3] W1 = random(1), float[4, 4, 3, 3] W2 = random(2),
         float[4] scale = random(3, 0.5, 2), float[4] shift = random(4), float[4] mean = random(5),
         float[4] var = random(6, 0.5, 2), float[4] p = random(7), float[4] q = random(8)>
        {
            [same] i = Identity (x)
            [sum] b = Add (p, q)
            [conv1] c1 = Conv <pads = [1, 1, 1, 1]> (i, W1, b)
            [bn1] n1 = BatchNormalization (c1, scale, shift, mean, var)
            [relu1] r1 = Relu (n1)
            [conv2] c2 = Conv <pads = [1, 1, 1, 1]> (r1, W2)
            [bn2] n2, m2, v2 = BatchNormalization <training_mode = 1> (c2, scale, shift, mean, var)
            [relu2] y = Relu (n2)
        })";
}

std::string modelBytes(std::string_view text)
{
    const auto graph = parseGraph(text);
    if (!graph)
        qFatal("a test's model is wrong");
    // A ModelProto that holds nothing but an empty graph; to it every record is new.
    const auto document = Document::parse(std::string("\x3a\x00", 2), "empty");
    const auto bytes = document ? (*document)->serialize(*graph) : Result<std::string>(std::string());
    if (!bytes || bytes->empty())
        qFatal("a test's model could not be written");
    return *bytes;
}

QString modelFile(std::string_view text, const QString& folder, const QString& name)
{
    const QString path = folder + QLatin1Char('/') + name;
    QFile file(path);
    const std::string bytes = modelBytes(text);
    if (!file.open(QIODevice::WriteOnly) ||
        file.write(bytes.data(), static_cast<qint64>(bytes.size())) != static_cast<qint64>(bytes.size()))
        qFatal("a test's file could not be written");
    return path;
}

bool waitForPasses(AppState& state)
{
    return QTest::qWaitFor([&] { return state.hasModel() && state.isFinished(); }, 20000);
}

bool waitForPlan(AppState& state)
{
    return QTest::qWaitFor([&] { return state.isFinished() && state.timeline()->plan == state.plan(); },
                           20000);
}

NodeId named(const AppState& state, const char* name)
{
    const auto found = state.session()->findNodes(state.session()->opened(), name);
    return found.empty() ? NodeId{} : found.front();
}

int stepOf(const AppState& state, std::string_view rule)
{
    for (const auto& step : state.timeline()->steps) {
        if (step->rule == rule)
            return step->number;
    }
    return 0;
}

} // namespace fusescope::test

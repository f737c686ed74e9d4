#include "command_run.h"
#include "support/test_class.h"

// Paths: FUSESCOPE_SOURCE_DIR, FUSESCOPE_BINARY_DIR.

using namespace fusescope;
using namespace fusescope::test;

namespace {

QStringList namesOf(const QJsonArray& nodes)
{
    QStringList names;
    for (const auto& one : nodes)
        names << one.toObject()["name"].toString();
    return names;
}

QStringList rulesOf(const QJsonObject& document)
{
    QStringList rules;
    for (const auto& step : document["steps"].toArray())
        rules << step.toObject()["rule"].toString();
    return rules;
}

constexpr std::string_view printing = R"(
    <ir_version: 8, opset_import: ["" : 17, "own" : 1]>
    net (float[1, 2, 4, 4] x) => (float[1, 2, 4, 4] y)
    <float[2, 2, 3, 3] w = random(1), float[2, 1, 1] b = random(2)>
    {
        [conv] c = Conv <pads = [1, 1, 1, 1]> (x, w)
        [log] l = own.Log (c)
        [add] y = Add (c, b)
    })";

} // namespace

// The commands that draw and time, and options from end to end, through the program itself.
class CommandsTest : public QObject
{
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> m_folder;

    QString at(const char* name) const { return m_folder->filePath(QLatin1String(name)); }

    QByteArray contents(const char* name) const
    {
        QFile file(at(name));
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }

private Q_SLOTS:
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }

    void layoutPlacesEveryNode()
    {
        const auto result = command({"layout", example("residual-block"), "--json"});
        QCOMPARE(result.status, 0);
        const QJsonObject document = result.json();
        QCOMPARE(document["schema"].toInt(), 1);
        const auto info = command({"info", example("residual-block"), "--json"}).json();
        const QJsonArray nodes = document["nodes"].toArray();
        QCOMPARE(nodes.size(), qsizetype(info["before"].toObject()["nodes"].toInt()));
        const double width = document["width"].toDouble();
        const double height = document["height"].toDouble();
        std::vector<QRectF> places;
        for (const auto& one : nodes) {
            const QJsonObject node = one.toObject();
            const QRectF place(node["x"].toDouble(), node["y"].toDouble(),
                               node["width"].toDouble(), node["height"].toDouble());
            QVERIFY(QRectF(0, 0, width, height).contains(place));
            for (const QRectF& other : places)
                QVERIFY(!place.intersects(other));
            places.push_back(place);
        }
        QVERIFY(document["edges"].toArray().size() >= nodes.size());
        for (const auto& edge : document["edges"].toArray())
            QVERIFY(edge.toObject()["stub"].toBool() ||
                    edge.toObject()["points"].toArray().size() >= 2);
        // The same again, but for the clock.
        QJsonObject again = command({"layout", example("residual-block"), "--json"}).json();
        QJsonObject first = document;
        first.remove(QStringLiteral("milliseconds"));
        again.remove(QStringLiteral("milliseconds"));
        QCOMPARE(again, first);
    }

    void layoutOfAStepAndOfAllSteps()
    {
        const QString model = example("conv-batchnorm");
        const auto opened = command({"layout", model, "--json"}).json()["nodes"].toArray();
        const auto last =
            command({"optimize", model, "-o", at("out.onnx"), "--json"}).json();
        const QString steps = QString::number(last["steps"].toArray().size());
        const auto end = command({"layout", model, "--step", steps, "--json"}).json();
        QCOMPARE(end["nodes"].toArray().size(),
                 qsizetype(last["after"].toObject()["nodes"].toInt()));
        QVERIFY(end["nodes"].toArray().size() < opened.size());
        // The drawing of all steps has a place for what goes and for what comes.
        const auto all = command({"layout", model, "--union", "--json"}).json();
        QVERIFY(all["nodes"].toArray().size() >= opened.size());
        QVERIFY(command({"layout", model}).out.contains("Conv") ||
                !command({"layout", model}).out.isEmpty());
    }

    // Names are often shared: each pair is answered, and told which it is.
    void betweenAnswersForEveryNodeOfTheName()
    {
        const QString model = modelFile(R"(<ir_version: 8, opset_import: ["" : 17]>
            g (float[1, 2, 4, 4] x) => (float[1, 2, 4, 4] y)
            <float[2, 2, 1, 1] W = random(1)>
            { [c] a = Conv (x, W)
              [r] b = Relu (a)
              [c] d = Conv <strides = [1, 1]> (b, W)
              [s] y = Softmax (d) })",
                                        *m_folder, QStringLiteral("shared.onnx"));
        const auto text = command({"explain", model, "--between", "c", "r"});
        QCOMPARE(text.status, 0);
        QVERIFY2(text.err.contains("2 nodes have the name \"c\": #1 (c), #3 (c)"),
                 text.err.constData());
        const QJsonObject all = command({"explain", model, "--between", "c", "r", "--json"}).json();
        QCOMPARE(all["answer"].toString(), QStringLiteral("fused"));
        const QJsonArray matches = all["matches"].toArray();
        QCOMPARE(matches.size(), qsizetype(2));
        QCOMPARE(matches[0].toObject()["answer"].toString(), QStringLiteral("fused"));
        QCOMPARE(matches[1].toObject()["answer"].toString(), QStringLiteral("no-pattern"));
        const QJsonObject one = command({"explain", model, "--between", "r", "s", "--json"}).json();
        QVERIFY(!one.contains(QStringLiteral("matches")));
        QCOMPARE(command({"explain", model, "--between", "r", "r"}).status, 2);
    }

    // The square root of a negative number on both sides: equal, and told.
    void nanOnBothSidesIsTold()
    {
        const QString model = modelFile(R"(<ir_version: 8, opset_import: ["" : 17]>
            g (float[3] x) => (float[3] y)
            <float[3] c = {-1, 4, -9}, float[3] d = {1, 1, 1}>
            { a = Abs (x)
              b = Mul (a, c)
              e = Mul (b, d)
              y = Sqrt (e) })",
                                        *m_folder, QStringLiteral("nan.onnx"));
        const auto result = command({"compare", model});
        QCOMPARE(result.status, 0);
        QVERIFY2(result.out.contains("NaN: 2 before, 2 after"), result.out.constData());
        QVERIFY2(result.out.contains("'y' is NaN"), result.out.constData());
        const auto written = command({"optimize", model, "-o", at("nan-out.onnx")});
        QVERIFY2(written.err.contains("'y' is NaN"), written.err.constData());
    }

    // Open sizes count as a run takes them, and the document says which.
    void savingsOfOpenSizes()
    {
        const QString model = modelFile(R"(<ir_version: 8, opset_import: ["" : 17]>
            g (float[batch, 2, 4, 4] x) => (float[batch, 3, 4, 4] y)
            <float[3, 2, 1, 1] W = random(1)>
            { c = Conv (x, W)
              y = Relu (c) })",
                                        *m_folder, QStringLiteral("open.onnx"));
        const QJsonObject document = command({"optimize", model, "-o", at("open-out.onnx"), "--json"}).json();
        QCOMPARE(document["sizes"].toObject(), (QJsonObject{{"batch", 1}}));
        const QJsonObject step = document["steps"].toArray().first().toObject();
        QCOMPARE(step["saves"].toObject()["activation_bytes"].toInt(), 3 * 4 * 4 * 4);
    }

    void renderWritesPictures()
    {
        const QString model = example("residual-block");
        const auto svg = command({"render", model, "-o", at("a.svg"), "--json"});
        QCOMPARE(svg.status, 0);
        QCOMPARE(svg.json()["bytes"].toInt(), contents("a.svg").size());
        QVERIFY(contents("a.svg").contains("<svg"));
        QVERIFY(contents("a.svg").contains("BatchNorm"));
        QCOMPARE(command({"render", model, "-o", at("a.png"), "--theme", "dark"}).status, 0);
        QVERIFY(contents("a.png").startsWith("\x89PNG"));
        QCOMPARE(command({"render", model, "-o", at("a.pdf"), "--step", "1"}).status, 0);
        QVERIFY(contents("a.pdf").startsWith("%PDF"));
        const auto overlay = command({"render", model, "-o", at("b.svg"), "--overlay", "--json"});
        QCOMPARE(overlay.status, 0);
        QVERIFY(overlay.json()["step"].toInt() > 0);
        QVERIFY(contents("b.svg") != contents("a.svg"));
        // What exists stays unless it may go.
        QCOMPARE(command({"render", model, "-o", at("a.svg")}).status, 5);
        QCOMPARE(command({"render", model, "-o", at("a.svg"), "--force"}).status, 0);
    }

    void benchTimesBothPlans()
    {
        const auto result = command({"bench", example("conv-batchnorm"), "--repeat", "3",
                                     "--threads", "2", "--profile", "--json"});
        QCOMPARE(result.status, 0);
        const QJsonObject document = result.json();
        QCOMPARE(document["threads"].toInt(), 2);
        const QJsonArray plans = document["plans"].toArray();
        QCOMPARE(plans.size(), 2);
        QCOMPARE(plans[0].toObject()["name"].toString(), QStringLiteral("unfused"));
        QCOMPARE(plans[1].toObject()["name"].toString(), QStringLiteral("fused"));
        for (const auto& plan : plans) {
            const QJsonObject one = plan.toObject();
            QCOMPARE(one["runs"].toInt(), 3);
            QVERIFY(one["min_ms"].toDouble() > 0);
            QVERIFY(one["min_ms"].toDouble() <= one["median_ms"].toDouble());
            QVERIFY(one["median_ms"].toDouble() <= one["p90_ms"].toDouble());
        }
        QVERIFY(document["fused_over_unfused"].toDouble() > 0);
        const QJsonArray nodes = document["nodes"].toArray();
        QVERIFY(!nodes.isEmpty());
        for (const auto& node : nodes)
            QVERIFY(!node.toObject()["kernel"].toString().isEmpty());
        const auto plain = command({"bench", example("conv-batchnorm"), "--repeat", "1"});
        QVERIFY(plain.out.contains("fused / unfused"));
    }

    // What is given beside a plan's file has the last word, and a fix that is named twice is one.
    void optionsBesideAPlan()
    {
        const auto steps = [&](const char* name, const QStringList& options) {
            return command(QStringList{"optimize", example(name), "-o", at("out.onnx"), "--force",
                                       "--no-verify", "--json"} +
                           options)
                .json()["steps"]
                .toArray();
        };
        QFile file(at("fold.json"));
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(R"({"fold_quantization": true})") > 0);
        file.close();
        const QStringList plan{"--plan", at("fold.json")};
        const auto kept = steps("quantized-weights", {});
        QVERIFY(steps("quantized-weights", plan).size() > kept.size());
        QCOMPARE(steps("quantized-weights", plan + QStringList{"--keep-quantization"}).size(),
                 kept.size());
        QCOMPARE(steps("quantized-weights", {"--fold-quantization"}).size(),
                 steps("quantized-weights", plan).size());

        const auto once = steps("training-dropout", {"--fix", "inference-dropout"});
        const auto twice =
            steps("training-dropout", {"--fix", "inference-dropout,inference-dropout"});
        QCOMPARE(once[0]["stage"].toString(), QStringLiteral("fixes"));
        QCOMPARE(twice.size(), once.size());
        // --skip counts the steps of the run, fixes included.
        const auto skipped =
            steps("training-dropout", {"--fix", "inference-dropout", "--skip", "1"});
        QCOMPARE(skipped[0]["state"].toString(), QStringLiteral("skipped"));
    }

    // A pin in the plan's file keeps a node; without it, or with the pin gone, it is fused. The
    // files that pin by id and by name mean the same.
    void pinsOfAPlanFile()
    {
        const QString model = example("conv-batchnorm");
        const auto plain = command({"optimize", model, "-o", at("a.onnx"), "--json"}).json();
        QVERIFY(rulesOf(plain).contains("conv-batchnorm"));
        QJsonObject step;
        for (const auto& one : plain["steps"].toArray()) {
            if (one.toObject()["rule"].toString() == QLatin1String("conv-batchnorm"))
                step = one.toObject();
        }
        const QJsonObject root = step["root"].toObject();
        const auto planned = [&](const QString& pins) {
            QFile file(at("plan.json"));
            if (file.open(QIODevice::WriteOnly))
                file.write("{\"schema\": 1, \"pins\": [" + pins.toUtf8() + "]}");
            file.close();
            return command({"optimize", model, "-o", at("b.onnx"), "--force", "--plan",
                            at("plan.json"), "--json"})
                .json();
        };
        const auto byId = planned(QStringLiteral("\"#%1\"").arg(root["id"].toInt()));
        QVERIFY(!rulesOf(byId).contains("conv-batchnorm"));
        bool pinned = false;
        for (const auto& row : byId["blocked"].toArray()) {
            for (const auto& reason : row.toObject()["reasons"].toArray())
                pinned = pinned ||
                         reason.toObject()["code"].toString() == QLatin1String("pinned");
        }
        QVERIFY(pinned);
        const QString output = root["outputs"].toArray()[0].toString();
        QVERIFY(!rulesOf(planned(QLatin1Char('"') + output + QLatin1Char('"')))
                     .contains("conv-batchnorm"));
        QCOMPARE(rulesOf(planned(QString())), rulesOf(plain));
        const auto option = command({"optimize", model, "-o", at("c.onnx"), "--pin",
                                     QStringLiteral("#%1").arg(root["id"].toInt()), "--json"});
        QCOMPARE(rulesOf(option.json()), rulesOf(byId));
    }

    // An operator that may have an effect reads the convolution: it stays, and so does the reader.
    // Said to be pure, and read by nobody, it goes, and the bias goes into the convolution.
    void pureOperators()
    {
        const QString model = modelFile(printing, *m_folder, QStringLiteral("m.onnx"));
        const auto kept = command({"optimize", model, "-o", at("a.onnx"), "--json"}).json();
        QVERIFY(!rulesOf(kept).contains("conv-bias"));
        QCOMPARE(kept["after"].toObject()["nodes"].toInt(), 3);
        QCOMPARE(kept["verification"].toObject()["status"].toString(), QStringLiteral("partial"));
        QCOMPARE(namesOf(kept["verification"].toObject()["cut"].toArray()), QStringList{"log"});
        const auto pure =
            command({"optimize", model, "-o", at("b.onnx"), "--pure", "own:Log", "--json"});
        QCOMPARE(pure.status, 0);
        QCOMPARE(rulesOf(pure.json()), (QStringList{"remove-dead", "conv-bias"}));
        QCOMPARE(pure.json()["after"].toObject()["nodes"].toInt(), 1);
        QCOMPARE(command({"info", at("b.onnx"), "--json"})
                     .json()["before"].toObject()["nodes"].toInt(),
                 1);
    }

    void theFileIsWhatTheDocumentSays()
    {
        const auto result =
            command({"optimize", example("residual-block"), "-o", at("out.onnx"), "--json"});
        QCOMPARE(result.status, 0);
        const QJsonObject output = result.json()["output"].toObject();
        QCOMPARE(output["bytes"].toInt(), contents("out.onnx").size());
        const auto info = command({"info", at("out.onnx"), "--json"}).json();
        QCOMPARE(info["before"].toObject()["nodes"], output["nodes"]);
        QCOMPARE(command({"compare", example("residual-block"), at("out.onnx")}).status, 0);
        // Once more gives the same file.
        QCOMPARE(command({"optimize", example("residual-block"), "-o", at("again.onnx")}).status, 0);
        QCOMPARE(contents("again.onnx"), contents("out.onnx"));
    }
};

FUSESCOPE_TEST(CommandsTest, commands_test)
#include "commands_test.moc"

#include "command_run.h"
#include "support/test_class.h"

#include <set>

// Paths: FUSESCOPE_SOURCE_DIR, FUSESCOPE_BINARY_DIR, FUSESCOPE_TEST_DATA.

using namespace fusescope;
using namespace fusescope::test;

namespace {

// What of the names is missing, with the place; empty when nothing is.
QString missing(const QJsonObject& object, const char* place, const char* names)
{
    for (const QString& name : QString::fromUtf8(names).split(QLatin1Char(' '))) {
        if (!object.contains(name))
            return QStringLiteral("%1 has no %2").arg(QLatin1String(place), name);
    }
    return {};
}

QString wrongNode(const QJsonValue& node)
{
    if (!node.isObject())
        return QStringLiteral("no node");
    if (!node["id"].isDouble() || node["id"].toInt() <= 0)
        return QStringLiteral("an id is no number");
    if (!node["outputs"].isArray())
        return QStringLiteral("outputs are no list");
    return missing(node.toObject(), "node", "id name op domain outputs");
}

std::set<int> idsOf(const QJsonArray& nodes)
{
    std::set<int> ids;
    for (const auto& node : nodes)
        ids.insert(node.toObject()["id"].toInt());
    return ids;
}

const char* const comparisonKeys =
    "name status dtype shape max_abs max_rel max_ulp cosine worst nan_before nan_after inf_before "
    "inf_after rtol atol";

} // namespace

// The documents hold what they promise, by name and by meaning, and the ids in them mean one node
// everywhere.
class ContractTest : public QObject
{
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> m_folder;

    QString at(const char* name) const { return m_folder->filePath(QLatin1String(name)); }

    QJsonObject answer(const QStringList& arguments, int status = 0) const
    {
        const CommandResult result = command(arguments + QStringList{"--json"});
        if (result.status != status)
            qWarning("%s", result.err.constData());
        return result.status == status ? result.json() : QJsonObject();
    }

private Q_SLOTS:
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }

    void optimize()
    {
        const auto document =
            answer({"optimize", example("residual-block"), "-o", at("out.onnx"), "--skip", "3"});
        QCOMPARE(missing(document, "optimize",
                         "schema model before after steps blocked verification output milliseconds "
                         "peak_bytes"),
                 QString());
        QCOMPARE(document["schema"].toInt(), 1);
        QCOMPARE(missing(document["model"].toObject(), "model", "path ir_version opsets producer"),
                 QString());
        QVERIFY(document["model"].toObject()["opsets"].toObject().contains(QString()));
        for (const char* side : {"before", "after"})
            QCOMPARE(missing(document[QLatin1String(side)].toObject(), side,
                             "nodes initializers parameters bytes operators flops activation_bytes"),
                     QString());
        const QStringList stages{"fixes", "inline", "folding", "dead-code", "fusion"};
        int index = 0;
        qsizetype stage = 0;
        for (const auto& value : document["steps"].toArray()) {
            const QJsonObject step = value.toObject();
            QCOMPARE(missing(step, "step",
                             "index stage round state rule title root removed added changed values"),
                     QString());
            QCOMPARE(step["index"].toInt(), ++index);
            if (step["round"].toInt() == 1) {
                QVERIFY(stages.indexOf(step["stage"].toString()) >= stage);
                stage = stages.indexOf(step["stage"].toString());
            }
            QCOMPARE(step["state"].toString(), QLatin1String(index == 3 ? "skipped" : "applied"));
            QCOMPARE(wrongNode(step["root"]), QString());
            for (const char* list : {"removed", "added", "changed"}) {
                for (const auto& node : step[QLatin1String(list)].toArray())
                    QCOMPARE(wrongNode(node), QString());
            }
        }
        QVERIFY(index > 5);
        QVERIFY(!document["blocked"].toArray().isEmpty());
        for (const auto& value : document["blocked"].toArray()) {
            const QJsonObject row = value.toObject();
            QCOMPARE(missing(row, "blocked", "rule root final_at reasons"), QString());
            QCOMPARE(wrongNode(row["root"]), QString());
            for (const auto& reason : row["reasons"].toArray()) {
                QCOMPARE(missing(reason.toObject(), "reason", "code kind culprits message unblock fix"),
                         QString());
                QVERIFY(QStringList({"legality", "profit", "policy"})
                            .contains(reason.toObject()["kind"].toString()));
            }
        }
        const QJsonObject proof = document["verification"].toObject();
        QCOMPARE(missing(proof, "verification", "status why cut seed executor outputs"), QString());
        QCOMPARE(proof["status"].toString(), QStringLiteral("pass"));
        for (const auto& output : proof["outputs"].toArray())
            QCOMPARE(missing(output.toObject(), "comparison", comparisonKeys), QString());
        QCOMPARE(missing(document["output"].toObject(), "output", "path bytes form nodes"), QString());
        QCOMPARE(missing(document["milliseconds"].toObject(), "milliseconds",
                         "load optimize verify export"),
                 QString());
        QVERIFY(document["peak_bytes"].toDouble() > 1e6);
    }

    // An id of a step is the node that `layout` shows in the states on both sides of it.
    void idsMeanTheSameEverywhere()
    {
        const QString model = example("residual-block");
        const auto document = answer({"optimize", model, "-o", at("out.onnx")});
        const QJsonArray steps = document["steps"].toArray();
        std::set<int> now = idsOf(answer({"layout", model})["nodes"].toArray());
        QCOMPARE(int(now.size()), document["before"].toObject()["nodes"].toInt());
        for (const auto& value : steps) {
            const QJsonObject step = value.toObject();
            for (const int id : idsOf(step["removed"].toArray()))
                QVERIFY(now.erase(id) == 1);
            for (const int id : idsOf(step["added"].toArray()))
                QVERIFY(now.insert(id).second);
            for (const int id : idsOf(step["changed"].toArray()))
                QVERIFY(now.contains(id));
            const int index = step["index"].toInt();
            if (index % 4 == 0 || index == steps.size())
                QCOMPARE(idsOf(answer({"layout", model, "--step", QString::number(index)})["nodes"]
                                   .toArray()),
                         now);
        }
        QCOMPARE(int(now.size()), document["after"].toObject()["nodes"].toInt());
        // By such an id a node can be asked for.
        for (const auto& value : document["blocked"].toArray()) {
            const int root = value.toObject()["root"].toObject()["id"].toInt();
            const auto asked = answer({"explain", model, "--node", QStringLiteral("#%1").arg(root)});
            bool found = false;
            for (const auto& one : asked["candidates"].toArray())
                found = found || (one.toObject()["status"].toString() == QLatin1String("blocked") &&
                                  one.toObject()["root"].toObject()["id"].toInt() == root);
            QVERIFY(found);
        }
        // A range of steps is what its steps add up to.
        const auto diff =
            answer({"diff", model, "--steps", QStringLiteral("0..%1").arg(steps.size())});
        std::set<int> first = idsOf(answer({"layout", model})["nodes"].toArray());
        for (const int id : idsOf(diff["removed"].toArray()))
            QVERIFY(first.erase(id) == 1);
        for (const int id : idsOf(diff["added"].toArray()))
            QVERIFY(first.insert(id).second);
        QCOMPARE(first, now);
    }

    void explain()
    {
        const QString model = example("residual-block");
        const auto all = answer({"explain", model})["candidates"].toArray();
        const auto steps =
            answer({"optimize", model, "-o", at("out.onnx")})["steps"].toArray();
        int applied = 0;
        for (const auto& value : all) {
            const QJsonObject one = value.toObject();
            QCOMPARE(missing(one, "candidate", "rule root status conditions reasons"), QString());
            applied += one["status"].toString() == QLatin1String("applied") ? 1 : 0;
            const bool fuses = one["rule"].toString() == QLatin1String("conv-batchnorm");
            QVERIFY(!fuses || !one["conditions"].toArray().isEmpty());
        }
        QCOMPARE(applied, int(steps.size()));
        const auto off = answer({"explain", model, "--node", "stem/bn", "--disable", "conv-batchnorm"});
        QStringList states;
        for (const auto& value : off["candidates"].toArray()) {
            const QJsonObject one = value.toObject();
            states << one["status"].toString();
            for (const auto& condition : one["conditions"].toArray())
                QCOMPARE(missing(condition.toObject(), "condition", "id name holds saw"), QString());
        }
        QVERIFY(states.contains(QStringLiteral("disabled")));
        // Without a node too: all that fusions would do.
        const auto unfused = answer({"explain", model, "--disable", "fusion"});
        QVERIFY(QJsonDocument(unfused).toJson().contains("\"disabled\""));
        // Conditions have ids that no language changes.
        const auto conditions = [&](const char* language) {
            return answer({"explain", model, "--node", "stem/bn", "--lang", language})["candidates"][0]
                         ["conditions"][0];
        };
        QVERIFY(conditions("en")["id"].toString().startsWith(QLatin1String("condition.")));
        QCOMPARE(conditions("en")["id"], conditions("zh_CN")["id"]);
        QVERIFY(conditions("en")["name"] != conditions("zh_CN")["name"]);
        // What was kept, and why.
        const auto remarks = answer({"explain", example("read-in-a-branch")})["remarks"].toArray();
        QCOMPARE(int(remarks.size()), 1);
        QCOMPARE(wrongNode(remarks[0]["node"]), QString());
        QCOMPARE(remarks[0]["code"].toString(), QStringLiteral("read-by-body"));
        QVERIFY(!remarks[0]["message"].toString().isEmpty());
        QVERIFY(command({"explain", example("read-in-a-branch")}).out.contains("'exp' stays"));
        const auto between = [&](const char* a, const char* b, QStringList more = {}) {
            return answer(QStringList{"explain", model, "--between", a, b} + more);
        };
        const auto blocked = between("layer2/conv1", "layer2/relu1");
        QCOMPARE(missing(blocked, "between", "answer rule reasons conditions message"), QString());
        QCOMPARE(blocked["answer"].toString(), QStringLiteral("blocked"));
        QCOMPARE(between("layer2/relu1", "layer2/conv1")["answer"], blocked["answer"]);
        QCOMPARE(between("stem/conv", "stem/bn")["answer"].toString(), QStringLiteral("fused"));
        QCOMPARE(between("stem/conv", "head/dropout")["answer"].toString(),
                 QStringLiteral("no-pattern"));
        QCOMPARE(between("stem/conv", "stem/bn", {"--disable", "conv-batchnorm"})["answer"].toString(),
                 QStringLiteral("disabled"));
        // Legal is not done: what was not applied in this run has an answer of its own.
        const auto folded = between("stem/conv", "stem/bn");
        const QString step = QString::number(folded["step"].toInt());
        QCOMPARE(between("stem/conv", "stem/bn", {"--skip", step})["answer"].toString(),
                 QStringLiteral("skipped"));
        const auto early = between("stem/conv", "stem/bn", {"--max-steps", "0"});
        QCOMPARE(early["answer"].toString(), QStringLiteral("not-reached"));
        QCOMPARE(early["rule"].toString(), QStringLiteral("conv-batchnorm"));
        QVERIFY(!early["message"].toString().contains(QStringLiteral("fused at")));
    }

    void compareAndBisect()
    {
        const auto document = answer({"compare", example("residual-block"), "--bisect"});
        QCOMPARE(missing(document, "compare", "schema status outputs intermediates first_divergence"),
                 QString());
        QVERIFY(document["first_divergence"].isNull());
        QVERIFY(!document["intermediates"].toArray().isEmpty());
        for (const char* list : {"outputs", "intermediates"}) {
            for (const auto& one : document[QLatin1String(list)].toArray())
                QCOMPARE(missing(one.toObject(), "comparison", comparisonKeys), QString());
        }
        // Two files: values in between too, and how each was matched.
        const QString model = example("residual-block");
        QVERIFY(!answer({"optimize", model, "-o", at("other.onnx")}).isEmpty());
        const auto files = answer({"compare", model, at("other.onnx")});
        QVERIFY(!files["intermediates"].toArray().isEmpty());
        for (const char* list : {"outputs", "intermediates"}) {
            for (const auto& one : files[QLatin1String(list)].toArray())
                QVERIFY(QStringList({"name", "order", "structure"})
                            .contains(one.toObject()["matched_by"].toString()));
        }
        const auto diff = answer({"diff", model, at("other.onnx")});
        QVERIFY(!diff["values"].toArray().isEmpty());
        QVERIFY(answer({"diff", model, model})["values"].toArray().isEmpty());
        // No difference at all is allowed: a fold moves the numbers, and one step is to blame.
        const QStringList strict{"compare", example("residual-block"), "--bisect", "--rtol", "0"};
        const auto differs = answer(strict, 1);
        QCOMPARE(differs["status"].toString(), QStringLiteral("fail"));
        const int step = differs["first_divergence"].toInt();
        QVERIFY(step > 0);
        const QString before = QString::number(step - 1);
        QCOMPARE(command(strict + QStringList{"--max-steps", before}).status, 0);
        QCOMPARE(command(strict + QStringList{"--max-steps", QString::number(step)}).status, 1);
    }

    void benchAndRun()
    {
        const auto bench = answer({"bench", example("gelu"), "--repeat", "2", "--profile"});
        QCOMPARE(missing(bench, "bench", "schema threads plans fused_over_unfused nodes"), QString());
        for (const auto& plan : bench["plans"].toArray())
            QCOMPARE(missing(plan.toObject(), "plan",
                             "name runs min_ms median_ms p90_ms arena_bytes weight_bytes"),
                     QString());
        for (const auto& node : bench["nodes"].toArray()) {
            QCOMPARE(missing(node.toObject(), "profile",
                             "node kernel layout median_ms gflops gbytes_per_s originals"),
                     QString());
            QCOMPARE(wrongNode(node.toObject()["node"]), QString());
        }
        // Both executors, and what was written, give the same.
        const QString model = example("conv-batchnorm");
        for (const char* executor : {"reference", "fused"})
            QCOMPARE(command({"run", model, "--executor", executor, "-o",
                              at(executor) + QStringLiteral(".npz")})
                         .status,
                     0);
        const auto reference = answer({"run", model, "--executor", "reference"});
        const auto fused = answer({"run", model, "--executor", "fused"});
        QCOMPARE(missing(fused, "run", "schema outputs"), QString());
        QCOMPARE(answer({"run", model, "--seed", "7"})["seed"].toInt(), 7);
        QCOMPARE(reference["outputs"].toArray().size(), fused["outputs"].toArray().size());
        const auto r = reference["outputs"].toArray()[0].toObject();
        const auto f = fused["outputs"].toArray()[0].toObject();
        QVERIFY(std::abs(r["mean"].toDouble() - f["mean"].toDouble()) < 1e-5);
    }

    // Exporters leave the shape of an output open; the operators tell it.
    void infoTellsInferredOutputs()
    {
        const QTemporaryDir folder;
        const QString model = modelFile("g (float[2, 3] x) => (float[?] y) { y = Transpose (x) }",
                                        folder, QStringLiteral("open.onnx"));
        const auto info = answer({"info", model});
        QCOMPARE(info["outputs"].toArray()[0].toObject()["type"].toString(),
                 QStringLiteral("float[3, 2]"));
    }

    void layoutAndInfo()
    {
        const QString model = example("residual-block");
        const auto layout = answer({"layout", model});
        QCOMPARE(missing(layout, "layout", "engine milliseconds width height nodes edges"), QString());
        // Of all steps, those that are gone too: each as it stood last.
        const auto united = answer({"layout", model, "--union"})["nodes"].toArray();
        int gone = 0;
        for (const auto& value : united) {
            QCOMPARE(wrongNode(value), QString());
            QVERIFY(!value.toObject()["op"].toString().isEmpty());
            gone += value.toObject().contains("until") ? 1 : 0;
        }
        QVERIFY(gone > 0 && gone < united.size());
        QVERIFY(!command({"layout", model, "--union"}).out.contains("  #"));
        std::set<int> ids;
        for (const auto& value : layout["nodes"].toArray()) {
            QCOMPARE(missing(value.toObject(), "node", "id name x y width height"), QString());
            ids.insert(value.toObject()["id"].toInt());
        }
        for (const auto& value : layout["edges"].toArray()) {
            const QJsonObject edge = value.toObject();
            QCOMPARE(missing(edge, "edge", "from to points"), QString());
            for (const char* end : {"from", "to"}) {
                const QJsonValue one = edge[QLatin1String(end)];
                QVERIFY(!one.isDouble() || ids.contains(one.toInt()));
            }
            for (const auto& point : edge["points"].toArray())
                QCOMPARE(point.toArray().size(), 2);
        }
        const auto info = answer({"info", model});
        QCOMPARE(missing(info, "info", "schema model before inputs outputs problems"), QString());
        const auto lost = answer({"info", example("lost-weights")})["problems"].toArray();
        QVERIFY(!lost.isEmpty());
        for (const auto& problem : lost)
            QCOMPARE(missing(problem.toObject(), "problem", "severity node message"), QString());
    }

    void conformance()
    {
        const auto none = answer({"conformance", m_folder->path()}, 0);
        QCOMPARE(missing(none, "conformance", "schema passed failed unsupported"), QString());
        QCOMPARE(none["passed"].toInt(), 0);
        QCOMPARE(command({"conformance", at("nowhere")}).status, 3);
    }

    // A report tells what `optimize` tells.
    void report()
    {
        QCOMPARE(command({"report", example("residual-block"), "-o", at("r.json")}).status, 0);
        QFile file(at("r.json"));
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QJsonObject told = QJsonDocument::fromJson(file.readAll()).object();
        const auto document = answer({"optimize", example("residual-block"), "-o", at("out.onnx")});
        QCOMPARE(told["steps"].toArray().size(), document["steps"].toArray().size());
        QCOMPARE(told["blocked"].toArray().size(), document["blocked"].toArray().size());
        QCOMPARE(told["before"].toObject()["nodes"], document["before"].toObject()["nodes"]);
        QCOMPARE(told["after"].toObject()["flops"], document["after"].toObject()["flops"]);
        // A refusal to the letter, with what its fix changes.
        const QString model = example("training-batchnorm");
        QCOMPARE(command({"report", model, "-o", at("t.json")}).status, 0);
        QFile training(at("t.json"));
        QVERIFY(training.open(QIODevice::ReadOnly));
        const QByteArray text = training.readAll();
        QVERIFY(text.contains("\"fix_changes_meaning\": true"));
        QCOMPARE(QJsonDocument::fromJson(text).object()["blocked"],
                 answer({"optimize", model, "-o", at("t.onnx")})["blocked"]);
    }

    // Each option that changes what is optimized changes it as it says.
    void passOptions()
    {
        const QString model = example("residual-block");
        int number = 0;
        const auto rules = [&](const QStringList& options) {
            const QString out = m_folder->filePath(QStringLiteral("%1.onnx").arg(++number));
            QStringList list;
            const auto document = answer(QStringList{"optimize", model, "-o", out} + options);
            for (const auto& step : document["steps"].toArray())
                list << step.toObject()["rule"].toString();
            return list;
        };
        const QStringList all = rules({});
        QStringList folds = rules({"--passes", "conv-batchnorm"});
        QVERIFY(!folds.isEmpty());
        folds.removeAll(QStringLiteral("conv-batchnorm"));
        QCOMPARE(folds, QStringList());
        QVERIFY(!rules({"--disable", "fusion"}).contains("conv-batchnorm"));
        QCOMPARE(rules({"--max-steps", "2"}), all.mid(0, 2));
        QCOMPARE(rules({"--max-steps", "0"}), QStringList());
        QVERIFY(command({"explain", model, "--list-passes"}).out.contains("conv-batchnorm"));
        QVERIFY(command({"explain", "--list-targets", "--json"}).json()["targets"].toArray().size() > 1);
        const auto fixed = answer({"optimize", example("training-batchnorm"), "-o", at("fixed.onnx"),
                                   "--fix", "inference-batchnorm"});
        QCOMPARE(fixed["steps"].toArray()[0].toObject()["stage"].toString(), QStringLiteral("fixes"));
        QCOMPARE(fixed["steps"].toArray()[0].toObject()["rule"].toString(),
                 QStringLiteral("inference-batchnorm"));
    }

    void exportOptions()
    {
        const QString model = example("conv-activation");
        const auto functions =
            answer({"optimize", model, "-o", at("f.onnx"), "--form", "functions"});
        QCOMPARE(functions["output"].toObject()["form"].toString(), QStringLiteral("functions"));
        QVERIFY(!answer({"info", at("f.onnx")})["functions"].toArray().isEmpty());
        const QString heavy = modelFile("net (float[900] x) => (float[900] y) "
                                        "<float[900] w = random(1)> { y = Mul (x, w) }",
                                        *m_folder, QStringLiteral("heavy.onnx"));
        QCOMPARE(command({"optimize", heavy, "-o", at("e.onnx"), "--external-data", "always"}).status, 0);
        QVERIFY(QFile::exists(at("e.onnx.data")));
        QCOMPARE(answer({"info", at("e.onnx")})["external_files"].toArray().size(), 1);
        QCOMPARE(command({"compare", heavy, at("e.onnx")}).status, 0);
        const auto blind = answer({"optimize", model, "-o", at("n.onnx"), "--no-verify"});
        QCOMPARE(blind["verification"].toObject()["status"].toString(), QStringLiteral("not-run"));
    }

    void languageAndProgress()
    {
        const auto chinese = command({"explain", example("second-reader"), "--lang", "zh_CN"});
        const auto english = command({"explain", example("second-reader")});
        QCOMPARE(chinese.status, 0);
        QVERIFY(chinese.out != english.out);
        // Codes stay, sentences follow the language.
        const auto a = answer({"explain", example("second-reader")})["candidates"].toArray();
        const auto b =
            answer({"explain", example("second-reader"), "--lang", "zh_CN"})["candidates"].toArray();
        QCOMPARE(a.size(), b.size());
        for (qsizetype i = 0; i < a.size(); ++i)
            QCOMPARE(a[i].toObject()["rule"], b[i].toObject()["rule"]);
        QVERIFY(!command({"compare", example("gelu"), "--progress", "always"}).err.isEmpty());
        QVERIFY(command({"compare", example("gelu"), "--progress", "never", "--quiet"}).err.isEmpty());
    }
};

FUSESCOPE_TEST(ContractTest, contract_test)
#include "contract_test.moc"

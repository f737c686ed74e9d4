#include "reach_models.h"
#include "report/texts.h"
#include "session/catalog.h"
#include "session/session.h"
#include "support/model_bytes.h"
#include "support/test_class.h"

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QRegularExpression>
#include <QSet>

using namespace fusescope;
using namespace fusescope::test;

// Every reason that the code knows can be met in an example, and every condition fails somewhere: all examples are
// run, with the few settings that a reason about settings needs, and each node is asked why.
class ReachTest : public QObject
{
    Q_OBJECT

    QSet<QString> m_codes, m_conditions;

    static QString text(std::string_view view)
    {
        return QString::fromUtf8(view.data(), static_cast<qsizetype>(view.size()));
    }

    void take(const Reason& reason)
    {
        m_codes.insert(text(idOf(reason.code)));
        QVERIFY2(findText(reason.headline.text.key) && findText(reason.message.text.key),
                 idOf(reason.code).data());
        QVERIFY2(!reason.culprits.empty(), idOf(reason.code).data());
    }

    // Runs a model and asks every node; the codes that it told.
    void walk(const std::string& file, const Plan& plan, QSet<QString>* told = nullptr)
    {
        SessionOptions options;
        options.plan = plan;
        options.runInBackground = false;
        const auto session = Session::open(file, options);
        QVERIFY2(session.has_value(), file.c_str());
        walk(*session, file, told);
    }

    void walk(const std::shared_ptr<Session>& opened, const std::string& file, QSet<QString>* told)
    {
        const auto* session = &opened;
        const auto finished = (*session)->finish();
        QVERIFY2(finished.has_value(), file.c_str());
        const Timeline& timeline = **finished;
        for (const Blocked& row : timeline.blocked) {
            for (const Reason& reason : row.miss.reasons)
                take(reason);
        }
        for (const Remark& remark : timeline.remarks)
            take(remark.reason);
        if (told) {
            for (const Blocked& row : timeline.blocked) {
                for (const Reason& reason : row.miss.reasons)
                    told->insert(text(idOf(reason.code)));
            }
            for (const Remark& remark : timeline.remarks)
                told->insert(text(idOf(remark.reason.code)));
            for (const auto& step : timeline.steps)
                told->insert(text(step->rule));
        }
        for (const int step : {0, timeline.size()}) {
            const Graph graph = timeline.at(step);
            for (const NodeId node : graph.allNodes()) {
                for (const Explanation& one : (*session)->explain(timeline, step, node)) {
                    for (const ConditionRecord& condition : one.conditions) {
                        if (!condition.holds)
                            m_conditions.insert(text(condition.name.key));
                        // Without a sentence of what it saw, a refusal would say nothing.
                        QVERIFY2(condition.holds || findText(condition.saw.text.key),
                                 condition.name.key.data());
                    }
                }
            }
        }
    }

    // The condition names that a source file spells.
    static QSet<QString> namesIn(const QString& folder)
    {
        QSet<QString> names;
        const QRegularExpression quoted(QStringLiteral("\"(condition\\.[a-z0-9-]+)\""));
        const QDir sources(QStringLiteral(FUSESCOPE_SOURCE_DIR "/core/") + folder);
        for (const QString& name : sources.entryList({QStringLiteral("*.cpp")})) {
            QFile file(sources.filePath(name));
            if (!file.open(QIODevice::ReadOnly))
                continue;
            auto found = quoted.globalMatch(QString::fromUtf8(file.readAll()));
            while (found.hasNext())
                names.insert(found.next().captured(1));
        }
        return names;
    }

private Q_SLOTS:
    // Each example shows what the list says of it: rules that act, reasons that are told.
    void initTestCase()
    {
        const QDir examples(QStringLiteral(FUSESCOPE_SOURCE_DIR "/resources/examples"));
        QFile index(examples.filePath(QStringLiteral("index.json")));
        QVERIFY(index.open(QIODevice::ReadOnly));
        QStringList missing;
        for (const QJsonValue& row : QJsonDocument::fromJson(index.readAll()).array()) {
            const QString name = row[QStringLiteral("file")].toString();
            QSet<QString> told;
            walk(examples.filePath(name).toStdString(), {}, &told);
            for (const QJsonValue& topic : row[QStringLiteral("topics")].toArray()) {
                if (!told.contains(topic.toString()))
                    missing << name + QLatin1Char(':') + topic.toString();
            }
        }
        QVERIFY2(missing.isEmpty(), qPrintable(missing.join(QLatin1Char(' '))));
    }

    // What only a person's settings bring about.
    void settingsHaveReasonsToo()
    {
        const QDir examples(QStringLiteral(FUSESCOPE_SOURCE_DIR "/resources/examples"));
        const std::string model = examples.filePath(QStringLiteral("residual-block.onnx")).toStdString();
        SessionOptions options;
        const auto session = Session::open(model, options);
        QVERIFY(session);
        Plan plan;
        for (const NodeId node : (*session)->opened().allNodes())
            plan.policy.pinnedNodes.insert(node);
        walk(model, plan);
        Plan small;
        small.policy.maxGrowth = 1;
        for (const QString& name : examples.entryList({QStringLiteral("*.onnx")}))
            walk(examples.filePath(name).toStdString(), small);
        for (const TargetInfo& target : targetCatalog()) {
            Plan other;
            other.policy.target = target.id;
            walk(model, other);
        }
    }

    void everyReasonIsMet()
    {
        QStringList missing;
        for (const ReasonCode code : allReasonCodes()) {
            if (!m_codes.contains(text(idOf(code))))
                missing << text(idOf(code));
        }
        QVERIFY2(missing.isEmpty(), qPrintable(missing.join(QLatin1Char(' '))));
    }

    // Each condition fails somewhere: in an example, or in a model made for it. `valid` guards against
    // rules that would contradict what is known; no model brings that about.
    void everyConditionFailsSomewhere()
    {
        QStringList missing;
        for (const ReachModel& model : reachModels()) {
            SessionOptions options;
            options.runInBackground = false;
            const auto session = Session::openBytes(modelBytes(model.text), "model", options);
            QVERIFY2(session.has_value(), model.condition.data());
            m_conditions.remove(text(model.condition));
            walk(*session, std::string(model.condition), nullptr);
            if (!m_conditions.contains(text(model.condition)))
                missing << text(model.condition) + QStringLiteral(" in its model");
        }
        for (const QString& name : namesIn(QStringLiteral("patterns")) | namesIn(QStringLiteral("passes"))) {
            if (!m_conditions.contains(name) && name != QStringLiteral("condition.valid"))
                missing << name;
        }
        missing.sort();
        QVERIFY2(missing.isEmpty(), qPrintable(missing.join(QLatin1Char(' '))));
    }

    // No condition is named in the table and nowhere else, or the other way round.
    void theTableNamesThemAll()
    {
        QSet<QString> table;
        for (const auto& rows : textTables()) {
            for (const TextRow& row : rows) {
                if (row.key.starts_with("condition."))
                    table.insert(text(row.key));
            }
        }
        const QSet<QString> used = namesIn(QStringLiteral("patterns")) | namesIn(QStringLiteral("passes"));
        QStringList different = QStringList((table - used).values()) + (used - table).values();
        different.sort();
        QVERIFY2(different.isEmpty(), qPrintable(different.join(QLatin1Char(' '))));
    }
};

FUSESCOPE_TEST(ReachTest, reach_test)
#include "reach_test.moc"

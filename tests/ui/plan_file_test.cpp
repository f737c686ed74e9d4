#include "ui/plan_file.h"
#include "support/test_class.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace fusescope;

class PlanFileTest : public QObject
{
    Q_OBJECT

    QTemporaryDir m_folder;
    std::shared_ptr<Session> m_session;

    Result<Plan> read(const QByteArray& text) const
    {
        QFile file(m_folder.filePath(QStringLiteral("plan.json")));
        if (!file.open(QIODevice::WriteOnly) || file.write(text) != text.size())
            qFatal("cannot write");
        file.close();
        return readPlanFile(file.fileName(), *m_session);
    }

private Q_SLOTS:
    void initTestCase()
    {
        const QString example = QStringLiteral(FUSESCOPE_SOURCE_DIR "/resources/examples/conv-batchnorm.onnx");
        auto session = Session::open(example.toStdString());
        QVERIFY2(session.has_value(), qPrintable(example));
        m_session = *session;
    }

    void whatIsWrittenIsRead()
    {
        Plan plan;
        plan.policy.maxGrowth = 12345;
        plan.policy.foldQuantization = true;
        plan.policy.disabled = {"gelu", "folding"};
        plan.policy.pure = {"own:Op"};
        plan.maxSteps = 3;
        const NodeId first = m_session->opened().allNodes().front();
        plan.policy.pinnedNodes = {first};
        plan.skips.insert(RewriteKey{"conv-batchnorm", {first}});
        const QString path = m_folder.filePath(QStringLiteral("written.json"));
        QVERIFY(writePlanFile(path, plan, *m_session));
        const auto again = readPlanFile(path, *m_session);
        QVERIFY(again.has_value());
        QCOMPARE(again->policy.maxGrowth, plan.policy.maxGrowth);
        QCOMPARE(again->policy.foldQuantization, true);
        QCOMPARE(again->policy.disabled, plan.policy.disabled);
        QCOMPARE(again->policy.pure, plan.policy.pure);
        QCOMPARE(again->policy.pinnedNodes, plan.policy.pinnedNodes);
        QVERIFY(again->skips == plan.skips);
        QCOMPARE(again->maxSteps, 3);
    }

    void wrongValuesAreErrors_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::newRow("no json") << QByteArray("{");
        QTest::newRow("a list") << QByteArray("[]");
        QTest::newRow("growth") << QByteArray(R"({"max_growth": "lots"})");
        QTest::newRow("quantization") << QByteArray(R"({"fold_quantization": 1})");
        QTest::newRow("steps") << QByteArray(R"({"max_steps": 1.5})");
        QTest::newRow("pins") << QByteArray(R"({"pins": "conv"})");
        QTest::newRow("a pin") << QByteArray(R"({"pins": [7]})");
        QTest::newRow("skips") << QByteArray(R"({"skips": {}})");
        QTest::newRow("a skip") << QByteArray(R"({"skips": [{"rule": 1, "origins": []}]})");
        QTest::newRow("a rule") << QByteArray(R"({"disabled": ["no-such-rule"]})");
        QTest::newRow("target") << QByteArray(R"({"target": "abacus"})");
        QTest::newRow("fix") << QByteArray(R"({"fixes": ["heal"]})");
        QTest::newRow("unknown node") << QByteArray(R"({"pins": ["nobody"]})");
    }
    void wrongValuesAreErrors()
    {
        QFETCH(QByteArray, text);
        QVERIFY(!read(text));
    }
};

FUSESCOPE_TEST(PlanFileTest, plan_file_test)

#include "plan_file_test.moc"

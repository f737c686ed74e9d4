#include "panel_fixture.h"
#include "support/test_class.h"
#include "ui/find_bar.h"
#include "ui/panels/changes_panel.h"
#include "ui/panels/explain_batchnorm.h"
#include "ui/panels/inspector_panel.h"
#include "ui/panels/summary_panel.h"
#include "ui/panels/tensor_figures.h"

#include <QLabel>
#include <QSignalSpy>
#include <QStandardItemModel>

#include <cmath>

using namespace fusescope;
using namespace fusescope::test;

// The Inspector, Changes, Summary and Find, on one network.
class PanelsTest : public QObject, PanelFixture
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { installTheme(); }
    void init() { QVERIFY(openNetwork()); }

    void foldNumbersAreThoseOfTheFile()
    {
        int number = 0;
        for (const auto& step : m_state->timeline()->steps) {
            if (step->rule == "conv-batchnorm")
                number = step->number;
        }
        QVERIFY(number > 0);
        const auto fold = batchnormFold(
            *m_state->graphAt(number - 1), *m_state->graphAt(number),
            *m_state->timeline()->steps[static_cast<std::size_t>(number - 1)]);
        QVERIFY(fold);
        QCOMPARE(fold->channels(), 4);
        QVERIFY(std::abs(fold->scale[2] - 2.0 / std::sqrt(4.0 + 0.001)) < 1e-7);
        QVERIFY(!fold->biasBefore);
        // float32 keeps 24 bits of numbers below 2.
        QVERIFY(fold->largestDifference() < 1e-6);
        QCOMPARE(fold->kernelStart(3), std::int64_t{81});
    }

    void inspectorExplainsTheFold()
    {
        InspectorPanel panel(*m_state, *m_actions);
        panel.resize(530, 900);
        panel.show();
        picture(panel, QStringLiteral("inspector-model"));
        QVERIFY(!panel.hasPage(InspectorPanel::explain));
        m_state->select(named(*m_state, "conv"));
        QVERIFY(panel.hasPage(InspectorPanel::tensors));
        QVERIFY(panel.hasPage(InspectorPanel::history));
        QVERIFY(panel.hasPage(InspectorPanel::explain));
        QTest::qWait(50);
        picture(panel, QStringLiteral("inspector-node"));
        for (const auto page : {InspectorPanel::tensors, InspectorPanel::explain,
                                InspectorPanel::history}) {
            panel.showPage(page);
            QCOMPARE(panel.page(), page);
            QTest::qWait(200);
            picture(panel, QStringLiteral("inspector-page%1").arg(page));
        }
        m_state->setB(m_state->stepCount());
        m_state->select(m_state->timeline()->unionGraph.standsForAt(
            named(*m_state, "conv"), m_state->stepCount()).front());
        panel.showPage(InspectorPanel::node);
        QTest::qWait(50);
        picture(panel, QStringLiteral("inspector-fused"));
        m_state->select({});
        QCOMPARE(panel.page(), InspectorPanel::node);
        QTest::qWait(50);
        picture(panel, QStringLiteral("inspector-nothing"));
    }

    // What stands inside a fused node is found as that node, a chain of it as one card.
    void findShowsFusedNodesForWhatTheyHold()
    {
        const int end = m_state->stepCount();
        const auto graph = m_state->graphAt(end);
        const NodeId fused =
            m_state->timeline()->unionGraph.standsForAt(named(*m_state, "conv"), end).front();
        const Found chain = findIn(*graph, FindQuery(QStringLiteral("Conv>Relu"), false));
        QCOMPARE(chain.hits, (std::vector<std::vector<NodeId>>{{fused}}));
        QCOMPARE(chain.near, std::size_t{0});
        const Found name = findIn(*graph, FindQuery(QStringLiteral("Relu"), false));
        QCOMPARE(name.hits, (std::vector<std::vector<NodeId>>{{fused}}));
    }

    // Every way to another place has a way back, also one that set A and one that led nowhere.
    void previousPlaceReturns()
    {
        const int end = m_state->stepCount();
        m_state->setB(end);
        const NodeId fused =
            m_state->timeline()->unionGraph.standsForAt(named(*m_state, "conv"), end).front();
        m_state->select(fused);
        m_state->goToOriginal(named(*m_state, "bn"));
        QVERIFY(m_state->a());
        QCOMPARE(m_state->selected(), named(*m_state, "bn"));
        m_state->goTo(named(*m_state, "bn")); // where it stands already: at its last step
        m_state->goTo(m_state->selected());
        m_state->placeBack();
        m_state->placeBack();
        QCOMPARE(m_state->b(), end);
        QVERIFY(!m_state->a());
        QCOMPARE(m_state->selected(), fused);
        m_state->goToStep(0);
        m_state->placeBack();
        QCOMPARE(m_state->b(), end);
        m_state->placeForward();
        QCOMPARE(m_state->b(), 0);
    }

    // The sizes of activations depend on N, which a run takes for 1.
    void changesTellWhatAStepSavesAndAtWhichSizes()
    {
        ChangesPanel panel(*m_state, *m_actions);
        panel.show();
        m_state->setB(1);
        const auto texts = [&panel] {
            QStringList list;
            for (const QLabel* label : panel.findChildren<QLabel*>())
                list << label->text();
            return list;
        };
        // 16 numbers of the BatchNormalization go, 4 of a bias come; 4·8·8 floats are written no more.
        QTRY_VERIFY(texts().contains(QStringLiteral(
            "Saves: nodes 1, parameters 12, bytes written 1.02 kB, FLOPs 256 (at N=1)")));
    }

    void summaryCountsBothSides()
    {
        SummaryPanel panel(*m_state, *m_actions);
        panel.resize(1000, 260);
        panel.show();
        QTRY_VERIFY_WITH_TIMEOUT(panel.operators()->rowCount() >= 3, 20000);
        bool found = false;
        for (int row = 0; row < panel.operators()->rowCount(); ++row) {
            if (panel.operators()->item(row, 0)->text() == QStringLiteral("BatchNormalization")) {
                found = true;
                QCOMPARE(panel.operators()->item(row, 1)->text(), QStringLiteral("1"));
                QCOMPARE(panel.operators()->item(row, 2)->text(), QStringLiteral("0"));
            }
        }
        QVERIFY(found);
        picture(panel, QStringLiteral("summary"));
    }

    void figuresOfATensor()
    {
        const float nan = std::nanf("");
        const auto figures = tensorFigures(Tensor::of<float>({5}, {0, 1, 2, 3, nan}));
        QVERIFY(figures);
        QCOMPARE(figures->nan, std::int64_t{1});
        QCOMPARE(figures->zeros, std::int64_t{1});
        QCOMPARE(figures->mean, 1.5);
        QCOMPARE(figures->bins.front(), std::int64_t{1});
        QCOMPARE(figures->bins.back(), std::int64_t{1});
    }

    void findKnowsNamesAttributesAndChains()
    {
        FindBar bar(*m_state);
        QSignalSpy hits(&bar, &FindBar::hitsChanged);
        bar.activate();
        bar.setText(QStringLiteral("gamma"));
        QCOMPARE(bar.found().hits.size(), std::size_t{1});
        QCOMPARE(m_state->selected(), named(*m_state, "bn"));
        bar.setText(QStringLiteral("epsilon"));
        QCOMPARE(bar.found().hits.size(), std::size_t{1});
        bar.setText(QStringLiteral("conv>batchnormalization>relu"));
        QCOMPARE(bar.found().hits.size(), std::size_t{1});
        QCOMPARE(bar.found().hits.front().size(), std::size_t{3});
        QCOMPARE(bar.found().near, std::size_t{0});
        bar.setText(QStringLiteral("Conv>Relu"));
        QCOMPARE(bar.found().near, std::size_t{1});
        bar.setText(QStringLiteral("nothing of the kind"));
        QCOMPARE(bar.summary(), QStringLiteral("No match"));
        QVERIFY(hits.count() >= 5);
        m_state->setB(m_state->stepCount());
        bar.setText(QStringLiteral("BatchNormalization"));
        QVERIFY(!bar.elsewhere().empty());
        bar.setRegex(true);
        bar.setText(QStringLiteral("(")); // no expression
        QVERIFY(bar.found().hits.empty());
        bar.setText(QStringLiteral("^Con."));
        QVERIFY(!bar.found().hits.empty() || !bar.elsewhere().empty());
    }
};

FUSESCOPE_TEST(PanelsTest, panels_test)
#include "panels_test.moc"

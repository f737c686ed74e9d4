#include <QAction>
#include <QApplication>
#include <QDir>
#include <QFile>
#include <QHeaderView>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLabel>
#include <QSignalSpy>
#include <QStandardItemModel>
#include <QTemporaryDir>
#include <QTreeView>

#include <algorithm>
#include <cmath>

#include "support/test_class.h"
#include "ui/dialogs/export_dialog.h"
#include "ui/dialogs/image_tensor.h"
#include "ui/dialogs/passes_dialog.h"
#include "ui/dialogs/reasons_dialog.h"
#include "ui/find_bar.h"
#include "ui/language.h"
#include "ui/operator_texts.h"
#include "ui/panels/changes_panel.h"
#include "ui/panels/compare_panel.h"
#include "ui/panels/compare_rows.h"
#include "ui/panels/explain_batchnorm.h"
#include "ui/panels/inspector_panel.h"
#include "ui/panels/summary_panel.h"
#include "ui/panels/tensor_figures.h"
#include "ui/panels/why_panel.h"
#include "ui/theme/theme.h"
#include "ui/open_model.h"
#include "ui/widgets/labels.h"

using namespace fusescope;

namespace {

const char* const network = R"(
<ir_version: 8, opset_import: ["" : 17]>
net (float[N, 3, 8, 8] x) => (float[N, 4, 8, 8] y)
<float[4, 3, 3, 3] W = random(1), float[4] gamma = {1.5, 0.5, 2.0, 1.0},
 float[4] beta = {0.1, -0.2, 0.3, 0.4}, float[4] mean = {0.01, -0.02, 0.03, 0.04},
 float[4] var = {1.0, 0.25, 4.0, 0.5}>
{
    [conv] c = Conv <pads = [1, 1, 1, 1]> (x, W)
    [bn] b = BatchNormalization <epsilon = 0.001> (c, gamma, beta, mean, var)
    [relu] y = Relu (b)
}
)";

// Pictures for people, where a folder is named.
void picture(QWidget& widget, const QString& name)
{
    const QString folder = qEnvironmentVariable("FUSESCOPE_PICTURES");
    if (!folder.isEmpty())
        widget.grab().save(QDir(folder).filePath(name + QStringLiteral(".png")));
}

NodeId named(const AppState& state, const char* name)
{
    const auto found = state.session()->findNodes(state.session()->opened(), name);
    return found.empty() ? NodeId{} : found.front();
}

} // namespace

class PanelsTest : public QObject
{
    Q_OBJECT

private:
    QTemporaryDir m_folder;
    std::unique_ptr<AppState> m_state;
    std::unique_ptr<Actions> m_actions;

private Q_SLOTS:
    void initTestCase()
    {
        theme().install();
        theme().setChoice(ThemeChoice::light);
    }

    void init()
    {
        m_state = std::make_unique<AppState>();
        m_actions = std::make_unique<Actions>(nullptr);
        m_state->open(
            fusescope::test::modelFile(network, m_folder.path(), QStringLiteral("net.onnx")));
        QVERIFY(fusescope::test::waitForPasses(*m_state));
    }

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

    void whyTellsTheStepThatFused()
    {
        WhyPanel panel(*m_state, *m_actions);
        panel.resize(330, 500);
        panel.show();
        QVERIFY(panel.verdict().isEmpty());
        m_state->select(named(*m_state, "conv"));
        m_state->selectSecond(named(*m_state, "bn"));
        QTRY_VERIFY(panel.verdict().startsWith(QStringLiteral("Fused at step")));
        QTest::qWait(50);
        picture(panel, QStringLiteral("why"));
        m_state->selectSecond(named(*m_state, "relu")); // by the rewrite after it
        QCOMPARE(panel.verdict(), QStringLiteral("Fused at step 2"));
        // Each of them alone: where it was fused, and a link that goes there.
        for (const auto& [name, step] :
             {std::pair("bn", 1), std::pair("relu", 2), std::pair("conv", 1)}) {
            m_state->setB(0);
            m_state->select(named(*m_state, name));
            QTRY_COMPARE(panel.verdict(), QStringLiteral("Fused at step %1").arg(step));
            QTest::qWait(20); // the conditions of other rules come after it
            QCOMPARE(panel.verdict(), QStringLiteral("Fused at step %1").arg(step));
            const auto links = panel.findChildren<LinkLabel*>();
            const auto link = std::ranges::find_if(links, [step = step](const LinkLabel* one) {
                return one->accessibleName() == QStringLiteral("Show step %1").arg(step);
            });
            QVERIFY(link != links.end());
            (*link)->click();
            QCOMPARE(m_state->b(), step);
        }
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

    // A rule of an earlier stage takes the Concat that concat-conv could have taken.
    void whyTellsWhatTookANodeBefore()
    {
        m_state->open(fusescope::test::modelFile(R"(
<ir_version: 8, opset_import: ["" : 17]>
focus (float[1, 3, 8, 8] x) => (float[1, 4, 4, 4] y)
<float[4, 12, 1, 1] W = random(1), int64[2] oo = {0, 0}, int64[2] lo = {1, 0}, int64[2] ol = {0, 1},
 int64[2] ll = {1, 1}, int64[2] ends = {2147483647, 2147483647}, int64[2] axes = {2, 3},
 int64[2] steps = {2, 2}>
{
    a = Slice (x, oo, ends, axes, steps)
    b = Slice (x, lo, ends, axes, steps)
    c = Slice (x, ol, ends, axes, steps)
    d = Slice (x, ll, ends, axes, steps)
    [join] j = Concat <axis = 1> (a, b, c, d)
    [conv] y = Conv (j, W)
}
)",
                                                 m_folder.path(), QStringLiteral("focus.onnx")));
        QTRY_VERIFY(m_state->title().contains(QStringLiteral("focus")));
        QVERIFY(fusescope::test::waitForPasses(*m_state));
        int taken = 0;
        for (const auto& step : m_state->timeline()->steps)
            taken = step->rule == "space-to-depth" ? step->number : taken;
        QVERIFY(taken > 0);
        WhyPanel panel(*m_state, *m_actions);
        panel.show();
        const auto tells = [&panel](const QString& words) {
            const auto labels = panel.findChildren<QLabel*>();
            return std::ranges::any_of(
                labels, [&](const QLabel* label) { return label->text().contains(words); });
        };
        for (const int state : {0, m_state->stepCount()}) {
            m_state->setB(state);
            m_state->select(named(*m_state, "join"));
            QTRY_VERIFY(tells(QStringLiteral("Slices to SpaceToDepth does it at step %1").arg(taken)));
            QVERIFY(tells(QStringLiteral("Concat + Conv could have done it, but step %1 took the node "
                                         "before").arg(taken)));
        }
    }

    // A refusal that later steps make possible stands in the list at once: asked of its node before
    // those steps, the panel says the same.
    void oneNodeIsToldWhatTheWholeRunRefuses()
    {
        AppState state;
        state.open(QStringLiteral(FUSESCOPE_SOURCE_DIR "/resources/examples/residual-block.onnx"));
        QVERIFY(test::waitForPasses(state));
        Actions actions(nullptr);
        WhyPanel panel(state, actions);
        panel.show();
        state.setB(0);
        state.select(named(state, "layer2/relu1"));
        const auto tells = [&panel](const QString& words) {
            const auto labels = panel.findChildren<QLabel*>();
            return std::ranges::any_of(
                labels, [&](const QLabel* label) { return label->text().contains(words); });
        };
        QTRY_VERIFY(tells(QStringLiteral("which needs the value before")));
        QVERIFY(!tells(QStringLiteral("No pattern begins or ends here")));
        // Nobody who guesses is told what lies ahead.
        state.setPredict(true);
        state.select(named(state, "layer2/conv1"));
        state.select(named(state, "layer2/relu1"));
        QTest::qWait(200);
        QVERIFY(!tells(QStringLiteral("which needs the value before")));
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

    void compareSaysOnlyWhatWasCompared()
    {
        ComparePanel panel(*m_state, *m_actions);
        panel.resize(1000, 260);
        panel.show();
        QVERIFY(!panel.showsResult());
        QSignalSpy badge(&panel, &ComparePanel::badgeChanged);
        const auto tells = [&panel](const QString& words) {
            const auto labels = panel.findChildren<QLabel*>();
            return std::ranges::any_of(labels, [&](const QLabel* label) { return label->text() == words; });
        };
        QVERIFY(tells(QStringLiteral("Not compared yet")));
        m_state->runAndCompare();
        QVERIFY(tells(QStringLiteral("Comparing…")) && !tells(QStringLiteral("Not compared yet")));
        QTRY_VERIFY_WITH_TIMEOUT(panel.showsResult(), 20000);
        QCOMPARE(badge.last().at(0).toString(), QStringLiteral("1/1"));
        QVERIFY(panel.model()->rowCount() >= 2);
        picture(panel, QStringLiteral("compare"));
        InputSpec other = m_state->inputs();
        other.seed = 99;
        m_state->setInputs(other);
        QVERIFY(!panel.showsResult());
    }

    // A fix that changes what the model computes is not held against the rewrites.
    void compareSaysWhatIsMeantToDiffer()
    {
        AppState state;
        std::string text = network;
        text.replace(text.find("epsilon = 0.001"), 15, "training_mode = 1");
        state.open(test::modelFile(text, m_folder.path(), QStringLiteral("train.onnx")));
        QVERIFY(test::waitForPasses(state));
        QVERIFY(!state.timeline()->blocked.empty());
        const Reason& reason = state.timeline()->blocked.front().miss.reasons.front();
        QVERIFY(reason.fix && reason.fix->changesMeaning);
        state.applyFix(Fix(*reason.fix));
        QVERIFY(QTest::qWaitFor([&] { return state.isFinished() && state.timeline()->plan == state.plan(); },
                                20000));
        Actions actions(nullptr);
        ComparePanel panel(state, actions);
        panel.show();
        const auto compared = [&](int a) {
            state.setB(state.stepCount());
            state.setA(a);
            state.runAndCompare();
            QStringList words;
            if (QTest::qWaitFor([&] { return panel.showsResult(); }, 20000)) {
                for (const QLabel* label : panel.findChildren<QLabel*>())
                    words << label->text();
            }
            return words.join(QLatin1Char(' '));
        };
        const QString whole = compared(0);
        QVERIFY2(whole.contains(QStringLiteral("The output differs")) &&
                     whole.contains(QStringLiteral("Step 1 is meant to change what the model computes")),
                 qPrintable(whole));
        const QString rewrites = compared(1);
        QVERIFY2(rewrites.contains(QStringLiteral("Before and after agree")) &&
                     !rewrites.contains(QStringLiteral("meant")),
                 qPrintable(rewrites));
    }

    // The room beside the Steps in a window of 1024: all ten columns are in sight, and what is cut
    // in them can be read.
    void columnsOfACompareFitANarrowPanel()
    {
        ComparePanel panel(*m_state, *m_actions);
        panel.resize(766, 260);
        panel.show();
        m_state->runAndCompare();
        QTRY_VERIFY_WITH_TIMEOUT(panel.showsResult(), 20000);
        const auto* table = panel.findChild<QTreeView*>();
        QVERIFY(table);
        const QHeaderView* header = table->header();
        QCOMPARE(header->count(), 10);
        QTRY_VERIFY(header->length() <= table->viewport()->width());
        QVERIFY(header->sectionSize(1) >= 100);
        for (int column = 3; column < header->count(); ++column)
            QVERIFY(!panel.model()->headerData(column, Qt::Horizontal, Qt::ToolTipRole)
                         .toString().isEmpty());
        // Wider: each gets what it wants, and the name takes the rest.
        const int narrow = header->sectionSize(3);
        panel.resize(1400, 260);
        QTRY_VERIFY(header->sectionSize(3) > narrow);
        QVERIFY(header->sectionSize(1) > 200);
        QCOMPARE(header->length(), table->viewport()->width());
    }

    void aRunThatWasOvertakenShowsNothing()
    {
        ComparePanel panel(*m_state, *m_actions);
        InputSpec other = m_state->inputs();
        other.seed = 7;
        m_state->runAndCompare();
        m_state->setInputs(other);
        QTRY_VERIFY_WITH_TIMEOUT(!m_state->jobs().anyRunning(), 20000);
        QVERIFY(!m_state->compareResult());
        QVERIFY(!panel.showsResult());
    }

    void worstComesFirst()
    {
        TensorComparison good, bad, worse;
        good.pass = true;
        good.maxAbs = 5;
        bad.maxAbs = 1;
        worse.maxAbs = std::nan("");
        good.name = "good";
        bad.name = "bad";
        worse.name = "worse";
        std::vector<TensorComparison> all{good, bad, worse};
        sortWorstFirst(all);
        QCOMPARE(all[0].name, std::string("worse"));
        QCOMPARE(all[1].name, std::string("bad"));
        QCOMPARE(all[2].name, std::string("good"));
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

    void exportNeverOffersTheSource()
    {
        ExportDialog dialog(*m_state);
        picture(dialog, QStringLiteral("export"));
        QCOMPARE(dialog.options().upTo, -1);
        QCOMPARE(dialog.options().form, ExportForm::standard);
        QVERIFY(dialog.options().verify);
        QVERIFY(!dialog.options().overwrite);
        QSignalSpy written(m_state.get(), &AppState::exported);
        dialog.setPath(m_folder.filePath(QStringLiteral("net.onnx"))); // the source
        dialog.accept();
        QVERIFY(!m_state->jobs().isRunning(JobKind::exportModel));
        dialog.setPath(m_folder.filePath(QStringLiteral("net.optimized.onnx")));
        dialog.accept();
        QTRY_COMPARE_WITH_TIMEOUT(written.count(), 1, 20000);
        QVERIFY(QFile::exists(m_folder.filePath(QStringLiteral("net.optimized.onnx"))));
    }

    void passesGiveTheirIds()
    {
        PassesDialog dialog(*m_state);
        QVERIFY(dialog.disabled().empty());
        dialog.setAll(false);
        QVERIFY(dialog.disabled().contains("conv-batchnorm"));
    }

    void theTargetIsChosenWithThePasses()
    {
        PassesDialog dialog(*m_state);
        QCOMPARE(dialog.target(), std::string("generic"));
        dialog.setTarget("npu");
        dialog.accept();
        QCOMPARE(m_state->plan().policy.target, std::string("npu"));
        PassesDialog again(*m_state);
        QCOMPARE(again.target(), std::string("npu"));
        again.setTarget("generic");
        again.accept();
        QCOMPARE(m_state->plan().policy.target, std::string("generic"));
    }

    void picturesBecomeTensors()
    {
        QImage image(2, 2, QImage::Format_RGB32);
        image.fill(QColor(255, 0, 51));
        const Type type = Type::tensor(DType::float32, Shape::of({Dim(1), Dim(3), Dim(2), Dim(2)}));
        const auto tensor = imageTensor(image, type, {{0}, {1.0 / 255}});
        QVERIFY(tensor);
        QCOMPARE(tensor->asDouble(0), 1.0);
        QCOMPARE(tensor->asDouble(4), 0.0);
        QVERIFY(std::abs(tensor->asDouble(8) - 0.2) < 1e-6);
        QVERIFY(!imageTensor(image, Type::tensor(DType::int64, type.shape), {}));
    }

    void helpPagesAreShown()
    {
        ReasonsDialog dialog(*m_state);
        QVERIFY(dialog.pageCount() > 10);
        QVERIFY(dialog.showPage(QStringLiteral("conv-batchnorm")));
        QVERIFY(!dialog.shownText().isEmpty());
        QVERIFY(!dialog.showPage(QStringLiteral("../../etc/passwd")));
        picture(dialog, QStringLiteral("reasons"));
    }

    // Every operator has its sentence in each language.
    void operatorTextsAreTranslated()
    {
        QFile table(QStringLiteral(FUSESCOPE_SOURCE_DIR "/core/model/schemas/descriptions.json"));
        QFile chinese(QStringLiteral(":/operators/zh_CN.json"));
        QVERIFY(table.open(QIODevice::ReadOnly) && chinese.open(QIODevice::ReadOnly));
        const QStringList names = QJsonDocument::fromJson(table.readAll()).object().keys();
        QVERIFY(names.size() > 200);
        QCOMPARE(QJsonDocument::fromJson(chinese.readAll()).object().keys(), names);
        const OpSchema* conv = findSchema("", "Conv", 17);
        QVERIFY(operatorText(*conv).startsWith(QStringLiteral("Slides filters")));
        installTranslations(QStringLiteral("zh_CN"));
        const QString spoken = operatorText(*conv);
        installTranslations({});
        QVERIFY2(spoken.contains(QStringLiteral("滤波器")), qPrintable(spoken));
        QVERIFY(operatorText(*conv).startsWith(QStringLiteral("Slides filters")));
    }

    // Each page in each language: the same sections and lists, and the same code.
    void helpPagesAreTranslated()
    {
        const auto outline = [](const QString& path) {
            QStringList lines;
            QFile file(path);
            bool code = false;
            for (const QString& line : QString::fromUtf8(file.open(QIODevice::ReadOnly) ? file.readAll()
                                                                                        : QByteArray())
                                           .split(u'\n')) {
                code = code != line.startsWith(QStringLiteral("```"));
                const QString kind = line.section(u' ', 0, 0);
                const bool marked = kind == u"#" || kind == u"##" || kind == u"-";
                lines << (code ? line : marked ? kind : line.isEmpty() ? QString() : QStringLiteral("text"));
            }
            return lines;
        };
        const QStringList pages =
            QDir(QStringLiteral(":/help")).entryList({QStringLiteral("*.md")}, QDir::Files);
        QVERIFY(pages.size() > 100);
        for (const QString& page : pages)
            QCOMPARE(outline(QStringLiteral(":/help/zh_CN/") + page),
                     outline(QStringLiteral(":/help/") + page));
        QCOMPARE(QDir(QStringLiteral(":/help/zh_CN")).entryList(QDir::Files).size(), pages.size());
        installTranslations(QStringLiteral("zh_CN"));
        ReasonsDialog dialog(*m_state);
        QVERIFY(dialog.showPage(QStringLiteral("conv-bias")));
        QVERIFY(dialog.shownText().contains(QStringLiteral("偏置")));
        installTranslations({});
    }
};

FUSESCOPE_TEST(PanelsTest, panels_test)
#include "panels_test.moc"

#include "gallery.h"

#include <cmath>

#include <QComboBox>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QSpinBox>
#include <QStandardItemModel>
#include <QTabBar>
#include <QTableView>
#include <QToolButton>
#include <QTreeView>
#include <QVBoxLayout>

#include "ui/theme/icons.h"
#include "ui/theme/row_delegate.h"
#include "ui/theme/theme.h"
#include "ui/widgets/breadcrumb.h"
#include "ui/widgets/channel_bars.h"
#include "ui/widgets/chip.h"
#include "ui/widgets/compare_bars.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/filter_edit.h"
#include "ui/widgets/formula.h"
#include "ui/widgets/histogram.h"
#include "ui/widgets/kernel_slice.h"
#include "ui/widgets/key_values.h"
#include "ui/widgets/log_chart.h"
#include "ui/widgets/notice_bar.h"
#include "ui/widgets/section.h"
#include "ui/widgets/segmented_switch.h"
#include "ui/widgets/status_progress.h"
#include "ui/widgets/step_slider.h"

using namespace fusescope;

namespace {

using E = Expression;

QString s(const char* text)
{
    return QString::fromUtf8(text);
}

QWidget* column(std::initializer_list<QWidget*> widgets, int width)
{
    auto* box = new QWidget;
    box->setFixedWidth(width);
    auto* layout = new QVBoxLayout(box);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(8);
    for (QWidget* widget : widgets)
        layout->addWidget(widget);
    layout->addStretch(1);
    box->setAutoFillBackground(true);
    box->setBackgroundRole(QPalette::Base);
    return box;
}

QWidget* row(std::initializer_list<QWidget*> widgets)
{
    auto* box = new QWidget;
    auto* layout = new QHBoxLayout(box);
    layout->setContentsMargins(8, 4, 8, 4);
    layout->setSpacing(6);
    for (QWidget* widget : widgets)
        layout->addWidget(widget);
    return box;
}

QVariant pillList(const QList<Pill>& all)
{
    return QVariant::fromValue(all);
}

const Pill oneBlocked{QStringLiteral("1"), Tone::blocked, Mark::blocked};

QWidget* makeSteps()
{
    auto* view = new QTreeView;
    auto* model = new QStandardItemModel(view);
    const auto stage = [&](const char* name, const char* count, QStandardItem* parent, bool bold) {
        auto* item = new QStandardItem(s(name));
        item->setData(bold, EmphasisRole);
        item->setData(s(count), CountRole);
        item->setData(pillList({oneBlocked}), PillsRole);
        parent->appendRow(item);
        return item;
    };
    QStandardItem* root = model->invisibleRootItem();
    stage("Folding", "3", root, true)->appendRow(new QStandardItem(s("Fold constants")));
    QStandardItem* fusion = stage("Fusion", "35", root, true);
    fusion->setData(true, RangeRole);
    QStandardItem* folded = stage("Conv + BatchNormalization", "19", fusion, false);
    folded->setData(QVariant::fromValue(Mark::tick), MarkRole);
    folded->appendRow(new QStandardItem(s("conv1")));
    QStandardItem* pass = stage("Conv + Add + activation", "3 / 7", fusion, false);
    pass->setData(true, RangeRole);
    const auto step = [&](const char* number, const char* name, Mark mark) {
        auto* item = new QStandardItem(s(name));
        item->setData(s(number), NumberRole);
        item->setData(QVariant::fromValue(mark), MarkRole);
        item->setData(true, MonoRole);
        item->setData(mark == Mark::coming || mark == Mark::blocked, MutedRole);
        item->setData(mark == Mark::tick || mark == Mark::current, RangeRole);
        pass->appendRow(item);
        return item;
    };
    step("26", "layer1.0/conv2", Mark::tick);
    step("27", "layer1.1/conv2", Mark::tick);
    QStandardItem* current = step("28", "layer2.0/conv2", Mark::current);
    current->setData(true, CurrentRole);
    current->setData(pillList({Pill{s("B"), Tone::accent, Mark::none, true}}), PillsRole);
    step("29", "layer2.1/conv2", Mark::coming);
    QStandardItem* skipped = step("30", "layer3.0/conv2", Mark::skipped);
    skipped->setData(true, StrikeRole);
    skipped->setData(pillList({Pill{s("skipped by you")}}), PillsRole);
    step("–", "layer4.0/conv2", Mark::blocked);
    view->setModel(model);
    view->setHeaderHidden(true);
    view->setUniformRowHeights(true);
    view->setIndentation(16);
    view->setItemDelegate(new RowDelegate(Row::tree, view));
    view->expandAll();
    view->setCurrentIndex(current->index());
    view->setFixedHeight(260);
    return view;
}

QWidget* makeChanges()
{
    auto* view = new QTreeView;
    auto* model = new QStandardItemModel(view);
    const auto add = [&](const char* text, const char* second, Mark mark) {
        auto* item = new QStandardItem(s(text));
        item->setData(s(second), SecondTextRole);
        item->setData(QVariant::fromValue(mark), MarkRole);
        model->appendRow(item);
    };
    add("ConvAddRelu", "conv2", Mark::added);
    add("Conv, BN, Add, Relu", "→ ConvAddRelu", Mark::removed);
    add("Conv", "downsample.0 W, +B </b><img src=x> and a very long name at its end",
        Mark::changed);
    view->setModel(model);
    view->setHeaderHidden(true);
    view->setRootIsDecorated(false);
    view->setItemDelegate(new RowDelegate(Row::tree, view));
    view->setFixedHeight(74);
    return view;
}

QWidget* makeBlocked()
{
    auto* view = new QTableView;
    auto* model = new QStandardItemModel(0, 6, view);
    model->setHorizontalHeaderLabels(
        {s("Kind"), s("Fusion"), s("Root"), s("Why it is blocked"), s("max |Δ|"), s("Fix")});
    const auto add = [&](Mark mark, const char* kind, const char* root, const char* why,
                         double error, const char* fix) {
        QList<QStandardItem*> items;
        for (const char* words : {kind, "Conv + activation", root, why, "", ""})
            items.append(new QStandardItem(s(words)));
        items[0]->setData(QVariant::fromValue(mark), MarkRole);
        items[2]->setData(true, LinkRole);
        items[2]->setData(true, MonoRole);
        items[3]->setData(true, EmphasisRole);
        items[3]->setData(
            QVariant::fromValue(mark == Mark::blocked ? Tone::blocked : Tone::neutral), ToneRole);
        items[3]->setData(pillList({Pill{s("+1")}}), ChipsRole);
        items[4]->setText(QString::number(error));
        items[4]->setData(true, MonoRole);
        items[4]->setTextAlignment(Qt::AlignRight);
        items[4]->setData(
            QVariant::fromValue(RowBars{logFraction(error), error / 2, mark == Mark::profit,
                                        theme().heat(Theme::heatLevel(error, 1e-3))}),
            BarsRole);
        if (*fix)
            items[5]->setData(s(fix), ButtonRole);
        model->appendRow(items);
    };
    add(Mark::blocked, "legality", "layer4.0/bn2", "Statistics are taken from each batch", 0.13,
        "Set to 0");
    add(Mark::blocked, "legality", "layer4.0/Reshape/that/is/long",
        "A Reshape stands in the shortcut", 0.0041, "Fix N = 1…");
    add(Mark::profit, "profit", "layer2.0/downsample.0", "3×3 beside 1×1: 9× the work there", 0.5,
        "");
    view->setModel(model);
    view->setItemDelegate(new RowDelegate(Row::table, view));
    view->verticalHeader()->hide();
    view->verticalHeader()->setDefaultSectionSize(24);
    view->setAlternatingRowColors(true);
    view->setShowGrid(false);
    view->setSelectionBehavior(QAbstractItemView::SelectRows);
    view->horizontalHeader()->setHighlightSections(false);
    view->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    const int widths[] = {80, 130, 120, 290, 110, 110};
    for (int i = 0; i < 6; ++i)
        view->setColumnWidth(i, widths[i]);
    view->selectRow(1);
    view->setFixedHeight(100);
    return view;
}

QWidget* makeFormulas()
{
    auto* general = new Formula;
    const E root = E::squareRoot(E::row({E::text(s("σ² + ε"))}));
    general->setExpression(
        E::row({E::strong(s("W′")), E::text(s(" = W · ")), E::fraction(E::text(s("γ")), root)}));
    auto* shift = new Formula;
    shift->setExpression(E::row({E::strong(s("b′")), E::text(s(" = (b − μ) · ")),
                                 E::fraction(E::text(s("γ")), root), E::text(s(" + β"))}));
    auto* numbers = new Formula;
    numbers->setExpression(
        E::row({E::strong(s("s")), E::text(s(" = ")),
                E::fraction(E::text(s("0.2461")), E::squareRoot(E::text(s("0.0513 + 0.00001")))),
                E::text(s(" = ")), E::fraction(E::text(s("0.2461")), E::text(s("0.2265"))),
                E::text(s(" = ")), E::result(s("1.0865"))}));
    auto* scripts = new Formula;
    scripts->setExpression(
        E::row({E::sup(E::text(s("x")), E::text(s("2"))), E::text(s(" + ")),
                E::sub(E::text(s("W")), E::text(s("i,j"))), E::text(s(" · ")),
                E::fraction(E::text(s("1")), E::sup(E::text(s("e")), E::text(s("−x"))))}));
    return column({row({general, shift}), row({numbers, scripts})}, 520);
}

QWidget* makeChannels()
{
    auto* bars = new ChannelBars;
    QList<double> values;
    for (int i = 0; i < 128; ++i)
        values.append(i == 90 ? 0.0027 : 0.8 + 0.35 * std::sin(i * 2.1) + 0.2 * std::cos(i * 5.3));
    bars->setValues(values);
    bars->setChosen(37);
    return bars;
}

QWidget* makeErrors()
{
    auto* bars = new ChannelBars;
    QList<double> values;
    for (int i = 0; i < 96; ++i)
        values.append(i == 71 ? 1.3e-1 : 5e-4 * (1 + 0.3 * std::sin(i * 1.7)));
    bars->setLogarithmic(true);
    bars->setLimit(1e-3, s("tolerance"));
    bars->setValues(values);
    return bars;
}

QWidget* makeSlice()
{
    auto* slice = new KernelSlice;
    const QList<double> before = {-0.050, -0.078, -0.045, 0.098, -0.013,
                                  0.081,  -0.007, 0.037,  -0.032};
    QList<double> after;
    for (const double value : before)
        after.append(value * 1.0865);
    slice->setMatrices({s("W [37, 0, :, :] before"), 3, 3, before}, s("× 1.0865"),
                       {s("W′ [37, 0, :, :] after"), 3, 3, after});
    return slice;
}

QWidget* makeLogChart()
{
    auto* chart = new LogChart;
    chart->setPoints({{0, 1e-5, true},
                      {22, 5e-4, true},
                      {34, 6e-4, true},
                      {36, 6.1e-4, true},
                      {37, 0.13, false},
                      {40, 0.14, false},
                      {46, 0.14, false},
                      {91, 0.14, false}},
                     91, 1e-3, 37);
    return chart;
}

StepSlider* makeSlider(bool selected)
{
    auto* slider = new StepSlider;
    slider->setLast(41);
    QList<TrackState> states(42, TrackState::present);
    for (int i = 0; i < 7; ++i)
        states[i] = TrackState::absent;
    states[7] = TrackState::added;
    states[13] = TrackState::changed;
    states[34] = TrackState::removed;
    for (int i = 35; i < 42; ++i)
        states[i] = TrackState::absent;
    if (selected)
        slider->setStates(states);
    slider->setNotches({4, 7});
    slider->setBlocked({4, 7, 25, 31, 35});
    slider->setThumbs(selected ? 6 : 28, 28);
    slider->setCaption(s("Fusion 7–41"));
    return slider;
}

QWidget* makeInspector()
{
    auto* body = new Section(s("Body"));
    body->setTitle(s("Body"), s("stands for 4 operators of the file"));
    auto* rows = new KeyValues;
    rows->setRows(
        {{s("Conv"), s("conv2"), s("1"), {}, {}, Category::conv},
         {s("BatchNormalization"), s("bn2"), s("2"), s("formula"), s("f"), Category::normalization},
         {s("Add"), s("Add"), s("3"), {}, {}, Category::elementwise},
         {s("Relu"), s("relu_1"), s("4"), {}, {}, Category::activation}});
    body->setContent(rows);
    auto* kernel = new Section(s("Kernel"));
    kernel->setPill({s("3.2×"), Tone::added});
    auto* inside = new QWidget;
    auto* layout = new QVBoxLayout(inside);
    layout->setContentsMargins(0, 0, 0, 0);
    auto* chosen = new KeyValues;
    chosen->setRows({{s("chosen"), s("conv3x3 Winograd F(4×4) nChw16c")},
                     {s("post-ops"), s("+bias +residual relu")}});
    auto* bars = new CompareBars;
    bars->setBars({{s("4 nodes"), 1.94, s("1.94 ms"), Token::cardLine},
                   {s("fused"), 0.61, s("0.61 ms"), Token::accent}});
    bars->setContentsMargins(10, 0, 10, 0);
    layout->addWidget(chosen);
    layout->addWidget(bars);
    kernel->setContent(inside);
    auto* io = new Section(s("Inputs and outputs"));
    auto* values = new KeyValues;
    values->setRows(
        {{s("X"), s("relu"), s("x"), s("N×128×28×28"), {}, Category::count, true},
         {s("W"), s("conv2.weight"), s("w"), s("128×128×3×3"), {}, Category::count, true}});
    io->setContent(values);
    auto* closed = new Section(s("History"));
    closed->setContent(new QLabel(s("hidden")));
    closed->setOpen(false);
    return column({body, kernel, io, closed}, 328);
}

} // namespace

std::unique_ptr<QWidget> makeGallery()
{
    auto gallery = std::make_unique<QWidget>();
    gallery->resize(1240, 960);
    auto* layout = new QGridLayout(gallery.get());
    layout->setSpacing(12);

    auto* crumbs = new Breadcrumb;
    crumbs->setParts({s("resnet18_aux.onnx"), s("layer2"), s("layer2.0")});
    auto* modes = new SegmentedSwitch;
    for (const char* words : {"Before", "After", "Overlay", "Split"})
        modes->addSegment(s(words));
    modes->setCurrent(2);
    auto* filtered = new Chip(Pill{s("6"), Tone::blocked, Mark::blocked});
    filtered->setCheckable(true);
    filtered->setChecked(true);
    QWidget* header = row({crumbs, new Chip(Pill{s("3"), Tone::added, Mark::added}),
                           new Chip(Pill{s("28"), Tone::removed, Mark::removed}),
                           new Chip(Pill{s("16"), Tone::changed, Mark::changed}), filtered, modes});
    auto* notices = new NoticeBar(gallery.get());
    notices->post({s("a"), NoticeLevel::info, s("Layout took longer than 10 s."), {}});
    notices->post(
        {s("b"),
         NoticeLevel::error,
         s("The weights of W are missing: </b>weights.bin was not found beside the model. The "
           "graph is shown; folding and running need them."),
         {{s("find"), s("Find…")}}});
    auto* warned = new NoticeBar(gallery.get());
    warned->post({s("c"),
                  NoticeLevel::warning,
                  s("A simpler drawing is shown."),
                  {{s("again"), s("Try again longer")}}});
    auto* primary = new QPushButton(s("Run && Compare"));
    primary->setProperty("primary", true);
    primary->setIcon(icon(s("run"), Token::onAccent));
    auto* disabled = new QPushButton(s("Run && Compare"));
    disabled->setProperty("primary", true);
    disabled->setIcon(icon(s("run"), Token::onAccent));
    disabled->setEnabled(false);
    auto* fix = new QPushButton(icon(s("wrench"), Token::blocked), s("Set training_mode=0"));
    fix->setProperty("fix", true);
    auto* apply = new QPushButton(icon(s("wrench"), Token::glyph), s("Apply fix"));
    apply->setProperty("fix", s("primary"));
    auto* combo = new QComboBox;
    combo->addItem(s("100 %"));
    auto* spin = new QSpinBox;
    auto* open = new QToolButton;
    open->setIcon(icon(s("open")));
    open->setText(s("Open"));
    open->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    auto* changed = new QToolButton;
    changed->setIcon(icon(s("eye"), Token::text, Token::onAccentFill));
    changed->setText(s("Changed"));
    changed->setCheckable(true);
    changed->setChecked(true);
    changed->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    QWidget* buttons = row({open, combo, spin, changed, new QPushButton(s("Try in a scratch copy")),
                            fix, apply, disabled, primary});
    auto* tabs = new QTabBar;
    for (const char* words : {"Blocked", "Compare", "Profile", "Summary", "Messages"})
        tabs->addTab(s(words));
    tabs->setDrawBase(false);

    auto* empty = new EmptyState;
    empty->setContent(s("find"), s("Nothing selected"),
                      s("Select two nodes to ask why they were not fused."), s("Show how"));
    empty->setFixedHeight(150);
    auto* progress = new StatusProgress;
    progress->begin(s("Running step 28 of 41"));
    progress->setFraction(0.4);

    layout->addWidget(header, 0, 0, 1, 3);
    layout->addWidget(notices, 1, 0, 1, 3);
    layout->addWidget(buttons, 2, 0, 1, 3);
    layout->addWidget(column({makeSlider(true), makeSlider(false),
                              new FilterEdit(s("Filter steps")), makeSteps(), makeChanges(), empty},
                             296),
                      3, 0);
    auto* histogram = new Histogram;
    QList<qint64> counts;
    for (int i = 0; i < 40; ++i)
        counts.append(static_cast<qint64>(1000 * std::exp(-std::pow((i - 22) / 7.0, 2))));
    histogram->setCounts(counts, -0.42, 0.31);
    layout->addWidget(column({makeFormulas(), makeChannels(), makeSlice(), makeErrors(),
                              makeLogChart(), histogram},
                             530),
                      3, 1);
    layout->addWidget(
        column({makeInspector(), warned,
                new FilterEdit(s("Find node, tensor, attribute"), s("find"), s("Ctrl+F")),
                progress},
               340),
        3, 2);
    layout->addWidget(tabs, 4, 0, 1, 3);
    layout->addWidget(makeBlocked(), 5, 0, 1, 3);
    return gallery;
}

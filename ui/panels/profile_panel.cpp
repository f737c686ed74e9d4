#include "ui/panels/profile_panel.h"

#include "ui/names.h"
#include "ui/panels/panel_parts.h"
#include "ui/text.h"
#include "ui/theme/row_delegate.h"
#include "ui/widgets/empty_state.h"

#include <QHeaderView>
#include <QPainter>
#include <QStackedWidget>
#include <QStandardItemModel>
#include <QTreeView>
#include <QVBoxLayout>

#include <tuple>
#include <unordered_map>

namespace fusescope {

namespace {

// Which colour the bars of something have.
class ColourKey final : public QWidget
{
public:
    ColourKey(Token token, QWidget* parent) : QWidget(parent), m_token(token)
    {
        setFixedSize(12, 12);
    }

protected:
    void paintEvent(QPaintEvent*) override
    {
        QPainter(this).fillRect(QRect(0, 3, 12, 6), theme().color(m_token));
    }

private:
    Token m_token;
};

enum ProfileRole : int { NodeOfRow = Qt::UserRole + 0x600 };

} // namespace

ProfilePanel::ProfilePanel(AppState& state, Actions& actions, QWidget* parent)
    : Panel(state, actions, parent), m_empty(new EmptyState(this)),
      m_stack(new QStackedWidget(this)),
      m_before(new PlainLabel({}, Token::text, TextScale::normal, true, this)),
      m_after(new PlainLabel({}, Token::text, TextScale::normal, true, this)),
      m_ratio(new PillLabel(this)),
      m_how(new PlainLabel({}, Token::text2, TextScale::normal, false, this)),
      m_model(new QStandardItemModel(this))
{
    setAccessibleName(tr("Profile"));
    const parts::Rows rows = parts::makeRows(m_model, true, tr("Times of the nodes"), this);
    m_table = rows.view;
    m_table->setSortingEnabled(false);
    auto* result = new QWidget(m_stack);
    auto* column = new QVBoxLayout(result);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    auto* top = new QHBoxLayout;
    top->setContentsMargins(space::section, space::control, space::section, space::control);
    top->setSpacing(space::control);
    for (auto [number, token, words] : {std::tuple(m_before, Token::edge, tr("before")),
                                        std::tuple(m_after, Token::accent, tr("after"))}) {
        auto* name = new PlainLabel(words, Token::text2, TextScale::normal, false, this);
        name->setWordWrap(false);
        number->setWordWrap(false);
        number->setMono(true);
        top->addWidget(new ColourKey(token, this));
        top->addWidget(name);
        top->addWidget(number);
        top->addSpacing(space::control);
    }
    top->addWidget(m_ratio);
    top->addSpacing(space::control);
    top->addWidget(m_how, 1);
    column->addLayout(top);
    column->addWidget(m_table, 1);
    m_stack->addWidget(m_empty);
    m_stack->addWidget(result);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_stack);
    connect(m_empty, &EmptyState::buttonClicked, actions[Act::profile], &QAction::trigger);
    connect(rows.delegate, &RowDelegate::linkActivated, this, [this](const QModelIndex& index) {
        const NodeId node{index.data(NodeOfRow).toUInt()};
        this->state().goTo(node);
        if (index.column() == 3)
            this->actions()[Act::why]->trigger();
    });
    connect(m_table, &QTreeView::activated, this, [this](const QModelIndex& index) {
        this->state().goTo(NodeId{index.data(NodeOfRow).toUInt()});
    });
    for (const auto signal : {&AppState::sessionChanged, &AppState::cursorChanged,
                              &AppState::profileChanged})
        connect(&state, signal, this, &ProfilePanel::refresh);
    connect(&theme(), &Theme::changed, this, &ProfilePanel::refresh);
    refresh();
}

void ProfilePanel::refresh()
{
    const auto& result = state().profileResult();
    const StepPair pair = state().namedPair();
    if (!result || result->pair != pair || result->report.plans.empty()) {
        m_stack->setCurrentIndex(0);
        m_empty->setContent(QStringLiteral("profile"), tr("Not profiled yet"),
                            state().hasModel()
                                ? tr("Press Ctrl+F9 to time %1 unfused and %2 fused.")
                                      .arg(parts::stepName(pair.a), parts::stepName(pair.b))
                                : tr("Press Ctrl+F9 to time the model before and after."),
                            state().hasModel() ? tr("Profile") : QString());
        return;
    }
    m_stack->setCurrentIndex(1);
    const PlanProfile& before = result->report.plans.front();
    const PlanProfile& after = result->report.plans.back();
    m_before->setText(text::milliseconds(before.medianMs));
    m_after->setText(text::milliseconds(after.medianMs));
    const double ratio = after.medianMs > 0 ? before.medianMs / after.medianMs : 1;
    m_ratio->setPill({text::ratio(ratio), ratio >= 1 ? Tone::added : Tone::changed, Mark::none,
                      false});
    QStringList how{tr("%n thread(s)", nullptr, after.threads),
                    tr("median of %1").arg(after.runs),
                    parts::pairName(result->pair.a, result->pair.b)};
    for (const auto& [symbol, size] : result->report.assumed)
        how << tr("assumed %1 = %2").arg(parts::str(symbol)).arg(size);
    m_how->setText(names::listed(how));
    fill(before, after, result->pair.b);
}

void ProfilePanel::fill(const PlanProfile& before, const PlanProfile& after, int step)
{
    m_model->clear();
    m_model->setHorizontalHeaderLabels({tr("Node"), tr("before, after"), tr("Kernel"),
                                        tr("Fused")});
    std::unordered_map<NodeId, double> unfused;
    double most = 0;
    for (const NodeProfile& one : before.nodes)
        unfused[one.node] += one.medianMs;
    struct Line
    {
        const NodeProfile* node;
        double before;
        std::size_t parts;
    };
    const auto graph = state().graphAt(step);
    std::vector<Line> lines;
    for (const NodeProfile& one : after.nodes) {
        std::set<NodeId> origins(one.originals.begin(), one.originals.end());
        if (const Node* node = graph->node(one.node))
            origins.insert(node->origins.begin(), node->origins.end());
        origins.insert(one.node);
        Line line{&one, 0, 0};
        for (const NodeId origin : origins) {
            const auto found = unfused.find(origin);
            if (found == unfused.end())
                continue;
            line.before += found->second;
            ++line.parts;
        }
        most = std::max({most, line.before, one.medianMs});
        lines.push_back(line);
    }
    std::stable_sort(lines.begin(), lines.end(), [](const Line& a, const Line& b) {
        return a.node->medianMs > b.node->medianMs;
    });
    for (const Line& line : lines) {
        const NodeProfile& one = *line.node;
        QStandardItem* name = parts::item(names::brief(state(), one.node));
        name->setData(true, LinkRole);
        name->setData(true, MonoRole);
        name->setData(QVariant::fromValue(parts::categoryOf(state(), one.node)), CategoryRole);
        name->setData(state().nameOf(one.node), WholeTextRole);
        QStandardItem* time = parts::item(text::milliseconds(one.medianMs));
        time->setData(true, MonoRole);
        time->setData(QVariant::fromValue(RowBars{most > 0 ? line.before / most : 0,
                                                  most > 0 ? one.medianMs / most : 0, true, {}}),
                      BarsRole);
        time->setData(tr("%1 before, %2 after").arg(text::milliseconds(line.before),
                                                    text::milliseconds(one.medianMs)),
                      Qt::AccessibleTextRole);
        time->setData(time->data(Qt::AccessibleTextRole), WholeTextRole);
        QStandardItem* kernel = parts::item(parts::str(one.kernel));
        kernel->setData(true, MonoRole);
        kernel->setData(one.whyNotFaster ? QStringLiteral("%1. %2").arg(
                                               parts::str(one.kernel),
                                               state().sentence(one.whyNotFaster, graph.get()))
                                         : parts::str(one.kernel),
                        WholeTextRole);
        const Node* node = graph->node(one.node);
        const bool fused = line.parts > 1 || (node && node->region);
        QStandardItem* answer = parts::item(fused ? QString() : tr("why?"));
        if (fused) {
            answer->setData(QVariant::fromValue(Mark::tick), MarkRole);
            answer->setData(tr("fused"), Qt::AccessibleTextRole);
        } else {
            answer->setData(true, LinkRole);
        }
        for (QStandardItem* item : {name, time, kernel, answer})
            item->setData(one.node.value, NodeOfRow);
        m_model->appendRow({name, time, kernel, answer});
    }
    QHeaderView* header = m_table->header();
    header->setStretchLastSection(false);
    header->setSectionResizeMode(QHeaderView::Interactive);
    header->setSectionResizeMode(0, QHeaderView::Stretch);
    header->resizeSection(1, 130);
    header->resizeSection(2, 160);
    header->resizeSection(3, 60);
}

} // namespace fusescope

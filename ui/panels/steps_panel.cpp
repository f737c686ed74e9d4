#include "ui/panels/steps_panel.h"

#include "ui/blocked_places.h"
#include "ui/models/steps_filter.h"
#include "ui/models/steps_model.h"
#include "ui/names.h"
#include "ui/panels/predict_box.h"
#include "ui/panels/steps_tree.h"
#include "ui/skips.h"
#include "ui/text.h"
#include "ui/theme/icons.h"
#include "ui/theme/row_delegate.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/filter_edit.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/step_slider.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QScrollBar>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>

namespace fusescope {

namespace {

QFrame* line(QWidget* parent)
{
    auto* frame = new QFrame(parent);
    frame->setFixedHeight(1);
    frame->setAutoFillBackground(true);
    const auto restyle = [frame] {
        QPalette palette = frame->palette();
        palette.setColor(QPalette::Window, theme().color(Token::border));
        frame->setPalette(palette);
    };
    QObject::connect(&theme(), &Theme::changed, frame, restyle);
    restyle();
    return frame;
}

QLabel* plainLabel(QWidget* parent)
{
    auto* label = new QLabel(parent);
    label->setTextFormat(Qt::PlainText);
    return label;
}

void setInk(QWidget* widget, Token token)
{
    QPalette palette = widget->palette();
    palette.setColor(QPalette::WindowText, theme().color(token));
    widget->setPalette(palette);
}

} // namespace

StepsPanel::StepsPanel(AppState& state, Actions& actions, QWidget* parent)
    : Panel(state, actions, parent), m_model(new StepsModel(state, this)),
      m_filter(new StepsFilter(this)), m_pages(new QStackedWidget(this)),
      m_empty(new EmptyState(this))
{
    setAccessibleName(tr("Steps"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);

    m_transport = new QHBoxLayout;
    makeTransport(m_transport);
    layout->addLayout(m_transport);

    auto* full = new QWidget(m_pages);
    auto* column = new QVBoxLayout(full);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    makeHead(column);
    m_predict = new PredictBox(state, full);
    connect(m_predict, &PredictBox::answered, this, [this] { this->state().forward(); });
    column->addWidget(m_predict);
    column->addWidget(line(full));

    auto* filterRow = new QHBoxLayout;
    filterRow->setContentsMargins(space::section, space::cell, space::section, space::cell);
    filterRow->setSpacing(space::control);
    m_words = new FilterEdit(tr("Filter steps"), QStringLiteral("filter"), {}, full);
    m_words->setAccessibleName(tr("Filter steps"));
    m_changed = new QToolButton(full);
    m_changed->setText(tr("Changed"));
    m_changed->setIcon(icon(QStringLiteral("eye"), Token::text, Token::onAccentFill));
    m_changed->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_changed->setCheckable(true);
    m_changed->setChecked(true);
    m_changed->setToolTip(tr("Hide passes that found nothing"));
    filterRow->addWidget(m_words, 1);
    filterRow->addWidget(m_changed);
    column->addLayout(filterRow);

    m_tree = new StepsTree(full);
    m_tree->setAccessibleName(tr("Rewrites"));
    m_tree->setItemDelegate(new RowDelegate(Row::tree, m_tree));
    m_filter->setSourceModel(m_model);
    m_tree->setModel(m_filter);
    m_tree->setContextMenuPolicy(Qt::CustomContextMenu);
    actions.addTo(m_tree, KeyScope::graphAndSteps);
    column->addWidget(m_tree, 1);

    m_footer = new QWidget(full);
    auto* footer = new QHBoxLayout(m_footer);
    footer->setContentsMargins(24, 2, space::section, 4);
    m_footerText = plainLabel(m_footer);
    m_footerShow = new LinkLabel(tr("Show"), false, m_footer);
    footer->addWidget(m_footerText);
    footer->addWidget(m_footerShow);
    footer->addStretch(1);
    column->addWidget(m_footer);

    m_pages->addWidget(m_empty);
    m_pages->addWidget(full);
    layout->addWidget(m_pages, 1);

    connect(m_words, &QLineEdit::textChanged, this, [this](const QString& words) {
        m_filter->setWords(words);
        m_tree->expandAll();
        showCurrent();
    });
    connect(m_changed, &QToolButton::toggled, this, [this](bool on) {
        m_model->setShowEmpty(!on);
        refreshFooter();
    });
    connect(m_footerShow, &QAbstractButton::clicked, this, [this] { m_changed->toggle(); });
    connect(m_tree, &StepsTree::forwardRequested, this, &StepsPanel::forward);
    connect(m_tree, &StepsTree::backRequested, this, [this] { this->state().back(); });
    connect(m_tree, &StepsTree::firstRequested, this, [this] { this->state().first(); });
    connect(m_tree, &StepsTree::lastRequested, this, [this] { this->state().last(); });
    connect(m_tree, &StepsTree::rowChosen, this, &StepsPanel::choose);
    connect(m_tree, &QWidget::customContextMenuRequested, this, &StepsPanel::fillMenu);
    connect(m_tree, &QTreeView::expanded, this, &StepsPanel::showCurrent);
    connect(m_tree, &QTreeView::collapsed, this, &StepsPanel::showCurrent);
    // What is new opens itself: rows may not move later, while one steps.
    connect(m_filter, &QAbstractItemModel::rowsInserted, this,
            [this](const QModelIndex& above, int first, int last) {
                if (above.isValid() && m_filter->rowCount(above) == last - first + 1)
                    m_tree->expand(above);
            });
    connect(m_slider, &StepSlider::thumbsMoved, this, [this](int a, int b) {
        this->state().setB(std::max(a, b));
        this->state().setA(a == b ? std::nullopt : std::optional<int>(std::min(a, b)));
    });

    connect(&state, &AppState::sessionChanged, this, &StepsPanel::refreshAll);
    connect(&state, &AppState::timelineChanged, this, &StepsPanel::refreshAll);
    connect(&state, &AppState::cursorChanged, this, [this] {
        refreshHead();
        refreshSlider();
        if (this->state().predict())
            refreshTrack(); // what is hidden moves
        showCurrent();
    });
    connect(&state, &AppState::selectionChanged, this, &StepsPanel::refreshTrack);
    connect(&state, &AppState::predictChanged, this, &StepsPanel::refreshAll);
    const auto restyle = [this] {
        m_step->setFont(theme().font(TextScale::step, true));
        QFont italic = theme().font();
        italic.setItalic(true);
        m_footerText->setFont(italic);
        setInk(m_footerText, Token::text2);
        setInk(m_of, Token::text2);
        setInk(m_comparedWith, Token::text2);
        m_comparedWith->setFont(theme().font(TextScale::small));
    };
    connect(&theme(), &Theme::changed, this, restyle);
    restyle();
    refreshAll();
}

void StepsPanel::forward()
{
    if (state().predict() && m_predict->owesGuess())
        m_predict->ask();
    else
        state().forward();
}

void StepsPanel::makeTransport(QHBoxLayout* layout)
{
    layout->setContentsMargins(space::control, space::control, space::control, space::control);
    layout->setSpacing(2);
    const auto add = [&](Act act, const QString& words) {
        auto* button = new QToolButton(this);
        button->setDefaultAction(actions()[act]);
        if (!words.isEmpty()) {
            actions()[act]->setIconText(words);
            button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
        } else {
            button->setToolButtonStyle(Qt::ToolButtonIconOnly);
        }
        button->setMinimumSize(28, 28);
        button->setIconSize({16, 16});
        button->setAccessibleName(Actions::plainName(actions()[act]));
        layout->addWidget(button);
        if (!words.isEmpty())
            m_worded << button;
    };
    add(Act::first, {});
    add(Act::back, {});
    add(Act::forward, {});
    add(Act::last, {});
    auto* separator = new QFrame(this);
    separator->setFrameShape(QFrame::VLine);
    separator->setFixedHeight(18);
    setInk(separator, Token::border);
    layout->addSpacing(space::glyph);
    layout->addWidget(separator);
    layout->addSpacing(space::glyph);
    add(Act::runPass, tr("Pass"));
    add(Act::runAll, tr("All"));
    layout->addStretch(1);
    add(Act::predict, {});
}

// Where the words do not fit, the pictures stand alone: no word is cut.
void StepsPanel::fitTransport()
{
    if (!m_transport)
        return;
    // Tool buttons ask for more beside their words than these need.
    int least = 0;
    for (QToolButton* button : std::as_const(m_worded)) {
        const int words = button->fontMetrics().horizontalAdvance(button->text());
        button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
        button->setMinimumWidth(button->iconSize().width() + words + 2 * space::control);
        least += button->minimumWidth() - button->sizeHint().width();
    }
    m_transport->invalidate();
    if (width() >= m_transport->sizeHint().width() + least)
        return;
    for (QToolButton* button : std::as_const(m_worded)) {
        button->setMinimumWidth(28);
        button->setToolButtonStyle(Qt::ToolButtonIconOnly);
    }
}

void StepsPanel::resizeEvent(QResizeEvent* event)
{
    Panel::resizeEvent(event);
    fitTransport();
}

void StepsPanel::changeEvent(QEvent* event)
{
    Panel::changeEvent(event);
    if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange)
        fitTransport();
}

void StepsPanel::makeHead(QVBoxLayout* layout)
{
    auto* head = new QVBoxLayout;
    head->setContentsMargins(space::section, space::glyph, space::section, 0);
    head->setSpacing(0);
    auto* first = new QHBoxLayout;
    first->setSpacing(space::control);
    m_step = plainLabel(this);
    m_of = plainLabel(this);
    m_comparedWith = plainLabel(this);
    m_comparedStep = new LinkLabel({}, false, this);
    first->addWidget(m_step, 0, Qt::AlignBottom);
    first->addWidget(m_of, 0, Qt::AlignBottom);
    first->addStretch(1);
    first->addWidget(m_comparedWith, 0, Qt::AlignBottom);
    first->addWidget(m_comparedStep, 0, Qt::AlignBottom);
    head->addLayout(first);
    m_title = new ElidedLabel({}, this);
    m_title->setLook(TextScale::normal, true, false);
    m_root = new ElidedLabel({}, this);
    m_root->setLook(TextScale::small, false, true);
    m_root->setToken(Token::text2);
    head->addWidget(m_title);
    head->addWidget(m_root);
    layout->addLayout(head);
    m_slider = new StepSlider(this);
    m_slider->setAccessibleName(tr("Step"));
    m_slider->setToolTips([this](int position) { return describe(position); });
    auto* box = new QVBoxLayout;
    box->setContentsMargins(space::section, space::control, space::section, space::control);
    box->addWidget(m_slider);
    layout->addLayout(box);
    connect(m_comparedStep, &QAbstractButton::clicked, this, [this] {
        if (const auto a = this->state().a())
            this->state().setB(*a);
    });
}

void StepsPanel::refreshAll()
{
    const bool model = state().hasModel();
    if (!model)
        m_empty->setContent(QStringLiteral("run"), tr("No steps yet"),
                            tr("Open a model. Every rewrite then stands here, one a row, and Right "
                               "and Left walk through them."));
    else if (state().isFinished() && !state().stepCount() && state().timeline()->blocked.empty()) {
        if (state().session()->info().problems.empty())
            m_empty->setContent(QStringLiteral("tick"), tr("Already optimal"),
                                tr("No pass found anything to rewrite."));
        else
            m_empty->setContent(QStringLiteral("warning"), tr("Nothing to rewrite"),
                                tr("No pass found anything to rewrite. Messages says what is wrong "
                                   "with the model."));
    }
    const bool steps = model && (state().stepCount() || !state().isFinished() ||
                                 !state().timeline()->blocked.empty());
    m_pages->setCurrentIndex(steps ? 1 : 0);
    refreshHead();
    refreshSlider();
    refreshTrack();
    refreshFooter();
    showCurrent();
}

void StepsPanel::refreshHead()
{
    const int b = state().b();
    const int count = state().stepCount();
    m_step->setText(tr("Step %1").arg(b));
    m_of->setText(state().isFinished() ? tr("of %1").arg(count) : tr("of %1…").arg(count));
    const auto a = state().a();
    m_comparedWith->setVisible(a.has_value());
    m_comparedStep->setVisible(a.has_value());
    if (a) {
        m_comparedWith->setText(tr("compared with"));
        m_comparedStep->setLinkText(*a ? tr("step %1").arg(*a) : tr("the file"));
        m_comparedStep->setAccessibleName(tr("Compared with step %1").arg(*a));
    }
    if (!b || b > count) {
        m_title->setText(tr("The model as opened"));
        m_root->setText(state().title());
        return;
    }
    const Step& step = *state().timeline()->steps[static_cast<std::size_t>(b - 1)];
    m_title->setText(isSkipped(state(), b) ? tr("Skipped by you: %1").arg(names::title(state(), step))
                                           : names::title(state(), step));
    m_root->setText(step.root ? names::whole(state(), step.root) : QString());
}

void StepsPanel::refreshFooter()
{
    const int empty = m_model->emptyCount();
    m_footer->setVisible(empty > 0);
    m_footerText->setText(tr("%n pass(es) found nothing", nullptr, empty));
    m_footerShow->setLinkText(m_changed->isChecked() ? tr("Show") : tr("Hide"));
}

// The tree scrolls only if the current row would leave its middle half.
void StepsPanel::showCurrent()
{
    QModelIndex index = m_filter->mapFromSource(m_model->indexOfStep(state().b()));
    for (QModelIndex above = index.parent(); above.isValid(); above = above.parent()) {
        if (!m_tree->isExpanded(above))
            index = above;
    }
    m_model->setCurrent(m_filter->mapToSource(index));
    if (!index.isValid()) {
        if (state().b() == 0)
            m_tree->scrollToTop();
        return;
    }
    const QRect row = m_tree->visualRect(index);
    const int height = m_tree->viewport()->height();
    if (row.top() < height / 4 || row.bottom() > height - height / 4)
        m_tree->scrollTo(index, QAbstractItemView::PositionAtCenter);
}

void StepsPanel::choose(const QModelIndex& proxyIndex, bool asA)
{
    const QModelIndex index = m_filter->mapToSource(proxyIndex);
    if (!index.isValid())
        return;
    if (const Blocked* blocked = m_model->blockedOf(index)) {
        const Blocked row = *blocked;
        if (state().predict() && row.finalAt > state().b())
            return;
        goToBlocked(state(), row);
        return;
    }
    const int step = m_model->stepOf(index);
    if (step && asA)
        state().setA(step);
    else if (step)
        state().setB(step);
    else if (m_model->kindOf(index) != StepsModel::Kind::step)
        m_tree->setExpanded(proxyIndex, !m_tree->isExpanded(proxyIndex));
}

void StepsPanel::fillMenu(const QPoint& at)
{
    const QModelIndex index = m_filter->mapToSource(m_tree->indexAt(at));
    const int step = index.isValid() ? m_model->stepOf(index) : 0;
    QMenu menu(this);
    if (step) {
        menu.addAction(tr("Go to Step %1").arg(step), this, [this, step] { state().setB(step); });
        menu.addAction(tr("Compare with Step %1").arg(step), this, [this, step] { state().setA(step); })
            ->setEnabled(step < state().b());
        menu.addSeparator();
        if (isSkipped(state(), step)) {
            menu.addAction(tr("Apply Again"), this, [this, step] { applyAgain(state(), step); });
        } else {
            menu.addAction(tr("Skip This Rewrite"), this, [this, step] { state().skipStep(step); });
        }
        menu.addSeparator();
    }
    menu.addAction(tr("Expand All"), m_tree, &QTreeView::expandAll);
    menu.addAction(tr("Collapse All"), m_tree, &QTreeView::collapseAll);
    menu.exec(m_tree->viewport()->mapToGlobal(at));
}

} // namespace fusescope

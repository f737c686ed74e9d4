#include "ui/panels/blocked_panel.h"

#include "ui/blocked_places.h"
#include "ui/models/blocked_model.h"
#include "ui/panels/blocked_details.h"
#include "ui/text.h"
#include "ui/theme/row_delegate.h"
#include "ui/widgets/chip.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/filter_edit.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QShortcut>
#include <QSplitter>
#include <QStyle>
#include <QStackedWidget>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>

#include <set>

namespace fusescope {

namespace {

constexpr int detailsWidth = 500;
constexpr int patience = 120; // ms after the last key, as for Find

// The same refusal in another timeline.
QString keyOf(const Blocked& row)
{
    return QString::fromLatin1(row.miss.rule.data(), static_cast<qsizetype>(row.miss.rule.size())) +
           QLatin1Char(' ') + QString::number(row.miss.root.value);
}

} // namespace

BlockedPanel::BlockedPanel(AppState& state, Actions& actions, QWidget* parent)
    : Panel(state, actions, parent), m_model(new BlockedModel(state, this)),
      m_filter(new BlockedFilter(this)), m_pages(new QStackedWidget(this)),
      m_empty(new EmptyState(this)), m_summary(new QLabel(this)),
      m_splitter(new QSplitter(Qt::Horizontal, this)), m_table(new QTableView(this)),
      m_details(new BlockedDetails(state, actions, this))
{
    setAccessibleName(tr("Blocked"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_pages);

    auto* left = new QWidget(m_splitter);
    auto* column = new QVBoxLayout(left);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    auto* bar = new QHBoxLayout;
    bar->setContentsMargins(space::cell, space::glyph, space::section, space::glyph);
    bar->setSpacing(space::control);
    m_words = new FilterEdit(tr("Filter"), QStringLiteral("filter"), {}, left);
    m_words->setAccessibleName(tr("Filter blocked candidates"));
    m_words->setMaximumWidth(212);
    bar->addWidget(m_words, 1);
    for (const ReasonKind kind : {ReasonKind::legality, ReasonKind::profit, ReasonKind::policy}) {
        auto* chip = new Chip({kindName(kind), toneOf(kind), markOf(kind), false}, left);
        chip->setCheckable(true);
        chip->setToolTip(tr("Show only these"));
        connect(chip, &QAbstractButton::toggled, this, [this, kind](bool on) { chooseKind(kind, on); });
        m_chips[kind] = chip;
        bar->addWidget(chip);
    }
    bar->addStretch(1);
    m_group = new QToolButton(left);
    m_group->setText(tr("Group by culprit"));
    m_group->setToolTip(text::toolTip(tr("Rows of one culprit stand together, those that block most first")));
    m_group->setCheckable(true);
    m_group->setAutoRaise(true);
    bar->addWidget(m_group);
    m_summary->setTextFormat(Qt::PlainText);
    m_summary->setMinimumWidth(1);
    bar->addWidget(m_summary);
    column->addLayout(bar);

    m_filter->setSourceModel(m_model);
    m_table->setModel(m_filter);
    m_table->setAccessibleName(tr("Blocked candidates"));
    m_table->setFrameShape(QFrame::NoFrame);
    m_table->setAlternatingRowColors(true);
    m_table->setShowGrid(false);
    m_table->setWordWrap(false);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setTabKeyNavigation(false);
    m_table->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    m_table->verticalHeader()->hide();
    m_table->verticalHeader()->setDefaultSectionSize(rowHeight(Row::table, fontMetrics()));
    m_table->verticalHeader()->setMinimumSectionSize(rowHeight(Row::table, fontMetrics()));
    QHeaderView* header = m_table->horizontalHeader();
    header->setHighlightSections(false);
    header->setSectionResizeMode(QHeaderView::Interactive);
    header->setStretchLastSection(true);
    header->setMinimumSectionSize(28);
    m_table->setSortingEnabled(true);
    header->setSortIndicator(-1, Qt::AscendingOrder);
    m_filter->sort(-1);
    auto* delegate = new RowDelegate(Row::table, m_table);
    m_table->setItemDelegate(delegate);
    column->addWidget(m_table, 1);
    m_splitter->addWidget(left);
    m_splitter->addWidget(m_details);
    m_splitter->setStretchFactor(0, 1);
    m_splitter->setStretchFactor(1, 0);
    m_splitter->setChildrenCollapsible(false);
    m_details->setMinimumWidth(240);
    m_details->hide();
    m_pages->addWidget(m_empty);
    m_pages->addWidget(m_splitter);

    auto* copyKey = new QShortcut(QKeySequence::Copy, m_table);
    copyKey->setContext(Qt::WidgetShortcut);
    connect(copyKey, &QShortcut::activated, this, &BlockedPanel::copyRow);
    connect(m_group, &QToolButton::toggled, this, [this, header](bool on) {
        header->setSortIndicator(-1, Qt::AscendingOrder);
        m_filter->setGrouped(on);
    });
    // A column that is sorted ends the grouping.
    connect(header, &QHeaderView::sortIndicatorChanged, this, [this](int section) {
        if (section >= 0 && m_group->isChecked()) {
            const QSignalBlocker quiet(m_group);
            m_group->setChecked(false);
            m_filter->setSortRole(BlockedModel::SortRole);
        }
    });
    m_late.setSingleShot(true);
    m_late.setInterval(patience);
    connect(m_words, &QLineEdit::textChanged, &m_late, qOverload<>(&QTimer::start));
    connect(&m_late, &QTimer::timeout, this, [this] { m_filter->setWords(m_words->text()); });
    connect(m_table, &QTableView::clicked, this, &BlockedPanel::open);
    connect(m_table, &QTableView::activated, this, &BlockedPanel::open);
    // A row that is reached by the keys is looked at like one that is clicked.
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex& current) {
                const Blocked* row = m_table->hasFocus() ? rowAt(current) : nullptr;
                if (row && keyOf(*row) != m_openKey)
                    open(current);
            });
    connect(delegate, &RowDelegate::linkActivated, this, &BlockedPanel::jumpToCulprit);
    connect(delegate, &RowDelegate::buttonActivated, this, [this](const QModelIndex& index) {
        const Blocked* row = rowAt(index);
        if (row && !row->miss.reasons.empty() && row->miss.reasons.front().fix)
            this->state().applyFix(Fix(*row->miss.reasons.front().fix));
    });
    connect(m_details, &BlockedDetails::closeRequested, this, [this] {
        closeDetails();
        m_table->setFocus();
    });
    connect(m_details, &BlockedDetails::helpRequested, this, &BlockedPanel::helpRequested);
    connect(m_model, &QAbstractItemModel::modelReset, this, &BlockedPanel::refresh);
    connect(&state, &AppState::sessionChanged, this, &BlockedPanel::refresh);
    connect(&state, &AppState::predictChanged, this, &BlockedPanel::refresh);
    connect(&state, &AppState::cursorChanged, this, [this] {
        if (this->state().predict())
            refresh();
    });
    connect(&state, &AppState::shownBlockedChanged, this, &BlockedPanel::followShown);
    const auto restyle = [this] {
        QPalette palette = m_summary->palette();
        palette.setColor(QPalette::WindowText, theme().color(Token::text2));
        m_summary->setPalette(palette);
    };
    connect(&theme(), &Theme::changed, this, restyle);
    restyle();
    refresh();
}

const Blocked* BlockedPanel::rowAt(const QModelIndex& proxyIndex) const
{
    return m_model->rowAt(m_filter->mapToSource(proxyIndex).row());
}

void BlockedPanel::refresh()
{
    const auto timeline = state().timeline();
    const int rows = m_model->rowCount();
    m_pages->setCurrentIndex(rows ? 1 : 0);
    if (!state().hasModel()) {
        m_empty->setContent(QStringLiteral("blocked"), tr("No candidates yet"),
                            tr("Fusions that nearly happened stand here, with reason, culprit and "
                               "what would unblock them."));
    } else if (state().predict() && state().b() < state().stepCount()) {
        m_empty->setContent(QStringLiteral("predict"), tr("Hidden while you predict"),
                            tr("What stays blocked is told when all steps are shown."));
    } else if (!timeline->finished) {
        m_empty->setContent({}, tr("The passes are still running"),
                            tr("What stays blocked is known when they have ended."));
    } else if (!rows) {
        int fused = 0;
        for (const auto& step : timeline->steps)
            fused += step->stage == Stage::fusion;
        m_empty->setContent(QStringLiteral("tick"), tr("Nothing is blocked"),
                            fused ? tr("All %n candidate(s) were fused.", nullptr, fused)
                                  : tr("No operators that could be fused stand together."));
    }
    const bool hidden = state().predict() && state().b() < state().stepCount();
    for (auto& [kind, chip] : m_chips) {
        const int count = m_model->countOf(kind);
        const QString words = hidden ? QStringLiteral("%1 ?").arg(kindName(kind))
                                     : QStringLiteral("%1 %2").arg(kindName(kind)).arg(count);
        chip->setPill({words, toneOf(kind), markOf(kind), false});
        chip->setAccessibleName(words);
    }
    m_summary->setText(hidden ? QString()
                              : tr("%n candidate(s) matched and were not applied", nullptr, rows));
    Q_EMIT badgeChanged(hidden ? QStringLiteral("?") : rows ? QString::number(rows) : QString(),
                        !hidden && m_model->countOf(ReasonKind::legality) ? Tone::blocked
                                                                         : Tone::neutral);
    arrangeColumns();
    if (m_openKey.isEmpty())
        return;
    // The open row in the new list; gone when it is no longer blocked.
    for (int i = 0; i < rows; ++i) {
        const Blocked* row = m_model->rowAt(i);
        if (row && keyOf(*row) == m_openKey) {
            m_table->setCurrentIndex(m_filter->mapFromSource(m_model->index(i, 0)));
            m_details->show(*row);
            return;
        }
    }
    if (timeline->finished) {
        closeDetails();
        state().showBlocked(std::nullopt);
    }
}

void BlockedPanel::chooseKind(ReasonKind, bool)
{
    std::set<ReasonKind> kinds;
    for (const auto& [kind, chip] : m_chips) {
        if (chip->isChecked())
            kinds.insert(kind);
    }
    m_filter->setKinds(std::move(kinds));
}

void BlockedPanel::open(const QModelIndex& proxyIndex)
{
    const Blocked* found = rowAt(proxyIndex);
    if (!found)
        return;
    const Blocked row = *found;
    openRow(row);
    goToBlocked(state(), row);
}

bool BlockedPanel::openRow(const Blocked& row)
{
    m_openKey = keyOf(row);
    for (int i = 0; i < m_model->rowCount(); ++i) {
        const Blocked* other = m_model->rowAt(i);
        if (!other || keyOf(*other) != m_openKey)
            continue;
        const bool wasHidden = m_details->isHidden();
        m_details->show(row);
        m_details->setVisible(true);
        if (wasHidden) {
            const int width = std::min(detailsWidth, m_splitter->width() / 2);
            m_splitter->setSizes({std::max(1, m_splitter->width() - width), width});
        }
        arrangeColumns();
        const QModelIndex index = m_filter->mapFromSource(m_model->index(i, 0));
        if (index.isValid() && index.row() != m_table->currentIndex().row())
            m_table->setCurrentIndex(index);
        return true;
    }
    return false;
}

void BlockedPanel::closeDetails()
{
    m_openKey.clear();
    m_details->hide();
    arrangeColumns();
}

// A row shown from elsewhere (the tree, the graph) opens here too.
void BlockedPanel::followShown()
{
    const auto shown = state().shownBlocked();
    if (shown && keyOf(*shown) != m_openKey)
        openRow(*shown);
}

void BlockedPanel::jumpToCulprit(const QModelIndex& proxyIndex)
{
    if (const Blocked* row = rowAt(proxyIndex))
        goToCulprit(state(), *row);
}

bool BlockedPanel::applyFix()
{
    const auto shown = state().shownBlocked();
    const Blocked* row = rowAt(m_table->currentIndex());
    const Blocked* of = shown ? &*shown : row;
    if (!of)
        return false;
    for (const Reason& reason : of->miss.reasons) {
        if (reason.fix) {
            state().applyFix(Fix(*reason.fix));
            return true;
        }
    }
    return false;
}

void BlockedPanel::copyRow()
{
    QStringList cells;
    for (int i = 0; i < BlockedModel::columns; ++i)
        cells << m_table->currentIndex().siblingAtColumn(i).data().toString();
    QGuiApplication::clipboard()->setText(cells.join(QLatin1Char('\t')));
}

void BlockedPanel::resizeEvent(QResizeEvent* event)
{
    Panel::resizeEvent(event);
    arrangeColumns();
}

// Where space is short, columns go: Fix, Unblock, Culprit, the word of Kind. Why is never cut.
void BlockedPanel::arrangeColumns()
{
    const int details = m_details->isHidden() ? 0 : m_splitter->sizes().value(1) + 1;
    const int width = this->width() - details - style()->pixelMetric(QStyle::PM_ScrollBarExtent);
    if (width < 100)
        return;
    const QFontMetrics metrics(theme().font());
    const int em = metrics.horizontalAdvance(QLatin1Char('n'));
    const QFontMetrics bold(theme().font(TextScale::normal, true));
    const QFontMetrics mono(theme().monoFont());
    int why = 30 * em, rewrite = 14 * em, root = 10 * em;
    for (int i = 0; i < std::min(m_model->rowCount(), 200); ++i) {
        const QModelIndex row = m_model->index(i, BlockedModel::why);
        why = std::max(why, bold.horizontalAdvance(row.data().toString()) + 3 * em +
                                (row.data(ChipsRole).isValid() ? 5 * em : 0));
        const auto widthOf = [&](int column, const QFontMetrics& of) {
            return of.horizontalAdvance(row.siblingAtColumn(column).data().toString()) + 3 * em;
        };
        rewrite = std::max(rewrite, widthOf(BlockedModel::rewrite, metrics));
        root = std::max(root, widthOf(BlockedModel::root, mono));
    }
    why = std::min(why, 60 * em);
    rewrite = std::min(rewrite, 30 * em);
    root = std::min(root, 24 * em);
    const int word = metrics.horizontalAdvance(kindName(ReasonKind::legality)) + 42;
    constexpr int sign = 30;
    int left = width - sign - rewrite - root - why;
    const auto take = [&](int wanted) {
        if (left < wanted)
            return false;
        left -= wanted;
        return true;
    };
    const bool words = take(word - sign);
    const bool culprit = words && take(19 * em);
    const bool unblock = culprit && take(24 * em);
    const bool fix = unblock && take(14 * em);
    // Where even these do not fit, the names give way.
    if (left < 0) {
        root = std::max(8 * em, root + left);
        left = 0;
    }
    m_model->setKindInWords(words);
    const auto set = [&](int column, int columnWidth, bool shown) {
        m_table->setColumnHidden(column, !shown);
        if (shown)
            m_table->setColumnWidth(column, columnWidth);
    };
    const int spare = left;
    set(BlockedModel::kind, words ? word : sign, true);
    set(BlockedModel::rewrite, rewrite, true);
    set(BlockedModel::root, root + spare / 5, true);
    set(BlockedModel::why, why, true);
    set(BlockedModel::culprit, 19 * em + spare / 4, culprit);
    set(BlockedModel::unblock, 24 * em + spare / 3, unblock);
    set(BlockedModel::fix, 14 * em, fix);
    m_summary->setVisible(width > 90 * em);
}

} // namespace fusescope

#include "ui/panels/changes_panel.h"

#include "ui/models/changes_model.h"
#include "ui/names.h"
#include "ui/panels/step_notes.h"
#include "ui/text.h"
#include "ui/theme/row_delegate.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/labels.h"

#include <QLabel>
#include <QStackedWidget>
#include <QTreeView>
#include <QVBoxLayout>

#include <cstdlib>

namespace fusescope {

ChangesPanel::ChangesPanel(AppState& state, Actions& actions, QWidget* parent)
    : Panel(state, actions, parent), m_model(new ChangesModel(state, this)),
      m_pages(new QStackedWidget(this)), m_empty(new EmptyState(this)), m_tree(new QTreeView(this)),
      m_cameAndWent(new QLabel(this)), m_showAll(new LinkLabel({}, false, this))
{
    setAccessibleName(tr("Changes"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    m_tree->setAccessibleName(tr("Changes"));
    m_tree->setHeaderHidden(true);
    m_tree->setUniformRowHeights(true);
    m_tree->setIndentation(14);
    m_tree->setFrameShape(QFrame::NoFrame);
    m_tree->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_tree->setItemDelegate(new RowDelegate(Row::tree, m_tree));
    m_tree->setModel(m_model);
    m_cameAndWent->setTextFormat(Qt::PlainText);
    m_cameAndWent->setWordWrap(true);
    m_cameAndWent->setContentsMargins(space::section, 2, space::section, 4);
    m_pages->addWidget(m_empty);
    m_pages->addWidget(m_tree);
    auto* filtered = new QHBoxLayout;
    filtered->setContentsMargins(space::section, 4, space::section, 4);
    filtered->addWidget(m_showAll);
    layout->addLayout(filtered);
    layout->addWidget(m_pages, 1);
    layout->addWidget(m_cameAndWent);

    const auto jump = [this](const QModelIndex& index) {
        if (const auto subject = m_model->subjectOf(index))
            this->state().goToChange(*subject);
    };
    const auto showAll = [this] { this->state().setChangeFilter(std::nullopt); };
    connect(m_showAll, &LinkLabel::clicked, this, showAll);
    connect(m_empty, &EmptyState::buttonClicked, this, showAll);
    connect(m_tree, &QTreeView::clicked, this, jump);
    connect(m_tree, &QTreeView::activated, this, jump);
    connect(m_model, &QAbstractItemModel::modelReset, this, &ChangesPanel::refresh);
    connect(&state, &AppState::cursorChanged, this, &ChangesPanel::refresh);
    connect(&state, &AppState::timelineChanged, this, [this] {
        if (this->state().isFinished())
            refresh(); // what was lifted is known only now
    });
    connect(&state, &AppState::sessionChanged, this, &ChangesPanel::refresh);
    const auto restyle = [this] {
        QPalette palette = m_cameAndWent->palette();
        palette.setColor(QPalette::WindowText, theme().color(Token::text2));
        m_cameAndWent->setPalette(palette);
        m_cameAndWent->setFont(theme().font(TextScale::small));
    };
    connect(&theme(), &Theme::changed, this, restyle);
    restyle();
    refresh();
}

// What one step saves; a negative number is what it costs. What is 0 is not shown. The sizes that
// were taken for symbols are told where bytes or FLOPs depend on them.
QString ChangesPanel::savedBy(int number) const
{
    if (!state().hasModel() || number < 1 || number > state().timeline()->size())
        return {};
    const Step& step = *state().timeline()->steps[static_cast<std::size_t>(number - 1)];
    if (step.state != StepState::applied)
        return {};
    const auto size = [](std::int64_t bytes) { return text::bytes(static_cast<quint64>(bytes)); };
    const auto count = [](std::int64_t amount) { return text::count(amount); };
    QStringList parts;
    const auto add = [&parts](std::int64_t amount, const QString& what, const auto& shown) {
        if (amount != 0)
            parts << what.arg((amount < 0 ? QStringLiteral("−") : QString()) +
                              shown(std::abs(amount)));
    };
    const Cost& cost = step.cost;
    add(cost.nodes, tr("nodes %1"), count);
    add(cost.parameters, tr("parameters %1"), count);
    add(cost.activationBytes, tr("bytes written %1"), size);
    add(cost.flops, tr("FLOPs %1"), count);
    if (parts.isEmpty())
        return {};
    const QString saved = tr("Saves: %1").arg(names::listed(parts));
    QStringList sizes;
    for (const auto& [symbol, taken] : state().timeline()->sizes)
        sizes << QStringLiteral("%1=%2").arg(QString::fromStdString(symbol)).arg(taken);
    if (sizes.isEmpty() || (cost.activationBytes == 0 && cost.flops == 0))
        return saved;
    return tr("%1 (at %2)").arg(saved, names::listed(sizes));
}

void ChangesPanel::refresh()
{
    const auto a = state().a();
    const int b = state().b();
    const bool rows = m_model->rowCount() > 0;
    m_pages->setCurrentIndex(rows ? 1 : 0);
    m_tree->setIndentation(m_model->isGrouped() ? 14 : space::cell);
    if (m_model->rowCount() <= 12)
        m_tree->expandAll();
    if (!rows && m_model->filteredOut() > 0) {
        m_empty->setContent({}, tr("No change of this kind"), {},
                            tr("Show all, %n more", nullptr, m_model->filteredOut()));
    } else if (!rows) {
        const bool waits = state().hasModel() && !state().isCurrentDiff();
        m_empty->setContent({},
                            waits                ? tr("Comparing…")
                            : a                  ? tr("No change between A and B")
                            : b                  ? tr("No change in this step")
                                                 : tr("No change yet"),
                            state().hasModel() ? QString()
                                               : tr("What a step changes stands here."));
    }
    const auto diff = state().diff();
    const int went = diff && state().isCurrentDiff() ? diff->cameAndWent : 0;
    QStringList notes;
    if (went > 0)
        notes << tr("%n came and went", nullptr, went);
    if (const QString saved = a ? QString() : savedBy(b); !saved.isEmpty())
        notes << saved;
    QStringList lines{notes.join(QStringLiteral(" · "))};
    m_showAll->setVisible(rows && m_model->filteredOut() > 0);
    m_showAll->setLinkText(tr("Show all, %n more", nullptr, m_model->filteredOut()));
    if (!a)
        lines << notesOfStep(state(), b);
    lines.removeAll(QString());
    m_cameAndWent->setVisible(!lines.isEmpty());
    m_cameAndWent->setText(lines.join(QLatin1Char('\n')));
    QString badge;
    if (state().hasModel() && a)
        badge = tr("A %1 → B %2").arg(std::min(*a, b)).arg(b);
    else if (state().hasModel() && b)
        badge = tr("step %1").arg(b);
    Q_EMIT badgeChanged(badge, Tone::neutral);
}

} // namespace fusescope

#include "ui/find_bar.h"

#include "ui/panels/panel_parts.h"
#include "ui/text.h"
#include "ui/theme/icons.h"
#include "ui/widgets/filter_edit.h"
#include "ui/widgets/labels.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QToolButton>

namespace fusescope {

namespace {

constexpr int patience = 120;
constexpr std::size_t mostElsewhere = 1000;

QToolButton* toolButton(const QString& iconName, const QString& words, QWidget* parent)
{
    auto* button = new QToolButton(parent);
    button->setAutoRaise(true);
    button->setIcon(icon(iconName));
    button->setIconSize({16, 16});
    button->setToolTip(text::toolTip(words));
    button->setAccessibleName(words);
    return button;
}

} // namespace

FindBar::FindBar(AppState& state, QWidget* parent)
    : QWidget(parent), m_state(state),
      m_edit(new FilterEdit(tr("Find node, tensor, attribute, Conv>Relu"),
                            QStringLiteral("find"), {}, this)),
      m_regex(new QToolButton(this)), m_words(new PlainLabel({}, Token::text2)),
      m_other(new LinkLabel({}, false, this))
{
    setAccessibleName(tr("Find"));
    m_regex->setText(QStringLiteral(".*"));
    m_regex->setCheckable(true);
    m_regex->setToolTip(text::toolTip(tr("Regular expression")));
    m_regex->setAccessibleName(tr("Regular expression"));
    m_words->setParent(this);
    m_words->setWordWrap(false);
    m_other->hide();
    auto* back = toolButton(QStringLiteral("chevron-up"), tr("Find Previous (Shift+F3)"), this);
    auto* on = toolButton(QStringLiteral("chevron-down"), tr("Find Next (F3)"), this);
    auto* close = toolButton(QStringLiteral("close"), tr("Close (Esc)"), this);
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(space::section, space::glyph, space::control, space::glyph);
    layout->setSpacing(space::control);
    layout->addWidget(m_edit, 1);
    layout->addWidget(m_regex);
    layout->addWidget(back);
    layout->addWidget(on);
    layout->addWidget(m_words);
    layout->addWidget(m_other);
    layout->addWidget(close);
    QWidget::hide();
    m_late.setSingleShot(true);
    m_late.setInterval(patience);
    connect(m_edit, &QLineEdit::textChanged, &m_late, qOverload<>(&QTimer::start));
    connect(m_regex, &QToolButton::toggled, this, &FindBar::search);
    connect(&m_late, &QTimer::timeout, this, &FindBar::search);
    connect(back, &QToolButton::clicked, this, &FindBar::previous);
    connect(on, &QToolButton::clicked, this, &FindBar::next);
    connect(close, &QToolButton::clicked, this, [this] {
        dismiss();
        Q_EMIT closed();
    });
    m_edit->installEventFilter(this);
    connect(m_other, &QAbstractButton::clicked, this, &FindBar::goElsewhere);
    connect(&state, &AppState::sessionChanged, this, &FindBar::dismiss);
    const auto again = [this] {
        if (!isHidden() && !m_jumping)
            m_late.start();
    };
    connect(&state, &AppState::cursorChanged, this, again);
    connect(&state, &AppState::timelineChanged, this, again);
    connect(&state, &AppState::predictChanged, this, again);
}

void FindBar::activate()
{
    QWidget::show();
    m_edit->setFocus(Qt::ShortcutFocusReason);
    m_edit->selectAll();
    if (!m_edit->text().isEmpty())
        search();
}

QString FindBar::text() const
{
    return m_edit->text();
}

void FindBar::setText(const QString& text)
{
    m_edit->setText(text);
    search();
}

void FindBar::setRegex(bool on)
{
    m_regex->setChecked(on);
}

void FindBar::dismiss()
{
    m_late.stop();
    QWidget::hide();
    m_found = {};
    m_elsewhere.clear();
    m_current = -1;
    Q_EMIT hitsChanged({}, {});
}

void FindBar::search()
{
    m_late.stop();
    const FindQuery query(m_edit->text(), m_regex->isChecked());
    const NodeId before = m_current < 0 ? NodeId{}
                                        : m_found.hits[static_cast<std::size_t>(m_current)].front();
    m_found = {};
    m_elsewhere.clear();
    m_nextElsewhere = 0;
    m_current = -1;
    m_broken = query.isBroken();
    if (m_state.hasModel()) {
        m_found = findIn(*m_state.graphAt(m_state.b()), query);
        findElsewhere(query);
    }
    // The hit that was shown stays the one shown.
    for (std::size_t i = 0; i < m_found.hits.size(); ++i) {
        if (m_found.hits[i].front() == before)
            m_current = static_cast<int>(i);
    }
    showHit(m_found.hits.empty() ? -1 : std::max(0, m_current), m_current < 0);
}

void FindBar::findElsewhere(const FindQuery& query)
{
    // A chain is a matter of one graph; elsewhere counts nodes.
    if (query.isEmpty() || query.isBroken() || query.isChain())
        return;
    const UnionGraph& all = m_state.timeline()->unionGraph;
    for (const Lifespan& life : all.lifespans()) {
        if (life.aliveAt(m_state.b()) || m_elsewhere.size() >= mostElsewhere)
            continue;
        if (m_state.predict() && life.first > m_state.b())
            continue;
        const Node* node = all.lastRecord(life.node);
        if (node && query.matchesNode(*node, nullptr))
            m_elsewhere.push_back(life.node);
    }
}

void FindBar::showHit(int index, bool jump)
{
    m_current = index;
    std::set<NodeId> marked;
    for (const auto& hit : m_found.hits)
        marked.insert(hit.begin(), hit.end());
    const NodeId shown =
        index < 0 ? NodeId{} : m_found.hits[static_cast<std::size_t>(index)].front();
    Q_EMIT hitsChanged(marked, jump ? shown : NodeId{});
    if (jump && shown) {
        m_jumping = true;
        m_state.select(shown);
        m_jumping = false;
    }
    refreshWords();
}

void FindBar::next()
{
    if (m_late.isActive() || (m_found.hits.empty() && !m_edit->text().isEmpty())) {
        search();
        return;
    }
    if (!m_found.hits.empty())
        showHit((m_current + 1) % static_cast<int>(m_found.hits.size()), true);
}

void FindBar::previous()
{
    const int count = static_cast<int>(m_found.hits.size());
    if (count > 0)
        showHit((m_current + count - 1) % count, true);
}

QString FindBar::summary() const
{
    return m_words->text();
}

void FindBar::refreshWords()
{
    const auto count = static_cast<int>(m_found.hits.size());
    const int exact = count - static_cast<int>(m_found.near);
    QString words;
    if (m_edit->text().trimmed().isEmpty())
        words.clear();
    else if (m_broken)
        words = tr("no regular expression");
    else if (count == 0)
        words = tr("No match");
    else if (m_current >= exact)
        words = tr("near miss %1 of %2").arg(m_current - exact + 1).arg(m_found.near);
    else
        words = tr("%1 of %2").arg(m_current + 1).arg(exact);
    if (m_found.near > 0 && m_current < exact)
        words += tr(", %n near miss(es)", nullptr, static_cast<int>(m_found.near));
    m_words->setText(words);
    m_other->setVisible(!m_elsewhere.empty());
    m_other->setLinkText(tr("elsewhere: %1 at other steps").arg(m_elsewhere.size()));
}

void FindBar::goElsewhere()
{
    if (m_elsewhere.empty())
        return;
    // The list is made anew at the step that is shown; several clicks go on from there.
    const NodeId node = m_elsewhere[m_nextElsewhere++ % m_elsewhere.size()];
    m_state.goTo(node);
}

// Esc closes at once; a filter would first empty its field.
bool FindBar::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == m_edit && event->type() == QEvent::KeyPress &&
        static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape) {
        keyPressEvent(static_cast<QKeyEvent*>(event));
        return true;
    }
    return QWidget::eventFilter(watched, event);
}

void FindBar::keyPressEvent(QKeyEvent* event)
{
    switch (event->key()) {
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (event->modifiers() & Qt::ShiftModifier)
            previous();
        else
            next();
        return;
    case Qt::Key_Escape:
        dismiss();
        Q_EMIT closed();
        return;
    default:
        QWidget::keyPressEvent(event);
    }
}

} // namespace fusescope

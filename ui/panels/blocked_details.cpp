#include "ui/panels/blocked_details.h"

#include "ui/actions.h"
#include "ui/models/blocked_model.h"
#include "ui/names.h"
#include "ui/panels/why_parts.h"
#include "ui/text.h"
#include "ui/theme/badges.h"
#include "ui/theme/icons.h"
#include "ui/widgets/labels.h"

#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QToolButton>
#include <QVBoxLayout>

namespace fusescope {

namespace {

QLabel* plainLabel(QWidget* parent)
{
    auto* label = new QLabel(parent);
    label->setTextFormat(Qt::PlainText);
    label->setWordWrap(true);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    return label;
}

void setInk(QWidget* widget, const QColor& color)
{
    QPalette palette = widget->palette();
    palette.setColor(QPalette::WindowText, color);
    widget->setPalette(palette);
}

QPixmap markPixmap(Mark mark, qreal ratio)
{
    constexpr int side = 16;
    QPixmap pixmap(QSize(side, side) * ratio);
    pixmap.setDevicePixelRatio(ratio);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    painter.setRenderHint(QPainter::Antialiasing);
    paintMark(painter, QRectF(0, 0, side, side).adjusted(1, 1, -1, -1), mark);
    return pixmap;
}

QLabel* markLabel(Mark mark, QWidget* parent)
{
    auto* label = new QLabel(parent);
    label->setPixmap(markPixmap(mark, parent->devicePixelRatioF()));
    label->setAccessibleName(markName(mark));
    label->setFixedWidth(18);
    return label;
}

QString codeOf(const Reason& reason)
{
    const std::string_view id = idOf(reason.code);
    return QString::fromLatin1(id.data(), static_cast<qsizetype>(id.size()));
}

struct Asked
{
    int step = 0;
    std::vector<ConditionRecord> conditions;
};

} // namespace

BlockedDetails::BlockedDetails(AppState& state, Actions& actions, QWidget* parent)
    : QWidget(parent), m_state(state), m_actions(actions), m_head(new QWidget(this)),
      m_sign(new QLabel(m_head)), m_headline(plainLabel(m_head)), m_code(new QLabel(m_head)),
      m_sentences(plainLabel(m_head)), m_unblockTitle(plainLabel(m_head)), m_unblock(plainLabel(m_head)),
      m_scroll(new QScrollArea(this)),
      m_fixes(new QWidget(this)), m_fixLayout(new QVBoxLayout(m_fixes))
{
    setAccessibleName(tr("Why it is blocked"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);

    auto* head = new QGridLayout(m_head);
    head->setContentsMargins(space::section, space::cell, space::control, space::cell);
    head->setHorizontalSpacing(space::control);
    head->setVerticalSpacing(2);
    m_code->setTextFormat(Qt::PlainText);
    m_unblockTitle->setWordWrap(false);
    m_unblockTitle->setText(tr("To unblock:"));
    auto* close = new QToolButton(m_head);
    close->setIcon(icon(QStringLiteral("close"), Token::text2));
    close->setToolTip(tr("Close"));
    close->setAccessibleName(tr("Close details"));
    close->setFixedSize(22, 22);
    head->addWidget(m_sign, 0, 0, Qt::AlignTop);
    head->addWidget(m_headline, 0, 1);
    head->addWidget(m_code, 0, 2, Qt::AlignTop);
    head->addWidget(close, 0, 3, Qt::AlignTop);
    head->addWidget(m_sentences, 1, 1, 1, 2);
    auto* unblock = new QHBoxLayout;
    unblock->setSpacing(space::glyph);
    unblock->addWidget(m_unblockTitle, 0, Qt::AlignTop);
    unblock->addWidget(m_unblock, 1);
    head->addLayout(unblock, 2, 1, 1, 2);
    head->setColumnStretch(1, 1);
    m_head->setAutoFillBackground(true);
    m_scroll->setWidgetResizable(true);
    m_scroll->setFrameShape(QFrame::NoFrame);
    m_scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_scroll->setAccessibleName(tr("Conditions"));
    auto* content = new QWidget(m_scroll);
    m_content = new QVBoxLayout(content);
    m_content->setContentsMargins(0, 0, 0, 0);
    m_content->setSpacing(0);
    m_content->addWidget(m_head);
    m_content->addStretch(1);
    m_scroll->setWidget(content);
    content->setAutoFillBackground(false);
    m_scroll->viewport()->setAutoFillBackground(false);
    layout->addWidget(m_scroll, 1);

    m_fixLayout->setContentsMargins(space::section, space::control, space::section, space::control);
    m_fixLayout->setSpacing(space::glyph);
    layout->addWidget(m_fixes);
    connect(close, &QToolButton::clicked, this, &BlockedDetails::closeRequested);
    connect(&theme(), &Theme::changed, this, &BlockedDetails::restyle);
    restyle();
}

void BlockedDetails::restyle()
{
    QPalette palette = m_head->palette();
    palette.setColor(QPalette::Window, theme().fill(toneOf(m_kind)));
    m_head->setPalette(palette);
    m_sign->setPixmap(markPixmap(markOf(m_kind), devicePixelRatioF()));
    m_headline->setFont(theme().font(TextScale::verdict, true));
    m_code->setFont(theme().monoFont());
    setInk(m_code, theme().ink(toneOf(m_kind)));
    m_unblockTitle->setFont(theme().font(TextScale::normal, true));
    m_unblock->setFont(theme().font());
}

void BlockedDetails::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.fillRect(rect(), theme().color(Token::base));
    painter.fillRect(QRect(0, m_fixes->y(), width(), 1), theme().color(Token::border));
}

// A style sheet takes colours and fonts away that were given before a widget was first shown.
void BlockedDetails::showEvent(QShowEvent*)
{
    restyle();
}

void BlockedDetails::show(const Blocked& row)
{
    m_kind = kindOfRow(row);
    restyle();
    fillHead(row);
    fillFixes(row);
    askConditions(row);
}

void BlockedDetails::fillHead(const Blocked& row)
{
    const auto timeline = m_state.timeline();
    const Graph* graph = &timeline->history->latest();
    QStringList sentences, unblock;
    for (const Reason& reason : row.miss.reasons) {
        sentences << m_state.sentence(reason.message, graph);
        if (reason.unblock)
            unblock << m_state.sentence(reason.unblock, graph);
    }
    unblock.removeDuplicates();
    const Reason* first = row.miss.reasons.empty() ? nullptr : &row.miss.reasons.front();
    m_headline->setText(first ? m_state.sentence(first->headline ? first->headline : first->message, graph)
                              : names::rule(m_state, row.miss.rule));
    m_codeText = first ? codeOf(*first) : QString();
    m_code->setText(m_codeText);
    m_sentences->setText(sentences.join(QLatin1Char('\n')));
    m_unblockTitle->setVisible(!unblock.isEmpty());
    m_unblock->setVisible(!unblock.isEmpty());
    m_unblock->setText(unblock.join(QLatin1Char(' ')));
    setAccessibleDescription(m_headline->text());
}

void BlockedDetails::fillFixes(const Blocked& row)
{
    while (QLayoutItem* item = m_fixLayout->takeAt(0)) {
        delete item->widget();
        delete item->layout();
        delete item;
    }
    auto* line = new QWidget(m_fixes);
    auto* buttons = new QHBoxLayout(line);
    buttons->setContentsMargins(0, 0, 0, 0);
    buttons->setSpacing(space::control);
    QString warning;
    bool primary = true;
    for (const Reason& reason : row.miss.reasons) {
        if (!reason.fix)
            continue;
        const Fix fix = *reason.fix;
        const QString words = names::fixText(m_state, fix);
        auto* button = new QPushButton(
            icon(QStringLiteral("wrench"), primary ? Token::glyph : Token::blocked),
            text::label(primary ? words : names::fixButton(m_state, fix)), line);
        button->setProperty("fix", primary ? QStringLiteral("primary") : QStringLiteral("true"));
        button->setAccessibleName(words);
        button->setToolTip(text::toolTip(words));
        connect(button, &QPushButton::clicked, this, [this, fix] { m_state.applyFix(fix); });
        buttons->addWidget(button);
        if (warning.isEmpty())
            warning = names::fixWarning(fix);
        primary = false;
    }
    auto* scratch = new QPushButton(tr("Try in a scratch copy"), line);
    connect(scratch, &QPushButton::clicked, m_actions[Act::scratch], &QAction::trigger);
    buttons->addWidget(scratch);
    buttons->addStretch(1);
    auto* help = new LinkLabel(tr("Help"), false, line);
    connect(help, &QAbstractButton::clicked, this, [this] { Q_EMIT helpRequested(m_codeText); });
    buttons->addWidget(help);
    m_fixLayout->addWidget(line);
    if (warning.isEmpty())
        return;
    auto* note = new QWidget(m_fixes);
    auto* noteRow = new QHBoxLayout(note);
    noteRow->setContentsMargins(0, 0, 0, 0);
    noteRow->setSpacing(space::glyph);
    auto* words = plainLabel(note);
    words->setText(warning);
    setInk(words, theme().color(Token::changedInk));
    words->setFont(theme().font(TextScale::small));
    noteRow->addWidget(markLabel(Mark::warning, this), 0, Qt::AlignTop);
    noteRow->addWidget(words, 1);
    m_fixLayout->addWidget(note);
}

void BlockedDetails::askConditions(const Blocked& row)
{
    const auto timeline = m_state.timeline();
    showConditions(conditionsToTell(m_state, row.miss, timeline->history->latest()));
    m_state.jobs().start<Asked>(
        JobKind::conditions, tr("Looking at the conditions"),
        [session = m_state.session(), timeline, rule = row.miss.rule, root = row.miss.root,
         finalAt = row.finalAt](std::stop_token, const Progress&) {
            // As it is when all has ended; where the root has gone by then, as it was refused.
            for (const int step : {timeline->size(), finalAt, finalAt - 1}) {
                if (step < 0 || step > timeline->size())
                    continue;
                for (Explanation& one : session->explain(*timeline, step, root)) {
                    if (one.rule == rule && one.root == root && !one.conditions.empty() &&
                        one.status == Explanation::Status::blocked)
                        return Result<Asked>(Asked{step, std::move(one.conditions)});
                }
            }
            return Result<Asked>(Asked{});
        },
        [this](Result<Asked> found) {
            if (found && !found->conditions.empty())
                showConditions(conditionsToTell(m_state, found->conditions, *m_state.graphAt(found->step)));
        },
        true);
}

void BlockedDetails::showConditions(const QList<ConditionText>& conditions)
{
    m_conditionTexts.clear();
    delete m_conditions;
    auto* content = new QWidget(m_scroll->widget());
    m_conditions = content;
    auto* grid = new QGridLayout(content);
    grid->setContentsMargins(space::section, space::cell, space::section, space::cell);
    grid->setHorizontalSpacing(space::control);
    grid->setVerticalSpacing(space::glyph);
    const int rows = (static_cast<int>(conditions.size()) + 1) / 2;
    for (int i = 0; i < static_cast<int>(conditions.size()); ++i) {
        const ConditionText& condition = conditions[i];
        const QString& name = condition.sentence;
        const QString& saw = condition.saw;
        auto* box = new QWidget(content);
        auto* both = new QVBoxLayout(box);
        both->setContentsMargins(0, 0, 0, 0);
        both->setSpacing(0);
        auto* words = plainLabel(box);
        words->setText(name);
        words->setFont(theme().font(TextScale::normal, !condition.holds));
        both->addWidget(words);
        if (!saw.isEmpty()) {
            auto* seen = plainLabel(box);
            seen->setText(saw);
            seen->setFont(theme().monoFont(TextScale::small, !condition.holds));
            setInk(seen, condition.holds ? theme().color(Token::text2) : theme().ink(Tone::blocked));
            both->addWidget(seen);
        }
        const Mark mark = condition.holds ? Mark::tick : Mark::failedCondition;
        const int column = i < rows ? 0 : 2;
        grid->addWidget(markLabel(mark, content), i % rows, column, Qt::AlignTop);
        grid->addWidget(box, i % rows, column + 1, Qt::AlignTop);
        m_conditionTexts << (condition.holds ? QStringLiteral("✓ ") : QStringLiteral("✗ ")) + name +
                                (saw.isEmpty() ? QString() : QLatin1Char(' ') + saw);
    }
    grid->setColumnStretch(1, 1);
    grid->setColumnStretch(3, 1);
    m_content->insertWidget(1, content);
    content->show();
}

} // namespace fusescope

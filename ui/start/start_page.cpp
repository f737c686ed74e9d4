#include "ui/start/start_page.h"

#include "ui/actions.h"
#include "ui/recent_files.h"
#include "ui/start/drop_area.h"
#include "ui/start/example_card.h"
#include "ui/start/recent_row.h"
#include "ui/theme/icons.h"
#include "ui/theme/theme.h"
#include "ui/widgets/labels.h"

#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QScrollArea>
#include <QVBoxLayout>

namespace fusescope {

namespace {

constexpr int firstCards = 9;

// On the colour of the graph, whose place it takes.
class Ground final : public QWidget
{
protected:
    void paintEvent(QPaintEvent*) override
    {
        QPainter(this).fillRect(rect(), theme().color(Token::canvas));
    }
};

QLabel* plainLabel(const QString& text, QWidget* parent)
{
    auto* label = new QLabel(text, parent);
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

StartPage::StartPage(Actions& actions, RecentFiles& recent, QWidget* parent)
    : QWidget(parent), m_actions(actions), m_recent(recent), m_content(new Ground)
{
    setAccessibleName(tr("Start"));
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    auto* scroll = new QScrollArea(this);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setWidget(m_content);
    scroll->setFocusPolicy(Qt::NoFocus);
    outer->addWidget(scroll);

    auto* page = new QVBoxLayout(m_content);
    page->setContentsMargins(30, 28, 30, 28);
    page->setSpacing(20);
    auto* head = new QHBoxLayout;
    head->setSpacing(space::block);
    auto* sign = new QLabel(m_content);
    sign->setPixmap(applicationIcon().pixmap(QSize(40, 40), devicePixelRatioF()));
    sign->setAccessibleName(QStringLiteral("Fusescope"));
    auto* words = new QVBoxLayout;
    words->setSpacing(0);
    auto* name = plainLabel(QStringLiteral("Fusescope"), m_content);
    auto* slogan = plainLabel(
        tr("See what an optimizer does to an ONNX model, one rewrite at a time, and why it stops."), m_content);
    slogan->setWordWrap(true);
    words->addWidget(name);
    words->addWidget(slogan);
    head->addWidget(sign, 0, Qt::AlignTop);
    head->addLayout(words, 1);
    page->addLayout(head);

    auto* columns = new QHBoxLayout;
    columns->setSpacing(24);
    auto* left = new QVBoxLayout;
    left->setSpacing(space::control);
    auto* drop = new DropArea(m_actions, m_content);
    drop->setMinimumWidth(260); // names and folders of recent files stand below it
    left->addWidget(drop);
    left->addSpacing(space::section);
    m_recentTitle = plainLabel(tr("Recent"), m_content);
    left->addWidget(m_recentTitle);
    m_recentLayout = new QVBoxLayout;
    m_recentLayout->setSpacing(0);
    left->addLayout(m_recentLayout);
    auto* links = new QVBoxLayout;
    auto* tour = new LinkLabel(tr("Guided tour, 3 minutes"), false, m_content);
    auto* terminal = new LinkLabel(tr("Command line"), false, m_content);
    connect(tour, &QAbstractButton::clicked, m_actions[Act::tour], &QAction::trigger);
    connect(terminal, &QAbstractButton::clicked, this, &StartPage::commandLineHelpRequested);
    links->setContentsMargins(12, space::section, 12, 0);
    const auto addLink = [&](const QString& picture, LinkLabel* link) {
        auto* glyph = new QLabel(m_content);
        const auto draw = [glyph, picture] {
            glyph->setPixmap(icon(picture, Token::link).pixmap(QSize(16, 16), glyph->devicePixelRatioF()));
        };
        connect(&theme(), &Theme::changed, glyph, draw);
        draw();
        auto* row = new QHBoxLayout;
        row->setSpacing(space::control);
        row->addWidget(glyph);
        row->addWidget(link);
        row->addStretch(1);
        links->addLayout(row);
    };
    addLink(QStringLiteral("predict"), tour);
    addLink(QStringLiteral("terminal"), terminal);
    left->addLayout(links);
    left->addStretch(1);
    columns->addLayout(left, 2);

    m_gallery = new QWidget(m_content);
    auto* right = new QVBoxLayout(m_gallery);
    right->setContentsMargins(0, 0, 0, 0);
    right->setSpacing(space::cell);
    auto* galleryHead = new QHBoxLayout;
    auto* title = plainLabel(tr("Examples"), m_gallery);
    auto* note = plainLabel(tr("one small model per fusion and per obstacle"), m_gallery);
    m_all = new LinkLabel({}, false, m_gallery);
    galleryHead->addWidget(title);
    galleryHead->addWidget(note);
    galleryHead->addStretch(1);
    galleryHead->addWidget(m_all);
    right->addLayout(galleryHead);
    m_grid = new QGridLayout;
    m_grid->setSpacing(space::section);
    right->addLayout(m_grid);
    right->addStretch(1);
    columns->addWidget(m_gallery, 4);
    page->addLayout(columns);
    page->addStretch(1);

    connect(m_all, &QAbstractButton::clicked, this, [this] {
        m_showAll = !m_showAll;
        fillExamples();
    });
    connect(&m_recent, &RecentFiles::changed, this, &StartPage::fillRecent, Qt::QueuedConnection);
    const auto restyle = [=, this] {
        name->setFont(theme().font(TextScale::start, true));
        m_recentTitle->setFont(theme().font(TextScale::normal, true));
        title->setFont(theme().font(TextScale::normal, true));
        setInk(slogan, Token::text2);
        setInk(note, Token::text2);
        m_content->update();
    };
    connect(&theme(), &Theme::changed, this, restyle);
    restyle();
    fillRecent();
    fillExamples();
}

void StartPage::fillRecent()
{
    qDeleteAll(m_rows);
    m_rows.clear();
    int number = 0;
    for (const RecentFile& file : m_recent.files()) {
        auto* row = new RecentRow(file, ++number, m_content);
        connect(row, &QAbstractButton::clicked, this, [this, file] {
            if (file.exists)
                Q_EMIT fileChosen(file.path);
        });
        connect(row, &RecentRow::removeRequested, &m_recent, &RecentFiles::remove, Qt::QueuedConnection);
        m_recentLayout->addWidget(row);
        row->show();
        m_rows << row;
    }
    m_recentTitle->setVisible(!m_rows.isEmpty());
}

void StartPage::fillExamples()
{
    const auto& all = examples();
    m_gallery->setVisible(!all.isEmpty());
    m_all->setVisible(all.size() > firstCards);
    m_all->setLinkText(m_showAll ? tr("Fewer") : tr("All %1").arg(all.size()));
    qDeleteAll(m_cards);
    m_cards.clear();
    const qsizetype shown = m_showAll ? all.size() : std::min<qsizetype>(firstCards, all.size());
    for (qsizetype i = 0; i < shown; ++i) {
        auto* card = new ExampleCard(all[i], m_gallery);
        connect(card, &QAbstractButton::clicked, this,
                [this, resource = all[i].resource] { Q_EMIT exampleChosen(resource); });
        m_cards << card;
    }
    m_columns = 0;
    arrangeExamples();
}

void StartPage::arrangeExamples()
{
    const int columns = std::clamp((width() - 84) * 2 / 3 / 180, 1, 4);
    if (columns == m_columns)
        return;
    m_columns = columns;
    for (ExampleCard* card : std::as_const(m_cards))
        m_grid->removeWidget(card);
    for (qsizetype i = 0; i < m_cards.size(); ++i) {
        m_grid->addWidget(m_cards[i], static_cast<int>(i) / columns, static_cast<int>(i) % columns);
        m_cards[i]->show();
    }
}

void StartPage::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    arrangeExamples();
}

} // namespace fusescope

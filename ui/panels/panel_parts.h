#pragma once

#include "report/reason.h"
#include "ui/theme/badges.h"

#include <QLabel>
#include <QString>

#include <optional>

class QAbstractItemModel;
class QScrollArea;
class QStandardItem;
class QTreeView;

namespace fusescope {

class AppState;
class RowDelegate;
struct Type;

// Small parts that the panels share.
namespace parts {

QString str(std::string_view text);
QString shapeText(const Type& type);

// Links of KeyValues: "node:12", "value:7", "step:3".
QString linkOf(NodeId node);
QString linkOf(ValueId value);
QString stepLink(int step);
// Follows one of these; false for any other.
bool follow(AppState& state, const QString& link);

QString operatorName(const AppState& state, NodeId node);
Category categoryOf(const AppState& state, NodeId node);
// The step beyond which nothing is told: the last one, or B while Predict is on.
int lastTold(const AppState& state);
// The nodes of the file that a node stands for, with those that were folded into them, in order, as
// far as it is told.
std::vector<NodeId> standsFor(const AppState& state, NodeId node);
// The number of the step whose rewrite took the node away and is about it; 0 if none.
int stepThatRemoved(const AppState& state, NodeId node);

// "the file", "step 28"
QString stepName(int step);
// "the file → step 28"
QString pairName(int a, int b);

// A scroll area without a frame around a widget that takes its width.
QScrollArea* scroll(QWidget* content, QWidget* parent);
void clear(QLayout* layout);

// A list or table drawn by RowDelegate; `table` for headers and alternate rows.
struct Rows
{
    QTreeView* view;
    RowDelegate* delegate;
};
Rows makeRows(QAbstractItemModel* model, bool table, const QString& accessibleName,
              QWidget* parent);
QStandardItem* item(const QString& text = {});
// Right aligned and mono, as all numbers in tables are.
QStandardItem* number(const QString& text);

} // namespace parts

// Plain text in a size and a colour of the theme, also after the theme has changed.
class PlainLabel final : public QLabel
{
    Q_OBJECT

public:
    explicit PlainLabel(const QString& text = {}, Token token = Token::text,
                        TextScale scale = TextScale::normal, bool bold = false,
                        QWidget* parent = nullptr);
    void setToken(Token token);
    void setMono(bool mono);

private:
    void restyle();

    Token m_token;
    TextScale m_scale;
    bool m_bold;
    bool m_mono = false;
};

// A word on a rounded fill that is no button.
class PillLabel final : public QWidget
{
    Q_OBJECT

public:
    explicit PillLabel(QWidget* parent = nullptr);
    void setPill(const Pill& pill); // hidden while it is empty
    const Pill& pill() const { return m_pill; }
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    Pill m_pill;
};

// A horizontal line between parts.
class Rule final : public QWidget
{
    Q_OBJECT

public:
    explicit Rule(QWidget* parent = nullptr);

protected:
    void paintEvent(QPaintEvent* event) override;
};

} // namespace fusescope

#pragma once

#include <algorithm>
#include <memory>
#include <vector>

#include <QWidget>

#include "ui/theme/theme.h"

namespace fusescope {

// A formula as a tree. Values are shared and never change.
class Expression
{
public:
    enum class Kind { text, row, fraction, root, superscript, subscript };

    Expression() = default;

    // A word or sign in the formula's ink; strong ones are bold, results stand in accent.
    static Expression text(const QString& text);
    static Expression strong(const QString& text);
    static Expression result(const QString& text);
    static Expression secondary(const QString& text);
    static Expression row(std::vector<Expression> parts);
    static Expression fraction(Expression above, Expression below);
    static Expression squareRoot(Expression inside);
    static Expression sup(Expression base, Expression raised);
    static Expression sub(Expression base, Expression lowered);

    bool isNull() const { return !m_node; }
    // In one line, for screen readers and the clipboard: "W · γ / √(σ² + ε)".
    QString plain() const;

    struct Node;
    const Node* node() const { return m_node.get(); }

private:
    static Expression leaf(const QString& text, Token token, bool bold);
    static Expression inner(Kind kind, std::vector<Expression> parts);
    std::shared_ptr<const Node> m_node;
};

struct Expression::Node
{
    Kind kind = Kind::text;
    QString text;
    Token token = Token::text;
    bool bold = false;
    std::vector<Expression> parts;
};

// What a formula takes up: width, and how far it reaches above and below its base line.
struct FormulaSize
{
    qreal width = 0;
    qreal ascent = 0;
    qreal descent = 0;
};

FormulaSize measureFormula(const Expression& formula, const QFont& font);
// Paints with the base line's left end at `origin`.
void paintFormula(QPainter& painter, const QPointF& origin, const Expression& formula,
                  const QFont& font);

// Shows one formula; Ctrl+C copies it as text.
class Formula final : public QWidget
{
    Q_OBJECT

public:
    explicit Formula(QWidget* parent = nullptr);

    void setExpression(const Expression& expression);
    const Expression& expression() const { return m_expression; }
    void setScale(TextScale scale);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {std::min(sizeHint().width(), 160), sizeHint().height()}; }

protected:
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    QFont formulaFont() const { return theme().font(m_scale); }

    Expression m_expression;
    TextScale m_scale = TextScale::title;
};

} // namespace fusescope

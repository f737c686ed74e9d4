#include "ui/panels/inspector_explain_page.h"

#include "report/render.h"
#include "ui/app_state.h"
#include "ui/panels/panel_parts.h"
#include "ui/text.h"
#include "ui/theme/row_delegate.h"
#include "ui/widgets/channel_bars.h"
#include "ui/widgets/formula.h"
#include "ui/widgets/kernel_slice.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QSpinBox>
#include <QStandardItemModel>
#include <QTreeView>
#include <QVBoxLayout>

#include <algorithm>

namespace fusescope {

// A number of a channel, or a place of a function: the index in the words of its place.
class ChoiceBox final : public QSpinBox
{
public:
    using QSpinBox::QSpinBox;
    void setPlaces(double first, double stride)
    {
        m_first = first;
        m_stride = stride;
    }

protected:
    QString textFromValue(int index) const override
    {
        return text::value(m_first + m_stride * index);
    }
    int valueFromText(const QString& words) const override
    {
        QString plain = words;
        const double place = plain.replace(QChar(0x2212), QLatin1Char('-')).toDouble();
        return std::clamp(qRound((place - m_first) / m_stride), minimum(), maximum());
    }
    QValidator::State validate(QString&, int&) const override { return QValidator::Acceptable; }

private:
    double m_first = 0;
    double m_stride = 1;
};

ExplainPage::ExplainPage(AppState& state, QWidget* parent)
    : QWidget(parent), m_state(state),
      m_headline(new PlainLabel({}, Token::text, TextScale::normal, true, this)),
      m_words(new PlainLabel({}, Token::text, TextScale::normal, false, this)),
      m_choiceName(new PlainLabel({}, Token::text2, TextScale::normal, false, this)),
      m_choice(new ChoiceBox(this)),
      m_of(new PlainLabel({}, Token::text2, TextScale::normal, false, this)),
      m_generalLayout(new QVBoxLayout), m_linesLayout(new QVBoxLayout),
      m_note(new PlainLabel({}, Token::text2, TextScale::small, false, this)),
      m_barsPart(new QWidget(this)),
      m_barsTitle(new PlainLabel({}, Token::text, TextScale::normal, true, m_barsPart)),
      m_bars(new ChannelBars(m_barsPart)), m_slice(new KernelSlice(this)),
      m_model(new QStandardItemModel(this)),
      m_check(new PlainLabel({}, Token::text, TextScale::normal, false, this))
{
    makeParts();
    connect(m_bars, &ChannelBars::chosenByUser, this, &ExplainPage::choose);
    connect(m_choice, &QSpinBox::valueChanged, this, &ExplainPage::choose);
}

void ExplainPage::makeParts()
{
    const parts::Rows rows = parts::makeRows(m_model, true, tr("Tensors of the step"), this);
    m_tensors = rows.view;
    connect(rows.delegate, &RowDelegate::linkActivated, this, [this](const QModelIndex& index) {
        parts::follow(m_state, index.data(Qt::UserRole).toString());
    });
    m_choice->setKeyboardTracking(false);
    m_of->setWordWrap(false);
    m_choiceName->setWordWrap(false);
    m_barsTitle->setWordWrap(false);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(space::section, space::cell, space::section, space::cell);
    layout->setSpacing(space::control);
    auto* top = new QHBoxLayout;
    top->addWidget(m_headline, 1);
    top->addWidget(m_choiceName);
    top->addWidget(m_choice);
    top->addWidget(m_of);
    layout->addLayout(top);
    layout->addWidget(m_words);
    // One under the other where the dock is narrow: each formula is a line of its own.
    m_generalLayout->setSpacing(space::control);
    m_linesLayout->setSpacing(space::control);
    layout->addLayout(m_generalLayout);
    layout->addWidget(new Rule(this));
    layout->addLayout(m_linesLayout);
    layout->addWidget(m_note);
    auto* part = new QVBoxLayout(m_barsPart);
    part->setContentsMargins(0, 0, 0, 0);
    part->setSpacing(space::control);
    part->addWidget(new Rule(m_barsPart));
    auto* bars = new QHBoxLayout;
    bars->addWidget(m_barsTitle);
    bars->addWidget(new PlainLabel(tr("click a bar, or Left and Right"), Token::text2,
                                   TextScale::normal, false, m_barsPart), 1);
    part->addLayout(bars);
    part->addWidget(m_bars);
    part->addWidget(new Rule(m_barsPart));
    layout->addWidget(m_barsPart);
    layout->addWidget(m_slice);
    layout->addWidget(m_tensors);
    layout->addWidget(m_check);
    layout->addStretch(1);
}

int ExplainPage::stepFor(NodeId node) const
{
    if (!node)
        return 0;
    const Timeline& timeline = *m_state.timeline();
    const Node* record = timeline.unionGraph.lastRecord(node);
    const auto concerns = [&](const Step& step) {
        if (!hasFormula(step))
            return false;
        for (const auto& slot : step.patch.nodes) {
            if (slot.id == node)
                return true;
            if (record && std::find(record->origins.begin(), record->origins.end(), slot.id)
                              != record->origins.end())
                return true;
        }
        return false;
    };
    const int b = m_state.b();
    if (b > 0 && b <= timeline.size() && concerns(*timeline.steps[static_cast<std::size_t>(b - 1)]))
        return b;
    const int end = m_state.predict() ? b : timeline.size();
    for (int number = end; number > 0; --number) {
        if (concerns(*timeline.steps[static_cast<std::size_t>(number - 1)]))
            return number;
    }
    return 0;
}

void ExplainPage::show(int number)
{
    const Timeline& timeline = *m_state.timeline();
    if (number < 1 || number > timeline.size())
        return;
    if (number == m_step && timeline.generation == m_generation && m_formula)
        return;
    m_step = number;
    m_generation = timeline.generation;
    const Step& step = *timeline.steps[static_cast<std::size_t>(number - 1)];
    m_formula = stepFormula(*m_state.graphAt(number - 1), *m_state.graphAt(number), step);
    if (!m_formula)
        return;
    const StepFormula& formula = *m_formula;
    m_headline->setText(formula.headline);
    m_words->setText(formula.words);
    setLines(m_generalLayout, m_general, formula.general, TextScale::title);
    const bool readable = static_cast<bool>(formula.numbers);
    const bool isChosen = readable && formula.count > 1;
    for (QWidget* part : std::initializer_list<QWidget*>{m_choiceName, m_choice})
        part->setVisible(isChosen);
    m_of->setVisible(isChosen && !formula.isFunction);
    m_barsPart->setVisible(readable && !formula.bars.isEmpty());
    m_tensors->setVisible(readable);
    m_check->setVisible(readable && !formula.check.isEmpty());
    if (!readable) {
        setLines(m_linesLayout, m_lines, {}, TextScale::normal);
        m_shownLines = 0;
        m_slice->hide();
        m_note->setText(tr("The numbers of this step cannot be read: its constants are missing."));
        m_note->show();
        return;
    }
    m_barsTitle->setText(formula.barsTitle);
    m_bars->setPlaces(formula.first, formula.stride, formula.isFunction);
    m_bars->setValues(formula.bars);
    m_bars->setAccessibleName(formula.barsName);
    m_choiceName->setText(formula.choice);
    m_choice->setAccessibleName(formula.choice);
    m_of->setText(tr("of %1").arg(formula.count));
    m_check->setText(formula.check);
    m_check->setToken(formula.holds ? Token::text : Token::removed);
    {
        const QSignalBlocker blocker(m_choice);
        m_choice->setPlaces(formula.first, formula.stride);
        m_choice->setRange(0, formula.count - 1);
        // A function is most telling a little above 0.
        m_choice->setValue(formula.isFunction ? qRound((1 - formula.first) / formula.stride)
                                              : std::min(m_choice->value(), formula.count - 1));
    }
    refreshNumbers();
}

void ExplainPage::choose(int index)
{
    if (!m_formula || !m_formula->numbers)
        return;
    const QSignalBlocker blocker(m_choice);
    m_choice->setValue(std::clamp(index, 0, m_formula->count - 1));
    refreshNumbers();
}

QStringList ExplainPage::lines() const
{
    QStringList words;
    for (int i = 0; i < m_shownLines; ++i)
        words << m_lines[static_cast<std::size_t>(i)]->accessibleName();
    return words;
}

void ExplainPage::setLines(QVBoxLayout* layout, std::vector<Formula*>& lines,
                           const std::vector<Expression>& expressions, TextScale scale)
{
    while (lines.size() < expressions.size()) {
        lines.push_back(new Formula(this));
        lines.back()->setScale(scale);
        layout->addWidget(lines.back());
    }
    for (std::size_t i = 0; i < lines.size(); ++i) {
        if (i < expressions.size())
            lines[i]->setExpression(expressions[i]);
        lines[i]->setVisible(i < expressions.size());
    }
}

void ExplainPage::refreshNumbers()
{
    const int index = m_choice->value();
    const FormulaNumbers shown = m_formula->numbers(index);
    m_bars->setChosen(index);
    setLines(m_linesLayout, m_lines, shown.lines, TextScale::normal);
    m_shownLines = static_cast<int>(shown.lines.size());
    m_note->setText(shown.note);
    m_note->setVisible(!shown.note.isEmpty());
    m_slice->setVisible(shown.slice.has_value());
    if (shown.slice)
        m_slice->setMatrices(shown.slice->before, shown.slice->by, shown.slice->after);
    refreshTensors(shown.tensors);
}

void ExplainPage::refreshTensors(const std::vector<FormulaTensor>& tensors)
{
    const auto before = m_state.graphAt(m_step - 1);
    const auto after = m_state.graphAt(m_step);
    m_model->clear();
    m_model->setHorizontalHeaderLabels(
        {QString(), tr("Tensor"), tr("Shape"),
         m_formula->isFunction || m_formula->count < 2 ? tr("value")
                                                       : tr("value at %1").arg(m_choice->value()),
         tr("At step %1").arg(m_step)});
    for (const FormulaTensor& tensor : tensors) {
        const bool was = before->value(tensor.id) != nullptr;
        const bool is = after->value(tensor.id) != nullptr;
        const Graph& graph = was ? *before : *after;
        const Value* record = graph.value(tensor.id);
        if (!record)
            continue;
        QStandardItem* symbol = parts::item(tensor.sign);
        symbol->setData(true, EmphasisRole);
        QStandardItem* name = parts::item(parts::str(displayName(&graph, tensor.id)));
        name->setData(true, MonoRole);
        QStandardItem* shape = parts::item(parts::shapeText(record->type));
        shape->setData(true, MonoRole);
        QStandardItem* fate = parts::item();
        const Pill pill = was && !is   ? Pill{tr("removed"), Tone::removed, Mark::removed, false}
                          : !was && is ? Pill{tr("added"), Tone::added, Mark::added, false}
                                       : Pill{tr("kept"), Tone::neutral, Mark::none, false};
        fate->setData(QVariant::fromValue(QList<Pill>{pill}), ChipsRole);
        fate->setData(pill.text, Qt::AccessibleTextRole);
        m_model->appendRow({symbol, name, shape, parts::number(tensor.number), fate});
    }
    QHeaderView* header = m_tensors->header();
    header->setStretchLastSection(false);
    header->setSectionResizeMode(QHeaderView::Fixed);
    header->setSectionResizeMode(1, QHeaderView::Stretch);
    header->setMinimumSectionSize(20);
    header->resizeSection(0, 32);
    header->resizeSection(2, 80);
    header->resizeSection(3, 90);
    header->resizeSection(4, 90);
    const int rowHeightOfTable = rowHeight(Row::table, QFontMetrics(theme().font()));
    m_tensors->setFixedHeight(rowHeightOfTable * (m_model->rowCount() + 1) + 2);
    m_tensors->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
}

} // namespace fusescope

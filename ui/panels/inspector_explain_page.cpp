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

#include <cmath>

namespace fusescope {

namespace {

using E = Expression;

const QString gammaSign = QStringLiteral("γ");
const QString betaSign = QStringLiteral("β");
const QString muSign = QStringLiteral("μ");
const QString sigmaSign = QStringLiteral("σ²");
const QString dot = QStringLiteral(" · ");
constexpr int shownKernel = 7;

E scaleFraction(const QString& above, const QString& variance, const QString& epsilon)
{
    return E::fraction(E::text(above),
                       E::squareRoot(E::text(variance + QStringLiteral(" + ") + epsilon)));
}

// Negative numbers inside a formula stand in parentheses.
QString inside(double number)
{
    const QString words = text::value(number, 4);
    return number < 0 ? QStringLiteral("(%1)").arg(words) : words;
}

} // namespace

ExplainPage::ExplainPage(AppState& state, QWidget* parent)
    : QWidget(parent), m_state(state),
      m_headline(new PlainLabel({}, Token::text, TextScale::normal, true, this)),
      m_words(new PlainLabel({}, Token::text, TextScale::normal, false, this)),
      m_channel(new QSpinBox(this)),
      m_of(new PlainLabel({}, Token::text2, TextScale::normal, false, this)),
      m_weightFormula(new Formula(this)), m_biasFormula(new Formula(this)),
      m_scaleLine(new Formula(this)), m_weightLine(new Formula(this)),
      m_biasLine(new Formula(this)),
      m_note(new PlainLabel({}, Token::text2, TextScale::small, false, this)),
      m_bars(new ChannelBars(this)), m_slice(new KernelSlice(this)),
      m_model(new QStandardItemModel(this)),
      m_check(new PlainLabel({}, Token::text, TextScale::normal, false, this))
{
    makeParts();
    connect(m_bars, &ChannelBars::chosenByUser, this, &ExplainPage::setChannel);
    connect(m_channel, &QSpinBox::valueChanged, this, &ExplainPage::setChannel);
}

void ExplainPage::makeParts()
{
    const parts::Rows rows = parts::makeRows(m_model, true, tr("Tensors of the fold"), this);
    m_tensors = rows.view;
    connect(rows.delegate, &RowDelegate::linkActivated, this, [this](const QModelIndex& index) {
        parts::follow(m_state, index.data(Qt::UserRole).toString());
    });
    m_channel->setAccessibleName(tr("Channel"));
    m_channel->setKeyboardTracking(false);
    m_of->setWordWrap(false);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(space::section, space::cell, space::section, space::cell);
    layout->setSpacing(space::control);
    auto* top = new QHBoxLayout;
    top->addWidget(m_headline, 1);
    auto* label = new PlainLabel(tr("Channel"), Token::text2, TextScale::normal, false, this);
    label->setWordWrap(false);
    top->addWidget(label);
    top->addWidget(m_channel);
    top->addWidget(m_of);
    layout->addLayout(top);
    layout->addWidget(m_words);
    // One under the other where the dock is narrow: each formula is a line of its own.
    layout->addWidget(m_weightFormula);
    layout->addWidget(m_biasFormula);
    layout->addWidget(new Rule(this));
    m_weightLine->setScale(TextScale::normal);
    m_biasLine->setScale(TextScale::normal);
    m_scaleLine->setScale(TextScale::normal);
    layout->addWidget(m_scaleLine);
    layout->addWidget(m_weightLine);
    layout->addWidget(m_biasLine);
    layout->addWidget(m_note);
    layout->addWidget(new Rule(this));
    auto* bars = new QHBoxLayout;
    auto* title = new PlainLabel(tr("Scale s of every channel"), Token::text, TextScale::normal,
                                 true, this);
    title->setWordWrap(false);
    bars->addWidget(title);
    bars->addWidget(new PlainLabel(tr("click a bar, or Left and Right"), Token::text2,
                                   TextScale::normal, false, this), 1);
    layout->addLayout(bars);
    layout->addWidget(m_bars);
    layout->addWidget(new Rule(this));
    layout->addWidget(m_slice);
    layout->addWidget(m_tensors);
    layout->addWidget(m_check);
    layout->addStretch(1);
    const QString s = tr("s");
    m_weightFormula->setExpression(E::row(
        {E::strong(QStringLiteral("W′")), E::text(QStringLiteral(" = W") + dot),
         scaleFraction(gammaSign, sigmaSign, QStringLiteral("ε"))}));
    m_biasFormula->setExpression(E::row(
        {E::strong(QStringLiteral("b′")),
         E::text(QStringLiteral(" = (b − ") + muSign + QStringLiteral(")") + dot),
         scaleFraction(gammaSign, sigmaSign, QStringLiteral("ε")),
         E::text(QStringLiteral(" + ") + betaSign)}));
}

int ExplainPage::stepFor(NodeId node) const
{
    if (!node)
        return 0;
    const Timeline& timeline = *m_state.timeline();
    const Node* record = timeline.unionGraph.lastRecord(node);
    const auto concerns = [&](const Step& step) {
        if (step.rule != "conv-batchnorm" && step.rule != "convtranspose-batchnorm")
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
    if (number == m_step && timeline.generation == m_generation && m_fold)
        return;
    m_step = number;
    m_generation = timeline.generation;
    const Step& step = *timeline.steps[static_cast<std::size_t>(number - 1)];
    m_fold = batchnormFold(*m_state.graphAt(number - 1), *m_state.graphAt(number), step);
    m_headline->setText(tr("BatchNormalization disappears into the %1")
                            .arg(m_fold && m_fold->transposed ? QStringLiteral("ConvTranspose")
                                                              : QStringLiteral("Conv")));
    m_words->setText(tr("In inference γ, β, μ and σ² are constants, so normalizing is one "
                        "multiplication and one addition per output channel. Both can be done to "
                        "the weights beforehand."));
    const bool readable = m_fold.has_value();
    for (QWidget* part : std::initializer_list<QWidget*>{m_channel, m_scaleLine, m_weightLine,
                                                         m_biasLine, m_bars, m_slice, m_tensors,
                                                         m_check})
        part->setVisible(readable);
    if (!readable) {
        m_note->setText(tr("The numbers of this step cannot be read: its constants are missing."));
        return;
    }
    QList<double> scales(m_fold->scale.begin(), m_fold->scale.end());
    m_bars->setValues(scales);
    m_bars->setAccessibleName(tr("Scale of every channel"));
    const QSignalBlocker blocker(m_channel);
    m_channel->setRange(0, m_fold->channels() - 1);
    m_channel->setValue(std::min(m_channel->value(), m_fold->channels() - 1));
    m_of->setText(tr("of %1").arg(m_fold->channels()));
    const double worst = m_fold->largestDifference();
    const double unit = m_fold->newWeight->dtype() == DType::float16 ? 1e-2 : 1e-5;
    m_check->setText(worst <= unit
                         ? tr("✓ Checked: the stored W′ and b′ are the formula's numbers for all "
                              "channels, max |Δ| %1.").arg(text::scientific(worst))
                         : tr("! The stored W′ and b′ differ from the formula by max |Δ| %1.")
                               .arg(text::scientific(worst)));
    m_check->setToken(worst <= unit ? Token::text : Token::removed);
    refreshChannel();
}

void ExplainPage::setChannel(int channel)
{
    if (!m_fold)
        return;
    const QSignalBlocker blocker(m_channel);
    m_channel->setValue(std::clamp(channel, 0, m_fold->channels() - 1));
    refreshChannel();
}

void ExplainPage::refreshChannel()
{
    const BatchnormFold& fold = *m_fold;
    const int channel = m_channel->value();
    const auto c = static_cast<std::size_t>(channel);
    m_bars->setChosen(channel);
    const QString scale = text::value(fold.scale[c], 5);
    m_scaleLine->setExpression(E::row(
        {E::strong(QStringLiteral("s")), E::text(QStringLiteral(" = ")),
         scaleFraction(text::value(fold.g[c], 4), text::value(fold.v[c], 4),
                       text::value(fold.epsilon, 3)),
         E::text(QStringLiteral(" = ")),
         E::fraction(E::text(text::value(fold.g[c], 4)),
                     E::text(text::value(std::sqrt(fold.v[c] + fold.epsilon), 5))),
         E::text(QStringLiteral(" = ")), E::result(scale)}));
    QStringList sizes;
    for (std::size_t i = 1; i < fold.weight->rank(); ++i)
        sizes << QString::number(fold.weight->shape()[i]);
    m_weightLine->setExpression(E::row(
        {E::strong(QStringLiteral("W′")), E::text(QStringLiteral(" = W") + dot), E::result(scale),
         E::text(QStringLiteral(" ")),
         E::text(fold.transposed ? tr("for all weights of channel %1").arg(channel)
                                 : tr("for all %1 weights of channel %2")
                                       .arg(sizes.join(QStringLiteral(" × ")))
                                       .arg(channel))}));
    m_biasLine->setExpression(E::row(
        {E::strong(QStringLiteral("b′")),
         E::text(QStringLiteral(" = (%1 − %2)").arg(text::value(fold.bias[c], 4),
                                                    inside(fold.m[c])) + dot),
         E::result(scale), E::text(QStringLiteral(" + %1 = ").arg(inside(fold.b[c]))),
         E::result(text::value(fold.newBias[c], 4))}));
    const QString type = parts::str(nameOf(fold.newWeight->dtype()));
    m_note->setText(fold.biasBefore
                        ? tr("Computed in float64 and rounded once to %1.").arg(type)
                        : tr("The Conv had no bias, so b = 0. Computed in float64 and rounded once "
                             "to %1.").arg(type));
    KernelSlice::Matrix before, after;
    const auto& shape = fold.weight->shape();
    const std::size_t rank = shape.size();
    before.columns = static_cast<int>(std::min<std::int64_t>(shownKernel, rank > 2 ? shape[rank - 1] : 1));
    before.rows = static_cast<int>(std::min<std::int64_t>(shownKernel, rank > 3 ? shape[rank - 2] : 1));
    const QString place = fold.transposed ? tr("channel %1").arg(channel)
                                          : QStringLiteral("[%1, 0, :, :]").arg(channel);
    before.title = tr("W %1 before").arg(place);
    after = before;
    after.title = tr("W′ %1 after").arg(place);
    const std::int64_t start = fold.kernelStart(channel);
    const std::int64_t width = rank > 2 ? shape[rank - 1] : 1;
    for (int row = 0; row < before.rows; ++row) {
        for (int column = 0; column < before.columns; ++column) {
            const std::int64_t at = start + row * width + column;
            before.values.push_back(fold.weight->asDouble(at));
            after.values.push_back(fold.newWeight->asDouble(at));
        }
    }
    m_slice->setMatrices(before, QStringLiteral("× %1").arg(scale), after);
    refreshTensors();
}

void ExplainPage::refreshTensors()
{
    const BatchnormFold& fold = *m_fold;
    const auto c = static_cast<std::size_t>(m_channel->value());
    const auto before = m_state.graphAt(m_step - 1);
    const auto after = m_state.graphAt(m_step);
    m_model->clear();
    m_model->setHorizontalHeaderLabels({QString(), tr("Tensor"), tr("Shape"),
                                        tr("value at %1").arg(m_channel->value()),
                                        tr("At step %1").arg(m_step)});
    const auto add = [&](const QString& sign, ValueId id, std::optional<double> value) {
        if (!id)
            return;
        const bool was = before->value(id) != nullptr;
        const bool is = after->value(id) != nullptr;
        const Graph& graph = was ? *before : *after;
        const Value* record = graph.value(id);
        if (!record)
            return;
        QStandardItem* symbol = parts::item(sign);
        symbol->setData(true, EmphasisRole);
        QStandardItem* name = parts::item(parts::str(displayName(&graph, id)));
        name->setData(true, MonoRole);
        QStandardItem* shape = parts::item(parts::shapeText(record->type));
        shape->setData(true, MonoRole);
        QStandardItem* number = parts::number(value ? text::value(*value, 4) : QString());
        QStandardItem* fate = parts::item();
        const Pill pill = was && !is   ? Pill{tr("removed"), Tone::removed, Mark::removed, false}
                          : !was && is ? Pill{tr("added"), Tone::added, Mark::added, false}
                                       : Pill{tr("kept"), Tone::neutral, Mark::none, false};
        fate->setData(QVariant::fromValue(QList<Pill>{pill}), ChipsRole);
        fate->setData(pill.text, Qt::AccessibleTextRole);
        m_model->appendRow({symbol, name, shape, number, fate});
    };
    add(gammaSign, fold.gamma, fold.g[c]);
    add(betaSign, fold.beta, fold.b[c]);
    add(muSign, fold.mean, fold.m[c]);
    add(sigmaSign, fold.variance, fold.v[c]);
    add(QStringLiteral("W"), fold.weightBefore, std::nullopt);
    if (fold.weightAfter != fold.weightBefore)
        add(QStringLiteral("W′"), fold.weightAfter, std::nullopt);
    add(QStringLiteral("b"), fold.biasBefore, fold.bias[c]);
    if (fold.biasAfter != fold.biasBefore)
        add(QStringLiteral("b′"), fold.biasAfter, fold.newBias[c]);
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

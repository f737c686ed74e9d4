#include "ui/panels/inspector_tensors_page.h"

#include "report/render.h"
#include "ui/app_state.h"
#include "ui/panels/panel_parts.h"
#include "ui/panels/value_text.h"
#include "ui/text.h"
#include "ui/widgets/histogram.h"
#include "ui/widgets/key_values.h"
#include "ui/widgets/section.h"

#include <QVBoxLayout>

namespace fusescope {

using parts::str;

namespace {

constexpr std::size_t mostTensors = 12;

TensorPtr contents(const Graph& graph, ValueId id)
{
    const Value* value = graph.value(id);
    if (value && value->constant)
        return value->constant;
    return value ? graph.constant(id) : nullptr;
}

} // namespace

TensorsPage::TensorsPage(AppState& state, QWidget* parent)
    : QWidget(parent), m_state(state), m_layout(new QVBoxLayout(this))
{
    m_layout->setContentsMargins(0, space::glyph, 0, space::glyph);
    m_layout->setSpacing(0);
}

std::vector<TensorsPage::Shown> TensorsPage::collect(NodeId id, ValueId value) const
{
    std::vector<Shown> shown;
    const auto graph = m_state.graphOf(id);
    const auto add = [&](ValueId which, const QString& role) {
        const TensorPtr tensor = which ? contents(*graph, which) : nullptr;
        if (tensor && shown.size() < mostTensors)
            shown.push_back({role, str(displayName(graph.get(), which)), tensor});
    };
    if (value)
        add(value, {});
    if (const Node* node = id ? graph->node(id) : nullptr) {
        const OpSchema* schema = node->region ? nullptr : graph->schema(*node);
        for (std::size_t i = 0; i < node->inputs.size(); ++i) {
            const FormalParameter* formal = schema ? schema->input(i) : nullptr;
            if (node->inputs[i] != value)
                add(node->inputs[i], formal ? str(formal->name) : QString());
        }
        if (const TensorPtr own = constantOf(*node))
            shown.push_back({tr("value"), {}, own});
    }
    return shown;
}

bool TensorsPage::hasContent(NodeId node, ValueId value) const
{
    return !collect(node, value).empty();
}

void TensorsPage::show(NodeId node, ValueId value)
{
    const std::vector<Shown> shown = collect(node, value);
    using Figures = std::vector<std::optional<TensorFigures>>;
    fill(shown, Figures(shown.size()));
    if (shown.empty())
        return;
    m_state.jobs().start<Figures>(
        JobKind::tensors, {},
        [shown](std::stop_token stop, const Progress&) -> Result<Figures> {
            Figures figures;
            for (const Shown& one : shown) {
                figures.push_back(tensorFigures(*one.tensor, stop));
                if (stop.stop_requested())
                    return cancelled();
            }
            return figures;
        },
        [this, shown](Result<Figures> figures) {
            if (figures)
                fill(shown, *figures);
        },
        true);
}

void TensorsPage::fill(const std::vector<Shown>& shown,
                       const std::vector<std::optional<TensorFigures>>& figures)
{
    parts::clear(m_layout);
    for (std::size_t i = 0; i < shown.size(); ++i) {
        const Shown& one = shown[i];
        const Tensor& tensor = *one.tensor;
        auto* section = new Section(one.role.isEmpty() ? one.name : one.role, this);
        section->setTitle(one.role.isEmpty() ? one.name : one.role,
                          one.role.isEmpty() ? QString() : one.name);
        auto* content = new QWidget(section);
        auto* layout = new QVBoxLayout(content);
        layout->setContentsMargins(0, 0, 0, 0);
        QList<KeyValue> rows{
            {tr("type"), str(Type::tensor(tensor.dtype(), Shape::ofSizes(tensor.shape())).text()),
             {}, text::bytes(static_cast<quint64>(tensor.byteSize()))}};
        if (!tensor.isAvailable())
            rows.push_back({tr("missing"), m_state.sentence(tensor.whyUnavailable(), nullptr), {},
                            {}, {}, Category::count, false, false});
        else if (tensor.isSplat())
            rows.push_back({tr("stored"), tr("one element for all")});
        if (const auto& found = figures[i]) {
            rows.push_back({tr("least, most"), QStringLiteral("%1, %2").arg(
                                                   text::value(found->least, 5),
                                                   text::value(found->most, 5))});
            rows.push_back({tr("mean ± deviation"), QStringLiteral("%1 ± %2").arg(
                                                        text::value(found->mean, 5),
                                                        text::value(found->deviation, 5))});
            rows.push_back({tr("zeros"), text::count(found->zeros)});
            if (found->nan > 0 || found->inf > 0)
                rows.push_back({tr("NaN, Inf"), QStringLiteral("%1, %2").arg(
                                                    text::count(found->nan),
                                                    text::count(found->inf))});
        }
        if (tensor.isAvailable())
            rows.push_back({tr("first"), elementsText(tensor, 16)});
        auto* values = new KeyValues(content);
        values->setRows(rows);
        layout->addWidget(values);
        if (figures[i] && !figures[i]->bins.empty() && tensor.elementCount() > 1) {
            auto* histogram = new Histogram(content);
            QList<qint64> bins;
            for (const std::int64_t count : figures[i]->bins)
                bins.push_back(count);
            histogram->setCounts(bins, figures[i]->least, figures[i]->most);
            histogram->setAccessibleName(tr("Histogram of %1").arg(one.name));
            layout->addWidget(histogram);
        }
        section->setContent(content);
        m_layout->addWidget(section);
        m_layout->addWidget(new Rule(this));
    }
    m_layout->addStretch(1);
}

} // namespace fusescope

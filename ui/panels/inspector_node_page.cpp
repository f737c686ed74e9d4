#include "ui/panels/inspector_node_page.h"

#include "model/schema.h"
#include "report/render.h"
#include "session/card.h"
#include "ui/app_state.h"
#include "ui/names.h"
#include "ui/panels/cause_found.h"
#include "ui/panels/inspector_what_if.h"
#include "ui/panels/operator_texts.h"
#include "ui/panels/panel_parts.h"
#include "ui/panels/step_formula.h"
#include "ui/panels/step_notes.h"
#include "ui/panels/value_text.h"
#include "ui/panels/why_parts.h"
#include "ui/text.h"
#include "ui/verdict.h"
#include "ui/widgets/compare_bars.h"
#include "ui/widgets/key_values.h"
#include "ui/widgets/section.h"

#include <algorithm>

#include <QVBoxLayout>

namespace fusescope {

using parts::str;

namespace {

constexpr std::size_t shownReaders = 12;
constexpr std::size_t shownPorts = 64;

// "X", "W"; the index where the schema says nothing.
QString portName(const OpSchema* schema, std::size_t index, bool input)
{
    const FormalParameter* formal =
        !schema ? nullptr : input ? schema->input(index) : schema->output(index);
    return formal ? str(formal->name) : QString::number(index);
}

} // namespace

NodePage::NodePage(AppState& state, QWidget* parent)
    : QWidget(parent), m_state(state), m_layout(new QVBoxLayout(this))
{
    m_layout->setContentsMargins(0, space::glyph, 0, space::glyph);
    m_layout->setSpacing(0);
}

Section* NodePage::addRows(const QString& title, const QString& note, const QList<KeyValue>& rows)
{
    auto* section = new Section(title, this);
    section->setTitle(title, note);
    auto* values = new KeyValues(section);
    values->setRows(rows);
    section->setContent(values);
    connect(values, &KeyValues::linkActivated, this, &NodePage::follow);
    m_layout->addWidget(section);
    m_layout->addWidget(new Rule(this));
    return section;
}

void NodePage::follow(const QString& link)
{
    if (link.startsWith(QStringLiteral("edit-")) && followWhatIf(m_state, m_node, link, this))
        return;
    if (link.startsWith(QStringLiteral("formula:"))) {
        Q_EMIT formulaRequested(NodeId{link.mid(8).toUInt()});
        return;
    }
    if (link.startsWith(QStringLiteral("original:"))) {
        m_state.goToOriginal(NodeId{link.mid(9).toUInt()});
        return;
    }
    parts::follow(m_state, link);
}

void NodePage::show(NodeId id)
{
    m_node = id;
    parts::clear(m_layout);
    const auto graph = m_state.graphOf(id);
    const Node* node = id ? graph->node(id) : nullptr;
    if (id && !node)
        node = m_state.timeline()->unionGraph.lastRecord(id);
    if (!node) {
        showModel();
        m_layout->addStretch(1);
        return;
    }
    addCause(id);
    addNotes(id);
    if (const QList<KeyValue> rows = whatIfRows(m_state, id); !rows.isEmpty())
        addRows(tr("What if"), tr("the scratch copy alone changes"), rows);
    if (node->region)
        addBody(id);
    addKernel(id, *node);
    addAttributes(*graph, *node);
    addPorts(*graph, *node);
    addOperator(*graph, *node);
    if (!node->metadata.empty()) {
        QList<KeyValue> rows;
        for (const auto& [key, value] : node->metadata)
            rows.push_back({str(key), str(value)});
        addRows(tr("Metadata"), {}, rows);
    }
    m_layout->addStretch(1);
}

void NodePage::addCause(NodeId id)
{
    const AppState::CompareResult* result = currentComparison(m_state);
    const DivergenceCause* cause = result ? causeOf(*result) : nullptr;
    if (!cause || cause->node != id)
        return;
    auto* section = new Section(tr("Cause found"), this);
    section->setPill({tr("diverges"), Tone::removed, Mark::none, false});
    section->setContent(new CauseFound(m_state, *result, section));
    m_layout->addWidget(section);
    m_layout->addWidget(new Rule(this));
}

void NodePage::addNotes(NodeId id)
{
    const QStringList notes = notesOfNode(m_state, id);
    if (notes.isEmpty())
        return;
    auto* section = new Section(tr("Notes"), this);
    auto* lines = new QWidget(section);
    auto* layout = new QVBoxLayout(lines);
    layout->setContentsMargins(0, 0, 0, space::cell);
    layout->setSpacing(space::cell);
    for (const QString& note : notes)
        layout->addWidget(paddedLabel(note, Token::text, lines));
    section->setContent(lines);
    m_layout->addWidget(section);
    m_layout->addWidget(new Rule(this));
}

void NodePage::addBody(NodeId id)
{
    QList<KeyValue> rows;
    for (const NodeId origin : parts::standsFor(m_state, id)) {
        KeyValue row;
        row.key = parts::operatorName(m_state, origin);
        row.value = names::besideOperator(m_state, origin);
        row.link = QStringLiteral("original:%1").arg(origin.value);
        row.category = parts::categoryOf(m_state, origin);
        const int gone = row.key == QStringLiteral("BatchNormalization")
                             ? parts::stepThatRemoved(m_state, origin)
                             : 0;
        if (gone > 0
            && hasFormula(*m_state.timeline()->steps[static_cast<std::size_t>(gone - 1)])) {
            row.aside = tr("formula");
            row.asideLink = QStringLiteral("formula:%1").arg(origin.value);
        }
        rows.push_back(row);
    }
    addRows(tr("Body"),
            tr("stands for %n operator(s) of the file", nullptr, static_cast<int>(rows.size())),
            rows);
}

void NodePage::addKernel(NodeId id, const Node& node)
{
    const auto& profile = m_state.profileResult();
    if (!profile)
        return;
    const NodeProfile* fused = nullptr;
    double before = 0;
    int parts = 0;
    for (const PlanProfile& plan : profile->report.plans) {
        const bool isFused = plan.name == "fused";
        for (const NodeProfile& one : plan.nodes) {
            if (isFused && one.node == id)
                fused = &one;
            const auto& origins = node.origins;
            const bool original = one.node == id
                || std::find(origins.begin(), origins.end(), one.node) != origins.end();
            if (!isFused && original) {
                before += one.medianMs;
                ++parts;
            }
        }
    }
    if (!fused)
        return;
    QList<KeyValue> rows{{tr("chosen"), str(fused->kernel)}};
    if (!fused->layout.empty())
        rows.push_back({tr("layout"), str(fused->layout)});
    if (fused->whyNotFaster)
        rows.push_back({tr("not faster because"),
                        m_state.sentence(fused->whyNotFaster, m_state.graphOf(id).get()),
                        {}, {}, {}, Category::count, false, false});
    Section* section = addRows(tr("Kernel"), {}, rows);
    if (parts > 0 && fused->medianMs > 0) {
        section->setPill({text::ratio(before / fused->medianMs), Tone::added, Mark::none, false});
        auto* bars = new CompareBars(this);
        bars->setContentsMargins(space::section, 0, space::section, space::cell);
        bars->setBars({{tr("%n node(s)", nullptr, parts), before, text::milliseconds(before),
                        Token::edge},
                       {tr("here"), fused->medianMs, text::milliseconds(fused->medianMs),
                        Token::accent}});
        m_layout->insertWidget(m_layout->count() - 1, bars);
    }
}

void NodePage::addAttributes(const Graph& graph, const Node& node)
{
    const Node* described = &node;
    if (node.region) {
        if (const NodeId main = node.region->nodeOf(Role::main); graph.node(main))
            described = graph.node(main);
        else
            return;
    }
    const OpSchema* schema = graph.schema(*described);
    QList<KeyValue> rows;
    for (const Attribute& attribute : described->attributes) {
        KeyValue row{str(attribute.name), valueText(attribute, graph)};
        if (schema) {
            const SchemaAttribute* formal = schema->findAttribute(attribute.name);
            if (!formal)
                row.aside = tr("not in the standard");
            else if (formal->hasDefault())
                row.aside = tr("default %1").arg(valueText(formal->defaultValue));
        }
        rows.push_back(row);
    }
    if (schema) {
        for (const SchemaAttribute& formal : schema->attributes) {
            if (described->attributes.has(formal.name) || !formal.hasDefault())
                continue;
            rows.push_back({str(formal.name), valueText(formal.defaultValue), {}, tr("default")});
        }
    }
    if (!rows.isEmpty())
        addRows(tr("Attributes"), node.region ? str(described->op.type) : QString(), rows);
}

namespace {

// How the operator that a group of them computes calls what `reader` inside reads; empty where it is
// no such group.
QString wholeName(const Graph& graph, const Node& fused, const Node& reader, std::size_t index)
{
    const std::string& kind = fused.region->kind;
    const bool normalization = kind.find("normalization") != kind.npos;
    const bool activation = kind == "gelu" || kind == "quick-gelu" || kind == "silu"
                            || kind == "hard-swish" || kind == "mish";
    if (!normalization && !activation)
        return {};
    const Body* body = graph.body(fused.bodies.front());
    const auto port = std::ranges::find(body->inputs, reader.input(index));
    const ValueId outer = port == body->inputs.end()
                              ? ValueId{}
                              : fused.input(static_cast<std::size_t>(port - body->inputs.begin()));
    const Value* value = outer ? graph.value(outer) : nullptr;
    if (!value)
        return {};
    if (!value->isInitializer() && !graph.constant(outer))
        return kind == "skip-layer-normalization" ? QString() : QStringLiteral("X");
    if (activation)
        return {};
    const auto dims = value->type.isTensor() ? value->type.shape.staticDims() : std::nullopt;
    const bool scalar = dims && elementCountOf(*dims).value_or(0) == 1;
    if (reader.op.type == "Pow")
        return QStringLiteral("exponent");
    if (reader.op.type == "Mul")
        return QStringLiteral("Scale");
    if (reader.op.type == "Add")
        return scalar ? QStringLiteral("epsilon") : QStringLiteral("B");
    return {};
}

} // namespace

void NodePage::addPorts(const Graph& graph, const Node& node)
{
    const OpSchema* schema = node.region ? nullptr : graph.schema(node);
    // A fused node's inputs are called as the operator inside calls them that reads them first.
    const Body* body = node.region && !node.bodies.empty() ? graph.body(node.bodies.front()) : nullptr;
    const auto inputName = [&](std::size_t i) {
        const ValueId inner = body && i < body->inputs.size() ? body->inputs[i] : ValueId{};
        if (inner && !graph.uses(inner).empty()) {
            const Use& use = graph.uses(inner).front();
            const Node* reader = use.isBodyOutput() ? nullptr : graph.node(use.node);
            if (reader && use.node == node.region->nodeOf(Role::main))
                return portName(graph.schema(*reader), use.index, true);
            if (const QString name = reader ? wholeName(graph, node, *reader, use.index) : QString();
                !name.isEmpty())
                return name;
            if (reader)
                return str(reader->op.type);
        }
        return portName(schema, i, true);
    };
    QList<KeyValue> rows;
    for (std::size_t i = 0; i < node.inputs.size() && i < shownPorts; ++i) {
        const ValueId id = node.inputs[i];
        KeyValue row;
        row.key = inputName(i);
        row.strongKey = true;
        if (!id) {
            row.value = tr("absent");
            row.mono = false;
            rows.push_back(row);
            continue;
        }
        const NodeId producer = graph.producer(id);
        row.value = str(displayName(&graph, id));
        row.link = producer ? parts::linkOf(producer) : parts::linkOf(id);
        if (const Value* value = graph.value(id))
            row.aside = parts::shapeText(value->type);
        rows.push_back(row);
    }
    for (std::size_t i = 0; i < node.outputs.size() && i < shownPorts; ++i) {
        const ValueId id = node.outputs[i];
        if (!id)
            continue;
        KeyValue row;
        row.key = body && node.outputs.size() == 1 ? QStringLiteral("Y") : portName(schema, i, false);
        row.strongKey = true;
        row.value = str(displayName(&graph, id));
        row.link = parts::linkOf(id);
        if (const Value* value = graph.value(id))
            row.aside = parts::shapeText(value->type);
        rows.push_back(row);
        const auto uses = graph.uses(id);
        for (std::size_t u = 0; u < uses.size() && u < shownReaders; ++u) {
            const Use& use = uses[u];
            if (use.isBodyOutput())
                rows.push_back({QString(), tr("output of the graph"), {}, {}, {},
                                Category::count, false, false});
            else
                rows.push_back({QString(), names::besideOperator(m_state, use.node),
                                parts::linkOf(use.node), parts::operatorName(m_state, use.node)});
            if (u == 0)
                rows.back().key = tr("%n reader(s)", nullptr, static_cast<int>(uses.size()));
        }
        if (uses.empty())
            rows.push_back({tr("no reader"), QString()});
        else if (uses.size() > shownReaders)
            rows.push_back({QString(), tr("and %1 more").arg(uses.size() - shownReaders), {}, {},
                            {}, Category::count, false, false});
    }
    addRows(tr("Inputs and outputs"), {}, rows);
}

void NodePage::addOperator(const Graph& graph, const Node& node)
{
    QList<KeyValue> rows;
    const OpSchema* schema = graph.schema(node);
    rows.push_back({tr("operator"), str(node.op.type)});
    rows.push_back({tr("domain"), node.op.domain.empty() ? QStringLiteral("ai.onnx")
                                                         : str(node.op.domain)});
    if (!node.op.overload.empty())
        rows.push_back({tr("overload"), str(node.op.overload)});
    if (schema)
        rows.push_back({tr("since version"), QString::number(schema->sinceVersion)});
    if (node.region)
        rows.push_back({tr("made by"), str(node.region->kind)});
    addRows(tr("Operator"), {}, rows);
    QString description = schema ? operatorText(*schema) : QString();
    if (!node.docString.empty())
        description += (description.isEmpty() ? QString() : QStringLiteral("\n"))
                       + str(node.docString).left(2000);
    if (!description.isEmpty()) {
        auto* label = new PlainLabel(description, Token::text2, TextScale::normal, false, this);
        label->setContentsMargins(space::section, space::glyph, space::section, space::glyph);
        m_layout->addWidget(label);
    }
}

void NodePage::showModel()
{
    if (!m_state.hasModel())
        return;
    const ModelInfo& info = m_state.session()->info();
    QList<KeyValue> rows{{tr("size"), text::bytes(static_cast<quint64>(info.fileBytes))},
                         {tr("IR version"), QString::number(info.irVersion)}};
    for (const auto& [domain, version] : info.opsets)
        rows.push_back({tr("opset"), QString::number(version), {},
                        domain.empty() ? QStringLiteral("ai.onnx") : str(domain)});
    if (!info.producer.empty())
        rows.push_back({tr("producer"), str(info.producer + " " + info.producerVersion)});
    const auto& counts = m_state.timeline()->nodeCounts;
    if (!counts.empty())
        rows.push_back({tr("nodes in the file"), text::count(static_cast<qint64>(counts.front()))});
    const auto b = static_cast<std::size_t>(m_state.b());
    if (b > 0 && b < counts.size())
        rows.push_back({tr("nodes at step %1").arg(m_state.b()),
                        text::count(static_cast<qint64>(counts[b]))});
    if (!info.functions.empty())
        rows.push_back({tr("functions"), QString::number(info.functions.size())});
    addRows(tr("Model"), {}, rows);
    // Weights that old files list among the inputs stand apart, and only the first of them.
    const auto ports = [this](const QString& title, const std::vector<ModelPort>& list, bool defaults) {
        QList<KeyValue> lines;
        int count = 0;
        for (const ModelPort& port : list) {
            if (port.hasDefault != defaults || ++count > static_cast<int>(shownPorts))
                continue;
            lines.push_back({str(port.name), str(port.type)});
        }
        if (count > lines.size())
            lines.push_back({QString(), tr("and %1 more").arg(count - lines.size()), {}, {}, {},
                             Category::count, false, false});
        if (!lines.isEmpty())
            addRows(title, text::count(count), lines);
    };
    ports(tr("Inputs"), info.inputs, false);
    ports(tr("Outputs"), info.outputs, false);
    ports(tr("Inputs with a default"), info.inputs, true);
    QList<KeyValue> metadata;
    for (const auto& [key, value] : info.metadata)
        metadata.push_back({str(key), str(value).left(500)});
    if (!metadata.isEmpty())
        addRows(tr("Metadata"), {}, metadata);
}

} // namespace fusescope

#include "fuzz/node_case.h"

#include "fuzz/random_values.h"
#include "model/graph_maker.h"
#include "model/graph_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <numeric>

namespace fusescope::test {

namespace {

constexpr unsigned wildness[] = {0, 0, 0, 5, 5, 12, 35};

class CaseMaker
{
public:
    CaseMaker(const OpSchema& schema, std::uint64_t seed)
        : m_schema(schema), m_dice(seed * 1000003 + schema.name.size()),
          m_values(m_dice, m_dice.pick(wildness))
    {
        // Letters of the hints.
        for (char c = 'A'; c <= 'Z'; ++c)
            m_sizes[c - 'A'] = m_dice.chance(4) ? 0 : m_dice.between(1, 4);
        m_sizes['L' - 'A'] = m_dice.between(0, 3);
        m_sizes['G' - 'A'] = m_dice.between(1, 2);
        const std::uint64_t spatial = m_dice.below(10) < 6 ? 2 : m_dice.below(4);
        for (std::uint64_t i = 0; i < spatial; ++i) {
            m_spatial.push_back(m_dice.chance(4) ? 0 : m_dice.between(1, 5));
            m_kernel.push_back(m_dice.between(1, 3));
        }
        m_base = m_values.shape();
        m_listLength = m_dice.below(5);
        m_hint = shapeHint(schema.name, m_dice.below(1000));
    }

    std::optional<NodeCase> make()
    {
        ModelSource source;
        source.header.irVersion = 10;
        source.header.opsets = {{"", m_schema.domain.empty() ? m_schema.sinceVersion : 17}};
        if (!m_schema.domain.empty())
            source.header.opsets.emplace_back(m_schema.domain, m_schema.sinceVersion);
        source.main.body.kind = Body::Kind::main;
        source.main.body.name = "g";
        m_main = &source.main;

        NodeSource node;
        node.node.op = {std::string(m_schema.domain), std::string(m_schema.name), {}};
        node.node.name = "n";
        makeInputs(node);
        makeOutputs(node);
        makeAttributes(node);
        for (const std::string& output : node.outputs) {
            if (!output.empty())
                source.main.outputs.push_back({output, Type(), {}});
        }
        source.main.nodes.push_back(std::move(node));
        auto made = makeGraph(std::move(source));
        if (!made)
            return std::nullopt;
        return NodeCase{std::move(made->graph), std::move(m_inputs), m_values.isTame(),
                        !m_values.tookSpecial()};
    }

private:
    std::size_t rank() const { return m_first ? m_first->size() : 2; }

    std::vector<std::int64_t> broadcastOf(std::vector<std::int64_t> shape)
    {
        for (std::int64_t& size : shape) {
            if (m_dice.chance(30))
                size = 1;
        }
        if (!shape.empty() && m_dice.chance(30))
            shape.erase(shape.begin(),
                        shape.begin() + static_cast<std::ptrdiff_t>(m_dice.below(shape.size() + 1)));
        return shape;
    }

    std::vector<std::int64_t> hinted(std::string_view text)
    {
        std::vector<std::int64_t> shape;
        std::int64_t factor = 0;
        for (const char c : text) {
            if (std::isdigit(static_cast<unsigned char>(c))) {
                factor = factor * 10 + (c - '0');
                continue;
            }
            if (c == ' ') {
                if (factor > 0)
                    shape.push_back(factor);
            } else if (c == '*') {
                shape.insert(shape.end(), m_spatial.begin(), m_spatial.end());
            } else if (c == 'k') {
                shape.insert(shape.end(), m_kernel.begin(), m_kernel.end());
            } else if (c == '^') {
                const auto& base = m_first ? *m_first : m_base;
                shape.insert(shape.end(), base.begin(), base.end());
            } else if (c == 'r') {
                shape.push_back(static_cast<std::int64_t>(rank()) * std::max<std::int64_t>(factor, 1));
            } else {
                shape.push_back(m_sizes[c - 'A'] * std::max<std::int64_t>(factor, 1));
            }
            factor = 0;
        }
        if (factor > 0)
            shape.push_back(factor);
        return shape;
    }

    std::vector<std::int64_t> shapeOf(std::size_t index, const FormalParameter& formal)
    {
        if (m_values.odd())
            return m_values.shape();
        std::string_view hint = m_hint;
        for (std::size_t i = 0; i < index && hint.find('|') != std::string_view::npos; ++i)
            hint.remove_prefix(hint.find('|') + 1);
        hint = hint.substr(0, hint.find('|'));
        if (hint == "?" && !(index > 0 && shapeHintByName(formal.name, hint))) {
            const std::uint64_t way = index == 0 ? 0 : m_dice.below(20);
            if (way < 11)
                return m_base;
            if (way < 17)
                return broadcastOf(m_base);
            return way < 18 ? std::vector<std::int64_t>{} : m_values.shape();
        }
        return hinted(hint);
    }

    std::string_view typeOf(const FormalParameter& formal)
    {
        if (formal.types.empty())
            return "tensor(float)";
        if (m_values.odd()) {
            static constexpr std::string_view others[] = {
                "tensor(float)", "tensor(string)", "tensor(bool)", "tensor(complex64)",
                "tensor(int4)", "tensor(float8e4m3fn)", "seq(tensor(float))", "tensor(int2)",
                "optional(tensor(float))", "map(int64,float)", "tensor(uint64)",
                "tensor(float6e2m3)", "tensor(float4e2m1)", "tensor(float8e8m0)",
                "tensor(complex128)", "optional(seq(tensor(int64)))", "seq(map(string,float))"};
            return m_dice.pick(others);
        }
        for (const auto& [name, type] : m_types) {
            if (name == formal.typeName && formal.homogeneous)
                return type;
        }
        // Of many types the plain ones more often: all operators take those.
        std::string_view type = m_dice.pick(formal.types);
        for (const std::string_view usual : {"tensor(float)", "tensor(int64)"}) {
            if (m_dice.chance(30) && std::ranges::find(formal.types, usual) != formal.types.end())
                type = usual;
        }
        m_types.emplace_back(formal.typeName, type);
        return type;
    }

    std::string addValue(std::size_t index, const FormalParameter& formal)
    {
        const std::string name = fmt::format("x{}", index + 1);
        const std::string_view type = typeOf(formal);
        if (!type.starts_with("tensor(")) {
            m_main->inputs.push_back({name, typeOfText(type), {}});
            m_inputs[name] = m_values.value(type);
            return name;
        }
        const DType dtype = typeOfText(type).dtype;
        std::vector<std::int64_t> shape = shapeOf(index, formal);
        std::int64_t count = 1;
        for (std::int64_t& size : shape) {
            if (count * size > 20000)
                size = 1;
            count *= std::max<std::int64_t>(size, 1);
        }
        if (!m_first)
            m_first = shape;
        const IntegerRole role = integerRole(formal.name);
        m_main->initializers.push_back(
            {name, m_values.tensor(dtype, std::move(shape), role, rank()), nullptr, {}});
        return name;
    }

    void makeInputs(NodeSource& node)
    {
        std::size_t count = static_cast<std::size_t>(m_schema.minInputs);
        if (m_schema.maxInputs > m_schema.minInputs) {
            const auto more = static_cast<std::uint64_t>(m_schema.maxInputs - m_schema.minInputs);
            count += m_dice.below(std::min<std::uint64_t>(more, 5) + 1);
        }
        if (m_values.odd())
            count = m_dice.below(count + 3);
        for (std::size_t i = 0; i < count; ++i) {
            const FormalParameter* formal = m_schema.input(i);
            static constexpr FormalParameter beyond{"beyond", "T", ParamOption::single, true, 1, {}};
            const bool absent = formal && formal->option == ParamOption::optional
                                    ? m_dice.chance(15)
                                    : m_values.odd() && m_dice.chance(30);
            if (absent)
                node.inputs.emplace_back();
            else if (!node.inputs.empty() && !node.inputs[0].empty() && m_values.odd())
                node.inputs.push_back(node.inputs[0]);
            else
                node.inputs.push_back(addValue(i, formal ? *formal : beyond));
        }
    }

    void makeOutputs(NodeSource& node)
    {
        std::size_t count = static_cast<std::size_t>(m_schema.minOutputs);
        const auto more = static_cast<std::uint64_t>(m_schema.maxOutputs - m_schema.minOutputs);
        if (more > 0)
            count += m_dice.below(std::min<std::uint64_t>(more, 4) + 1);
        if (m_values.odd())
            count = m_dice.below(5);
        for (std::size_t i = 0; i < count; ++i)
            node.outputs.push_back(i > 0 && m_dice.chance(8) ? "" : fmt::format("y{}", i + 1));
    }

    std::vector<std::int64_t> integers(const SchemaAttribute& attribute)
    {
        const std::string_view name = attribute.name;
        const IntegerRole role = integerRole(name);
        const std::size_t spatial = m_spatial.size();
        std::vector<std::int64_t> list;
        if (name == "kernel_shape" && !m_values.odd())
            return m_kernel;
        if (name == "perm" && !m_values.odd()) {
            list.resize(rank());
            std::iota(list.begin(), list.end(), 0);
            for (std::size_t i = list.size(); i > 1; --i)
                std::swap(list[i - 1], list[m_dice.below(i)]);
            return list;
        }
        std::size_t length = m_schema.domain.empty() ? m_dice.below(5) : m_listLength;
        if (name == "strides" || name == "dilations" || name == "output_padding" ||
            name == "output_shape")
            length = spatial;
        else if (name == "pads")
            length = 2 * (m_spatial.empty() || m_schema.name == "Pad" ? rank() : spatial);
        else if (name == "pooled_shape")
            length = 2;
        else if (name == "axes" && !m_values.odd())
            length = m_dice.below(rank() + 1);
        if (m_values.odd())
            length = m_dice.below(9);
        const std::int64_t start = m_dice.between(0, 3);
        for (std::size_t i = 0; i < length; ++i) {
            const bool distinct = role == IntegerRole::axis && rank() > 0 && !m_values.odd();
            list.push_back(distinct ? (start + static_cast<std::int64_t>(i)) %
                                          static_cast<std::int64_t>(rank())
                                    : m_values.integer(role, rank()));
        }
        return list;
    }

    Attribute attribute(const SchemaAttribute& schema, AttributeType type, NodeSource& node)
    {
        const std::string name(schema.name);
        const auto length = [&] {
            return m_schema.domain.empty() && name != "activations" ? m_dice.below(4)
                                                                   : m_listLength;
        };
        switch (type) {
        case AttributeType::floating: return {name, static_cast<float>(m_values.number())};
        case AttributeType::integer: {
            if (name == "hidden_size" && !m_values.odd())
                return {name, m_sizes['H' - 'A']};
            return {name, m_values.integer(integerRole(name), rank())};
        }
        case AttributeType::string: return {name, m_values.text(name)};
        case AttributeType::tensor: {
            std::vector<std::int64_t> shape = m_schema.domain.empty() && m_dice.chance(60)
                                                  ? std::vector<std::int64_t>{1}
                                                  : std::vector<std::int64_t>{
                                                        static_cast<std::int64_t>(m_listLength)};
            return {name, m_values.tensor(m_values.dtype(),
                                          m_values.odd() ? m_values.shape() : std::move(shape))};
        }
        case AttributeType::graph:
            node.bodies.push_back(innerBody(name, node));
            return {name, BodyId{static_cast<std::uint32_t>(node.bodies.size())}};
        case AttributeType::floats: {
            std::vector<float> list(length());
            for (float& number : list)
                number = static_cast<float>(m_values.number());
            return {name, std::move(list)};
        }
        case AttributeType::integers: return {name, integers(schema)};
        case AttributeType::strings: {
            std::vector<std::string> list(length());
            for (std::string& text : list)
                text = m_values.text(name);
            return {name, std::move(list)};
        }
        case AttributeType::typeProto: {
            Attribute made;
            made.name = name;
            made.type = type;
            static constexpr std::string_view types[] = {"tensor(float)", "seq(tensor(float))",
                                                         "optional(tensor(int64))"};
            made.value = typeOfText(m_dice.pick(types));
            return made;
        }
        case AttributeType::sparseTensor: {
            Attribute made;
            made.name = name;
            made.type = type;
            auto sparse = std::make_shared<SparseTensor>();
            const auto count = static_cast<std::int64_t>(m_dice.below(3));
            sparse->shape = m_values.shape(3);
            sparse->values = m_values.tensor(m_values.dtype(), {count});
            const auto axes = static_cast<std::int64_t>(sparse->shape.size());
            sparse->indices = m_values.tensor(
                DType::int64, m_dice.chance(50) ? std::vector<std::int64_t>{count}
                                                : std::vector<std::int64_t>{count, axes});
            made.value = SparseTensorPtr(std::move(sparse));
            return made;
        }
        default: break;
        }
        Attribute made;
        made.name = name;
        made.type = type;
        return made;
    }

    void makeAttributes(NodeSource& node)
    {
        for (const SchemaAttribute& schema : m_schema.attributes) {
            const bool isMl = !m_schema.domain.empty();
            const unsigned given = schema.required ? (m_values.isTame() ? 100 : 97) : isMl ? 60 : 40;
            if (!m_dice.chance(given))
                continue;
            AttributeType type = schema.type;
            if (m_values.odd() && m_dice.chance(40))
                type = static_cast<AttributeType>(m_dice.between(0, 14));
            node.node.attributes.set(attribute(schema, type, node));
        }
        if (m_values.odd() && m_dice.chance(30))
            node.node.attributes.set(Attribute("axis", m_values.integer(IntegerRole::any, 0)));
    }

    // A body with as many inputs and outputs as its node asks for, as a rule.
    BodySource innerBody(const std::string& attributeName, const NodeSource& owner)
    {
        std::size_t inputs = 0;
        std::size_t outputs = owner.outputs.size();
        const std::size_t given = owner.inputs.size();
        if (m_schema.name == "Loop") {
            inputs = std::max<std::size_t>(given, 2);
            outputs += 1;
        } else if (m_schema.name == "Scan") {
            inputs = given - (m_schema.sinceVersion == 8 && given > 0 ? 1 : 0);
        } else if (m_schema.name == "SequenceMap") {
            inputs = std::max<std::size_t>(given, 1);
        } else if (m_schema.name == "FlexAttention") {
            inputs = 1;
            outputs = 1;
        }
        if (m_values.odd())
            inputs = m_dice.below(5);
        if (m_values.odd())
            outputs = m_dice.below(5);
        BodySource body;
        body.body.kind = Body::Kind::inner;
        body.body.name = "b";
        body.body.attributeName = attributeName;
        const std::string prefix = fmt::format("b{}_", ++m_bodies);
        std::vector<std::string> readable;
        for (std::size_t i = 0; i < inputs; ++i) {
            readable.push_back(fmt::format("{}i{}", prefix, i));
            body.inputs.push_back({readable.back(), Type(), {}});
        }
        for (const std::string& outer : owner.inputs) {
            if (!outer.empty() && m_dice.chance(50))
                readable.push_back(outer);
        }
        for (std::size_t i = 0; i < outputs; ++i) {
            NodeSource node;
            const std::string name = fmt::format("{}o{}", prefix, i);
            static constexpr std::string_view unary[] = {"Identity", "Identity", "Neg", "Abs",
                                                         "Shape", "Not"};
            const bool isCondition = m_schema.name == "Loop" && i == 0;
            if (readable.empty() || m_dice.chance(15) || (isCondition && m_dice.chance(60))) {
                node.node.op = {"", "Constant", {}};
                node.node.attributes.set(Attribute(
                    "value", isCondition ? std::make_shared<const Tensor>(
                                               Tensor::scalar(m_dice.chance(70)))
                                         : m_values.tensor(m_values.dtype(), m_values.shape(2))));
            } else {
                const std::size_t back =
                    isCondition && inputs > 1 ? 1 : i < inputs ? i : m_dice.below(readable.size());
                node.node.op = {"", std::string(isCondition ? "Identity" : m_dice.pick(unary)), {}};
                node.inputs.push_back(m_values.odd() ? m_dice.pick(readable) : readable[back]);
            }
            node.outputs = {name};
            body.nodes.push_back(std::move(node));
            body.outputs.push_back({name, Type(), {}});
        }
        return body;
    }

    const OpSchema& m_schema;
    Dice m_dice;
    RandomValues m_values;
    BodySource* m_main = nullptr;
    RunInputs m_inputs;
    std::int64_t m_sizes[26] = {};
    std::vector<std::int64_t> m_spatial, m_kernel, m_base;
    std::optional<std::vector<std::int64_t>> m_first;
    std::vector<std::pair<std::string_view, std::string_view>> m_types;
    std::size_t m_listLength = 0;
    std::string_view m_hint;
    int m_bodies = 0;
};

} // namespace

std::optional<NodeCase> randomNode(const OpSchema& schema, std::uint64_t seed)
{
    return CaseMaker(schema, seed).make();
}

std::string textOf(const NodeCase& nodeCase)
{
    PrintOptions options;
    options.maxElements = -1;
    return printGraph(nodeCase.graph, options);
}

} // namespace fusescope::test

#include "core/ops/op_case.h"

#include "model/element_text.h"
#include "model/graph_text.h"
#include "model/schema.h"
#include "ops/registry.h"
#include "report/render.h"

#include <fmt/format.h>

namespace fusescope::test {

namespace {

std::string header(int opset)
{
    return fmt::format("<ir_version: 10, opset_import: [\"\" : {}, \"ai.onnx.ml\" : 5, "
                       "\"ai.onnx.preview.training\" : 1]>\n",
                       opset);
}

std::string complexText(std::complex<float> value)
{
    return fmt::format("{:.6g}{:+.6g}i", value.real(), value.imag());
}

std::string tensorText(const Tensor& tensor)
{
    std::string text(nameOf(tensor.dtype()));
    text += Shape::ofSizes(tensor.shape()).text() + " {";
    for (std::int64_t i = 0; i < tensor.elementCount(); ++i) {
        if (i > 0)
            text += ", ";
        if (tensor.isString())
            text += tensor.loadString(i);
        else if (isFloatingPoint(tensor.dtype()))
            text += fmt::format("{:.6g}", tensor.asDouble(i));
        else if (tensor.dtype() == DType::complex64)
            text += complexText(tensor.load<std::complex<float>>(i));
        else
            text += integerText(tensor, i);
    }
    return text + "}";
}

} // namespace

std::string textOf(const RuntimeValue& value)
{
    if (const Tensor* tensor = value.tensor())
        return tensorText(*tensor);
    if (const SequenceValue* sequence = value.sequence()) {
        std::string text = "seq(";
        for (const auto& element : sequence->elements)
            text += (text.size() > 4 ? " | " : "") + textOf(*element);
        return text + ")";
    }
    if (const OptionalValue* optional = value.optional())
        return optional->held ? "some " + textOf(*optional->held) : "none";
    if (const MapValue* map = value.map()) {
        return std::visit(
            [](const auto& entries) {
                std::string text = "map(";
                for (const auto& [key, element] : entries)
                    text +=
                        fmt::format("{}{}: {}", text.size() > 4 ? ", " : "", key, textOf(element));
                return text + ")";
            },
            map->entries);
    }
    return "absent";
}

std::string run(std::string_view values, std::string_view node, int opset)
{
    const auto graph =
        parseGraph(header(opset) + fmt::format("g () => () <{}> {{ {} }}", values, node));
    if (!graph)
        return "parse: " + render(graph.error().message, nullptr);
    // The last node is the one to run; those before it only make its inputs.
    std::map<ValueId, RuntimeValue> known;
    std::string text;
    for (const NodeId id : *graph->nodes(graph->header().mainBody)) {
        const Node& n = *graph->node(id);
        const OpSchema* schema = findSchema(n.op.domain, n.op.type,
                                            static_cast<int>(graph->header().opset(n.op.domain)));
        const OpEntry* entry =
            schema ? findOp(n.op.domain, n.op.type, schema->sinceVersion) : nullptr;
        if (!entry || !entry->kernel)
            return "no kernel";
        std::vector<RuntimeValue> inputs;
        for (const ValueId input : n.inputs) {
            const Value* value = graph->value(input);
            const auto made = known.find(input);
            if (made != known.end())
                inputs.push_back(made->second);
            else
                inputs.emplace_back(value && value->constant ? RuntimeValue(value->constant)
                                                             : RuntimeValue());
        }
        KernelContext context(n, id, schema->sinceVersion, inputs, nullptr, 7, {});
        if (const auto result = entry->kernel(context); !result)
            return "! " + render(result.error().message, &*graph);
        text.clear();
        for (std::size_t i = 0; i < n.outputs.size(); ++i) {
            known[n.outputs[i]] = context.outputs()[i];
            text += (i > 0 ? "; " : "") + textOf(context.outputs()[i]);
        }
    }
    return text;
}

std::string infer(std::string_view inputs, std::string_view values, std::string_view nodes,
                  std::string_view name, int opset)
{
    const std::string initializers = values.empty() ? "" : fmt::format("<{}>", values);
    auto graph = parseGraph(header(opset) +
                            fmt::format("g ({}) => () {} {{ {} }}", inputs, initializers, nodes));
    if (!graph)
        return "parse: " + render(graph.error().message, nullptr);
    const auto inferred = inferGraph(*graph);
    if (!inferred)
        return "! " + render(inferred.error().message, nullptr);
    if (!inferred->problems.empty())
        return "! " + render(inferred->problems.front().message, &*graph);
    if (const auto applied = graph->apply(inferred->patch); !applied)
        return "! " + render(applied.error().message, &*graph);
    for (std::uint32_t i = 1; i < graph->valueLimit(); ++i) {
        const Value* value = graph->value(ValueId{i});
        if (!value || value->name != name)
            continue;
        std::string text = value->type.text();
        if (value->data) {
            text += " {";
            for (const Dim& dim : *value->data)
                text += (text.back() == '{' ? "" : ", ") + dim.text();
            text += "}";
        }
        return text;
    }
    return "no such value";
}

} // namespace fusescope::test

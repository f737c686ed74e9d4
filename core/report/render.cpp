#include "report/render.h"

#include "report/node_names.h"
#include "report/texts.h"

#include <fmt/format.h>

namespace fusescope {

namespace {

std::string textOf(const MessageArg& arg, const Graph* graph)
{
    struct Writer
    {
        const Graph* graph;
        std::string operator()(std::int64_t v) const { return fmt::format("{}", v); }
        std::string operator()(double v) const { return fmt::format("{:.6g}", v); }
        std::string operator()(const std::string& v) const { return v; }
        std::string operator()(NodeId v) const { return displayName(graph, v); }
        std::string operator()(ValueId v) const { return displayName(graph, v); }
    };
    return std::visit(Writer{graph}, arg);
}

} // namespace

Message tagOf(const Message& headline)
{
    Message tag = headline;
    if (const TextRow* row = findText("tag." + std::string(headline.text.key)))
        tag.text.key = row->key;
    return tag;
}

std::string displayName(const Graph* graph, NodeId id)
{
    const Node* node = graph ? graph->node(id) : nullptr;
    if (!node)
        return fmt::format("#{}", id.value);
    if (!node->name.empty())
        return node->name;
    return namelessTitle(*graph, *node, id);
}

std::string displayName(const Graph* graph, ValueId id)
{
    const Value* value = graph ? graph->value(id) : nullptr;
    if (!value)
        return fmt::format("%{}", id.value);
    if (!value->name.empty())
        return value->name;
    const NodeId producer = graph->producer(id);
    return producer ? displayName(graph, producer) : fmt::format("%{}", id.value);
}

std::string render(const Message& message, const Graph* graph, const Translate& translate,
                   NameMarks marks)
{
    if (!message)
        return {};
    std::string pattern;
    if (const TextRow* row = findText(message.text.key)) {
        bool plural = false;
        for (const auto& [name, arg] : message.args) {
            const auto* count = std::get_if<std::int64_t>(&arg);
            plural = plural || (name == "count" && count && *count != 1);
        }
        const bool useOther = plural && row->other;
        const char* context = useOther ? row->otherContext : row->context;
        const char* text = useOther ? row->other : row->one;
        pattern = translate ? translate(context, text) : text;
    } else {
        pattern = message.text.key;
        for (const auto& [name, arg] : message.args)
            pattern += fmt::format(" {}={}", name, textOf(arg, graph));
        return pattern;
    }
    std::string result;
    bool opens = true;
    for (std::size_t i = 0; i < pattern.size();) {
        if (pattern[i] == '`') {
            result += marks == NameMarks::backticks     ? "`"
                      : marks == NameMarks::plainQuotes ? "'"
                      : opens                           ? "\u201c"
                                                        : "\u201d";
            opens = !opens;
            ++i;
            continue;
        }
        const std::size_t close = pattern[i] == '{' ? pattern.find('}', i) : std::string::npos;
        if (close == std::string::npos) {
            result += pattern[i++];
            continue;
        }
        const std::string name = pattern.substr(i + 1, close - i - 1);
        const auto found = std::find_if(message.args.begin(), message.args.end(),
                                        [&name](const auto& a) { return a.first == name; });
        result += found == message.args.end() ? pattern.substr(i, close - i + 1)
                                              : textOf(found->second, graph);
        i = close + 1;
    }
    return result;
}

} // namespace fusescope

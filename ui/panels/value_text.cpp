#include "ui/panels/value_text.h"

#include "model/graph.h"
#include "ui/panels/inspector_node_page.h"
#include "ui/panels/panel_parts.h"
#include "ui/text.h"

#include <QCoreApplication>

namespace fusescope {

namespace {

constexpr std::size_t mostElements = 16;
constexpr qsizetype mostCharacters = 400;

QString one(std::int64_t number)
{
    return QString::number(number);
}
QString one(float number)
{
    return text::value(number, 6);
}
QString one(std::string_view words)
{
    QString shown = parts::str(words).left(mostCharacters);
    if (shown.size() == mostCharacters)
        shown += QChar(0x2026);
    return shown;
}
QString one(const std::string& words)
{
    return one(std::string_view(words));
}

template <class List>
QString listed(const List& list)
{
    QStringList shown;
    std::size_t taken = 0;
    for (const auto& element : list) {
        if (taken++ == mostElements) {
            shown << QString(QChar(0x2026));
            break;
        }
        shown << one(element);
    }
    return QStringLiteral("[%1]").arg(shown.join(QStringLiteral(", ")));
}

struct Texter
{
    const Graph& graph;

    QString operator()(std::monostate) const { return {}; }
    QString operator()(std::int64_t v) const { return one(v); }
    QString operator()(float v) const { return one(v); }
    QString operator()(const std::string& v) const { return one(v); }
    QString operator()(const TensorPtr& v) const
    {
        if (!v)
            return {};
        return QStringLiteral("%1 %2").arg(
            parts::shapeText(Type::tensor(v->dtype(), Shape::ofSizes(v->shape()))),
            elementsText(*v, 6));
    }
    QString operator()(BodyId v) const
    {
        const Body* body = graph.body(v);
        return body ? NodePage::tr("%n node(s)", nullptr, static_cast<int>(graph.nodes(v)->size()))
                    : QString();
    }
    QString operator()(const std::vector<std::int64_t>& v) const { return listed(v); }
    QString operator()(const std::vector<float>& v) const { return listed(v); }
    QString operator()(const std::vector<std::string>& v) const { return listed(v); }
    QString operator()(const Type& v) const { return parts::str(v.text()); }
    template <class T>
    QString operator()(const T&) const
    {
        return QCoreApplication::translate("ValueText", "(not shown)");
    }
};

} // namespace

QString elementsText(const Tensor& tensor, std::int64_t most)
{
    if (!tensor.isAvailable())
        return QCoreApplication::translate("ValueText", "missing");
    QStringList shown;
    const std::int64_t count = std::min(most, tensor.elementCount());
    for (std::int64_t i = 0; i < count; ++i) {
        if (tensor.isString())
            shown << one(tensor.loadString(i)).left(40);
        else if (isInteger(tensor.dtype()))
            shown << QString::number(tensor.asInt(i));
        else
            shown << text::value(tensor.asDouble(i), 5);
    }
    if (count < tensor.elementCount())
        shown << QString(QChar(0x2026));
    return QStringLiteral("[%1]").arg(shown.join(QStringLiteral(", ")));
}

QString valueText(const Attribute& attribute, const Graph& graph)
{
    if (!attribute.reference.empty())
        return QStringLiteral("@") + one(attribute.reference);
    return std::visit(Texter{graph}, attribute.value);
}

QString valueText(const AttributeDefault& value)
{
    return std::visit(
        [](const auto& v) -> QString {
            using T = std::decay_t<decltype(v)>;
            if constexpr (std::is_same_v<T, std::monostate>)
                return {};
            else if constexpr (std::is_same_v<T, std::int64_t> || std::is_same_v<T, float>
                               || std::is_same_v<T, std::string_view>)
                return one(v);
            else
                return listed(v);
        },
        value);
}

} // namespace fusescope

#include "passes/rule_support.h"
#include "passes/rules.h"

#include "patterns/conditions.h"
#include "patterns/reasons.h"

#include <array>
#include <cmath>
#include <limits>

namespace fusescope {

namespace {

constexpr std::string_view roots[] = {"Cast"};

// before:  a = ConstantOfShape{value = 1}(s); y = Cast{to = float}(a)
// after:   y = ConstantOfShape{value = 1.0}(s)
//
// The Cast alone reads the fill: for others it would be made twice. The value is cast as Cast does
// it; one that does not fit an integer stays, since ONNX leaves open what it becomes.
class FillCast final : public Pass
{
public:
    RuleId rule() const override { return "fill-cast"; }
    Stage stage() const override { return Stage::deadCode; }
    std::span<const std::string_view> rootTypes() const override { return roots; }
    PassAnswer examine(const PassContext& context, NodeId root) const override;
};

bool isPlain(DType type)
{
    static constexpr std::array floats{DType::float16, DType::bfloat16, DType::float32,
                                       DType::float64};
    const bool isFloat = std::find(floats.begin(), floats.end(), type) != floats.end();
    return isFloat || type == DType::boolean || (isInteger(type) && bitsOf(type) >= 8);
}

// One element as another type; nothing where a number is not of the range of an integer, or so
// large an integer that it would be rounded twice.
std::optional<Tensor> castOne(const Tensor& from, DType type)
{
    constexpr double exact = 0x1p53;
    const double value = from.asDouble(0);
    Tensor to = Tensor::allocate(type, {1});
    if (isInteger(from.dtype()) && !(std::abs(value) < exact))
        return std::nullopt;
    if (type == DType::boolean) {
        to.storeInt(0, value != 0 ? 1 : 0); // NaN is not 0
        return to;
    }
    if (!isInteger(type)) {
        to.store(0, value);
        return to;
    }
    const int bits = bitsOf(type) - (isSigned(type) ? 1 : 0);
    const double most = std::min(std::ldexp(1.0, bits), exact);
    const double whole = std::trunc(value);
    if (!(whole < most) || !(whole >= (isSigned(type) ? -most : 0.0)))
        return std::nullopt;
    to.storeInt(0, static_cast<std::int64_t>(whole));
    return to;
}

PassAnswer FillCast::examine(const PassContext& context, NodeId root) const
{
    const GraphView& view = context.match.view;
    const Node* cast = view.node(root);
    if (!cast->is("Cast") || !cast->input(0) || !cast->output(0))
        return {};
    const NodeId fillId = view.producer(cast->input(0));
    const Node* fill = view.node(fillId);
    if (!fill || !fill->is("ConstantOfShape") || !fill->input(0))
        return {};
    static const auto zero =
        std::make_shared<const Tensor>(Tensor::of<float>({1}, std::vector<float>{0.0F}));
    const TensorPtr value =
        fill->attributes.has("value") ? fill->attributes.getTensor("value") : TensorPtr(zero);
    const DType type = view.dtype(cast->output(0));
    if (!value || !value->isAvailable() || value->elementCount() != 1 || !isPlain(type) ||
        !isPlain(value->dtype()))
        return {};
    Conditions conditions(context.match, rule(), root);
    conditions.check("condition.same-scope", sameScope(context.match, fillId, root));
    auto number = castOne(*value, type);
    std::optional<Reason> open;
    if (!number)
        open = reasons::lossyCast(root, type);
    conditions.check("condition.lossless-cast", std::move(open));
    conditions.checkSingleReader(cast->input(0), root);
    const std::array nodes{fillId, root};
    checkUnpinned(conditions, nodes);
    if (!conditions.allHold())
        return std::move(conditions).miss(2, {fillId, root});
    Offer offer;
    offer.root = root;
    offer.nodes = {fillId, root};
    offer.title = Message("title.fill-cast", {{"first", fillId}, {"last", root}});
    offer.build = [root, fillId, output = cast->output(0),
                   number = std::make_shared<const Tensor>(std::move(*number))](
                      PatchBuilder& builder) -> Result<void> {
        Node node = *builder.node(fillId);
        node.attributes.set({"value", number});
        node.outputs = {output};
        node.origins.clear();
        builder.removeNode(root);
        builder.removeNode(fillId);
        builder.addNode(std::move(node));
        return {};
    };
    return offer;
}

} // namespace

std::unique_ptr<const Pass> fillCastRule()
{
    return std::make_unique<FillCast>();
}

} // namespace fusescope

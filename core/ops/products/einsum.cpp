#include "ops/element_map.h"
#include "ops/products/products.h"

namespace fusescope {

namespace {

// An equation with its letters as numbers; the axes of an ellipsis get numbers of their own, shared
// from the right, as broadcasting aligns them.
struct Equation
{
    std::vector<std::vector<std::size_t>> inputs;
    std::vector<std::size_t> output;
    std::size_t labels = 0;
};

std::optional<std::vector<std::string>> splitTerms(const std::string& text, std::string& right,
                                                   bool& hasArrow)
{
    std::string clean;
    for (const char c : text) {
        if (c != ' ')
            clean += c;
    }
    const std::size_t arrow = clean.find("->");
    hasArrow = arrow != std::string::npos;
    right = hasArrow ? clean.substr(arrow + 2) : std::string();
    const std::string left = clean.substr(0, arrow);
    std::vector<std::string> terms(1);
    for (const char c : left) {
        if (c == ',')
            terms.emplace_back();
        else
            terms.back() += c;
    }
    return terms;
}

// `ranks` of the inputs; nothing when the equation does not fit them.
std::optional<Equation> parse(const std::string& text, const std::vector<std::size_t>& ranks)
{
    std::string right;
    bool hasArrow = false;
    const auto terms = splitTerms(text, right, hasArrow);
    if (!terms || terms->size() != ranks.size())
        return std::nullopt;
    // What the ellipsis stands for in each input.
    std::size_t ellipsis = 0;
    for (std::size_t i = 0; i < ranks.size(); ++i) {
        const std::string& term = (*terms)[i];
        const std::size_t dots = term.find("...");
        const std::size_t letters = term.size() - (dots != std::string::npos ? 3 : 0);
        if (dots == std::string::npos ? letters != ranks[i] : letters > ranks[i])
            return std::nullopt;
        if (dots != std::string::npos)
            ellipsis = std::max(ellipsis, ranks[i] - letters);
    }
    Equation equation;
    std::map<char, std::size_t> numbers;
    std::map<char, int> seen;
    equation.labels = ellipsis;
    const auto expand = [&](const std::string& term, std::size_t hidden, bool isInput)
        -> std::optional<std::vector<std::size_t>> {
        std::vector<std::size_t> result;
        for (std::size_t i = 0; i < term.size(); ++i) {
            if (term.compare(i, 3, "...") == 0) {
                for (std::size_t k = ellipsis - hidden; k < ellipsis; ++k)
                    result.push_back(k);
                i += 2;
                continue;
            }
            const char c = term[i];
            if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')))
                return std::nullopt;
            const auto [at, isNew] = numbers.try_emplace(c, equation.labels);
            if (isNew && !isInput)
                return std::nullopt;
            equation.labels += isNew ? 1 : 0;
            seen[c] += isInput ? 1 : 0;
            result.push_back(at->second);
        }
        return result;
    };
    for (std::size_t i = 0; i < ranks.size(); ++i) {
        const std::string& term = (*terms)[i];
        const bool dots = term.find("...") != std::string::npos;
        auto labels = expand(term, dots ? ranks[i] - (term.size() - 3) : 0, true);
        if (!labels || labels->size() != ranks[i])
            return std::nullopt;
        equation.inputs.push_back(*std::move(labels));
    }
    if (!hasArrow) {
        // Without an arrow: the ellipsis, then each letter that stands once, by the alphabet.
        right = ellipsis ? "..." : "";
        for (const auto& [c, count] : seen)
            right += count == 1 ? std::string(1, c) : std::string();
    }
    auto output = expand(right, ellipsis, false);
    if (!output)
        return std::nullopt;
    equation.output = *std::move(output);
    return equation;
}

} // namespace

Result<void> inferEinsum(InferenceContext& context)
{
    const std::string text = context.attributes().getString("equation", "");
    std::vector<std::size_t> ranks;
    for (std::size_t i = 0; i < context.inputCount(); ++i) {
        if (!context.shape(i).hasRank()) {
            context.setTensor(0, context.dtype(0), Shape());
            return {};
        }
        ranks.push_back(context.shape(i).rank());
    }
    const auto equation = parse(text, ranks);
    if (!equation)
        return context.wrong(wrongAttribute("equation", "an equation over the inputs' axes", text));
    std::vector<std::optional<Dim>> sizes(equation->labels);
    for (std::size_t i = 0; i < ranks.size(); ++i) {
        for (std::size_t axis = 0; axis < ranks[i]; ++axis) {
            auto& size = sizes[equation->inputs[i][axis]];
            const Dim& next = context.shape(i)[axis];
            // A size of 1 broadcasts; of two that must be equal a number says more.
            if (!size || *size == Dim(1) || (next.isConstant() && next != Dim(1)))
                size = next;
        }
    }
    std::vector<Dim> dims;
    for (const std::size_t label : equation->output)
        dims.push_back(sizes[label].value_or(Dim(1)));
    context.setTensor(0, context.dtype(0), Shape::of(std::move(dims)));
    return {};
}

Result<void> runEinsum(KernelContext& context)
{
    const std::string text = context.attributes().getString("equation", "");
    std::vector<const Tensor*> inputs;
    std::vector<std::size_t> ranks;
    for (std::size_t i = 0; i < context.inputCount(); ++i) {
        FUSESCOPE_ASSIGN(const Tensor* tensor, context.tensor(i));
        inputs.push_back(tensor);
        ranks.push_back(tensor->rank());
    }
    const auto equation = parse(text, ranks);
    if (!equation || inputs.empty())
        return context.wrong(wrongAttribute("equation", "an equation over the inputs' axes", text));
    Sizes sizes(equation->labels, 1);
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        for (std::size_t axis = 0; axis < ranks[i]; ++axis) {
            std::int64_t& size = sizes[equation->inputs[i][axis]];
            const std::int64_t next = inputs[i]->shape()[axis];
            if (size != 1 && next != 1 && size != next)
                return context.wrong(wrongShape(i, std::to_string(size) + " at axis " + std::to_string(axis),
                                                shapeText(inputs[i]->shape())));
            size = size == 1 ? next : size;
        }
    }
    // Axes to walk: those of the result, then those that are summed.
    std::vector<std::size_t> order = equation->output;
    for (std::size_t label = 0; label < equation->labels; ++label) {
        if (std::ranges::find(equation->output, label) == equation->output.end())
            order.push_back(label);
    }
    Sizes outputShape;
    for (const std::size_t label : equation->output)
        outputShape.push_back(sizes[label]);
    Sizes summed;
    for (std::size_t i = equation->output.size(); i < order.size(); ++i)
        summed.push_back(sizes[order[i]]);
    std::vector<Sizes> steps; // of each input over `order`
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        Sizes step(order.size(), 0);
        const Sizes strides = stridesOf(inputs[i]->shape());
        for (std::size_t axis = 0; axis < ranks[i]; ++axis) {
            const auto at = std::ranges::find(order, equation->inputs[i][axis]) - order.begin();
            if (inputs[i]->shape()[axis] != 1)
                step[static_cast<std::size_t>(at)] += strides[axis];
        }
        steps.push_back(std::move(step));
    }
    const DType type = inputs[0]->dtype();
    FUSESCOPE_ASSIGN(Tensor y, context.allocate(type, outputShape));
    const std::int64_t outputs = y.elementCount(), terms = productOf(summed);
    FUSESCOPE_TRY(dispatch(context, NumericTypes{}, type, [&]<class T>() -> Result<void> {
        using Acc = Accumulator<T>;
        std::vector<AlignedView<T>> views;
        for (const Tensor* input : inputs) {
            if (input->dtype() != type)
                return context.wrong(unsupportedType(context, input->dtype()));
            views.push_back(input->aligned<T>());
        }
        Sizes position(order.size(), 0), offsets(inputs.size(), 0);
        const auto advance = [&](std::size_t from, std::size_t to) {
            for (std::size_t axis = to; axis-- > from;) {
                const std::int64_t size = sizes[order[axis]];
                ++position[axis];
                for (std::size_t i = 0; i < inputs.size(); ++i)
                    offsets[i] += steps[i][axis];
                if (position[axis] < size)
                    return;
                for (std::size_t i = 0; i < inputs.size(); ++i)
                    offsets[i] -= steps[i][axis] * size;
                position[axis] = 0;
            }
        };
        std::uint64_t worked = 0;
        for (std::int64_t o = 0; o < outputs; ++o) {
            if ((o & 1023) == 0 && context.stopRequested())
                return cancelled();
            Acc sum = 0;
            for (std::int64_t k = 0; k < terms; ++k) {
                if ((++worked & 0xFFFFF) == 0 && context.stopRequested())
                    return cancelled();
                Acc product = 1;
                for (std::size_t i = 0; i < views.size(); ++i)
                    product = wrappingMul(
                        product, static_cast<Acc>(
                                     widen(views[i][static_cast<std::size_t>(offsets[i])])));
                sum = wrappingAdd(sum, product);
                advance(equation->output.size(), order.size());
            }
            y.mutableElements<T>()[o] = narrow<T>(sum);
            advance(0, equation->output.size());
        }
        return {};
    }));
    context.setOutput(0, std::move(y));
    return {};
}

Result<void> inferDet(InferenceContext& context)
{
    FUSESCOPE_TRY(requireRank(context, 0, 2));
    const Shape& x = context.shape(0);
    if (!x.hasRank()) {
        context.setTensor(0, context.dtype(0), Shape());
        return {};
    }
    if (provablyDifferent(x[x.rank() - 1], x[x.rank() - 2]))
        return context.wrong(wrongShape(0, "square matrices", x.text()));
    std::vector<Dim> dims(x.dims().begin(), x.dims().end() - 2);
    context.setTensor(0, context.dtype(0), Shape::of(std::move(dims)));
    return {};
}

Result<void> runDet(KernelContext& context)
{
    FUSESCOPE_ASSIGN(const Tensor* x, context.tensor(0));
    FUSESCOPE_TRY(requireRank(context, *x, 0, 2));
    const std::int64_t n = x->shape().back();
    if (x->shape()[x->rank() - 2] != n)
        return context.wrong(wrongShape(0, "square matrices", shapeText(x->shape())));
    FUSESCOPE_ASSIGN(Tensor y, context.allocate(x->dtype(),
                                                Sizes(x->shape().begin(), x->shape().end() - 2)));
    std::vector<double> m(static_cast<std::size_t>(n * n));
    const auto at = [&](std::int64_t r, std::int64_t c) -> double& {
        return m[static_cast<std::size_t>(r * n + c)];
    };
    for (std::int64_t b = 0; b < y.elementCount(); ++b) {
        for (std::int64_t i = 0; i < n * n; ++i)
            m[static_cast<std::size_t>(i)] = x->asDouble(b * n * n + i);
        // Elimination with the largest pivot of each column.
        double det = 1;
        for (std::int64_t c = 0; c < n && det != 0; ++c) {
            if (context.stopRequested())
                return cancelled();
            std::int64_t pivot = c;
            for (std::int64_t r = c + 1; r < n; ++r)
                pivot = std::abs(at(r, c)) > std::abs(at(pivot, c)) ? r : pivot;
            if (pivot != c) {
                det = -det;
                for (std::int64_t k = 0; k < n; ++k)
                    std::swap(at(c, k), at(pivot, k));
            }
            det *= at(c, c);
            for (std::int64_t r = c + 1; r < n && at(c, c) != 0; ++r) {
                const double factor = at(r, c) / at(c, c);
                for (std::int64_t k = c; k < n; ++k)
                    at(r, k) -= factor * at(c, k);
            }
        }
        y.store(b, det);
    }
    context.setOutput(0, std::move(y));
    return {};
}

} // namespace fusescope

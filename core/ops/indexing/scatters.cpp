#include "ops/element_copy.h"
#include "ops/indexing/indexing.h"
#include "ops/infer_support.h"
#include "ops/shape_messages.h"

namespace fusescope::indexing {

namespace {

// Puts elements of `updates` into `output`, replacing or combining: put(to, from, count).
class Scatterer
{
public:
    Scatterer(Tensor& output, const Tensor& updates, std::string_view reduction)
        : m_output(output), m_updates(updates), m_reduction(reduction), m_mover(output, updates)
    {
    }

    // False where the reduction or the type is not one of the operator.
    bool isValid() const
    {
        if (m_reduction == "none")
            return true;
        if (m_reduction != "add" && m_reduction != "mul" && m_reduction != "min" &&
            m_reduction != "max")
            return false;
        return dispatchType(NumericAndBoolTypes{}, m_output.dtype(), []<class T>() {});
    }

    void put(std::int64_t to, std::int64_t from, std::int64_t count)
    {
        if (m_reduction == "none") {
            m_mover.copy(to, from, count);
            return;
        }
        dispatchType(NumericAndBoolTypes{}, m_output.dtype(), [&]<class T>() {
            T* out = m_output.mutableElements<T>();
            for (std::int64_t i = 0; i < count; ++i)
                out[to + i] = narrow<T>(
                    combine<Compute<T>>(widen(out[to + i]), widen(m_updates.load<T>(from + i))));
        });
    }

private:
    template <class V>
    V combine(V a, V b) const
    {
        if (m_reduction == "min")
            return a != a ? a : b < a || b != b ? b : a;
        if (m_reduction == "max")
            return a != a ? a : a < b || b != b ? b : a;
        if constexpr (std::is_same_v<V, bool>) {
            return m_reduction == "add" ? a || b : a && b;
        } else if constexpr (std::is_integral_v<V>) {
            const auto x = static_cast<std::uint64_t>(a);
            const auto y = static_cast<std::uint64_t>(b);
            return static_cast<V>(m_reduction == "add" ? x + y : x * y);
        } else {
            return m_reduction == "add" ? a + b : a * b;
        }
    }

    Tensor& m_output;
    const Tensor& m_updates;
    std::string_view m_reduction;
    ElementCopy m_mover;
};

Result<void> inferScatterElements(InferenceContext& c)
{
    const Shape& data = c.shape(0);
    for (const std::size_t input : {std::size_t{1}, std::size_t{2}}) {
        if (data.hasRank() && c.shape(input).hasRank() && c.shape(input).rank() != data.rank())
            return c.wrong(wrongRank(input, std::to_string(data.rank()), c.shape(input).rank()));
    }
    return inferSame(c);
}

Result<void> runScatterElements(KernelContext& c)
{
    FUSESCOPE_ASSIGN(const Tensor* data, c.tensor(0));
    FUSESCOPE_ASSIGN(const Tensor* indexTensor, c.tensor(1));
    FUSESCOPE_ASSIGN(const Tensor* updates, c.tensor(2));
    if (updates->dtype() != data->dtype())
        return c.wrong(wrongType(2, std::string(nameOf(data->dtype())),
                                 std::string(nameOf(updates->dtype()))));
    if (indexTensor->rank() != data->rank())
        return c.wrong(wrongRank(1, std::to_string(data->rank()), indexTensor->rank()));
    if (updates->shape() != indexTensor->shape())
        return c.wrong(wrongShape(2, shapeText(indexTensor->shape()), shapeText(updates->shape())));
    FUSESCOPE_ASSIGN(const std::size_t axis,
                     axisOf(c, c.attributes().getInt("axis", 0), data->rank()));
    FUSESCOPE_ASSIGN(const auto indices, wantInts(c, 1));
    for (std::size_t a = 0; a < data->rank(); ++a) {
        if (a != axis && indexTensor->shape()[a] > data->shape()[a])
            return c.wrong(
                wrongShape(1, "<= " + shapeText(data->shape()), shapeText(indexTensor->shape())));
    }
    const std::string reduction = c.attributes().getString("reduction", "none");
    FUSESCOPE_TRY(c.allocate(data->dtype(), data->shape()));
    Tensor output = data->materialized();
    Scatterer scatterer(output, *updates, reduction);
    if (!scatterer.isValid())
        return c.wrong(wrongAttribute("reduction", "none, add, mul, min, max", reduction));
    const auto strides = stridesOf(data->shape());
    const std::int64_t size = data->shape()[axis];
    std::optional<std::int64_t> bad;
    forEachIndex(indexTensor->shape(), [&](std::int64_t n, const std::vector<std::int64_t>& index) {
        std::int64_t i = indices[static_cast<std::size_t>(n)];
        if (i < -size || i >= size) {
            bad = i;
            return;
        }
        i = fromFront(i, size);
        std::int64_t to = 0;
        for (std::size_t a = 0; a < index.size(); ++a)
            to += (a == axis ? i : index[a]) * strides[a];
        scatterer.put(to, n, 1);
    });
    if (bad)
        return c.wrong(indexOutOfRange(1, *bad, size));
    c.setOutput(0, std::move(output));
    return {};
}

Result<void> inferScatterND(InferenceContext& c)
{
    FUSESCOPE_TRY(requireRank(c, 0, 1));
    FUSESCOPE_TRY(requireRank(c, 1, 1));
    const Shape& data = c.shape(0);
    const Shape& indices = c.shape(1);
    if (data.hasRank() && indices.hasRank()) {
        const auto depth = indices[indices.rank() - 1].constant();
        if (depth && (*depth < 0 || *depth > static_cast<std::int64_t>(data.rank())))
            return c.wrong(
                wrongShape(1, "[…, 0 … " + std::to_string(data.rank()) + "]", indices.text()));
    }
    c.setTensor(0, c.dtype(0), data);
    // Shape vectors that are patched element by element.
    const auto contents = data.hasRank() && data.rank() == 1 && carriesData(c.dtype(0))
                              ? c.integers(0)
                              : std::nullopt;
    const bool plain = c.attributes().getString("reduction", "none") == "none";
    if (!contents || !plain || !indices.hasRank() || indices.rank() != 2 || !c.input(1).constant)
        return {};
    const std::vector<std::int64_t> at = c.input(1).constant->asInts();
    const ShapeData updates = c.integers(2);
    if (!updates || updates->size() != at.size() || indices[1] != Dim(1))
        return {};
    std::vector<Dim> result = *contents;
    const auto size = static_cast<std::int64_t>(result.size());
    for (std::size_t k = 0; k < at.size(); ++k) {
        const std::int64_t i = fromFront(at[k], size);
        if (i < 0 || i >= size)
            return c.wrong(indexOutOfRange(1, at[k], size));
        result[static_cast<std::size_t>(i)] = (*updates)[k];
    }
    c.setData(0, std::move(result));
    return {};
}

Result<void> runScatterND(KernelContext& c)
{
    FUSESCOPE_ASSIGN(const Tensor* data, c.tensor(0));
    FUSESCOPE_ASSIGN(const Tensor* indexTensor, c.tensor(1));
    FUSESCOPE_ASSIGN(const Tensor* updates, c.tensor(2));
    FUSESCOPE_TRY(requireRank(c, *data, 0, 1));
    FUSESCOPE_TRY(requireRank(c, *indexTensor, 1, 1));
    if (updates->dtype() != data->dtype())
        return c.wrong(wrongType(2, std::string(nameOf(data->dtype())),
                                 std::string(nameOf(updates->dtype()))));
    FUSESCOPE_ASSIGN(const auto indices, wantInts(c, 1));
    const std::span<const std::int64_t> in = data->shape();
    const std::int64_t depth = indexTensor->shape().back();
    if (depth > static_cast<std::int64_t>(in.size()))
        return c.wrong(wrongShape(1, "[…, <= " + std::to_string(in.size()) + "]",
                                  shapeText(indexTensor->shape())));
    std::vector<std::int64_t> expected(indexTensor->shape().begin(),
                                       indexTensor->shape().end() - 1);
    const std::int64_t tuples = productOf(expected);
    const auto tail = in.subspan(static_cast<std::size_t>(depth));
    expected.insert(expected.end(), tail.begin(), tail.end());
    if (updates->shape() != expected)
        return c.wrong(wrongShape(2, shapeText(expected), shapeText(updates->shape())));
    const std::string reduction = c.attributes().getString("reduction", "none");
    FUSESCOPE_TRY(c.allocate(data->dtype(), data->shape()));
    Tensor output = data->materialized();
    Scatterer scatterer(output, *updates, reduction);
    if (!scatterer.isValid())
        return c.wrong(wrongAttribute("reduction", "none, add, mul, min, max", reduction));
    const auto strides = stridesOf(in);
    const std::int64_t inner = productOf(tail);
    for (std::int64_t t = 0; t < tuples; ++t) {
        std::int64_t to = 0;
        for (std::int64_t k = 0; k < depth; ++k) {
            const auto axis = static_cast<std::size_t>(k);
            const std::int64_t i = indices[static_cast<std::size_t>(t * depth + k)];
            if (i < -in[axis] || i >= in[axis])
                return c.wrong(indexOutOfRange(1, i, in[axis]));
            to += fromFront(i, in[axis]) * strides[axis];
        }
        scatterer.put(to, t * inner, inner);
    }
    c.setOutput(0, std::move(output));
    return {};
}

Result<void> runTensorScatter(KernelContext& c)
{
    FUSESCOPE_ASSIGN(const Tensor* cache, c.tensor(0));
    FUSESCOPE_ASSIGN(const Tensor* update, c.tensor(1));
    FUSESCOPE_ASSIGN(const std::size_t axis,
                     axisOf(c, c.attributes().getInt("axis", -2), cache->rank()));
    if (axis == 0)
        return c.wrong(wrongAttribute("axis", "!= 0", "0"));
    bool fits = update->rank() == cache->rank() && update->dtype() == cache->dtype();
    for (std::size_t a = 0; fits && a < cache->rank(); ++a)
        fits = a == axis ? update->shape()[a] <= cache->shape()[a]
                         : update->shape()[a] == cache->shape()[a];
    if (!fits)
        return c.wrong(wrongShape(1, shapeText(cache->shape()), shapeText(update->shape())));
    const std::int64_t batches = cache->shape()[0];
    std::vector<std::int64_t> at(static_cast<std::size_t>(batches), 0);
    if (c.hasInput(2)) {
        FUSESCOPE_ASSIGN(at, wantInts(c, 2));
        if (static_cast<std::int64_t>(at.size()) != batches)
            return c.wrong(wrongShape(2, std::to_string(batches), std::to_string(at.size())));
    }
    const bool circular = c.attributes().getString("mode", "linear") == "circular";
    const std::int64_t size = cache->shape()[axis];
    const std::int64_t length = update->shape()[axis];
    for (const std::int64_t i : at) {
        if (i < 0 || (!circular && i > size - length))
            return c.wrong(indexOutOfRange(1, i, size));
    }
    FUSESCOPE_TRY(c.allocate(cache->dtype(), cache->shape()));
    Tensor output = cache->materialized();
    ElementCopy mover(output, *update);
    const std::span<const std::int64_t> in = cache->shape();
    const std::int64_t inner = productOf(in.subspan(axis + 1));
    const std::int64_t prefixes = productOf(in.first(axis));
    const std::int64_t perBatch = batches == 0 ? 1 : prefixes / batches;
    for (std::int64_t p = 0; update->elementCount() > 0 && p < prefixes; ++p) {
        for (std::int64_t s = 0; s < length; ++s) {
            const std::int64_t first = at[static_cast<std::size_t>(p / perBatch)];
            const std::int64_t to = circular ? (first % size + s) % size : first + s;
            mover.copy((p * size + to) * inner, (p * length + s) * inner, inner);
        }
    }
    c.setOutput(0, std::move(output));
    return {};
}

constexpr OpEntry entries[] = {
    {"", "Scatter", 9, inferScatterElements, runScatterElements},
    {"", "ScatterElements", 11, inferScatterElements, runScatterElements},
    {"", "ScatterND", 11, inferScatterND, runScatterND},
    {"", "TensorScatter", 24, inferSame, runTensorScatter},
};

} // namespace

std::span<const OpEntry> scatters()
{
    return entries;
}

} // namespace fusescope::indexing

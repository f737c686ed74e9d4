#include "ops/infer_support.h"
#include "ops/sequence/sequence.h"

#include <map>

namespace fusescope::sequence {

namespace {

// The length of the result: one past the greatest coordinate.
Result<std::int64_t> widthOf(const auto& c)
{
    const auto indexes = c.attributes().getInts("ngram_indexes");
    if (!indexes || indexes->empty())
        return c.wrong(missingAttribute("ngram_indexes"));
    const auto [least, greatest] = std::ranges::minmax(*indexes);
    constexpr std::int64_t most = std::int64_t{1} << 32;
    if (least < 0 || greatest > most)
        return c.wrong(wrongAttribute("ngram_indexes", "0 … " + std::to_string(most),
                                      std::to_string(least < 0 ? least : greatest)));
    return greatest + 1;
}

Result<void> inferTfIdf(InferenceContext& c)
{
    FUSESCOPE_ASSIGN(const std::int64_t width, widthOf(c));
    const Shape& input = c.shape(0);
    if (!input.hasRank()) {
        c.setTensor(0, DType::float32, Shape::unranked());
        return {};
    }
    if (input.rank() == 2)
        c.setTensor(0, DType::float32, Shape::of({input[0], width}));
    else
        c.setTensor(0, DType::float32, Shape::of({width}));
    return {};
}

using Gram = std::vector<std::string>;

// The pool's n-grams and the position of each in it.
Result<std::map<Gram, std::size_t>> poolOf(const KernelContext& c, std::size_t count)
{
    std::vector<std::string> pool;
    if (auto strings = c.attributes().getStrings("pool_strings"))
        pool = *std::move(strings);
    for (const std::int64_t number : intsOr(c.attributes(), "pool_int64s", {}))
        pool.push_back(std::to_string(number));
    const auto starts = intsOr(c.attributes(), "ngram_counts", {});
    std::map<Gram, std::size_t> grams;
    std::size_t position = 0;
    for (std::size_t n = 0; n < starts.size(); ++n) {
        const auto size = static_cast<std::int64_t>(pool.size());
        const std::int64_t end = n + 1 < starts.size() ? starts[n + 1] : size;
        const auto length = static_cast<std::int64_t>(n) + 1;
        if (starts[n] < 0 || end < starts[n] || end > size || (end - starts[n]) % length != 0)
            return c.wrong(
                wrongAttribute("ngram_counts", "0 … " + std::to_string(size), shapeText(starts)));
        for (std::int64_t at = starts[n]; at < end; at += length)
            grams.emplace(Gram(pool.begin() + at, pool.begin() + at + length), position++);
    }
    if (position != count)
        return c.wrong(wrongLength("ngram_indexes", position, count));
    return grams;
}

Result<void> runTfIdf(KernelContext& c)
{
    FUSESCOPE_ASSIGN(const Tensor* input, c.tensor(0));
    FUSESCOPE_ASSIGN(const std::int64_t width, widthOf(c));
    if (input->rank() > 2)
        return c.wrong(wrongRank(0, "1, 2", input->rank()));
    const auto indexes = intsOr(c.attributes(), "ngram_indexes", {});
    FUSESCOPE_ASSIGN(const auto grams, poolOf(c, indexes.size()));
    const std::string mode = c.attributes().getString("mode", "");
    const auto weights = c.attributes().getFloats("weights");
    if (weights && weights->size() != indexes.size())
        return c.wrong(wrongLength("weights", indexes.size(), weights->size()));
    if (mode != "TF" && mode != "IDF" && mode != "TFIDF")
        return c.wrong(wrongAttribute("mode", "TF, IDF, TFIDF", mode));
    const std::int64_t shortest =
        std::max<std::int64_t>(c.attributes().getInt("min_gram_length", 1), 1);
    const std::int64_t longest = c.attributes().getInt("max_gram_length", 1);
    const std::int64_t skips =
        std::max<std::int64_t>(c.attributes().getInt("max_skip_count", 0), 0);
    const bool rowsGiven = input->rank() == 2;
    const std::int64_t rows = rowsGiven ? input->shape()[0] : 1;
    const std::int64_t columns = input->rank() == 0 ? 1 : input->shape().back();
    FUSESCOPE_ASSIGN(Tensor output,
                     c.allocate(DType::float32, rowsGiven ? Sizes{rows, width} : Sizes{width}));
    for (std::int64_t row = 0; row < rows; ++row) {
        std::vector<std::string> words;
        for (std::int64_t i = 0; i < columns; ++i)
            words.push_back(input->isString() ? input->loadString(row * columns + i)
                                              : std::to_string(input->asInt(row * columns + i)));
        std::vector<double> counts(indexes.size(), 0.0);
        for (std::int64_t n = shortest; n <= std::min(longest, columns); ++n) {
            // A single word skips nothing: it is counted once.
            const std::int64_t widest = n == 1 ? 0 : std::min(skips, columns);
            for (std::int64_t skip = 0; skip <= widest; ++skip) {
                for (std::int64_t start = 0; start + (n - 1) * (skip + 1) < columns; ++start) {
                    Gram gram;
                    for (std::int64_t k = 0; k < n; ++k)
                        gram.push_back(words[static_cast<std::size_t>(start + k * (skip + 1))]);
                    if (const auto found = grams.find(gram); found != grams.end())
                        counts[found->second] += 1.0;
                }
            }
        }
        for (std::size_t i = 0; i < counts.size(); ++i) {
            const double weight = weights ? static_cast<double>((*weights)[i]) : 1.0;
            const double value = mode == "TF"    ? counts[i]
                                 : mode == "IDF" ? (counts[i] > 0.0 ? weight : 0.0)
                                                 : counts[i] * weight;
            if (value != 0.0)
                output.store(row * width + indexes[i], value);
        }
    }
    c.setOutput(0, std::move(output));
    return {};
}

constexpr OpEntry entries[] = {
    {"", "TfIdfVectorizer", 9, inferTfIdf, runTfIdf},
};

} // namespace

std::span<const OpEntry> ngrams()
{
    return entries;
}

} // namespace fusescope::sequence

#include "ops/infer_support.h"
#include "ops/sequence/sequence.h"

#include <re2/re2.h>

#include <algorithm>
#include <set>

namespace fusescope::sequence {

namespace {

Result<const Tensor*> wantStrings(const KernelContext& c, std::size_t input)
{
    FUSESCOPE_ASSIGN(const Tensor* tensor, c.tensor(input));
    if (!tensor->isString())
        return c.wrong(wrongType(input, "string", std::string(nameOf(tensor->dtype()))));
    return tensor;
}

Result<void> inferConcat(InferenceContext& c)
{
    return inferBroadcastOf(c, DType::string);
}

Result<void> runConcat(KernelContext& c)
{
    FUSESCOPE_ASSIGN(const Tensor* a, wantStrings(c, 0));
    FUSESCOPE_ASSIGN(const Tensor* b, wantStrings(c, 1));
    const Tensor* const tensors[] = {a, b};
    FUSESCOPE_ASSIGN(const Sizes shape, broadcastTensors(c, tensors));
    FUSESCOPE_ASSIGN(Tensor output, c.allocate(DType::string, shape));
    forEachRun<2>(shape, {broadcastStrides(a->shape(), shape), broadcastStrides(b->shape(), shape)},
                  [&](std::int64_t first, std::int64_t count, const auto& at, const auto& step) {
                      for (std::int64_t j = 0; j < count; ++j)
                          output.mutableStrings()[static_cast<std::size_t>(first + j)] =
                              a->loadString(at[0] + j * step[0]) +
                              b->loadString(at[1] + j * step[1]);
                  });
    c.setOutput(0, std::move(output));
    return {};
}

Result<void> inferSplit(InferenceContext& c)
{
    const Shape& input = c.shape(0);
    Shape shape = Shape::unranked();
    if (input.hasRank()) {
        std::vector<Dim> dims = input.dims();
        dims.push_back(c.unknown(0, input.rank()));
        shape = Shape::of(std::move(dims));
    }
    c.setTensor(0, DType::string, std::move(shape));
    c.setTensor(1, DType::int64, input);
    return {};
}

bool isSpace(char letter)
{
    return letter == ' ' || (letter >= '\t' && letter <= '\r');
}

// Runs of spaces separate words, and none stand at the ends.
std::vector<std::string> splitWords(std::string_view text, std::int64_t most)
{
    std::vector<std::string> parts;
    std::size_t at = 0;
    for (;;) {
        while (at < text.size() && isSpace(text[at]))
            ++at;
        if (at == text.size())
            return parts;
        std::size_t end = at;
        if (static_cast<std::int64_t>(parts.size()) == most) {
            end = text.size();
            while (isSpace(text[end - 1]))
                --end;
            parts.emplace_back(text.substr(at, end - at));
            return parts;
        }
        while (end < text.size() && !isSpace(text[end]))
            ++end;
        parts.emplace_back(text.substr(at, end - at));
        at = end;
    }
}

std::vector<std::string> splitAt(std::string_view text, std::string_view delimiter,
                                 std::int64_t most)
{
    std::vector<std::string> parts;
    std::size_t at = 0;
    while (static_cast<std::int64_t>(parts.size()) != most) {
        const std::size_t end = text.find(delimiter, at);
        if (end == std::string_view::npos)
            break;
        parts.emplace_back(text.substr(at, end - at));
        at = end + delimiter.size();
    }
    parts.emplace_back(text.substr(at));
    return parts;
}

Result<void> runSplit(KernelContext& c)
{
    FUSESCOPE_ASSIGN(const Tensor* input, wantStrings(c, 0));
    const std::string delimiter = c.attributes().getString("delimiter", "");
    const std::int64_t most = c.attributes().getInt("maxsplit", -1);
    std::vector<std::vector<std::string>> all;
    std::size_t longest = 0;
    FUSESCOPE_ASSIGN(Tensor counts, c.allocate(DType::int64, input->shape()));
    for (std::int64_t i = 0; i < input->elementCount(); ++i) {
        const std::string& text = input->loadString(i);
        all.push_back(delimiter.empty() ? splitWords(text, most) : splitAt(text, delimiter, most));
        longest = std::max(longest, all.back().size());
        counts.storeInt(i, static_cast<std::int64_t>(all.back().size()));
    }
    std::vector<std::int64_t> shape = input->shape();
    shape.push_back(static_cast<std::int64_t>(longest));
    FUSESCOPE_ASSIGN(Tensor output, c.allocate(DType::string, shape));
    for (std::size_t i = 0; i < all.size(); ++i)
        std::ranges::move(all[i], output.mutableStrings().begin() +
                                      static_cast<std::ptrdiff_t>(i * longest));
    c.setOutput(0, std::move(output));
    c.setOutput(1, std::move(counts));
    return {};
}

Result<void> inferMatch(InferenceContext& c)
{
    c.setTensor(0, DType::boolean, c.shape(0));
    return {};
}

// At most so much of a text as a sentence can hold, cut between characters of UTF-8.
std::string beginningOf(const std::string& text)
{
    std::size_t length = std::min<std::size_t>(text.size(), 120);
    while (length > 0 && length < text.size() &&
           (static_cast<unsigned char>(text[length]) & 0xc0U) == 0x80U)
        --length;
    return length < text.size() ? text.substr(0, length) + "…" : text;
}

// The expressions are those of RE2, as RegexFullMatch since version 20 asks.
Result<void> runMatch(KernelContext& c)
{
    FUSESCOPE_ASSIGN(const Tensor* input, wantStrings(c, 0));
    RE2::Options options;
    options.set_log_errors(false);
    const RE2 pattern(c.attributes().getString("pattern", ""), options);
    if (!pattern.ok())
        return c.wrong({"ops.bad-pattern", {{"error", beginningOf(pattern.error())}}});
    FUSESCOPE_ASSIGN(Tensor output, c.allocate(DType::boolean, input->shape()));
    for (std::int64_t i = 0; i < input->elementCount(); ++i) {
        if (c.stopToken().stop_requested())
            return cancelled();
        output.storeInt(i, RE2::FullMatch(input->loadString(i), pattern) ? 1 : 0);
    }
    c.setOutput(0, std::move(output));
    return {};
}

Result<void> inferNormalizer(InferenceContext& c)
{
    const Shape& input = c.shape(0);
    if (!input.hasRank()) {
        c.setTensor(0, DType::string, Shape::unranked());
        return {};
    }
    if (input.rank() != 1 && input.rank() != 2)
        return c.wrong(wrongRank(0, "1, 2", input.rank()));
    Shape shape = input;
    shape.set(input.rank() - 1, c.unknown(0, 0));
    c.setTensor(0, DType::string, std::move(shape));
    return {};
}

// The code points of a text; bytes that are no UTF-8 stand for themselves.
std::u32string codePoints(std::string_view text)
{
    std::u32string result;
    for (std::size_t i = 0; i < text.size();) {
        const auto lead = static_cast<unsigned char>(text[i]);
        const int length = lead < 0x80         ? 1
                           : (lead >> 5) == 6  ? 2
                           : (lead >> 4) == 14 ? 3
                           : (lead >> 3) == 30 ? 4
                                               : 0;
        char32_t value = length == 1 ? lead : length == 0 ? lead : lead & (0x7fU >> length);
        bool valid = length > 0 && i + static_cast<std::size_t>(length) <= text.size();
        for (int k = 1; valid && k < length; ++k) {
            const auto next = static_cast<unsigned char>(text[i + static_cast<std::size_t>(k)]);
            valid = (next & 0xc0U) == 0x80U;
            value = (value << 6) | (next & 0x3fU);
        }
        result.push_back(valid ? value : lead);
        i += valid ? static_cast<std::size_t>(length) : 1;
    }
    return result;
}

// Letters of ASCII, Latin-1 and its neighbours, Greek and Cyrillic; other characters stay.
char32_t changedCase(char32_t c, bool upper)
{
    const auto in = [c](char32_t low, char32_t high) { return c >= low && c <= high; };
    if (upper) {
        if (in(U'a', U'z') || (in(0xe0, 0xfe) && c != 0xf7) || in(0x3b1, 0x3c1) ||
            in(0x3c3, 0x3c9) || in(0x430, 0x44f))
            return c - 32;
        if (in(0x450, 0x45f))
            return c - 80;
        return in(0x100, 0x137) && c % 2 == 1 ? c - 1 : c;
    }
    if (in(U'A', U'Z') || (in(0xc0, 0xde) && c != 0xd7) || in(0x391, 0x3a1) || in(0x3a3, 0x3a9) ||
        in(0x410, 0x42f))
        return c + 32;
    if (in(0x400, 0x40f))
        return c + 80;
    return in(0x100, 0x137) && c % 2 == 0 ? c + 1 : c;
}

void appendUtf8(std::string& text, char32_t c)
{
    const auto byte = [&text](char32_t v) { text.push_back(static_cast<char>(v)); };
    if (c < 0x80) {
        byte(c);
    } else if (c < 0x800) {
        byte(0xc0 | (c >> 6));
        byte(0x80 | (c & 0x3f));
    } else if (c < 0x10000) {
        byte(0xe0 | (c >> 12));
        byte(0x80 | ((c >> 6) & 0x3f));
        byte(0x80 | (c & 0x3f));
    } else {
        byte(0xf0 | (c >> 18));
        byte(0x80 | ((c >> 12) & 0x3f));
        byte(0x80 | ((c >> 6) & 0x3f));
        byte(0x80 | (c & 0x3f));
    }
}

std::string inCase(const std::string& text, std::string_view action)
{
    if (action != "LOWER" && action != "UPPER")
        return text;
    std::string result;
    for (const char32_t c : codePoints(text))
        appendUtf8(result, changedCase(c, action == "UPPER"));
    return result;
}

Result<void> runNormalizer(KernelContext& c)
{
    FUSESCOPE_ASSIGN(const Tensor* input, wantStrings(c, 0));
    if (input->rank() != 1 && input->rank() != 2)
        return c.wrong(wrongRank(0, "1, 2", input->rank()));
    const std::string action = c.attributes().getString("case_change_action", "NONE");
    static constexpr std::string_view actions[] = {"NONE", "LOWER", "UPPER"};
    if (std::ranges::find(actions, action) == std::end(actions))
        return c.wrong(wrongAttribute("case_change_action", "NONE, LOWER, UPPER", action));
    const bool sensitive = c.attributes().getInt("is_case_sensitive", 0) != 0;
    std::set<std::string> stop;
    for (const std::string& word :
         c.attributes().getStrings("stopwords").value_or(std::vector<std::string>{}))
        stop.insert(sensitive ? word : inCase(word, "LOWER"));
    const std::int64_t rows = input->rank() == 2 ? input->shape()[0] : 1;
    if (rows != 1 && (!stop.empty() || input->elementCount() == 0))
        return c.wrong(wrongShape(0, "[C], [1, C]", shapeText(input->shape())));
    std::vector<std::string> kept;
    for (std::int64_t i = 0; i < input->elementCount(); ++i) {
        const std::string& word = input->loadString(i);
        if (!stop.contains(sensitive ? word : inCase(word, "LOWER")))
            kept.push_back(inCase(word, action));
    }
    // Where nothing is left, one empty text stands.
    if (kept.empty())
        kept.emplace_back();
    std::vector<std::int64_t> shape{static_cast<std::int64_t>(kept.size()) / rows};
    if (input->rank() == 2)
        shape.insert(shape.begin(), rows);
    c.setOutput(0, Tensor::strings(shape, std::move(kept)));
    return {};
}

constexpr OpEntry entries[] = {
    {"", "StringConcat", 20, inferConcat, runConcat},
    {"", "StringSplit", 20, inferSplit, runSplit},
    {"", "RegexFullMatch", 20, inferMatch, runMatch},
    {"", "StringNormalizer", 10, inferNormalizer, runNormalizer},
};

} // namespace

std::span<const OpEntry> strings()
{
    return entries;
}

} // namespace fusescope::sequence

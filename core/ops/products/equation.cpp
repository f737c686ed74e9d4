#include "ops/products/equation.h"

#include <algorithm>
#include <map>

namespace fusescope {

namespace {

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

} // namespace

std::optional<EinsumEquation> parseEquation(const std::string& text,
                                            const std::vector<std::size_t>& ranks)
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
    EinsumEquation equation;
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
    for (std::size_t i = 0; i < output->size(); ++i) { // a diagonal cannot be written, only read
        if (std::find(output->begin(), output->begin() + static_cast<std::ptrdiff_t>(i), (*output)[i]) !=
            output->begin() + static_cast<std::ptrdiff_t>(i))
            return std::nullopt;
    }
    equation.output = *std::move(output);
    return equation;
}

} // namespace fusescope

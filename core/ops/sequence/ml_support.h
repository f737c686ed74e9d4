#pragma once

#include "ops/infer_support.h"

#include <string>
#include <vector>

// What the operators of ai.onnx.ml share.
namespace fusescope::sequence {

inline constexpr std::string_view mlDomain = "ai.onnx.ml";

// Rows of features: [N, F], or [F] as one row.
struct Rows
{
    const Tensor* tensor = nullptr;
    std::int64_t count = 1, width = 0;

    double at(std::int64_t row, std::int64_t i) const { return tensor->asDouble(row * width + i); }
};
Result<Rows> wantRows(const KernelContext& c, std::size_t input);

// The numbers of an attribute of floats, or of a tensor attribute in its place.
std::vector<double> numbersOf(const Attributes& attributes, const char* floats,
                              const char* tensor = nullptr);

// The post_transform of a row of scores, in place. An unknown name is an error.
Result<void> transformScores(const KernelContext& c, std::string_view name,
                             std::vector<double>& scores);
std::string transformName(const Attributes& attributes);

// The labels of a classifier: integers or strings.
struct Labels
{
    std::vector<std::int64_t> ints;
    std::vector<std::string> strings;

    bool areStrings() const { return !strings.empty(); }
    std::size_t size() const { return areStrings() ? strings.size() : ints.size(); }
    DType dtype() const { return areStrings() ? DType::string : DType::int64; }
    // Writes label `index` at element i.
    void store(Tensor& output, std::int64_t i, std::size_t index) const;
};
Labels labelsOf(const Attributes& attributes, const char* ints, const char* strings);

// Outputs of a classifier: labels [N] and scores [N, classes].
Result<void> inferClassifier(InferenceContext& c, const char* ints, const char* strings);
Result<void> setClassified(KernelContext& c, const Labels& labels,
                           const std::vector<std::size_t>& chosen,
                           const std::vector<std::vector<double>>& scores);

} // namespace fusescope::sequence

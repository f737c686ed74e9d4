#include "ops/sequence/ml_support.h"
#include "ops/sequence/sequence.h"

#include <numeric>

namespace fusescope::sequence {

namespace {

// A kernel function of support vector machines: gamma, coef0 and degree are its parameters.
struct KernelRule
{
    std::string type;
    double gamma = 0.0, coef0 = 0.0, degree = 0.0;

    double operator()(const Rows& rows, std::int64_t row, const double* vector) const
    {
        double sum = 0.0;
        for (std::int64_t i = 0; i < rows.width; ++i) {
            const double x = rows.at(row, i);
            sum += type == "RBF" ? (x - vector[i]) * (x - vector[i]) : x * vector[i];
        }
        if (type == "POLY")
            return std::pow(gamma * sum + coef0, degree);
        if (type == "SIGMOID")
            return std::tanh(gamma * sum + coef0);
        return type == "RBF" ? std::exp(-gamma * sum) : sum;
    }
};

// Of a linear model, without support vectors, the function is LINEAR whatever is named.
Result<KernelRule> kernelOf(const KernelContext& c, bool isLinear)
{
    KernelRule rule;
    rule.type = c.attributes().getString("kernel_type", "LINEAR");
    if (rule.type != "LINEAR" && rule.type != "POLY" && rule.type != "RBF" &&
        rule.type != "SIGMOID")
        return c.wrong(wrongAttribute("kernel_type", "LINEAR, POLY, RBF, SIGMOID", rule.type));
    if (isLinear)
        rule.type = "LINEAR";
    const auto parameters = numbersOf(c.attributes(), "kernel_params");
    if (parameters.size() >= 3) {
        rule.gamma = parameters[0];
        rule.coef0 = parameters[1];
        rule.degree = parameters[2];
    }
    return rule;
}

tl::unexpected<Error> badData(const KernelContext& c, const char* attribute)
{
    return c.wrong({"ops.bad-model-data",
                    {{"operator", c.node().op.type}, {"attribute", std::string(attribute)}}});
}

Result<void> inferRegressor(InferenceContext& c)
{
    const Shape& input = c.shape(0);
    const Dim rows = input.hasRank() && input.rank() == 2   ? input[0]
                     : input.hasRank() && input.rank() == 1 ? Dim(1)
                                                            : c.unknown(0, 0);
    c.setTensor(0, DType::float32, Shape::of({rows, 1}));
    return {};
}

Result<void> runRegressor(KernelContext& c)
{
    FUSESCOPE_ASSIGN(const Rows rows, wantRows(c, 0));
    const auto coefficients = numbersOf(c.attributes(), "coefficients");
    const auto vectors = numbersOf(c.attributes(), "support_vectors");
    const auto rho = numbersOf(c.attributes(), "rho");
    const auto supports = static_cast<std::size_t>(
        std::clamp<std::int64_t>(c.attributes().getInt("n_supports", 0), 0, std::int64_t{1} << 32));
    const auto width = static_cast<std::size_t>(rows.width);
    const bool linear = supports == 0;
    FUSESCOPE_ASSIGN(const KernelRule kernel, kernelOf(c, linear));
    if (rho.empty() || coefficients.size() < (linear ? width : supports) ||
        (!linear && vectors.size() / std::max<std::size_t>(supports, 1) < width))
        return badData(c, "coefficients, support_vectors, rho");
    const bool oneClass = c.attributes().getInt("one_class", 0) != 0;
    FUSESCOPE_ASSIGN(Tensor output, c.allocate(DType::float32, {rows.count, 1}));
    for (std::int64_t row = 0; row < rows.count; ++row) {
        double sum = rho[0];
        if (linear)
            sum += kernel(rows, row, coefficients.data());
        for (std::size_t j = 0; j < supports; ++j)
            sum += coefficients[j] * kernel(rows, row, vectors.data() + j * width);
        std::vector<double> scores{oneClass ? (sum > 0.0 ? 1.0 : -1.0) : sum};
        FUSESCOPE_TRY(transformScores(c, transformName(c.attributes()), scores));
        output.store(row, scores[0]);
    }
    c.setOutput(0, std::move(output));
    return {};
}

Result<void> inferSvmClassifier(InferenceContext& c)
{
    return inferClassifier(c, "classlabels_ints", "classlabels_strings");
}

// Class probabilities from those of each pair of classes: the second method of Wu, Lin and Weng,
// "Probability estimates for multi-class classification by pairwise coupling" (2004).
std::vector<double> coupled(const std::vector<std::vector<double>>& pairs)
{
    const std::size_t k = pairs.size();
    std::vector<std::vector<double>> q(k, std::vector<double>(k));
    std::vector<double> p(k, 1.0 / static_cast<double>(k));
    for (std::size_t t = 0; t < k; ++t) {
        for (std::size_t j = 0; j < k; ++j) {
            if (j == t)
                continue;
            q[t][t] += pairs[j][t] * pairs[j][t];
            q[t][j] = -pairs[j][t] * pairs[t][j];
        }
    }
    std::vector<double> qp(k);
    for (std::size_t round = 0; round < std::max<std::size_t>(100, k); ++round) {
        double pqp = 0.0;
        for (std::size_t t = 0; t < k; ++t) {
            qp[t] = std::inner_product(q[t].begin(), q[t].end(), p.begin(), 0.0);
            pqp += p[t] * qp[t];
        }
        double worst = 0.0;
        for (const double value : qp)
            worst = std::max(worst, std::abs(value - pqp));
        if (worst < 0.005 / static_cast<double>(k))
            break;
        for (std::size_t t = 0; t < k; ++t) {
            const double change = q[t][t] == 0.0 ? 0.0 : (pqp - qp[t]) / q[t][t];
            p[t] += change;
            pqp = (pqp + change * (change * q[t][t] + 2.0 * qp[t])) /
                  ((1.0 + change) * (1.0 + change));
            for (std::size_t j = 0; j < k; ++j) {
                qp[j] = (qp[j] + change * q[t][j]) / (1.0 + change);
                p[j] /= 1.0 + change;
            }
        }
    }
    return p;
}

// The model of SVMClassifier.
struct Machine
{
    std::vector<double> coefficients, vectors, rho, probA, probB;
    std::vector<std::int64_t> perClass, starts;
    std::size_t classes = 0, supports = 0;
};

Result<Machine> machineOf(const KernelContext& c, const Labels& labels, std::size_t width)
{
    const Attributes& attributes = c.attributes();
    Machine m;
    m.coefficients = numbersOf(attributes, "coefficients");
    m.vectors = numbersOf(attributes, "support_vectors");
    m.rho = numbersOf(attributes, "rho");
    m.probA = numbersOf(attributes, "prob_a");
    m.probB = numbersOf(attributes, "prob_b");
    m.perClass = intsOr(attributes, "vectors_per_class", {});
    m.classes = m.perClass.empty() ? labels.size() : m.perClass.size();
    for (const std::int64_t count : m.perClass) {
        if (count < 0 || count > (std::int64_t{1} << 32))
            return badData(c, "vectors_per_class");
        m.starts.push_back(static_cast<std::int64_t>(m.supports));
        m.supports += static_cast<std::size_t>(count);
    }
    if (m.classes == 0 || m.rho.empty() || labels.size() < m.classes)
        return badData(c, "classlabels, rho");
    const std::size_t pairs = m.classes * (m.classes - 1) / 2;
    if (m.perClass.empty() ? m.coefficients.size() != m.classes * width
                           : m.coefficients.size() != m.supports * (m.classes - 1) ||
                                 m.vectors.size() != m.supports * width || m.rho.size() < pairs)
        return badData(c, "coefficients, support_vectors");
    if (!m.probA.empty() && (m.probA.size() < pairs || m.probB.size() < pairs))
        return badData(c, "prob_a, prob_b");
    return m;
}

// One decision for each pair of classes, and the votes that they cast.
std::vector<double> decide(const Machine& m, const KernelRule& kernel, const Rows& rows,
                           std::int64_t row, std::vector<int>& votes)
{
    std::vector<double> kernels(m.supports);
    for (std::size_t j = 0; j < m.supports; ++j)
        kernels[j] = kernel(rows, row, m.vectors.data() + j * static_cast<std::size_t>(rows.width));
    std::vector<double> scores;
    votes.assign(m.classes, 0);
    const auto part = [&](std::size_t line, std::size_t of) {
        double sum = 0.0;
        const auto start = static_cast<std::size_t>(m.starts[of]);
        for (std::size_t k = start; k < start + static_cast<std::size_t>(m.perClass[of]); ++k)
            sum += m.coefficients[line * m.supports + k] * kernels[k];
        return sum;
    };
    for (std::size_t i = 0; i < m.classes; ++i) {
        for (std::size_t j = i + 1; j < m.classes; ++j) {
            scores.push_back(m.rho[scores.size()] + part(j - 1, i) + part(i, j));
            ++votes[scores.back() > 0.0 ? i : j];
        }
    }
    return scores;
}

std::vector<double> probabilities(const Machine& m, const std::vector<double>& scores)
{
    std::vector<std::vector<double>> pairs(m.classes, std::vector<double>(m.classes));
    std::size_t index = 0;
    for (std::size_t i = 0; i < m.classes; ++i) {
        for (std::size_t j = i + 1; j < m.classes; ++j, ++index) {
            const double value =
                1.0 - 1.0 / (1.0 + std::exp(-(scores[index] * m.probA[index] + m.probB[index])));
            pairs[i][j] = std::clamp(value, 1e-7, 1.0 - 1e-7);
            pairs[j][i] = 1.0 - pairs[i][j];
        }
    }
    return coupled(pairs);
}

Result<void> runClassifier(KernelContext& c)
{
    FUSESCOPE_ASSIGN(const Rows rows, wantRows(c, 0));
    const Labels labels = labelsOf(c.attributes(), "classlabels_ints", "classlabels_strings");
    FUSESCOPE_ASSIGN(const Machine machine,
                     machineOf(c, labels, static_cast<std::size_t>(rows.width)));
    FUSESCOPE_ASSIGN(const KernelRule kernel, kernelOf(c, machine.perClass.empty()));
    const bool allPositive =
        std::ranges::all_of(machine.coefficients, [](double v) { return v >= 0.0; });
    std::vector<std::size_t> chosen;
    std::vector<std::vector<double>> all;
    for (std::int64_t row = 0; row < rows.count; ++row) {
        std::vector<double> scores;
        std::vector<int> votes;
        if (machine.perClass.empty()) {
            for (std::size_t k = 0; k < machine.classes; ++k)
                scores.push_back(
                    machine.rho[0] +
                    kernel(rows, row,
                           machine.coefficients.data() + k * static_cast<std::size_t>(rows.width)));
        } else {
            scores = decide(machine, kernel, rows, row, votes);
        }
        const bool hasProbabilities = !machine.probA.empty() && !votes.empty();
        if (hasProbabilities)
            scores = probabilities(machine, scores);
        std::size_t best = 0;
        double weight = 0.0;
        if (votes.empty()) {
            best = static_cast<std::size_t>(std::ranges::max_element(scores) - scores.begin());
            weight = scores[best];
        } else {
            best = static_cast<std::size_t>(std::ranges::max_element(votes) - votes.begin());
            weight = static_cast<double>(votes[best]);
        }
        if (labels.size() == 2 && !hasProbabilities && allPositive && weight >= 0.5)
            best = 1;
        const std::string transform = transformName(c.attributes());
        if (scores.size() == 1 && labels.size() == 2 && transform != "PROBIT")
            scores = {-scores[0], scores[0]};
        FUSESCOPE_TRY(transformScores(c, transform, scores));
        chosen.push_back(best);
        all.push_back(std::move(scores));
    }
    return setClassified(c, labels, chosen, all);
}

constexpr OpEntry entries[] = {
    {mlDomain, "SVMRegressor", 1, inferRegressor, runRegressor},
    {mlDomain, "SVMClassifier", 1, inferSvmClassifier, runClassifier},
};

} // namespace

std::span<const OpEntry> mlVectors()
{
    return entries;
}

} // namespace fusescope::sequence

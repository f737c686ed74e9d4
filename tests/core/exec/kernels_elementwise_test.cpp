#include "core/exec/kernels_support.h"

#include "exec/kernels/elementwise.h"
#include "support/test_class.h"

#include <array>
#include <cmath>
#include <limits>

using namespace fusescope;
using namespace fusescope::kernels;
using namespace fusescope::test;

namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

std::size_t at(std::int64_t i)
{
    return static_cast<std::size_t>(i);
}

// op(a, b, c) in double.
double evaluated(const ElementInstruction& op, double a, double b, double c)
{
    const auto wins = [](double x, double y, bool take) {
        return std::isnan(x) ? x : (std::isnan(y) || take ? y : x);
    };
    switch (op.op) {
    case ElementOp::Add:
        return a + b;
    case ElementOp::Sub:
        return a - b;
    case ElementOp::Mul:
        return a * b;
    case ElementOp::Div:
        return a / b;
    case ElementOp::Min:
        return wins(a, b, b < a);
    case ElementOp::Max:
        return wins(a, b, b > a);
    case ElementOp::Pow:
        return std::pow(a, b);
    case ElementOp::Less:
        return a < b;
    case ElementOp::LessEqual:
        return a <= b;
    case ElementOp::Greater:
        return a > b;
    case ElementOp::GreaterEqual:
        return a >= b;
    case ElementOp::Equal:
        return a == b;
    case ElementOp::Where:
        return a != 0 ? b : c;
    case ElementOp::Neg:
        return -a;
    case ElementOp::Abs:
        return std::abs(a);
    case ElementOp::Sqrt:
        return std::sqrt(a);
    case ElementOp::Reciprocal:
        return 1 / a;
    case ElementOp::Exp:
        return std::exp(a);
    case ElementOp::Log:
        return std::log(a);
    case ElementOp::Erf:
        return std::erf(a);
    case ElementOp::Floor:
        return std::floor(a);
    case ElementOp::Ceil:
        return std::ceil(a);
    case ElementOp::Round:
        return std::nearbyint(a);
    case ElementOp::Sign:
        return a > 0 ? 1 : (a < 0 ? -1 : a);
    case ElementOp::Activate:
        return activated(op.activation, a);
    }
    return 0;
}

// Magnitudes from the smallest denormal to the largest number, both signs, and what is special.
std::vector<float> interestingFloats()
{
    std::vector<float> values = {0.0F,    -0.0F,  kInfinity, -kInfinity, kNan,    1e-45F,
                                 -1e-45F, 1e-40F, 0.5F,      1.5F,       2.5F,    -0.5F,
                                 -1.5F,   88.7F,  89.5F,     -87.5F,     -100.0F, 104.0F,
                                 1e38F,   -1e38F, 0.625F,    4.0F,       1.0F,    -1.0F};
    for (float x = 1.3e-38F; x < 1e37F; x *= 1.37F) {
        values.push_back(x);
        values.push_back(-x);
    }
    for (int i = -4000; i <= 4000; ++i)
        values.push_back(static_cast<float>(i) * 0.00371F);
    return values;
}

std::vector<float> run(const ElementProgram& program, const std::vector<std::int64_t>& shape,
                       const std::vector<ElementOperand>& inputs, ThreadPool& pool)
{
    std::int64_t total = 1;
    for (const std::int64_t length : shape)
        total *= length;
    Guarded output(total);
    const bool done = runElementwise(program, shape, inputs, output.data(), pool);
    return done && output.intact() ? output.values() : std::vector<float>();
}

ElementProgram single(const ElementInstruction& op, std::uint16_t inputs)
{
    ElementProgram program;
    program.inputs = inputs;
    program.code = {op};
    return program;
}

} // namespace

class KernelsElementwiseTest : public QObject
{
    Q_OBJECT

    // Every value of `values` through a unary operator.
    static QString unary(const ElementInstruction& op, const std::vector<float>& values,
                         double relative, const std::function<double(double)>& absolute)
    {
        std::vector<double> expected;
        for (const float x : values)
            expected.push_back(evaluated(op, x, 0, 0));
        const auto n = static_cast<std::int64_t>(values.size());
        return overTargets(
            [&](ThreadPool& pool) {
                return ::run(single(op, 1), {n}, {{values.data(), {}}}, pool);
            },
            [&](const std::vector<float>& result) {
                // Half of the smallest denormal is the rounding of a denormal result.
                return compare(result, expected, [&](std::size_t i) {
                    return relative * std::abs(expected[i]) + absolute(values[i]) + 1.5e-45;
                });
            });
    }

private Q_SLOTS:
    void functions()
    {
        const std::vector<float> values = interestingFloats();
        const auto none = [](double) { return 0.0; };
        for (const ElementOp op : {ElementOp::Neg, ElementOp::Abs, ElementOp::Floor,
                                   ElementOp::Ceil, ElementOp::Round, ElementOp::Sign})
            QCOMPARE(unary({op, 0, 0, 0, {}}, values, 0, none), QString());
        for (const ElementOp op : {ElementOp::Sqrt, ElementOp::Reciprocal})
            QCOMPARE(unary({op, 0, 0, 0, {}}, values, 6e-8, none), QString());
        for (const ElementOp op : {ElementOp::Exp, ElementOp::Log, ElementOp::Erf})
            QCOMPARE(unary({op, 0, 0, 0, {}}, values, 2.4e-7, none), QString());
    }

    void activations()
    {
        // Without infinities: x gate(x) at -infinity is infinity times zero by definition.
        std::vector<float> values;
        for (const float x : interestingFloats())
            if (!std::isinf(x) && std::abs(x) < 1e12F)
                values.push_back(x);
        const auto run = [&](const ActivationSpec& spec, double relative,
                             const std::function<double(double)>& absolute) {
            return unary({ElementOp::Activate, 0, 0, 0, spec}, values, relative, absolute);
        };
        const auto none = [](double) { return 0.0; };
        // Of the size of the operand: results are small differences there.
        const auto ofOperand = [](double x) { return 1.2e-7 * std::abs(x); };
        QCOMPARE(run({Activation::None, 1, 0}, 0, none), QString());
        QCOMPARE(run({Activation::Relu, 1, 0}, 0, none), QString());
        QCOMPARE(run({Activation::Clip, -0.5F, 2.5F}, 0, none), QString());
        QCOMPARE(run({Activation::LeakyRelu, 0.1F, 0}, 6e-8, none), QString());
        QCOMPARE(run({Activation::Sigmoid, 1, 0}, 3e-7, none), QString());
        QCOMPARE(run({Activation::Tanh, 1, 0}, 3e-7, none), QString());
        // A gate that is denormal is rounded to 1.4e-45 before x multiplies it.
        QCOMPARE(run({Activation::Silu, 1, 0}, 4e-7, [](double x) { return 1e-45 * std::abs(x); }),
                 QString());
        QCOMPARE(run({Activation::Elu, 1.5F, 0}, 6e-7, none), QString());
        QCOMPARE(run({Activation::Softplus, 1, 0}, 4e-7, none), QString());
        QCOMPARE(run({Activation::Mish, 1, 0}, 6e-7, [](double x) { return 1e-45 * std::abs(x); }),
                 QString());
        QCOMPARE(run({Activation::HardSwish, 1, 0}, 2e-7, ofOperand), QString());
        QCOMPARE(run({Activation::GeluErf, 1, 0}, 4e-7, ofOperand), QString());
        QCOMPARE(run({Activation::GeluTanh, 1, 0}, 4e-7, ofOperand), QString());
        QCOMPARE(run({Activation::HardSigmoid, 0.2F, 0.5F}, 2e-7, [](double) { return 6e-8; }),
                 QString());
    }

    void operandsOfTwoAndThree()
    {
        std::vector<float> few = {0.0F, -0.0F,  1.0F, -2.5F, 3.25F, kInfinity, -kInfinity,
                                  kNan, 1e-40F, 7.0F, -7.0F, 0.5F,  1e30F};
        std::vector<float> a;
        std::vector<float> b;
        std::vector<float> c;
        for (const float x : few)
            for (const float y : few) {
                a.push_back(x);
                b.push_back(y);
                c.push_back(x - 1);
            }
        const auto n = static_cast<std::int64_t>(a.size());
        for (int op = 0; op <= static_cast<int>(ElementOp::Where); ++op) {
            const ElementInstruction instruction{static_cast<ElementOp>(op), 0, 1, 2, {}};
            std::vector<double> expected;
            for (std::size_t i = 0; i < a.size(); ++i)
                expected.push_back(evaluated(instruction, a[i], b[i], c[i]));
            const QString problem = overTargets(
                [&](ThreadPool& pool) {
                    return ::run(single(instruction, 3), {n},
                                 {{a.data(), {}}, {b.data(), {}}, {c.data(), {}}}, pool);
                },
                [&](const std::vector<float>& result) {
                    return compare(result, expected, 6e-8, 1e-45);
                });
            QCOMPARE(QString::number(op) + problem, QString::number(op));
        }
    }

    void constantPowers()
    {
        const std::vector<float> values = interestingFloats();
        const auto n = static_cast<std::int64_t>(values.size());
        for (const float exponent : {2.0F, 3.0F, 1.0F, -1.0F, 0.5F, -0.5F, 1.7F, 0.0F}) {
            ElementProgram program;
            program.inputs = 1;
            program.constants = {exponent};
            program.code = {{ElementOp::Pow, 0, 1, 0, {}}};
            std::vector<double> expected;
            for (const float x : values)
                expected.push_back(std::pow(static_cast<double>(x), static_cast<double>(exponent)));
            QCOMPARE(overTargets(
                         [&](ThreadPool& pool) {
                             return ::run(program, {n}, {{values.data(), {}}}, pool);
                         },
                         [&](const std::vector<float>& result) {
                             return compare(result, expected, 2e-7, 3e-45);
                         }),
                     QString());
        }
    }

    // y = (x * scale[c] + rowVector[w]) * column[h] - scalar, all broadcast differently.
    void broadcasts()
    {
        const std::vector<std::int64_t> shape = {2, 5, 7, 37};
        const std::vector<float> x = randomFloats(2 * 5 * 7 * 37, 1);
        const std::vector<float> scale = randomFloats(5, 2);
        const std::vector<float> row = randomFloats(37, 3);
        const std::vector<float> column = randomFloats(7, 4);
        const std::vector<float> transposed = randomFloats(2 * 5 * 37 * 7, 6);
        const float scalar = 0.75F;
        ElementProgram program;
        program.inputs = 6;
        program.constants = {2.0F};
        program.code = {{ElementOp::Mul, 0, 1, 0, {}},  {ElementOp::Add, 7, 2, 0, {}},
                        {ElementOp::Mul, 8, 3, 0, {}},  {ElementOp::Sub, 9, 4, 0, {}},
                        {ElementOp::Mul, 6, 10, 0, {}}, {ElementOp::Add, 11, 5, 0, {}}};
        QVERIFY(isValid(program));
        const std::array<std::int64_t, 4> perChannel{0, 1, 0, 0};
        const std::array<std::int64_t, 4> perColumn{0, 0, 0, 1};
        const std::array<std::int64_t, 4> perRow{0, 0, 1, 0};
        const std::array<std::int64_t, 4> everywhere{0, 0, 0, 0};
        const std::array<std::int64_t, 4> swapped{5 * 37 * 7, 37 * 7, 1, 7};
        std::vector<double> expected;
        for (std::int64_t i = 0; i < 2 * 5 * 7 * 37; ++i) {
            const std::int64_t w = i % 37;
            const std::int64_t h = i / 37 % 7;
            const std::int64_t c = i / (37 * 7) % 5;
            const std::int64_t n = i / (37 * 7 * 5);
            double v = static_cast<double>(x[at(i)]) * scale[at(c)] + row[at(w)];
            v = 2 * (v * column[at(h)] - scalar);
            expected.push_back(v + transposed[at(n * 5 * 37 * 7 + c * 37 * 7 + h + w * 7)]);
        }
        QCOMPARE(overTargets(
                     [&](ThreadPool& pool) {
                         return ::run(program, shape,
                                      {{x.data(), {}},
                                       {scale.data(), perChannel},
                                       {row.data(), perColumn},
                                       {column.data(), perRow},
                                       {&scalar, everywhere},
                                       {transposed.data(), swapped}},
                                      pool);
                     },
                     [&](const std::vector<float>& result) {
                         return compare(result, expected, 0, 1e-6);
                     }),
                 QString());
    }

    void perChannelOverBlocks()
    {
        const std::int64_t spatial = 13;
        const std::vector<float> plain = randomFloats(2 * 19 * spatial, 1);
        const std::vector<float> scale = randomFloats(19, 2);
        std::vector<double> expected;
        for (std::size_t i = 0; i < plain.size(); ++i)
            expected.push_back(static_cast<double>(plain[i]) *
                               scale[i / static_cast<std::size_t>(spatial) % 19]);
        QCOMPARE(overTargets(
                     [&](ThreadPool& pool) {
                         const std::int64_t lanes = blockLanes();
                         const std::int64_t blocks = (19 + lanes - 1) / lanes;
                         const std::vector<float> x = blockedOf(plain, 2, 19, spatial);
                         std::vector<float> padded = scale;
                         padded.resize(at(blocks * lanes));
                         const std::array<std::int64_t, 4> strides{0, lanes, 0, 1};
                         const std::vector<float> y = ::run(
                             single({ElementOp::Mul, 0, 1, 0, {}}, 2), {2, blocks, spatial, lanes},
                             {{x.data(), {}}, {padded.data(), strides}}, pool);
                         return plainOf(y.data(), 2, 19, spatial);
                     },
                     [&](const std::vector<float>& result) {
                         return compare(result, expected, 6e-8, 0);
                     }),
                 QString());
    }

    void inPlaceAndSizes()
    {
        for (const std::int64_t n : {0, 1, 3, 4, 15, 16, 17, 255, 256, 257, 4096, 10007}) {
            const std::vector<float> x = randomFloats(n, 1);
            std::vector<double> expected;
            for (const float v : x)
                expected.push_back(static_cast<double>(v) + static_cast<double>(v) * v);
            ElementProgram program;
            program.inputs = 1;
            program.code = {{ElementOp::Mul, 0, 0, 0, {}}, {ElementOp::Add, 1, 0, 0, {}}};
            QCOMPARE(overTargets(
                         [&](ThreadPool& pool) {
                             Guarded data(x);
                             const ElementOperand input{data.data(), {}};
                             runElementwise(program, std::array<std::int64_t, 1>{n}, {&input, 1},
                                            data.data(), pool);
                             return data.intact() ? data.values() : std::vector<float>{1e30F};
                         },
                         [&](const std::vector<float>& result) {
                             return compare(result, expected, 0, 1.2e-7 * 2);
                         }),
                     QString());
        }
    }

    void scalarsAndCopies()
    {
        ThreadPool pool(1);
        const float x = 3.0F;
        ElementProgram copy;
        copy.inputs = 1;
        QVERIFY(isValid(copy));
        QCOMPARE(::run(copy, {}, {{&x, {}}}, pool), std::vector<float>{3.0F});
        const std::array<std::int64_t, 1> broadcast{0};
        QCOMPARE(::run(copy, {3}, {{&x, broadcast}}, pool), (std::vector<float>{3, 3, 3}));
    }

    void invalidPrograms()
    {
        ElementProgram program;
        QVERIFY(!isValid(program));
        program.inputs = 1;
        program.code = {{ElementOp::Add, 0, 1, 0, {}}};
        QVERIFY(!isValid(program)); // reads its own result
        program.code = {{ElementOp::Neg, 0, 9, 9, {}}};
        QVERIFY(isValid(program)); // operands not taken do not matter
        program.code.assign(kMaxElementValues, {ElementOp::Neg, 0, 0, 0, {}});
        QVERIFY(!isValid(program));
    }
};

FUSESCOPE_TEST(KernelsElementwiseTest, kernels_elementwise_test)
#include "kernels_elementwise_test.moc"

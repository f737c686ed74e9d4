#include "model/dim.h"
#include "support/test_class.h"

#include <algorithm>
#include <array>
#include <random>

using namespace fusescope;

namespace {

__extension__ typedef __int128 Wide;

// A formula as it was written down, with a meaning of its own to compare Dim with.
struct Formula;
using FormulaPtr = std::shared_ptr<const Formula>;

enum class Op { number, leaf, add, subtract, multiply, floordiv, ceildiv, mod, min, max };

struct Formula
{
    Op op = Op::number;
    std::int64_t value = 0; // number, or index of the leaf
    FormulaPtr a, b;
};

const std::array<Dim, 5>& leaves()
{
    static const std::array<Dim, 5> all{Dim::symbol("H"), Dim::symbol("N"), Dim::symbol("seq len"),
                                        Dim::unknown(7), Dim::unknownInteger(8)};
    return all;
}

using Point = std::array<std::int64_t, 5>;

std::optional<Wide> meaning(const Formula& f, const Point& point)
{
    if (f.op == Op::number)
        return f.value;
    if (f.op == Op::leaf)
        return point[static_cast<std::size_t>(f.value)];
    const auto a = meaning(*f.a, point);
    const auto b = meaning(*f.b, point);
    constexpr Wide limit = Wide(1) << 60;
    if (!a || !b || *a > limit || *a < -limit || *b > limit || *b < -limit)
        return std::nullopt;
    const auto floorOf = [](Wide x, Wide y) {
        const Wide quotient = x / y;
        return quotient * y != x && (x < 0) != (y < 0) ? quotient - 1 : quotient;
    };
    switch (f.op) {
    case Op::add:
        return *a + *b;
    case Op::subtract:
        return *a - *b;
    case Op::multiply:
        return *a * *b;
    case Op::min:
        return std::min(*a, *b);
    case Op::max:
        return std::max(*a, *b);
    default:
        break;
    }
    if (*b == 0)
        return std::nullopt;
    if (f.op == Op::floordiv)
        return floorOf(*a, *b);
    if (f.op == Op::ceildiv)
        return -floorOf(-*a, *b);
    return *a - *b * floorOf(*a, *b);
}

Dim dimOf(const Formula& f)
{
    if (f.op == Op::number)
        return f.value;
    if (f.op == Op::leaf)
        return leaves()[static_cast<std::size_t>(f.value)];
    const Dim a = dimOf(*f.a);
    const Dim b = dimOf(*f.b);
    switch (f.op) {
    case Op::add:
        return a + b;
    case Op::subtract:
        return a - b;
    case Op::multiply:
        return a * b;
    case Op::floordiv:
        return floordiv(a, b);
    case Op::ceildiv:
        return ceildiv(a, b);
    case Op::mod:
        return mod(a, b);
    case Op::min:
        return min(a, b);
    default:
        return max(a, b);
    }
}

class Random
{
public:
    explicit Random(unsigned seed) : m_engine(seed) {}

    int below(int end) { return static_cast<int>(m_engine() % static_cast<unsigned>(end)); }

    FormulaPtr formula(int depth)
    {
        if (depth == 0 || below(6) == 0) {
            if (below(3) == 0)
                return make(Op::number, below(9) - 3);
            return make(Op::leaf, below(below(4) == 0 ? 5 : 3));
        }
        const Op op = static_cast<Op>(static_cast<int>(Op::add) + below(8));
        FormulaPtr a = formula(depth - 1);
        const bool divides = op == Op::floordiv || op == Op::ceildiv || op == Op::mod;
        FormulaPtr b =
            divides && below(3) != 0 ? make(Op::number, 1 + below(8)) : formula(depth - 1);
        return make(op, 0, std::move(a), std::move(b));
    }

    // The same by the laws of a ring and of min and max.
    FormulaPtr rewritten(const FormulaPtr& f)
    {
        if (!f->a)
            return f;
        const FormulaPtr a = rewritten(f->a);
        const FormulaPtr b = rewritten(f->b);
        const FormulaPtr plain = make(f->op, 0, a, b);
        const bool commutes =
            f->op == Op::add || f->op == Op::multiply || f->op == Op::min || f->op == Op::max;
        switch (below(4)) {
        case 0:
            return commutes ? make(f->op, 0, b, a) : plain;
        case 1: // (x + y) * b
            if (f->op == Op::multiply && (a->op == Op::add || a->op == Op::subtract))
                return make(a->op, 0, make(Op::multiply, 0, a->a, b),
                            make(Op::multiply, 0, b, a->b));
            return plain;
        case 2: // (x o y) o b
            return commutes && a->op == f->op ? make(f->op, 0, a->a, make(f->op, 0, a->b, b))
                                              : plain;
        default:
            return f->op == Op::subtract
                       ? make(Op::add, 0, a, make(Op::multiply, 0, make(Op::number, -1), b))
                       : plain;
        }
    }

    Point point()
    {
        Point point{};
        for (std::int64_t& value : point)
            value = below(below(2) == 0 ? 4 : 40);
        point[4] -= 10;
        return point;
    }

private:
    static FormulaPtr make(Op op, std::int64_t value, FormulaPtr a = nullptr,
                           FormulaPtr b = nullptr)
    {
        return std::make_shared<const Formula>(Formula{op, value, std::move(a), std::move(b)});
    }

    std::mt19937 m_engine;
};

DimValues valuesAt(const Point& point)
{
    return [&point](const Dim& leaf) -> std::optional<std::int64_t> {
        const auto found = std::ranges::find(leaves(), leaf);
        if (found == leaves().end())
            return std::nullopt;
        return point[static_cast<std::size_t>(found - leaves().begin())];
    };
}

bool isOpaque(const Dim& dim)
{
    return std::ranges::any_of(dim.symbols(), [](const Dim& leaf) {
        return std::ranges::find(leaves(), leaf) == leaves().end();
    });
}

std::string described(const Dim& dim, const Point& point)
{
    std::string text = dim.text() + " at";
    for (const std::int64_t value : point)
        text += " " + std::to_string(value);
    return text;
}

constexpr int rounds = 3000;
constexpr int pointsPerTerm = 12;

} // namespace

class DimRandomTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void valuesAgree()
    {
        Random random(1);
        int compared = 0;
        for (int round = 0; round < rounds; ++round) {
            const FormulaPtr formula = random.formula(1 + round % 5);
            const Dim dim = dimOf(*formula);
            const auto lower = dim.lowerBound();
            const auto upper = dim.upperBound();
            const bool opaque = isOpaque(dim);
            for (int i = 0; i < pointsPerTerm; ++i) {
                const Point point = random.point();
                const auto expected = meaning(*formula, point);
                if (!expected)
                    continue;
                const std::string where = described(dim, point);
                if (!opaque) {
                    const auto value = dim.evaluate(valuesAt(point));
                    QVERIFY2(value && *value == *expected, where.c_str());
                    ++compared;
                }
                QVERIFY2(!lower || *lower <= *expected, where.c_str());
                QVERIFY2(!upper || *upper >= *expected, where.c_str());
            }
        }
        QVERIFY(compared > rounds * pointsPerTerm / 2);
    }

    void twoRoutesAreEqual()
    {
        Random random(2);
        int compared = 0;
        for (int round = 0; round < rounds; ++round) {
            const FormulaPtr formula = random.formula(1 + round % 5);
            const FormulaPtr other = random.rewritten(formula);
            const Dim a = dimOf(*formula);
            const Dim b = dimOf(*other);
            if (isOpaque(a) || isOpaque(b))
                continue;
            const std::string texts = a.text() + " and " + b.text();
            QVERIFY2(a == b && a.hash() == b.hash(), texts.c_str());
            ++compared;
        }
        QVERIFY(compared > rounds / 2);
    }

    void proofsHold()
    {
        Random random(3);
        int proved = 0;
        for (int round = 0; round < rounds; ++round) {
            const FormulaPtr f = random.formula(1 + round % 3);
            const FormulaPtr g = random.formula(1 + round % 3);
            const Dim a = dimOf(*f);
            const Dim b = dimOf(*g);
            const bool lessEqual = provablyLessEqual(a, b);
            const bool equal = provablyEqual(a, b);
            const bool different = provablyDifferent(a, b);
            proved += lessEqual + different;
            for (int i = 0; i < pointsPerTerm; ++i) {
                const Point point = random.point();
                const auto x = meaning(*f, point);
                const auto y = meaning(*g, point);
                if (!x || !y)
                    continue;
                const std::string where = a.text() + " and " + described(b, point);
                QVERIFY2(!lessEqual || *x <= *y, where.c_str());
                QVERIFY2(!equal || *x == *y, where.c_str());
                QVERIFY2(!different || *x != *y, where.c_str());
                QVERIFY2(!(a == b) || *x == *y, where.c_str());
            }
        }
        QVERIFY(proved > rounds / 20);
    }

    void textIsReadBack()
    {
        Random random(4);
        int compared = 0;
        for (int round = 0; round < rounds; ++round) {
            const Dim dim = dimOf(*random.formula(1 + round % 4));
            if (dim.hasUnknown())
                continue;
            const Result<Dim> back = Dim::parse(dim.text());
            QVERIFY2(back, dim.text().c_str());
            const std::string texts = dim.text() + " read as " + back->text();
            QVERIFY2(*back == dim, texts.c_str());
            ++compared;
        }
        QVERIFY(compared > rounds / 4);
    }

    void substitutionAgreesWithEvaluation()
    {
        Random random(5);
        for (int round = 0; round < rounds; ++round) {
            const Dim dim = dimOf(*random.formula(1 + round % 4));
            if (isOpaque(dim))
                continue;
            const Point point = random.point();
            std::map<Dim, Dim> replacements;
            for (std::size_t i = 0; i < point.size(); ++i)
                replacements.emplace(leaves()[i], point[i]);
            const auto value = dim.evaluate(valuesAt(point));
            if (value)
                QVERIFY2(dim.substitute(replacements) == Dim(*value),
                         described(dim, point).c_str());
        }
    }

    void orderIsTotal()
    {
        Random random(6);
        std::vector<Dim> dims;
        for (int i = 0; i < 300; ++i)
            dims.push_back(dimOf(*random.formula(1 + i % 4)));
        std::ranges::sort(dims);
        for (std::size_t i = 0; i < dims.size(); ++i) {
            for (std::size_t j = i; j < dims.size(); ++j) {
                QVERIFY((dims[i] <=> dims[j]) <= 0 && (dims[j] <=> dims[i]) >= 0);
                QCOMPARE((dims[i] <=> dims[j]) == 0, dims[i] == dims[j]);
            }
        }
    }
};

FUSESCOPE_TEST(DimRandomTest, dim_random_test)
#include "dim_random_test.moc"

#include "spellings.h"
#include "support/test_class.h"

using namespace fusescope::test;

namespace {

constexpr const char* vector = "float[2, 8] x => float[] y";
constexpr const char* image = "float[1, 8, 4, 4] x => float[] y";
constexpr const char* numbers =
    "float half = {0.5}, float one = {1}, float zero = {0}, float two = {2}, float three = {3}, "
    "float six = {6}, float twenty = {20}, float root = {1.4142135}, float cubic = {0.044715}, "
    "float pi = {0.7978846}, double dzero = {0}, double dsix = {6}, float eps = {0.00001}, "
    "float[8] g = random(3, 0.5, 1.5), float[8] b = random(4), int64[1] i0 = {0}, int64[1] i1 = "
    "{1}, int64[1] last = {-1}";

void formula(const char* name, int opset, const char* body, const char* left,
             const char* refused = "")
{
    addSpelling(name, opset, vector, numbers, body, left, refused);
}

} // namespace

// Activations and normalizations as exporters write them, row by row of their table. Each row runs
// both graphs.
class SpellingsFormulasTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void activations_data()
    {
        addSpellingColumns();
        formula("GELU, ts 11 to 17", 17,
                "a = Div (x, root) e = Erf (a) s = Add (e, one) p = Mul (x, s) y = Mul (p, half)",
                "region(Div Erf Add Mul Mul)");
        formula("GELU, operator", 20, "y = Gelu (x)", "Gelu");
        formula("GELU tanh, ts", 17,
                "a = Mul (x, half) p = Mul (x, x) q = Mul (p, x) c = Mul (q, cubic) s = Add (x, "
                "c) t = Mul (s, pi) h = Tanh (t) u = Add (h, one) y = Mul (a, u)",
                "region(Mul Mul Mul Mul Add Mul Tanh Add Mul)");
        formula("GELU tanh, dynamo 18", 18,
                "q = Pow (x, three) c = Mul (q, cubic) s = Add (x, c) t = Mul (s, pi) h = Tanh "
                "(t) u = Add (h, one) a = Mul (x, half) y = Mul (a, u)",
                "region(Pow Mul Add Mul Tanh Add Mul Mul)");
        formula("SiLU", 17, "s = Sigmoid (x) y = Mul (x, s)", "region(Sigmoid Mul)");
        formula("Hardswish, ts 11 and 13", 13,
                "s = HardSigmoid <alpha = 0.16666667> (x) y = Mul (x, s)",
                "region(HardSigmoid Mul)");
        formula("Hardswish, operator", 17, "y = HardSwish (x)", "HardSwish");
        formula("Hardsigmoid", 17, "y = HardSigmoid <alpha = 0.16666667> (x)", "HardSigmoid");
        formula("ReLU6, ts", 17,
                "l = Constant <value_float = 0.0> () h = Constant <value_float = 6.0> () y = "
                "Clip (x, l, h)", "Constant Constant Clip");
        formula("ReLU6, dynamo raw", 20,
                "l = CastLike (dzero, x) h = CastLike (dsix, x) y = Clip (x, l, h)", "Clip");
        formula("Mish, ts", 17, "s = Softplus (x) t = Tanh (s) y = Mul (x, t)",
                "region(Softplus Tanh Mul)");
        formula("Mish, operator", 18, "y = Mish (x)", "Mish");
        formula("Softplus, ts", 17, "y = Softplus (x)", "Softplus");
        formula("Softplus, dynamo 18", 18,
                "s = Softplus (x) g2 = Greater (x, twenty) y = Where (g2, x, s)",
                "Softplus Greater Where");
        formula("Softplus, dynamo raw", 20,
                "a = CastLike (one, x) m = Mul (x, a) s = Softplus (m) c = CastLike (one, x) d "
                "= Div (s, c) t = CastLike (twenty, x) g2 = Greater (m, t) y = Where (g2, x, d)",
                "Softplus Greater Where");
        formula("PReLU", 17, "y = PRelu (x, g)", "PRelu");
        formula("PReLU, dynamo raw", 20,
                "r = Constant <value_ints = [1, 8]> () s = Reshape (g, r) y = PRelu (x, s)",
                "PRelu");
        formula("ELU", 17, "y = Elu (x)", "Elu");
        formula("ELU, dynamo raw", 20,
                "a = CastLike (one, x) c = CastLike (one, x) m = Mul (x, a) e = Elu (m) y = Mul "
                "(c, e)", "Elu");
        formula("CELU", 17, "y = Celu (x)", "Celu");
        formula("LogSigmoid", 17, "s = Sigmoid (x) y = Log (s)", "region(Sigmoid Log)");
        formula("clamp(min=0), ts", 17, "l = Constant <value_float = 0.0> () y = Clip (x, l)",
                "Constant Clip");
        formula("clamp(min=0), dynamo", 18, "y = Max (x, zero)", "Max");
        formula("clamp(min=0), dynamo raw", 20,
                "c = Cast <to = 1> (dzero) d = CastLike (c, x) y = Max (x, d)", "Max");
        formula("log_softmax", 17, "y = LogSoftmax <axis = 1> (x)", "LogSoftmax");
        formula("softmax, then log", 17, "s = Softmax <axis = 1> (x) y = Log (s)", "Softmax Log",
                "log-softmax not-finite");
        formula("x * 1 + 0, ts", 17, "y = Add (x, zero)", "Add", "remove-noop unexpected-constant");
        formula("x * 1 + 0, dynamo", 18, "y = Identity (x)", "Identity",
                "remove-identity public-name");
        formula("x * 1 + 0, dynamo raw", 20,
                "a = Cast <to = 1> (one) m = Mul (x, a) z = Cast <to = 1> (dzero) y = Add (m, z)",
                "Add", "remove-noop unexpected-constant");
        formula("clone, detach, contiguous", 20,
                "a = Identity (x) c = Identity (a) k = Cast <to = 1> (dsix) y = Add (c, k)", "Add");
        formula("x.float() of float", 17, "a = Cast <to = 1> (x) y = Add (a, one)", "Add");
        formula(".to(int64)", 17, "y = Cast <to = 7> (x)", "Cast");
        formula("masked_fill, ts", 17,
                "m = Greater (x, zero) c = Cast <to = 9> (m) y = Where (c, two, x)",
                "Greater Where");
        formula("masked_fill, dynamo raw", 20,
                "z = Cast <to = 1> (dzero) m = Greater (x, z) c = CastLike (two, x) y = Where "
                "(m, c, x)", "Greater Where");
    }
    void activations() { QCOMPARE(wrongWithSpelling(), std::string()); }

    void normalizations_data()
    {
        addSpellingColumns();
        const char* norm = "m = ReduceMean <axes = [-1]> (x) d = Sub (x, m) q = Pow (d, two) "
                           "v = ReduceMean <axes = [-1]> (q) e = Add (v, eps) s = Sqrt (e) ";
        formula("LayerNorm, ts 11 and 13", 13,
                (std::string(norm) + "n = Div (d, s) w = Mul (n, g) y = Add (w, b)").c_str(),
                "region(ReduceMean Sub Pow ReduceMean Add Sqrt Div Mul Add)");
        formula("LayerNorm, no affine, ts 13", 13, (std::string(norm) + "y = Div (d, s)").c_str(),
                "region(ReduceMean Sub Pow ReduceMean Add Sqrt Div)");
        formula("LayerNorm, ts 17", 17, "y = LayerNormalization (x, g, b)", "LayerNormalization");
        formula("LayerNorm, no affine, dynamo raw", 20,
                "s = Constant <value_ints = [8]> () o = Expand (one, s) y = LayerNormalization "
                "(x, o)", "LayerNormalization");
        formula("RMSNorm, dynamo 18", 18,
                "q = Pow (x, two) v = ReduceMean (q, last) e = Add (v, eps) s = Sqrt (e) r = "
                "Reciprocal (s) n = Mul (x, r) y = Mul (n, g)",
                "region(Pow ReduceMean Add Sqrt Div Mul)");
        formula("RMSNorm, dynamo raw", 20,
                "q = Pow (x, two) f = Constant <value_ints = [-1]> () a = Reshape (last, f) v = "
                "ReduceMean (q, a) e = Add (v, eps) s = Sqrt (e) r = Reciprocal (s) n = Mul (x, "
                "r) w = Mul (n, g) y = CastLike (w, x)", "region(Pow ReduceMean Add Sqrt Div Mul)");
        formula("RMSNorm, operator", 23, "y = RMSNormalization (x, g)", "RMSNormalization");
        formula("F.normalize, ts 17", 17,
                "n = ReduceL2 <axes = [1]> (x) c = Clip (n, eps) s = Shape (x) e = Expand (c, "
                "s) y = Div (x, e)", "ReduceL2 Clip Expand Div");
        formula("F.normalize, dynamo 18", 18,
                "n = ReduceL2 (x, i1) c = Clip (n, eps) s = Constant <value_ints = [2, 8]> () e "
                "= Expand (c, s) y = Div (x, e)", "ReduceL2 Clip Constant Expand Div");
        formula("F.normalize, dynamo raw", 20,
                "f = Constant <value_ints = [-1]> () a = Reshape (i1, f) n = ReduceL2 (x, a) k "
                "= CastLike (eps, x) c = Clip (n, k) p = Constant <value_ints = [2]> () q = "
                "Constant <value_ints = [8]> () s = Concat <axis = 0> (p, q) e = Expand (c, s) "
                "y = Div (x, e)", "ReduceL2 Clip Expand Div");
        formula("x.std(1), ts 17", 17,
                "m = ReduceMean <axes = [1]> (x) s = Shape (x) n = Gather (s, i1) p = "
                "ReduceProd <keepdims = 0> (n) d = Sub (x, m) q = Mul (d, d) v = ReduceMean "
                "<axes = [1], keepdims = 0> (q) f = Cast <to = 1> (p) u = Mul (v, f) o = Sub "
                "(f, one) w = Div (u, o) y = Sqrt (w)",
                "ReduceMean Sub Mul ReduceMean region(Mul Div Sqrt)");
        formula("x.std(1), dynamo 18", 18,
                "m = ReduceMean (x, i1) d = Sub (x, m) q = Mul (d, d) v = ReduceMean <keepdims "
                "= 0> (q, i1) u = Mul (v, six) w = Div (u, two) y = Sqrt (w)",
                "ReduceMean Sub Mul ReduceMean region(Mul Div Sqrt)");
        formula("x.var(unbiased=False)", 17,
                "m = ReduceMean <axes = [1]> (x) d = Sub (x, m) q = Mul (d, d) y = ReduceMean "
                "<axes = [1], keepdims = 0> (q)", "ReduceMean Sub Mul ReduceMean");
    }
    void normalizations() { QCOMPARE(wrongWithSpelling(), std::string()); }

    void normalizationsOfImages_data()
    {
        addSpellingColumns();
        const auto row = [](const char* name, int opset, const char* body, const char* left,
                            const char* refused = "") {
            addSpelling(name, opset, image,
                        "float[8] g = random(3, 0.5, 1.5), float[8] b = random(4), "
                        "float[8, 1, 1] g3 = random(3, 0.5, 1.5), float[8, 1, 1] b3 = random(4), "
                        "float[2] ones = {1, 1}, float[2] zeros = {0, 0}, "
                        "int64[3] grouped = {1, 2, -1}, int64[4] back = {1, 8, 4, 4}, "
                        "double done = {1}, double dzero = {0}, "
                        "int64[1] two = {2}, int64[1] eight = {8}",
                        body, left, refused);
        };
        row("GroupNorm, ts", 17,
            "r = Reshape (x, grouped) i = InstanceNormalization (r, ones, zeros) s = Shape (x) "
            "t = Reshape (i, s) m = Mul (t, g3) y = Add (m, b3)",
            "Reshape InstanceNormalization Reshape region(Mul Add)");
        row("GroupNorm, dynamo 18", 18,
            "r = Reshape (x, grouped) i = InstanceNormalization (r, ones, zeros) t = Reshape "
            "(i, back) m = Mul (t, g3) y = Add (m, b3)",
            "Reshape InstanceNormalization Reshape region(Mul Add)");
        row("GroupNorm, dynamo raw", 20,
            "r = Reshape (x, grouped) k = CastLike (done, x) o = Expand (k, two) l = CastLike "
            "(dzero, x) z = Expand (l, two) i = InstanceNormalization (r, o, z) s = Shape (x) t "
            "= Reshape (i, s) p = CastLike (g3, x) m = Mul (t, p) q = CastLike (b3, x) y = Add "
            "(m, q)", "Reshape InstanceNormalization Reshape region(Mul Add)");
        row("GroupNorm, operator", 21, "y = GroupNormalization <num_groups = 2> (x, g, b)",
            "GroupNormalization");
        row("InstanceNorm2d(affine)", 17, "y = InstanceNormalization (x, g, b)",
            "InstanceNormalization");
        row("InstanceNorm2d(), dynamo raw", 20,
            "s = Constant <value_ints = [8]> () k = CastLike (done, x) o = Expand (k, s) l = "
            "CastLike (dzero, x) z = Expand (l, s) y = InstanceNormalization (x, o, z)",
            "InstanceNormalization");
    }
    void normalizationsOfImages() { QCOMPARE(wrongWithSpelling(), std::string()); }
};

FUSESCOPE_TEST(SpellingsFormulasTest, spellings_formulas_test)
#include "spellings_formulas_test.moc"

#include "spellings.h"
#include "support/test_class.h"

using namespace fusescope::test;

namespace {

constexpr const char* matrix = "float[3, 8] x => float[] y";
constexpr const char* states = "float[2, 5, 8] x => float[] y";
constexpr const char* constants =
    "float[6, 8] W = random(1), float[8, 6] V = random(2), float[6] c = random(3), float[6] s = "
    "random(4, 0.5, 1.5), float[6] b = random(5), float[6] m = random(6), float[6] v = "
    "random(7, 0.5, 2), float[1, 24, 8] L = random(8), float[1, 24, 6] R = random(9), float[1, "
    "48] B = random(10), float[2, 18, 8] GW = random(11), float[2, 18, 6] GR = random(12), "
    "float[2, 36] GB = random(13), float[9, 6] table = random(14), float one = {1}, float zero "
    "= {0}, int64[1] i0 = {0}, int64[1] i1 = {1}, int64[1] i2 = {2}, int64[1] six = {6}, "
    "int64[1] im = {-1}, float half = {0.5}, float fourth = {0.59460356}, float eight = "
    "{2.828427}, float[1] one1 = {1}, float[6, 5, 3] K = random(15), float[6] c6 = random(16), "
    "int64 n0 = {0}, int64 n1 = {1}, int64[1] far = {9223372036854775807}";

void product(const char* name, int opset, const char* body, const char* left,
             const char* refused = "")
{
    addSpelling(name, opset, matrix, constants, body, left, refused);
}

void sequence(const char* name, int opset, const char* body, const char* left,
              const char* refused = "")
{
    addSpelling(name, opset, states, constants, body, left, refused);
}

} // namespace

// Products, attention and recurrent networks as exporters write them, row by row of their table.
// Each row runs both graphs.
class SpellingsProductsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void products_data()
    {
        addSpellingColumns();
        product("Linear on 2-D", 17, "y = Gemm <transB = 1> (x, W, c)", "Gemm");
        product("Linear without bias, ts", 17, "y = MatMul (x, V)", "MatMul");
        product("Linear without bias, dynamo", 18, "y = Gemm <transB = 1> (x, W)", "Gemm");
        product("Linear+BN1d", 17,
                "t = Gemm <transB = 1> (x, W, c) y = BatchNormalization (t, s, b, m, v)", "Gemm");
        product("MatMul+BN1d", 17, "t = MatMul (x, V) y = BatchNormalization (t, s, b, m, v)",
                "Gemm");
        sequence("Linear on 3-D", 17, "t = MatMul (x, V) y = Add (c, t)", "region(MatMul Add)");
        sequence("Linear on 3-D, dynamo raw", 20,
                 "w = Transpose <perm = [1, 0]> (W) t = MatMul (x, w) y = Add (t, c)",
                 "region(MatMul Add)");
        product("Dropout, eval", 17, "y = Gemm <transB = 1> (x, W, c)", "Gemm");
        product("nn.Identity", 17, "y = Relu (x)", "Relu");
        sequence("Conv1d+BN", 17, "t = Conv (x, K, c6) y = BatchNormalization (t, s, b, m, v)",
                 "Conv");
        sequence("einsum bij,bjk", 17,
                 "t = Transpose <perm = [0, 2, 1]> (x) y = Einsum <equation = \"bij,bjk->bik\"> "
                 "(x, t)", "Transpose Einsum");
    }
    void products() { QCOMPARE(wrongWithSpelling(), std::string()); }

    void attention_data()
    {
        addSpellingColumns();
        sequence("sdpa, ts 17", 17,
                 "k = Add (x, one) q = Mul (x, half) d = Shape (q) e = Slice (d, im, far) f = "
                 "Cast <to = 1> (e) g = Sqrt (f) h = Div (one1, g) i = Cast <to = 1> (h) t = "
                 "Transpose <perm = [0, 2, 1]> (k) j = Sqrt (i) l = Mul (q, j) n = Sqrt (i) o = "
                 "Mul (t, n) p = MatMul (l, o) r = Softmax <axis = -1> (p) y = MatMul (r, x)",
                 "Add region(Mul Transpose Mul Mul MatMul Softmax MatMul)");
        sequence("sdpa, dynamo 18", 18,
                 "k = Add (x, one) q = Mul (x, half) z = Constant <value_ints = [-1, 5, 8]> () "
                 "a = Reshape (k, z) t = Transpose <perm = [0, 2, 1]> (a) u = Constant "
                 "<value_ints = [2, 8, 5]> () w = Reshape (t, u) l = Mul (q, fourth) o = Mul "
                 "(w, fourth) p = MatMul (l, o) r = Softmax <axis = -1> (p) y = MatMul (r, x)",
                 "Add region(Mul Transpose Mul Mul MatMul Softmax MatMul)");
        sequence("attention by hand", 17,
                 "q = Mul (x, half) t = Transpose <perm = [0, 2, 1]> (x) p = MatMul (q, t) d = "
                 "Div (p, eight) r = Softmax <axis = -1> (d) k = Add (x, one) y = MatMul (r, k)",
                 "Add region(Mul Transpose MatMul Div Softmax MatMul)");
        addSpelling("sdpa, dynamo 23", 23,
                    "float[2, 2, 5, 4] q, float[2, 2, 5, 4] k, float[2, 2, 5, 4] v => float[] y",
                    "float one = {1}", "a = Add (k, one) y = Attention (q, a, v)", "Add Attention");
        addSpelling("sdpa causal, dynamo 18", 18,
                    "float[2, 2, 5, 4] q, float[2, 2, 5, 4] k, float[2, 2, 5, 4] v => float[] y",
                    "float r = {0.7071067}, float[5, 5] mask = random(1)",
                    "t = Transpose <perm = [0, 1, 3, 2]> (k) l = Mul (q, r) o = Mul (t, r) p = "
                    "MatMul (l, o) a = Add (p, mask) s = Softmax <axis = -1> (a) y = MatMul (s, "
                    "v)", "region(Transpose Mul Mul MatMul Add Softmax MatMul)");
    }
    void attention() { QCOMPARE(wrongWithSpelling(), std::string()); }

    void networks_data()
    {
        addSpellingColumns();
        addSpelling("nn.Embedding", 17, "int64[2, 3] x => float[] y", constants,
                    "z = Mul (x, n0) y = Gather (table, z)", "Mul Gather");
        addSpelling("one_hot, ts", 17, "int64[2, 3] x => int64[] y",
                    "int64 d = {4}, float[2] v = {0, 1}",
                    "o = OneHot <axis = -1> (x, d, v) y = Cast <to = 7> (o)", "OneHot Cast");
        addSpelling("one_hot, dynamo 18", 18, "int64[2, 3] x => int64[] y",
                    "int64[4] k = {0, 1, 2, 3}, int64[1] im = {-1}",
                    "u = Unsqueeze (x, im) e = Equal (u, k) c = Cast <to = 1> (e) y = Cast <to "
                    "= 7> (c)", "Unsqueeze Equal Cast");
        sequence("nn.LSTM, ts", 17,
                 "t = Transpose <perm = [1, 0, 2]> (x) d = Shape (t) n = Gather (d, n1) u = "
                 "Unsqueeze (n, i0) k = Concat <axis = 0> (i1, u, six) e = Expand (zero, k) f = "
                 "Shape (t) g = Gather (f, n1) h = Unsqueeze (g, i0) j = Concat <axis = 0> (i1, "
                 "h, six) l = Expand (zero, j) o, p, q = LSTM <hidden_size = 6> (t, L, R, B, "
                 "\"\", e, l) r = Squeeze (o, i1) y = Transpose <perm = [1, 0, 2]> (r)",
                 "Transpose LSTM Squeeze Transpose");
        addSpelling("nn.LSTM, ts, dynamic", 17, "float[N, T, 8] x => float[] y", constants,
                    "t = Transpose <perm = [1, 0, 2]> (x) d = Shape (t) n = Gather (d, n1) u = "
                    "Unsqueeze (n, i0) k = Concat <axis = 0> (i1, u, six) e = Expand (zero, k) "
                    "o, p, q = LSTM <hidden_size = 6> (t, L, R, B, \"\", e, e) r = Squeeze (o, "
                    "i1) y = Transpose <perm = [1, 0, 2]> (r)", "Transpose LSTM Squeeze Transpose");
        sequence("nn.LSTM, dynamo", 18,
                 "t = Transpose <perm = [1, 0, 2]> (x) o, p, q = LSTM <hidden_size = 6> (t, L, "
                 "R, B) u = Transpose <perm = [2, 0, 1, 3]> (o) k = Constant <value_ints = [2, "
                 "5, 6]> () w = Reshape (u, k) y = Transpose <perm = [1, 0, 2]> (w)",
                 "Transpose LSTM Transpose Constant Reshape Transpose");
        sequence("nn.GRU bidirectional, ts", 17,
                 "d = Shape (x) n = Gather (d, n1) u = Unsqueeze (n, i0) k = Concat <axis = 0> "
                 "(i2, u, six) e = Expand (zero, k) o, p = GRU <direction = \"bidirectional\", "
                 "hidden_size = 6, linear_before_reset = 1> (x, GW, GR, GB, \"\", e) t = "
                 "Transpose <perm = [0, 2, 1, 3]> (o) l = Constant <value_ints = [0, 0, -1]> () "
                 "y = Reshape (t, l)", "GRU Transpose Constant Reshape");
    }
    void networks() { QCOMPARE(wrongWithSpelling(), std::string()); }
};

FUSESCOPE_TEST(SpellingsProductsTest, spellings_products_test)
#include "spellings_products_test.moc"

#include "spellings.h"
#include "support/test_class.h"

using namespace fusescope::test;

namespace {

constexpr const char* image = "float[1, 4, 6, 6] x => float[] y";
constexpr const char* weights =
    "float[4, 4, 3, 3] W = random(1), float[4, 4, 1, 1] V = random(2), float[4] c = random(3), "
    "float[4] s = random(4, 0.5, 1.5), float[4] b = random(5), float[4] m = random(6), float[4] "
    "v = random(7, 0.5, 2), float zero = {0}, float one = {1}, double dzero = {0}, float[4, 1, "
    "1, 1] size = random(8, 0.5, 1), int64[3] axes = {1, 2, 3}, int64[1] i0 = {0}, int64[1] i1 "
    "= {1}, int64[1] i2 = {2}, int64[1] i3 = {3}, int64[1] im = {-1}, int64[1] i5 = {5}, "
    "int64[1] far = {9223372036854775807}, int64[1] lowest = {-9223372036854775807}, int64[8] "
    "around = {0, 0, 1, 1, 0, 0, 1, 1}";

void network(const char* name, int opset, const char* body, const char* left,
             const char* refused = "")
{
    addSpelling(name, opset, image, weights, body, left, refused);
}

} // namespace

// Convolutions, products and what stands around them as exporters write it, row by row of their
// table. Each row runs both graphs.
class SpellingsNetworksTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void convolutions_data()
    {
        addSpellingColumns();
        network("Conv+BN+ReLU, eval", 17, "t = Conv <pads = [1, 1, 1, 1]> (x, W, c) y = Relu (t)",
                "region(Conv Relu)");
        network("Conv+BN+ReLU, PRESERVE", 17,
                "t = Conv (x, W) n = BatchNormalization <training_mode = 0> (t, s, b, m, v) y = "
                "Relu (n)", "region(Conv Relu)");
        network("Conv+BN+ReLU, dynamo raw", 20,
                "d = Shape <start = 0, end = 1> (W) e = Expand (dzero, d) l = CastLike (zero, "
                "x) k = Expand (l, d) t = Conv (x, W, k) n = BatchNormalization (t, s, b, m, v) "
                "y = Relu (n)", "region(Conv Relu)");
        network("Conv+BN+ReLU, train, ts 13", 13,
                "t = Conv (x, W) n, n1, n2, n3, n4 = BatchNormalization (t, s, b, m, v) y = "
                "Relu (n)", "Conv BatchNormalization Relu",
                "conv-batchnorm training-mode-batchnorm");
        network("Conv+BN+ReLU, train, ts 17", 17,
                "t = Conv (x, W) n, n1, n2 = BatchNormalization <training_mode = 1> (t, s, b, "
                "m, v) y = Relu (n)", "Conv BatchNormalization Relu",
                "conv-batchnorm training-mode-batchnorm");
        network("BN affine=False, dynamo raw", 20,
                "t = Conv (x, W, c) d = Constant <value_ints = [4]> () l = CastLike (one, t) o "
                "= Expand (l, d) k = CastLike (dzero, t) z = Expand (k, d) y = "
                "BatchNormalization (t, o, z, m, v)", "Conv");
        network("ConvTranspose+BN", 17,
                "t = ConvTranspose (x, W, c) y = BatchNormalization (t, s, b, m, v)",
                "ConvTranspose");
        network("BN+Conv", 17, "n = BatchNormalization (x, s, b, m, v) y = Conv (n, V, c)", "Conv");
        network("BN+Conv, padded", 17,
                "n = BatchNormalization (x, s, b, m, v) y = Conv <pads = [1, 1, 1, 1]> (n, W, c)",
                "BatchNormalization Conv", "batchnorm-conv padding-sees-shift");
        network("Conv padding='same'", 17, "y = Conv <auto_pad = \"SAME_UPPER\"> (x, W, c)",
                "Conv");
        network("circular padding, ts", 17,
                "l = Slice (x, im, far, i2) r = Slice (x, i0, i1, i2) h = Concat <axis = 2> (l, "
                "x, r) t = Slice (h, im, far, i3) u = Slice (h, i0, i1, i3) w = Concat <axis = "
                "3> (t, h, u) y = Conv (w, W, c)", "Slice Slice Concat Slice Slice Concat Conv",
                "concat-conv axis-mismatch");
        network("circular padding, dynamo 18", 18,
                "p = Pad <mode = \"wrap\"> (x, around) y = Conv (p, W, c)", "Pad Conv",
                "pad-conv unsupported-attribute");
        network("circular padding, dynamo 19", 19,
                "p = Pad <mode = \"wrap\"> (x, around) y = Conv (p, W, c)", "Pad Conv",
                "pad-conv unsupported-attribute");
        network("weight_norm, ts 17", 17,
                "n = ReduceL2 <axes = [1, 2, 3]> (W) d = Div (W, n) w = Mul (d, size) y = Conv "
                "(x, w, c)", "Conv");
        network("weight_norm, ts 20", 20,
                "a = Constant <value_ints = [1, 2, 3]> () n = ReduceL2 (W, a) d = Div (W, n) w "
                "= Mul (d, size) y = Conv (x, w, c)", "Conv");
        network("weight_norm, dynamo raw", 20,
                "f = Constant <value_ints = [-1]> () a = Reshape (axes, f) n = ReduceL2 (W, a) "
                "d = Div (W, n) w = Mul (d, size) y = Conv (x, w, c)", "Conv");
        network("same module twice, dynamo", 18, "t = Conv (x, V, c) y = Add (t, t)", "Conv Add",
                "conv-add-activation multi-consumer");
        network("same module twice, dynamo raw", 20,
                "t = Conv (x, V, c) u = Conv (x, V, c) y = Add (t, u)", "Conv region(Conv Add)");
        network("unused branch", 17, "t = Conv (x, V, c) u = Relu (t) y = Add (x, one)", "Add");
    }
    void convolutions() { QCOMPARE(wrongWithSpelling(), std::string()); }

    void pieces_data()
    {
        addSpellingColumns();
        network("F.pad zero, ts", 17,
                "n = Constant <value_ints = [4]> () k = ConstantOfShape <value: tensor = "
                "int64[1] {0}> (n) p = Constant <value_ints = [1, 1, 1, 1]> () a = Concat <axis "
                "= 0> (p, k) q = Constant <value_ints = [-1, 2]> () r = Reshape (a, q) f = "
                "Slice (r, im, lowest, i0, im) t = Transpose <perm = [1, 0]> (f) g = Reshape "
                "(t, im) w = Cast <to = 7> (g) h = Pad (x, w, zero) y = Conv (h, W, c)", "Conv");
        network("F.pad reflect, dynamo 18", 18,
                "h = Pad <mode = \"reflect\"> (x, around) y = Conv (h, W, c)", "Pad Conv",
                "pad-conv unsupported-attribute");
        network("adaptive_avg_pool2d(1), dynamo raw", 20,
                "k = Constant <value_ints = [2, 3]> () f = Constant <value_ints = [-1]> () a = "
                "Reshape (k, f) y = ReduceMean (x, a)", "ReduceMean");
        network("pixel_shuffle(2)", 17, "y = DepthToSpace <blocksize = 2, mode = \"CRD\"> (x)",
                "DepthToSpace");
        network("channel shuffle, dynamo 18", 18,
                "k = Constant <value_ints = [1, 2, 2, 6, 6]> () r = Reshape (x, k) t = "
                "Transpose <perm = [0, 2, 1, 3, 4]> (r) l = Constant <value_ints = [1, 4, 6, "
                "6]> () y = Reshape (t, l)", "Constant Reshape Transpose Constant Reshape");
        network("channel shuffle, dynamo raw", 20,
                "p = Constant <value_ints = [1]> () q = Constant <value_ints = [2]> () o = "
                "Constant <value_ints = [6]> () k = Concat <axis = 0> (p, q, q, o, o) r = "
                "Reshape (x, k) t = Transpose <perm = [0, 2, 1, 3, 4]> (r) i = Identity (t) l = "
                "Concat <axis = 0> (p, im, o, o) y = Reshape (i, l)", "Reshape Transpose Reshape");
        network("view(x.size(0), -1)", 17,
                "d = Shape (x) z = Constant <value = int64 {0}> () g = Gather (d, z) u = "
                "Unsqueeze (g, i0) k = Concat <axis = 0> (u, im) y = Reshape (x, k)", "Reshape");
        network("flatten(1), dynamo raw", 20,
                "p = Constant <value_ints = [1]> () k = Concat <axis = 0> (p, im) y = Reshape "
                "(x, k)", "Reshape");
        network("flatten(2)", 17,
                "d = Shape (x) h = Slice (d, i0, i2, i0) k = Concat <axis = 0> (h, im) y = "
                "Reshape (x, k)", "Reshape");
        network("chunk(2, 1), ts", 17,
                "d = Shape (x) o = Constant <value = int64 {1}> () n = Gather (d, o) a = Add "
                "(n, o) t = Constant <value = int64 {2}> () q = Div (a, t) e = Mul (q, i1) f = "
                "Slice (x, i0, e, i1) g = Mul (q, i2) h = Slice (x, e, g, i1) y = Sub (f, h)",
                "Split Sub");
        network("chunk(2, 1), dynamo 18", 18,
                "f, h = Split <axis = 1, num_outputs = 2> (x) y = Sub (f, h)", "Split Sub");
        network("x[:, 1:3], dynamo raw", 20,
                "o = Constant <value_int = 1> () a = Cast <to = 7> (o) b1 = Reshape (a, im) t = "
                "Constant <value_int = 3> () e = Cast <to = 7> (t) f = Reshape (e, im) g = Cast "
                "<to = 7> (o) h = Reshape (g, im) y = Slice (x, b1, f, h)", "Slice");
        network("x[:, 0]", 17, "z = Constant <value = int64 {0}> () y = Gather <axis = 1> (x, z)",
                "Constant Gather");
        network("roll, ts", 17,
                "a = Slice (x, im, far, i1) b1 = Slice (x, i0, im, i1) y = Concat <axis = 1> "
                "(a, b1)", "Split Concat");
        network("repeat, ts", 17,
                "n = Constant <value_ints = [4]> () o = ConstantOfShape <value: tensor = "
                "int64[1] {1}> (n) e = Expand (x, o) t = Constant <value_ints = [1, 2, 1, 1]> "
                "() y = Tile (e, t)", "Constant Tile");
        network("expand, ts", 17,
                "a = Slice (x, i0, i1, i1) n = Constant <value_ints = [4]> () o = "
                "ConstantOfShape <value: tensor = int64[1] {1}> (n) k = Constant <value_ints = "
                "[1, 4, 6, 6]> () f = Mul (o, im) e = Equal (k, f) w = Where (e, o, k) g = "
                "Expand (a, w) y = Add (g, x)", "Slice Expand Add");
        network("zeros_like + full, dynamo raw", 20,
                "l = CastLike (dzero, x) d = Shape (x) e = Expand (l, d) f = Cast <to = 1> "
                "(dzero) g = Expand (f, d) h = Add (e, g) y = Add (x, h)", "Add",
                "remove-noop unexpected-constant");
        network("arange(x.shape[1])", 17,
                "d = Shape (x) o = Constant <value = int64 {3}> () n = Gather (d, o) z = "
                "Constant <value = int64 {0}> () u = Constant <value = int64 {1}> () r = Range "
                "(z, n, u) f = Cast <to = 1> (r) y = Add (x, f)", "Add");
        network("interpolate nearest", 17,
                "k = Constant <value_floats = [1.0, 1.0, 2.0, 2.0]> () y = Resize <mode = "
                "\"nearest\", coordinate_transformation_mode = \"asymmetric\", nearest_mode = "
                "\"floor\"> (x, \"\", k)", "Constant Resize");
        network("interpolate bilinear to a size, ts 17", 17,
                "d = Shape (x) h = Slice (d, i0, i2, i0) o = Constant <value_ints = [8, 8]> () "
                "k = Concat <axis = 0> (h, o) y = Resize <mode = \"linear\", "
                "coordinate_transformation_mode = \"pytorch_half_pixel\"> (x, \"\", \"\", k)",
                "Resize");
        network("in-place slice, ts", 17,
                "a = Slice (x, i1, i3, i1) k = Constant <value = float {2.0}> () u = Mul (a, k) "
                "z = Constant <value_ints = [0, 1, 2, 3, 4, 5]> () d = Constant <value_ints = "
                "[1, 2]> () f = Constant <value_ints = [1, 2, 1]> () g = Reshape (d, f) o = "
                "Constant <value_ints = [1, 2, 1]> () h = Expand (g, o) p = Constant "
                "<value_ints = [0]> () q = Expand (p, o) w = Concat <axis = -1> (q, h) y = "
                "ScatterND (x, w, u)", "Slice Constant Mul ScatterND");
        network("in-place slice, dynamo 18", 18,
                "a = Slice (x, i1, i3, i1) k = Constant <value = float {2.0}> () u = Mul (a, k) "
                "t = Transpose <perm = [1, 0, 2, 3]> (x) w = Transpose <perm = [1, 0, 2, 3]> "
                "(u) d = Constant <value = int64[2, 1] {1, 2}> () p = ScatterND (t, d, w) y = "
                "Transpose <perm = [1, 0, 2, 3]> (p)",
                "Slice Constant Mul Transpose Transpose Constant ScatterND Transpose");
    }
    void pieces() { QCOMPARE(wrongWithSpelling(), std::string()); }
};

FUSESCOPE_TEST(SpellingsNetworksTest, spellings_networks_test)
#include "spellings_networks_test.moc"

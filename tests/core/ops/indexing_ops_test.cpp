#include "core/ops/case_table.h"

using namespace fusescope::test;

class IndexingOpsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void kernels_data()
    {
        beginCases();
        const char* const five =
            "float[5] x = {0, 1, 2, 3, 4}, int64[1] a = {-1}, int64[1] b = {-9223372036854775808},"
            "int64[1] z = {0}, int64[1] t = {-2}, int64[1] u = {9223372036854775807}";
        addCase("slice backwards", five, "y = Slice (x, a, b, z, t)", "float[3] {4, 2, 0}");
        addCase("slice by a step past the end", five, "y = Slice (x, z, u, z, u)", "float[1] {0}");
        addCase("slice of nothing", five, "y = Slice (x, a, z, z)", "float[0] {}");
        addCase("slice backwards from before the first", "float[2] x = {7, 8}, int64[1] a = {-9}, int64[1] s = {-1}",
                "y = Slice (x, a, a, \"\", s)", "float[1] {7}");
        addCase("tuples longer than the axes", "float[2, 2] x = {1, 2, 3, 4}, int64[2, 2] i = {0, 0, 0, 0}",
                "y = GatherND <batch_dims = 1> (x, i)",
                "! Input 2 must have shape […, 1 … 1], but it has [2, 2].");
        addCase("tuples of another batch", "float[2, 2] x = {1, 2, 3, 4}, int64[3, 1] i = {0, 0, 0}",
                "y = GatherND <batch_dims = 1> (x, i)",
                "! Input 2 must have size 2 at axis 0, but its shape is [3, 1].");
        addCase("slice by attributes", five,
                "y = Slice <axes = [0], starts = [1], ends = [-1]> (x)", "float[3] {1, 2, 3}", 1);
        addCase("slice without a step", five, "y = Slice (x, z, u, z, z)",
                "! steps must be != 0, but it is 0.");
        addCase("gather from the end", "string[3] x = {\"a\", \"b\", \"c\"}, int64[2] i = {-1, 0}",
                "y = Gather (x, i)", "string[2] {c, a}");
        addCase("gather out of range", "float[3] x = {1, 2, 3}, int64[1] i = {3}",
                "y = Gather (x, i)", "! Input 2 holds the index 3, which is out of range for a size of 3.");
        addCase("gather nothing", "float[0, 2] x = {}, int64[0] i = {}", "y = Gather (x, i)",
                "float[0, 2] {}");
        addCase("gather elements", "float[2, 2] x = {1, 2, 3, 4}, int64[2, 1] i = {1, 0}",
                "y = GatherElements <axis = 1> (x, i)", "float[2, 1] {2, 3}");
        addCase("gather by tuples in batches",
                "int32[2, 2] x = {1, 2, 3, 4}, int64[2, 1] i = {1, 0}",
                "y = GatherND <batch_dims = 1> (x, i)", "int32[2] {2, 3}");
        addCase("scatter with repeated places",
                "float[2] x = {1, 1}, int64[3] i = {0, 0, 1}, float[3] u = {2, 3, 4}",
                "y = ScatterElements <reduction = \"add\"> (x, i, u)", "float[2] {6, 5}");
        addCase("scatter the least",
                "int8[2] x = {1, 1}, int64[2, 1] i = {0, -1}, int8[2] u = {-2, 3}",
                "y = ScatterND <reduction = \"min\"> (x, i, u)", "int8[2] {-2, 1}");
        addCase("scatter updates of a wrong shape",
                "float[2, 2] x = {1, 1, 1, 1}, int64[1, 1] i = {0}, float[1] u = {2}",
                "y = ScatterND (x, i, u)", "! Input 3 must have shape [1, 2], but it has [1].");
        addCase("cache that wraps",
                "float[1, 3, 1] x = {1, 2, 3}, float[1, 2, 1] u = {8, 9}, int64[1] i = {2}",
                "y = TensorScatter <mode = \"circular\"> (x, u, i)", "float[1, 3, 1] {9, 2, 8}");
        addCase("where", "bool[2, 1] c = {1, 0}, float[2] x = {1, 2}, float y = {9}",
                "z = Where (c, x, y)", "float[2, 2] {1, 2, 9, 9}");
        addCase("compress", "float[2, 3] x = {1, 2, 3, 4, 5, 6}, bool[2] c = {0, 1}",
                "y = Compress <axis = 1> (x, c)", "float[2, 1] {2, 5}");
        addCase("non-zero", "float[2, 2] x = {0, 1, nan, 0}", "y = NonZero (x)",
                "int64[2, 2] {0, 1, 1, 0}");
        addCase("one-hot, out of range",
                "int64[3] i = {1, -1, 7}, int64 d = {2}, float[2] v = {0, 5}",
                "y = OneHot (i, d, v)", "float[3, 2] {0, 5, 0, 5, 0, 0}");
        addCase("lower triangle", "int64[2, 3] x = {1, 2, 3, 4, 5, 6}, int64 k = {-1}",
                "y = Trilu <upper = 0> (x, k)", "int64[2, 3] {0, 0, 0, 4, 0, 0}");
        addCase(
            "unique", "float[4] x = {2, 1, 2, 3}", "y, i, j, n = Unique (x)",
            "float[3] {1, 2, 3}; int64[3] {1, 0, 3}; int64[4] {1, 0, 1, 2}; int64[3] {1, 2, 1}");
        addCase("unique as they come", "string[3] x = {\"b\", \"a\", \"b\"}",
                "y = Unique <sorted = 0> (x)", "string[2] {b, a}");
        addCase("unique complex numbers", "complex64[4] x = {1, 2, 1, -1, 0, 5, 1, 2}",
                "y = Unique (x)", "complex64[3] {0+5i, 1-1i, 1+2i}");
        addCase("a condition beyond the end", "float[2] x = {1, 2}, bool[3] c = {0, 0, 1}",
                "y = Compress (x, c)",
                "! The condition, input 2, selects 2, but the axis has only 2 elements.");
        addCase("columns of complex numbers",
                "complex64[1, 2, 2] x = {1, 2, 3, 4, 5, 6, 7, 8}, int64[1] i = {3}, int64[1] b = {2}",
                "y = Col2Im (x, i, b)", "complex64[1, 1, 3] {1+2i, 8+10i, 7+8i}");
    }
    void kernels() { runCase(); }

    // Beside a 0 other sizes may be huge: nothing may loop over them or allocate for them.
    void hugeSizesBesideNothing_data()
    {
        beginCases();
        const char* const huge =
            "int64[2] s = {1099511627776, 0}, int64 k = {0}, int64[1] none = {0}";
        addCase("unique", huge, "x = ConstantOfShape (s) y = Unique <axis = 1> (x)",
                "float[1099511627776, 0] {}");
        addCase("largest of nothing", huge,
                "x = ConstantOfShape (s) v, i = TopK <axis = 0> (x, none)",
                "float[0, 0] {}; int64[0, 0] {}");
        addCase("identity", huge, "x = ConstantOfShape (s) y = EyeLike (x)",
                "float[1099511627776, 0] {}");
        addCase("transposed", huge, "x = ConstantOfShape (s) y = Transpose (x)",
                "float[0, 1099511627776] {}");
        addCase("reduced away", huge, "x = ConstantOfShape (s) y = CumSum (x, k)",
                "float[1099511627776, 0] {}");
    }
    void hugeSizesBesideNothing() { runCase(); }

    void slicesOfUnknownSizes()
    {
        const char* const values =
            "int64[1] z = {0}, int64[1] o = {1}, int64[1] m = {-1}, int64[1] two = {2},"
            "int64[1] far = {9223372036854775807}";
        compareInferred(infer("float[N] x", values, "y = Slice (x, o, far, z)", "y"),
                        "float[max(N, 1)-1]");
        compareInferred(infer("float[N] x", values, "y = Slice (x, z, far, z)", "y"), "float[N]");
        compareInferred(infer("float[2*N] x", values, "y = Slice (x, z, far, z, two)", "y"),
                        "float[N]");
        compareInferred(
            infer("float[N, 4, H] x", values, "s = Shape (x) y = Slice (s, o, far, z)", "y"),
            "int64[2] {4, H}");
        compareInferred(
            infer("float[N, 4, H] x", values, "s = Shape (x) y = Slice (s, m, z, z, m)", "y"),
            "int64[2] {H, 4}");
        // A slice up to the size of another input.
        compareInferred(
            infer("float[N] x, float[512] p", values, "s = Shape (x) y = Slice (p, z, s, z)", "y"),
            "float[min(N, 512)]");
        compareInferred(infer("float[N] x, float[512] p", values,
                              "s = Shape (x) q = Slice (p, z, s, z) y = Add (x, q)", "y"),
                        "float[N]");
    }

    void patchedShapeVectors()
    {
        compareInferred(infer("float[N, 4] x", "int64[1, 1] i = {1}, int64[1] u = {7}",
                              "s = Shape (x) y = ScatterND (s, i, u)", "y"),
                        "int64[2] {N, 7}");
        compareInferred(infer("float[N, 4] x", "int64[2] m = {-1, -1}",
                              "s = Shape (x) e = Equal (m, s) y = Where (e, m, s)", "y"),
                        "int64[2] {N, 4}");
    }
};

FUSESCOPE_TEST(IndexingOpsTest, indexing_ops_test)
#include "indexing_ops_test.moc"

#include "core/ops/case_table.h"

using namespace fusescope::test;

class ShapingOpsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void kernels_data()
    {
        beginCases();
        addCase("padding beyond all measure", "float[2] x = {1, 2}, int64[2] p = {0, 9223372036854775807}",
                "y = Pad (x, p)", "! pads must be > -2^40, < 2^40, but it is 9223372036854775807.");
        const char* const six = "float[2, 3] x = {0, 1, 2, 3, 4, 5}, int64[2] s = {3, -1}";
        addCase("reshape", six, "y = Reshape (x, s)", "float[3, 2] {0, 1, 2, 3, 4, 5}");
        addCase("reshape copies a size",
                "float[2, 3] x = {0, 1, 2, 3, 4, 5}, int64[3] s = {0, 1, -1}", "y = Reshape (x, s)",
                "float[2, 1, 3] {0, 1, 2, 3, 4, 5}");
        addCase("reshape to a true zero", "float[0, 3] x = {}, int64[2] s = {3, 0}",
                "y = Reshape <allowzero = 1> (x, s)", "float[3, 0] {}");
        addCase("reshape that does not fit",
                "float[2, 3] x = {0, 1, 2, 3, 4, 5}, int64[2] s = {4, -1}", "y = Reshape (x, s)",
                "! Shape [2, 3] cannot become [4, -1]: the numbers of elements differ.");
        addCase("reshape by an attribute", "float[4] x = {0, 1, 2, 3}",
                "y = Reshape <shape = [2, 2]> (x)", "float[2, 2] {0, 1, 2, 3}", 1);
        addCase("shape from the end", "float[2, 3, 4] x = fill(0)", "y = Shape <start = -2> (x)",
                "int64[2] {3, 4}");
        addCase("transpose of packed elements", "int4[2, 3] x = {-8, -1, 0, 1, 2, 7}",
                "y = Transpose (x)", "int4[3, 2] {-8, 1, -1, 2, 0, 7}");
        addCase("transpose of strings", "string[2, 2] x = {\"a\", \"b\", \"c\", \"d\"}",
                "y = Transpose <perm = [1, 0]> (x)", "string[2, 2] {a, c, b, d}");
        addCase("transpose by a wrong permutation", six, "y = Transpose <perm = [0, 0]> (x)",
                "! Axis 0 is named twice.");
        addCase("concat with an empty part", "int32[2] a = {1, 2}, int32[0] b = {}",
                "y = Concat <axis = 0> (a, b, a)", "int32[4] {1, 2, 1, 2}");
        addCase("split unevenly", "float[5] x = {1, 2, 3, 4, 5}",
                "a, b, c = Split <num_outputs = 3> (x)",
                "float[2] {1, 2}; float[2] {3, 4}; float[1] {5}");
        addCase("split unevenly before 18", "float[5] x = {1, 2, 3, 4, 5}", "a, b = Split (x)",
                "! The size 5 cannot be split into 2 equal parts.", 13);
        addCase("squeeze what is not one", six, "y = Squeeze <axes = [1]> (x)",
                "! Axis 1 cannot be removed: its size is 3, not 1.", 11);
        addCase("unsqueeze from the end", "float[2] x = {1, 2}, int64[2] a = {-1, 0}",
                "y = Unsqueeze (x, a)", "float[1, 2, 1] {1, 2}");
        addCase("flatten at the rank", six, "y = Flatten <axis = 2> (x)",
                "float[6, 1] {0, 1, 2, 3, 4, 5}");
        addCase("expand", "float[2, 1] x = {1, 2}, int64[1] s = {2}", "y = Expand (x, s)",
                "float[2, 2] {1, 1, 2, 2}");
        addCase("tile", "float[1, 2] x = {1, 2}, int64[2] r = {2, 2}", "y = Tile (x, r)",
                "float[2, 4] {1, 2, 1, 2, 1, 2, 1, 2}");
        addCase("tile along one axis", "float[2] x = {1, 2}, float t = {2}, float a = {0}",
                "y = Tile (x, t, a)", "float[4] {1, 2, 1, 2}", 1);
        addCase("pad and crop", "float[3] x = {1, 2, 3}, int64[2] p = {-1, 2}, float v = {9}",
                "y = Pad (x, p, v)", "float[4] {2, 3, 9, 9}");
        addCase("pad by wrapping what is left", "float[4] x = {1, 2, 3, 4}, int64[2] p = {-1, 3}",
                "y = Pad <mode = \"wrap\"> (x, p)", "float[6] {2, 3, 4, 2, 3, 4}");
        addCase("pad by what is cut at the end", "float[4] x = {1, 2, 3, 4}, int64[2] p = {3, -1}",
                "y = Pad <mode = \"wrap\"> (x, p)", "float[6] {1, 2, 3, 1, 2, 3}");
        addCase("pad with nothing left", "float[2] x = {1, 2}, int64[2] p = {-2, 3}",
                "y = Pad <mode = \"edge\"> (x, p)", "! pads must be > -2, but it is [-2, 3].");
        addCase("tile by less than nothing", "float[1] x = {1}, int64[1] r = {-1}", "y = Tile (x, r)",
                "! repeats must be >= 0, but it is -1.");
        addCase("pad by reflection, further than the size",
                "float[3] x = {1, 2, 3}, int64[2] p = {3, 0}",
                "y = Pad <mode = \"reflect\"> (x, p)", "float[6] {2, 3, 2, 1, 2, 3}");
        addCase("pad by wrapping, one axis",
                "float[1, 3] x = {1, 2, 3}, int64[2] p = {1, 1}, int64[1] a = {1}",
                "y = Pad <mode = \"wrap\"> (x, p, \"\", a)", "float[1, 5] {3, 1, 2, 3, 1}");
        addCase("pad by an attribute", "float[2] x = {1, 2}",
                "y = Pad <pads = [1, 0], value = 5.0> (x)", "float[3] {5, 1, 2}", 2);
        addCase("depth to space", "float[1, 4, 1, 1] x = {1, 2, 3, 4}",
                "y = DepthToSpace <blocksize = 2> (x)", "float[1, 1, 2, 2] {1, 2, 3, 4}");
        addCase("reversed sequences", "float[2, 3] x = {1, 2, 3, 4, 5, 6}, int64[2] l = {2, 3}",
                "y = ReverseSequence <batch_axis = 0, time_axis = 1> (x, l)",
                "float[2, 3] {2, 1, 3, 6, 5, 4}");
        addCase("a rest of nothing", "float[0, 3] x = {}, int64[2] s = {0, -1}", "y = Reshape (x, s)",
                "! Shape [0, 3] cannot become [0, -1]: the numbers of elements differ.");
        addCase("a zero and a rest", "float[2, 3] x = fill(1), int64[2] s = {-1, 0}",
                "y = Reshape <allowzero = 1> (x, s)",
                "! Shape [2, 3] cannot become [-1, 0]: the numbers of elements differ.");
        addCase("scales and sizes", "float[1, 1, 2] x = {1, 2}, float[3] k = {1, 1, 2}, int64[3] n = {1, 1, 4}",
                "y = Resize (x, \"\", k, n)",
                "! Either scales or sizes may be given, inputs 3 and 4, not both.");
        addCase("expanded by a negative size", "float[1] x = {1}, int64[1] s = {-2}", "y = Expand (x, s)",
                "! A result of shape [-2] would have a negative size.");
        addCase("texts beyond memory", "string[1] x = {\"a\"}, int64[1] s = {300000000}",
                "y = Tile (x, s)",
                "! A result of type string and shape [300000000] does not fit into the "
                "8589934592 bytes that the run may still use.");
        addCase("center", "float[4] x = {1, 2, 3, 4}, int64[1] s = {2}", "y = CenterCropPad (x, s)",
                "float[2] {2, 3}");
    }
    void kernels() { runCase(); }

    void reshapeKeepsTerms()
    {
        // The target of a transformer's heads: [N, S, 4, 16] from [N, S, 64].
        const char* const values =
            "int64 i0 = {0}, int64 i1 = {1}, int64[1] z = {0},"
            "int64[1] heads = {4}, int64[1] rest = {-1}, int64[2] back = {64, -1}";
        compareInferred(infer("float[N, S, 64] x", values,
                              "s = Shape (x) a = Gather (s, i0) b = Gather (s, i1)"
                              "c = Unsqueeze (a, z) d = Unsqueeze (b, z)"
                              "t = Concat <axis = 0> (c, d, heads, rest) y = Reshape (x, t)",
                              "y"),
                        "float[N, S, 4, 16]");
        compareInferred(infer("float[N, S, 64] x", values, "y = Reshape (x, back)", "y"),
                        "float[64, N*S]");
    }

    void sizesAreFollowed()
    {
        compareInferred(infer("float[N, 3, H, 4] x", "", "y = Flatten (x)", "y"), "float[N, 12*H]");
        compareInferred(
            infer("float[N, 3] x, float[M, 3] y", "", "z = Concat <axis = 0> (x, y)", "z"),
            "float[M+N, 3]");
        compareInferred(infer("float[N, 3] x", "int64[4] p = {1, 0, 1, 0}", "z = Pad (x, p)", "z"),
                        "float[N+2, 3]");
        compareInferred(
            infer("float[N, 8] x", "", "a, b = Split <axis = 1, num_outputs = 2> (x)", "b"),
            "float[N, 4]");
        compareInferred(infer("float[N, 3] x", "", "a = Size (x)", "a"), "int64[] {3*N}");
    }

    void contradictionsAreNamed()
    {
        compareInferred(infer("float[2, 3] x", "int64[1] s = {5}", "y = Reshape (x, s)", "y"),
                        "! Shape [2, 3] cannot become [5]: the numbers of elements differ.");
        compareInferred(
            infer("float[2, 3] x, float[2, 4] y", "", "z = Concat <axis = 0> (x, y)", "z"),
            "! The sizes along axis 1 differ: 3 and 4.");
        compareInferred(infer("float[2, 3] x", "", "z = Transpose <perm = [0, 1, 2]> (x)", "z"),
                        "! Attribute `perm` must be 2 axes, but it is 3.");
    }
};

FUSESCOPE_TEST(ShapingOpsTest, shaping_ops_test)
#include "shaping_ops_test.moc"

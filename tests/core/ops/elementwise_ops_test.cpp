#include "core/ops/case_table.h"

using namespace fusescope::test;

class ElementwiseOpsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void kernels_data()
    {
        beginCases();
        addCase("integers wrap", "int8[2] a = {100, -128}, int8[2] b = {100, 1}", "c = Add (a, b)",
                "int8[2] {-56, -127}");
        addCase("broadcast", "float[2, 1] a = {1, 2}, float[2] b = {10, 20}", "c = Add (a, b)",
                "float[2, 2] {11, 21, 12, 22}");
        addCase("old broadcast from an axis",
                "float[2, 2, 2] a = {0, 0, 0, 0, 0, 0, 0, 0}, float[2] b = {1, 2}",
                "c = Add <axis = 1, broadcast = 1> (a, b)",
                "float[2, 2, 2] {1, 1, 2, 2, 1, 1, 2, 2}", 6);
        addCase("no broadcast in old versions unasked", "float[2] a = {0, 0}, float[1] b = {1}",
                "c = Add (a, b)", "! Input 2 must have shape [2], but it has [1].", 6);
        addCase("empty", "float[0, 3] a = {}, float[3] b = {1, 2, 3}", "c = Mul (a, b)",
                "float[0, 3] {}");
        addCase("division truncates", "int32[3] a = {-7, 7, -2147483648}, int32[3] b = {2, -2, -1}",
                "c = Div (a, b)", "int32[3] {-3, -3, -2147483648}");
        addCase("division by zero", "int32[2] a = {1, 2}, int32[2] b = {1, 0}", "c = Div (a, b)",
                "! Input 2 is zero where element 1 is to be divided by it.");
        addCase("nothing divided by zero", "int32[0] a = {}, int32[1] b = {0}", "c = Div (a, b)",
                "int32[0] {}");
        addCase("mod has the divisor's sign", "int32[2] a = {-7, 7}, int32[2] b = {3, -3}",
                "c = Mod (a, b)", "int32[2] {2, -2}");
        addCase("fmod has the dividend's sign", "float[2] a = {-7, 7}, float[2] b = {3, -3}",
                "c = Mod <fmod = 1> (a, b)", "float[2] {-1, 1}");
        addCase("power of mixed types", "int32[3] a = {2, -3, 5}, float[3] b = {3, 2, 0}",
                "c = Pow (a, b)", "int32[3] {8, 9, 1}");
        addCase("power of integers wraps", "int32[2] a = {2, -1}, int64[2] b = {33, -3}",
                "c = Pow (a, b)", "int32[2] {0, -1}");
        addCase("half is rounded once", "float16[1] a = {2048}, float16[1] b = {1.5}",
                "c = Add (a, b)", "float16[1] {2050}");
        addCase("maximum keeps NaN", "float[2] a = {nan, 1}, float[2] b = {1, nan}",
                "c = Max (a, b)", "float[2] {nan, nan}");
        addCase("mean of three", "float[1] a = {1}, float[1] b = {2}, float[1] d = {6}",
                "c = Mean (a, b, d)", "float[1] {3}");
        addCase("round to even", "float[4] a = {0.5, 1.5, -2.5, 2.4}", "c = Round (a)",
                "float[4] {0, 2, -2, 2}");
        addCase("least integer has no opposite", "int8[1] a = {-128}", "c = Neg (a)",
                "int8[1] {-128}");
        addCase("types differ", "float[1] a = {1}, int32[1] b = {1}", "c = Add (a, b)",
                "! Input 2 must be of type float, but it is int32.");
        addCase("shift past the width", "uint8[3] a = {255, 255, 255}, uint8[3] b = {1, 8, 200}",
                "c = BitShift <direction = \"LEFT\"> (a, b)", "uint8[3] {254, 0, 0}");
        addCase("signs are shifted in", "int8[3] a = {-8, -8, 8}, int8[3] b = {1, 100, -1}",
                "c = BitShift <direction = \"RIGHT\"> (a, b)", "int8[3] {-4, -1, 0}");
        addCase("equal strings", "string[2] a = {\"x\", \"y\"}, string[1] b = {\"y\"}",
                "c = Equal (a, b)", "bool[2] {0, 1}");
        addCase("infinities", "float[3] a = {inf, -inf, 1}", "c = IsInf <detect_negative = 0> (a)",
                "bool[3] {1, 0, 0}");
        addCase(
            "optimizer",
            "float r = {0.1}, int64 t = {0}, float[1] x = {1}, float[1] g = {2}, float[1] h = {0}",
            "y, k = ai.onnx.preview.training.Adagrad <epsilon = 0.0> (r, t, x, g, h)",
            "float[1] {0.9}; float[1] {4}");
    }
    void kernels() { runCase(); }

    void shapeDataGoesThroughArithmetic()
    {
        const char* const inputs = "float[N, 3, H] x";
        const char* const values = "int64 i0 = {0}, int64 i2 = {2}, int64 two = {2}, float half = "
                                   "{0.5}, float fours = {4}";
        compareInferred(infer(inputs, values,
                              "s = Shape (x) n = Gather (s, i0) h = Gather (s, i2) a = Mul (n, two)"
                              "b = Add (a, h)",
                              "b"),
                        "int64[] {H+2*N}");
        compareInferred(
            infer(inputs, values, "s = Shape (x) h = Gather (s, i2) b = Div (h, two)", "b"),
            "int64[] {floor(H/2)}");
        // As exporters scale sizes: through floats, rounded down, and back.
        compareInferred(
            infer(inputs, values,
                  "s = Shape (x) h = Gather (s, i2) f = Cast <to = 1> (h) g = Mul (f, fours)"
                  "r = Floor (g) b = Cast <to = 7> (r)",
                  "b"),
            "int64[] {4*H}");
        // A half is no whole number: nothing is claimed.
        compareInferred(
            infer(inputs, values,
                  "s = Shape (x) h = Gather (s, i2) f = Cast <to = 1> (h) b = Mul (f, half)", "b"),
            "float[]");
    }

    void comparisonsAreDecided()
    {
        const char* const inputs = "float[N, N] x";
        const char* const values = "int64 i0 = {0}, int64 i1 = {1}, int64 minus = {-1}";
        const std::string heads = "s = Shape (x) a = Gather (s, i0) b = Gather (s, i1) ";
        compareInferred(infer(inputs, values, heads + "c = Equal (a, b)", "c"), "bool[] {1}");
        compareInferred(infer(inputs, values, heads + "c = Less (minus, b)", "c"), "bool[] {1}");
        compareInferred(
            infer(inputs, values, heads + "e = Equal (a, minus) c = Where (e, i1, b)", "c"),
            "int64[] {N}");
    }

    void wrongTypesAreNamed()
    {
        compareInferred(infer("float[2] x, int32[2] y", "", "z = Add (x, y)", "z"),
                        "! Input 2, `y`, must be of type float, but it is int32.");
        compareInferred(infer("float[2] x, float[3] y", "", "z = Add (x, y)", "z"),
                        "! Input 2, `y`, of shape [3] cannot be broadcast with [2].");
    }
};

FUSESCOPE_TEST(ElementwiseOpsTest, elementwise_ops_test)
#include "elementwise_ops_test.moc"

#include "core/ops/case_table.h"

#include "model/graph_text.h"
#include "ops/inference.h"
#include "ops/registry.h"

#include <complex>
#include <numbers>

using namespace fusescope;
using namespace fusescope::test;

// Activations, reductions, casts, generated tensors, quantization and resizing.
class NumericOpsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    // Two names for one label: either may be 1, so neither is the result's size.
    void einsumOfTwoNames()
    {
        const auto typeOf = [](const char* shape, const char* equation) {
            const auto graph = parseGraph(std::string("g (float") + shape +
                                          " x) => (y) { y = Einsum <equation = \"" + equation +
                                          "\"> (x) }");
            const auto inferred = graph ? inferGraph(*graph) : Result<InferredGraph>(InferredGraph{});
            Graph result = *graph;
            if (!inferred || !result.apply(inferred->patch))
                return std::string("not inferred");
            const ValueId y = result.body(result.mainBody())->outputs.front();
            const Shape& shapeOfY = result.value(y)->type.shape;
            return shapeOfY.hasRank() && shapeOfY.rank() == 1 ? shapeOfY[0].text() : std::string("?");
        };
        QCOMPARE(typeOf("[N, N]", "ii->i"), std::string("N"));
        QCOMPARE(typeOf("[N, 3]", "ii->i"), std::string("3"));
        QVERIFY(typeOf("[N, M]", "ii->i") != "N");
        QVERIFY(typeOf("[N, M]", "ii->i") != "M");
    }

    // A long prime length, against the definition.
    void transformOfALongPrime()
    {
        constexpr std::int64_t size = 1031;
        std::vector<double> signal;
        for (std::int64_t n = 0; n < size; ++n)
            signal.push_back(static_cast<double>(n * 7919 % 101) / 50.0 - 1.0);
        const auto graph = parseGraph("<ir_version: 10, opset_import: [\"\" : 20]> g (double[1, 1031, "
                                      "1] x, int64 a) => (y) { y = DFT (x, \"\", a) }");
        QVERIFY(graph);
        const NodeId id = graph->nodes(graph->mainBody())->front();
        const std::vector<RuntimeValue> inputs = {Tensor::of<double>({1, size, 1}, signal),
                                                  RuntimeValue(), Tensor::scalar<std::int64_t>(1)};
        KernelContext context(*graph->node(id), id, 20, inputs, {}, 0, {});
        QVERIFY(findOp("", "DFT", 20)->kernel(context));
        const Tensor& result = *context.outputs().front().tensor();
        double worst = 0;
        for (std::int64_t k = 0; k < size; ++k) {
            std::complex<double> sum;
            for (std::int64_t n = 0; n < size; ++n)
                sum += signal[static_cast<std::size_t>(n)] *
                       std::polar(1.0, -2.0 * std::numbers::pi * static_cast<double>(k * n % size) /
                                           static_cast<double>(size));
            const std::complex<double> found(result.asDouble(2 * k), result.asDouble(2 * k + 1));
            worst = std::max(worst, std::abs(found - sum));
        }
        QVERIFY2(worst < 1e-10, std::to_string(worst).c_str());
    }

    void activations_data()
    {
        beginCases();
        addCase("clip with crossed bounds", "float[3] x = {-1, 0, 5}, float a = {3}, float b = {1}",
                "y = Clip (x, a, b)", "float[3] {1, 1, 1}");
        addCase("clip keeps NaN", "float[1] x = {nan}, float a = {0}", "y = Clip (x, a)",
                "float[1] {nan}");
        addCase("clip of integers, one bound", "int8[3] x = {-5, 0, 5}, int8 b = {2}",
                "y = Clip (x, \"\", b)", "int8[3] {-5, 0, 2}");
        addCase("clip by attributes", "float[2] x = {-5, 5}",
                "y = Clip <min = -1.0, max = 1.0> (x)", "float[2] {-1, 1}", 6);
        addCase("clip by default", "float[2] x = {-inf, 2}", "y = Clip (x)",
                "float[2] {-3.40282e+38, 2}", 6);
        addCase("clip without bounds", "float[2] x = {-inf, 2}", "y = Clip (x)", "float[2] {-inf, 2}",
                1);
        addCase("clip by the limits of float", "float[3] x = {-inf, inf, nan}, float a = {0}",
                "y = Clip (x, a)", "float[3] {0, 3.40282e+38, nan}", 13);
        addCase("clip by the limits of half", "float16[2] x = {-inf, inf}", "y = Clip (x)",
                "float16[2] {-65504, 65504}", 13);
        addCase("clip of integers without bounds", "int64[2] x = {-9223372036854775808, 3}",
                "y = Clip (x)", "int64[2] {-9223372036854775808, 3}", 13);
        addCase("slope along the channels", "float[1, 2, 1] x = {-1, -1}, float[2] s = {0.5, 2}",
                "y = PRelu (x, s)", "float[1, 2, 1] {-0.5, -2}", 6);
        addCase("the greatest integer", "uint64[1] x = {18446744073709551615}", "y = Identity (x)",
                "uint64[1] {18446744073709551615}");
        addCase("padding of the output beyond the stride",
                "float[1, 1, 2] x = {1, 2}, float[1, 1, 2] w = {1, 1}",
                "y = ConvTranspose <output_padding = [2], strides = [2]> (x, w)",
                "! Attribute `output_padding` must be <= 1, but it is [2].");
        addCase("a diagonal that is written", "float[2, 2] x = {1, 2, 3, 4}",
                "y = Einsum <equation = \"ij->ii\"> (x)",
                "! The equation `ij->ii` does not fit inputs of the rank(s) 2.");
        addCase("deformed in two axes", "float[1, 1, 2, 2] x = fill(1), float[1, 1, 1, 1] w = {1}, "
                "float[1, 2, 4] o = fill(0)", "y = DeformConv (x, w, o)",
                "! Input 3 must have rank 4, but it has rank 3.", 19);
        addCase("relu of integers", "int8[2] x = {-3, 3}", "y = Relu (x)", "int8[2] {0, 3}");
        addCase("celu", "float[2] x = {-1, 1}", "y = Celu <alpha = 2.0> (x)",
                "float[2] {-0.786939, 1}");
        addCase("gelu", "float[2] x = {-1, 1}", "y = Gelu (x)", "float[2] {-0.158655, 0.841345}");
        addCase("softmax of rows, last axis of an old version", "float[2, 2] x = {0, 0, 0, 0}",
                "y = Softmax <axis = -1> (x)", "float[2, 2] {0.5, 0.5, 0.5, 0.5}", 6);
        addCase("softmax of rows, past the last axis", "float[2] x = {3, 4}",
                "y = Softmax <axis = 1> (x)", "float[2] {1, 1}", 6);
        addCase("unknown approximation", "float[1] x = {1}", "y = Gelu <approximate = \"x\"> (x)",
                "! Attribute `approximate` must be none, tanh, but it is x.");
        addCase("softplus far out", "float[2] x = {1000, -1000}", "y = Softplus (x)",
                "float[2] {1000, 0}");
        addCase("dropout at rest", "float[2] x = {1, 2}", "y, m = Dropout (x)",
                "float[2] {1, 2}; bool[2] {1, 1}");
        addCase("old mask", "float[2] x = {1, 2}", "y, m = Dropout (x)",
                "float[2] {1, 2}; float[2] {1, 1}", 7);
        addCase("dropout of eight-bit floats",
                "float[64] f = fill(3), float r = {0.5}, bool t = {1}",
                "x = Cast <to = 19> (f) d = Dropout (x, r, t) z = Cast <to = 1> (d) y = ReduceMax (z)",
                "float[1] {6}");
        addCase("error function of integers", "int32[5] x = {-9, -1, 0, 1, 9}", "y = Erf (x)",
                "int32[5] {-1, 0, 0, 0, 1}");
        addCase("gated", "float[1] a = {0}, float[1] b = {3}", "y = SwiGLU (a, b)", "float[1] {0}");
    }
    void activations() { runCase(); }

    void reductions_data()
    {
        beginCases();
        addCase("sum of nothing", "float[2, 0] x = {}, int64[1] a = {1}",
                "y = ReduceSum <keepdims = 0> (x, a)", "float[2] {0, 0}");
        addCase("greatest of nothing", "float[0] x = {}", "y = ReduceMax <keepdims = 0> (x)",
                "float[] {-inf}");
        addCase("a chain of products", "float[1, 2] a = {1, 2}, float[2, 2] b = {1, 2, 3, 4}, float[2, 1] c = {5, 6}",
                "y = Einsum <equation = \"ij,jk,kl->il\"> (a, b, c)", "float[1, 1] {95}");
        addCase("three operands that broadcast", "int32[1, 2] a = {1, 2}, int32[3, 1] b = {1, 2, 3}, int32[1] c = {4}",
                "y = Einsum <equation = \"ij,ij,j->ji\"> (a, b, c)", "int32[2, 3] {4, 8, 12, 8, 16, 24}");
        addCase("a diagonal and two sums", "double[2, 2] a = {1, 9, 9, 2}, double[3] b = {1, 2, 3}, double[2] c = {4, 5}",
                "y = Einsum <equation = \"ii,j,k->i\"> (a, b, c)", "double[2] {54, 108}");
        addCase("three operands and an ellipsis", "float[2, 2] a = {1, 2, 3, 4}, float[2] b = {1, 10}, float[2] c = {1, 2}",
                "y = Einsum <equation = \"...i,i,...->...\"> (a, b, c)", "float[2] {21, 86}");
        addCase("three operands of nothing", "float[0] a = {}, float[2] b = {1, 2}",
                "y = Einsum <equation = \"i,j,i->j\"> (a, b, a)", "float[2] {0, 0}");
        addCase("no axes is no reduction", "float[2] x = {2, 3}",
                "y = ReduceSumSquare <noop_with_empty_axes = 1> (x)", "float[2] {4, 9}");
        addCase("axes as an attribute", "float[2, 2] x = {1, 2, 3, 4}",
                "y = ReduceMean <axes = [-1], keepdims = 0> (x)", "float[2] {1.5, 3.5}", 11);
        addCase("sum of integers wraps", "int32[2] x = {2147483647, 1}",
                "y = ReduceSum <keepdims = 0> (x)", "int32[] {-2147483648}");
        addCase("mean of long integers", "int64[2] x = {9223372036854775807, 9223372036854775805}",
                "y = ReduceMean (x)", "int64[1] {9223372036854775806}");
        addCase("mean of negative integers", "int32[2] x = {-4, -3}", "y = ReduceMean (x)",
                "int32[1] {-3}");
        addCase("mean of nothing", "int32[0] x = {}", "y = ReduceMean (x)", "int32[1] {0}");
        addCase("kept by 1 only", "float[2] x = {1, 2}", "y = ReduceSum <keepdims = 2> (x)",
                "float[] {3}");
        addCase("the greatest, kept by 1 only", "float[2] x = {1, 2}",
                "y = ArgMax <keepdims = -1> (x)", "int64[] {1}");
        addCase("exponentials do not overflow", "float[2] x = {1000, 1000}",
                "y = ReduceLogSumExp <keepdims = 0> (x)", "float[] {1000.69}");
        addCase("last of the greatest", "float[3] x = {5, 1, 5}",
                "y = ArgMax <select_last_index = 1> (x)", "int64[1] {2}");
        addCase("nothing to choose from", "float[0, 2] x = {}", "y = ArgMax (x)",
                "! Nothing to choose from: axis 0 has no elements.");
        addCase("ties go to the lower index", "float[4] x = {1, 3, 3, 2}, int64[1] k = {3}",
                "v, i = TopK (x, k)", "float[3] {3, 3, 2}; int64[3] {1, 2, 3}");
        addCase("more than there are", "float[2] x = {1, 3}, int64[1] k = {3}",
                "v, i = TopK (x, k)", "! k must be 0 … 2, but it is 3.");
        addCase("sum so far, without the own", "int64[3] x = {1, 2, 3}, int64 a = {0}",
                "y = CumSum <exclusive = 1, reverse = 1> (x, a)", "int64[3] {5, 3, 0}");
        addCase("product so far", "float[3] x = {2, 3, 4}, int64 a = {0}", "y = CumProd (x, a)",
                "float[3] {2, 6, 24}");
    }
    void reductions() { runCase(); }

    void casts_data()
    {
        beginCases();
        addCase("out of range saturates", "float[4] x = {300, -300, nan, 1.9}",
                "y = Cast <to = 3> (x)", "int8[4] {127, -128, 0, 1}");
        addCase("high bits are dropped", "int32[2] x = {200, -1}", "y = Cast <to = 3> (x)",
                "int8[2] {-56, -1}");
        addCase("to four bits and back", "int32[2] x = {7, -8}",
                "y = Cast <to = 22> (x) z = Cast <to = 6> (y)", "int32[2] {7, -8}");
        addCase("to eight-bit floats", "float[2] x = {1000, 0.3}", "y = Cast <to = 17> (x)",
                "float8e4m3fn[2] {448, 0.3125}");
        addCase("without saturation", "float[1] x = {1000}", "y = Cast <saturate = 0, to = 17> (x)",
                "float8e4m3fn[1] {nan}");
        addCase("numbers as texts", "float[3] x = {1, 0.1, inf}", "y = Cast <to = 8> (x)",
                "string[3] {1.0, 0.1, inf}");
        addCase("texts as numbers", "string[3] x = {\" 1e2\", \"-INF\", \"NaN\"}",
                "y = Cast <to = 1> (x)", "float[3] {100, -inf, nan}");
        addCase("texts that are none", "string[1] x = {\"1x\"}", "y = Cast <to = 7> (x)",
                "! The text `1x` is not a number.");
        addCase("texts as long integers", "string[2] x = {\"9223372036854775809\", \"7\"}",
                "y = Cast <to = 13> (x)", "uint64[2] {9223372036854775809, 7}");
        addCase("to no type", "float[1] x = {1}", "y = Cast <to = 99> (x)",
                "! Attribute `to` names no element type: 99.");
        addCase("to nothing", "float[1] x = {1}", "y = Cast (x)", "! Attribute `to` is missing.");
        addCase("by name", "float[1] x = {1.5}", "y = Cast <to = \"INT64\"> (x)", "int64[1] {1}",
                1);
        addCase("bits", "float[1] x = {1}", "y = BitCast <to = 6> (x)", "int32[1] {1065353216}");
        addCase("bits of another width", "float[1] x = {1}", "y = BitCast <to = 7> (x)",
                "! Attribute `to` must be 32 bits, but it is int64.");
        addCase("large integers are rounded once", "int64[1] x = {9007199791611905}",
                "y = Cast <to = 1> (x)", "float[1] {9.0072e+15}");
    }
    void casts() { runCase(); }

    void generated_data()
    {
        beginCases();
        addCase("range down", "int32 a = {5}, int32 b = {0}, int32 d = {-2}", "y = Range (a, b, d)",
                "int32[3] {5, 3, 1}");
        addCase("range that goes nowhere", "int32 a = {5}, int32 b = {0}, int32 d = {0}",
                "y = Range (a, b, d)", "! delta must be != 0, but it is 0.");
        addCase("range beyond all memory", "float a = {0}, float b = {1e30}, float d = {0.5}",
                "y = Range (a, b, d)", "! (limit - start) / delta must be < 2^40, but it is 2e+30.");
        addCase("range without an end", "double a = {0}, double b = {inf}, double d = {0.5}",
                "y = Range (a, b, d)", "! limit must be finite, but it is inf.");
        addCase("constants of a shape", "int64[2] s = {2, 1}",
                "y = ConstantOfShape <value = int32[1] {7}> (s)", "int32[2, 1] {7, 7}");
        addCase("negative size", "int64[1] s = {-1}", "y = ConstantOfShape (s)",
                "! shape must be >= 0, but it is [-1].");
        addCase("identity matrix", "float[2, 3] x = fill(0)", "y = EyeLike <dtype = 7, k = 1> (x)",
                "int64[2, 3] {0, 1, 0, 0, 0, 1}");
        addCase("symmetric window of one", "int64 n = {1}", "y = HannWindow <periodic = 0> (n)",
                "float[1] {nan}");
        addCase("transform of odd length", "float[1, 3, 1] x = {1, 2, 3}, int64 a = {1}",
                "y = DFT (x, \"\", a)", "float[1, 3, 2] {6, 0, -1.5, 0.866025, -1.5, -0.866025}");
        addCase(
            "there and back", "float[1, 4, 1] x = {1, 2, 3, 5}, int64 a = {1}",
            "y = DFT <onesided = 1> (x, \"\", a) z = DFT <inverse = 1, onesided = 1> (y, \"\", a)",
            "float[1, 4, 1] {1, 2, 3, 5}");
    }
    void generated() { runCase(); }

    void quantized_data()
    {
        beginCases();
        addCase("ties to even, saturated",
                "float[4] x = {1, 3, -1000, 1000}, float s = {2}, uint8 z = {10}",
                "y = QuantizeLinear (x, s, z)", "uint8[4] {10, 12, 0, 255}");
        addCase("along an axis",
                "float[2, 2] x = {1, 2, 3, 4}, float[2] s = {1, 2}, int8[2] z = {0, 1}",
                "y = QuantizeLinear <axis = 0> (x, s, z)", "int8[2, 2] {1, 2, 3, 3}");
        addCase("in blocks", "int8[1, 4] x = {1, 2, 3, 4}, float[1, 2] s = {1, 10}",
                "y = DequantizeLinear <axis = 1, block_size = 2> (x, s)",
                "float[1, 4] {1, 2, 30, 40}");
        addCase("blocks that do not cover", "int8[1, 4] x = {1, 2, 3, 4}, float[1, 2] s = {1, 10}",
                "y = DequantizeLinear <axis = 1, block_size = 1> (x, s)",
                "! Attribute `block_size` must be 2 … 3, but it is 1.");
        addCase("blocks that leave one without elements",
                "int8[1, 4] x = {1, 2, 3, 4}, float[1, 2] s = {1, 10}",
                "y = DequantizeLinear <axis = 1, block_size = 4> (x, s)",
                "! Attribute `block_size` must be 2 … 3, but it is 4.");
        addCase("of zeros", "float[2] x = {0, 0}", "y, s, z = DynamicQuantizeLinear (x)",
                "uint8[2] {0, 0}; float[] {0}; uint8[] {0}");
        addCase("product",
                "uint8[1, 2] a = {1, 2}, float s = {1}, uint8 z = {0}, uint8[2, 1] b = {3, 4}",
                "y = QLinearMatMul (a, s, z, b, s, z, s, z)", "uint8[1, 1] {11}");
    }
    void quantized() { runCase(); }

    void resized_data()
    {
        beginCases();
        addCase("nearest by a scale", "float[1, 1, 1, 2] x = {1, 2}, float[4] s = {1, 1, 1, 2}",
                "y = Resize (x, \"\", s)", "float[1, 1, 1, 4] {1, 1, 2, 2}");
        addCase("linear to a size", "float[1, 1, 1, 2] x = {0, 4}, int64[1] s = {4}",
                "y = Resize <axes = [3], mode = \"linear\"> (x, \"\", \"\", s)",
                "float[1, 1, 1, 4] {0, 1, 3, 4}");
        addCase("old upsample", "float[1, 1, 1, 2] x = {1, 2}",
                "y = Upsample <scales = [1.0, 1.0, 1.0, 2.0]> (x)",
                "float[1, 1, 1, 4] {1, 1, 2, 2}", 7);
        const char* const less = "float[1, 1, 2, 4] x = {1, 2, 3, 4, 5, 6, 7, 8}, "
                                 "float[4] s = {1, 1, 0.6, 0.6}";
        addCase("nearest with less than all, version 10", less, "y = Resize (x, s)",
                "float[1, 1, 1, 2] {1, 3}", 10);
        addCase("integers are rounded", "uint8[1, 3] x = {0, 3, 255}, float[2] s = {1, 2}",
                "y = Resize <mode = \"linear\"> (x, \"\", s)", "uint8[1, 6] {0, 1, 2, 66, 192, 255}");
        addCase("complex numbers", "complex64[2] x = {1, 2, 3, 4}, float[1] s = {2}",
                "y = Resize <mode = \"linear\"> (x, \"\", s)",
                "complex64[4] {1+2i, 1.5+2.5i, 2.5+3.5i, 3+4i}");
        addCase("texts are not mixed", "string[2] x = {\"a\", \"b\"}, float[1] s = {2}",
                "y = Resize <mode = \"linear\"> (x, \"\", s)",
                "! Elements of input 1 are string: only the mode nearest takes them, not linear.");
        addCase("a scale of one copies", "float[3] x = {1, 2, 3}, float[1] s = {1}",
                "y = Resize <coordinate_transformation_mode = \"tf_half_pixel_for_nn\", "
                "nearest_mode = \"ceil\"> (x, \"\", s)",
                "float[3] {1, 2, 3}");
        addCase("the nearest text", "string[1, 1, 1, 2] x = {\"a\", \"b\"}, "
                                    "float[1, 1, 2, 2] g = {0.5, 0, 5, 0}",
                "y = GridSample <mode = \"nearest\"> (x, g)", "string[1, 1, 1, 2] {b, }");
        addCase("texts of a grid", "string[1, 1, 1, 1] x = {\"a\"}, float[1, 1, 1, 2] g = {0, 0}",
                "y = GridSample (x, g)",
                "! Elements of input 1 are string: only the mode nearest takes them, not linear.");
        addCase("a grid of complex numbers",
                "complex64[1, 1, 1, 2] x = {1, 2, 3, 4}, float[1, 1, 1, 2] g = {0, 0}",
                "y = GridSample (x, g)", "complex64[1, 1, 1, 1] {2+3i}");
        addCase("no scale at all", "float[1] x = {1}, float[1] s = {0}", "y = Resize (x, \"\", s)",
                "! scales must be > 0, but it is 0.000000.");
        addCase("outside of the grid", "float[1, 1, 1, 2] x = {1, 2}, float[1, 1, 1, 2] g = {5, 0}",
                "y = GridSample (x, g)", "float[1, 1, 1, 1] {0}");
        addCase("boxes",
                "float[1, 3, 4] b = {0, 0, 1, 1, 0, 0, 1, 0.9, 5, 5, 6, 6}, float[1, 1, 3] s = "
                "{0.5, 0.9, 0.1},"
                "int64 m = {5}, float t = {0.5}",
                "y = NonMaxSuppression (b, s, m, t)", "int64[2, 3] {0, 0, 1, 0, 0, 2}");
    }
    void resized() { runCase(); }

    void sizesOfResults()
    {
        compareInferred(infer("float[N, 3, H, W] x", "float[4] s = {1, 1, 2, 0.5}",
                              "y = Resize (x, \"\", s)", "y"),
                        "float[N, 3, 2*H, floor(W/2)]");
        compareInferred(infer("float[N, H] x", "int64[1] a = {-1}", "y = ReduceSum (x, a)", "y"),
                        "float[N, 1]");
        compareInferred(
            infer("float[N, H] x", "", "s = Shape (x) y = ReduceProd <keepdims = 0> (s)", "y"),
            "int64[] {H*N}");
        compareInferred(infer("float[N, H] x", "int64 z = {0}, int64 o = {1}",
                              "s = Shape (x) n = Gather (s, z) y = Range (z, n, o)", "y"),
                        "int64[N]");
        compareInferred(infer("float[N, H] x", "", "s = Shape (x) y = ConstantOfShape (s)", "y"),
                        "float[N, H]");
        compareInferred(infer("float[N, 9] x", "int64[1] k = {4}", "v, i = TopK (x, k)", "i"),
                        "int64[N, 4]");
        compareInferred(infer("float[N, 9] x", "", "v = ArgMax <axis = 7> (x)", "v"),
                        "! Axis 7 does not exist: the tensor has rank 2.");
    }
};

FUSESCOPE_TEST(NumericOpsTest, numeric_ops_test)
#include "numeric_ops_test.moc"

#include "fuzz/message_check.h"
#include "fuzz/node_check.h"
#include "model/graph_text.h"
#include "ops/cost.h"
#include "ops/kernel_support.h"
#include "ops/shape_messages.h"
#include "report/render.h"
#include "support/test_class.h"

#include <QRegularExpression>

#include <fmt/format.h>

#include <limits>

using namespace fusescope;
using namespace fusescope::test;

// Random nodes of every operator, and the graphs that once went wrong.
class FuzzSeedsTest : public QObject
{
    Q_OBJECT

    static QString joined(const std::vector<std::string>& findings)
    {
        QString text;
        for (const std::string& finding : findings)
            text += QString::fromStdString(finding) + u'\n';
        return text;
    }

    static QString checked(const char* text, int opset = 22)
    {
        const auto graph =
            parseGraph("<ir_version: 10, opset_import: [\"\" : " + std::to_string(opset) +
                       ", \"ai.onnx.ml\" : 5, \"ai.onnx.preview\" : 1]>\n" + text);
        if (!graph)
            return QStringLiteral("parse: ") +
                   QString::fromStdString(render(graph.error().message, nullptr));
        const CheckResult result = checkNode({*graph, {}, true, true});
        return result.findings.empty() ? QString::fromStdString(result.error)
                                       : QStringLiteral("finding: ") + joined(result.findings);
    }

private Q_SLOTS:
    // Eight seeds an operator version: what is inferred is what runs, and what is optimized or planned
    // gives the same.
    void everyOperator()
    {
        constexpr std::uint64_t seeds = 8;
        int ran = 0;
        int made = 0;
        QString findings;
        for (const OpSchema& schema : allSchemas()) {
            for (std::uint64_t seed = 0; seed < seeds; ++seed) {
                const auto node = randomNode(schema, seed);
                if (!node)
                    continue;
                ++made;
                const CheckResult result = checkNode(*node);
                ran += result.ran ? 1 : 0;
                for (const std::string& finding : result.findings)
                    findings += QString::fromStdString(fmt::format(
                        "--op {} --since {} --seed {}: {}\n", schema.name, schema.sinceVersion, seed,
                        finding));
            }
        }
        QVERIFY2(findings.isEmpty(), qPrintable(findings));
        QVERIFY(made > 5000);
        QVERIFY2(ran > made / 2, "most random nodes are to be right");
    }

    // What once crashed, hung or was inferred as something else than it is; `error` is what is said
    // of it now, empty where it runs.
    void graphs_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<int>("opset");
        QTest::addColumn<QString>("error");
        const auto row = [](const char* name, int opset, const char* text, const char* error) {
            QTest::newRow(name) << QByteArray(text) << opset << QString::fromUtf8(error);
        };
        row("If without inputs", 13,
            "g () => (float y) { y = If <then_branch = a () => (float t) { t = Constant <value_float = "
            "1.0> () }, else_branch = b () => (float e) { e = Constant <value_float = 2.0> () }> () }",
            "Input 1 is missing.");
        row("If without a branch", 13,
            "g () => (float y) <bool c = {1}> { y = If <then_branch = a () => (float t) { t = Constant "
            "<value_float = 1.0> () }> (c) }",
            "`If` lacks its attribute `else_branch`.");
        row("sequence map without inputs", 17, "g () => (y) { y = SequenceMap () }",
            "Input 1 is missing.");
        row("reduction without outputs", 18,
            "g () => () <int64[2] x = {1, 2}> { \"\" = ReduceSum (x) }", "");
        row("contents that are missing", 13,
            "g () => (y) <float[2] x = {1, 2}, bool[2] c = missing> { y = Compress (x, c) }",
            "The contents are missing.");
        row("shape that is missing", 13,
            "g () => (y) <float[2] x = {1, 2}, int64[1] s = missing> { y = Expand (x, s) }",
            "The contents are missing.");
        row("normalization of nothing", 15,
            "g () => (y) <float[2, 3, 0] x = {}, float[2] p = {1, 1}> "
            "{ y = BatchNormalization (x, p, p, p, p) }",
            "Input 2 must have shape [3], but it has [2].");
        row("regions of an empty picture", 16,
            "g () => (y) <float[1, 1, 0, 2] x = {}, float[1, 4] r = {0, 0, 1, 1}, int64[1] b = {0}> "
            "{ y = RoiAlign (x, r, b) }",
            "Input 1 must have shape [N, C, H >= 1, W >= 1], but it has [1, 1, 0, 2].");
        row("regions beyond all measure", 10,
            "g () => (y) <float[1, 1, 2, 2] x = {1, 2, 3, 4}, float[1, 4] r = {0, 0, 1e30, 1e30}, "
            "int64[1] b = {0}> { y = RoiAlign (x, r, b) }",
            "");
        row("kernel of another rank than the picture", 11,
            "g () => (y) <float[1, 1, 1] x = {1}, int64[1, 1, 1] i = {0}> "
            "{ y = MaxUnpool <kernel_shape = [2, 2]> (x, i) }",
            "Attribute `kernel_shape` must be 1 numbers, but it is 2.");
        row("place outside of the shape that is asked for", 11,
            "g () => (y) <float[1, 1, 1, 1] x = {1}, int64[1, 1, 1, 1] i = {2}, "
            "int64[4] s = {1, 1, 1, 2}> { y = MaxUnpool <kernel_shape = [2, 2]> (x, i, s) }",
            "output_shape[2] must be >= 2, but it is 1.");
        row("picture of a negative size", 18,
            "g () => (y) <float[1, 4, 1] x = {1, 2, 3, 4}, int64[2] i = {-2, 2}, int64[2] b = {2, 2}> "
            "{ y = Col2Im (x, i, b) }",
            "image_shape must be >= 0, < 2^63, but it is [-2, 2].");
        row("scan over fewer inputs than none", 11,
            "g () => (y) <float[2] x = {1, 2}> { y = Scan <num_scan_inputs = -1, body = b (float t) => "
            "(float u) { u = Neg (t) }> (x) }",
            "Attribute `num_scan_inputs` must be 1 … 1, but it is -1.");
        row("split into nothing", 11,
            "g () => () <float[2] x = {1, 2}> { Split (x) }",
            "Attribute `num_outputs` must be >= 1, but it is 0.");
        row("two values to pad with", 18,
            "g () => (y) <float[2] x = {1, 2}, int64[2] p = {1, 1}, float[2] v = {1, 2}> "
            "{ y = Pad (x, p, v) }",
            "Input 3 must have shape [], but it has [2].");
        row("a fill beyond all memory", 13,
            "g () => (y) <int64[2] s = {1048576, 524288}> { f = ConstantOfShape (s)  "
            "y = ReduceSum (f) }",
            "`ReduceSum` needs more memory than there is.");
        row("transposed to less than any size", 11,
            "g () => (y) <float[1, 1, 2, 2] x = {1, 2, 3, 4}, float[1, 1, 2, 2] w = {1, 1, 1, 1}> "
            "{ y = ConvTranspose <output_shape = [-9223372036854775807, 2]> (x, w) }",
            "Attribute `output_shape` must be >= 0, < 2^31, but it is [-9223372036854775807, 2].");
        row("rows of no words", 10,
            "g () => (y) <string[5, 0] x = {}> { y = StringNormalizer (x) }",
            "Input 1 must have shape [C], [1, C], but it has [5, 0].");
        row("softmax of the last axis before 13", 11,
            "g () => (y) <float[2, 3] x = {1, 2, 3, 1, 1, 1}> { y = Softmax <axis = -1> (x) }", "");
        row("more inputs than there are", 13,
            "g () => (y) <float x = {1}> { y = Constant <value = float {1}> (x) }",
            "Inputs of `Constant`: at most 0; given: 1.");
        row("unequal shapes without broadcast", 1,
            "g () => (y) <float[2, 2] x = {1, 2, 3, 4}, float[2, 1] e = {1, 2}> { y = Pow (x, e) }",
            "Input 2 must have shape [2, 2], but it has [2, 1].");
        row("broadcast at the greatest axis", 6,
            "g () => (y) <float[2, 2] x = {1, 2, 3, 4}, float[2] b = {1, 2}> "
            "{ y = Add <axis = 9223372036854775807, broadcast = 1> (x, b) }",
            "Attribute `axis` must be 0 … 1, but it is 9223372036854775807.");
        row("kernel shape of other weights", 19,
            "g () => (y) <float[1, 1, 4, 4] x = random(1), float[1, 1, 2, 2] w = random(2)> "
            "{ y = Conv <kernel_shape = [3, 3]> (x, w) }",
            "Attribute `kernel_shape` must be [2, 2], but it is [3, 3].");
        row("parts beyond the axis", 13,
            "g () => (y) <float[4] x = {1, 2, 3, 4}, int64[2] s = {4, 4}> { y = Split (x, s) }",
            "The parts [4, 4] do not add up to the size 4 of the axis.");
        row("data of no elements", 16,
            "g () => (y) <bool[1] c = {1}, int64[0] a = {}, int64[1] b = {3}> { y = Where (c, a, b) }",
            "");
        row("large unsigned numbers", 13,
            "g () => (y) <uint64[1] a = {18446744073709551615}> { y = Identity (a) }", "");
        row("two values of a constant", 13,
            "g () => (y) { y = Constant <value_int = 3, value_float = 2.0> () }", "");
        row("index tuples beyond all measure", 13,
            "g () => (y) <float[2, 2] x = {1, 2, 3, 4}, int64[0, 9223372036854775807] i = {}> "
            "{ y = GatherND <batch_dims = 1> (x, i) }",
            "Input 2 must have shape […, 1 … 1], but it has [0, 9223372036854775807].");
        row("enlarged by less than a pixel", 6,
            "g () => (y) <float[1, 1, 2, 2] x = {1, 2, 3, 4}> "
            "{ y = Upsample <height_scale = 1.4, width_scale = 1.0> (x) }",
            "");
        row("some axes enlarged unevenly", 18,
            "g () => (y) <float[1, 1, 2, 2] x = {1, 2, 3, 4}, float[2] s = {1, 2.3}> "
            "{ y = Resize <axes = [2, 3], coordinate_transformation_mode = \"asymmetric\", "
            "nearest_mode = \"floor\"> (x, \"\", s) }",
            "");
        row("channels enlarged by less than one", 13,
            "g () => (y) <float[1, 3, 1, 1] x = {1, 2, 3}, float[4] s = {1, 1.3, 1, 1}> "
            "{ y = Resize <coordinate_transformation_mode = \"asymmetric\", nearest_mode = \"floor\"> "
            "(x, \"\", s) }",
            "");
        row("response below zero", 13,
            "g () => (y) <float[1, 1, 2] x = {2, -1}> { y = LRN <alpha = -3.0, beta = 2.0, size = 1> "
            "(x) }",
            "");
        row("variance that epsilon takes to zero", 14,
            "g () => (y) <float[1, 1, 2] x = {1, 2}, float[1] s = {1}, float[1] b = {0}, float[1] m = "
            "{0.5}, float[1] v = {-0.0625}> { y = BatchNormalization <epsilon = 0.0625> (x, s, b, m, v) "
            "}",
            "");
        row("slope of more axes", 7,
            "g () => (y) <float[2] x = {-1, 2}, float[1, 1] s = {3}> { y = PRelu (x, s) }",
            "Input 2 of shape [1, 1] cannot be broadcast to [2].");
        row("slope that may be one", 6,
            "g () => (y) <float[2] x = {-1, 2}, float[1, 1] s = {3}> { y = PRelu (x, s) }", "");
        row("parts that leave a rest", 13,
            "g () => (y) <float[4] x = {1, 2, 3, 4}, int64[2] s = {1, 1}> { y = Split (x, s) }",
            "The parts [1, 1] do not add up to the size 4 of the axis.");
        row("fewer outputs than parts", 18,
            "g () => (y) <float[4] x = {1, 2, 3, 4}> { y = Split <num_outputs = 3> (x) }", "");
        row("loop without a trip", 13,
            "g () => (y, all) <int64 n = {0}, float[2, 3] x = random(1)> { y, all = Loop <body = b "
            "(int64 i, bool c, v) => (d, w, s) { d = Identity (c) w = Neg (v) s = Abs (v) }> (n, \"\", x) "
            "}",
            "");
        row("state of another rank in each round", 13,
            "g () => (y, z, u, v) <string[2] s = {\"a\", \"b\"}, uint16[2] a = {2, 2}, uint16[2] b = {2, "
            "2}> { y, z = Scan <num_scan_inputs = 1, body = l (p, q) => (m, n) { m = Shape (p) n = "
            "Identity (q) }> (s, a) u, v = Scan <num_scan_inputs = 1, body = k (c, d) => (e, f) { e = Shape (c) f = Identity (d) }> (s, b) }",
            "");
        row("exponents that no float holds", 13,
            "g () => (y) <float[2] x = {-1, -1}, uint32[2] e = {4294967293, 4294967294}> "
            "{ y = Pow (x, e) }",
            "");
        row("scan of nothing", 13,
            "g () => (y) <float[2, 0, 3] x = {}> { y = Scan <num_scan_inputs = 1, scan_input_axes = "
            "[1], scan_output_axes = [2], body = b (v) => (w) { w = Neg (v) }> (x) }",
            "");
        row("ends of a wrong type", 13,
            "g () => (y) <float[3] x = {1, 2, 3}, int64[1] a = {0}, float[0] e = {}> "
            "{ y = Slice (x, a, e) }",
            "Input 3 must be of type int32, int64, but it is float.");
        row("negative of the least", 13,
            "g () => (y) <int32 x = {-2147483648}> { y = Neg (x) }", "");
        row("groups that are not told", 21,
            "g () => (y) <float[1, 2, 2] x = {1, 2, 3, 4}, float[2] s = {1, 1}> "
            "{ y = GroupNormalization (x, s, s) }",
            "`GroupNormalization` lacks its attribute `num_groups`.");
        row("condition of numbers", 13,
            "g () => (y) <int64 c = {1}> { y = If <then_branch = a () => (t) { t = Constant <value_int "
            "= 1> () }, else_branch = b () => (e) { e = Constant <value_int = 2> () }> (c) }",
            "Input 1 must be of type bool, but it is int64.");
        row("contents of a sparse constant that are missing", 11,
            "g () => (y) { y = Constant <sparse_value = sparse([2], float[1] {2}, int64[1] = missing)> () "
            "}",
            "The contents are missing.");
        row("product beyond 64 bits", 13,
            "g () => (y) <int64[1, 1] a = {2}, int64[1, 2] b = {4611686018427387904, 3}> "
            "{ y = Gemm <alpha = 1e30> (a, b, b) }",
            "");
        row("heads without number of nothing", 27,
            "g () => (y, z) <float[2, 1, 0] x = {}> { y, z = LinearAttention <kv_num_heads = 4294967296, "
            "q_num_heads = 1099511627776, update_rule = \"linear\"> (x, x, x) }",
            "");
        row("groups without number of nothing", 21,
            "g () => (y) <float[3, 0] x = {}, float[0] s = {}> "
            "{ y = GroupNormalization <num_groups = 4611686018427387904> (x, s, s) }",
            "");
        row("planes without number of nothing", 13,
            "g () => (y) <float[1099511627776, 1, 0] x = {}> { y = LRN <size = 3> (x) }", "");
        row("rows without number of nothing", 17,
            "g () => (y) <float[1099511627776, 1, 0] x = {}, float[1] s = {1}> "
            "{ y = InstanceNormalization (x, s, s) }",
            "");
        row("queries without number of nothing", 23,
            "g () => (y) <float[2, 1, 0] x = {}> { y = Attention <kv_num_heads = 1099511627776, "
            "q_num_heads = 1099511627776> (x, x, x) }",
            "");
        row("tiles of nothing", 13,
            "g () => (y) <int64[2, 2, 1, 0] x = {}, int64[4] n = fill(4294967296)> { y = Tile (x, n) }",
            "");
        row("another hidden size than the weights have", 14,
            "g () => (y) <float[1, 1, 2] x = {1, 2}, float[1, 9, 2] w = fill(1), float[1, 9, 3] r = "
            "fill(1)> { y = GRU <hidden_size = -9223372036854775807> (x, w, r) }",
            "Attribute `hidden_size` must be 3, but it is -9223372036854775807.");
        row("slice backwards of nothing", 13,
            "g () => (y) <int8[0, 1] x = {}, int64[1] a = {-1}, int64[1] b = {2}, int64[1] z = {0}, "
            "int64[1] s = {-1}> { y = Slice (x, a, b, z, s) }",
            "");
        row("slice backwards of sizes, from before the first", 13,
            "g () => (y) <float[3, 4] x = fill(1), int64[1] a = {-9}, int64[1] z = {0}, int64[1] s = {-1}> "
            "{ n = Shape (x) y = Slice (n, a, a, z, s) }",
            "");
        row("score graph without outputs", 26,
            "g () => (y) <float[1, 1, 1, 2] q = {1, 2}> { y = ai.onnx.preview.FlexAttention <score_mod = "
            "b (float[1, 1, 1, 1] s) => () { t = Neg (s) }> (q, q, q) }",
            "The inner graph `score_mod` must have 1 output(s), but it has 0.");
        row("no scale for any block", 21,
            "g () => (y) <uint8[2, 3] x = {1, 2, 3, 4, 5, 6}, float[2, 0] s = {}, uint8[2, 0] z = {}> "
            "{ y = DequantizeLinear <axis = 1, block_size = 2> (x, s, z) }",
            "Input 2 must have size 1 … 3 at axis 1, but its shape is [2, 0].");
        row("strides far beyond the picture", 22,
            "g () => (y) <float[1, 1, 1] x = {3}, float[1, 1, 1] w = {2}> "
            "{ y = ConvTranspose <strides = [2147483000]> (x, w) }",
            "");
        row("taps far beyond the picture", 11,
            "g () => (y) <float[2, 2, 5, 2] x = fill(1.5), float[2, 2, 2, 1] w = {-0.75, -1.5, 0.75, -1.5, "
            "2, 0.125, -2, -1}> { y = Conv <auto_pad = \"SAME_LOWER\", dilations = [2147483647, 1]> (x, w) "
            "}",
            "");
        row("taps far beyond the picture on both axes", 11,
            "g () => (y) <float[1, 1, 3, 3] x = fill(1.5), float[1, 1, 2, 2] w = {1, 2, 3, 4}> "
            "{ y = Conv <auto_pad = \"SAME_LOWER\", dilations = [2147483647, 2147483647]> (x, w) }",
            "");
        row("one step far beyond the picture", 11,
            "g () => (y) <float[3, 1, 4, 4] x = fill(1.5)> { y = Conv <strides = [2, 2147483647]> (x, x) }",
            "");
        row("bound of another attribute type", 6,
            "g () => (y) <float[2] x = {1.5, -1}> { y = Clip <max = 4> (x) }",
            "The attribute `max` of `Clip` is of the type INT; it has to be FLOAT.");
        row("infinity in default bounds", 6,
            "g () => (y) <float[2] x = {-inf, inf}> { y = Clip (x) }", "");
        row("infinity and one bound", 13,
            "g () => (y) <float[2] x = {-inf, inf}, float a = {0}> { y = Clip (x, a) }", "");
        row("sum of products beyond 64 bits", 12,
            "g () => (y) <int64[2] a = {4611686018427387904, 4611686018427387904}> "
            "{ y = Einsum <equation = \"i,i->\"> (a, a) }",
            "");
        row("greatest of a region beyond all measure", 10,
            "g () => (y) <float[1, 1, 2, 2] x = {1, -2, 3, 4}, float[1, 4] r = {-1e30, 0, 1e30, 1e30}, "
            "int64[1] b = {0}> { y = RoiAlign <mode = \"max\"> (x, r, b) }",
            "");
        row("sizes beyond memory", 13,
            "g () => (y) <int64[2] r = {1099511627776, 1024}, float[1, 1] x = {1}> "
            "{ y = Tile (x, r) }",
            "A result of type float and shape [1099511627776, 1024] does not fit into the 33554432 "
            "bytes that the run may still use.");
    }

    void graphs()
    {
        QFETCH(QByteArray, text);
        QFETCH(int, opset);
        QFETCH(QString, error);
        static const QRegularExpression named(QStringLiteral("(Input \\d+), `[^`]*`,"));
        QString found = checked(text.constData(), opset);
        QVERIFY2(!found.startsWith(u"finding: ") && !found.startsWith(u"parse: "), qPrintable(found));
        QCOMPARE(found.replace(named, QStringLiteral("\\1")), error);
    }

    // Also of a model that folding leaves: sizes of a file may be beyond any count.
    void costsBeyondCount()
    {
        QCOMPARE(countedSum(3.0), std::int64_t{3});
        QCOMPARE(countedSum(1e300), std::int64_t{1} << 53);
        QCOMPARE(countedSum(std::numeric_limits<double>::infinity()), std::int64_t{1} << 53);
        QCOMPARE(countedSum(std::numeric_limits<double>::quiet_NaN()), std::int64_t{1} << 53);
    }

    // What the fuzzer holds against a sentence: that it says what is not so.
    void sentencesThatContradictThemselves()
    {
        const auto contradicts = [](const Message& message) { return contradictsItself(message); };
        QVERIFY(contradicts(cannotBroadcast(1, "[1, 2]", "[3, 2]")));
        QVERIFY(!contradicts(cannotBroadcast(1, "[4, 2]", "[3, 2]")));
        QVERIFY(contradicts(cannotBroadcastTo(1, "[1, 2]", "[3, 2]")));
        QVERIFY(!contradicts(cannotBroadcastTo(1, "[3, 2]", "[1, 2]")));
        QVERIFY(contradicts(innerSizesDiffer(1, "[3, 4]", "[2, 3]")));
        QVERIFY(!contradicts(innerSizesDiffer(1, "[3, 4]", "[3, 2]")));
        QVERIFY(contradicts(wrongRank(0, "≥ 2", 3)));
        QVERIFY(!contradicts(wrongRank(0, "≥ 2", 1)));
        QVERIFY(contradicts(wrongDivisor("group", 6, 3)));
        QVERIFY(!contradicts(wrongDivisor("group", 6, 4)));
        QVERIFY(contradicts(wrongElement(4, "0 … 5", 5)));
        QVERIFY(!contradicts(wrongElement(4, "0 … 5", 6)));
        QVERIFY(contradicts(wrongLength("ends", 2, 2)));
        QVERIFY(!contradicts(wrongLength("ends", 2, 1)));
    }

    void sameCaseForSameSeed()
    {
        for (const char* op : {"Conv", "Loop", "Resize", "LSTM"}) {
            const OpSchema* schema = findSchema("", op, 22);
            QVERIFY(schema);
            const auto first = randomNode(*schema, 77);
            const auto second = randomNode(*schema, 77);
            const auto other = randomNode(*schema, 78);
            QVERIFY(first && second && other);
            QCOMPARE(textOf(*first), textOf(*second));
            QVERIFY(textOf(*first) != textOf(*other));
        }
    }
};

FUSESCOPE_TEST(FuzzSeedsTest, fuzz_seeds_test)
#include "fuzz_seeds_test.moc"

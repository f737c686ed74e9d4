#include "core/ops/case_table.h"

using namespace fusescope::test;

class SequenceOpsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void kernels_data()
    {
        beginCases();
        const char* const two =
            "float[1] a = {1}, float[2] b = {2, 3}, int64 i = {-1}, int64 j = {5}";
        addCase("construct and read", two, "s = SequenceConstruct (a, b) y = SequenceAt (s, i)",
                "float[2] {2, 3}");
        addCase("past the end", two, "s = SequenceConstruct (a, b) y = SequenceAt (s, j)",
                "! Input 2 holds the index 5, which is out of range for a size of 2.");
        addCase("insert and erase", two,
                "s = SequenceEmpty () t = SequenceInsert (s, a) u = SequenceInsert (t, b, i) v = "
                "SequenceErase (u)",
                "seq(float[2] {2, 3})");
        addCase("length", two, "s = SequenceConstruct (a, b) y = SequenceLength (s)",
                "int64[] {2}");
        addCase("split in chunks", "float[5] x = {1, 2, 3, 4, 5}, int64 n = {2}",
                "s = SplitToSequence (x, n)",
                "seq(float[2] {1, 2} | float[2] {3, 4} | float[1] {5})");
        addCase("join on a new axis", two,
                "s = SequenceConstruct (a, a) y = ConcatFromSequence <axis = 1, new_axis = 1> (s)",
                "float[1, 2] {1, 1}");
        addCase("join of shapes that differ", "float a = {1}, float[1] b = {2}",
                "s = SequenceConstruct (a, b) y = ConcatFromSequence <axis = 0, new_axis = 1> (s)",
                "! Input 1 must have shape [], but it has [1].");
        addCase("not a sequence", two, "y = SequenceLength (a)",
                "! Input 1 must be of type seq, but it is float[1].");
        addCase("optional", two, "o = Optional (a) y = OptionalGetElement (o)", "float[1] {1}");
        addCase("has none", two, "y = OptionalHasElement ()", "bool[] {0}");
        addCase("texts joined", "string[2] a = {\"x\", \"y\"}, string[1] b = {\"!\"}",
                "c = StringConcat (a, b)", "string[2] {x!, y!}");
        addCase("texts split", "string[2] a = {\"a,,b\", \"c\"}",
                "y, n = StringSplit <delimiter = \",\"> (a)",
                "string[2, 3] {a, , b, c, , }; int64[2] {3, 1}");
        addCase("words in lower case", "string[2] a = {\"ÄB\", \"stop\"}",
                "y = StringNormalizer <case_change_action = \"LOWER\", stopwords = [\"STOP\"]> (a)",
                "string[1] {äb}");
        addCase("words in another case", "string[1] a = {\"x\"}",
                "y = StringNormalizer <case_change_action = \"Up\"> (a)",
                "! Attribute `case_change_action` must be NONE, LOWER, UPPER, but it is Up.");
        addCase("pattern that is none", "string[1] a = {\"x\"}",
                "y = RegexFullMatch <pattern = \"(\"> (a)", "! Attribute `pattern` must be a regular expression of RE2: missing ): (.");
        addCase("borders of words", "string[4] x = {\"a-b\", \"ab\", \"-ab-\", \"\"}",
                "y = RegexFullMatch <pattern = \"(a\\\\b-\\\\bb)|(-\\\\ba\\\\Bb\\\\b-)|\\\\B\"> (x)",
                "bool[4] {1, 0, 1, 1}");
        addCase("n-grams", "int64[4] x = {1, 2, 1, 2}",
                "y = TfIdfVectorizer <max_gram_length = 2, max_skip_count = 1, min_gram_length = "
                "1, mode = \"TF\","
                "ngram_counts = [0, 2], ngram_indexes = [0, 1, 2], pool_int64s = [1, 2, 1, 2]> (x)",
                "float[3] {2, 2, 2}");
    }
    void kernels() { runCase(); }

    void learners_data()
    {
        beginCases();
        addCase("labels", "string[3] x = {\"b\", \"z\", \"a\"}",
                "y = ai.onnx.ml.LabelEncoder <keys_strings = [\"a\", \"b\"], values_int64s = [10, "
                "20]> (x)",
                "int64[3] {20, -1, 10}");
        addCase("labels of another type", "float[1] x = {1}",
                "y = ai.onnx.ml.LabelEncoder <keys_strings = [\"a\"], values_int64s = [1]> (x)",
                "! Input 1 must be of type string, but it is float.");
        addCase("no such category", "int64[1] x = {7}",
                "y = ai.onnx.ml.OneHotEncoder <cats_int64s = [1, 2], zeros = 0> (x)",
                "! Input 1 has 7, which is none of the categories.");
        addCase("long integers imputed", "int64[1, 2] x = {9007199254740992, 9007199254740993}",
                "y = ai.onnx.ml.Imputer <imputed_value_int64s = [9007199254740995], "
                "replaced_value_int64 = 9007199254740993> (x)",
                "int64[1, 2] {9007199254740992, 9007199254740995}");
        addCase("without support vectors", "float[1, 2] x = {2, 3}",
                "y = ai.onnx.ml.SVMRegressor <coefficients = [3.0, 1.0], kernel_params = [0.5, 0.2, "
                "2.0], kernel_type = \"POLY\", n_supports = 0, rho = [1.0]> (x)",
                "float[1, 1] {10}");
        addCase("NaN as a key", "float[2] x = {nan, 2}",
                "y = ai.onnx.ml.LabelEncoder <keys_floats = [nan, 1.0], values_int64s = [1, 2], "
                "default_int64 = 9> (x)",
                "int64[2] {1, 9}");
        addCase("scaled", "float[1, 2] x = {3, 4}",
                "y = ai.onnx.ml.Scaler <offset = [1.0], scale = [2.0, 10.0]> (x)",
                "float[1, 2] {4, 30}");
        addCase("normalized", "float[1, 2] x = {3, 4}",
                "y = ai.onnx.ml.Normalizer <norm = \"L2\"> (x)", "float[1, 2] {0.6, 0.8}");
        addCase(
            "imputed", "float[1, 2] x = {nan, 4}",
            "y = ai.onnx.ml.Imputer <imputed_value_floats = [7.0], replaced_value_float = nan> (x)",
            "float[1, 2] {7, 4}");
        addCase(
            "regression", "float[1, 2] x = {1, 2}",
            "y = ai.onnx.ml.LinearRegressor <coefficients = [3.0, 4.0], intercepts = [0.5]> (x)",
            "float[1, 1] {11.5}");
        addCase("classes", "float[1, 1] x = {1}",
                "y, z = ai.onnx.ml.LinearClassifier <classlabels_ints = [5, 6], coefficients = "
                "[-1.0, 1.0],"
                "intercepts = [0.0, 0.0]> (x)",
                "int64[1] {6}; float[1, 2] {-1, 1}");
        // Each pair of classes casts a vote; a decision of exactly 0 is one for the second.
        addCase("classes by votes", "float[5, 1] x = {-2, -0.25, 0, 0.2, 3}",
                "y, z = ai.onnx.ml.SVMClassifier <classlabels_ints = [7, 8, 9], coefficients = [1.0, "
                "-1.0, -0.5, 0.5, 1.0, -2.0], kernel_params = [0.0, 0.0, 0.0], kernel_type = "
                "\"LINEAR\", rho = [0.25, -0.5, 1.0], support_vectors = [1.0, 2.0, 4.0], "
                "vectors_per_class = [1, 1, 1]> (x)",
                "int64[5] {7, 7, 7, 9, 9}; float[5, 3] {2.25, 2.5, 13, 0.5, -0.125, 2.5, 0.25, -0.5, "
                "1, 0.05, -0.8, -0.2, -2.75, -5, -17}");
        addCase("support vectors", "float[1, 1] x = {2}",
                "y = ai.onnx.ml.SVMRegressor <coefficients = [3.0], n_supports = 1, rho = [1.0], "
                "support_vectors = [2.0]> (x)",
                "float[1, 1] {13}");
        addCase(
            "a tree", "float[2, 1] x = {0, 2}",
            "y = ai.onnx.ml.TreeEnsembleRegressor <n_targets = 1, nodes_falsenodeids = [2, 0, 0],"
            "nodes_featureids = [0, 0, 0], nodes_modes = [\"BRANCH_LEQ\", \"LEAF\", \"LEAF\"], "
            "nodes_nodeids = [0, 1, 2],"
            "nodes_treeids = [0, 0, 0], nodes_truenodeids = [1, 0, 0], nodes_values = [1.0, 0.0, "
            "0.0],"
            "target_ids = [0, 0], target_nodeids = [1, 2], target_treeids = [0, 0], target_weights "
            "= [10.0, 20.0]> (x)",
            "float[2, 1] {10, 20}");
        addCase(
            "a tree in circles", "float[1, 1] x = {0}",
            "y = ai.onnx.ml.TreeEnsembleRegressor <n_targets = 1, nodes_falsenodeids = [0],"
            "nodes_featureids = [0], nodes_modes = [\"BRANCH_LEQ\"], nodes_nodeids = [0],"
            "nodes_treeids = [0], nodes_truenodeids = [0], nodes_values = [1.0]> (x)",
            "! The attributes of TreeEnsembleRegressor do not fit together: nodes_truenodeids.");
        addCase("maps", "float[1, 2] x = {0.25, 0.75}",
                "y = ai.onnx.ml.ZipMap <classlabels_strings = [\"a\", \"b\"]> (x)",
                "seq(map(a: float[] {0.25}, b: float[] {0.75}))");
        addCase("features side by side", "float[1, 2] x = {1, 2}, float[1, 1] y = {3}",
                "z = ai.onnx.ml.FeatureVectorizer <inputdimensions = [2, 1]> (x, y)",
                "float[1, 3] {1, 2, 3}");
    }
    void learners() { runCase(); }

    void patterns_data()
    {
        beginCases();
        // `expected` is 1, 0 or an error.
        const auto row = [](const char* name, std::string pattern, const std::string& text,
                            const std::string& expected) {
            for (std::size_t at = 0; (at = pattern.find('\\', at)) != std::string::npos; at += 2)
                pattern.insert(at, 1, '\\');
            addCase(name, ("string[1] x = {\"" + text + "\"}").c_str(),
                    ("y = RegexFullMatch <pattern = \"" + pattern + "\"> (x)").c_str(),
                    (expected.size() > 1 ? "! Attribute `pattern` must be a regular expression of RE2: " +
                                               expected + "."
                                         : "bool[1] {" + expected + "}")
                        .c_str());
        };
        row("literal", "abc", "abc", "1");
        row("whole text", "ab", "abc", "0");
        row("alternatives", "a|bc|", "", "1");
        row("classes", R"([a-c\d_]+)", "b2_", "1");
        row("not in a class", "[^a]", "a", "0");
        row("classes by name", "[[:alpha:]]+", "aB", "1");
        row("classes of Unicode", R"(\p{Greek}+)", "αβ", "1");
        row("counts", "a{2,3}", "aaaa", "0");
        row("counts without end", "(?:ab){2,}", "ababab", "1");
        row("either case", "(?i)abc", "aBC", "1");
        row("ends", "^a$", "a", "1");
        row("code points", "^.$", "ß", "1");
        row("escapes", R"(\w+@\w+\.org)", "me@onnx.org", "1");
        row("exponential for a backtracker", "(a*)*b", std::string(200, 'a'), "0");
        row("look-ahead", "(?=a)a", "a", "invalid perl operator: (?=");
        row("nothing to repeat", "*a", "a", "no argument for repetition operator: *");
        row("open class", "[a", "a", "missing ]: [a");
        row("too large", "((a{1000}){1000}){1000}", "a",
            "invalid repetition size: {1000}");
        row("a million repetitions", "a" + std::string(1000000, '*'), "a",
            "bad repetition operator: **");
    }
    void patterns() { runCase(); }

    void randomNumbersFollowTheSeed()
    {
        const std::string first = run("", "y = RandomUniform <seed = 3.0, shape = [2]> ()");
        QCOMPARE(run("", "y = RandomUniform <seed = 3.0, shape = [2]> ()"), first);
        QVERIFY(run("", "y = RandomUniform <seed = 4.0, shape = [2]> ()") != first);
        QCOMPARE(QString::fromStdString(
                     run("float[1, 2] p = {0, -1000}", "y = Multinomial <sample_size = 3> (p)")),
                 QString("int32[1, 3] {0, 0, 0}"));
        QCOMPARE(QString::fromStdString(run("float[2] p = {0, 1}", "y = Bernoulli (p)")),
                 QString("float[2] {0, 1}"));
        QCOMPARE(QString::fromStdString(run("float[2] x = {1, 1}, float r = {0}, bool t = {1}",
                                            "y = Dropout (x, r, t)")),
                 QString("float[2] {1, 1}"));
    }

    void typesOfSequences()
    {
        compareInferred(infer("float[N] a, float[M] b", "", "s = SequenceConstruct (a, b)", "s"),
                        "seq(float[...])");
        compareInferred(infer("float[N] a", "", "s = SequenceConstruct (a, a)", "s"),
                        "seq(float[N])");
        compareInferred(infer("float[N, 3] a", "", "s = SplitToSequence <keepdims = 0> (a)", "s"),
                        "seq(float[3])");
    }
};

FUSESCOPE_TEST(SequenceOpsTest, sequence_ops_test)
#include "sequence_ops_test.moc"

#include "diff/value_match.h"
#include "session/session.h"
#include "support/model_bytes.h"
#include "support/rewrite_check.h"
#include "support/test_class.h"

#include <algorithm>

using namespace fusescope;
using namespace fusescope::test;

// Two files against each other: what in one corresponds to what in the other.
class TwoFilesTest : public QObject
{
    Q_OBJECT

    static constexpr std::string_view first = R"(
        g (float[1, 2, 4, 4] x) => (float[1, 2, 4, 4] y)
        <float[2, 2, 1, 1] W = random(1), float[2] k = {1, 2}, float[2] old = {0, 0}>
        { c = Conv (x, W)
          r = Relu (c)
          s = Softmax (r)
          y = Neg (s) })";
    // Every name but those of the inputs and outputs is another one; a constant has other contents.
    static constexpr std::string_view renamed = R"(
        g (float[1, 2, 4, 4] x) => (float[1, 2, 4, 4] y)
        <float[2, 2, 1, 1] weight = random(1)>
        { conv = Conv (x, weight)
          relu = Relu (conv)
          soft = Softmax (relu)
          y = Neg (soft) })";

    static std::shared_ptr<Session> sessionOf(std::string_view text)
    {
        SessionOptions options;
        options.runInBackground = false;
        const auto session = Session::openBytes(modelBytes(text), "file", options);
        return session ? *session : nullptr;
    }

    static std::string edited(std::string_view text, std::string_view from, std::string_view to)
    {
        std::string result(text);
        result.replace(result.find(from), from.size(), to);
        return result;
    }

    // "name other", sorted, with ! where they differ.
    static std::string intermediates(std::string_view a, std::string_view b)
    {
        const auto result = compareFiles(*sessionOf(a), *sessionOf(b), {});
        if (!result)
            return "cannot be compared";
        std::vector<std::string> rows;
        for (const TensorComparison& one : result->intermediates)
            rows.push_back(one.name + (one.nameAfter.empty() ? "" : "=" + one.nameAfter) +
                           (one.pass ? "" : "!"));
        std::ranges::sort(rows);
        std::string text;
        for (const std::string& row : rows)
            text += (text.empty() ? "" : " ") + row;
        return text;
    }

    static std::string changes(std::string_view a, std::string_view b)
    {
        const auto left = sessionOf(a), right = sessionOf(b);
        const FileDiff diff = diffFiles(left->opened(), right->opened());
        std::string text;
        for (const FileValueChange& one : changedValues(left->opened(), right->opened(), diff))
            text += (text.empty() ? "" : " ") +
                    (one.a ? left->opened().value(one.a)->name : std::string()) + ">" +
                    (one.b ? right->opened().value(one.b)->name : std::string());
        return text;
    }

private Q_SLOTS:
    void valuesInBetween()
    {
        QCOMPARE(intermediates(first, first), std::string("c r s y"));
        QCOMPARE(intermediates(first, renamed), std::string("c=conv r=relu s=soft y"));
        // What is computed in another way differs where it does, and after that.
        QCOMPARE(intermediates(first, edited(first, "Softmax (r)", "Sigmoid (r)")),
                 std::string("c r s! y!"));
        // By name alone: r is what the Conv gives now, and the Softmax reads it without the Relu.
        QCOMPARE(intermediates(first, edited(edited(first, "c = Conv (x, W)", "r = Conv (x, W)"),
                                             "r = Relu (c)", "t = Relu (r)")),
                 std::string("r! s! y!"));
        CompareOptions outputsOnly;
        outputsOnly.intermediates = false;
        const auto result = compareFiles(*sessionOf(first), *sessionOf(first), outputsOnly);
        QVERIFY(result && result->intermediates.empty());
    }

    void howTheyCorrespond()
    {
        const auto a = sessionOf(first), b = sessionOf(renamed);
        const auto matches =
            matchComputed(a->opened(), b->opened(), diffFiles(a->opened(), b->opened()));
        QCOMPARE(matches.size(), std::size_t{4});
        QCOMPARE(matches.front().how, FileMatch::How::structure);
        QCOMPARE(matches.back().how, FileMatch::How::name); // the output
    }

    void valuesThatChanged()
    {
        QCOMPARE(changes(first, first), std::string());
        // The weight is read in the same place under another name; the rest is gone.
        QCOMPARE(changes(first, renamed), std::string("k> old>"));
        QCOMPARE(changes(renamed, first), std::string(">k >old"));
        QCOMPARE(changes(first, edited(first, "{1, 2}", "{1, 3}")), std::string("k>k"));
        QCOMPARE(changes(renamed, edited(renamed, "random(1)", "random(2)")),
                 std::string("weight>weight"));
        const std::string larger = edited(renamed, "[1, 2, 4, 4] x",
                                          "[1, 2, 8, 4] x");
        QVERIFY(changes(renamed, larger).starts_with("x>x conv>conv"));
    }
};

FUSESCOPE_TEST(TwoFilesTest, two_files_test)
#include "two_files_test.moc"

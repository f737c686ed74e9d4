#include "io/document.h"
#include "io/wire.h"
#include "pass_run.h"
#include "support/test_class.h"

#include <fmt/format.h>

using namespace fusescope;
using namespace fusescope::test;

// A file says by names alone which value a node reads. A rewrite that lets an inner body read another
// outer value must not leave one of that name in between.
class HiddenNamesTest : public QObject
{
    Q_OBJECT

    static Graph typed(const Document& document)
    {
        Graph graph = document.graph();
        const auto inferred = inferGraph(graph);
        if (!inferred || !graph.apply(inferred->patch))
            qFatal("not inferred");
        return graph;
    }

    // Optimized as a file that was read, written and read again; what is wrong, else the operators.
    static std::string writtenAgain(std::string_view text, std::string& rules)
    {
        WireMessage empty;
        empty.message(7, WireMessage());
        const auto none = Document::parse(empty.text(), "empty");
        const auto bytes = (*none)->serialize(graphOf(text));
        if (!bytes)
            return "not written";
        const auto document = Document::parse(*bytes, "model");
        const PassRun run = runPasses(typed(**document), withoutFusion());
        if (!run.problem.empty())
            return run.problem;
        rules = run.rules();
        const auto again = (*document)->serialize(run.graph);
        if (!again)
            return "not written again";
        const auto read = Document::parse(*again, "again");
        if (!read)
            return "not read again";
        if (std::string problem = runProblem(run.opened, typed(**read), 0); !problem.empty())
            return problem;
        return operatorsOf(typed(**read));
    }

private Q_SLOTS:
    void files_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("rule");
        QTest::addColumn<QString>("operators");
        QTest::newRow("an Identity of it goes")
            << R"(g (float[2] x, bool c) => (float[2] z)
                { q = Relu (x)
                  y = Identity (q)
                  z = If (c) <then_branch = t () => (float[2] p) { q = Neg (y) p = Add (q, y) },
                              else_branch = e () => (float[2] p) { p = Neg (y) }> })"
            << "remove-identity" << "Relu If";
        QTest::newRow("it takes the name of an output")
            << R"(g (float[2] x, bool c) => (float[2] y, float[2] z)
                { q = Relu (x)
                  z = If (c) <then_branch = t () => (float[2] p) { y = Neg (q) p = Add (y, q) },
                              else_branch = e () => (float[2] p) { p = Neg (q) }>
                  y = Identity (q) })"
            << "remove-identity" << "Relu If";
        QTest::newRow("a duplicate goes")
            << R"(g (float[2] x, bool c) => (float[2] z)
                { q = Relu (x)
                  r = Relu (x)
                  s = Neg (q)
                  z = If (c) <then_branch = t () => (float[2] p) { q = Neg (r) p = Add (q, r) },
                              else_branch = e () => (float[2] p) { p = Mul (r, s) }> })"
            << "merge-duplicates" << "Relu Neg If";
        QTest::newRow("a Reshape to the same shape goes")
            << R"(g (float[2] x, bool c) => (float[2] z) <int64[1] shape = {2}>
                { q = Relu (x)
                  y = Reshape (q, shape)
                  z = If (c) <then_branch = t () => (float[2] p) { q = Neg (y) p = Add (q, y) },
                              else_branch = e () => (float[2] p) { p = Neg (y) }> })"
            << "remove-noop" << "Relu If";
        QTest::newRow("the name stands between")
            << R"(g (float[2] x, bool c, bool d) => (float[2] z)
                { q = Relu (x)
                  y = Identity (q)
                  z = If (c) <then_branch = t () => (float[2] p)
                        { q = Neg (x)
                          o = If (d) <then_branch = u () => (float[2] v) { v = Exp (y) },
                                      else_branch = w () => (float[2] v) { v = Mul (q, q) }>
                          p = Add (q, o) },
                              else_branch = e () => (float[2] p) { p = Neg (y) }> })"
            << "remove-identity" << "Relu If";
        QTest::newRow("an input of a Loop has the name")
            << R"(g (float[2] x) => (float[2] z) <int64 n = {3}, bool c = {1}>
                { q = Relu (x)
                  y = Identity (q)
                  z = Loop (n, c, x) <body = b (int64 i, bool go, float[2] q) => (bool on, float[2] r)
                        { on = Identity (go) r = Add (q, y) }> })"
            << "remove-identity" << "Relu Loop";
        QTest::newRow("what never changes has the name of an inner value")
            << R"(g (float[2] x, float[2] k) => (float[2] z) <int64 n = {3}, bool c = {1}>
                { z, o = Loop (n, c, x, k) <body = b (int64 i, bool go, float[2] a, float[2] m) =>
                        (bool on, float[2] r, float[2] m)
                        { on = Identity (go) k = Neg (a) r = Add (k, m) }> })"
            << "hoist-invariant" << "Loop";
        QTest::newRow("an initializer of equal bits")
            << R"(g (float[2] x, bool c) => (float[2] z) <float[2] a = {1, 2}>
                { q = Add (x, a)
                  z = If (c) <then_branch = t () => (float[2] p) <float[2] f = {1, 2}>
                        { a = Neg (q) p = Mul (a, f) },
                              else_branch = e () => (float[2] p) { p = Neg (q) }> })"
            << "merge-initializers" << "Add If";
    }
    void files()
    {
        QFETCH(QString, text);
        QFETCH(QString, rule);
        QFETCH(QString, operators);
        std::string rules;
        QCOMPARE(writtenAgain(text.toStdString(), rules), operators.toStdString());
        QVERIFY2(QString::fromStdString(rules).contains(rule), rules.c_str());
    }

    // The name of a body that does not read the value stays.
    void otherBodiesKeepTheirNames()
    {
        const PassRun run = runPasses(R"(g (float[2] x, bool c) => (float[2] z)
            { q = Relu (x)
              y = Identity (q)
              z = If (c) <then_branch = t () => (float[2] p) { q = Neg (x) p = Exp (q) },
                          else_branch = e () => (float[2] p) { p = Neg (y) }> })",
                                      withoutFusion());
        QCOMPARE(run.problem, std::string());
        int named = 0;
        for (std::uint32_t i = 1; i < run.graph.valueLimit(); ++i) {
            const Value* value = run.graph.value(ValueId{i});
            named += value && value->name == "q" ? 1 : 0;
        }
        QCOMPARE(named, 2);
    }
};

FUSESCOPE_TEST(HiddenNamesTest, hidden_names_test)
#include "hidden_names_test.moc"

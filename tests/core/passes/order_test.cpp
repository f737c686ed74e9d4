#include "pass_run.h"
#include "support/test_class.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <sstream>

using namespace fusescope;
using namespace fusescope::test;

namespace {

struct Line
{
    std::string text;
    std::set<std::string> makes, reads;
};

// "a, b = Op <…> (x, y)": what it makes and what it reads.
Line lineOf(const std::string& text)
{
    const auto words = [](std::string list) {
        std::replace(list.begin(), list.end(), ',', ' ');
        std::istringstream stream(list);
        std::set<std::string> found;
        for (std::string word; stream >> word;)
            found.insert(word);
        return found;
    };
    const std::size_t open = text.rfind('(');
    return {text, words(text.substr(0, text.find('='))),
            words(text.substr(open + 1, text.rfind(')') - open - 1))};
}

// An order in which everything is made before it is read.
std::string shuffled(std::vector<Line> lines, std::mt19937& random)
{
    std::set<std::string> pending;
    for (const Line& line : lines)
        pending.insert(line.makes.begin(), line.makes.end());
    std::string text;
    while (!lines.empty()) {
        std::vector<std::size_t> ready;
        for (std::size_t i = 0; i < lines.size(); ++i) {
            if (std::none_of(lines[i].reads.begin(), lines[i].reads.end(),
                             [&](const std::string& name) { return pending.contains(name); }))
                ready.push_back(i);
        }
        const std::size_t at = ready[random() % ready.size()];
        for (const std::string& name : lines[at].makes)
            pending.erase(name);
        text += lines[at].text + "\n";
        lines.erase(lines.begin() + static_cast<std::ptrdiff_t>(at));
    }
    return text;
}

// Operators, rules and refusals, whatever their order.
std::string outcome(const PassRun& run)
{
    std::multiset<std::string> parts;
    std::string words = operatorsOf(run.graph);
    std::replace_if(
        words.begin(), words.end(), [](char c) { return c == '(' || c == ')'; }, ' ');
    std::istringstream operators(words);
    for (std::string word; operators >> word;)
        parts.insert(word);
    for (const Step& step : run.steps)
        parts.insert("rule " + std::string(step.rule));
    for (const Blocked& row : run.blocked) {
        std::string key = "refused " + std::string(row.miss.rule);
        for (const Reason& reason : row.miss.reasons)
            key += " " + std::string(idOf(reason.code));
        parts.insert(key);
    }
    std::string text = run.problem;
    for (const std::string& part : parts)
        text += part + "\n";
    return text;
}

} // namespace

// The result does not depend on the order of the nodes in the file where no two candidates share a
// node.
class OrderTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void anyOrderGivesTheSame_data()
    {
        QTest::addColumn<QString>("head");
        QTest::addColumn<QString>("body");
        QTest::newRow("convolutions")
            << "g (float[1, 2, 6, 6] x, float[1, 2, 6, 6] z) => (float[A] y, float[B] w, float[C] u) "
               "<float[2, 2, 1, 1] W = random(1), float[2] s = random(2, 0.5, 2), "
               "float[2] b = random(3), float[2] m = random(4), float[2] v = random(5, 0.5, 2), "
               "int64[1] zero = {0}, int64[1] one = {1}, int64[1] two = {2}, float six = {6}, "
               "float none = {0}, float half = {0.5}>"
            << "i = Identity (x)\nc1 = Conv (i, W)\nn1 = BatchNormalization (c1, s, b, m, v)\n"
               "r1 = Relu (n1)\nc2 = Conv (z, W)\nn2 = BatchNormalization (c2, s, b, m, v)\n"
               "a2 = Add (n2, r1)\nr2 = Clip (a2, none, six)\n"
               "p1 = Slice (z, zero, one, one)\np2 = Slice (z, one, two, one)\n"
               "q = Sub (p1, p2)\nt = Mul (q, half)\ne = Sigmoid (t)\ny = Neg (r2)\n"
               "c3 = Conv (r2, W)\nw = Relu (c3)\nk = Exp (c3)\nu = Mul (e, e)\n"
               "d = Softplus (k)\n";
        QTest::newRow("products")
            << "g (float[2, 5, 4] q, float[2, 5, 4] k, float[2, 5, 4] v, float[2, 5, 4] x) "
               "=> (float[A] y, float[B] w) "
               "<float scale = {0.5}, float two = {2}, float eps = {0.00001}, "
               "float root = {1.4142135}, float one = {1}, float half = {0.5}, "
               "float[4] gamma = {1, 2, 3, 4}, float[4] beta = {0, 1, 2, 3}, "
               "float[4, 4] W = random(1), float[4] b = random(2)>"
            << "t = Transpose <perm = [0, 2, 1]> (k)\ns1 = MatMul (q, t)\ns2 = Mul (s1, scale)\n"
               "f = Softmax (s2)\no = MatMul (f, v)\n"
               "m = ReduceMean <axes = [-1]> (x)\nd = Sub (x, m)\np = Mul (d, d)\n"
               "va = ReduceMean <axes = [-1]> (p)\nae = Add (va, eps)\nsq = Sqrt (ae)\n"
               "n = Div (d, sq)\ng1 = Mul (n, gamma)\ng2 = Add (g1, beta)\n"
               "mm = MatMul (g2, W)\nmb = Add (mm, b)\n"
               "h1 = Div (mb, root)\nh2 = Erf (h1)\nh3 = Add (h2, one)\nh4 = Mul (mb, h3)\n"
               "y = Mul (h4, half)\nw = Relu (o)\n";
    }
    void anyOrderGivesTheSame()
    {
        QFETCH(QString, head);
        QFETCH(QString, body);
        std::vector<Line> lines;
        std::istringstream stream(body.toStdString());
        for (std::string line; std::getline(stream, line);)
            lines.push_back(lineOf(line));
        const auto text = [&](const std::string& nodes) {
            return fmt::format(R"(<ir_version: 8, opset_import: ["" : 17]> {} {{ {} }})",
                               head.toStdString(), nodes);
        };
        const PassRun first = runPasses(text(body.toStdString()));
        QCOMPARE(first.problem, std::string());
        QVERIFY(first.steps.size() > 4);
        std::mt19937 random(11);
        for (int i = 0; i < 40; ++i) {
            const std::string nodes = shuffled(lines, random);
            const PassRun run = runPasses(text(nodes));
            QVERIFY2(outcome(run) == outcome(first),
                     (nodes + "\n" + outcome(run) + "\nfirst:\n" + outcome(first)).c_str());
            QCOMPARE(runProblem(run.opened, run.graph), std::string());
        }
    }
};

FUSESCOPE_TEST(OrderTest, order_test)
#include "order_test.moc"

#include "core/layout/families.h"

#include <algorithm>
#include <functional>
#include <random>
#include <set>

namespace fusescope::families {

namespace {

class Maker
{
public:
    int size() const { return static_cast<int>(graph.boxes.size()); }

    // Operators with weights are taller, as on the cards of the window.
    int add(const std::string& op, std::initializer_list<int> inputs)
    {
        return add(op, std::vector<int>(inputs));
    }

    int add(const std::string& op, const std::vector<int>& inputs)
    {
        const std::string name = op.substr(0, op.find('.'));
        LayoutBox box;
        box.width = std::max(54.0, 7.0 * static_cast<double>(name.size()) + 20);
        box.height = 24;
        if (name == "Conv" || op == "MatMul.w" || name == "Gemm") {
            box.width = std::max(box.width, name == "Conv" ? 128.0 : 110.0);
            box.height = 54;
        } else if (op != name || name == "Gather" || name == "Unsqueeze") {
            box.width = std::max(box.width, 84.0);
            box.height = 39;
        }
        const int id = size();
        graph.boxes.push_back(box);
        std::set<int> seen;
        for (const int input : inputs) {
            if (!seen.insert(input).second)
                continue;
            LayoutEdge edge;
            edge.from = input;
            edge.to = id;
            edge.toPort = static_cast<int>(seen.size()) - 1;
            graph.edges.push_back(edge);
        }
        return id;
    }

    int chain(int x, std::initializer_list<const char*> ops)
    {
        for (const char* op : ops)
            x = add(op, {x});
        return x;
    }

    LayoutGraph graph;
};

int bottleneck(Maker& m, int x, bool down)
{
    const int y = m.chain(x, {"Conv", "Relu", "Conv", "Relu", "Conv"});
    const int s = down ? m.add("Conv", {x}) : x;
    return m.add("Relu", {m.add("Add", {y, s})});
}

void resnet(Maker& m, int n)
{
    int x = m.chain(m.add("Input", {}), {"Conv", "Relu", "MaxPool"});
    for (int b = 0; m.size() < n - 4; ++b)
        x = bottleneck(m, x, b % 6 == 0);
    m.chain(x, {"GlobalAveragePool", "Flatten", "Gemm", "Output"});
}

void densenet(Maker& m, int n)
{
    int x = m.chain(m.add("Input", {}), {"Conv", "Relu", "MaxPool"});
    const int blocks[] = {6, 12, 24, 16};
    for (int b = 0; m.size() < n - 4; ++b) {
        std::vector<int> features{x};
        for (int i = 0; i < blocks[b % 4] && m.size() < n - 8; ++i) {
            const int c = features.size() > 1 ? m.add("Concat", features) : features[0];
            features.push_back(
                m.chain(c, {"BatchNormalization.p", "Relu", "Conv", "Relu", "Conv"}));
        }
        x = m.chain(m.add("Concat", features),
                    {"BatchNormalization.p", "Relu", "Conv", "AveragePool"});
    }
    m.chain(x, {"GlobalAveragePool", "Flatten", "Gemm", "Output"});
}

int dimension(Maker& m, int x)
{
    return m.chain(x, {"Shape", "Gather", "Unsqueeze"});
}

int toHeads(Maker& m, int x)
{
    const int a = dimension(m, x);
    const int b = dimension(m, x);
    return m.add("Transpose", {m.add("Reshape", {x, m.add("Concat", {a, b})})});
}

int layerNorm(Maker& m, int x)
{
    const int d = m.add("Sub", {x, m.add("ReduceMean", {x})});
    const int v = m.chain(d, {"Pow.c", "ReduceMean", "Add.c", "Sqrt"});
    return m.chain(m.add("Div", {d, v}), {"Mul.w", "Add.b"});
}

int gelu(Maker& m, int x)
{
    const int a = m.chain(x, {"Div.c", "Erf", "Add.c"});
    return m.add("Mul.c", {m.add("Mul", {x, a})});
}

int linear(Maker& m, int x)
{
    return m.chain(x, {"MatMul.w", "Add.b"});
}

int attention(Maker& m, int x, int mask, int memory, bool cached)
{
    const int q = toHeads(m, linear(m, x));
    int k = toHeads(m, linear(m, memory));
    int v = toHeads(m, linear(m, memory));
    if (cached) {
        k = m.add("Concat", {m.add("Input", {}), k});
        v = m.add("Concat", {m.add("Input", {}), v});
        m.add("Output", {k});
        m.add("Output", {v});
    }
    int s = m.add("Div.c", {m.add("MatMul", {q, m.add("Transpose", {k})})});
    if (mask >= 0)
        s = m.add("Add", {s, mask});
    const int o = m.chain(m.add("MatMul", {m.add("Softmax", {s}), v}), {"Transpose"});
    const int a = dimension(m, o);
    const int b = dimension(m, o);
    return linear(m, m.add("Reshape", {o, m.add("Concat", {a, b})}));
}

int encoderLayer(Maker& m, int x, int mask)
{
    x = layerNorm(m, m.add("Add", {attention(m, x, mask, x, false), x}));
    const int f = linear(m, gelu(m, linear(m, x)));
    return layerNorm(m, m.add("Add", {f, x}));
}

int embedding(Maker& m)
{
    const int ids = m.add("Input", {});
    const int p = m.chain(ids, {"Shape", "Gather", "Unsqueeze", "Slice", "Gather.w"});
    return layerNorm(m, m.add("Add", {m.add("Gather.w", {ids}), p}));
}

int maskChain(Maker& m)
{
    return m.chain(m.add("Input", {}), {"Unsqueeze", "Unsqueeze", "Cast", "Sub.c", "Mul.c"});
}

void bert(Maker& m, int n)
{
    int x = embedding(m);
    const int mask = maskChain(m);
    while (m.size() < n - 60)
        x = encoderLayer(m, x, mask);
    m.add("Output", {linear(m, x)});
    m.chain(x, {"Gather", "Gemm", "Tanh", "Output"});
}

void gpt(Maker& m, int n)
{
    int x = embedding(m);
    const int s = m.chain(m.add("Input", {}), {"Shape", "Gather", "Unsqueeze"});
    const int causal = m.add("Where", {m.add("Slice", {s}), s});
    while (m.size() < n - 60) {
        const int h = layerNorm(m, x);
        x = m.add("Add", {x, attention(m, h, causal, h, true)});
        x = m.add("Add", {x, linear(m, gelu(m, linear(m, layerNorm(m, x))))});
    }
    m.chain(layerNorm(m, x), {"MatMul.w", "Output"});
}

void encdec(Maker& m, int n)
{
    int x = embedding(m);
    const int mask = maskChain(m);
    while (m.size() < std::max(60, n * 42 / 100))
        x = encoderLayer(m, x, mask);
    int y = embedding(m);
    const int causal = m.chain(m.add("Input", {}), {"Shape", "Gather", "Expand", "Trilu"});
    while (m.size() < n - 80) {
        y = layerNorm(m, m.add("Add", {attention(m, y, causal, y, false), y}));
        y = layerNorm(m, m.add("Add", {attention(m, y, mask, x, false), y}));
        y = layerNorm(m, m.add("Add", {linear(m, gelu(m, linear(m, y))), y}));
    }
    m.chain(y, {"MatMul.w", "Output"});
}

void inception(Maker& m, int n)
{
    int x = m.chain(m.add("Input", {}), {"Conv", "Relu", "Conv", "Relu", "MaxPool"});
    for (int b = 0; m.size() < n - 25; ++b) {
        const int p = m.chain(x, {"Conv", "Relu"});
        const int q = m.chain(x, {"Conv", "Relu", "Conv", "Relu"});
        const int r = m.chain(x, {"Conv", "Relu", "Conv", "Relu", "Conv", "Relu"});
        const int s = m.chain(x, {"AveragePool", "Conv", "Relu"});
        if (b % 3 == 2) {
            const int r1 = m.chain(r, {"Conv", "Relu"});
            const int r2 = m.chain(r, {"Conv", "Relu"});
            x = m.add("Concat", {p, q, r1, r2, s});
        } else {
            x = m.add("Concat", {p, q, r, s});
        }
    }
    m.chain(x, {"GlobalAveragePool", "Flatten", "Gemm", "Output"});
}

int swish(Maker& m, int x)
{
    return m.add("Mul", {x, m.add("Sigmoid", {x})});
}

int unetBlock(Maker& m, int x, int time)
{
    int h = m.chain(x, {"Reshape", "InstanceNormalization", "Reshape", "Mul.w", "Add.b"});
    h = m.add("Conv", {swish(m, h)});
    h = m.add("Add", {h, m.add("Unsqueeze", {linear(m, swish(m, time))})});
    h = m.chain(h, {"Reshape", "InstanceNormalization", "Reshape", "Mul.w", "Add.b"});
    return m.add("Add", {m.add("Conv", {x}), m.add("Conv", {swish(m, h)})});
}

int unetOnce(Maker& m, int x, int time, int levels, int perLevel)
{
    std::vector<int> skips{x};
    for (int l = 0; l < levels; ++l) {
        for (int b = 0; b < perLevel; ++b)
            skips.push_back(x = unetBlock(m, x, time));
        if (l + 1 < levels)
            skips.push_back(x = m.add("Conv", {x}));
    }
    x = unetBlock(m, unetBlock(m, x, time), time);
    for (int l = levels; l-- > 0;) {
        for (int b = 0; b <= perLevel; ++b) {
            x = unetBlock(m, m.add("Concat", {x, skips.back()}), time);
            skips.pop_back();
        }
        if (l > 0)
            x = m.chain(x, {"Resize", "Conv"});
    }
    return x;
}

void unet(Maker& m, int n)
{
    int x = m.chain(m.add("Input", {}), {"Conv"});
    const int t = m.chain(m.add("Input", {}), {"Unsqueeze", "Cast", "Mul.w"});
    const int time = linear(m, m.add("Concat", {m.add("Sin", {t}), m.add("Cos", {t})}));
    do {
        x = unetOnce(m, x, time, n < 500 ? 2 : 4, n < 500 ? 1 : 3);
    } while (m.size() < n * 8 / 10);
    m.chain(x, {"InstanceNormalization", "Mul", "Conv", "Output"});
}

void nasnet(Maker& m, int n)
{
    int x = m.chain(m.add("Input", {}), {"Conv"});
    int p = x;
    while (m.size() < n - 4) {
        const int a = m.chain(x, {"Relu", "Conv"});
        const int b = m.chain(p, {"Relu", "Conv"});
        const auto separable = [&](int y) { return m.chain(y, {"Relu", "Conv", "Conv"}); };
        const auto pool = [&](int y) { return m.add("AveragePool", {y}); };
        const int c1 = m.add("Add", {separable(a), a});
        const int c2 = m.add("Add", {separable(b), separable(a)});
        const int c3 = m.add("Add", {pool(a), b});
        const int c4 = m.add("Add", {pool(b), pool(b)});
        const int c5 = m.add("Add", {separable(b), separable(b)});
        p = x;
        x = m.add("Concat", {b, c1, c2, c3, c4, c5});
    }
    m.chain(x, {"GlobalAveragePool", "Gemm", "Output"});
}

void detect(Maker& m, int n)
{
    const int image = m.add("Input", {});
    int x = m.chain(image, {"Conv", "Relu", "MaxPool"});
    std::vector<int> pyramid;
    for (int stage = 1; stage <= 4; ++stage) {
        bool down = true;
        do {
            x = bottleneck(m, x, down);
            down = false;
        } while (m.size() < n * 45 * stage / 400);
        pyramid.push_back(m.add("Conv", {x}));
    }
    std::vector<int> levels{pyramid.back()};
    for (int l = 2; l >= 0; --l) {
        const int shape = m.chain(pyramid[l], {"Shape", "Slice.c", "Concat"});
        const int up = m.add("Resize", {levels.back(), shape});
        levels.push_back(m.add("Add", {pyramid[l], up}));
    }
    const int depth = std::max(1, (n - m.size()) * 55 / 100 / static_cast<int>(levels.size() * 4));
    std::vector<int> boxes, scores;
    for (const int level : levels) {
        for (auto* list : {&scores, &boxes}) {
            int h = level;
            for (int i = 0; i < depth; ++i)
                h = m.chain(h, {"Conv", "Relu"});
            h = m.add("Conv", {h});
            const int a = dimension(m, h);
            const int b = dimension(m, h);
            list->push_back(
                m.chain(m.add("Reshape", {h, m.add("Concat", {a, b})}), {"Transpose", "Reshape"}));
        }
    }
    const int s = m.add("Sigmoid", {m.add("Concat", scores)});
    const int b = m.add("Concat", boxes);
    const int shape = m.add("Shape", {image});
    const int height = m.add("Gather", {shape});
    const int width = m.add("Gather", {shape});
    const int classes = std::max(1, (n - m.size() - 8) / 14);
    std::vector<int> found;
    for (int k = 0; k < classes; ++k) {
        const int one = m.add("Slice.c", {s});
        const int at = m.chain(one, {"Greater.c", "NonZero", "Transpose", "Squeeze"});
        const int box = m.add("Gather", {b, at});
        const int score = m.add("Gather", {one, at});
        const int inside = m.add("Min", {m.add("Clip", {box, height}), width});
        const int kept = m.add("NonMaxSuppression", {inside, score});
        found.push_back(
            m.add("Concat", {m.add("Gather", {inside, kept}), m.add("Gather", {score, kept})}));
    }
    while (found.size() > 1) {
        std::vector<int> next;
        for (std::size_t i = 0; i < found.size(); i += 8)
            next.push_back(
                m.add("Concat", std::vector<int>(found.begin() + i,
                                                 found.begin() + std::min(found.size(), i + 8))));
        found = next;
    }
    m.chain(found.front(), {"TopK", "Output"});
}

// Many short links and some long ones, no narrow place anywhere.
void randomWiring(Maker& m, int n)
{
    std::mt19937 random(1);
    const auto below = [&](int limit) { return static_cast<int>(random() % limit); };
    for (int i = 0; i < 8; ++i)
        m.add("Input", {});
    while (m.size() < n) {
        const int i = m.size();
        std::set<int> inputs{std::max(0, i - 1 - below(8))};
        if (below(100) < 45)
            inputs.insert(std::max(0, i - 1 - below(20)));
        if (below(100) < 5)
            inputs.insert(std::max(0, i - 1 - below(400)));
        m.add(inputs.size() == 1 ? "Conv" : "Add", std::vector<int>(inputs.begin(), inputs.end()));
    }
}

struct Family
{
    std::string name;
    std::function<void(Maker&, int)> make;
};

const std::vector<Family>& all()
{
    static const std::vector<Family> families{
        {"resnet", resnet}, {"inception", inception}, {"nasnet", nasnet}, {"bert", bert},
        {"gpt", gpt},       {"encdec", encdec},       {"unet", unet},     {"densenet", densenet},
        {"detect", detect}, {"random", randomWiring}};
    return families;
}

} // namespace

const std::vector<std::string>& names()
{
    static const std::vector<std::string> list = [] {
        std::vector<std::string> result;
        for (const Family& family : all())
            result.push_back(family.name);
        return result;
    }();
    return list;
}

LayoutGraph make(const std::string& name, int nodes)
{
    Maker maker;
    for (const Family& family : all()) {
        if (family.name == name)
            family.make(maker, nodes);
    }
    return std::move(maker.graph);
}

LayoutGraph chain(int nodes, bool residual)
{
    Maker m;
    int x = m.add("Input", {});
    int skip = x;
    for (int i = 1; i < nodes; ++i) {
        const bool joins = residual && i % 3 == 0;
        x = joins ? m.add("Add", {x, skip}) : m.add("Relu", {x});
        if (joins)
            skip = x;
    }
    return std::move(m.graph);
}

LayoutGraph sharedConstants(int nodes)
{
    Maker m;
    std::vector<int> constants;
    for (int i = 0; i < 4; ++i)
        constants.push_back(m.add("Constant", {}));
    const int mask = maskChain(m);
    int x = embedding(m);
    while (m.size() < nodes - 60) {
        x = encoderLayer(m, x, mask);
        for (int c = 0; c < 4; ++c)
            x = m.add(c % 2 == 0 ? "Mul" : "Add", {x, constants[c]});
    }
    m.add("Output", {x});
    // Inside the layers each Reshape and Gather reads one of the constants as well.
    const int size = m.size();
    for (int v = 0; v < size; ++v) {
        if (m.graph.boxes[v].height == 39) {
            LayoutEdge edge;
            edge.from = constants[v % 4];
            edge.to = v;
            edge.toPort = 1;
            m.graph.edges.push_back(edge);
        }
    }
    return std::move(m.graph);
}

} // namespace fusescope::families

// Speed of the kernels, as a share of the multiply-add rate measured beside each sample.
// usage: kernels_bench [threads] [instruction set] [part of the names to run]

#include "exec/kernels/convolution.h"
#include "exec/kernels/elementwise.h"
#include "exec/kernels/matmul.h"
#include "exec/kernels/normalization.h"
#include "exec/kernels/pooling.h"
#include "exec/kernels/reorder.h"
#include "exec/kernels/target.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <fmt/format.h>
#include <functional>
#include <vector>

using namespace fusescope::kernels;

namespace {

using Floats = std::vector<float>;

std::string g_only; // part of the names to run

Floats filled(std::int64_t count)
{
    Floats values(static_cast<std::size_t>(count) + 16);
    std::uint32_t state = 7;
    for (float& v : values) {
        state = state * 1664525U + 1013904223U;
        v = static_cast<float>(state >> 8) / 8388608.0F - 1.0F;
    }
    return values;
}

float* aligned(Floats& values)
{
    const auto address = reinterpret_cast<std::uintptr_t>(values.data());
    return values.data() + (64 - address % 64) % 64 / 4;
}

// Seconds of the fastest call in about 0.2 seconds of them.
double fastest(const std::function<void()>& call)
{
    using Clock = std::chrono::steady_clock;
    call();
    double best = 1e9;
    const auto end = Clock::now() + std::chrono::milliseconds(200);
    do {
        const auto start = Clock::now();
        call();
        best = std::min(best, std::chrono::duration<double>(Clock::now() - start).count());
    } while (Clock::now() < end);
    return best;
}

void report(const std::string& name, double flops, double bytes, ThreadPool& pool,
            const std::function<void()>& call)
{
    if (name.find(g_only) == std::string::npos)
        return;
    const double before = measureFmaRate(0.02);
    const double seconds = fastest(call);
    const double peak = std::max(before, measureFmaRate(0.02)) * pool.threads();
    fmt::print("{:44} {:8.3f} ms {:7.1f} GFLOP/s {:5.1f} % of {:5.1f} {:6.1f} GB/s\n", name,
               seconds * 1e3, flops / seconds * 1e-9, flops / seconds / peak * 100, peak * 1e-9,
               bytes / seconds * 1e-9);
    std::fflush(stdout);
}

struct Case
{
    std::int64_t in, out, size, kernel, stride;
    bool residual;
    std::int64_t groups = 1;
};

void benchConvolution(const Case& c, ConvolutionMethod method, const char* name, ThreadPool& pool)
{
    ConvolutionShape s;
    s.inChannels = c.in;
    s.outChannels = c.out;
    s.groups = c.groups;
    s.input = {1, c.size, c.size};
    s.kernel = {1, c.kernel, c.kernel};
    s.stride = {1, c.stride, c.stride};
    s.padBefore = {0, c.kernel / 2, c.kernel / 2};
    s.output = {1, (c.size + c.stride - 1) / c.stride, (c.size + c.stride - 1) / c.stride};
    const ConvolutionPlan plan = planConvolution(s, method);
    const std::int64_t inFloats = blockedFloats({1, c.in, c.size * c.size});
    const std::int64_t outFloats = blockedFloats({1, c.out, s.output[1] * s.output[2]});
    Floats input = filled(inFloats);
    Floats weights = filled(c.out * c.in / c.groups * c.kernel * c.kernel);
    Floats packed = filled(packedWeightFloats(plan));
    Floats scratch = filled(convolutionScratchFloats(plan, pool.threads()));
    Floats output = filled(outFloats);
    Floats residual = filled(outFloats);
    Floats bias = filled(c.out);
    packConvolutionWeights(plan, weights.data(), aligned(packed), pool);
    const SourceView view{aligned(input), c.in, 0};
    ConvolutionArguments arguments;
    arguments.sources = {&view, 1};
    arguments.packedWeights = aligned(packed);
    arguments.output = aligned(output);
    arguments.scratch = aligned(scratch);
    arguments.epilogue.bias = bias.data();
    arguments.epilogue.residual = c.residual ? aligned(residual) : nullptr;
    arguments.epilogue.activation.kind = Activation::Relu;
    const double flops = 2.0 * static_cast<double>(c.out * s.output[1] * s.output[2] * c.in /
                                                   c.groups * c.kernel * c.kernel);
    report(fmt::format("{0}x{0} s{1} {2}->{3} @{4}{5}{6} {7}", c.kernel, c.stride, c.in, c.out,
                       c.size, c.residual ? " +res" : "",
                       c.groups > 1 ? fmt::format(" g{}", c.groups) : "", name),
           flops, 4.0 * static_cast<double>(inFloats + outFloats), pool,
           [&] { runConvolution(plan, arguments, pool); });
}

void benchProduct(std::int64_t m, std::int64_t n, std::int64_t k, bool packs, ThreadPool& pool)
{
    MatMulShape s;
    s.m = m;
    s.n = n;
    s.k = k;
    Floats a = filled(m * k);
    Floats b = filled(k * n);
    Floats c = filled(m * n);
    Floats packed = filled(packedMatMulFloats(s));
    Floats scratch = filled(matMulScratchFloats(s, packs, pool.threads()));
    packMatMulB(s, b.data(), aligned(packed), pool);
    MatMulArguments arguments;
    arguments.a.data = aligned(a);
    arguments.b.data = b.data();
    arguments.packedB = packs ? aligned(packed) : nullptr;
    arguments.c = aligned(c);
    arguments.scratch = aligned(scratch);
    report(fmt::format("product {}x{}x{}{}", m, n, k, packs ? "" : " unpacked"),
           2.0 * static_cast<double>(m * n * k), 4.0 * static_cast<double>(n * k), pool,
           [&] { runMatMul(s, arguments, pool); });
}

void benchOthers(ThreadPool& pool)
{
    constexpr std::int64_t kCount = 64 * 56 * 56;
    Floats x = filled(kCount);
    Floats y = filled(kCount);
    Floats z = filled(kCount);
    const double bytes = 8.0 * kCount;
    const auto program = [&](const char* name, const ElementProgram& p) {
        const ElementOperand inputs[] = {{x.data(), {}}, {y.data(), {}}};
        const std::int64_t shape[] = {kCount};
        report(name, 0, bytes + 4.0 * kCount * (p.inputs - 1), pool, [&] {
            runElementwise(p, shape, {inputs, p.inputs}, z.data(), pool);
        });
    };
    program("add", {2, {}, {{ElementOp::Add, 0, 1, 0, {}}}});
    program("exp", {1, {}, {{ElementOp::Exp, 0, 0, 0, {}}}});
    program("gelu", {1, {}, {{ElementOp::Activate, 0, 0, 0, {Activation::GeluErf, 1, 0}}}});
    program("chain of four", {2,
                              {0.5F},
                              {{ElementOp::Add, 0, 1, 0, {}},
                               {ElementOp::Mul, 3, 2, 0, {}},
                               {ElementOp::Max, 4, 0, 0, {}},
                               {ElementOp::Sub, 5, 1, 0, {}}}});
    const ImageShape image{1, 64, 56 * 56};
    report("plain to blocked", 0, bytes, pool, [&] { toBlocked(image, x.data(), z.data(), pool); });
    report("blocked to plain", 0, bytes, pool, [&] { toPlain(image, x.data(), z.data(), pool); });
    report("affine + relu", 0, bytes, pool, [&] {
        runChannelAffine(image, true, y.data(), y.data(), {Activation::Relu, 1, 0}, x.data(),
                         z.data(), pool);
    });
    PoolShape s;
    s.channels = 64;
    s.input = {1, 56, 56};
    s.output = {1, 28, 28};
    s.kernel = {1, 3, 3};
    s.stride = {1, 2, 2};
    s.padBefore = s.padAfter = {0, 1, 1};
    report("max pool 3x3 s2 blocked", 0, 4.0 * kCount * 1.25, pool,
           [&] { runPool(s, true, x.data(), z.data(), pool); });
    report("softmax 196 x 1024", 0, bytes, pool,
           [&] { runSoftmax(196, 1024, 1, false, x.data(), z.data(), pool); });
    report("layer norm 261 x 768", 0, bytes, pool, [&] {
        runLayerNorm({261, 768, 1e-5F, false}, x.data(), nullptr, y.data(), y.data(), z.data(),
                     nullptr, pool);
    });
}

} // namespace

int main(int argc, char** argv)
{
    ThreadPool pool(argc > 1 ? std::atoi(argv[1]) : 1);
    if (argc > 2 && !useTarget(argv[2]))
        return 1;
    if (argc > 3)
        g_only = argv[3];
    fmt::print("{}, {} threads\n", targetName(), pool.threads());
    using M = ConvolutionMethod;
    const Case three[] = {{64, 64, 56, 3, 1, false},   {128, 128, 28, 3, 1, false},
                          {256, 256, 14, 3, 1, false}, {512, 512, 7, 3, 1, false},
                          {512, 512, 28, 3, 1, false}, {128, 32, 56, 3, 1, false}};
    for (const Case& c : three) {
        benchConvolution(c, M::Direct, "direct", pool);
        benchConvolution(c, M::Winograd2, "F(2x2)", pool);
        benchConvolution(c, M::Winograd4, "F(4x4)", pool);
    }
    const Case direct[] = {
        {256, 64, 56, 1, 1, false},      {64, 256, 56, 1, 1, true},     {512, 128, 28, 1, 1, false},
        {128, 512, 28, 1, 1, true},      {1024, 256, 14, 1, 1, false},  {256, 1024, 14, 1, 1, true},
        {2048, 512, 7, 1, 1, false},     {512, 2048, 7, 1, 1, true},    {256, 512, 56, 1, 2, false},
        {128, 128, 56, 3, 2, false},     {256, 256, 28, 3, 2, false},   {512, 512, 14, 3, 2, false},
        {128, 128, 28, 3, 1, false, 32}, {272, 272, 28, 1, 1, false, 4}};
    for (const Case& c : direct)
        benchConvolution(c, M::Direct, "direct", pool);
    benchConvolution({3, 64, 224, 7, 2, false}, M::FirstLayer, "first layer", pool);
    benchConvolution({3, 64, 224, 3, 1, false}, M::FirstLayer, "first layer", pool);
    benchConvolution({144, 144, 56, 3, 1, false, 144}, M::Depthwise, "depthwise", pool);
    benchConvolution({144, 144, 56, 3, 2, false, 144}, M::Depthwise, "depthwise", pool);
    benchConvolution({240, 240, 28, 5, 1, false, 240}, M::Depthwise, "depthwise", pool);
    benchProduct(128, 768, 768, true, pool);
    benchProduct(128, 3072, 768, true, pool);
    benchProduct(128, 768, 3072, true, pool);
    benchProduct(128, 128, 64, false, pool);
    benchProduct(128, 64, 128, false, pool);
    benchProduct(1, 1000, 2048, true, pool);
    benchProduct(1, 4096, 4096, true, pool);
    benchProduct(512, 512, 512, true, pool);
    benchOthers(pool);
    return 0;
}

#include "exec/fused/epilogue_plan.h"

#include "exec/kernels/matmul.h"

#include <algorithm>

namespace fusescope::fused {

using kernels::MatMulShape;

namespace {

// A product as one call: sizes, the batch's offsets, and Gemm's third operand.
struct ProductPlan
{
    MatMulShape shape;
    std::vector<std::int64_t> aOffsets, bOffsets; // empty: one matrix, or dense
    int columnBias = -1, rowBias = -1, addend = -1;
    double addendScalar = 0;
};

Why planGemm(Builder& b, const Unit& unit, ProductPlan& plan)
{
    const Attributes& attributes = unit.node->attributes;
    const Sizes& a = b.shape(unit.inputs[0]);
    const Sizes& w = b.shape(unit.inputs[1]);
    if (a.size() != 2 || w.size() != 2)
        return Message("kernel.rank", {{"rank", static_cast<std::int64_t>(a.size())}});
    plan.shape.transA = attributes.getInt("transA", 0) != 0;
    plan.shape.transB = attributes.getInt("transB", 0) != 0;
    plan.shape.alpha = attributes.getFloat("alpha", 1.0F);
    plan.shape.m = a[plan.shape.transA ? 1 : 0];
    plan.shape.k = a[plan.shape.transA ? 0 : 1];
    plan.shape.n = w[plan.shape.transB ? 0 : 1];
    if (w[plan.shape.transB ? 1 : 0] != plan.shape.k)
        return Message("kernel.broadcast", {{"value", b.var(unit.inputs[1]).id}});
    const int c = unit.inputs.size() > 2 ? unit.inputs[2] : -1;
    const float beta = attributes.getFloat("beta", 1.0F);
    if (c < 0 || beta == 0.0F)
        return std::nullopt;
    int addend = c;
    if (beta != 1.0F) {
        if (!b.isConstant(c))
            return Message("kernel.attribute",
                           {{"name", std::string("beta")}, {"value", std::to_string(beta)}});
        Tensor scaled = b.var(c).constant->materialized();
        for (std::int64_t i = 0; i < scaled.elementCount(); ++i)
            scaled.mutableElements<float>()[i] *= beta;
        addend = b.addConstant(std::move(scaled));
    }
    const Sizes target{plan.shape.m, plan.shape.n};
    Sizes own = b.shape(addend);
    if (own.size() > 2 || !broadcastsToSizes(own, target))
        return Message("kernel.broadcast", {{"value", b.var(c).id}});
    own.insert(own.begin(), 2 - own.size(), 1);
    if (own == target)
        plan.addend = addend;
    else if (own[0] == 1 && own[1] == target[1])
        plan.columnBias = addend;
    else if (own[1] == 1 && own[0] == target[0])
        plan.rowBias = addend;
    else if (const auto value = b.scalar(addend))
        plan.addendScalar = *value;
    else
        return Message("kernel.not-constant", {{"value", b.var(c).id}});
    return std::nullopt;
}

Why planMatMul(Builder& b, const Unit& unit, ProductPlan& plan)
{
    Sizes a = b.shape(unit.inputs[0]);
    Sizes w = b.shape(unit.inputs[1]);
    if (a.empty() || w.empty())
        return Message("kernel.rank", {{"rank", std::int64_t{0}}});
    if (a.size() == 1)
        a.insert(a.begin(), 1);
    if (w.size() == 1)
        w.push_back(1);
    plan.shape.m = a[a.size() - 2];
    plan.shape.k = a.back();
    plan.shape.n = w.back();
    const Sizes aBatch(a.begin(), a.end() - 2);
    const Sizes bBatch(w.begin(), w.end() - 2);
    const auto batch = broadcastSizes(aBatch, bBatch);
    if (!batch || w[w.size() - 2] != plan.shape.k)
        return Message("kernel.broadcast", {{"value", b.var(unit.inputs[1]).id}});
    if (productOf(bBatch) == 1) {
        // One matrix on the right: all rows of the left at once.
        plan.shape.m *= productOf(aBatch);
        return std::nullopt;
    }
    plan.shape.batch = productOf(*batch);
    const auto offsets = [&](const Sizes& own, std::int64_t size) {
        const Sizes strides = broadcastStrides(own, *batch);
        std::vector<std::int64_t> result;
        Sizes index(batch->size(), 0);
        for (std::int64_t i = 0; i < plan.shape.batch; ++i) {
            std::int64_t at = 0;
            for (std::size_t axis = 0; axis < index.size(); ++axis)
                at += index[axis] * strides[axis];
            result.push_back(at * size);
            for (std::size_t axis = index.size(); axis-- > 0;) {
                if (++index[axis] < (*batch)[axis])
                    break;
                index[axis] = 0;
            }
        }
        return result;
    };
    plan.aOffsets = offsets(aBatch, plan.shape.m * plan.shape.k);
    plan.bOffsets = offsets(bBatch, plan.shape.k * plan.shape.n);
    return std::nullopt;
}

} // namespace

Why emitProduct(Builder& b, const Unit& reported, const Unit& unit, const Tail& tail)
{
    const bool gemm = unit.node->op.type == "Gemm";
    if (unit.inputs.size() < 2 || unit.inputs[0] < 0 || unit.inputs[1] < 0 ||
        unit.outputs.size() != 1)
        return Message("kernel.none", {{"op", unit.node->op.type}});
    if (auto why = b.whyNotFloat(unit))
        return why;
    if (auto why = b.whyNotFloat(tail.program.inputs))
        return why;
    const int results[] = {tail.output};
    if (auto why = b.whyNotFloat(results))
        return why;
    const Sizes& target = b.shape(unit.outputs[0]);
    if (b.shape(tail.output) != target || target.empty())
        return Message("kernel.broadcast", {{"value", b.var(tail.output).id}});
    ProductPlan product;
    if (auto why = gemm ? planGemm(b, unit, product) : planMatMul(b, unit, product))
        return why;
    // With a vector on the right the last axis of the result is no column.
    const bool hasColumns = target.back() == product.shape.n;
    if (!hasColumns && !tail.program.code.empty())
        return Message("kernel.rank", {{"rank", static_cast<std::int64_t>(target.size())}});
    // The kernel adds the bias before the addend; Gemm has one of them.
    EpiloguePlan epilogue =
        planEpilogue(b, tail.program, tail.main, target.size() - 1, product.columnBias);
    if (product.addend >= 0 || product.addendScalar != 0) {
        EpiloguePlan::Step add;
        add.step.op = kernels::ElementOp::Add;
        if (product.addend >= 0) {
            add.step.kind = kernels::OperandKind::Tensor;
            add.var = product.addend;
        } else {
            add.step.kind = kernels::OperandKind::Scalar;
            add.step.scalar = static_cast<float>(product.addendScalar);
        }
        const bool first = epilogue.bias < 0 && epilogue.residual < 0;
        if (first && product.addend >= 0) {
            epilogue.residual = product.addend;
        } else {
            // In front of what follows: the activation moves behind it.
            std::vector<EpiloguePlan::Step> steps{add};
            if (epilogue.activation.kind != kernels::Activation::None) {
                EpiloguePlan::Step activate;
                activate.step.op = kernels::ElementOp::Activate;
                activate.step.activation = epilogue.activation;
                steps.push_back(activate);
                epilogue.activation = {};
            }
            steps.insert(steps.end(), epilogue.steps.begin(), epilogue.steps.end());
            epilogue.steps = std::move(steps);
        }
    }
    const MatMulShape shape = product.shape;
    const bool packsNow = b.isConstant(unit.inputs[1]) && shape.batch == 1;

    Draft draft(b, reported, gemm ? "gemm" : (shape.batch > 1 ? "matmul batched" : "matmul"),
                Layout::plain);
    const Operand a = draft.read(unit.inputs[0]);
    Operand w;
    std::int64_t packed = 0;
    if (packsNow) {
        packed = b.addPacking(
            kernels::packedMatMulFloats(shape),
            [shape, tensor = b.var(unit.inputs[1]).constant](float* to, kernels::ThreadPool& pool) {
                kernels::packMatMulB(shape, tensor->aligned<float>().data(), to, pool);
            });
    } else {
        w = draft.read(unit.inputs[1]);
    }
    Operand rowBias;
    if (product.rowBias >= 0)
        rowBias = draft.read(product.rowBias);
    const BoundEpilogue bound(draft, epilogue, Layout::plain);
    ElementPass rest;
    const bool hasRest = epilogue.hasRest();
    if (hasRest)
        rest = makePass(b, draft, epilogue.rest, tail.output, Layout::plain, tail.main);
    const int to = draft.write(tail.output);
    draft.mayReplace(bound.residual(), to);
    draft.setScratch(4 * kernels::matMulScratchFloats(shape, packsNow, b.pool().threads()));
    draft.setFlops(2.0 * static_cast<double>(shape.batch) * static_cast<double>(shape.m) *
                   static_cast<double>(shape.n) * static_cast<double>(shape.k));
    draft.commit([=](RunState& state) {
        std::vector<kernels::EpilogueStep> steps;
        kernels::MatMulArguments arguments;
        arguments.a.data = state.floats(a);
        if (!product.aOffsets.empty())
            arguments.a.offsets = product.aOffsets.data();
        if (packsNow) {
            arguments.packedB = state.weights(packed);
        } else {
            arguments.b.data = state.floats(w);
            if (!product.bOffsets.empty())
                arguments.b.offsets = product.bOffsets.data();
        }
        arguments.rowBias = state.floats(rowBias);
        arguments.c = state.floatsAt(to);
        arguments.scratch = state.scratch();
        arguments.epilogue = bound.bind(state, steps);
        if (!kernels::runMatMul(shape, arguments, state.pool))
            return finished(false);
        return finished(!hasRest || rest.run(state, state.floatsAt(to)));
    });
    return std::nullopt;
}

Why buildProduct(Builder& b, const Unit& unit)
{
    if (unit.outputs.empty() || unit.outputs[0] < 0)
        return Message("kernel.none", {{"op", unit.node->op.type}});
    Tail tail;
    tail.main = tail.output = unit.outputs[0];
    return emitProduct(b, unit, unit, tail);
}

} // namespace fusescope::fused

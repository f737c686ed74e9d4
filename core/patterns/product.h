#pragma once

#include "patterns/conditions.h"
#include "patterns/fold.h"
#include "patterns/walk.h"

#include <optional>
#include <span>
#include <vector>

namespace fusescope {

// A MatMul or Gemm that has both operands and an output.
struct Product
{
    NodeId id;
    const Node* node = nullptr;
    bool isGemm = false;
    ValueId a, b, c, output; // c: only a Gemm has it
    bool transA = false, transB = false;
    double alpha = 1, beta = 1;
    std::int64_t columns = 0; // of the result; 0 while not known
};
std::optional<Product> productAt(const GraphView& view, NodeId id);

// The product that a value comes from, directly or through one kind of chain; plain ones alone.
struct FoundProduct
{
    Found found;
    Product product;
};
std::optional<FoundProduct> findProduct(const GraphView& view, NodeId root, ValueId value);

// A plain product, or the region that matmul-add or matmul-scale made of one, with nothing behind.
bool isProductOrRegion(const GraphView& view, NodeId id);

// The second operand's columns times their factors, in double, rounded once.
Tensor scaledColumns(const Tensor& weight, bool transposed, std::span<const double> factor);
// Elements that were finite and are not after scaling.
std::optional<Reason> columnsStayFinite(const Tensor& weight, bool transposed,
                                        std::span<const double> factor, Subject source,
                                        Digits digits = Digits::ofEachChannel);
// The same for a row of numbers, as the type holds them.
std::optional<Reason> rowStaysFinite(DType type, std::span<const double> before,
                                     std::span<const double> after, Subject source);

// beta·C (or nothing) times scale plus shift, as a row of `columns` elements; nothing where C is no
// row of constants.
std::optional<std::vector<double>> rowOf(const GraphView& view, const Product& product);

// What every fold into a product's constants needs, apart from those constants.
void checkProductFold(Conditions& conditions, const FoundProduct& found, NodeId root);

// Floats that Gemm takes at its version.
std::optional<Reason> gemmType(const MatchContext& context, NodeId node, ValueId value);

// `operand` can be broadcast to exactly the shape of `data`.
std::optional<Reason> fitsInto(const GraphView& view, ValueId operand, ValueId data);

// The Gemm in place of `root`, reading these operands.
void replaceByGemm(PatchBuilder& builder, NodeId product, NodeId root, ValueId b, ValueId c,
                   double alpha = 1.0, double beta = 1.0);

// −c, exactly: what a Sub of a constant adds.
Tensor negated(const Tensor& c);

} // namespace fusescope

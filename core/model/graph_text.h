#pragma once

#include "model/graph.h"

#include <string>
#include <string_view>

namespace fusescope {

// Reads a model in ONNX's textual syntax:
//
//   <ir_version: 8, opset_import: ["" : 17, "com.acme" : 1], metadata_props: ["k" : "v"]>
//   name (float[N, 3, 8, 8] x, float y) => (float[N, 4, 8, 8] z)
//   <float[4, 3, 3, 3] W = {0.1, …}, float[N, 4, 8, 8] c>          initializers and types
//   {
//       [conv1] c = Conv <pads = [1, 1, 1, 1]> (x, W, "")
//       z = If (cond) <then_branch = g () => (float t) { t = Neg (y) }, else_branch = …>
//   }
//   <domain: "f", opset_import: ["" : 17]> act <alpha, beta: float = 1.0> (x) => (y)
//   { y = Elu <alpha: float = @alpha> (x) }
//
// `float` is a scalar, `float[]` has no known rank, `?` is an unknown size; other sizes are terms as
// Dim writes them. An initializer of an input's name is its default. Without the header: IR 8, opset
// 17. Names that are no identifiers are quoted, `#` begins a comment. A whole number for a float
// attribute of a standard operator is taken as a float.
//
// Ours alone: contents written `random(seed)`, uniform in [-1, 1), `random(seed, low, high)` (see
// randomTensor), `fill(x)` (a splat), `missing` (no bytes), `sparse([shape], values, indices)`;
// `%7` for a value without a name; a region's `kind`, `roles` and `body` as if they were attributes.
//
// Errors give line and column.
Result<Graph> parseGraph(std::string_view text);

// Element i is low + (high − low)·u_i, u_i the upper 53 bits of the i-th output of SplitMix64 from
// `seed`, as a fraction of 2^53: the same on every machine. Integers are rounded down.
Tensor randomTensor(DType type, std::vector<std::int64_t> shape, std::uint64_t seed,
                    double low = -1, double high = 1);

struct PrintOptions
{
    std::int64_t maxElements = 16; // longer tensors are abbreviated, which cannot be read again; −1: none
    bool types = true;             // of the values between inputs and outputs
};

// The same syntax in indented lines, the bodies of nodes and regions nested. Doc strings and the
// metadata of nodes are left out. With maxElements −1, parseGraph() reads it back to an equal graph.
std::string printGraph(const Graph& graph, const PrintOptions& options = {});

} // namespace fusescope

#pragma once

#include "ops/runtime_value.h"

#include <string>
#include <string_view>

namespace fusescope::test {

// Runs the kernel of one node: `values` are its inputs as initializers ("float[2] a = {1, 2}"),
// `node` is the node in text. Gives the outputs, joined by "; ", as "float[2] {1, 2}", or "! " and
// the error's sentence.
std::string run(std::string_view values, std::string_view node, int opset = 28);

// Infers nodes over graph inputs ("float[N, 3] x") and initializers; gives the type of value `name`
// with its shape data, such as "int64[2] {N, 3}", or "! " and the first problem.
std::string infer(std::string_view inputs, std::string_view values, std::string_view nodes,
                  std::string_view name, int opset = 28);

std::string textOf(const RuntimeValue& value);

} // namespace fusescope::test

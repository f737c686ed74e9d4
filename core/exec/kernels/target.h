#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace fusescope::kernels {

/// Floats in one vector of the instruction set in use: 16, 8 or 4, and 1 on a machine without any
/// that is compiled for. This is K of the layout nChwKc.
/// What was packed or reordered under one instruction set is meaningless under another.
int blockLanes();

/// Name of the instruction set in use, such as "AVX3", "AVX2", "SSE4" or "SCALAR".
std::string targetName();

/// Names of the instruction sets that this build has and this machine can run, best first.
std::vector<std::string> availableTargets();

/// Uses the named instruction set from now on; an empty name returns to the best one. False, and no
/// change, if it is not available. Not to be called while a kernel runs.
bool useTarget(const std::string& name);

/// Measured multiply-add rate of one core in FLOP/s with operands in registers, over `seconds`.
double measureFmaRate(double seconds);

} // namespace fusescope::kernels

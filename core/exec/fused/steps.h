#pragma once

#include "exec/fused/program.h"

// One function for each family of operators: makes the steps of a node, or says why it cannot.
namespace fusescope::fused {

Why buildElementwise(Builder& builder, const Unit& unit);
Why buildPool(Builder& builder, const Unit& unit);
Why buildGlobalPool(Builder& builder, const Unit& unit);
Why buildSpatialMean(Builder& builder, const Unit& unit);
Why buildReduce(Builder& builder, const Unit& unit);
Why buildSoftmax(Builder& builder, const Unit& unit);
Why buildLayerNormalization(Builder& builder, const Unit& unit);
Why buildGroupNormalization(Builder& builder, const Unit& unit);
Why buildLrn(Builder& builder, const Unit& unit);
Why buildView(Builder& builder, const Unit& unit);
Why buildTranspose(Builder& builder, const Unit& unit);
Why buildDepthToSpace(Builder& builder, const Unit& unit);
Why buildBlockedConcat(Builder& builder, const Unit& unit);
Why buildConcat(Builder& builder, const Unit& unit);
Why buildBlockedSplit(Builder& builder, const Unit& unit);
Why buildSplit(Builder& builder, const Unit& unit);
Why buildSlice(Builder& builder, const Unit& unit);
Why buildExpand(Builder& builder, const Unit& unit);
Why buildPad(Builder& builder, const Unit& unit);
Why buildNearest(Builder& builder, const Unit& unit);
// Layer and root-mean-square normalizations written out, with a sum in front or without.
Why buildNormRegion(Builder& builder, const Unit& unit);
Why buildRegion(Builder& builder, const Unit& unit);

// Axes of a reduction or similar, from the attribute or a constant input, counted from the front
// and sorted; nothing when they are not known.
std::optional<std::vector<std::size_t>> axesOf(const Builder& builder, const Unit& unit,
                                               std::size_t input, std::size_t rank);
Message noKernel(const Unit& unit);
Message formWithoutKernel(const char* attribute, const std::string& value);

} // namespace fusescope::fused

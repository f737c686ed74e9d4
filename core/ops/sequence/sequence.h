#pragma once

#include "ops/registry.h"

#include <span>

// The parts of the sequence family.
namespace fusescope::sequence {

std::span<const OpEntry> sequences(); // SequenceConstruct, SequenceAt, SplitToSequence, …
std::span<const OpEntry> optionals(); // Optional, OptionalGetElement, OptionalHasElement
std::span<const OpEntry> strings();   // StringConcat, StringSplit, RegexFullMatch, …
std::span<const OpEntry> ngrams();    // TfIdfVectorizer
std::span<const OpEntry> mlLabels();  // LabelEncoder, CategoryMapper, OneHotEncoder, …
std::span<const OpEntry> mlMaps();    // DictVectorizer, CastMap, ZipMap
std::span<const OpEntry> mlScaling(); // Scaler, Normalizer, Imputer, Binarizer, …
std::span<const OpEntry> mlLinear();  // LinearRegressor, LinearClassifier
std::span<const OpEntry> mlVectors(); // SVMRegressor, SVMClassifier
std::span<const OpEntry> mlTrees();   // TreeEnsemble and its older forms

} // namespace fusescope::sequence

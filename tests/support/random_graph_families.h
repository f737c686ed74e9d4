#pragma once

#include "support/random_graph_writer.h"

namespace fusescope::test {

// Each adds some nodes, the last of which makes the newest value, of 2 to 8 channels.
using Family = void (*)(GraphWriter& w, const Data& from);

// Convolutions and what is fused with them.
void conv(GraphWriter& w, const Data& from);
void convTranspose(GraphWriter& w, const Data& from);
void batchnorm(GraphWriter& w, const Data& from);
void scale(GraphWriter& w, const Data& from);
void shift(GraphWriter& w, const Data& from);
void residual(GraphWriter& w, const Data& from);
void join(GraphWriter& w, const Data& from);
void pooling(GraphWriter& w, const Data& from);
void resize(GraphWriter& w, const Data& from);

// Matrix products.
void gemm(GraphWriter& w, const Data& from);
void matmul(GraphWriter& w, const Data& from);
void attention(GraphWriter& w, const Data& from);

// Activations and normalizations.
void relu(GraphWriter& w, const Data& from);
void plain(GraphWriter& w, const Data& from);
void clip(GraphWriter& w, const Data& from);
void activation(GraphWriter& w, const Data& from);
void layerNormalization(GraphWriter& w, const Data& from);
void rmsNormalization(GraphWriter& w, const Data& from);
void skipNormalization(GraphWriter& w, const Data& from);

// What moves data, changes types, or does nothing.
void pair(GraphWriter& w, const Data& from);
void turned(GraphWriter& w, const Data& from);
void reshapes(GraphWriter& w, const Data& from);
void parts(GraphWriter& w, const Data& from);
void casts(GraphWriter& w, const Data& from);
void wholeNumbers(GraphWriter& w, const Data& from);
void noop(GraphWriter& w, const Data& from);
void smallChains(GraphWriter& w, const Data& from);

// Branches, functions, duplicates, dead nodes.
void branch(GraphWriter& w, const Data& from);
void where(GraphWriter& w, const Data& from);
void call(GraphWriter& w, const Data& from);
void twice(GraphWriter& w, const Data& from);
void dead(GraphWriter& w, const Data& from);

} // namespace fusescope::test

#pragma once

#include "layout/layout.h"

#include <string>
#include <vector>

// Graphs like those of well-known networks, in any size, with constants inside their readers.
namespace fusescope::families {

// resnet, inception, nasnet, bert, gpt, encdec, unet, densenet, detect, random.
const std::vector<std::string>& names();

// About `nodes` boxes; equal for equal arguments. Empty for an unknown name.
LayoutGraph make(const std::string& name, int nodes);

// Boxes and edges in a row: with `residual`, each third box is also added to the third one after.
LayoutGraph chain(int nodes, bool residual);

// A transformer of about `nodes` nodes whose layers all read four constants and one mask, which are
// boxes of their own.
LayoutGraph sharedConstants(int nodes);

} // namespace fusescope::families

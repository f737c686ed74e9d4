#pragma once

#include "report/reason.h"
#include "session/timeline.h"

#include <vector>

namespace fusescope {

// The fixes of a finished timeline's refusals that neither change what the model means nor its public
// interface, each once, in the order of the rows; those that the plan has already are left out. A row
// that also needs a fix of another kind gives none, since its safe ones alone would not unblock it.
std::vector<Fix> safeFixes(const Timeline& timeline);

// The last step that a fix or an edit of the plan made to change what the model computes or its public
// interface; 0 without one. Rewrites are held against the state after it.
int lastIntendedChange(const Timeline& timeline);
// The same without those that change the interface alone.
int lastMeaningChange(const Timeline& timeline);

} // namespace fusescope

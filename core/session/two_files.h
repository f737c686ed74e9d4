#pragma once

#include "diff/value_match.h"
#include "session/session.h"

namespace fusescope {

// compareFiles() for one who also tells how the values in between were brought together: `between`
// are those of matchComputed() that are to be compared.
Result<Comparison> compareFiles(const Session& a, const Session& b, const CompareOptions& options,
                                const std::vector<ValueMatch>& between, std::stop_token stop = {},
                                const Progress& progress = {});

} // namespace fusescope

#pragma once

namespace fusescope {

// Removes what is being written and would be left half-written: for a program that ends at once. From
// any thread.
void removeUnfinishedFiles();

} // namespace fusescope

#include "session/unfinished.h"

#include "io/file_writer.h"

namespace fusescope {

void removeUnfinishedFiles()
{
    removeUnfinished();
}

} // namespace fusescope

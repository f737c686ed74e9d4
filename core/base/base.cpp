#include "base/ids.h"
#include "base/message.h"
#include "base/progress.h"
#include "base/result.h"

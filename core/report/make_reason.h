#pragma once

#include "report/reason.h"

#include <string>
#include <utility>
#include <vector>

namespace fusescope {

using ReasonArgs = std::vector<std::pair<std::string, MessageArg>>;

// Every reason is made here. Its texts are the keys "headline.X", "reason.X" and "unblock.X" of the
// text table; message and unblock are given the same arguments unless told otherwise.
Reason makeReason(ReasonCode code, std::vector<Subject> culprits, TextId headline, TextId message,
                  TextId unblock, ReasonArgs args, ReasonArgs unblockArgs = {});
// The same of sentences that exist already, as those of an error.
Reason makeReason(ReasonCode code, std::vector<Subject> culprits, Message headline, Message message,
                  Message unblock = {});

// "9999 B", "160.0 kB": sizes as reasons tell them.
std::string bytesText(std::int64_t bytes);

// A fix stays only if the fixes of the reasons together lift all of them.
void keepFixesThatUnblock(std::vector<Reason>& reasons);

} // namespace fusescope

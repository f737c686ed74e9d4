#include "support/model_bytes.h"

#include "io/document.h"
#include "io/wire.h"
#include "support/rewrite_check.h"

#include <cstdlib>
#include <iostream>

namespace fusescope::test {

std::string modelBytes(std::string_view text)
{
    WireMessage empty;
    empty.message(7, WireMessage());
    const auto document = Document::parse(empty.text(), "empty");
    const auto bytes = (*document)->serialize(graphOf(text));
    if (!bytes) {
        std::cerr << "modelBytes: cannot be written\n" << text << "\n";
        std::abort();
    }
    return *bytes;
}

} // namespace fusescope::test

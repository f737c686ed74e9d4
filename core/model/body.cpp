#include "model/body.h"

namespace fusescope {

std::int64_t opsetIn(const OpsetImports& imports, std::string_view domain)
{
    const auto normal = [](std::string_view d) { return d == "ai.onnx" ? std::string_view{} : d; };
    for (const auto& [name, version] : imports) {
        if (normal(name) == normal(domain))
            return version;
    }
    return 0;
}

std::int64_t Header::opset(std::string_view opDomain) const
{
    return opsetIn(opsets, opDomain);
}

} // namespace fusescope

#include "ops/random_numbers.h"

#include <bit>

namespace fusescope {

RandomNumbers::RandomNumbers(const KernelContext& c)
{
    const Attribute* attribute = c.attributes().find("seed");
    if (attribute && attribute->type == AttributeType::integer)
        m_start = mix(static_cast<std::uint64_t>(c.attributes().getInt("seed", 0)));
    else if (attribute)
        m_start = mix(std::bit_cast<std::uint32_t>(c.attributes().getFloat("seed", 0.0F)));
    else
        m_start = mix(c.seed() + golden) ^ mix(std::uint64_t{c.nodeId().value} + 1);
}

} // namespace fusescope

#pragma once

#include "base/ids.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fusescope {

inline constexpr std::string_view regionDomain = "fusescope";

// What part a node of a region's body plays, so that an executor need not match it again.
enum class Role {
    main,       // the convolution, product or normalization
    bias,       // the addition of a constant
    residual,   // the addition of another value
    activation, // the activation that ends it
    concat,     // the joining of parts that the main node reads where they lie
    part        // anything else
};

// "main", "bias", …
std::string_view nameOf(Role role);
std::optional<Role> roleFromName(std::string_view name);

// A fused node: domain "fusescope", one body that captures nothing and holds the standard operators
// it stands for. The body is the meaning; the kind only names a family for kernels and views.
struct Region
{
    // The rule that made it last, e.g. "conv-add-activation"; an unknown kind still runs.
    std::string kind;
    // The roles of the body's nodes, by node id.
    std::vector<std::pair<NodeId, Role>> roles;

    NodeId nodeOf(Role role) const
    {
        for (const auto& [node, r] : roles) {
            if (r == role)
                return node;
        }
        return {};
    }
    bool operator==(const Region&) const = default;
};

} // namespace fusescope

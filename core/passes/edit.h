#pragma once

#include "base/result.h"
#include "model/graph.h"
#include "model/id_pool.h"
#include "report/reason.h"

#include <string>
#include <string_view>

namespace fusescope {

struct Policy;

// What a person changes in a scratch copy to see what would be blocked then.
enum class EditKind { attribute, input, reader };
std::string_view idOf(EditKind kind); // "edit-attribute", "edit-input", "drop-reader": its rule

struct Edit
{
    EditKind kind = EditKind::attribute;
    NodeId node;              // of the file; `reader`: the one that goes, with all that needs it
    std::string name;         // of the attribute
    std::string text;         // its value, lists with commas between; empty: the default
    std::uint32_t index = 0;  // of the input
    ValueId value;            // that it reads then; absent: none
    bool operator==(const Edit&) const = default;
};

// The patch of an edit, the types of all that depends on it inferred anew; an error where the node
// is not there, the text is no value of the attribute, a value does not stand before the node, or no
// output would be left.
Result<GraphPatch> editPatch(const Graph& graph, IdPool& pool, const Edit& edit,
                             const Policy& policy);
Message editTitle(const Edit& edit);

} // namespace fusescope

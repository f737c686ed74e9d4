#include "report/texts.h"

namespace fusescope::texts {

namespace {

constexpr TextRow rows[] = {
    {"model.stale-patch", CORE_TEXT("Core", "The rewrite does not fit the graph as it stands.")},
    {"model.assigned-twice", CORE_TEXT("Core", "A value is assigned twice.")},
    {"model.undefined-input", CORE_TEXT("Core", "A value that is read does not exist.")},
    {"model.undefined-output", CORE_TEXT("Core", "An output is not a value of the node's graph.")},
    {"model.no-producer", CORE_TEXT("Core", "Nothing makes `{value}`.")},
    {"model.out-of-scope", CORE_TEXT("Core", "`{value}` is not visible where it is read.")},
    {"model.not-sorted", CORE_TEXT("Core", "`{value}` is read before it is made.")},
    {"model.no-body", CORE_TEXT("Core", "A node refers to a graph that does not exist.")},
    {"model.use-list", CORE_TEXT("Core", "The readers noted for a value differ from its readers.")},
    {"model.domain-not-imported", CORE_TEXT("Core", "The operator set `{domain}` is not imported.")},
    {"model.duplicate-name", CORE_TEXT("Core", "The name `{name}` is defined more than once in one graph.")},
    {"model.written-twice",
     CORE_TEXT("Core", "`{name}` is written twice: by {first} and by {second}. A name may be written "
                       "once in a graph.")},
    {"model.written-twice-by-one",
     CORE_TEXT("Core", "`{name}` is written twice by {node}. A name may be written once in a graph.")},
    {"model.given-and-written",
     CORE_TEXT("Core", "`{name}` is an input or initializer of the graph, and {node} writes it as "
                       "well. A name may be written once in a graph.")},
    {"model.undefined-name", CORE_TEXT("Core", "{reader} reads `{name}`, which nothing defines.")},
    {"model.undefined-graph-output", CORE_TEXT("Core", "The graph `{graph}` gives out `{name}`, which nothing defines.")},
    {"model.unsorted", CORE_TEXT("Core", "The nodes are not in topological order; they were sorted.")},
    {"model.cycle", CORE_TEXT("Core", "{reader} depends on its own output: the graph has a cycle.")},
    {"model.text", CORE_TEXT("Core", "Line {line}, column {column}: {what}.")},
    {"model.text-missing", CORE_TEXT("Core", "The contents are missing.")},
    {"model.size-syntax",
     CORE_TEXT("Core", "`{size}` is not a size: character {position} does not fit.")},
};

} // namespace

std::span<const TextRow> model()
{
    return rows;
}

} // namespace fusescope::texts

#pragma once

#include "report/render.h"
#include "session/json_parts.h"
#include "session/session.h"
#include "session/timeline_walk.h"

namespace fusescope {

// The parts of the documents that the command line writes; their keys are a contract.
class JsonWriter
{
public:
    explicit JsonWriter(Translate translate) : m_translate(std::move(translate)) {}

    Json node(const Graph& graph, NodeId id) const;
    Json value(const Graph& graph, ValueId id) const;
    Json reason(const Graph& graph, const Reason& reason) const;
    Json condition(const Graph& graph, const ConditionRecord& condition) const;
    Json step(const TimelineWalk& walk) const;
    Json blocked(const Graph& graph, const Blocked& row) const;
    Json comparison(const Graph& graph, const TensorComparison& one) const;
    Json verification(const Graph& graph, const Comparison& comparison) const;
    Json profile(const Graph& graph, const PlanProfile& profile, bool withNodes) const;
    Json explanation(const Graph& graph, const Explanation& explanation) const;
    Json text(const Message& message, const Graph* graph) const;

private:
    Translate m_translate;
};

} // namespace fusescope

#pragma once

#include "patterns/pattern.h"

#include <functional>
#include <optional>
#include <vector>

namespace fusescope {

// Collects the answers of conditions for one candidate: each gives a reason or nothing and tells the
// sink what it saw.
class Conditions
{
public:
    Conditions(const MatchContext& context, RuleId rule, NodeId root);

    // Evaluates a condition by its name in the text table ("condition.single-reader").
    // `saw` is only called when somebody listens.
    void check(TextId name, std::optional<Reason> failure,
               const std::function<Message()>& saw = {});

    bool allHold() const { return m_reasons.empty(); }
    // The candidate's refusal: reasons sorted so that the true first obstacle is in front.
    MissReason miss(int depth, std::vector<NodeId> nodes) &&;
    const MatchContext& context() const { return m_context; }

private:
    const MatchContext& m_context;
    RuleId m_rule;
    NodeId m_root;
    std::vector<Reason> m_reasons;
};

// The shared conditions of legality 2.0. Each returns nothing when it holds.
std::optional<Reason> singleReader(const MatchContext&, ValueId value, NodeId reader);   // G01 G02 G03
std::optional<Reason> isConstant(const MatchContext&, ValueId value);                    // G04 G05 G18
std::optional<Reason> sameScope(const MatchContext&, NodeId a, NodeId b);                // G20
std::optional<Reason> notPinned(const MatchContext&, NodeId node);                       // G27
std::optional<Reason> knownVersion(const MatchContext&, NodeId node, std::span<const int>); // G08
std::optional<Reason> hasType(const MatchContext&, ValueId value, std::span<const DType>);  // G10
std::optional<Reason> outputUnused(const MatchContext&, NodeId node, std::size_t output);   // G14
std::optional<Reason> sameShape(const MatchContext&, ValueId a, ValueId b);              // G12, shape
std::optional<Reason> channelOnly(const MatchContext&, ValueId constant, ValueId data,
                                  std::size_t channelAxis);                              // G13

} // namespace fusescope

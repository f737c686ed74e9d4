#pragma once

#include "patterns/pattern.h"

#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace fusescope {

// Collects the answers of conditions for one candidate: each gives a reason or nothing and tells the
// sink what it saw.
class Conditions
{
public:
    Conditions(const MatchContext& context, RuleId rule, NodeId root);

    // Takes down a condition by its name in the text table ("condition.single-reader").
    // `saw` is only called when somebody listens; without it a failure shows its message.
    void check(TextId name, std::optional<Reason> failure,
               const std::function<Message()>& saw = {});
    void check(TextId name, std::vector<Reason> failures,
               const std::function<Message()>& saw = {});

    // The value may vanish: only `reader` reads it, once (G01 G02 G03, pinned values).
    void checkSingleReader(ValueId value, NodeId reader);
    // All are constants with contents. Overridable ones make one reason, and so do the others of
    // one code. Absent values are skipped.
    void checkConstants(TextId name, std::span<const ValueId> values);
    void checkNotPinned(std::span<const NodeId> nodes);

    bool allHold() const { return m_reasons.empty(); }
    bool failed(ReasonCode code) const;
    // The candidate's refusal: reasons sorted so that the true first obstacle is in front. A fix
    // stays only if the fixes of the reasons together lift all of them.
    MissReason miss(int depth, std::vector<NodeId> nodes) &&;
    const MatchContext& context() const { return m_context; }

private:
    const MatchContext& m_context;
    RuleId m_rule;
    NodeId m_root;
    std::vector<Reason> m_reasons;
};

// The shared conditions of legality 2.0. Each returns nothing when it holds.
std::optional<Reason> isConstant(const MatchContext&, ValueId value);                    // G04 G05 G18 G19
std::optional<Reason> sameScope(const MatchContext&, NodeId a, NodeId b);                // G20
std::optional<Reason> notPinned(const MatchContext&, NodeId node);                       // G27
std::optional<Reason> knownVersion(const MatchContext&, NodeId node, std::span<const int>); // G08
std::optional<Reason> knownAttributes(const MatchContext&, NodeId node);                 // G15
std::optional<Reason> standardDomain(const MatchContext&, NodeId node);                  // G09
std::optional<Reason> hasType(const MatchContext&, ValueId value, std::span<const DType>);  // G10
std::optional<Reason> sameType(const MatchContext&, ValueId a, ValueId b);               // G11
std::optional<Reason> outputUnused(const MatchContext&, NodeId node, std::size_t output);   // G14
std::optional<Reason> sameShape(const MatchContext&, ValueId a, ValueId b);              // G12, shape
// `constant` against data of that shape: 1 everywhere, but for the channel axis.
std::optional<Reason> channelOnly(const MatchContext&, ValueId constant, ValueId data,
                                  std::size_t channelAxis);                              // G13
// The same against a rank and a number of channels, where the data's shape need not be known.
std::optional<Reason> channelOnly(const MatchContext&, ValueId constant, std::size_t rank,
                                  std::int64_t channels, std::size_t channelAxis);
// A copy of a constant that stays: its bytes against the growth limit.
std::optional<Reason> withinGrowth(const MatchContext&, Subject subject, std::int64_t bytes); // G26

// Who reads a value. A value may have thousands of readers, and each of them may be asked: the lists
// name the first few, `count` is all of them.
struct Readers
{
    std::vector<BodyId> outputsOf; // bodies that give it back
    std::vector<BodyId> capturing; // other bodies whose nodes read it
    NodeId reader;                 // the last of those `inside`
    std::int64_t times = 0;        // readings by those
    std::vector<NodeId> others;    // nodes beside them
    std::int64_t count = 0;
};
// As nodes of `body` see it; without one no node counts as capturing.
Readers readersOf(const MatchContext&, ValueId value, BodyId body, std::span<const NodeId> inside);
// Every obstacle of singleReader, not the first alone: counts edges, body outputs and captures.
std::vector<Reason> otherReaders(const MatchContext&, ValueId value, NodeId reader);
// Whether anything but `reader` reads the value.
bool hasOtherReaders(const GraphView&, ValueId value, NodeId reader);

// Remarks that go with using a constant: IR 3 (G06), a private copy when others read it (G17), or
// because it belongs to an outer graph (G07).
// `readers` are the nodes whose reading ends.
void remarkConstant(const MatchContext&, ValueId constant, std::span<const NodeId> readers,
                    std::vector<Reason>& remarks);
// The bytes of a copy that a rewrite makes because others still read the constant; 0 if none do.
std::int64_t copyBytes(const GraphView&, ValueId constant, std::span<const NodeId> readers);

} // namespace fusescope

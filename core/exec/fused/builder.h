#pragma once

#include "exec/fused/compiled.h"
#include "exec/kernels/reorder.h"
#include "exec/kernels/target.h"

#include <deque>
#include <map>
#include <optional>
#include <span>
#include <unordered_map>

namespace fusescope::fused {

class Builder;

// A step that is being put together. Reading and writing say where the operands lie and how long
// they live; a reading in the other layout puts a reorder in front.
class Draft
{
public:
    Draft(Builder& builder, const Unit& unit, std::string kernel, Layout layout);

    Operand read(int var, Layout layout = Layout::plain);
    // The place of a result. One step may write several.
    int write(int var, Layout layout = Layout::plain);
    // Lets a result lie where an operand of the same size dies.
    void mayReplace(const Operand& operand, int buffer);
    void setScratch(std::int64_t bytes) { m_step.scratchBytes = bytes; }
    void rename(std::string kernel) { m_step.kernel = std::move(kernel); }
    void setFlops(double flops) { m_step.flops = flops; }
    void commit(StepFunction run);

private:
    friend class Builder;
    Builder& m_builder;
    Step m_step;
    std::vector<int> m_made;
};

// Turns the units of a graph into steps. The functions that make steps for an operator ask it what
// is known of the operands, and either begin a Draft and commit it or give the reason why not.
class Builder
{
public:
    Builder(const Graph& graph, Walked walked, const PlanOptions& options,
            kernels::ThreadPool& pool);

    Result<std::shared_ptr<Compiled>> build(std::stop_token stop, const Progress& progress);

    const Var& var(int index) const { return m_vars[static_cast<std::size_t>(index)]; }
    const Sizes& shape(int index) const { return var(index).shape; }
    const PlanOptions& options() const { return m_options; }
    kernels::ThreadPool& pool() { return m_pool; }

    // A float tensor of known sizes with at least one element.
    bool isFloat(int index) const;
    bool isConstant(int index) const { return index >= 0 && var(index).constant != nullptr; }
    // The only element of a constant, as a number.
    std::optional<double> scalar(int index) const;
    // Why a float kernel cannot take these operands and results; nothing if it can.
    std::optional<Message> whyNotFloat(const Unit& unit) const;
    std::optional<Message> whyNotFloat(std::span<const int> vars) const;
    // Whether the value lies in blocks already and not in plain order.
    bool isBlocked(int index) const;
    bool canBeBlocked(int index) const;

    int addConstant(Tensor tensor);
    // The same elements in another shape.
    int view(int index, Sizes shape);
    // Makes `made` another name for the elements of `from`.
    void alias(int made, int from);
    // Makes `made` a stretch of where `from` lies in this layout.
    void aliasPart(int made, Layout layout, int from, std::int64_t offset);
    // With the blocked layout switched off: brings a result back into plain order.
    void settle(int index);
    // Lets the value lie inside another buffer, if nothing stands against it.
    bool adopt(int index, Layout layout, int parent, std::int64_t offset);
    std::int64_t bytesOf(int index, Layout layout) const;

    std::int64_t addPacking(std::int64_t floats,
                            std::function<void(float*, kernels::ThreadPool&)> pack);
    // Said of the next step that is committed.
    void reject(std::string_view kernel, Message why);

    void emit(const Unit& unit);
    void emitReference(const Unit& unit);

private:
    friend class Draft;
    struct Place
    {
        int plain = -1, blocked = -1;           // buffers
        int boxed = -1;                         // the Var whose RuntimeValue holds it
        int plainReady = -1, blockedReady = -1; // after these steps
        Layout home = Layout::plain;            // in which it was made
    };

    Place& placeOf(int index) { return m_places[static_cast<std::size_t>(index)]; }
    const Place& placeOf(int index) const { return m_places[static_cast<std::size_t>(index)]; }
    int addVar(Var var);
    int addBuffer(std::int64_t bytes);
    int addView(int buffer, std::int64_t bytes);
    Operand constantOperand(int index, Layout layout);
    Operand locate(int index, Layout layout, const Unit* reader);
    void makeBlocked(int index, const Unit* reader);
    void makePlain(int index, const Unit* reader);
    void removeDead();
    Location locationOf(int index, Layout layout) const;
    void finish();
    Result<void> takeMemory();

    const Graph& m_graph;
    Walked m_walked;
    std::deque<Var>& m_vars;
    std::deque<Place> m_places;
    const PlanOptions& m_options;
    kernels::ThreadPool& m_pool;
    std::shared_ptr<Compiled> m_plan;
    std::vector<std::pair<std::string, Message>> m_rejected;
    std::map<std::pair<int, Sizes>, int> m_views;
    std::unordered_map<int, Operand> m_plainConstants, m_blockedConstants;
    NodeId m_reported;
};

// Batch, channels and the product of the rest, of a shape of rank 2 or more.
kernels::ImageShape imageOf(const Sizes& shape);

// Places all buffers; gives the arena's size.
std::int64_t planArena(std::vector<Buffer>& buffers, std::vector<Step>& steps);

// Makes the steps of a unit by the first kernel of its operator's table that takes it.
bool emitFast(Builder& builder, const Unit& unit);

} // namespace fusescope::fused

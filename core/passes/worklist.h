#pragma once

#include "passes/optimizer.h"
#include "passes/pass.h"

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

namespace fusescope {

// What one pass last said of one root, while what it read stands.
struct Answered
{
    PassAnswer answer;
    int step = 0; // the number of steps when the answer was given first
};

// Which roots each pass has to look at again. An answer holds until something that it read changes;
// the reads are indexed by id, so a patch costs what it touches and not the size of the graph.
class Worklist
{
public:
    Worklist(std::size_t passCount, std::vector<std::span<const std::string_view>> rootTypes);

    // Everything is new.
    void fill(const Graph& graph);
    // After `patch` led to `graph`: forgets the answers that read something of it and queues the
    // roots that are new or whose answers went.
    void touch(const Graph& graph, const GraphPatch& patch);

    // The queued root of a pass with the lowest order key, taken off the queue.
    std::optional<NodeId> take(std::size_t pass, const Graph& graph);
    void put(std::size_t pass, NodeId root, const Graph& graph);
    // Asks a root again though nothing that it read has changed.
    void askAgain(std::size_t pass, NodeId root, const Graph& graph);
    bool isEmpty(std::size_t pass) const { return m_queues[pass].isEmpty(); }

    void answer(std::size_t pass, NodeId root, PassAnswer given, int step, const ReadSet& reads);
    // What the pass refused at this root is done after all.
    void done(std::size_t pass, NodeId root);
    // The answers of a pass in the order of their roots' keys, refusals and remarks only. A root that
    // a region has swallowed, or whose partners one has, keeps its last refusal, unless all that was
    // bound lies in that region.
    std::vector<std::pair<NodeId, const Answered*>> answers(std::size_t pass,
                                                            const Graph& graph) const;
    // The previous refusal at a root that is asked again, if there was one.
    const std::optional<MissReason>* previous(std::size_t pass, NodeId root) const;

private:
    // Roots by their keys. The many that are known at first are sorted once; those that come later
    // stand in a heap.
    class Queue
    {
    public:
        using Entry = std::pair<OrderKey, NodeId>;
        bool isEmpty() const { return m_next == m_sorted.size() && m_heap.empty(); }
        void fill(std::vector<Entry> entries);
        void insert(Entry entry);
        std::optional<Entry> take(); // the lowest; each once, however often it was inserted

    private:
        std::vector<Entry> m_sorted, m_heap;
        std::size_t m_next = 0;
    };

    // What is known of one root by one pass.
    struct Record
    {
        std::uint32_t pass = 0;
        NodeId root;
        std::uint32_t answer = 0; // counts the answers: a reading belongs to one of them
        bool holds = false;       // the newest answer
        // Whether the tables of the same names may have an entry.
        bool inAnswers = false, inBefore = false, inSettled = false;
    };
    // One reading of an id by an answer, in a list of all its readings.
    struct Reading
    {
        std::uint32_t record, answer, next;
    };

    static constexpr std::uint32_t none = UINT32_MAX;
    std::uint32_t recordOf(std::size_t pass, NodeId root) const; // `none` if there is none
    Record& makeRecord(std::size_t pass, NodeId root);
    void note(std::vector<std::uint32_t>& lists, std::uint32_t id, std::uint32_t record);
    template <class Visit>
    void forPassesOf(const Graph& graph, NodeId id, Visit visit) const;
    void askAgain(Record& record, const Graph& graph);
    void settle(const Graph& graph, const GraphPatch& patch);
    void invalidate(std::vector<std::uint32_t>& lists, std::uint32_t id, const Graph& graph);

    std::vector<Queue> m_queues;
    std::unordered_map<std::string_view, std::vector<std::uint32_t>> m_passesByType;
    std::vector<std::uint32_t> m_passesForAll;
    std::vector<std::unordered_map<NodeId, Answered>> m_answers;
    std::vector<std::unordered_map<NodeId, std::pair<std::optional<MissReason>, int>>> m_before;
    std::vector<std::unordered_map<NodeId, Answered>> m_settled; // ended by regions
    std::vector<std::vector<std::uint32_t>> m_recordOf;          // by pass and root
    std::vector<Record> m_records;
    std::vector<Reading> m_readings;
    std::uint32_t m_freeReadings = none;
    std::vector<std::uint32_t> m_byNode, m_byValue, m_byUses; // the first reading of each id
};

} // namespace fusescope

#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <stop_token>

namespace fusescope {

// Runs of models take turns in all windows of the process, in the order in which they were asked for:
// two at once would disturb each other's times and need memory for both.
class RunTurns
{
public:
    // A place in the queue; it is given up when this is destroyed, whether its turn came or not.
    class Place
    {
    public:
        explicit Place(RunTurns& turns);
        ~Place();
        Place(const Place&) = delete;
        Place& operator=(const Place&) = delete;

        bool isFirst() const;
        // Returns when its turn has come or it was stopped; from any thread.
        void wait(const std::stop_token& stop) const;

    private:
        RunTurns& m_turns;
        std::uint64_t m_number;
    };

    static RunTurns& ofProcess();
    std::shared_ptr<Place> queue() { return std::make_shared<Place>(*this); }

private:
    std::mutex m_mutex;
    std::condition_variable_any m_changed;
    std::deque<std::uint64_t> m_queue; // the first one has its turn
    std::uint64_t m_next = 0;
};

} // namespace fusescope

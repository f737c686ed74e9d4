#pragma once

#include <atomic>
#include <memory>

namespace fusescope {

// Whether nobody else holds the object, so that it may be written to in place. What other threads
// did with it before they let go of it has then happened.
template <class T>
bool isOnlyOwner(const std::shared_ptr<T>& object)
{
    if (object.use_count() != 1)
        return false;
#ifdef __SANITIZE_THREAD__
    const std::shared_ptr<T> seen = object; // the sanitizer knows no fences
#else
    std::atomic_thread_fence(std::memory_order_acquire);
#endif
    return true;
}

// To write to: made when there is none, copied first when others hold it.
template <class T>
T& ownCopy(std::shared_ptr<T>& object)
{
    if (!object)
        object = std::make_shared<T>();
    else if (!isOnlyOwner(object))
        object = std::make_shared<T>(*object);
    return *object;
}

} // namespace fusescope

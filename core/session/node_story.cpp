#include "session/node_story.h"

namespace fusescope {

NodeStory nodeStory(const Session& session, const Timeline& timeline, int step, NodeId node)
{
    NodeStory story{step, session.explain(timeline, step, node)};
    if (!story.answers.empty())
        return story;
    for (const Blocked& row : timeline.blocked) {
        if (row.miss.root != node || row.finalAt == step)
            continue;
        NodeStory later{row.finalAt, session.explain(timeline, row.finalAt, node)};
        if (!later.answers.empty())
            return later;
    }
    return story;
}

} // namespace fusescope

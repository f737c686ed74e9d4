#include "patterns/graph_view.h"

namespace fusescope {

const Type& GraphView::type(ValueId id) const
{
    static const Type undefined;
    const Value* v = value(id);
    return v ? v->type : undefined;
}

int GraphView::sinceVersion(const Node& n) const
{
    const OpSchema* schema = m_graph.schema(n);
    return schema ? schema->sinceVersion : 0;
}

} // namespace fusescope

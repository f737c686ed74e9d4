#include "session/drawing_blocks.h"
#include "session/drawing_builder.h"

#include <algorithm>
#include <fmt/format.h>

namespace fusescope {

CardContent compactCard(CardContent card)
{
    card.rows.clear();
    card.moreRows = 0;
    card.key = card.nameless ? std::string() : std::move(card.name);
    card.name.clear();
    return card;
}

} // namespace fusescope

namespace fusescope::drawing {

namespace {

constexpr std::size_t manyItems = 400; // above this equal blocks are closed by themselves
constexpr std::ptrdiff_t mostUnread = 8; // inputs that nothing reads; more of them are left out

} // namespace

Builder::Builder(const Union& all, const Graph& first, const Graph& last,
                 const DrawingOptions& options, const MeasureCard& measure)
    : m_all(all), m_first(first), m_last(last), m_options(options), m_measure(measure),
      m_drawing(std::make_shared<Drawing>())
{
}

// A constant is written on the cards of its readers.
bool Builder::isHiddenConstant(const Record& record) const
{
    if (!constantOf(*record.first))
        return false;
    for (const ValueId output : record.first->outputs) {
        if (output && (m_first.isBodyOutput(output) || m_last.isBodyOutput(output)))
            return false;
    }
    return true;
}

// Names in an inner graph are read relative to what they all begin with.
void Builder::findScopes()
{
    m_drawing->options = m_options;
    std::unordered_map<BodyId, std::vector<std::string>> common;
    for (const Record& record : m_all.records()) {
        const BodyId body = record.first->body;
        if (record.first->name.empty() || record.first->region || body == m_first.mainBody())
            continue;
        std::vector<std::string> parts = scopeParts(record.first->name, record.first->op.type);
        if (!parts.empty())
            parts.pop_back();
        const auto [found, isNew] = common.try_emplace(body, parts);
        if (isNew)
            continue;
        const auto end = std::ranges::mismatch(found->second, parts).in1;
        found->second.erase(end, found->second.end());
    }
    for (const auto& [body, parts] : common) {
        std::string scope;
        for (const std::string& part : parts)
            scope += "/" + part;
        if (!scope.empty())
            m_drawing->scopes.emplace(body, scope);
    }
}

void Builder::findRegions()
{
    for (const Record& record : m_all.records()) {
        if (!record.gone)
            continue;
        const NodeId heir = m_all.finalHeir(record.id);
        const Record* last = heir == record.id ? nullptr : m_all.record(heir);
        if (!last || !last->last->region)
            continue;
        if (record.last->region)
            m_alias[record.id] = heir;
        else if (!isHiddenConstant(record))
            m_members[heir].push_back(record.id);
    }
    // Only what hangs together with the last of them stands inside the frame.
    std::unordered_map<NodeId, NodeId> owner;
    for (const auto& [region, members] : m_members) {
        for (const NodeId member : members)
            owner.emplace(member, region);
    }
    std::unordered_map<NodeId, std::vector<NodeId>> near;
    for (const Reading& reading : m_all.readings()) {
        const auto from = owner.find(reading.from);
        const auto to = owner.find(reading.to);
        if (from == owner.end() || to == owner.end() || from->second != to->second)
            continue;
        near[reading.from].push_back(reading.to);
        near[reading.to].push_back(reading.from);
    }
    for (auto& [region, members] : m_members) {
        const auto place = [this](NodeId id) {
            return std::pair(m_all.record(id)->first->order, id);
        };
        std::ranges::sort(members, {}, place);
        const BodyId body = m_all.record(region)->last->body;
        std::vector<NodeId> open{members.back()};
        while (!open.empty()) {
            const NodeId id = open.back();
            open.pop_back();
            if (m_all.record(id)->first->body != body || !m_regionOf.emplace(id, region).second)
                continue;
            const auto& next = near[id];
            open.insert(open.end(), next.begin(), next.end());
        }
    }
}

// What is folded or dead belongs to its first reader that stays.
void Builder::findFolded()
{
    std::unordered_map<NodeId, std::vector<NodeId>> readers;
    for (const Reading& reading : m_all.readings()) {
        if (reading.from && reading.to)
            readers[reading.from].push_back(reading.to);
    }
    const auto order = [this](NodeId id) { return m_all.record(id)->first->order; };
    std::vector<const Record*> folded;
    for (const Record& record : m_all.records()) {
        if (record.folded && !isHiddenConstant(record))
            folded.push_back(&record);
    }
    // Readers first: from the end of the model.
    std::ranges::sort(folded, [](const Record* a, const Record* b) {
        return std::pair(a->first->order, a->id) > std::pair(b->first->order, b->id);
    });
    for (const Record* record : folded) {
        NodeId best;
        for (NodeId reader : readers[record->id]) {
            const Record* next = m_all.record(reader);
            if (!next)
                continue;
            if (next->folded) {
                const auto further = m_readerOf.find(reader);
                if (further == m_readerOf.end())
                    continue;
                reader = further->second;
                next = m_all.record(reader);
            }
            if (next->first->body == record->first->body
                && (!best || order(reader) < order(best)))
                best = reader;
        }
        // A reader that a region swallowed is a line of the region's stack: the region reads instead.
        if (const auto region = m_regionOf.find(best); region != m_regionOf.end())
            best = region->second;
        if (best) {
            m_readerOf.emplace(record->id, best);
            m_foldedBy[best].push_back(record->id);
        }
    }
    for (auto& [reader, nodes] : m_foldedBy)
        std::ranges::reverse(nodes);
}

CardContent Builder::contentOf(const Record& record) const
{
    const bool stands = m_last.node(record.id) == record.last.get();
    return cardContent(stands ? m_last : m_first, record.id, *record.last, m_drawing->cardsIn(record.last->body));
}

CardSize Builder::sizeOf(const Record& record, bool compact) const
{
    CardContent content = contentOf(record);
    CardSize size = m_measure(compact ? compactCard(content) : content);
    if (!compact && record.first != record.last) {
        const CardContent before = cardContent(m_first, record.id, *record.first, m_drawing->cardsIn(record.first->body));
        const CardSize other = m_measure(before);
        size = {std::max(size.width, other.width), std::max(size.height, other.height)};
        // A row that goes and one that comes stand one below the other.
        std::size_t fresh = 0;
        for (const CardRow& row : content.rows)
            fresh += std::ranges::none_of(before.rows, [&](const CardRow& old) {
                return old.label == row.label;
            });
        if (fresh > 0 && content.rows.size() < before.rows.size() + fresh) {
            CardContent both = before;
            for (const CardRow& row : content.rows) {
                if (std::ranges::none_of(before.rows, [&](const CardRow& old) {
                        return old.label == row.label;
                    }))
                    both.rows.push_back(row);
            }
            both.rows.resize(std::min<std::size_t>(both.rows.size(), maxCardRows));
            size.height = std::max(size.height, m_measure(both).height);
        }
    }
    return size;
}

int Builder::addItem(DrawItem item, CardSize size)
{
    m_drawing->items.push_back(std::move(item));
    m_sizes.push_back(size);
    return static_cast<int>(m_drawing->items.size()) - 1;
}

std::vector<NodeId> Builder::nodesOf(BodyId body) const
{
    const auto found = m_nodesIn.find(body);
    return found == m_nodesIn.end() ? std::vector<NodeId>{} : found->second;
}

CardSize Builder::portSize(ValueId value, const std::string& name) const
{
    const Value* record = m_last.value(value) ? m_last.value(value) : m_first.value(value);
    CardContent card;
    card.title = name;
    card.key = record ? typeLabel(record->type) : std::string();
    return m_measure(card);
}

void Builder::addInputs(BodyId id, int parent)
{
    const Body* body = m_all.body(id);
    if (!body)
        return;
    // Some exporters list each weight among the inputs; those that nothing reads would be a wall.
    const auto isUnread = [this](ValueId value) { return !m_readInputs.contains(value); };
    if (m_readInputs.empty()) {
        for (const Reading& reading : m_all.readings()) {
            if (!reading.from)
                m_readInputs.insert(reading.value);
        }
    }
    const bool onlyRead = std::ranges::count_if(body->inputs, isUnread) > mostUnread;
    for (const ValueId value : body->inputs) {
        const Value* record = m_first.value(value) ? m_first.value(value) : m_last.value(value);
        if (!record || record->isInitializer() || (onlyRead && isUnread(value)))
            continue;
        DrawItem item;
        item.kind = DrawItem::Kind::input;
        item.body = id;
        item.value = value;
        item.parent = parent;
        item.title = record->name;
        item.compact = true;
        const CardSize size = portSize(value, item.title);
        m_inputItem[value] = addItem(std::move(item), size);
    }
}

void Builder::addOutputs(BodyId id, int parent)
{
    const Body* body = m_all.body(id);
    for (std::size_t i = 0; body && i < body->outputs.size(); ++i) {
        const ValueId value = body->outputs[i];
        const Value* known = m_last.value(value) ? m_last.value(value) : m_first.value(value);
        DrawItem item;
        item.kind = DrawItem::Kind::output;
        item.body = id;
        item.value = value;
        item.parent = parent;
        item.title = known ? known->name : std::string();
        item.compact = true;
        const CardSize size = portSize(value, item.title);
        m_outputItem[{id.value, static_cast<std::uint32_t>(i)}] = addItem(std::move(item), size);
    }
}

void Builder::addNode(NodeId id, int parent)
{
    const Record& record = *m_all.record(id);
    if (const auto folded = m_foldedBy.find(id); folded != m_foldedBy.end()) {
        const auto& nodes = folded->second;
        if (nodes.size() == 1) {
            DrawItem item;
            item.node = nodes.front();
            item.parent = parent;
            item.compact = true;
            const int at = addItem(item, sizeOf(*m_all.record(nodes.front()), true));
            m_drawing->itemOf[nodes.front()] = at;
        } else {
            DrawItem item;
            item.kind = DrawItem::Kind::folded;
            item.node = id;
            item.parent = parent;
            item.key = fmt::format("folded:{}", id.value);
            item.open = item.frame = isOpened(item.key);
            item.strip = blockHeight;
            item.nodes = nodes;
            const int at = addItem(item, {152, blockHeight});
            for (const NodeId node : nodes) {
                m_drawing->itemOf[node] = at;
                if (m_drawing->items[static_cast<std::size_t>(at)].open) {
                    DrawItem inside;
                    inside.node = node;
                    inside.parent = at;
                    m_drawing->itemOf[node] =
                        addItem(inside, sizeOf(*m_all.record(node), false));
                }
            }
        }
    }
    DrawItem item;
    item.node = id;
    item.parent = parent;
    if (record.last->region) {
        item.region = true;
        item.key = fmt::format("region:{}", id.value);
        item.open = isOpened(item.key);
        const auto members = m_members.find(id);
        if (members != m_members.end()) {
            for (const NodeId member : members->second) {
                item.nodes.push_back(member);
                if (!m_regionOf.contains(member))
                    item.tied.push_back(member);
            }
        }
        item.frame = item.nodes.size() > item.tied.size();
        CardContent content = contentOf(record);
        // With what was folded into its nodes before they were fused.
        if (!content.name.empty() && !item.nodes.empty()) {
            item.title = jointNameOf(item.nodes);
            content.name = item.title;
        }
        if (item.frame)
            content.rows.clear();
        CardSize size = m_measure(content);
        item.strip = size.height;
        // What it replaces stands in a stack below the title, one line each.
        const int at = addItem(item, size);
        m_drawing->itemOf[id] = at;
        if (item.frame) {
            double y = item.strip + memberTop;
            int row = 0;
            addParts(at, at, memberInset, y, row);
            m_sizes[static_cast<std::size_t>(at)].height = y - memberGap + memberBottom;
            m_rows[at] = row;
        }
        return;
    }
    const bool hasBodies = !record.last->bodies.empty();
    if (hasBodies) {
        item.key = fmt::format("node:{}", id.value);
        item.open = item.frame = isOpened(item.key);
    }
    const CardSize size = sizeOf(record, false);
    item.strip = size.height;
    const bool opened = item.open;
    const int at = addItem(std::move(item), size);
    m_drawing->itemOf[id] = at;
    if (!opened)
        return;
    for (const BodyId inner : record.last->bodies) {
        const Body* body = m_all.body(inner);
        if (!body)
            continue;
        DrawItem frame;
        frame.kind = DrawItem::Kind::body;
        frame.node = id;
        frame.body = inner;
        frame.parent = at;
        frame.frame = true;
        frame.strip = 22;
        frame.title = body->attributeName.empty() ? body->name : body->attributeName;
        const int held = addItem(frame, {120, 22});
        makeBody(inner, held);
    }
}

void Builder::makeBody(BodyId body, int parent)
{
    addInputs(body, parent);
    for (const NodeId id : nodesOf(body))
        addNode(id, parent);
    addOutputs(body, parent);
}

void Builder::makeBlocks(const std::vector<NodeId>& top)
{
    std::vector<Unit> units;
    units.reserve(top.size());
    std::vector<std::string> titles(top.size());
    for (std::size_t i = 0; i < top.size(); ++i) {
        const Record& record = *m_all.record(top[i]);
        std::string_view name = record.last->name;
        std::string_view type = record.last->op.type;
        if (const auto members = m_members.find(top[i]);
            record.last->region && members != m_members.end()) {
            const Record& main = *m_all.record(members->second.front());
            name = main.last->name;
            titles[i] = record.last->region->kind;
            type = titles[i];
        }
        units.push_back({top[i], name, type});
    }
    const std::vector<Block> blocks = findBlocks(units);
    m_drawing->hasBlocks = !blocks.empty();
    std::size_t covered = 0;
    for (const Block& block : blocks)
        covered += block.units.size();
    const bool closed = m_options.blocks == BlockMode::equal
                        || (m_options.blocks == BlockMode::automatic && units.size() > manyItems
                            && covered * 2 > units.size());
    m_drawing->blocksClosed = closed && !blocks.empty();
    std::vector<int> blockOf(units.size(), -1);
    for (std::size_t b = 0; closed && b < blocks.size(); ++b) {
        for (const std::size_t unit : blocks[b].units)
            blockOf[unit] = static_cast<int>(b);
    }
    std::vector<int> itemOfBlock(blocks.size(), -1);
    for (std::size_t i = 0; i < units.size(); ++i) {
        if (blockOf[i] < 0) {
            addNode(units[i].node, -1);
            continue;
        }
        const Block& block = blocks[static_cast<std::size_t>(blockOf[i])];
        int& at = itemOfBlock[static_cast<std::size_t>(blockOf[i])];
        if (at < 0) {
            DrawItem item;
            item.kind = DrawItem::Kind::block;
            item.key = block.key;
            item.open = item.frame = isOpened(block.key);
            item.title = block.title;
            item.strip = item.open ? 22 : blockHeight;
            at = addItem(std::move(item), {280, item.open ? 22 : blockHeight});
        }
        DrawItem& item = m_drawing->items[static_cast<std::size_t>(at)];
        std::vector<NodeId> inside{units[i].node};
        if (const auto members = m_members.find(units[i].node); members != m_members.end())
            inside.insert(inside.end(), members->second.begin(), members->second.end());
        if (const auto folded = m_foldedBy.find(units[i].node); folded != m_foldedBy.end())
            inside.insert(inside.end(), folded->second.begin(), folded->second.end());
        item.nodes.insert(item.nodes.end(), inside.begin(), inside.end());
        if (item.open) {
            addNode(units[i].node, at);
        } else {
            for (const NodeId node : inside) {
                if (node == units[i].node || m_regionOf.contains(node) || m_readerOf.contains(node))
                    m_drawing->itemOf[node] = at;
            }
        }
    }
}

void Builder::makeItems()
{
    for (const Record& record : m_all.records()) {
        if (isHiddenConstant(record) || m_regionOf.contains(record.id)
            || m_readerOf.contains(record.id) || m_alias.contains(record.id))
            continue;
        m_nodesIn[record.last->body].push_back(record.id);
    }
    for (auto& [body, nodes] : m_nodesIn) {
        std::ranges::sort(nodes, {}, [this](NodeId id) {
            return std::pair(m_all.record(id)->last->order, id);
        });
    }
    const BodyId root = m_all.root();
    addInputs(root, -1);
    makeBlocks(nodesOf(root));
    addOutputs(root, -1);
    for (const Record& record : m_all.records()) {
        const auto alias = m_alias.find(record.id);
        const int at = alias == m_alias.end() ? -1 : m_drawing->item(alias->second);
        if (at < 0 || !m_drawing->itemOf.emplace(record.id, at).second)
            continue;
        DrawItem& item = m_drawing->items[static_cast<std::size_t>(at)];
        (item.kind == DrawItem::Kind::block ? item.nodes : item.older).push_back(record.id);
    }
}

} // namespace fusescope::drawing

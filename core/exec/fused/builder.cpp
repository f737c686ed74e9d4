#include "exec/fused/builder.h"

#include <algorithm>

namespace fusescope::fused {

namespace {

std::size_t at(int index)
{
    return static_cast<std::size_t>(index);
}

} // namespace

kernels::ImageShape imageOf(const Sizes& shape)
{
    kernels::ImageShape image;
    image.batch = shape[0];
    image.channels = shape[1];
    for (std::size_t i = 2; i < shape.size(); ++i)
        image.spatial *= shape[i];
    return image;
}

Builder::Builder(const Graph& graph, Walked walked, const PlanOptions& options,
                 kernels::ThreadPool& pool)
    : m_graph(graph), m_walked(std::move(walked)), m_vars(m_walked.vars), m_options(options),
      m_pool(pool), m_plan(std::make_shared<Compiled>())
{
    m_places.resize(m_vars.size());
    for (std::size_t i = 0; i < m_vars.size(); ++i) {
        if (m_vars[i].isInput)
            m_places[i].boxed = static_cast<int>(i);
    }
}

bool Builder::isFloat(int index) const
{
    if (index < 0)
        return false;
    const Var& v = var(index);
    return v.isStatic && v.dtype == DType::float32 &&
           std::ranges::none_of(v.shape, [](std::int64_t size) { return size == 0; });
}

std::optional<double> Builder::scalar(int index) const
{
    if (!isConstant(index) || var(index).constant->elementCount() != 1 ||
        var(index).constant->isString())
        return std::nullopt;
    return var(index).constant->asDouble(0);
}

std::optional<Message> Builder::whyNotFloat(std::span<const int> vars) const
{
    for (const int index : vars) {
        if (index < 0 || isFloat(index))
            continue;
        const Var& v = var(index);
        if (!v.isStatic)
            return Message("kernel.dynamic-shape", {{"value", v.id}});
        if (v.dtype != DType::float32)
            return Message("kernel.type",
                           {{"value", v.id}, {"type", std::string(nameOf(v.dtype))}});
        return Message("kernel.empty", {{"value", v.id}});
    }
    return std::nullopt;
}

std::optional<Message> Builder::whyNotFloat(const Unit& unit) const
{
    if (auto why = whyNotFloat(unit.inputs))
        return why;
    return whyNotFloat(unit.outputs);
}

bool Builder::isBlocked(int index) const
{
    return index >= 0 && placeOf(index).blocked >= 0 && placeOf(index).plain < 0;
}

bool Builder::canBeBlocked(int index) const
{
    return m_options.blockedLayout && isFloat(index) && shape(index).size() >= 3 &&
           shape(index).size() <= 5;
}

std::int64_t Builder::bytesOf(int index, Layout layout) const
{
    const Var& v = var(index);
    if (layout == Layout::blocked)
        return kernels::blockedFloats(imageOf(v.shape)) * 4;
    const auto bytes = fusescope::bytesOf(v.dtype, productOf(v.shape));
    return bytes ? (*bytes + 63) / 64 * 64 : 0;
}

int Builder::addVar(Var added)
{
    m_vars.push_back(std::move(added));
    m_places.emplace_back();
    return static_cast<int>(m_vars.size()) - 1;
}

int Builder::addConstant(Tensor tensor)
{
    Var added;
    added.dtype = tensor.dtype();
    added.shape = tensor.shape();
    added.isStatic = true;
    added.constant = std::make_shared<const Tensor>(std::move(tensor));
    return addVar(std::move(added));
}

int Builder::addBuffer(std::int64_t bytes)
{
    Buffer buffer;
    buffer.bytes = bytes;
    buffer.inside = static_cast<int>(m_plan->buffers.size());
    m_plan->buffers.push_back(buffer);
    return buffer.inside;
}

int Builder::addView(int parent, std::int64_t bytes)
{
    const int made = addBuffer(bytes);
    m_plan->buffers[at(made)].inside = parent;
    return made;
}

int Builder::view(int index, Sizes wanted)
{
    if (shape(index) == wanted)
        return index;
    const auto key = std::make_pair(index, wanted);
    if (const auto found = m_views.find(key); found != m_views.end())
        return found->second;
    Var added = var(index);
    added.shape = std::move(wanted);
    added.known = {};
    if (added.constant)
        added.constant = std::make_shared<const Tensor>(added.constant->reshaped(added.shape));
    const bool isConstantView = added.constant != nullptr;
    const int made = addVar(std::move(added));
    if (!isConstantView)
        alias(made, index);
    m_views.emplace(key, made);
    return made;
}

void Builder::alias(int made, int from)
{
    if (var(from).constant) {
        m_vars[at(made)].constant =
            std::make_shared<const Tensor>(var(from).constant->reshaped(shape(made)));
        return;
    }
    const bool sameShape = shape(made) == shape(from);
    if (!sameShape && placeOf(from).plain < 0 && placeOf(from).blocked >= 0)
        makePlain(from, nullptr);
    if (sameShape && placeOf(from).blocked >= 0) {
        const int viewed = addView(placeOf(from).blocked, bytesOf(made, Layout::blocked));
        placeOf(made).blocked = viewed;
        placeOf(made).blockedReady = placeOf(from).blockedReady;
        placeOf(made).home = placeOf(from).home;
    }
    Place& to = placeOf(made);
    to.plainReady = placeOf(from).plainReady;
    if (placeOf(from).plain >= 0)
        to.plain = addView(placeOf(from).plain, bytesOf(made, Layout::plain));
    else
        to.boxed = placeOf(from).boxed;
}

void Builder::aliasPart(int made, Layout layout, int from, std::int64_t offset)
{
    const Place& source = placeOf(from);
    const int buffer = layout == Layout::blocked ? source.blocked : source.plain;
    const int ready = layout == Layout::blocked ? source.blockedReady : source.plainReady;
    const int viewed = addView(buffer, bytesOf(made, layout));
    m_plan->buffers[at(viewed)].offset = offset;
    Place& to = placeOf(made);
    (layout == Layout::blocked ? to.blocked : to.plain) = viewed;
    (layout == Layout::blocked ? to.blockedReady : to.plainReady) = ready;
    to.home = layout;
}

void Builder::settle(int index)
{
    if (m_options.blockedLayout || placeOf(index).blocked < 0)
        return;
    if (placeOf(index).plain < 0)
        makePlain(index, nullptr);
    placeOf(index).blocked = -1;
    placeOf(index).home = Layout::plain;
}

bool Builder::adopt(int index, Layout layout, int parent, std::int64_t offset)
{
    if (isConstant(index) || !isFloat(index))
        return false;
    const Place& place = placeOf(index);
    const int buffer = layout == Layout::blocked ? place.blocked : place.plain;
    if (buffer < 0 || m_plan->buffers[at(buffer)].inside != buffer)
        return false;
    // Nothing that lies in the parent may enclose the parent.
    for (int above = parent; m_plan->buffers[at(above)].inside != above;
         above = m_plan->buffers[at(above)].inside) {
        if (m_plan->buffers[at(above)].inside == buffer)
            return false;
    }
    m_plan->buffers[at(buffer)].inside = parent;
    m_plan->buffers[at(buffer)].offset = offset;
    return true;
}

std::int64_t Builder::addPacking(std::int64_t floats,
                                 std::function<void(float*, kernels::ThreadPool&)> pack)
{
    const std::int64_t offset = m_plan->weightBytes / 4;
    m_plan->packings.push_back({offset, floats, std::move(pack)});
    m_plan->weightBytes += (floats * 4 + 63) / 64 * 64;
    return offset;
}

void Builder::reject(std::string_view kernel, Message why)
{
    m_rejected.emplace_back(std::string(kernel), std::move(why));
}

Operand Builder::constantOperand(int index, Layout layout)
{
    auto& cache = layout == Layout::blocked ? m_blockedConstants : m_plainConstants;
    if (const auto found = cache.find(index); found != cache.end())
        return found->second;
    Operand operand;
    operand.kind = Operand::Kind::constant;
    TensorPtr tensor = var(index).constant;
    const bool aligned =
        tensor->data() && reinterpret_cast<std::uintptr_t>(tensor->data()) % 16 == 0;
    if (!aligned)
        tensor = std::make_shared<const Tensor>(tensor->materialized());
    if (layout == Layout::plain) {
        operand.data = tensor->data();
        m_plan->constants.push_back(std::move(tensor));
    } else {
        const kernels::ImageShape image = imageOf(tensor->shape());
        MemoryBlock block = MemoryBlock::allocate(kernels::blockedFloats(image) * 4);
        if (block)
            kernels::toBlocked(image, reinterpret_cast<const float*>(tensor->data()),
                               reinterpret_cast<float*>(block.data()), m_pool);
        operand.data = block.data();
        m_plan->constantBlocks.push_back(std::move(block));
    }
    cache.emplace(index, operand);
    return operand;
}

Operand Builder::locate(int index, Layout layout, const Unit* reader)
{
    if (var(index).constant)
        return constantOperand(index, layout);
    Operand operand;
    if (layout == Layout::blocked) {
        if (placeOf(index).blocked < 0)
            makeBlocked(index, reader);
        operand.kind = Operand::Kind::buffer;
        operand.index = placeOf(index).blocked;
        return operand;
    }
    if (placeOf(index).plain < 0 && placeOf(index).blocked >= 0)
        makePlain(index, reader);
    const Place& place = placeOf(index);
    operand.kind = place.plain >= 0 ? Operand::Kind::buffer : Operand::Kind::boxed;
    operand.index = place.plain >= 0 ? place.plain : place.boxed;
    return operand;
}

void Builder::makeBlocked(int index, const Unit* reader)
{
    const kernels::ImageShape image = imageOf(shape(index));
    const std::int64_t bytes = bytesOf(index, Layout::blocked);
    const bool sameOrder =
        image.spatial == 1 && (image.batch == 1 || image.channels % kernels::blockLanes() == 0);
    if (sameOrder && placeOf(index).plain >= 0 &&
        m_plan->buffers[at(placeOf(index).plain)].bytes >= bytes) {
        const int made = addView(placeOf(index).plain, bytes);
        placeOf(index).blocked = made;
        placeOf(index).blockedReady = placeOf(index).plainReady;
        return;
    }
    const Operand from = locate(index, Layout::plain, reader);
    Step step;
    step.node = reader ? reader->reported : m_reported;
    step.kernel = "reorder";
    step.layout = "nChw" + std::to_string(kernels::blockLanes()) + "c";
    step.bytes = 2.0 * static_cast<double>(bytes);
    const int to = addBuffer(bytes);
    (from.kind == Operand::Kind::buffer ? step.reads : step.boxedReads).push_back(from.index);
    step.writes = {to};
    step.run = [=](RunState& state) {
        return finished(
            kernels::toBlocked(image, state.floats(from), state.floatsAt(to), state.pool));
    };
    placeOf(index).blockedReady = static_cast<int>(m_plan->steps.size());
    m_plan->steps.push_back(std::move(step));
    placeOf(index).blocked = to;
}

void Builder::makePlain(int index, const Unit* reader)
{
    const kernels::ImageShape image = imageOf(shape(index));
    const std::int64_t bytes = bytesOf(index, Layout::plain);
    const int from = placeOf(index).blocked;
    if (image.spatial == 1 && (image.batch == 1 || image.channels % kernels::blockLanes() == 0)) {
        const int made = addView(from, bytes);
        placeOf(index).plain = made;
        placeOf(index).plainReady = placeOf(index).blockedReady;
        return;
    }
    Step step;
    step.node = reader ? reader->reported : m_reported;
    step.kernel = "reorder";
    step.layout = "plain";
    step.bytes = 2.0 * static_cast<double>(bytes);
    const int to = addBuffer(bytes);
    step.reads = {from};
    step.writes = {to};
    step.run = [=](RunState& state) {
        return finished(
            kernels::toPlain(image, state.floatsAt(from), state.floatsAt(to), state.pool));
    };
    placeOf(index).plainReady = static_cast<int>(m_plan->steps.size());
    m_plan->steps.push_back(std::move(step));
    placeOf(index).plain = to;
}

Draft::Draft(Builder& builder, const Unit& unit, std::string kernel, Layout layout)
    : m_builder(builder)
{
    m_step.node = unit.reported;
    m_step.kernel = std::move(kernel);
    m_step.layout =
        layout == Layout::blocked ? "nChw" + std::to_string(kernels::blockLanes()) + "c" : "plain";
}

Operand Draft::read(int var, Layout layout)
{
    const Operand operand = m_builder.locate(var, layout, nullptr);
    if (operand.kind == Operand::Kind::buffer)
        m_step.reads.push_back(operand.index);
    else if (operand.kind == Operand::Kind::boxed)
        m_step.boxedReads.push_back(operand.index);
    m_step.bytes += static_cast<double>(m_builder.bytesOf(var, layout));
    return operand;
}

int Draft::write(int var, Layout layout)
{
    const std::int64_t bytes = m_builder.bytesOf(var, layout);
    const int buffer = m_builder.addBuffer(bytes);
    Builder::Place& place = m_builder.placeOf(var);
    (layout == Layout::blocked ? place.blocked : place.plain) = buffer;
    place.home = layout;
    m_step.writes.push_back(buffer);
    m_step.bytes += static_cast<double>(bytes);
    if (m_step.flops == 0)
        m_step.flops = static_cast<double>(productOf(m_builder.shape(var)));
    m_made.push_back(var);
    return buffer;
}

void Draft::mayReplace(const Operand& operand, int buffer)
{
    if (operand.kind == Operand::Kind::buffer)
        m_step.inPlace.emplace_back(operand.index, buffer);
}

void Draft::commit(StepFunction run)
{
    m_step.run = std::move(run);
    m_step.rejected = std::move(m_builder.m_rejected);
    m_builder.m_rejected.clear();
    const int number = static_cast<int>(m_builder.m_plan->steps.size());
    for (const int var : m_made) {
        Builder::Place& place = m_builder.placeOf(var);
        (place.home == Layout::blocked ? place.blockedReady : place.plainReady) = number;
    }
    m_builder.m_plan->steps.push_back(std::move(m_step));
}

} // namespace fusescope::fused

#include "io/data_files.h"
#include "session/file_values.h"
#include "session/session_state.h"

#include <filesystem>

namespace fusescope {

namespace {

namespace fs = std::filesystem;

// The public inputs that a data set must give, in order: those without an initializer first as the
// official tests count them, all of them.
std::vector<ValueId> requiredInputs(const Graph& graph)
{
    std::vector<ValueId> ids;
    for (const ValueId id : graph.body(graph.mainBody())->inputs) {
        if (!graph.value(id)->isInitializer())
            ids.push_back(id);
    }
    return ids;
}

Result<void> readDataSet(const Graph& graph, const std::string& folder, RunInputs& inputs)
{
    const auto required = requiredInputs(graph);
    for (std::size_t i = 0; i < required.size(); ++i) {
        const Value& value = *graph.value(required[i]);
        const fs::path numbered = fs::path(folder) / ("input_" + std::to_string(i) + ".pb");
        const fs::path named = fs::path(folder) / (value.name + ".npy");
        std::error_code error;
        const bool hasNumbered = fs::exists(numbered, error);
        if (!hasNumbered && !fs::exists(named, error))
            continue;
        FUSESCOPE_ASSIGN(const FileValue file,
                         readDataFile((hasNumbered ? numbered : named).string(), value.type));
        // A file that names another input is believed.
        const bool other = !file.name.empty() && file.name != value.name &&
                           std::any_of(required.begin(), required.end(), [&](ValueId id) {
                               return graph.value(id)->name == file.name;
                           });
        inputs[other ? file.name : value.name] = runtimeValueOf(file);
    }
    return {};
}

Result<void> checkInput(const Graph& graph, const std::string& name, const RuntimeValue& given)
{
    for (const ValueId id : graph.body(graph.mainBody())->inputs) {
        const Value& value = *graph.value(id);
        if (value.name != name)
            continue;
        const Tensor* tensor = given.tensor();
        if (!tensor || !value.type.isTensor())
            return {};
        const Shape& shape = value.type.shape;
        bool fits = value.type.dtype == DType::undefined || value.type.dtype == tensor->dtype();
        if (shape.hasRank()) {
            fits = fits && shape.rank() == tensor->rank();
            for (std::size_t i = 0; fits && i < shape.rank(); ++i) {
                const auto number = shape.dims()[i].constant();
                fits = !number || *number == tensor->shape()[i];
            }
        }
        if (!fits)
            return fail(ErrorCode::invalidArgument,
                        Message("session.input-does-not-fit",
                                {{"value", name},
                                 {"expected", value.type.text()},
                                 {"found", given.type().text()}}));
        return {};
    }
    std::string known;
    for (const ValueId id : graph.body(graph.mainBody())->inputs)
        known += (known.empty() ? "" : ", ") + graph.value(id)->name;
    return fail(ErrorCode::invalidArgument,
                Message("session.no-such-input", {{"value", name}, {"known", known}}));
}

Result<void> readSource(const Graph& graph, const std::string& source, RunInputs& inputs)
{
    std::error_code error;
    if (fs::is_directory(source, error)) {
        RunInputs read;
        FUSESCOPE_TRY(readDataSet(graph, source, read));
        if (read.empty() && !requiredInputs(graph).empty())
            return fail(ErrorCode::unreadable, Message("session.no-samples"), {}, source);
        for (auto& [name, value] : read)
            inputs[name] = std::move(value);
        return {};
    }
    const std::size_t equals = source.find('=');
    if (equals == std::string::npos) {
        FUSESCOPE_ASSIGN(const std::vector<FileValue> arrays, readNpz(source));
        for (const FileValue& array : arrays)
            inputs[array.name] = runtimeValueOf(array);
        return {};
    }
    const std::string name = source.substr(0, equals);
    Type expected;
    for (const ValueId id : graph.body(graph.mainBody())->inputs) {
        if (graph.value(id)->name == name)
            expected = graph.value(id)->type;
    }
    FUSESCOPE_ASSIGN(const FileValue file, readDataFile(source.substr(equals + 1), expected));
    inputs[name] = runtimeValueOf(file);
    return {};
}

// A data set beside the file gives the sizes of what nobody gave, and the values of integers, bools
// and strings: they choose what a model computes (a sample rate, a length, an index). Floats are
// seeded.
// Whether it gave any.
bool takeDataSet(const Graph& graph, const std::string& folder, const InputSpec& spec,
                 RunInputs& inputs, InputRecipe& recipe)
{
    RunInputs beside;
    bool taken = false;
    if (!readDataSet(graph, folder, beside))
        return taken;
    static const InputSpec usual;
    const bool usualRange =
        spec.integerLow == usual.integerLow && spec.integerHigh == usual.integerHigh;
    for (const ValueId id : graph.body(graph.mainBody())->inputs) {
        const Value& input = *graph.value(id);
        const auto found = beside.find(input.name);
        const Tensor* tensor = found == beside.end() ? nullptr : found->second.tensor();
        if (!tensor || inputs.count(input.name) > 0 || recipe.shapes.count(input.name) > 0 ||
            !checkInput(graph, input.name, found->second))
            continue;
        taken = true;
        std::vector<std::int64_t> sizes = tensor->shape();
        bool allNamed = input.type.shape.hasRank();
        for (std::size_t axis = 0; allNamed && axis < sizes.size(); ++axis) {
            const Dim& dim = input.type.shape.dims()[axis];
            if (dim.isSymbol())
                sizes[axis] =
                    recipe.dims.emplace(std::string(dim.symbolName()), sizes[axis]).first->second;
            else
                allNamed = dim.constant().has_value();
        }
        if (!allNamed)
            recipe.shapes[input.name] = sizes;
        const bool steers = !isFloatingPoint(tensor->dtype()) && !spec.constantFill && usualRange;
        if (steers && sizes == tensor->shape())
            inputs[input.name] = found->second;
    }
    return taken;
}

} // namespace

Result<MadeInputs> loadInputs(const Graph& graph, const std::string& modelPath,
                              const InputSpec& spec, bool distinctDims, int variant,
                              bool onlySizes)
{
    RunInputs inputs;
    for (const std::string& source : spec.sources)
        FUSESCOPE_TRY(readSource(graph, source, inputs));
    for (const auto& [name, tensor] : spec.tensors)
        inputs[name] = tensor;
    for (const auto& [name, value] : inputs)
        FUSESCOPE_TRY(checkInput(graph, name, value));
    InputRecipe recipe;
    recipe.seed = spec.seed;
    recipe.shapes = spec.shapes;
    recipe.dims = spec.dims;
    recipe.integerLow = spec.integerLow;
    recipe.integerHigh = spec.integerHigh;
    recipe.distinctDims = distinctDims;
    recipe.variant = variant;
    recipe.onlySizes = onlySizes;
    std::string dataSet;
    if (spec.useDataSetBesideModel && !distinctDims && spec.sources.empty()) {
        const std::vector<std::string> sets = testDataSets(modelPath);
        if (!sets.empty() && takeDataSet(graph, sets.front(), spec, inputs, recipe))
            dataSet = sets.front();
    }
    FUSESCOPE_ASSIGN(MadeInputs made, makeInputs(graph, recipe, inputs));
    made.dataSet = std::move(dataSet);
    if (spec.constantFill) {
        for (auto& [name, value] : made.inputs) {
            const Tensor* tensor = value.tensor();
            if (!tensor || tensor->isString() || inputs.count(name) > 0)
                continue;
            Tensor filled = Tensor::allocate(tensor->dtype(), tensor->shape());
            for (std::int64_t i = 0; i < filled.elementCount(); ++i)
                filled.store(i, *spec.constantFill);
            value = std::move(filled);
        }
    }
    return made;
}

} // namespace fusescope

#include "session/conformance_data.h"

#include "ops/inference.h"
#include "session/file_values.h"

#include <fmt/format.h>

#include <filesystem>

namespace fusescope {

std::string officialFile(const std::string& set, const char* name, std::size_t i)
{
    return fmt::format("{}/{}_{}.pb", set, name, i);
}

// Releases of ONNX before 1.13 store the bits of a bfloat16 tensor as uint16.
Result<RuntimeValue> readOfficialValue(const std::string& file, const Type& declared)
{
    FUSESCOPE_ASSIGN(const FileValue read, readDataFile(file, declared));
    RuntimeValue value = runtimeValueOf(read);
    const Tensor* stored = value.tensor();
    if (!stored || stored->dtype() != DType::uint16 || declared.dtype != DType::bfloat16)
        return value;
    Tensor bits = Tensor::allocate(DType::bfloat16, stored->shape());
    for (std::int64_t i = 0; i < stored->elementCount(); ++i)
        bits.mutableElements<BFloat16>()[i].bits = stored->load<std::uint16_t>(i);
    return RuntimeValue(std::move(bits));
}

Result<RunInputs> readOfficialInputs(Graph& graph, const std::string& set)
{
    RunInputs inputs;
    const std::vector<ValueId> all = graph.body(graph.mainBody())->inputs;
    std::vector<ValueId> required;
    for (const ValueId id : all) {
        if (!graph.value(id)->isInitializer())
            required.push_back(id);
    }
    std::size_t files = 0;
    std::error_code error;
    while (std::filesystem::exists(officialFile(set, "input", files), error))
        ++files;
    // Inputs with an initializer are left out of a data set, unless it has a file for each input.
    const std::vector<ValueId>& ids = files > required.size() ? all : required;
    for (std::size_t i = 0; i < std::min(files, ids.size()); ++i) {
        const Value& value = *graph.value(ids[i]);
        FUSESCOPE_ASSIGN(RuntimeValue read, readOfficialValue(officialFile(set, "input", i), value.type));
        const Type found = read.type();
        bool contradicts = false;
        mergeTypes(value.type, found, &contradicts);
        if (contradicts && found.isTensor() && found.dtype == value.type.dtype) {
            auto changed = std::make_shared<Value>(value);
            changed->type = found;
            GraphPatch patch;
            patch.values.push_back({ids[i], graph.valuePtr(ids[i]), std::move(changed)});
            FUSESCOPE_TRY(graph.apply(patch));
        }
        inputs[graph.value(ids[i])->name] = std::move(read);
    }
    return inputs;
}

} // namespace fusescope

#include "session/value_files.h"

#include "io/data_files.h"
#include "model/element_text.h"

#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <limits>

namespace fusescope {

namespace {

namespace fs = std::filesystem;

std::string elementText(const Tensor& tensor, std::int64_t i)
{
    if (tensor.isString())
        return tensor.loadString(i);
    if (tensor.dtype() == DType::boolean)
        return tensor.asInt(i) != 0 ? "true" : "false";
    if (isInteger(tensor.dtype()))
        return integerText(tensor, i);
    return fmt::format("{:.6g}", tensor.asDouble(i));
}

Result<void> cannotWrite(const std::string& path, TextId why)
{
    return fail(ErrorCode::notWritten, Message(why), {}, path);
}

} // namespace

ValueSummary summarize(const RuntimeValue& value, std::size_t elements)
{
    ValueSummary summary;
    summary.type = value.type().text();
    if (const SequenceValue* sequence = value.sequence()) {
        summary.first.push_back(fmt::format("{} elements", sequence->elements.size()));
        return summary;
    }
    const Tensor* tensor = value.tensor();
    if (!tensor)
        return summary;
    summary.isNumeric = !tensor->isString();
    const std::int64_t count = tensor->elementCount();
    for (std::int64_t i = 0; i < count && static_cast<std::size_t>(i) < elements; ++i)
        summary.first.push_back(elementText(*tensor, i));
    summary.truncated = count > static_cast<std::int64_t>(elements);
    if (!summary.isNumeric)
        return summary;
    double sum = 0;
    std::int64_t finite = 0;
    summary.min = std::numeric_limits<double>::infinity();
    summary.max = -std::numeric_limits<double>::infinity();
    const std::int64_t each = tensor->isSplat() ? count : 1; // so many have one value
    for (std::int64_t i = 0; i < count; i += each) {
        const double v = tensor->asDouble(i);
        summary.nan += std::isnan(v) ? each : 0;
        summary.inf += std::isinf(v) ? each : 0;
        if (!std::isfinite(v))
            continue;
        ++finite;
        sum += v;
        summary.min = std::min(summary.min, v);
        summary.max = std::max(summary.max, v);
    }
    if (finite == 0)
        summary.min = summary.max = std::numeric_limits<double>::quiet_NaN();
    summary.mean = finite > 0 ? sum / static_cast<double>(finite) : summary.min;
    return summary;
}

Result<void> checkValuesTarget(const std::string& path, bool replace)
{
    const fs::path target(path);
    const std::string ending = target.extension().string();
    if (!ending.empty() && ending != ".npz" && ending != ".npy" && ending != ".pb")
        return fail(ErrorCode::invalidArgument, Message("session.unknown-ending"), {}, path);
    std::error_code error;
    if (fs::exists(target, error) && !replace)
        return cannotWrite(path, "session.exists");
    return {};
}

Result<void> writeValues(const std::string& path,
                         const std::vector<std::pair<std::string, RuntimeValue>>& values,
                         bool replace)
{
    FUSESCOPE_TRY(checkValuesTarget(path, replace));
    // A file holds all elements of a fill.
    constexpr std::int64_t most = std::int64_t{8} << 30;
    for (const auto& [name, value] : values) {
        const Tensor* tensor = value.tensor();
        if (tensor && tensor->isSplat() && tensor->byteSize() > most)
            return fail(ErrorCode::notWritten,
                        Message("session.value-too-large",
                                {{"value", name}, {"bytes", tensor->byteSize()}, {"limit", most}}),
                        {}, path);
    }
    std::error_code error;
    const fs::path target(path);
    for (const auto& [name, value] : values) {
        if (!value.tensor())
            return fail(ErrorCode::unsupported, Message("session.only-tensors"), {}, path);
    }
    if (target.extension() == ".npz") {
        std::vector<std::pair<std::string, TensorPtr>> arrays;
        for (const auto& [name, value] : values)
            arrays.emplace_back(name, value.tensorPtr());
        return writeNpz(path, arrays);
    }
    if (target.extension() == ".npy" || target.extension() == ".pb") {
        if (values.size() != 1)
            return fail(ErrorCode::unsupported, Message("session.one-value"), {}, path);
        const Tensor& tensor = *values.front().second.tensor();
        return target.extension() == ".npy" ? writeNpy(path, tensor)
                                            : writeTensorProto(path, values.front().first, tensor);
    }
    const bool made = fs::create_directories(target, error);
    if (error)
        return cannotWrite(path, "session.no-folder");
    std::vector<fs::path> written;
    for (std::size_t i = 0; i < values.size(); ++i) {
        const fs::path file = target / fmt::format("output_{}.pb", i);
        auto done = writeTensorProto(file.string(), values[i].first, *values[i].second.tensor());
        if (done) {
            written.push_back(file);
            continue;
        }
        for (const fs::path& one : written) // none of them, rather than some
            fs::remove(one, error);
        if (made)
            fs::remove(target, error);
        return done;
    }
    return {};
}

} // namespace fusescope

#include "io/document.h"

#include <exception>

#include <onnx/checker.h>
#include <onnx/onnx_pb.h>

namespace fusescope {

namespace {

// What the library's oldest supported version knows.
constexpr std::int64_t newestIr = 8;
constexpr std::int64_t newestOpset = 17;
constexpr std::int64_t newestMlOpset = 3;

bool isKnownTo(const onnx::ModelProto& model)
{
    if (model.ir_version() > newestIr)
        return false;
    for (const auto& import : model.opset_import()) {
        const bool standard = import.domain().empty() || import.domain() == "ai.onnx";
        if (import.version() > (standard ? newestOpset : newestMlOpset) &&
            (standard || import.domain() == "ai.onnx.ml"))
            return false;
    }
    // The checker looks for other files beside the working directory.
    for (const auto& initializer : model.graph().initializer()) {
        if (initializer.data_location() == onnx::TensorProto::EXTERNAL)
            return false;
    }
    return true;
}

} // namespace

std::optional<std::string> onnxCheckerComplaint(const std::string& modelBytes)
{
    try {
        onnx::ModelProto model;
        if (modelBytes.size() > 0x7FFFFFFF || !model.ParseFromString(modelBytes))
            return std::nullopt;
        if (!isKnownTo(model))
            return std::nullopt;
        onnx::checker::check_model(model);
    } catch (const std::exception& error) {
        return std::string(error.what());
    }
    return std::nullopt;
}

} // namespace fusescope

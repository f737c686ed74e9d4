#pragma once

#include "io/external_data.h"
#include "io/wire.h"
#include "model/attribute.h"

#include <functional>

namespace fusescope {

// TensorProto and SparseTensorProto.

struct TensorContext
{
    std::shared_ptr<const void> owner; // keeps the bytes of the message alive
    ExternalData* external = nullptr;  // null: none can be read
    // Told of each tensor whose contents cannot be used; the argument `tensor` is its name.
    std::function<void(const Message& why)> problem;
};

struct ReadTensor
{
    std::string name, docString;
    TensorPtr tensor;
    bool isExternal = false;
};

// Nothing only where the message is malformed. Contents that lie in raw or packed form stay where
// they are; those that do not fit the type and shape make the tensor unavailable.
std::optional<ReadTensor> readTensorMessage(std::string_view message, const TensorContext& context);

struct ReadSparse
{
    std::string name;
    SparseTensorPtr tensor;
};
std::optional<ReadSparse> readSparseMessage(std::string_view message, const TensorContext& context);

// A TensorProto with raw or string data. The tensor must live until the message is written.
WireMessage tensorMessage(const Tensor& tensor, std::string_view name);
WireMessage sparseMessage(const SparseTensor& tensor, std::string_view name);
// The original message with its contents in it instead of in another file.
WireMessage inlinedMessage(std::string_view original, const Tensor& tensor);
// The original message, or a new one, whose contents lie in another file.
WireMessage externalMessage(std::string_view original, const Tensor& tensor, std::string_view name,
                            std::string_view location, std::uint64_t offset, std::uint64_t length);

} // namespace fusescope

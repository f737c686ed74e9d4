#pragma once

#include "base/progress.h"
#include "base/result.h"
#include "model/graph.h"

#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace fusescope {

enum class Severity { note, warning, error };

// Something odd about a file that opens all the same.
struct Problem
{
    Severity severity = Severity::warning;
    NodeId node;
    Message message;
};

struct LoadLimits
{
    int maxDepth = 64;                                  // of nested graphs, types and messages
    std::int64_t maxNodes = 5'000'000;
};

// A file behind a model: knows where the messages of all records lie in it, so that saving writes
// what was not changed as it was, byte for byte: unknown fields, order and presence. Weights stay in
// the mapped file. Files in which records are spelled by any ONNX to 1.23 (IR 14) can be read,
// whatever version of ONNX's library is at hand.
class Document
{
public:
    // Opens a model. Errors name the file and the cause; what can be shown is shown, with problems.
    static Result<std::shared_ptr<const Document>> open(const std::string& path,
                                                        const LoadLimits& limits = {},
                                                        std::stop_token stop = {},
                                                        const Progress& progress = {});
    // From bytes in memory (tests, examples of the resources); external data lies in `folder`.
    static Result<std::shared_ptr<const Document>> parse(std::string bytes, std::string name,
                                                         std::string folder = {},
                                                         const LoadLimits& limits = {});
    ~Document();

    const Graph& graph() const;           // as the file says, before inference
    const std::string& path() const;
    std::int64_t fileBytes() const;       // external data included
    const std::vector<Problem>& problems() const;
    std::vector<std::string> externalFiles() const; // relative paths in use
    // What the quantization annotations name beside their tensor (scales, zero points), with these
    // tensors: initializers that nothing need read.
    std::map<ValueId, std::vector<ValueId>> annotated() const;
    // An error that names the file of the model that was written to since it was opened: its weights
    // lie there still.
    Result<void> checkUnchanged() const;
    std::uint64_t contentHash() const;    // of the file without its tensor bytes, and its size

    struct SaveOptions
    {
        enum class ExternalData { automatic, always, never } externalData = ExternalData::automatic;
        bool overwrite = false; // an existing file may be replaced; never the source
    };
    struct Saved
    {
        std::string path;
        std::int64_t bytes = 0; // external data included
        std::vector<std::string> externalFiles;
    };
    // Writes a state of the model: every record that is the same pointer as when opened is written
    // from its original message. Atomic: a temporary file beside it is renamed when all is written
    // and synced. Refuses the source, by whatever path. Splats are written out.
    Result<Saved> save(const Graph& graph, const std::string& path, const SaveOptions& options,
                       std::stop_token stop = {}, const Progress& progress = {}) const;
    // The same into memory.
    Result<std::string> serialize(const Graph& graph) const;

private:
    struct State;
    explicit Document(std::shared_ptr<State> state);
    std::shared_ptr<State> m_state;
};

// Our own validator, at every IR and opset: structure, schemas, attributes, types, names, functions.
std::vector<Problem> validate(const Graph& graph);

// What must hold before a file is written: the full structural check, and no error of validate() that
// the model did not have when it was opened.
Result<void> validateForSaving(const Graph& graph, const Graph* opened = nullptr);

// ONNX's checker, as a second opinion for IR ≤ 8 and opset ≤ 17; nothing when it has no complaint
// or does not know the version.
std::optional<std::string> onnxCheckerComplaint(const std::string& modelBytes);

} // namespace fusescope

#pragma once

#include "io/mapped_file.h"

#include <map>
#include <optional>
#include <vector>

namespace fusescope {

// Where a tensor's bytes lie in another file, as the model says.
struct ExternalReference
{
    std::string location;
    std::string offset, length; // decimal, may be empty
};

// The files beside a model that hold tensors. None outside the model's folder is ever opened: not by
// an absolute path, by "..", nor by a link.
class ExternalData
{
public:
    explicit ExternalData(std::string folder);

    struct Range
    {
        std::shared_ptr<const MappedFile> file;
        std::string_view bytes;
    };
    // The bytes of a tensor that needs `size` of them; errors say what is wrong.
    Result<Range> find(const ExternalReference& reference, std::int64_t size);

    // Relative paths of all files that were opened, sorted.
    std::vector<std::string> files() const;
    std::vector<FileIdentity> identities() const;
    // The first file that was written to since it was opened, if any.
    std::optional<std::string> changed() const;
    std::int64_t bytes() const;

private:
    Result<std::shared_ptr<const MappedFile>> open(const std::string& location);

    std::string m_folder;
    std::map<std::string, Result<std::shared_ptr<const MappedFile>>> m_files;
};

} // namespace fusescope

#include "io/external_data.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <optional>

namespace fusescope {

namespace {

// Nothing where the text is no whole number of at most 63 bits.
std::optional<std::uint64_t> numberOf(const std::string& text)
{
    std::uint64_t value = 0;
    const char* end = text.data() + text.size();
    const auto [at, error] = std::from_chars(text.data(), end, value);
    if (error != std::errc() || at != end || (value >> 63) != 0)
        return std::nullopt;
    return value;
}

bool staysInside(std::string_view location)
{
    if (location.empty() || location[0] == '/' || location[0] == '\\' ||
        location.find('\0') != std::string_view::npos ||
        (location.size() > 1 && location[1] == ':'))
        return false;
    std::size_t start = 0;
    while (start <= location.size()) {
        const std::size_t end = std::min(location.find_first_of("/\\", start), location.size());
        if (location.substr(start, end - start) == "..")
            return false;
        start = end + 1;
    }
    return true;
}

} // namespace

ExternalData::ExternalData(std::string folder)
{
    std::error_code error;
    const auto real = std::filesystem::canonical(folder.empty() ? "." : folder, error);
    m_folder = error ? std::string() : real.string();
}

Result<std::shared_ptr<const MappedFile>> ExternalData::open(const std::string& location)
{
    const auto known = m_files.find(location);
    if (known != m_files.end())
        return known->second;
    Result<std::shared_ptr<const MappedFile>> file =
        fail(ErrorCode::unreadable, Message("io.external-leaves-folder", {{"file", location}}), {},
             location);
    if (!m_folder.empty() && staysInside(location)) {
        file = MappedFile::open(m_folder + "/" + location, m_folder);
        // A path written on a system that separates by backslashes.
        if (!file && location.find('\\') != std::string::npos) {
            std::string slashes = location;
            std::replace(slashes.begin(), slashes.end(), '\\', '/');
            if (auto other = MappedFile::open(m_folder + "/" + slashes, m_folder))
                file = std::move(other);
        }
    }
    m_files.emplace(location, file);
    return file;
}

Result<ExternalData::Range> ExternalData::find(const ExternalReference& reference,
                                               std::int64_t size)
{
    FUSESCOPE_ASSIGN(auto file, open(reference.location));
    const auto bad = [&](const std::string& what) {
        return fail(ErrorCode::invalidModel,
                    Message("io.external-bad-number",
                            {{"file", reference.location}, {"text", what}}));
    };
    const auto offset = reference.offset.empty() ? 0 : numberOf(reference.offset);
    if (!offset)
        return bad(reference.offset);
    const auto wanted = static_cast<std::uint64_t>(size);
    const auto length = reference.length.empty() ? wanted : numberOf(reference.length);
    if (!length)
        return bad(reference.length);
    if (*length != wanted)
        return fail(ErrorCode::invalidModel,
                    Message("io.wrong-size", {{"expected", size},
                                              {"found", static_cast<std::int64_t>(*length)}}));
    const std::uint64_t total = file->bytes().size();
    if (*offset > total || wanted > total - *offset)
        return fail(ErrorCode::invalidModel,
                    Message("io.external-too-short",
                            {{"file", reference.location},
                             {"needed", size},
                             {"offset", std::to_string(*offset)},
                             {"size", static_cast<std::int64_t>(total)}}));
    return Range{file, file->bytes().substr(*offset, wanted)};
}

std::vector<std::string> ExternalData::files() const
{
    std::vector<std::string> result;
    for (const auto& [location, file] : m_files) {
        if (file)
            result.push_back(location);
    }
    return result;
}

std::vector<FileIdentity> ExternalData::identities() const
{
    std::vector<FileIdentity> result;
    for (const auto& [location, file] : m_files) {
        if (file)
            result.push_back((*file)->identity());
    }
    return result;
}

std::optional<std::string> ExternalData::changed() const
{
    for (const auto& [location, file] : m_files) {
        if (file && !(*file)->isIntact())
            return (*file)->path();
    }
    return std::nullopt;
}

std::int64_t ExternalData::bytes() const
{
    std::int64_t total = 0;
    for (const auto& [location, file] : m_files) {
        if (file)
            total += static_cast<std::int64_t>((*file)->bytes().size());
    }
    return total;
}

} // namespace fusescope

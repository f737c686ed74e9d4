// Damaged model files through everything that opens, optimizes, runs and writes them; see
// CONTRIBUTING.md.
//
//   fuzz_files FOLDER… [--minutes M] [--first SEED] [--rounds N] [--largest BYTES]
//   fuzz_files FILE --seed SEED [--write FILE]
//
// The folders are searched for .onnx files, smaller ones than `largest` (300000) taken. Cases run in a
// child process; with --seed one runs in the program itself.
#include "fuzz/damaged_file.h"
#include "fuzz/file_check.h"
#include "fuzz/watched_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <vector>

using namespace fusescope;
namespace fs = std::filesystem;

namespace {

struct Arguments
{
    std::vector<std::string> places;
    double minutes = 1;
    std::uint64_t first = 0, rounds = 0, largest = 300'000;
    std::optional<std::uint64_t> seed;
    std::string write;
};

struct Model
{
    std::string path, bytes;
};

std::string contentsOf(const fs::path& path)
{
    std::ifstream stream(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

std::vector<Model> modelsIn(const Arguments& arguments)
{
    std::vector<fs::path> paths;
    for (const std::string& place : arguments.places) {
        std::error_code error;
        if (fs::is_regular_file(place, error))
            paths.emplace_back(place);
        for (auto at = fs::recursive_directory_iterator(place, error);
             !error && at != fs::recursive_directory_iterator(); at.increment(error)) {
            if (at->path().extension() == ".onnx" && at->is_regular_file(error) &&
                at->file_size(error) <= arguments.largest)
                paths.push_back(at->path());
        }
    }
    std::ranges::sort(paths);
    std::vector<Model> models;
    for (const fs::path& path : paths)
        models.push_back({path.string(), contentsOf(path)});
    return models;
}

test::WatchedRun::Outcome runCase(const Model& model, std::uint64_t seed)
{
    const test::FileCheckResult result = test::checkFile(test::damagedFile(model.bytes, seed));
    for (const std::string& finding : result.findings)
        fmt::print("FINDING {} --seed {}: {}\n", model.path, seed, finding);
    std::fflush(stdout);
    return {result.findings.empty(), result.ran};
}

int runOne(const Model& model, const Arguments& arguments)
{
    const std::string bytes = test::damagedFile(model.bytes, *arguments.seed);
    if (!arguments.write.empty())
        std::ofstream(arguments.write, std::ios::binary) << bytes;
    test::limitMemory();
    const test::FileCheckResult result = test::checkFile(bytes);
    for (const std::string& finding : result.findings)
        fmt::print("FINDING {}\n", finding);
    fmt::print("{}, {} steps, {}\n", result.opened ? "opens" : "does not open", result.steps,
               result.ran ? "runs" : "does not run");
    return result.findings.empty() ? 0 : 1;
}

} // namespace

int main(int argc, char** argv)
{
    Arguments arguments;
    for (int i = 1; i < argc; ++i) {
        const std::string_view name = argv[i];
        if (!name.starts_with("--")) {
            arguments.places.emplace_back(name);
            continue;
        }
        const char* value = i + 1 < argc ? argv[++i] : "";
        const std::uint64_t number = std::strtoull(value, nullptr, 10);
        if (name == "--minutes")
            arguments.minutes = std::atof(value);
        else if (name == "--first")
            arguments.first = number;
        else if (name == "--rounds")
            arguments.rounds = number;
        else if (name == "--largest")
            arguments.largest = number;
        else if (name == "--seed")
            arguments.seed = number;
        else if (name == "--write")
            arguments.write = value;
        else {
            fmt::print(stderr, "unknown option {}\n", name);
            return 2;
        }
    }
    const std::vector<Model> models = modelsIn(arguments);
    if (models.empty()) {
        fmt::print(stderr, "no models\n");
        return 2;
    }
    if (arguments.seed)
        return runOne(models.front(), arguments);
    test::WatchedRun run;
    run.minutes = arguments.minutes;
    run.cases = arguments.rounds * models.size();
    const auto seedAt = [&](std::uint64_t at) { return arguments.first + at / models.size(); };
    run.nameOf = [&](std::uint64_t at) {
        return fmt::format("{} --seed {}", models[at % models.size()].path, seedAt(at));
    };
    run.run = [&](std::uint64_t at) { return runCase(models[at % models.size()], seedAt(at)); };
    const test::WatchedTotals totals = test::runWatched(run);
    fmt::print("{} files: {}\n", models.size(), totals.text());
    return totals.areGood() ? 0 : 1;
}

// Random one-node graphs of every operator at every version; see CONTRIBUTING.md.
//
//   fuzz_operators [--minutes M] [--first SEED] [--op TYPE [--since N]] [--seed SEED [--print]]
//
// Cases run in a child process: when it dies or does not end, the parent says at which case and goes
// on behind it. With --seed one case runs in the program itself, under a debugger for example.
#include "fuzz/node_check.h"
#include "fuzz/watched_run.h"

#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>

using namespace fusescope;

namespace {

struct Arguments
{
    double minutes = 1;
    std::uint64_t first = 0;
    std::uint64_t rounds = 0; // 0: as many as the minutes allow
    std::string_view op;
    int since = 0;
    bool one = false, print = false;
};

std::vector<const OpSchema*> chosen(const Arguments& arguments)
{
    std::vector<const OpSchema*> schemas;
    for (const OpSchema& schema : allSchemas()) {
        if ((arguments.op.empty() || schema.name == arguments.op) &&
            (arguments.since == 0 || schema.sinceVersion == arguments.since))
            schemas.push_back(&schema);
    }
    return schemas;
}

std::string nameOf(const OpSchema& schema, std::uint64_t seed)
{
    return fmt::format("--op {} --since {} --seed {}", schema.name, schema.sinceVersion, seed);
}

bool runCase(const OpSchema& schema, std::uint64_t seed, bool print, bool* ran = nullptr)
{
    const auto made = test::randomNode(schema, seed);
    if (!made) {
        if (print)
            fmt::print("makes no graph\n");
        return true;
    }
    if (print)
        fmt::print("{}\n", test::textOf(*made));
    std::fflush(stdout);
    const test::CheckResult result = test::checkNode(*made);
    for (const std::string& finding : result.findings)
        fmt::print("FINDING {}: {}\n", nameOf(schema, seed), finding);
    if (print)
        fmt::print("{}\n", result.ran ? "runs" : result.error);
    std::fflush(stdout);
    if (ran)
        *ran = result.ran;
    return result.findings.empty();
}

} // namespace

int main(int argc, char** argv)
{
    Arguments arguments;
    for (int i = 1; i < argc; ++i) {
        const std::string_view name = argv[i];
        const char* value = i + 1 < argc ? argv[i + 1] : "";
        if (name == "--print") {
            arguments.print = true;
            continue;
        }
        ++i;
        if (name == "--minutes")
            arguments.minutes = std::atof(value);
        else if (name == "--rounds")
            arguments.rounds = std::strtoull(value, nullptr, 10);
        else if (name == "--first")
            arguments.first = std::strtoull(value, nullptr, 10);
        else if (name == "--op")
            arguments.op = value;
        else if (name == "--since")
            arguments.since = std::atoi(value);
        else if (name == "--seed") {
            arguments.first = std::strtoull(value, nullptr, 10);
            arguments.one = true;
        } else {
            fmt::print(stderr, "unknown option {}\n", name);
            return 2;
        }
    }
    const std::vector<const OpSchema*> schemas = chosen(arguments);
    if (schemas.empty()) {
        fmt::print(stderr, "no such operator\n");
        return 2;
    }
    if (arguments.one) {
        test::limitMemory();
        bool good = true;
        for (const OpSchema* schema : schemas)
            good = runCase(*schema, arguments.first, arguments.print) && good;
        return good ? 0 : 1;
    }

    test::WatchedRun run;
    run.minutes = arguments.minutes;
    run.cases = arguments.rounds * schemas.size();
    const auto seedAt = [&](std::uint64_t at) { return arguments.first + at / schemas.size(); };
    run.nameOf = [&](std::uint64_t at) { return nameOf(*schemas[at % schemas.size()], seedAt(at)); };
    run.run = [&](std::uint64_t at) {
        test::WatchedRun::Outcome outcome;
        outcome.good = runCase(*schemas[at % schemas.size()], seedAt(at), false, &outcome.ran);
        return outcome;
    };
    const test::WatchedTotals totals = test::runWatched(run);
    fmt::print("{} operators: {}\n", schemas.size(), totals.text());
    return totals.areGood() ? 0 : 1;
}

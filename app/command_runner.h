#pragma once

#include "app/arguments.h"
#include "app/exit_status.h"
#include "app/json.h"

#include <stop_token>

namespace fusescope {

// What every command has at hand: its arguments, where results and messages go, the stop token that
// Ctrl+C requests.
class CommandContext
{
public:
    CommandContext(const Arguments& arguments, std::stop_token stop);

    const Arguments& arguments() const { return m_arguments; }
    std::stop_token stop() const { return m_stop; }
    const Translate& translate() const { return m_translate; }
    const JsonWriter& json() const { return m_json; }
    Progress progress() const;

    // Results: stdout.
    void print(const QString& line) const;
    void print(const Json& document) const;
    // Messages on stderr: what is good to know, unless --quiet; warnings and errors always.
    void say(const QString& line) const;
    void warn(const QString& line) const;
    QString sentence(const Message& message, const Graph* graph) const;

    // Says the error (as a document with --json) and gives its exit status.
    ExitStatus fail(const Error& error, const Graph* graph = nullptr) const;
    // The same for wrong usage, in a sentence that is already translated.
    ExitStatus misused(const QString& text) const;

    Result<std::shared_ptr<Session>> open(int operand) const;
    // Opens the first operand and runs its plan to the end. Names that the model does not have are
    // errors.
    struct Optimized
    {
        std::shared_ptr<Session> session;
        TimelinePtr timeline;
        double optimizeMs = 0;
    };
    Result<Optimized> optimize() const;
    // 1 when --fail-on-blocked was given and something is blocked.
    ExitStatus blockedStatus(const Timeline& timeline) const;

private:
    const Arguments& m_arguments;
    std::stop_token m_stop;
    Translate m_translate;
    JsonWriter m_json;
};

// Runs a command of the table; `args` are those after its name.
ExitStatus runCommand(const Command& command, const QStringList& args, std::stop_token stop);

// Usage of the whole program.
QString usageText();

// Wrong usage before there is a command: the sentence, as a document too if the arguments ask for it.
ExitStatus refuse(const QString& text, const QStringList& args);

namespace command {
ExitStatus optimize(const CommandContext& context);
ExitStatus explain(const CommandContext& context);
ExitStatus compare(const CommandContext& context);
ExitStatus diff(const CommandContext& context);
ExitStatus run(const CommandContext& context);
ExitStatus bench(const CommandContext& context);
ExitStatus info(const CommandContext& context);
ExitStatus layout(const CommandContext& context);
ExitStatus render(const CommandContext& context);
ExitStatus report(const CommandContext& context);
ExitStatus conformance(const CommandContext& context);
} // namespace command

} // namespace fusescope

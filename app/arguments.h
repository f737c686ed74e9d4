#pragma once

#include "session/session.h"

#include <QCommandLineParser>
#include <QCoreApplication>
#include <QStringList>

#include <optional>

namespace fusescope {

// One row of the table of commands.
struct Command
{
    const char* name;
    const char* operands;    // "MODEL", "MODEL [OTHER]", …
    const char* description; // translated when it is shown
    int minOperands;
    int maxOperands;          // −1: any number
    QStringList groups;       // of options that it takes
};

const std::vector<Command>& commands();
const Command* findCommand(const QString& name);

// The parsed command line of one command.
class Arguments
{
    Q_DECLARE_TR_FUNCTIONS(Arguments)

public:
    enum class Progress { automatic, always, never };

    // Nothing when it is wrong: the reason is in error().
    static std::optional<Arguments> parse(const Command& command, const QStringList& args,
                                          QString* error);

    const Command& command() const { return *m_command; }
    QString operand(int i) const { return m_operands.value(i); }
    const QStringList& operands() const { return m_operands; }
    bool has(const QString& option) const { return m_parser->isSet(option); }
    QString value(const QString& option) const { return m_parser->value(option); }
    QStringList values(const QString& option) const;
    bool json() const { return has(QStringLiteral("json")); }
    bool quiet() const { return has(QStringLiteral("quiet")); }
    Progress progress() const;
    QString helpText() const;

    // A whole number of an option, or `fallback` when it is not given; range errors come from parse.
    int number(const QString& option, int fallback) const;
    std::optional<double> real(const QString& option) const;

    // The inputs of a run. An error names the option.
    Result<InputSpec> inputs() const;
    // Passes, skips, limits and policy; fixes and pins need the model's names.
    Result<Plan> plan(const Session* session) const;

private:
    const Command* m_command = nullptr;
    std::shared_ptr<QCommandLineParser> m_parser;
    QStringList m_operands;
};

// An error of wrong usage with a sentence that is already translated.
tl::unexpected<Error> usageError(const QString& text);

} // namespace fusescope

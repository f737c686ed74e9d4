#pragma once

#include "app/options.h"
#include "session/session.h"

#include <QCommandLineParser>
#include <QCoreApplication>
#include <QStringList>

#include <optional>

namespace fusescope {

// The parsed command line of one command.
class Arguments
{
    Q_DECLARE_TR_FUNCTIONS(Arguments)

public:
    enum class Progress { automatic, always, never };

    // Nothing when it is wrong: `error` then says why.
    static std::optional<Arguments> parse(const Command& command, const QStringList& args,
                                          QString* error);

    const Command& command() const { return *m_command; }
    std::string operand(int i) const; // the bytes of a file's name
    const QStringList& operands() const { return m_operands; }
    bool has(const QString& option) const;
    QString value(const QString& option) const { return m_parser->value(option); }
    QStringList values(const QString& option) const;
    std::string file(const QString& option) const; // its bytes; empty when it is not given
    // The first option of a group that is given; empty: none is.
    QString firstOf(const QString& group) const;
    bool json() const { return has(QStringLiteral("json")); }
    bool quiet() const { return has(QStringLiteral("quiet")); }
    Progress progress() const;
    // The command's help, the program's version or a list was asked for: nothing is done.
    bool informs() const;

    // A whole number of an option, or `fallback` when it is not given; parse has checked its range.
    int number(const QString& option, int fallback) const;
    std::optional<double> real(const QString& option) const;

    // The inputs of a run, as far as they can be read without the model.
    Result<InputSpec> inputs() const;
    // That the model has what the options name: inputs and sizes.
    Result<void> checkInputs(const Session& session) const;
    // Passes, skips, limits and policy, fixes and pins.
    Result<Plan> plan(const Session& session) const;
    // That the steps that --skip names were there to be skipped.
    Result<void> checkSkips(const Timeline& timeline) const;

private:
    QString wrongValue(const OptionRow& row, const QString& value) const;

    const Command* m_command = nullptr;
    std::shared_ptr<QCommandLineParser> m_parser;
    QStringList m_known; // options of the command
    QStringList m_operands;
};

// An error of wrong usage with a sentence that is already translated.
tl::unexpected<Error> usageError(const QString& text);

} // namespace fusescope

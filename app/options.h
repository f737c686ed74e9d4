#pragma once

#include <QStringList>

#include <cstdint>
#include <limits>
#include <vector>

namespace fusescope {

// One row of the table of commands.
struct Command
{
    const char* name;
    const char* operands;    // "MODEL", "MODEL [OTHER]", …
    const char* example;     // arguments after the program's name
    const char* description; // translated when it is shown
    int minOperands;
    int maxOperands;    // −1: any number
    QStringList groups; // of options that it takes
    bool draws = false; // measures text: needs more of Qt than the others
};

const std::vector<Command>& commands();
const Command* findCommand(const QString& name);
QStringList commandNames();

// What an option's value must be.
struct OptionValue
{
    enum class Kind { text, whole, real, choice };
    Kind kind = Kind::text;
    std::int64_t least = 0, most = std::numeric_limits<std::int64_t>::max(); // whole numbers
    QStringList choices;
};

struct OptionRow
{
    const char* group;
    QStringList names;
    const char* valueName;   // empty: a switch
    const char* description; // translated when it is shown
    OptionValue value = {};
    bool repeats = false; // may stand more than once
};

const std::vector<OptionRow>& optionRows();
bool takes(const Command& command, const OptionRow& option);

// Usage with operands, an example and the options that the command takes.
QString helpOf(const Command& command);

} // namespace fusescope

#include "support/sentences.h"

#include "report/texts.h"

#include <algorithm>

namespace fusescope::test {

namespace {

std::string unfilled(const char* text, const Message& message)
{
    const std::string pattern = text ? text : "";
    for (std::size_t open = pattern.find('{'); open != std::string::npos;
         open = pattern.find('{', open + 1)) {
        const std::string name = pattern.substr(open + 1, pattern.find('}', open) - open - 1);
        const bool given = std::any_of(message.args.begin(), message.args.end(),
                                       [&name](const auto& arg) { return arg.first == name; });
        if (!given)
            return "{" + name + "} of " + std::string(message.text.key) + " has no argument";
    }
    return {};
}

} // namespace

std::string sentenceProblem(const Message& message)
{
    if (!message)
        return {};
    const TextRow* row = findText(message.text.key);
    if (!row)
        return std::string(message.text.key) + " has no text";
    const std::string one = unfilled(row->one, message);
    return one.empty() ? unfilled(row->other, message) : one;
}

std::string sentenceProblem(const Reason& reason)
{
    for (const Message* message : {&reason.headline, &reason.message, &reason.unblock}) {
        if (std::string problem = sentenceProblem(*message); !problem.empty())
            return problem;
    }
    if (!reason.headline || !reason.message)
        return std::string(idOf(reason.code)) + " says nothing";
    return {};
}

std::string sentenceProblem(const std::vector<Reason>& reasons)
{
    for (const Reason& reason : reasons) {
        if (std::string problem = sentenceProblem(reason); !problem.empty())
            return problem;
    }
    return {};
}

std::string sentenceProblem(const ConditionRecord& condition)
{
    const std::string name = sentenceProblem(Message(condition.name));
    return name.empty() ? sentenceProblem(condition.saw) : name;
}

} // namespace fusescope::test

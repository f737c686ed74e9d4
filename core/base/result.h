#pragma once

#include "base/message.h"

#include <string>
#include <tl/expected.hpp>
#include <utility>

namespace fusescope {

// The command line's exit status follows from it (app/exit_status.h).
enum class ErrorCode {
    invalidArgument, // wrong usage, or an input that does not fit the model
    unreadable,      // a file cannot be read or is not what it should be
    invalidModel,    // the file was read, the model in it breaks a rule
    unsupported,     // an operator without a kernel, a form that cannot express the graph
    notWritten,      // the result could not be written
    cancelled,
    failed           // a kernel or a check failed while running
};

// An error names the file, the node and the cause; file and node may be empty.
struct Error
{
    ErrorCode code = ErrorCode::failed;
    Message message;
    std::string file;
    NodeId node;
};

template <class T>
using Result = tl::expected<T, Error>;

inline tl::unexpected<Error> fail(ErrorCode code, Message message, NodeId node = {},
                                  std::string file = {})
{
    return tl::unexpected<Error>(Error{code, std::move(message), std::move(file), node});
}

inline tl::unexpected<Error> cancelled()
{
    return fail(ErrorCode::cancelled, Message("base.cancelled"));
}

} // namespace fusescope

#define FUSESCOPE_CONCAT_(a, b) a##b
#define FUSESCOPE_CONCAT(a, b) FUSESCOPE_CONCAT_(a, b)

// Returns the error of a Result<void> from the enclosing function.
#define FUSESCOPE_TRY(expression)                                                                  \
    do {                                                                                           \
        if (auto tried_ = (expression); !tried_)                                                   \
            return tl::unexpected(std::move(tried_).error());                                      \
    } while (false)

// Declares `declaration` with the value of a Result, or returns its error.
#define FUSESCOPE_ASSIGN(declaration, expression)                                                  \
    FUSESCOPE_ASSIGN_(FUSESCOPE_CONCAT(assigned_, __LINE__), declaration, expression)
#define FUSESCOPE_ASSIGN_(name, declaration, expression)                                           \
    auto name = (expression);                                                                      \
    if (!name)                                                                                     \
        return tl::unexpected(std::move(name).error());                                            \
    declaration = std::move(*name)

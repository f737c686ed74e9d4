#pragma once

#include "io/document.h"
#include "model/graph_text.h"
#include "session/session.h"

#include <string>
#include <string_view>

namespace fusescope::test {

// The bytes of a file that holds this graph.
inline std::string bytesOf(const Graph& graph)
{
    // A model that holds nothing but an empty graph; to it every record is new.
    const auto document = Document::parse(std::string("\x3a\x00", 2), "empty");
    const auto bytes =
        document ? (*document)->serialize(graph) : Result<std::string>(std::string());
    if (!bytes || bytes->empty())
        qFatal("a test's model could not be written");
    return *bytes;
}

// The same of a model written as text (model/graph_text.h).
inline std::string bytesOf(std::string_view text)
{
    const auto graph = parseGraph(text);
    if (!graph)
        qFatal("a test's model is wrong");
    return bytesOf(*graph);
}

// An open model whose passes run when finish() is called.
inline std::shared_ptr<Session> sessionOf(std::string bytes)
{
    SessionOptions options;
    options.runInBackground = false;
    auto session = Session::openBytes(std::move(bytes), "test", options);
    if (!session)
        qFatal("a test's model could not be opened");
    return *session;
}

} // namespace fusescope::test

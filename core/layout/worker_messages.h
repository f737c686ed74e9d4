#pragma once

#include "layout/worker_pool.h"

namespace fusescope::layout {

std::string encodeRequest(const DrawRequest& request);

// Never raises SIGPIPE. False when the other end is gone, or at the limits.
bool sendAll(int socket, const std::string& bytes, const Limits& limits);

// Reads and checks one answer: false unless it is a whole drawing of the piece.
bool receiveAnswer(int socket, const Piece& piece, const Limits& limits, Drawing& drawing);

} // namespace fusescope::layout

// WatchFrame: one event of a watch as the client's encoding has it: a line of JSON, or in protobuf a
// message behind its length.
//
// Pure, thread-safe. What is sent in the stored version shares the stored bytes, or those of the form
// that is kept.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "apiserver/ask.h"

namespace quadra::apiserver {

// Pieces to be written one behind the other.
using Frame = std::vector<net::Bytes>;

// `first`: of this watch; a table names its columns then.
Frame FrameOf(std::string_view type, const store::RecordPtr& record, const Ask& ask, bool first);
// Of an object that is not stored: a bookmark, a Status.
Frame FrameOf(std::string_view type, std::string json, const Ask& ask);

// Of the answer that carries them.
std::string ContentTypeOf(const Ask& ask);

}  // namespace quadra::apiserver

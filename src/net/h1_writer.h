// HTTP/1.1 as it is written. All functions append to `out`.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "net/h1_body.h"
#include "net/message.h"

namespace quadra::net {

struct H1Answer {
  int status = 200;
  H1Framing framing = H1Framing::kLength;
  std::size_t length = 0;  // for kLength
  bool http10 = false;
  bool closes = false;
};
void AppendAnswerHead(std::string& out, const H1Answer& answer, const Headers& headers);

// Without the body. `authority` is the host where the headers name none.
void AppendRequestHead(std::string& out, const Request& request, std::string_view authority);

// What stands before and after the bytes of a chunk.
void AppendChunkHead(std::string& out, std::size_t bytes);
inline constexpr std::string_view kChunkTail = "\r\n";
inline constexpr std::string_view kLastChunk = "0\r\n\r\n";

// A whole answer that ends the connection, in the words of Go's server.
std::string FinalAnswer(int status, std::string_view detail = {});

}  // namespace quadra::net

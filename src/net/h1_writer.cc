#include "net/h1_writer.h"

#include <algorithm>
#include <array>
#include <iterator>

#include <fmt/format.h>

namespace quadra::net {
namespace {

// Ours to say.
constexpr std::array<std::string_view, 3> kFramingHeaders = {"connection", "content-length",
                                                             "transfer-encoding"};

void AppendHeaders(std::string& out, const Headers& headers) {
  for (const Header& header : headers) {
    if (std::ranges::find(kFramingHeaders, header.name) == kFramingHeaders.end()) {
      out.append(header.name).append(": ").append(header.value).append("\r\n");
    }
  }
}

}  // namespace

void AppendAnswerHead(std::string& out, const H1Answer& answer, const Headers& headers) {
  fmt::format_to(std::back_inserter(out), "HTTP/1.{} {} {}\r\n", answer.http10 ? 0 : 1,
                 answer.status, ReasonPhrase(answer.status));
  AppendHeaders(out, headers);
  if (answer.framing == H1Framing::kLength) {
    fmt::format_to(std::back_inserter(out), "content-length: {}\r\n", answer.length);
  } else if (answer.framing == H1Framing::kChunked) {
    out += "transfer-encoding: chunked\r\n";
  }
  out += answer.closes ? "connection: close\r\n\r\n" : "\r\n";
}

void AppendRequestHead(std::string& out, const Request& request, std::string_view authority) {
  fmt::format_to(std::back_inserter(out), "{} {} HTTP/1.1\r\n", request.method, request.target);
  if (!request.headers.Find("host")) {
    fmt::format_to(std::back_inserter(out), "host: {}\r\n", authority);
  }
  AppendHeaders(out, request.headers);
  const bool sends = request.method != "GET" && request.method != "HEAD";
  if (sends || !request.body.empty()) {
    fmt::format_to(std::back_inserter(out), "content-length: {}\r\n", request.body.size());
  }
  out += "\r\n";
}

void AppendChunkHead(std::string& out, std::size_t bytes) {
  fmt::format_to(std::back_inserter(out), "{:x}\r\n", bytes);
}

std::string FinalAnswer(int status, std::string_view detail) {
  const std::string line =
      fmt::format("{} {}{}{}", status, ReasonPhrase(status), detail.empty() ? "" : ": ", detail);
  return fmt::format(
      "HTTP/1.1 {} {}\r\ncontent-type: text/plain; charset=utf-8\r\nconnection: close\r\n\r\n{}",
      status, ReasonPhrase(status), line);
}

}  // namespace quadra::net

#include "net/message.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

namespace quadra::net {
namespace {

constexpr auto kReasonPhrases = std::to_array<std::pair<int, std::string_view>>({
    {100, "Continue"},
    {101, "Switching Protocols"},
    {200, "OK"},
    {201, "Created"},
    {202, "Accepted"},
    {204, "No Content"},
    {206, "Partial Content"},
    {301, "Moved Permanently"},
    {302, "Found"},
    {303, "See Other"},
    {304, "Not Modified"},
    {307, "Temporary Redirect"},
    {308, "Permanent Redirect"},
    {400, "Bad Request"},
    {401, "Unauthorized"},
    {403, "Forbidden"},
    {404, "Not Found"},
    {405, "Method Not Allowed"},
    {406, "Not Acceptable"},
    {408, "Request Timeout"},
    {409, "Conflict"},
    {410, "Gone"},
    {411, "Length Required"},
    {412, "Precondition Failed"},
    {413, "Request Entity Too Large"},
    {414, "Request URI Too Long"},
    {415, "Unsupported Media Type"},
    {417, "Expectation Failed"},
    {422, "Unprocessable Entity"},
    {429, "Too Many Requests"},
    {431, "Request Header Fields Too Large"},
    {500, "Internal Server Error"},
    {501, "Not Implemented"},
    {502, "Bad Gateway"},
    {503, "Service Unavailable"},
    {504, "Gateway Timeout"},
    {505, "HTTP Version Not Supported"},
});

char Lowered(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool EndsLine(char c) { return c == '\r' || c == '\n' || c == '\0'; }

}  // namespace

Bytes Share(std::string text) { return std::make_shared<const std::string>(std::move(text)); }

Piece Whole(Bytes bytes) {
  const std::string_view all = bytes ? std::string_view(*bytes) : std::string_view();
  return {.bytes = all, .holder = std::move(bytes)};
}

Headers::Headers(std::initializer_list<Header> headers) {
  for (const Header& header : headers) {
    Add(header.name, header.value);
  }
}

void Headers::Add(std::string name, std::string value) {
  std::ranges::transform(name, name.begin(), Lowered);
  std::ranges::replace_if(value, EndsLine, ' ');
  headers_.push_back({std::move(name), std::move(value)});
}

std::optional<std::string_view> Headers::Find(std::string_view name) const {
  const auto found = std::ranges::find(headers_, name, &Header::name);
  return found == headers_.end() ? std::nullopt : std::optional<std::string_view>(found->value);
}

Response PlainText(int status, std::string_view text) {
  return {.status = status,
          .headers = {{"content-type", "text/plain; charset=utf-8"}},
          .body = Share(fmt::format("{}\n", text))};
}

Response TooManyRequests() {
  Response response = PlainText(429, "Too many requests, please try again later.");
  response.headers.Add("retry-after", "1");
  return response;
}

std::string ReasonPhrase(int status) {
  const auto* const found =
      std::ranges::find(kReasonPhrases, status, &std::pair<int, std::string_view>::first);
  return found == kReasonPhrases.end() ? fmt::format("status {}", status)
                                       : std::string(found->second);
}

bool HasBody(std::string_view method, int status) {
  return method != "HEAD" && status >= 200 && status != 204 && status != 304;
}

}  // namespace quadra::net

#include "client/answer.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include <fmt/format.h>

#include "base/go_text.h"
#include "json/value.h"

namespace quadra::client {
namespace {

struct CodeRow {
  int code;
  std::string_view reason;  // what servers mean by it where they do not say
  std::string_view remedy;
};

constexpr std::array kCodes = {
    CodeRow{0, "", "check the address and that the server runs"},
    CodeRow{400, "BadRequest", ""},
    CodeRow{401, refused::kUnauthorized, "log in again, or name other credentials"},
    CodeRow{403, refused::kForbidden, "ask for a role that allows this"},
    CodeRow{404, refused::kNotFound, ""},
    CodeRow{409, refused::kConflict, "read the object again and repeat the change"},
    CodeRow{410, refused::kGone, "list again"},
    CodeRow{429, refused::kTooManyRequests, "try again later"},
};

const CodeRow& RowOf(int code) {
  static constexpr CodeRow kOther{-1, "", ""};
  for (const CodeRow& row : kCodes) {
    if (row.code == code) {
      return row;
    }
  }
  return kOther;
}

std::optional<int> NumberOf(const json::Value& value) {
  int number = 0;
  if (value.kind() != json::Kind::kNumber) {
    return std::nullopt;
  }
  const std::string& text = value.number();
  const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
  return read.ec == std::errc() ? std::optional(number) : std::nullopt;
}

// The first line of a body that is no Status, e.g. a proxy's page.
std::string PlainMessage(int code, std::string_view body) {
  constexpr std::size_t kMost = 200;
  const std::string_view line = body.substr(0, std::min(body.find_first_of("\r\n"), kMost));
  return line.empty() ? fmt::format("the server answered with status {}", code)
                      : fmt::format("the server answered with status {}: {}", code, GoQuote(line));
}

Failure FromStatus(int code, const json::Value& status) {
  Failure failure{.code = code != 0 ? code : NumberOf(status.Get("code")).value_or(500),
                  .reason = status.Get("reason").text(),
                  .message = status.Get("message").text()};
  if (const auto wait = NumberOf(status.Get("details").Get("retryAfterSeconds")).value_or(0);
      wait > 0) {
    failure.retry_after = std::chrono::seconds(wait);
  }
  return failure;
}

ErrorKind KindOf(const Failure& failure) {
  if (failure.Is(refused::kNotFound)) {
    return ErrorKind::kNotFound;
  }
  return failure.Is(refused::kInvalid) ? ErrorKind::kInvalid : ErrorKind::kUnreadable;
}

}  // namespace

Failure ReadFailure(int code, std::string_view body) {
  const Result<json::Value> read = json::ParseValue(body);
  Failure failure = read && read->Get("kind").text() == "Status"
                        ? FromStatus(code, *read)
                        : Failure{.code = code, .message = PlainMessage(code, body)};
  if (failure.reason.empty()) {
    failure.reason = RowOf(failure.code).reason;
  }
  return failure;
}

Error Failure::ToError() const {
  return {.kind = KindOf(*this), .message = message, .remedy = std::string(RowOf(code).remedy)};
}

}  // namespace quadra::client

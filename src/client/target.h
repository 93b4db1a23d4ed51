// Targets: paths and queries of requests, escaped. Private to src/client.
//
//   Target("/api/v1/pods").With("limit", "500").WithIf("labelSelector", selector).text()
#pragma once

#include <string>
#include <string_view>

namespace quadra::client {

// What may stand between two slashes of a path, or as a value of a query; all but letters, digits
// and -._~ is written as %XX.
std::string EscapeSegment(std::string_view text);

class Target {
 public:
  explicit Target(std::string path) : text_(std::move(path)) {}

  Target& With(std::string_view key, std::string_view value);
  // Nothing where the value is empty.
  Target& WithIf(std::string_view key, std::string_view value);
  std::string text() && { return std::move(text_); }
  std::string text() const& { return text_; }

 private:
  std::string text_;
  char next_ = '?';
};

}  // namespace quadra::client

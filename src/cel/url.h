// Url: parsed, printed and taken apart as Go's net/url does.
//
// Plain value. Errors carry upstream's words: `parse "x": invalid URI for request`.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"

namespace quadra::cel {

struct Url {
  std::string scheme;
  std::string opaque;
  std::string user;  // escaped, with password
  bool has_user = false;
  std::string host;
  std::string path;
  std::string raw_path;  // empty where escaping the path gives the original
  bool omit_host = false;
  bool force_query = false;
  std::string raw_query;
  std::string fragment;
  std::string raw_fragment;

  // The host without port and brackets; the port without colon.
  std::string_view Hostname() const;
  std::string_view Port() const;
  std::string EscapedPath() const;
  std::string ToString() const;
  // Key and value in the order of the text, unescaped; malformed pairs are left out.
  std::vector<std::pair<std::string, std::string>> Query() const;
};

// url.ParseRequestURI: absolute, or a path that starts with a slash.
Result<Url> ParseRequestUri(std::string_view text);
// url.Parse: also relative, and with a fragment.
Result<Url> ParseUrl(std::string_view text);

}  // namespace quadra::cel

#include "apiserver/address.h"

#include <algorithm>
#include <charconv>

#include "api/vocabulary.h"

namespace quadra::apiserver {
namespace {

using PathParts = std::vector<std::string>;

PathParts PartsOf(std::string_view path) {
  PathParts parts;
  for (const std::string_view part : api::Split(path, '/')) {
    parts.emplace_back(part);
  }
  while (!parts.empty() && parts.back().empty()) {
    parts.pop_back();
  }
  return parts;
}

// `parts` from `at` on, joined again.
std::string Rest(const PathParts& parts, std::size_t at) {
  std::string rest;
  for (std::size_t i = at; i < parts.size(); ++i) {
    rest += (i == at ? "" : "/") + parts[i];
  }
  return rest;
}

// The namespace itself is a resource too: /namespaces/team is its address, and so are its
// subresources.
bool IsSubresourceOfNamespace(const std::string& part) {
  return part == "status" || part == "finalize";
}

// What follows the version, from `at` on.
void TakeResource(const PathParts& parts, std::size_t at, ResourcePath& resource) {
  const bool scoped = parts[at] == "namespaces" && at + 2 < parts.size() &&
                      !(resource.group.empty() && IsSubresourceOfNamespace(parts[at + 2]));
  if (scoped) {
    resource.ns = parts[at + 1];
    at += 2;
  } else if (parts[at] == "namespaces" && at + 1 < parts.size()) {
    resource.ns = parts[at + 1];
  }
  resource.plural = parts[at];
  if (at + 1 < parts.size()) {
    resource.name = parts[at + 1];
  }
  resource.subresource = Rest(parts, at + 2);
}

std::optional<ResourcePath> ResourcePathOf(const PathParts& parts) {
  ResourcePath resource;
  std::size_t at = 0;  // of the version
  if (!parts.empty() && parts[0] == "api") {
    at = 1;
  } else if (parts.size() > 1 && parts[0] == "apis") {
    resource.group = parts[1];
    at = 2;
  }
  if (at == 0 || at + 1 >= parts.size()) {
    return std::nullopt;
  }
  resource.version = parts[at];
  resource.is_watch = parts[at + 1] == "watch" && at + 2 < parts.size();
  TakeResource(parts, at + (resource.is_watch ? 2 : 1), resource);
  return resource;
}

}  // namespace

std::optional<std::string> Unescape(std::string_view text, bool in_query) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '+' && in_query) {
      plain += ' ';
    } else if (text[i] != '%') {
      plain += text[i];
    } else {
      unsigned int byte = 0;
      const std::string_view digits = text.substr(i + 1, 2);
      const auto [end, error] =
          std::from_chars(digits.data(), digits.data() + digits.size(), byte, 16);
      if (digits.size() != 2 || error != std::errc() || end != digits.data() + 2) {
        return std::nullopt;
      }
      plain += static_cast<char>(byte);
      i += 2;
    }
  }
  return plain;
}

Query Query::Parse(std::string_view text) {
  Query query;
  for (const std::string_view pair : api::Split(text, '&')) {
    const std::size_t equals = std::min(pair.find('='), pair.size());
    std::optional<std::string> name = Unescape(pair.substr(0, equals), true);
    std::optional<std::string> value =
        Unescape(pair.substr(std::min(equals + 1, pair.size())), true);
    const bool is_pair = !pair.empty() && pair.find(';') == std::string_view::npos;
    if (is_pair && name && value) {
      query.parameters_.emplace_back(*std::move(name), *std::move(value));
    }
  }
  return query;
}

std::string_view Query::Get(std::string_view name) const {
  const auto found =
      std::ranges::find(parameters_, name, &std::pair<std::string, std::string>::first);
  return found == parameters_.end() ? std::string_view() : found->second;
}

bool Query::Has(std::string_view name) const {
  return std::ranges::find(parameters_, name, &std::pair<std::string, std::string>::first) !=
         parameters_.end();
}

bool Query::IsTrue(std::string_view name) const {
  const std::string value = api::ToLower(Get(name));
  return Has(name) && value != "0" && value != "false";
}

std::vector<std::string_view> Query::All(std::string_view name) const {
  std::vector<std::string_view> values;
  for (const auto& [each, value] : parameters_) {
    if (each == name) {
      values.push_back(value);
    }
  }
  return values;
}

Address ParseAddress(std::string_view target) {
  const std::size_t mark = std::min(target.find('?'), target.size());
  Address address;
  address.path =
      Unescape(target.substr(0, mark), false).value_or(std::string(target.substr(0, mark)));
  std::string query(target.substr(std::min(mark + 1, target.size())));
  // Split after unescaping, as upstream does: %2F is a slash like others.
  const std::string_view path = address.path;
  address.resource = ResourcePathOf(PartsOf(path.substr(std::min<std::size_t>(1, path.size()))));
  query += address.resource && address.resource->is_watch ? "&watch=true" : "";
  address.query = Query::Parse(query);
  return address;
}

}  // namespace quadra::apiserver

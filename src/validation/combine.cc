// What clients see of hand-written and declarative errors, and in which order.
#include <algorithm>
#include <iterator>
#include <tuple>
#include <unordered_set>
#include <utility>

#include <fmt/format.h>

#include "validation/field_error.h"

namespace quadra::validation {
namespace {

std::string_view After(std::string_view text, std::string_view found) {
  return text.substr(static_cast<std::size_t>(found.data() - text.data()) + found.size());
}

// The index in `[12]rest`, brackets included, or nothing.
std::string_view LeadingIndex(std::string_view text) {
  const std::size_t close = text.find(']');
  return text.starts_with('[') && close != text.npos ? text.substr(0, close + 1)
                                                     : std::string_view();
}

constexpr std::string_view kDevices = "spec.devices";
constexpr std::string_view kRequests = "spec.devices.requests";
constexpr std::string_view kFlattened[] = {
    "deviceClassName", "selectors",   "allocationMode",   "count",
    "adminAccess",     "tolerations", "derivedAttributes"};

// v1beta1 spells spec.devices[i].x as spec.devices[i].basic.x.
std::string WithoutBasic(std::string_view field) {
  const std::string_view rest = field.substr(std::min(field.size(), kDevices.size()));
  const std::string_view index =
      field.starts_with(kDevices) ? LeadingIndex(rest) : std::string_view();
  if (index.empty() || !After(rest, index).starts_with(".basic.")) {
    return std::string(field);
  }
  return fmt::format("{}{}{}", kDevices, index,
                     After(rest, index).substr(std::string_view(".basic").size()));
}

// v1beta1 spells spec.devices.requests[i].exactly.x as spec.devices.requests[i].x, also below
// another spec.
std::string WithExactly(std::string_view field) {
  const std::size_t at = field.find(kRequests);
  if (at == field.npos) {
    return WithoutBasic(field);
  }
  const std::string_view head = field.substr(0, at + kRequests.size());
  const std::string_view index = LeadingIndex(field.substr(head.size()));
  const std::string_view rest = field.substr(head.size() + index.size());
  const bool flattened =
      !index.empty() && rest.starts_with('.') &&
      std::ranges::any_of(kFlattened, [&](auto name) { return rest.substr(1).starts_with(name); });
  return flattened ? fmt::format("{}{}.exactly{}", head, index, rest) : std::string(field);
}

// Whether a declarative error makes a covered hand-written one superfluous.
bool Supersedes(const FieldError& declarative, const FieldError& hand_written) {
  return hand_written.covered && declarative.beta && declarative.type == hand_written.type &&
         declarative.origin == hand_written.origin &&
         (declarative.type != ErrorType::kInvalid || !declarative.origin.empty()) &&
         (declarative.field == hand_written.field ||
          WithExactly(declarative.field) == hand_written.field);
}

// Where Go maps are in paths; # stands for digits.
constexpr std::string_view kMaps[] = {
    "metadata.labels",
    "metadata.annotations",
    "spec.devices[#].attributes",
    "spec.devices[#].capacity",
    "spec.devices[#].nodeAllocatableResources",
    "spec.devices[#].consumesCounters[#].counters",
    "spec.devices[#].basic.attributes",
    "spec.devices[#].basic.capacity",
    "spec.devices[#].basic.nodeAllocatableResources",
    "spec.devices[#].basic.consumesCounters[#].counters",
    "sharedCounters[#].counters",
    "resources.requests",
    "resources.limits",
};

// How much of `text` matches `pattern`, up to the end of a path segment; 0: it does not.
std::size_t MatchLength(std::string_view text, std::string_view pattern) {
  std::size_t at = 0;
  for (const char c : pattern) {
    const std::size_t start = at;
    if (c == '#') {
      at = std::min(text.find_first_not_of("0123456789", at), text.size());
    } else if (at < text.size() && text[at] == c) {
      ++at;
    }
    if (at == start) {
      return 0;
    }
  }
  return at == text.size() || text[at] == '.' || text[at] == '[' ? at : 0;
}

// The path of the map that an error at `field` is about; empty when there is none.
std::string_view MapOf(std::string_view field) {
  for (std::size_t start = 0; start < field.size(); ++start) {
    for (const std::string_view pattern : kMaps) {
      if (const std::size_t length = MatchLength(field.substr(start), pattern)) {
        return field.substr(0, start + length);
      }
    }
  }
  return {};
}

void Sort(std::span<FieldError> errors) {
  const auto key = [](const FieldError& e) {
    return std::tuple(std::string_view(e.field), ErrorTypeName(e.type),
                      std::string_view(e.message));
  };
  std::ranges::sort(errors, {}, key);
}

void SortMapNeighbours(std::vector<FieldError>& errors) {
  for (auto start = errors.begin(); start != errors.end();) {
    const std::string_view map = MapOf(start->field);
    const auto end = std::find_if(start + 1, errors.end(), [&](const FieldError& e) {
      return map.empty() || MapOf(e.field) != map;
    });
    Sort({start, end});
    start = end;
  }
}

}  // namespace

void ErrorList::SortSince(std::size_t start) { Sort(Since(start)); }

std::vector<FieldError> Combine(const ErrorList& hand_written, const ErrorList& declarative,
                                bool beta_enforced) {
  std::vector<FieldError> enforced = declarative.errors();
  std::erase_if(enforced, [&](const FieldError& e) { return e.beta && !beta_enforced; });

  std::vector<FieldError> shown;
  std::unordered_set<std::string> seen;
  for (const FieldError& error : hand_written.errors()) {
    const bool superseded =
        std::ranges::any_of(enforced, [&](const FieldError& e) { return Supersedes(e, error); });
    if (seen.insert(error.field + ": " + error.message).second && !superseded) {
      shown.push_back(error);
    }
  }
  shown.insert(shown.end(), std::make_move_iterator(enforced.begin()),
               std::make_move_iterator(enforced.end()));
  SortMapNeighbours(shown);
  return shown;
}

}  // namespace quadra::validation

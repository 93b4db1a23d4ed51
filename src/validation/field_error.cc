#include "validation/field_error.h"

#include <algorithm>
#include <iterator>
#include <tuple>
#include <unordered_set>
#include <utility>

#include <fmt/format.h>

#include "json/writer.h"
#include "validation/go_text.h"

namespace quadra::validation {
namespace {

struct TypeText {
  std::string_view name;
  std::string_view shown;  // how messages start
};

TypeText TextOf(ErrorType type) {
  switch (type) {
    case ErrorType::kRequired:
      return {"FieldValueRequired", "Required value"};
    case ErrorType::kInvalid:
      return {"FieldValueInvalid", "Invalid value"};
    case ErrorType::kDuplicate:
      return {"FieldValueDuplicate", "Duplicate value"};
    case ErrorType::kNotSupported:
      return {"FieldValueNotSupported", "Unsupported value"};
    case ErrorType::kForbidden:
      return {"FieldValueForbidden", "Forbidden"};
    case ErrorType::kNotFound:
      return {"FieldValueNotFound", "Not found"};
    case ErrorType::kTooLong:
      return {"FieldValueTooLong", "Too long"};
    case ErrorType::kTooShort:
      return {"FieldValueTooShort", "Too short"};
    case ErrorType::kTooMany:
      return {"FieldValueTooMany", "Too many"};
    case ErrorType::kTooFew:
      return {"FieldValueTooFew", "Too few"};
    case ErrorType::kTypeInvalid:
      return {"FieldValueTypeInvalid", "Invalid value"};
    case ErrorType::kInternalError:
      return {"InternalError", "Internal error"};
    case ErrorType::kConflict:
      return {"Conflict", ""};
    case ErrorType::kBadRequest:
      return {"BadRequest", ""};
  }
  return {};
}

// "at most 1 item", "at most 2 items".
std::string Counted(std::size_t count, std::string_view unit) {
  return fmt::format("{} {}{}", count, unit, count == 1 ? "" : "s");
}

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

}  // namespace

std::string_view ErrorTypeName(ErrorType type) { return TextOf(type).name; }

Value Quoted(std::string_view text) { return {GoQuote(text)}; }
Value Number(std::int64_t number) { return {fmt::to_string(number)}; }
Value Bool(bool value) { return {value ? "true" : "false"}; }
Value Json(std::string json) { return {std::move(json)}; }
Value Null() { return {"null"}; }
Value Named(std::string_view text) {
  std::string json;
  json::AppendQuoted(json, text);
  return {std::move(json)};
}

FieldError& ErrorList::Add(ErrorType type, const Path& path, std::string_view value,
                           std::string_view detail) {
  FieldError& error = errors_.emplace_back();
  error.type = type;
  error.field = path.ToString();
  error.message = TextOf(type).shown;
  for (const std::string_view part : {value, detail}) {
    if (!part.empty()) {
      error.message.append(": ").append(part);
    }
  }
  return error;
}

FieldError& ErrorList::Required(const Path& path, std::string_view detail) {
  return Add(ErrorType::kRequired, path, {}, detail);
}
FieldError& ErrorList::Invalid(const Path& path, const Value& value, std::string_view detail) {
  return Add(ErrorType::kInvalid, path, value.text, detail);
}
FieldError& ErrorList::Invalid(const Path& path, std::string_view value, std::string_view detail) {
  return Invalid(path, Quoted(value), detail);
}
FieldError& ErrorList::Duplicate(const Path& path, const Value& value) {
  return Add(ErrorType::kDuplicate, path, value.text, {});
}
FieldError& ErrorList::Duplicate(const Path& path, std::string_view value) {
  return Duplicate(path, Quoted(value));
}
FieldError& ErrorList::NotFound(const Path& path, const Value& value) {
  return Add(ErrorType::kNotFound, path, value.text, {});
}
FieldError& ErrorList::NotSupported(const Path& path, const Value& value,
                                    std::span<const std::string_view> supported) {
  std::string detail;
  for (const std::string_view each : supported) {
    detail += detail.empty() ? "supported values: " : ", ";
    detail += GoQuote(each);
  }
  return Add(ErrorType::kNotSupported, path, value.text, detail);
}
FieldError& ErrorList::Forbidden(const Path& path, std::string_view detail) {
  return Add(ErrorType::kForbidden, path, {}, detail);
}
FieldError& ErrorList::TooLong(const Path& path, std::size_t max_bytes) {
  return Add(ErrorType::kTooLong, path, {}, "may not be more than " + Counted(max_bytes, "byte"));
}
FieldError& ErrorList::TooLongCharacters(const Path& path, std::size_t max_characters) {
  return Add(ErrorType::kTooLong, path, {},
             "may not be more than " + Counted(max_characters, "character"));
}
FieldError& ErrorList::TooMany(const Path& path, std::size_t size, std::size_t max) {
  return Add(ErrorType::kTooMany, path, fmt::to_string(size),
             "must have at most " + Counted(max, "item"));
}
FieldError& ErrorList::InternalError(const Path& path, std::string_view detail) {
  return Add(ErrorType::kInternalError, path, {}, detail);
}
FieldError& ErrorList::Refuse(ErrorType reason, std::string message) {
  FieldError& error = errors_.emplace_back();
  error.type = reason;
  error.message = std::move(message);
  return error;
}

void ErrorList::CoverSince(std::size_t start) {
  for (FieldError& error : Since(start)) {
    error.Cover();
  }
}
void ErrorList::OriginSince(std::size_t start, std::string_view origin) {
  for (FieldError& error : Since(start)) {
    error.WithOrigin(origin);
  }
}
void ErrorList::BetaSince(std::size_t start) {
  for (FieldError& error : Since(start)) {
    error.beta = true;
  }
}
void ErrorList::SortSince(std::size_t start) {
  const auto key = [](const FieldError& e) {
    return std::tuple(std::string_view(e.field), ErrorTypeName(e.type),
                      std::string_view(e.message));
  };
  std::ranges::stable_sort(Since(start), {}, key);
}

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
  return shown;
}

}  // namespace quadra::validation

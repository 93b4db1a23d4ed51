#include "validation/field_error.h"

#include <utility>

#include <fmt/format.h>

#include "base/go_text.h"
#include "json/writer.h"

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
    case ErrorType::kUnknown:
      return {"", ""};
  }
  return {};
}

// "at most 1 item", "at most 2 items".
std::string Counted(std::size_t count, std::string_view unit) {
  return fmt::format("{} {}{}", count, unit, count == 1 ? "" : "s");
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

}  // namespace quadra::validation

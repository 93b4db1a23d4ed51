#include "api/decode_errors.h"

#include <algorithm>
#include <utility>

#include "base/go_text.h"
#include "fmt/format.h"

namespace quadra::api {
namespace {

constexpr std::size_t kMaxStrict = 100;  // upstream stops counting there

std::string_view Wanted(const Type& type) {
  switch (type.kind) {
    case TypeKind::kBool:
      return "a boolean";
    case TypeKind::kInt32:
      return "a 32-bit integer";
    case TypeKind::kInt64:
      return "a 64-bit integer";
    case TypeKind::kDouble:
      return "a number";
    case TypeKind::kIntOrString:
      return "an integer or a string";
    case TypeKind::kStruct:
    case TypeKind::kMap:
    case TypeKind::kSchemaOrArray:
    case TypeKind::kSchemaOrBool:
    case TypeKind::kSchemaOrStrings:
    case TypeKind::kRawExtension:
    case TypeKind::kFieldsV1:
    case TypeKind::kJson:
      return "an object";
    case TypeKind::kList:
      return "a list";
    case TypeKind::kString:
    case TypeKind::kBytes:
    case TypeKind::kQuantity:
    case TypeKind::kTime:
    case TypeKind::kMicroTime:
      return "a string";
  }
  return "something else";
}

// From the outside inwards.
std::vector<const PathStep*> StepsTo(const PathStep* last) {
  std::vector<const PathStep*> steps(last == nullptr ? 0 : last->depth);
  for (const PathStep* step = last; step != nullptr; step = step->before) {
    steps[step->depth - 1] = step;
  }
  return steps;
}

}  // namespace

std::string ExactPath(const PathStep* last) {
  std::string path;
  for (const PathStep* step : StepsTo(last)) {
    if (step->is_index) {
      path += fmt::format("[{}]", step->index);
      continue;
    }
    path += path.empty() ? "" : ".";
    path += step->field != nullptr ? step->field->json : step->key;
  }
  return path;
}

std::string MemberPath(const PathStep* last) {
  std::string path;
  for (const PathStep* step : StepsTo(last)) {
    if (step->field == nullptr) {
      continue;
    }
    path += path.empty() ? "" : ".";
    if (!step->field->embedded.empty()) {
      path += fmt::format("{}.", step->field->embedded);
    }
    path += step->field->json;
  }
  return path;
}

DecodeError DecodeErrors::TypeError(std::string_view found, const Type& wanted) const {
  const std::string exact = ExactPath(last_);
  return {.error_class = DecodeError::Class::kType,
          .path = MemberPath(last_),
          .exact = exact,
          .message = fmt::format("{}: must be {}, not {}", exact.empty() ? "the object" : exact,
                                 Wanted(wanted), found)};
}

void DecodeErrors::WrongType(std::string_view found, const Type& wanted) {
  if (!aborted() && !wrong_type_) {
    wrong_type_ = TypeError(found, wanted);
  }
}

void DecodeErrors::BadValueType(std::string_view found, const Type& wanted) {
  if (!aborted()) {
    bad_value_ = TypeError(found, wanted);
  }
}

void DecodeErrors::BadEncoding() {
  if (!aborted() && !wrong_type_) {
    wrong_type_ = {.error_class = DecodeError::Class::kValue,
                   .path = {},
                   .exact = ExactPath(last_),
                   .message = "not base64"};
  }
}

void DecodeErrors::BadValue(std::string why) {
  if (!aborted()) {
    bad_value_ = {.error_class = DecodeError::Class::kValue,
                  .path = {},
                  .exact = ExactPath(last_),
                  .message = std::move(why)};
  }
}

void DecodeErrors::EnterLenient() {
  outside_.push_back(std::move(wrong_type_));
  wrong_type_.reset();
}

void DecodeErrors::LeaveLenient() {
  if (wrong_type_ && !aborted()) {
    bad_value_ = wrong_type_;
  }
  wrong_type_ = std::move(outside_.back());
  outside_.pop_back();
}

void DecodeErrors::AddStrict(std::string_view problem, std::string_view key) {
  if (aborted() || !outside_.empty() || strict_.size() >= kMaxStrict) {
    return;
  }
  const Inside step(*this, key);
  std::string place = ExactPath(last_);
  std::string message = fmt::format("{} {}", problem, GoQuote(place));
  if (std::ranges::find(strict_, message, &DecodeError::message) == strict_.end()) {
    strict_.push_back({DecodeError::Class::kStrict, place, place, std::move(message)});
  }
}

void DecodeErrors::Unknown(std::string_view key) { AddStrict("unknown field", key); }
void DecodeErrors::Duplicate(std::string_view key) { AddStrict("duplicate field", key); }

std::optional<DecodeError> DecodeErrors::First() const {
  if (bad_value_) {
    return bad_value_;
  }
  if (wrong_type_) {
    return wrong_type_;
  }
  if (strict_.empty()) {
    return std::nullopt;
  }
  DecodeError all = strict_.front();
  for (std::size_t i = 1; i < strict_.size(); ++i) {
    all.message += ", " + strict_[i].message;
  }
  return all;
}

}  // namespace quadra::api

#include "allocator/constraint.h"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

namespace quadra::allocator {
namespace {

using Type = AttributeValues::Type;

template <typename T>
std::string TextOf(const T& value) {
  return fmt::format("{}", value);
}

template <typename T>
AttributeValues Listed(Type type, const api::List<T>& items) {
  AttributeValues values{.type = type, .values = {}, .is_list = true};
  for (const auto& item : items) {
    values.values.insert(TextOf(static_cast<const T&>(item)));
  }
  return values;
}

template <typename T>
AttributeValues Single(Type type, const T& value) {
  return {.type = type, .values = {TextOf(value)}};
}

std::set<std::string> Common(const AttributeValues& a, const AttributeValues& b) {
  std::set<std::string> common;
  if (a.type == b.type) {
    std::ranges::set_intersection(a.values, b.values, std::inserter(common, common.end()));
  }
  return common;
}

}  // namespace

AttributeValues ValuesOf(const api::DeviceAttribute& attribute) {
  if (!attribute.int_values.empty()) {
    return Listed(Type::kInt, attribute.int_values);
  }
  if (!attribute.bool_values.empty()) {
    AttributeValues values{.type = Type::kBool, .values = {}, .is_list = true};
    for (const bool item : attribute.bool_values) {
      values.values.insert(TextOf(item));
    }
    return values;
  }
  if (!attribute.string_values.empty()) {
    return Listed(Type::kText, attribute.string_values);
  }
  if (!attribute.version_values.empty()) {
    return Listed(Type::kVersion, attribute.version_values);
  }
  if (attribute.int_value) {
    return Single(Type::kInt, *attribute.int_value);
  }
  if (attribute.bool_value) {
    return Single(Type::kBool, *attribute.bool_value);
  }
  if (attribute.string_value) {
    return Single(Type::kText, *attribute.string_value);
  }
  if (attribute.version_value) {
    return Single(Type::kVersion, *attribute.version_value);
  }
  return {.is_list = true};
}

AttributeValues ValuesOf(const cel::Value& attribute) {
  switch (attribute.kind()) {
    case cel::Kind::kInt:
      return Single(Type::kInt, attribute.as_int());
    case cel::Kind::kBool:
      return Single(Type::kBool, attribute.as_bool());
    case cel::Kind::kString:
      return Single(Type::kText, attribute.as_text());
    case cel::Kind::kSemver:
      return Single(Type::kVersion, attribute.as_semver().ToString());
    case cel::Kind::kList: {
      AttributeValues values{.is_list = true};
      for (std::size_t i = 0; i < attribute.as_list().size(); ++i) {
        const AttributeValues item = ValuesOf(attribute.as_list().At(i));
        values.type = item.type;
        values.values.insert(*item.values.begin());
      }
      return values;
    }
    default:
      return {.is_list = true};
  }
}

bool Constraint::Admits(const AttributeValues* values) const {
  return values != nullptr && (lists_ ? AdmitsList(*values) : AdmitsScalar(*values));
}

bool Constraint::AdmitsList(const AttributeValues& values) const {
  if (values.type == Type::kNone) {
    return false;
  }
  if (rule_ == Rule::kMatch) {
    return common_.empty() || !Common(common_.back(), values).empty();
  }
  return std::ranges::all_of(
      members_, [&](const AttributeValues* member) { return Common(*member, values).empty(); });
}

// Without the gate a list compares with nothing: it can only be the first.
bool Constraint::AdmitsScalar(const AttributeValues& values) const {
  if (members_.empty()) {
    return true;
  }
  if (values.is_list) {
    return false;
  }
  if (rule_ == Rule::kMatch) {
    return *members_.front() == values;
  }
  return std::ranges::none_of(members_,
                              [&](const AttributeValues* member) { return *member == values; });
}

bool Constraint::Add(const AttributeValues* values) {
  if (!Admits(values)) {
    return false;
  }
  if (lists_ && rule_ == Rule::kMatch) {
    AttributeValues common = *values;
    if (!common_.empty()) {
      common.values = Common(common_.back(), *values);
    }
    common_.push_back(std::move(common));
  }
  members_.push_back(values);
  return true;
}

void Constraint::Remove() {
  members_.pop_back();
  if (!common_.empty()) {
    common_.pop_back();
  }
}

}  // namespace quadra::allocator

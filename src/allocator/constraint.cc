#include "allocator/constraint.h"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

namespace quadra::allocator {
namespace {

using Type = ValueNumbers::Type;

template <typename T>
std::string TextOf(const T& value) {
  return fmt::format("{}", value);
}

void SortIds(AttributeValues& values) {
  std::ranges::sort(values.ids);
  const auto repeated = std::ranges::unique(values.ids);
  values.ids.erase(repeated.begin(), repeated.end());
}

template <typename Items>
AttributeValues Listed(Type type, const Items& items, ValueNumbers& numbers) {
  AttributeValues values{.ids = {}, .is_list = true};
  for (const auto& item : items) {
    values.ids.push_back(numbers.Of(type, TextOf(item)));
  }
  SortIds(values);
  return values;
}

template <typename T>
AttributeValues Single(Type type, const T& value, ValueNumbers& numbers) {
  return {.ids = {numbers.Of(type, TextOf(value))}};
}

std::vector<ValueId> Common(const std::vector<ValueId>& a, const std::vector<ValueId>& b) {
  std::vector<ValueId> common;
  std::ranges::set_intersection(a, b, std::back_inserter(common));
  return common;
}

bool HaveCommon(const std::vector<ValueId>& a, const std::vector<ValueId>& b) {
  for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    if (a[i] == b[j]) {
      return true;
    }
    ++(a[i] < b[j] ? i : j);
  }
  return false;
}

}  // namespace

ValueId ValueNumbers::Of(Type type, std::string_view text) {
  std::string key(1, static_cast<char>('0' + static_cast<int>(type)));
  key.append(text);
  return ids_.try_emplace(std::move(key), static_cast<ValueId>(ids_.size())).first->second;
}

AttributeValues ValuesOf(const api::DeviceAttribute& attribute, ValueNumbers& numbers) {
  if (!attribute.int_values.empty()) {
    return Listed(Type::kInt, attribute.int_values, numbers);
  }
  if (!attribute.bool_values.empty()) {
    return Listed(Type::kBool, attribute.bool_values, numbers);
  }
  if (!attribute.string_values.empty()) {
    return Listed(Type::kText, attribute.string_values, numbers);
  }
  if (!attribute.version_values.empty()) {
    return Listed(Type::kVersion, attribute.version_values, numbers);
  }
  if (attribute.int_value) {
    return Single(Type::kInt, *attribute.int_value, numbers);
  }
  if (attribute.bool_value) {
    return Single(Type::kBool, *attribute.bool_value, numbers);
  }
  if (attribute.string_value) {
    return Single(Type::kText, *attribute.string_value, numbers);
  }
  if (attribute.version_value) {
    return Single(Type::kVersion, *attribute.version_value, numbers);
  }
  return {.ids = {}, .is_list = true};
}

AttributeValues ValuesOf(const cel::Value& attribute, ValueNumbers& numbers) {
  switch (attribute.kind()) {
    case cel::Kind::kInt:
      return Single(Type::kInt, attribute.as_int(), numbers);
    case cel::Kind::kBool:
      return Single(Type::kBool, attribute.as_bool(), numbers);
    case cel::Kind::kString:
      return Single(Type::kText, attribute.as_text(), numbers);
    case cel::Kind::kSemver:
      return Single(Type::kVersion, attribute.as_semver().ToString(), numbers);
    case cel::Kind::kList: {
      AttributeValues values{.ids = {}, .is_list = true};
      for (std::size_t i = 0; i < attribute.as_list().size(); ++i) {
        const AttributeValues item = ValuesOf(attribute.as_list().At(i), numbers);
        values.ids.insert(values.ids.end(), item.ids.begin(), item.ids.end());
      }
      SortIds(values);
      return values;
    }
    default:
      return {.ids = {}, .is_list = true};
  }
}

bool Constraint::Admits(const AttributeValues* values) const {
  return values != nullptr && (lists_ ? AdmitsList(*values) : AdmitsScalar(*values));
}

bool Constraint::AdmitsList(const AttributeValues& values) const {
  if (values.ids.empty()) {
    return false;
  }
  if (rule_ == Rule::kMatch) {
    return common_.empty() || HaveCommon(common_.back(), values.ids);
  }
  return std::ranges::all_of(members_, [&](const AttributeValues* member) {
    return !HaveCommon(member->ids, values.ids);
  });
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
    common_.push_back(common_.empty() ? values->ids : Common(common_.back(), values->ids));
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

#include "allocator/attribute_values.h"

#include <algorithm>
#include <utility>

#include "base/go_text.h"
#include "semver/semver.h"

namespace quadra::allocator {
namespace {

// Of a value that is no list; nothing for what no attribute can be.
void AddScalar(const cel::Value& value, ValueNumbers& numbers, std::vector<ValueId>& ids) {
  switch (value.kind()) {
    case cel::Kind::kInt:
      ids.push_back(numbers.OfInt(value.as_int()));
      break;
    case cel::Kind::kBool:
      ids.push_back(numbers.OfBool(value.as_bool()));
      break;
    case cel::Kind::kString:
      ids.push_back(numbers.OfText(value.as_text()));
      break;
    case cel::Kind::kSemver:
      ids.push_back(numbers.OfVersion(value.as_semver().ToString()));
      break;
    default:
      break;
  }
}

void MakeSet(std::vector<ValueId>& ids) {
  std::ranges::sort(ids);
  const auto repeated = std::ranges::unique(ids);
  ids.erase(repeated.begin(), repeated.end());
}

bool AddLists(const api::DeviceAttribute& attribute, ValueNumbers& numbers,
              std::vector<ValueId>& ids) {
  for (const std::int64_t value : attribute.int_values) {
    ids.push_back(numbers.OfInt(value));
  }
  for (const bool value : attribute.bool_values) {
    ids.push_back(numbers.OfBool(value));
  }
  for (const std::string& value : attribute.string_values) {
    ids.push_back(numbers.OfText(value));
  }
  for (const std::string& value : attribute.version_values) {
    ids.push_back(numbers.OfVersion(value));
  }
  return !ids.empty();
}

// Whether a string that stands in a list of values could be read as something else: a number, a
// truth, a version, or two values.
bool IsTakenForAnother(std::string_view text) {
  const bool digits = text.find_first_not_of("0123456789.-+") == std::string_view::npos;
  return digits || text == "true" || text == "false" || semver::Version::Parse(text).has_value() ||
         text.find_first_of(",; ()\"") != std::string_view::npos;
}

// Far fewer values on one side: look each of them up instead of walking both.
constexpr std::size_t kFarFewer = 8;

}  // namespace

std::string ValueNumbers::TextOf(ValueId id) const {
  if (const std::int64_t* number = ints_.ValueOf(id)) {
    return std::to_string(*number);
  }
  if (const std::int64_t* truth = bools_.ValueOf(id)) {
    return *truth != 0 ? "true" : "false";
  }
  if (const std::string* version = versions_.ValueOf(id)) {
    return *version;
  }
  const std::string* text = texts_.ValueOf(id);
  return text == nullptr ? "" : IsTakenForAnother(*text) ? GoQuote(*text) : *text;
}

void ValueNumbers::Clear() {
  ints_.Clear();
  bools_.Clear();
  texts_.Clear();
  versions_.Clear();
  next_ = 0;
}

void AttributeValues::Assign(const cel::Value& attribute, ValueNumbers& numbers) {
  ids.clear();
  is_list = attribute.kind() == cel::Kind::kList;
  if (!is_list) {
    AddScalar(attribute, numbers, ids);
    is_list = ids.empty();
    return;
  }
  for (std::size_t i = 0; i < attribute.as_list().size(); ++i) {
    AddScalar(attribute.as_list().At(i), numbers, ids);
  }
  MakeSet(ids);
}

// Of several fields, which only a wrong attribute has, the lists come first, then as below.
void AttributeValues::Assign(const api::DeviceAttribute& attribute, ValueNumbers& numbers) {
  ids.clear();
  is_list = AddLists(attribute, numbers, ids);
  if (is_list) {
    return MakeSet(ids);
  }
  if (attribute.int_value) {
    ids = {numbers.OfInt(*attribute.int_value)};
  } else if (attribute.bool_value) {
    ids = {numbers.OfBool(*attribute.bool_value)};
  } else if (attribute.string_value) {
    ids = {numbers.OfText(*attribute.string_value)};
  } else if (attribute.version_value) {
    ids = {numbers.OfVersion(*attribute.version_value)};
  } else {
    is_list = true;
  }
}

bool HaveCommon(const std::vector<ValueId>& a, const std::vector<ValueId>& b) {
  if (a.size() > b.size()) {
    return HaveCommon(b, a);
  }
  if (a.size() * kFarFewer < b.size()) {
    return std::ranges::any_of(a,
                               [&](ValueId value) { return std::ranges::binary_search(b, value); });
  }
  for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    if (a[i] == b[j]) {
      return true;
    }
    ++(a[i] < b[j] ? i : j);
  }
  return false;
}

}  // namespace quadra::allocator

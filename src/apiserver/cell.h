// Cells: what the columns of a table show of an object, and the reading that they share.
//
// Objects are JSON trees as the server stores them: decoded and encoded once, so that members have
// the types of the schema and what Go leaves out as empty is absent. Anything else reads as absent;
// no function here fails.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "api/object.h"
#include "base/clock.h"
#include "json/value.h"

namespace quadra::apiserver {

using Cell = std::variant<std::string, std::int64_t, bool>;

// What the cells of a row are made from.
struct RowSource {
  const json::Value& object;
  const api::KindSchema& kind;
  Time now;                             // ages are counted up to it
  std::string_view default_class = {};  // of a list of storage classes: the one that is the default
};

// A column that is more than one field, by its word (api::Column::path).
struct ComputedColumn {
  std::string_view word;
  Cell (*cell)(const RowSource& row);
  std::string_view description;
};

// The member at the end of a path such as "spec.template.spec"; a JSON null where there is none.
const json::Value& At(const json::Value& value, std::string_view path);
// The same as text, number, … ; empty, 0, false, where it is none.
std::string TextAt(const json::Value& value, std::string_view path);
std::int64_t IntAt(const json::Value& value, std::string_view path);
bool BoolAt(const json::Value& value, std::string_view path);
std::span<const json::Value> ItemsAt(const json::Value& value, std::string_view path);
std::span<const json::Value::Member> MembersAt(const json::Value& value, std::string_view path);
std::optional<Time> TimeAt(const json::Value& value, std::string_view path);
bool HasAt(const json::Value& value, std::string_view path);  // something other than null

// The texts of a list, or one member of each of its objects.
std::vector<std::string> TextsAt(const json::Value& value, std::string_view path);
std::vector<std::string> TextsAt(const json::Value& value, std::string_view path,
                                 std::string_view member);
std::string Joined(const std::vector<std::string>& texts, std::string_view separator = ",");
std::string OrElse(std::string text, std::string_view when_empty);

// Whether the condition of this type is True; the first of the type counts.
bool ConditionHolds(const json::Value& object, std::string_view type);

// How long something lasted, as kubectl shows it: 5s, 3m20s, 7d4h, 2y30d.
std::string HumanDuration(std::chrono::microseconds duration);
// Up to now; <unknown> where there is no time.
std::string AgeOf(std::optional<Time> time, Time now);

// Labels as key=value, sorted; <none> where there are none.
std::string LabelsText(const json::Value& labels);
// A label selector as -l takes it, sorted by key; nothing where it is not valid.
std::optional<std::string> SelectorText(const json::Value& selector);

}  // namespace quadra::apiserver

// The standard library: operators, conversions, accessors of time, strings.
#include <array>
#include <string>

#include <fmt/format.h>

#include "cel/declarations.h"

namespace quadra::cel {
namespace {

constexpr Declaration kStandard[] = {
    {"!_", "logical_not", kGlobal, "bool", "bool"},
    {"-_", "negate_double", kGlobal, "double", "double"},
    {"-_", "negate_int64", kGlobal, "int", "int"},
    {"@in", "in_list", kGlobal, "A, list(A)", "bool"},
    {"@in", "in_map", kGlobal, "A, map(A, B)", "bool"},
    {"@not_strictly_false", "not_strictly_false", kGlobal, "bool", "bool", true},
    {"_!=_", "not_equals", kGlobal, "A, A", "bool"},
    {"_%_", "modulo_int64", kGlobal, "int, int", "int"},
    {"_%_", "modulo_uint64", kGlobal, "uint, uint", "uint"},
    {"_&&_", "logical_and", kGlobal, "bool, bool", "bool", true},
    {"_*_", "multiply_double", kGlobal, "double, double", "double"},
    {"_*_", "multiply_int64", kGlobal, "int, int", "int"},
    {"_*_", "multiply_uint64", kGlobal, "uint, uint", "uint"},
    {"_+_", "add_bytes", kGlobal, "bytes, bytes", "bytes"},
    {"_+_", "add_double", kGlobal, "double, double", "double"},
    {"_+_", "add_duration_duration", kGlobal, "duration, duration", "duration"},
    {"_+_", "add_duration_timestamp", kGlobal, "duration, timestamp", "timestamp"},
    {"_+_", "add_timestamp_duration", kGlobal, "timestamp, duration", "timestamp"},
    {"_+_", "add_int64", kGlobal, "int, int", "int"},
    {"_+_", "add_list", kGlobal, "list(A), list(A)", "list(A)"},
    {"_+_", "add_string", kGlobal, "string, string", "string"},
    {"_+_", "add_uint64", kGlobal, "uint, uint", "uint"},
    {"_-_", "subtract_double", kGlobal, "double, double", "double"},
    {"_-_", "subtract_duration_duration", kGlobal, "duration, duration", "duration"},
    {"_-_", "subtract_int64", kGlobal, "int, int", "int"},
    {"_-_", "subtract_timestamp_duration", kGlobal, "timestamp, duration", "timestamp"},
    {"_-_", "subtract_timestamp_timestamp", kGlobal, "timestamp, timestamp", "duration"},
    {"_-_", "subtract_uint64", kGlobal, "uint, uint", "uint"},
    {"_/_", "divide_double", kGlobal, "double, double", "double"},
    {"_/_", "divide_int64", kGlobal, "int, int", "int"},
    {"_/_", "divide_uint64", kGlobal, "uint, uint", "uint"},
    {"_==_", "equals", kGlobal, "A, A", "bool"},
    {"_?_:_", "conditional", kGlobal, "bool, A, A", "A", true},
    {"_[_]", "index_list", kGlobal, "list(A), int", "A"},
    {"_[_]", "index_map", kGlobal, "map(A, B), A", "B"},
    {"_||_", "logical_or", kGlobal, "bool, bool", "bool", true},
    {"bool", "bool_to_bool", kGlobal, "bool", "bool"},
    {"bool", "string_to_bool", kGlobal, "string", "bool"},
    {"bytes", "bytes_to_bytes", kGlobal, "bytes", "bytes"},
    {"bytes", "string_to_bytes", kGlobal, "string", "bytes"},
    {"contains", "contains_string", kMember, "string, string", "bool"},
    {"double", "double_to_double", kGlobal, "double", "double"},
    {"double", "int64_to_double", kGlobal, "int", "double"},
    {"double", "string_to_double", kGlobal, "string", "double"},
    {"double", "uint64_to_double", kGlobal, "uint", "double"},
    {"duration", "duration_to_duration", kGlobal, "duration", "duration"},
    {"duration", "string_to_duration", kGlobal, "string", "duration"},
    {"dyn", "to_dyn", kGlobal, "A", "dyn"},
    {"endsWith", "ends_with_string", kMember, "string, string", "bool"},
    {"getDate", "timestamp_to_day_of_month_1_based", kMember, "timestamp", "int"},
    {"getDate", "timestamp_to_day_of_month_1_based_with_tz", kMember, "timestamp, string", "int"},
    {"getDayOfMonth", "timestamp_to_day_of_month", kMember, "timestamp", "int"},
    {"getDayOfMonth", "timestamp_to_day_of_month_with_tz", kMember, "timestamp, string", "int"},
    {"getDayOfWeek", "timestamp_to_day_of_week", kMember, "timestamp", "int"},
    {"getDayOfWeek", "timestamp_to_day_of_week_with_tz", kMember, "timestamp, string", "int"},
    {"getDayOfYear", "timestamp_to_day_of_year", kMember, "timestamp", "int"},
    {"getDayOfYear", "timestamp_to_day_of_year_with_tz", kMember, "timestamp, string", "int"},
    {"getFullYear", "timestamp_to_year", kMember, "timestamp", "int"},
    {"getFullYear", "timestamp_to_year_with_tz", kMember, "timestamp, string", "int"},
    {"getHours", "timestamp_to_hours", kMember, "timestamp", "int"},
    {"getHours", "timestamp_to_hours_with_tz", kMember, "timestamp, string", "int"},
    {"getHours", "duration_to_hours", kMember, "duration", "int"},
    {"getMilliseconds", "timestamp_to_milliseconds", kMember, "timestamp", "int"},
    {"getMilliseconds", "timestamp_to_milliseconds_with_tz", kMember, "timestamp, string", "int"},
    {"getMilliseconds", "duration_to_milliseconds", kMember, "duration", "int"},
    {"getMinutes", "timestamp_to_minutes", kMember, "timestamp", "int"},
    {"getMinutes", "timestamp_to_minutes_with_tz", kMember, "timestamp, string", "int"},
    {"getMinutes", "duration_to_minutes", kMember, "duration", "int"},
    {"getMonth", "timestamp_to_month", kMember, "timestamp", "int"},
    {"getMonth", "timestamp_to_month_with_tz", kMember, "timestamp, string", "int"},
    {"getSeconds", "timestamp_to_seconds", kMember, "timestamp", "int"},
    {"getSeconds", "timestamp_to_seconds_tz", kMember, "timestamp, string", "int"},
    {"getSeconds", "duration_to_seconds", kMember, "duration", "int"},
    {"int", "int64_to_int64", kGlobal, "int", "int"},
    {"int", "double_to_int64", kGlobal, "double", "int"},
    {"int", "duration_to_int64", kGlobal, "duration", "int"},
    {"int", "string_to_int64", kGlobal, "string", "int"},
    {"int", "timestamp_to_int64", kGlobal, "timestamp", "int"},
    {"int", "uint64_to_int64", kGlobal, "uint", "int"},
    {"matches", "matches", kGlobal, "string, string", "bool"},
    {"matches", "matches_string", kMember, "string, string", "bool"},
    {"size", "size_bytes", kGlobal, "bytes", "int"},
    {"size", "bytes_size", kMember, "bytes", "int"},
    {"size", "size_list", kGlobal, "list(A)", "int"},
    {"size", "list_size", kMember, "list(A)", "int"},
    {"size", "size_map", kGlobal, "map(A, B)", "int"},
    {"size", "map_size", kMember, "map(A, B)", "int"},
    {"size", "size_string", kGlobal, "string", "int"},
    {"size", "string_size", kMember, "string", "int"},
    {"startsWith", "starts_with_string", kMember, "string, string", "bool"},
    {"string", "string_to_string", kGlobal, "string", "string"},
    {"string", "bool_to_string", kGlobal, "bool", "string"},
    {"string", "bytes_to_string", kGlobal, "bytes", "string"},
    {"string", "double_to_string", kGlobal, "double", "string"},
    {"string", "duration_to_string", kGlobal, "duration", "string"},
    {"string", "int64_to_string", kGlobal, "int", "string"},
    {"string", "timestamp_to_string", kGlobal, "timestamp", "string"},
    {"string", "uint64_to_string", kGlobal, "uint", "string"},
    {"timestamp", "timestamp_to_timestamp", kGlobal, "timestamp", "timestamp"},
    {"timestamp", "int64_to_timestamp", kGlobal, "int", "timestamp"},
    {"timestamp", "string_to_timestamp", kGlobal, "string", "timestamp"},
    {"type", "type", kGlobal, "A", "type(A)"},
    {"uint", "uint64_to_uint64", kGlobal, "uint", "uint"},
    {"uint", "double_to_uint64", kGlobal, "double", "uint"},
    {"uint", "int64_to_uint64", kGlobal, "int", "uint"},
    {"uint", "string_to_uint64", kGlobal, "string", "uint"},
};

struct Comparison {
  std::string_view function;
  std::string_view id;
};
constexpr Comparison kComparisons[] = {
    {"_<_", "less"}, {"_<=_", "less_equals"}, {"_>_", "greater"}, {"_>=_", "greater_equals"}};

// What the operators of order compare; between numbers of different types too.
struct Operands {
  std::string_view id;
  std::string_view types;
};
constexpr Operands kOperands[] = {
    {"bool", "bool, bool"},
    {"int64", "int, int"},
    {"int64_double", "int, double"},
    {"int64_uint64", "int, uint"},
    {"uint64", "uint, uint"},
    {"uint64_double", "uint, double"},
    {"uint64_int64", "uint, int"},
    {"double", "double, double"},
    {"double_int64", "double, int"},
    {"double_uint64", "double, uint"},
    {"string", "string, string"},
    {"bytes", "bytes, bytes"},
    {"timestamp", "timestamp, timestamp"},
    {"duration", "duration, duration"},
};

// Type names that are values.
struct Named {
  std::string_view name;
  std::string_view type;
};
constexpr Named kTypeNames[] = {
    {"bool", "bool"},         {"bytes", "bytes"},
    {"double", "double"},     {"google.protobuf.Duration", "duration"},
    {"int", "int"},           {"list", "list(dyn)"},
    {"map", "map(dyn, dyn)"}, {"null_type", "null"},
    {"string", "string"},     {"google.protobuf.Timestamp", "timestamp"},
    {"type", "type"},         {"uint", "uint"},
};

}  // namespace

void DeclareStandard(Environment& environment) {
  Declare(environment, kStandard);
  for (const Comparison& comparison : kComparisons) {
    for (const Operands& operands : kOperands) {
      const std::string id = fmt::format("{}_{}", comparison.id, operands.id);
      Declare(environment, {comparison.function, id, kGlobal, operands.types, "bool"});
    }
  }
  for (const Named& named : kTypeNames) {
    environment.type_names.push_back(
        {std::string(named.name), ReadType(environment.types, named.type)});
  }
}

}  // namespace quadra::cel

// cel-go's extension libraries as DRA enables them: optionals, strings (version 2), sets, lists
// (version 3), comprehensions with two variables.
#include <string>

#include <fmt/format.h>

#include "cel/declarations.h"

namespace quadra::cel {
namespace {

constexpr Declaration kOptionals[] = {
    {"_?._", "select_optional_field", kGlobal, "dyn, string", "optional_type(V)"},
    {"_[?_]", "list_optindex_optional_int", kGlobal, "list(V), int", "optional_type(V)"},
    {"_[?_]", "optional_list_optindex_optional_int", kGlobal, "optional_type(list(V)), int",
     "optional_type(V)"},
    {"_[?_]", "map_optindex_optional_value", kGlobal, "map(K, V), K", "optional_type(V)"},
    {"_[?_]", "optional_map_optindex_optional_value", kGlobal, "optional_type(map(K, V)), K",
     "optional_type(V)"},
    {"_[_]", "optional_list_index_int", kGlobal, "optional_type(list(V)), int", "optional_type(V)"},
    {"_[_]", "optional_map_index_value", kGlobal, "optional_type(map(K, V)), K",
     "optional_type(V)"},
    {"first", "list_first", kMember, "list(V)", "optional_type(V)"},
    {"hasValue", "optional_hasValue", kMember, "optional_type(V)", "bool"},
    {"last", "list_last", kMember, "list(V)", "optional_type(V)"},
    {"optional.none", "optional_none", kGlobal, "", "optional_type(V)"},
    {"optional.of", "optional_of", kGlobal, "V", "optional_type(V)"},
    {"optional.ofNonZeroValue", "optional_ofNonZeroValue", kGlobal, "V", "optional_type(V)"},
    {"optional.unwrap", "optional_unwrap", kGlobal, "list(optional_type(V))", "list(V)"},
    {"or", "optional_or_optional", kMember, "optional_type(V), optional_type(V)",
     "optional_type(V)"},
    {"orValue", "optional_orValue_value", kMember, "optional_type(V), V", "V"},
    {"unwrapOpt", "optional_unwrapOpt", kMember, "list(optional_type(V))", "list(V)"},
    {"value", "optional_value", kMember, "optional_type(V)", "V"},
};

constexpr Declaration kStrings[] = {
    {"charAt", "string_char_at_int", kMember, "string, int", "string"},
    {"format", "string_format", kMember, "string, list(dyn)", "string"},
    {"indexOf", "string_index_of_string", kMember, "string, string", "int"},
    {"indexOf", "string_index_of_string_int", kMember, "string, string, int", "int"},
    {"join", "list_join", kMember, "list(string)", "string"},
    {"join", "list_join_string", kMember, "list(string), string", "string"},
    {"lastIndexOf", "string_last_index_of_string", kMember, "string, string", "int"},
    {"lastIndexOf", "string_last_index_of_string_int", kMember, "string, string, int", "int"},
    {"lowerAscii", "string_lower_ascii", kMember, "string", "string"},
    {"replace", "string_replace_string_string", kMember, "string, string, string", "string"},
    {"replace", "string_replace_string_string_int", kMember, "string, string, string, int",
     "string"},
    {"split", "string_split_string", kMember, "string, string", "list(string)"},
    {"split", "string_split_string_int", kMember, "string, string, int", "list(string)"},
    {"strings.quote", "strings_quote", kGlobal, "string", "string"},
    {"substring", "string_substring_int", kMember, "string, int", "string"},
    {"substring", "string_substring_int_int", kMember, "string, int, int", "string"},
    {"trim", "string_trim", kMember, "string", "string"},
    {"upperAscii", "string_upper_ascii", kMember, "string", "string"},
};

constexpr Declaration kSets[] = {
    {"sets.contains", "list_sets_contains_list", kGlobal, "list(T), list(T)", "bool"},
    {"sets.equivalent", "list_sets_equivalent_list", kGlobal, "list(T), list(T)", "bool"},
    {"sets.intersects", "list_sets_intersects_list", kGlobal, "list(T), list(T)", "bool"},
};

constexpr Declaration kLists[] = {
    {"distinct", "list_distinct", kMember, "list(T)", "list(T)"},
    {"flatten", "list_flatten", kMember, "list(list(T))", "list(T)"},
    {"flatten", "list_flatten_int", kMember, "list(dyn), int", "list(dyn)"},
    {"lists.range", "lists_range", kGlobal, "int", "list(int)"},
    {"reverse", "list_reverse", kMember, "list(T)", "list(T)"},
    {"slice", "list_slice", kMember, "list(T), int, int", "list(T)"},
};

constexpr Declaration kTwoVariables[] = {
    {"cel.@mapInsert", "@mapInsert_map_key_value", kGlobal, "map(K, V), K, V", "map(K, V)"},
    {"cel.@mapInsert", "@mapInsert_map_map", kGlobal, "map(K, V), map(K, V)", "map(K, V)"},
};

// Element types that lists sort by, with their names in ids.
struct Sortable {
  std::string_view id;
  std::string_view type;
};
constexpr Sortable kSortable[] = {
    {"int", "int"},
    {"uint", "uint"},
    {"double", "double"},
    {"bool", "bool"},
    {"google.protobuf.Duration", "duration"},
    {"google.protobuf.Timestamp", "timestamp"},
    {"string", "string"},
    {"bytes", "bytes"},
};

}  // namespace

void DeclareOptionals(Environment& environment) {
  Declare(environment, kOptionals);
  environment.type_names.push_back({"optional_type", environment.types.Optional(types::kDyn)});
}

void DeclareStrings(Environment& environment) { Declare(environment, kStrings); }

void DeclareSets(Environment& environment) { Declare(environment, kSets); }

void DeclareLists(Environment& environment) {
  Declare(environment, kLists);
  for (const Sortable& element : kSortable) {
    const std::string list = fmt::format("list({})", element.type);
    Declare(environment, {"sort", fmt::format("list_{}_sort", element.id), kMember, list, list});
    Declare(environment,
            {"@sortByAssociatedKeys", fmt::format("list_{}_sortByAssociatedKeys", element.id),
             kMember, fmt::format("list(T), {}", list), "list(T)"});
  }
}

void DeclareTwoVariableComprehensions(Environment& environment) {
  Declare(environment, kTwoVariables);
}

}  // namespace quadra::cel

// Columns: -o custom-columns= and --sort-by, which pick what they show of a document's items as
// kubectl's flags of these names do.
//
//   QUADRA_TRY(const CustomColumns columns, CustomColumns::Parse("NAME:.name,STATE:.state"));
//   QUADRA_TRY(const std::vector<std::string> cells, columns.Cells(item));
#pragma once

#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "cli/verb.h"
#include "json/documents.h"
#include "json/value.h"

namespace quadra::cli {

inline constexpr std::string_view kCustomColumns = "custom-columns=";
inline constexpr Flag kSortByFlag{
    .name = "sort-by",
    .value = "FIELD",
    .help =
        "Sort by a field of what -o json prints of each, e.g. .state. Numbers sort as numbers; "
        "what lacks the field comes first."};

class CustomColumns {
 public:
  // HEADING:FIELD,…; a field may be written as .a.b, a.b or {.a.b}.
  static Result<CustomColumns> Parse(std::string_view spec);

  std::vector<std::string> Headings() const;
  // One a heading; of several values of a field all, with commas between. Empty where the item lacks
  // the field.
  Result<std::vector<std::string>> Cells(const json::Value& item) const;

 private:
  struct Column {
    std::string heading;
    json::JsonPath path;
  };
  std::vector<Column> columns_;
};

// Prints the table of `items`, documents of JSON that we wrote ourselves.
Status PrintColumns(std::string_view spec, const std::vector<std::string>& items, bool headings,
                    std::ostream& out);

// The order in which to show `items`, documents of JSON that we wrote ourselves: by `field`, equals
// as they are.
// Fails where the field makes no sense, also without items.
Result<std::vector<std::size_t>> OrderBy(std::string_view field,
                                         const std::vector<std::string>& items);

}  // namespace quadra::cli

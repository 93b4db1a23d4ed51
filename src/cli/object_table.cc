#include "cli/object_table.h"

#include <algorithm>
#include <utility>

#include "api/object.h"
#include "apiserver/views.h"
#include "base/go_text.h"
#include "json/value.h"

namespace quadra::cli {
namespace {

using json::Value;

constexpr std::string_view kAge = "Age";

std::string TextOf(const Value& value) {
  switch (value.kind()) {
    case json::Kind::kString:
      return value.string();
    case json::Kind::kNumber:
      return value.number();
    case json::Kind::kBool:
      return value.boolean() ? "true" : "false";
    case json::Kind::kNull:
    case json::Kind::kArray:
    case json::Kind::kObject:
      return "";
  }
  return "";
}

std::string Upper(std::string text) {
  std::ranges::transform(text, text.begin(), [](char c) {
    return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  });
  return text;
}

// The object in the version that the columns are of. What cannot be read is left as it is.
std::string InVersionOf(const api::KindSchema& kind, const std::string& object) {
  const Result<api::Identity> identity = api::ReadIdentity(object);
  const std::string version = api::ApiVersionOf(kind);
  if (!identity || identity->api_version == version) {
    return object;
  }
  const api::Decoded<api::Object> read =
      api::DecodeJson(object, {.strictness = api::Strictness::kLenient});
  if (!read) {
    return object;
  }
  const Result<api::Object> converted = api::Convert(*read, version);
  return converted ? api::EncodeJson(*converted) : object;
}

struct ShownColumn {
  std::size_t index;
  bool is_age;
};

// The columns to show of a Table.
std::vector<ShownColumn> ChooseColumns(const Value& table, const RowOptions& options,
                                       ObjectRows& into) {
  std::vector<ShownColumn> shown;
  const Value::Array& columns = table.Get("columnDefinitions").items();
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const std::string name = TextOf(columns[i].Get("name"));
    if (options.wide || TextOf(columns[i].Get("priority")) == "0") {
      shown.push_back({i, name == kAge});
      into.headings.push_back(Upper(name));
    }
  }
  return shown;
}

std::string NamespaceOfObject(const std::string& object) {
  const Result<api::Identity> identity = api::ReadIdentity(object);
  return identity ? identity->ns : "";
}

std::vector<std::string> CellsOf(const Value& row, const std::vector<ShownColumn>& shown,
                                 const RowOptions& options) {
  std::vector<std::string> cells;
  const Value::Array& all = row.Get("cells").items();
  for (const ShownColumn& column : shown) {
    const bool is_known = !column.is_age || options.now;
    cells.push_back(is_known ? TextOf(all[column.index]) : "<unknown>");
  }
  return cells;
}

}  // namespace

Result<ObjectRows> RowsOf(const api::KindSchema& kind, std::span<const std::string> objects,
                          const RowOptions& options) {
  std::vector<std::string> converted;
  converted.reserve(objects.size());
  for (const std::string& object : objects) {
    converted.push_back(InVersionOf(kind, object));
  }
  const std::vector<std::string_view> views(converted.begin(), converted.end());
  QUADRA_TRY(const std::string text,
             apiserver::TableFormat(kind).List(views, {}, options.now.value_or(Time()),
                                               {.include = apiserver::IncludeObject::kNone}));
  QUADRA_TRY(const Value table, json::ParseValue(text));
  ObjectRows out;
  if (options.namespaces) {
    out.headings.emplace_back("NAMESPACE");
  }
  const std::vector<ShownColumn> shown = ChooseColumns(table, options, out);
  const Value::Array& rows = table.Get("rows").items();
  for (std::size_t i = 0; i < rows.size(); ++i) {
    std::vector<std::string> cells = CellsOf(rows[i], shown, options);
    if (options.namespaces) {
      cells.insert(cells.begin(), NamespaceOfObject(objects[i]));
    }
    out.rows.push_back(std::move(cells));
  }
  return out;
}

}  // namespace quadra::cli

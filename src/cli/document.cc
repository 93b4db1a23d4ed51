#include "cli/document.h"

#include <ostream>

#include "base/check.h"
#include "cli/columns.h"
#include "cli/line.h"
#include "json/documents.h"
#include "json/value.h"
#include "json/writer.h"

namespace quadra::cli {
namespace {

constexpr std::string_view kJsonPath = "jsonpath=";

json::Value Tree(std::string_view json) {
  Result<json::Value> tree = json::ParseValue(json);
  QUADRA_CHECK(tree.has_value(), "what is written is valid JSON");
  return *std::move(tree);
}

Result<json::JsonPath> ParseFormat(std::string_view format) {
  const std::string_view text = format.substr(kJsonPath.size());
  if (text.empty()) {
    return Fail(ErrorKind::kUsage, "template format specified but no template given");
  }
  return json::JsonPath::Parse(text);
}

Result<std::string> Rendered(std::string_view json, std::string_view format) {
  if (format == "json") {
    return std::string(json);
  }
  if (format == "yaml") {
    return AsYaml(json);
  }
  QUADRA_TRY(const json::JsonPath path, ParseFormat(format));
  return path.Print(Tree(json));
}

}  // namespace

std::string AsYaml(std::string_view json) { return json::ToYaml(Tree(json)); }

std::string DocumentOfObjects(const std::vector<std::string>& objects, bool as_list) {
  std::string text;
  json::Writer writer(text, kObjectIndent);
  if (objects.size() == 1 && !as_list) {
    writer.Raw(objects[0]);
    return text + "\n";
  }
  writer.BeginObject();
  writer.Key("apiVersion");
  writer.String("v1");
  writer.Key("items");
  writer.BeginArray();
  for (const std::string& object : objects) {
    writer.Raw(object);
  }
  writer.EndArray();
  writer.Key("kind");
  writer.String("List");
  writer.EndObject();
  return text + "\n";
}

bool IsDocumentFormat(std::string_view format) {
  return format == "json" || format == "yaml" || format.starts_with(kJsonPath);
}

Status CheckFormat(std::string_view format) {
  if (format.starts_with(kCustomColumns)) {
    QUADRA_RETURN_IF_ERROR(CustomColumns::Parse(format.substr(kCustomColumns.size())));
  }
  if (format.starts_with(kJsonPath)) {
    QUADRA_RETURN_IF_ERROR(ParseFormat(format));
  }
  return {};
}

ExitCode PrintedOr(const Status& printed, ExitCode code, Console& console) {
  if (!printed) {
    PrintLine(console.err, "error: " + printed.error().ToString());
    return ExitCode::kUsage;
  }
  return code;
}

ExitCode PrintDocument(std::string_view json, std::string_view format, ExitCode code,
                       Console& console) {
  const Result<std::string> text = Rendered(json, format);
  if (text) {
    console.out << *text;
  }
  return PrintedOr(text ? Status() : Status(Fail(text.error())), code, console);
}

}  // namespace quadra::cli

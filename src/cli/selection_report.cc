#include "cli/selection_report.h"

#include <algorithm>
#include <ostream>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ostream.h>

#include "cli/document.h"
#include "cli/table.h"
#include "json/writer.h"

namespace quadra::cli {
namespace {

using selector::Verdict;

std::string_view VerdictName(Verdict verdict) {
  switch (verdict) {
    case Verdict::kMatch:
      return "Match";
    case Verdict::kNo:
      return "No";
    case Verdict::kError:
      return "Error";
  }
  return "";
}

std::string CellOf(const cel::Value& value) {
  switch (value.kind()) {
    case cel::Kind::kBool:
      return value.as_bool() ? "true" : "false";
    case cel::Kind::kInt:
      return fmt::to_string(value.as_int());
    case cel::Kind::kString:
      return std::string(value.as_text());
    case cel::Kind::kSemver:
      return value.as_semver().ToString();
    case cel::Kind::kQuantity:
      return value.as_quantity().ToString();
    case cel::Kind::kList: {
      std::string cell;
      for (std::size_t i = 0; i < value.as_list().size(); ++i) {
        cell += (i == 0 ? "" : ",") + CellOf(value.as_list().At(i));
      }
      return cell;
    }
    default:
      return "";
  }
}

// The columns that the selectors read, each once.
std::vector<selector::ColumnId> ColumnsRead(const Selection& selection) {
  std::vector<selector::ColumnId> columns;
  for (const auto& expression : selection.expressions) {
    for (const selector::ColumnId column : expression->program().slots()) {
      const bool named = column > selector::Columns::kAllowMultipleAllocations;
      if (named && std::ranges::find(columns, column) == columns.end()) {
        columns.push_back(column);
      }
    }
  }
  return columns;
}

std::string Heading(const selector::ColumnName& name) {
  std::string heading = name.id;
  for (char& c : heading) {
    c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  }
  return heading;
}

void PrintTable(const Selection& selection, const DeviceDump& dump, bool wide, bool headings,
                std::ostream& out) {
  const std::vector<selector::ColumnId> columns =
      wide ? ColumnsRead(selection) : std::vector<selector::ColumnId>();
  std::vector<std::string> titles = {"NAME", "NODE"};
  if (wide) {
    titles.emplace_back("SLICE");
  }
  for (const selector::ColumnId column : columns) {
    titles.push_back(Heading(dump.table().columns().NameOf(column)));
  }
  Table table(std::move(titles));
  for (std::size_t i = 0; i < dump.devices().size(); ++i) {
    if (selection.verdicts[i] != Verdict::kMatch) {
      continue;
    }
    const DeviceDump::Entry& device = dump.devices()[i];
    std::vector<std::string> cells = {device.name, device.node};
    if (wide) {
      cells.push_back(device.slice);
    }
    const selector::FactsInputs facts = dump.table().RowInputs(device.row);
    for (const selector::ColumnId column : columns) {
      cells.push_back(CellOf(facts.Slot(column)));
    }
    table.Add(std::move(cells));
  }
  if (selection.matched > 0) {
    table.Print(out, headings);
  }
}

std::string Plural(std::size_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

void PrintCounts(const Selection& selection, const DeviceDump& dump, std::ostream& out) {
  fmt::print(out, "{}: {} match, {} do not, {} failed\n", Plural(dump.devices().size(), "device"),
             selection.matched, selection.unmatched, selection.failed);
  if (!selection.first_error.empty()) {
    fmt::print(out, "first error: {}\n", selection.first_error);
  }
  for (const std::string& hint : selection.hints) {
    fmt::print(out, "hint: {}\n", hint);
  }
  if (!dump.has_slices()) {
    fmt::print(out, "hint: the files hold no ResourceSlice; kubectl get resourceslices -o yaml\n");
  } else if (dump.devices().empty()) {
    fmt::print(out, "hint: none of the ResourceSlices has devices for this node\n");
  }
  if (dump.outdated() > 0) {
    fmt::print(out, "left out: {} of superseded slices\n", Plural(dump.outdated(), "device"));
  }
}

void PrintNames(const Selection& selection, const DeviceDump& dump, std::ostream& out) {
  for (std::size_t i = 0; i < dump.devices().size(); ++i) {
    if (selection.verdicts[i] == Verdict::kMatch) {
      out << dump.devices()[i].name << '\n';
    }
  }
}

void WriteDevices(const Selection& selection, const DeviceDump& dump, json::Writer& writer) {
  writer.Key("devices");
  writer.BeginArray();
  for (std::size_t i = 0; i < dump.devices().size(); ++i) {
    const DeviceDump::Entry& device = dump.devices()[i];
    writer.BeginObject();
    writer.Key("name");
    writer.String(device.name);
    if (!device.node.empty()) {
      writer.Key("node");
      writer.String(device.node);
    }
    writer.Key("slice");
    writer.String(device.slice);
    writer.Key("verdict");
    writer.String(VerdictName(selection.verdicts[i]));
    writer.EndObject();
  }
  writer.EndArray();
}

std::string Document(const Selection& selection, const DeviceDump& dump) {
  std::string text;
  json::Writer writer(text, 2);
  const auto number = [&](std::string_view key, std::size_t value) {
    writer.Key(key);
    writer.Int(static_cast<std::int64_t>(value));
  };
  writer.BeginObject();
  writer.Key("apiVersion");
  writer.String("quadra/v1");
  writer.Key("kind");
  writer.String("Selection");
  number("matched", selection.matched);
  number("unmatched", selection.unmatched);
  number("failed", selection.failed);
  number("superseded", dump.outdated());
  if (!selection.first_error.empty()) {
    writer.Key("firstError");
    writer.String(selection.first_error);
  }
  WriteDevices(selection, dump, writer);
  writer.EndObject();
  return text + "\n";
}

}  // namespace

ExitCode PrintSelection(const Selection& selection, const DeviceDump& dump,
                        const SelectionFormat& format, Console& console) {
  const ExitCode code = selection.matched > 0 ? ExitCode::kYes : ExitCode::kNo;
  if (IsDocumentFormat(format.format)) {
    return PrintDocument(Document(selection, dump), format.format, code, console);
  }
  if (format.format == "name") {
    PrintNames(selection, dump, console.out);
    PrintCounts(selection, dump, console.err);
  } else {
    PrintTable(selection, dump, format.format == "wide", format.headings, console.out);
    PrintCounts(selection, dump, console.out);
  }
  return code;
}

}  // namespace quadra::cli

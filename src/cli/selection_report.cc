#include "cli/selection_report.h"

#include <algorithm>
#include <ostream>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ostream.h>

#include "cli/document.h"
#include "cli/line.h"
#include "cli/table.h"
#include "cli/words.h"
#include "json/writer.h"

namespace quadra::cli {
namespace {

using inspection::DeviceList;
using inspection::Selection;
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

std::string ValueCell(const cel::Value& value) {
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
        cell += (i == 0 ? "" : ",") + ValueCell(value.as_list().At(i));
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

void PrintSelectionTable(const Selection& selection, const DeviceList& devices, bool wide,
                         bool headings, std::ostream& out) {
  const std::vector<selector::ColumnId> columns =
      wide ? ColumnsRead(selection) : std::vector<selector::ColumnId>();
  std::vector<std::string> titles = {"NAME", "NODE"};
  if (wide) {
    titles.emplace_back("SLICE");
  }
  for (const selector::ColumnId column : columns) {
    titles.push_back(Heading(devices.table().columns().NameOf(column)));
  }
  Table table(std::move(titles));
  for (std::size_t i = 0; i < devices.entries().size(); ++i) {
    if (selection.verdicts[i] != Verdict::kMatch) {
      continue;
    }
    const DeviceList::Entry& device = devices.entries()[i];
    std::vector<std::string> cells = {devices.NameOf(device), devices.NodeOf(device)};
    if (wide) {
      cells.push_back(devices.SliceOf(device));
    }
    const selector::FactsInputs facts = devices.table().RowInputs(device.row);
    for (const selector::ColumnId column : columns) {
      cells.push_back(ValueCell(facts.Slot(column)));
    }
    table.Add(std::move(cells));
  }
  if (selection.matched > 0) {
    table.Print(out, headings);
  }
}

void PrintCounts(const Selection& selection, const DeviceList& devices, std::ostream& out) {
  fmt::print(out, "{}: {} match, {} do not, {} failed\n",
             Counted(devices.entries().size(), "device"), selection.matched, selection.unmatched,
             selection.failed);
  if (!selection.first_error.empty()) {
    PrintLine(out, "first error: " + selection.first_error);
  }
  for (const std::string& hint : selection.hints) {
    PrintLine(out, "hint: " + hint);
  }
  if (!devices.has_slices()) {
    fmt::print(out, "hint: the files hold no ResourceSlice; kubectl get resourceslices -o yaml\n");
  } else if (devices.entries().empty()) {
    fmt::print(out, "hint: none of the ResourceSlices has devices for this node\n");
  }
  if (devices.superseded() > 0) {
    fmt::print(out, "left out: {} of superseded slices\n", Counted(devices.superseded(), "device"));
  }
  if (devices.unreadable() > 0) {
    fmt::print(out, "left out: {} whose node selector cannot be read\n",
               Counted(devices.unreadable(), "device"));
  }
}

void PrintMatches(const Selection& selection, const DeviceList& devices, std::ostream& out) {
  for (std::size_t i = 0; i < devices.entries().size(); ++i) {
    if (selection.verdicts[i] == Verdict::kMatch) {
      PrintLine(out, devices.NameOf(devices.entries()[i]));
    }
  }
}

void WriteDevices(const Selection& selection, const DeviceList& devices, json::Writer& writer) {
  writer.Key("devices");
  writer.BeginArray();
  for (std::size_t i = 0; i < devices.entries().size(); ++i) {
    const DeviceList::Entry& device = devices.entries()[i];
    writer.BeginObject();
    writer.Key("name");
    writer.String(devices.NameOf(device));
    if (const std::string& node = devices.NodeOf(device); !node.empty()) {
      writer.Key("node");
      writer.String(node);
    }
    writer.Key("slice");
    writer.String(devices.SliceOf(device));
    writer.Key("verdict");
    writer.String(VerdictName(selection.verdicts[i]));
    writer.EndObject();
  }
  writer.EndArray();
}

std::string SelectionDocument(const Selection& selection, const DeviceList& devices) {
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
  number("superseded", devices.superseded());
  if (!selection.first_error.empty()) {
    writer.Key("firstError");
    writer.String(selection.first_error);
  }
  WriteDevices(selection, devices, writer);
  writer.EndObject();
  return text + "\n";
}

}  // namespace

ExitCode PrintSelection(const Selection& selection, const DeviceList& devices,
                        const SelectionFormat& format, Console& console) {
  const ExitCode code = selection.matched > 0 ? ExitCode::kYes : ExitCode::kNo;
  if (IsDocumentFormat(format.format)) {
    return PrintDocument(SelectionDocument(selection, devices), format.format, code, console);
  }
  if (format.format == "name") {
    PrintMatches(selection, devices, console.out);
    PrintCounts(selection, devices, console.err);
  } else {
    PrintSelectionTable(selection, devices, format.format == "wide", format.headings, console.out);
    PrintCounts(selection, devices, console.out);
  }
  return code;
}

}  // namespace quadra::cli

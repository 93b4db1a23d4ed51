#include "cli/fit_report.h"

#include <cstdint>
#include <map>
#include <ostream>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "cli/document.h"
#include "cli/line.h"
#include "cli/placement_report.h"
#include "cli/table.h"
#include "cli/words.h"
#include "json/writer.h"

namespace quadra::cli {
namespace {

using diagnosis::Diagnosis;
using diagnosis::NodeFinding;

// One node of the table.
struct Row {
  std::size_t fits = 0;
  const NodeFinding* limit = nullptr;  // null: more would fit, or nobody asked
};

// By name: all nodes that take some or say why not.
std::map<std::string_view, Row> NodeRowsOf(const diagnosis::Fits& fits) {
  std::map<std::string_view, Row> rows;
  for (const auto& [node, count] : fits.by_node) {
    rows[node].fits = count;
  }
  if (fits.next) {
    for (const NodeFinding& finding : fits.next->nodes) {
      rows[finding.name].limit = &finding;
    }
  }
  return rows;
}

// What is short, in words; empty where nothing is.
std::string LimitSentenceOf(const NodeFinding* finding, const FitAnswer& answer) {
  return finding == nullptr ? "" : placement::SentenceOf(finding->refusal, answer.claims);
}

std::string LimitOf(const NodeFinding* finding, const FitAnswer& answer) {
  return finding == nullptr ? ""
                            : fmt::format("{}: {}", reasons::NameOf(finding->refusal.code),
                                          LimitSentenceOf(finding, answer));
}

std::string Headline(const FitAnswer& answer) {
  const diagnosis::Fits& fits = answer.fits;
  const std::string like = fmt::format("like {} in namespace {}", answer.subject, answer.ns);
  const std::string where = fits.count == 0 ? "" : " on " + Counted(fits.by_node.size(), "node");
  if (answer.replicas) {
    return fmt::format("{} of {} {} fit{}", fits.count, Counted(*answer.replicas, "more pod"), like,
                       where);
  }
  return fmt::format("{}{} {} fit{}{}", fits.next ? "" : "at least ",
                     Counted(fits.count, "more pod"), like, fits.count == 1 ? "s" : "", where);
}

// Nodes that take none, by what they say: "none on 12 other nodes: NodeRejects 12".
void PrintOthers(const std::map<std::string_view, Row>& rows, std::ostream& out) {
  std::map<std::string_view, std::size_t> codes;
  std::size_t others = 0;
  for (const auto& [node, row] : rows) {
    if (row.fits == 0 && row.limit != nullptr) {
      ++codes[reasons::NameOf(row.limit->refusal.code)];
      ++others;
    }
  }
  std::string text;
  for (const auto& [code, count] : codes) {
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", code, count);
  }
  if (others > 0) {
    out << fmt::format("none on {}: {}\n",
                       Counted(others, others == rows.size() ? "node" : "other node"), text);
  }
}

void PrintFitTable(const FitAnswer& answer, const FitFormat& format, std::ostream& out) {
  const bool wide = format.format == "wide";
  const std::map<std::string_view, Row> rows = NodeRowsOf(answer.fits);
  Table table({"NODE", "FITS", "LIMITED BY"});
  bool any = false;
  for (const auto& [node, row] : rows) {
    if (wide || row.fits > 0) {
      table.Add({std::string(node), fmt::to_string(row.fits), LimitOf(row.limit, answer)});
      any = true;
    }
  }
  if (any) {
    table.Print(out, format.headings);
  }
  if (!wide) {
    PrintOthers(rows, out);
  }
}

void PrintText(const FitAnswer& answer, const FitFormat& format, std::ostream& out) {
  PrintLine(out, Headline(answer));
  PrintFitTable(answer, format, out);
  if (const auto& next = answer.fits.next) {
    PrintLine(out,
              fmt::format("the next one: {}: {}{}", reasons::NameOf(next->key.code),
                          placement::SentenceOf(next->key, answer.claims),
                          next->key_node.empty() ? "" : " (nearest node: " + next->key_node + ")"));
  }
  out << kNotModelled;
}

// --- For programs.

class FitWriter {
 public:
  explicit FitWriter(const FitAnswer& answer) : answer_(answer), writer_(text_, 2) {}

  std::string Write() && {
    writer_.BeginObject();
    Text("apiVersion", kDocumentVersion);
    Text("kind", "Fit");
    Text("subject", answer_.subject);
    Text("namespace", answer_.ns);
    Number("fits", answer_.fits.count);
    Bool("bounded", answer_.fits.next.has_value());
    if (answer_.replicas) {
      Number("replicas", *answer_.replicas);
    }
    Bool("enough", answer_.enough());
    WriteLimit();
    WriteNodes();
    writer_.EndObject();
    return text_ + "\n";
  }

 private:
  void Text(std::string_view key, std::string_view text) {
    writer_.Key(key);
    writer_.String(text);
  }
  void Number(std::string_view key, std::size_t number) {
    writer_.Key(key);
    writer_.Int(static_cast<std::int64_t>(number));
  }
  void Bool(std::string_view key, bool value) {
    writer_.Key(key);
    writer_.Bool(value);
  }

  void WriteLimit() {
    if (!answer_.fits.next) {
      return;
    }
    const Diagnosis& next = *answer_.fits.next;
    writer_.Key("limitedBy");
    writer_.BeginObject();
    Text("code", reasons::NameOf(next.key.code));
    Text("message", placement::SentenceOf(next.key, answer_.claims));
    if (!next.key_node.empty()) {
      Text("node", next.key_node);
    }
    writer_.EndObject();
  }

  void WriteNodes() {
    writer_.Key("nodes");
    writer_.BeginArray();
    for (const auto& [node, row] : NodeRowsOf(answer_.fits)) {
      writer_.BeginObject();
      Text("name", node);
      Number("fits", row.fits);
      if (row.limit != nullptr) {
        Text("code", reasons::NameOf(row.limit->refusal.code));
        Text("message", LimitSentenceOf(row.limit, answer_));
      }
      writer_.EndObject();
    }
    writer_.EndArray();
  }

  const FitAnswer& answer_;
  std::string text_;
  json::Writer writer_;
};

}  // namespace

ExitCode PrintFits(const FitAnswer& answer, const FitFormat& format, ExitCode code,
                   Console& console) {
  if (IsDocumentFormat(format.format)) {
    return PrintDocument(FitWriter(answer).Write(), format.format, code, console);
  }
  if (format.format == "name") {
    for (const auto& [node, count] : answer.fits.by_node) {
      PrintLine(console.out, "node/" + node);
    }
    return code;
  }
  PrintText(answer, format, console.out);
  return code;
}

}  // namespace quadra::cli

#include "cli/finding.h"

#include <array>
#include <ostream>
#include <string_view>

#include <fmt/format.h>

#include "cli/document.h"
#include "cli/line.h"
#include "json/writer.h"

namespace quadra::cli {
namespace {

struct ConclusionWords {
  std::string_view name;    // for programs
  std::string_view people;  // after the object
  std::string_view counted;
};

// In Conclusion's order.
constexpr std::array<ConclusionWords, 5> kWords = {{
    {"Valid", "valid", "valid"},
    {"DRAFieldsValid", "valid (DRA fields only)", "valid (DRA fields only)"},
    {"Invalid", "invalid", "invalid"},
    {"NotChecked", "not checked", "not checked"},
    {"NoStoredObject", "not checked", "not checked for want of a stored object"},
}};

const ConclusionWords& WordsOfConclusion(Conclusion conclusion) {
  return kWords[static_cast<std::size_t>(conclusion)];
}

void WriteLine(json::Writer& writer, std::size_t line) {
  writer.Key("line");
  writer.Int(static_cast<std::int64_t>(line));
}

void WriteErrors(json::Writer& writer, const std::vector<Problem>& errors) {
  writer.Key("errors");
  writer.BeginArray();
  for (const Problem& error : errors) {
    writer.BeginObject();
    WriteLine(writer, error.line);
    writer.MemberIfAny("type", error.type);
    writer.MemberIfAny("field", error.field);
    writer.MemberIfAny("message", error.message + error.hint);
    writer.EndObject();
  }
  writer.EndArray();
}

void WriteNotes(json::Writer& writer, std::string_view key, std::string_view text_key,
                const std::vector<Note>& notes) {
  if (notes.empty()) {
    return;
  }
  writer.Key(key);
  writer.BeginArray();
  for (const Note& note : notes) {
    writer.BeginObject();
    WriteLine(writer, note.line);
    writer.MemberIfAny(text_key, note.text);
    writer.EndObject();
  }
  writer.EndArray();
}

std::string FindingJson(const Finding& finding) {
  std::string out;
  json::Writer writer(out);
  writer.BeginObject();
  writer.MemberIfAny("file", finding.file);
  WriteLine(writer, finding.line);
  writer.MemberIfAny("apiVersion", finding.identity.api_version);
  writer.MemberIfAny("kind", finding.identity.kind);
  writer.MemberIfAny("namespace", finding.identity.ns);
  writer.MemberIfAny("name", finding.identity.name);
  writer.MemberIfAny("verdict", WordsOfConclusion(finding.conclusion).name);
  writer.MemberIfAny("reason", finding.reason);
  if (!finding.errors.empty()) {
    WriteErrors(writer, finding.errors);
  }
  WriteNotes(writer, "warnings", "message", finding.warnings);
  WriteNotes(writer, "dropped", "field", finding.dropped);
  writer.EndObject();
  return out;
}

std::string PlaceText(const Finding& finding, std::size_t line) {
  return fmt::format("{}:{}: {}", finding.file, line, finding.identity.Title());
}

// The server quotes what it repeats of an object, so its lines are its own: a compiler's report has
// several. A decoder's message repeats keys as they are.
void PrintMessage(const Problem& error, std::ostream& out) {
  const std::string text = error.message + error.hint;
  if (error.type.empty()) {
    PrintLine(out, text);
  } else {
    PrintLines(out, text);
  }
}

}  // namespace

ExitCode ExitCodeOf(Conclusion conclusion) {
  switch (conclusion) {
    case Conclusion::kValid:
    case Conclusion::kDraFieldsValid:
    case Conclusion::kNotChecked:
      return ExitCode::kYes;
    case Conclusion::kInvalid:
      return ExitCode::kNo;
    case Conclusion::kNoStored:
      return ExitCode::kPartial;
  }
  return ExitCode::kUsage;
}

void Report::PrintText(const Finding& finding) {
  const std::string_view words = WordsOfConclusion(finding.conclusion).people;
  for (const Problem& error : finding.errors) {
    out_ << OneLine(fmt::format("{} {}: {}{}", PlaceText(finding, error.line), words, error.field,
                                error.field.empty() ? "" : ": "));
    PrintMessage(error, out_);
  }
  if (finding.errors.empty()) {
    PrintLine(out_, fmt::format("{} {}{}{}", PlaceText(finding, finding.line), words,
                                finding.reason.empty() ? "" : ": ", finding.reason));
  }
  for (const Note& warning : finding.warnings) {
    PrintLine(out_, fmt::format("{} warning: {}", PlaceText(finding, warning.line), warning.text));
  }
  for (const Note& dropped : finding.dropped) {
    PrintLine(out_, fmt::format("{} dropped: {}", PlaceText(finding, dropped.line), dropped.text));
  }
}

void Report::Add(const Finding& finding) {
  ++counts_[static_cast<std::size_t>(finding.conclusion)];
  if (IsDocumentFormat(format_)) {
    items_.push_back(FindingJson(finding));
  } else if (format_ == "jsonl") {
    out_ << FindingJson(finding) << '\n';
  } else {
    PrintText(finding);
  }
}

std::string Report::Document() const {
  std::string text;
  json::Writer writer(text, 2);
  writer.BeginObject();
  writer.MemberIfAny("apiVersion", kDocumentVersion);
  writer.MemberIfAny("kind", "ValidationReport");
  writer.Key("items");
  writer.BeginArray();
  for (const std::string& item : items_) {
    writer.Raw(item);
  }
  writer.EndArray();
  writer.EndObject();
  return text;
}

void Report::PrintSummary() {
  std::size_t total = 0;
  std::string parts;
  for (std::size_t i = 0; i < counts_.size(); ++i) {
    total += counts_[i];
    if (counts_[i] > 0) {
      parts += fmt::format("{}{} {}", parts.empty() ? "" : ", ", counts_[i], kWords[i].counted);
    }
  }
  if (total > 0) {
    out_ << fmt::format("{} object{}: {}\n", total, total == 1 ? "" : "s", parts);
  }
}

ExitCode Report::Finish(ExitCode code) {
  if (IsDocumentFormat(format_)) {
    return PrintDocument(Document() + "\n", format_, code, console_);
  }
  if (format_ != "jsonl") {
    PrintSummary();
  }
  return code;
}

}  // namespace quadra::cli

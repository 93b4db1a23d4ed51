#include "cel/issues.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "cel/source.h"
#include "cel/unicode.h"

namespace quadra::cel {
namespace {

constexpr std::size_t kLongestSnippet = 16384;

// The source line and a line of dots with a caret under the column; wide ones under characters
// that are more than a byte.
void AppendSnippet(std::string_view line, int column, std::string& out) {
  std::string shown(line);
  std::ranges::replace(shown, '\t', ' ');
  fmt::format_to(std::back_inserter(out), "\n | {}\n | ", shown);
  std::string_view rest = shown;
  for (int i = 0; i < column && !rest.empty(); ++i) {
    const std::size_t bytes = DecodeRune(rest).size;
    out += bytes > 1 ? "．" : ".";
    rest.remove_prefix(bytes);
  }
  out += !rest.empty() && DecodeRune(rest).size > 1 ? "＾" : "^";
}

void AppendIssue(const LineMap& lines, const Issue& issue, std::string& out) {
  if (issue.stands_alone) {
    out += issue.message;
    return;
  }
  fmt::format_to(std::back_inserter(out), "ERROR: <input>:{}:{}: {}", issue.line, issue.column + 1,
                 issue.message);
  if (const auto line = lines.Line(issue.line); line && line->size() <= kLongestSnippet) {
    AppendSnippet(*line, issue.column, out);
  }
}

}  // namespace

void IssueList::Report(std::uint32_t position, std::string message) {
  Add(position == IssuePlace::kBeforeStart ? -1 : std::int64_t{position}, std::move(message));
}

void IssueList::ReportNowhere(std::string message) { Add(kNowhere, std::move(message)); }

void IssueList::Add(std::int64_t position, std::string message) {
  if (++count_ <= kMost) {
    complaints_.insert(std::ranges::upper_bound(complaints_, position, {}, &Complaint::position),
                       {position, std::move(message)});
  }
}

std::vector<Issue> IssueList::Sorted(std::string_view valid_utf8) && {
  const LineMap lines(valid_utf8);
  std::vector<Issue> issues;
  issues.reserve(complaints_.size() + 1);
  for (Complaint& complaint : complaints_) {
    const auto position = static_cast<std::uint32_t>(std::max<std::int64_t>(complaint.position, 0));
    const Place place = complaint.position >= 0          ? lines.Locate(position)
                        : complaint.position == kNowhere ? Place()
                                                         : Place{1, -1};
    issues.push_back({.position = position,
                      .line = place.line,
                      .column = place.column,
                      .message = std::move(complaint.message)});
  }
  if (count_ > kMost) {
    issues.push_back({.message = fmt::format("{} more errors were truncated", count_ - kMost),
                      .stands_alone = true});
  }
  return issues;
}

std::string FormatIssues(std::string_view source, const std::vector<Issue>& issues) {
  const std::string valid = ToValidUtf8(source);
  const LineMap lines(valid);
  std::string out;
  for (const Issue& issue : issues) {
    out += out.empty() ? "" : "\n";
    AppendIssue(lines, issue, out);
  }
  return out;
}

}  // namespace quadra::cel

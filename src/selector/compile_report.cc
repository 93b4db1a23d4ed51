#include "selector/compile_report.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "base/nearest.h"
#include "cel/checked.h"

namespace quadra::selector {
namespace {

constexpr std::size_t kWidest = 100;  // of the part of a line that is shown

// Names that stand for operators begin with a character no identifier begins with.
bool IsWord(std::string_view name) { return !name.empty() && name.find_first_of("_@!-?[") != 0; }

std::vector<std::string_view> KnownNames(const cel::Environment& environment) {
  std::vector<std::string_view> names;
  names.reserve(environment.variables.size() + environment.functions.size());
  for (const cel::Variable& variable : environment.variables) {
    names.emplace_back(variable.name);
  }
  for (const cel::ObjectType& object : environment.objects) {
    for (const cel::Field& field : object.fields) {
      names.emplace_back(field.name);
    }
  }
  for (const cel::Function& function : environment.functions) {
    if (IsWord(function.name)) {
      names.emplace_back(function.name);
    }
  }
  return names;
}

// The first word in single quotes.
std::string_view Quoted(std::string_view message) {
  const std::size_t open = message.find('\'');
  if (open == std::string_view::npos) {
    return {};
  }
  const std::size_t close = message.find('\'', open + 1);
  return close == std::string_view::npos ? std::string_view()
                                         : message.substr(open + 1, close - open - 1);
}

std::string Hint(std::string_view message, const cel::Environment& environment) {
  const bool unknown =
      message.starts_with("undeclared reference") || message.starts_with("undefined field");
  if (!unknown) {
    return "";
  }
  return DidYouMean(Quoted(message), KnownNames(environment));
}

bool IsControl(char byte) { return static_cast<unsigned char>(byte) < ' '; }
bool IsContinuation(char byte) { return (static_cast<unsigned char>(byte) & 0xC0) == 0x80; }

// The byte at which the n-th code point of `text` begins.
std::size_t ByteOf(std::string_view text, std::size_t code_points) {
  std::size_t at = 0;
  while (at < text.size() && (code_points > 0 || IsContinuation(text[at]))) {
    code_points -= IsContinuation(text[at]) ? 0 : 1;
    ++at;
    while (at < text.size() && code_points == 0 && IsContinuation(text[at])) {
      ++at;
    }
  }
  return at;
}

std::string_view LineOf(std::string_view text, int line) {
  for (; line > 1; --line) {
    const std::size_t end = text.find('\n');
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return text.substr(0, text.find('\n'));
}

// The line with a caret below; of a long line the part around the place.
std::string Point(std::string_view text, const cel::Issue& issue) {
  std::string_view line = LineOf(text, issue.line);
  std::size_t column = static_cast<std::size_t>(std::max(issue.column, 0));
  if (column > kWidest * 2 / 3) {
    const std::size_t cut = column - kWidest / 2;
    line.remove_prefix(ByteOf(line, cut));
    column -= cut;
  }
  std::string shown(line.substr(0, ByteOf(line, kWidest)));
  std::ranges::replace_if(shown, IsControl, ' ');  // tabs would move the text off its caret
  return fmt::format("  {}\n  {:>{}}\n", shown, '^', column + 1);
}

bool HasPlace(const cel::Issue& issue) { return issue.line > 0; }

}  // namespace

std::string PlaceOf(const cel::Issue& issue) {
  return HasPlace(issue) ? fmt::format("{}:{}: ", issue.line, issue.column + 1) : "";
}

std::string ShowCompileError(const std::string& what, const Expression& expression,
                             const Language& language) {
  const CompileError& error = *expression.error();
  if (error.issues.empty()) {
    return fmt::format("{}: {}\n", what, error.message);
  }
  const cel::Environment& environment = language.EnvironmentOf(expression.profile());
  std::string shown;
  for (const cel::Issue& issue : error.issues) {
    shown += fmt::format("{}{}: {}{}{}\n{}", shown.empty() ? "" : "error: ", what, PlaceOf(issue),
                         issue.message, Hint(issue.message, environment),
                         HasPlace(issue) ? Point(expression.text(), issue) : "");
  }
  return shown;
}

}  // namespace quadra::selector

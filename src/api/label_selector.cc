#include "api/label_selector.h"

#include <array>
#include <charconv>
#include <utility>

#include <fmt/format.h>

#include "api/formats.h"
#include "base/go_text.h"

namespace quadra::api {
namespace {

using Operator = LabelSelector::Operator;
using Requirement = LabelSelector::Requirement;

enum class Token : std::uint8_t { kEnd, kWord, kSymbol };

struct Item {
  Token token = Token::kEnd;
  std::string text;
};

bool IsSymbol(char c) { return std::string_view("=!(),><").find(c) != std::string_view::npos; }
bool IsBlank(char c) { return std::string_view(" \t\r\n").find(c) != std::string_view::npos; }

// Takes an item from the front of `text`. A NUL behind an item is passed, elsewhere it is the end.
Item TakeItem(std::string_view& text) {
  while (!text.empty() && IsBlank(text.front())) {
    text.remove_prefix(1);
  }
  if (text.empty() || text.front() == '\0') {
    text = {};
    return {};
  }
  const bool symbol = IsSymbol(text.front());
  std::size_t size = 1;
  if (symbol) {
    size = text.starts_with("==") || text.starts_with("!=") ? 2 : 1;
  } else {
    size = std::min(text.size(), text.find_first_of(std::string_view("=!(),>< \t\r\n\0", 12)));
  }
  Item item{symbol ? Token::kSymbol : Token::kWord, std::string(text.substr(0, size))};
  text.remove_prefix(size);
  text.remove_prefix(text.starts_with('\0') ? 1 : 0);
  return item;
}

std::optional<std::int64_t> AsInteger(std::string_view text) {
  std::int64_t number = 0;
  text.remove_prefix(text.starts_with('+') ? 1 : 0);
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool whole = problem == std::errc() && end == text.data() + text.size();
  return whole ? std::optional(number) : std::nullopt;
}

struct Spelled {
  std::string_view text;
  Operator op;
};
constexpr std::array kBinary = {
    Spelled{"in", Operator::kIn},        Spelled{"notin", Operator::kNotIn},
    Spelled{"=", Operator::kEquals},     Spelled{"==", Operator::kDoubleEquals},
    Spelled{"!=", Operator::kNotEquals}, Spelled{">", Operator::kGreaterThan},
    Spelled{"<", Operator::kLessThan},
};

Error Refused(std::string message) {
  return {
      .kind = ErrorKind::kUsage,
      .message = std::move(message),
      .remedy = "write it as key=value, key!=value, key in (a,b), key notin (a,b), key or !key"};
}

std::string InvalidValue(std::string_view place, std::string_view value, std::string_view why) {
  return fmt::format("{}: Invalid value: {}: {}", place, GoQuote(value), why);
}

// What is wrong with the values of a requirement, as Go shows a list of errors; empty: nothing.
std::string ValueProblems(const Requirement& requirement) {
  std::vector<std::string> found;
  const bool compares =
      requirement.op == Operator::kGreaterThan || requirement.op == Operator::kLessThan;
  if (compares && !AsInteger(requirement.values.front())) {
    found.push_back(InvalidValue("values[0]", requirement.values.front(),
                                 "for 'Gt', 'Lt' operators, the value must be an integer"));
  }
  for (std::size_t i = 0; i < requirement.values.size(); ++i) {
    if (const Problems problems = LabelValueProblems(requirement.values[i]); !problems.empty()) {
      found.push_back(InvalidValue(fmt::format("values[{}][{}]", i, requirement.key),
                                   requirement.values[i],
                                   fmt::format("{}", fmt::join(problems, "; "))));
    }
  }
  const std::string all = fmt::format("{}", fmt::join(found, ", "));
  return found.size() > 1 ? "[" + all + "]" : all;
}

// Reads requirements. Functions that fail return upstream's sentence.
class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text), next_(TakeItem(text_)) {}

  tl::expected<std::vector<Requirement>, std::string> ParseAll();

 private:
  using Failed = tl::unexpected<std::string>;

  Item Take() { return std::exchange(next_, TakeItem(text_)); }
  bool AtSymbol(std::string_view text) const {
    return next_.token == Token::kSymbol && next_.text == text;
  }
  bool AtRequirement() const { return next_.token == Token::kWord || AtSymbol("!"); }
  bool AtEndOfOne() const { return next_.token == Token::kEnd || AtSymbol(","); }

  tl::expected<Requirement, std::string> ParseOne();
  tl::expected<Operator, std::string> ParseOperator();
  tl::expected<std::vector<std::string>, std::string> ParseValues();
  tl::expected<std::vector<std::string>, std::string> ParseList();
  tl::expected<std::vector<std::string>, std::string> ParseValue();

  std::string_view text_;  // behind next_
  Item next_;
};

tl::expected<std::vector<Requirement>, std::string> Parser::ParseAll() {
  std::vector<Requirement> all;
  while (AtRequirement()) {
    auto one = ParseOne();
    if (!one) {
      return Failed("unable to parse requirement: " + one.error());
    }
    all.push_back(*std::move(one));
    const Item behind = Take();
    if (behind.token == Token::kEnd) {
      return all;
    }
    if (behind.token != Token::kSymbol || behind.text != ",") {
      return Failed("found '" + behind.text + "', expected: ',' or 'end of string'");
    }
    if (!AtRequirement()) {
      return Failed("found '" + next_.text + "', expected: identifier after ','");
    }
  }
  if (next_.token != Token::kEnd) {
    return Failed("found '" + next_.text + "', expected: !, identifier, or 'end of string'");
  }
  return all;
}

tl::expected<Requirement, std::string> Parser::ParseOne() {
  Requirement made;
  const bool negated = AtSymbol("!");
  if (negated) {
    Take();
  }
  if (next_.token != Token::kWord) {
    return Failed("found '" + next_.text + "', expected: identifier");
  }
  made.key = Take().text;
  if (const Problems problems = LabelKeyProblems(made.key); !problems.empty()) {
    return Failed(InvalidValue("<nil>", made.key, fmt::format("{}", fmt::join(problems, "; "))));
  }
  made.op = negated ? Operator::kDoesNotExist : Operator::kExists;
  if (negated || AtEndOfOne()) {
    return made;
  }
  const auto op = ParseOperator();
  if (!op) {
    return Failed(op.error());
  }
  made.op = *op;
  auto values =
      made.op == Operator::kIn || made.op == Operator::kNotIn ? ParseValues() : ParseValue();
  if (!values) {
    return Failed(values.error());
  }
  made.values = *std::move(values);
  if (std::string problems = ValueProblems(made); !problems.empty()) {
    return Failed(std::move(problems));
  }
  return made;
}

tl::expected<Operator, std::string> Parser::ParseOperator() {
  const Item item = Take();
  for (const Spelled& row : kBinary) {
    if (row.text == item.text) {
      return row.op;
    }
  }
  return Failed("found '" + item.text + "', expected: in, notin, =, ==, !=, gt, lt");
}

tl::expected<std::vector<std::string>, std::string> Parser::ParseValues() {
  if (!AtSymbol("(")) {
    return Failed("found '" + next_.text + "' expected: '('");
  }
  Take();
  if (AtSymbol(")")) {
    Take();
    return std::vector<std::string>{""};
  }
  if (next_.token != Token::kWord && !AtSymbol(",")) {
    return Failed("found '" + next_.text + "', expected: ',', ')' or identifier");
  }
  auto values = ParseList();
  if (values) {
    Take();
    std::ranges::sort(*values);
    values->erase(std::ranges::unique(*values).begin(), values->end());
  }
  return values;
}

// Up to the closing parenthesis. Between two commas, and at either end, stands an empty value.
tl::expected<std::vector<std::string>, std::string> Parser::ParseList() {
  std::vector<std::string> values;
  while (true) {
    const Item item = Take();
    if (item.token == Token::kWord) {
      values.push_back(item.text);
      if (!AtSymbol(",") && !AtSymbol(")")) {
        return Failed("found '" + next_.text + "', expected: ',' or ')'");
      }
    } else if (item.text == ",") {
      if (values.empty() || AtSymbol(",") || AtSymbol(")")) {
        values.emplace_back();
      }
    } else {
      return Failed("found '" + item.text + "', expected: ',', or identifier");
    }
    if (AtSymbol(")")) {
      return values;
    }
  }
}

tl::expected<std::vector<std::string>, std::string> Parser::ParseValue() {
  if (AtEndOfOne()) {
    return std::vector<std::string>{""};
  }
  const Item item = Take();
  if (item.token != Token::kWord) {
    return Failed("found '" + item.text + "', expected: identifier");
  }
  return std::vector<std::string>{item.text};
}

bool Compares(Operator op, std::string_view label, std::string_view limit) {
  const auto have = AsInteger(label);
  const auto bound = AsInteger(limit);
  return have && bound && (op == Operator::kGreaterThan ? *have > *bound : *have < *bound);
}

}  // namespace

Result<LabelSelector> LabelSelector::Parse(std::string_view text) {
  auto read = Parser(text).ParseAll();
  if (!read) {
    return Fail(Refused(std::move(read).error()));
  }
  std::ranges::stable_sort(*read, {}, &Requirement::key);
  LabelSelector made;
  made.requirements_ = *std::move(read);
  return made;
}

bool LabelSelector::Holds(const Requirement& requirement, std::optional<std::string_view> value) {
  const bool named =
      value && std::ranges::find(requirement.values, *value) != requirement.values.end();
  switch (requirement.op) {
    case Operator::kEquals:
    case Operator::kDoubleEquals:
    case Operator::kIn:
      return named;
    case Operator::kNotEquals:
    case Operator::kNotIn:
      return !named;
    case Operator::kExists:
      return value.has_value();
    case Operator::kDoesNotExist:
      return !value.has_value();
    case Operator::kGreaterThan:
    case Operator::kLessThan:
      return value && Compares(requirement.op, *value, requirement.values.front());
  }
  return false;
}

bool LabelSelector::Matches(const Map<std::string>& labels) const {
  return MatchesBy([&](const std::string& key) -> std::optional<std::string_view> {
    const std::string* value = labels.Find(key);
    return value == nullptr ? std::nullopt : std::optional<std::string_view>(*value);
  });
}

}  // namespace quadra::api

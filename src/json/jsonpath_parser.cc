// The grammar is kubectl's, quirks included: a dict key ['a.b'] is read as .a.b, quotes do not
// protect a ] inside brackets, [] means [0].
#include <algorithm>
#include <charconv>
#include <optional>

#include <fmt/format.h>

#include "base/printable.h"
#include "json/jsonpath_nodes.h"

namespace quadra::json::jsonpath {
namespace {

using namespace std::string_view_literals;

tl::unexpected<Error> Bad(std::string message) {
  return Fail(ErrorKind::kSyntax, std::move(message));
}

bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool IsEndOfLine(char c) { return c == '\r' || c == '\n'; }
bool IsTerminator(char c) { return " \t\r\n.,[]$@{}"sv.find(c) != std::string_view::npos; }
// Letters beyond ASCII are taken on trust: they can only be part of a name.
bool StartsName(char c) {
  return c == '_' || IsDigit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         static_cast<unsigned char>(c) >= 0x80;
}

// Go's %#U of an ASCII character.
std::string Described(char c) {
  const auto code = static_cast<unsigned char>(c);
  return fmt::format("U+{:04X}", code) + (IsPrintable(code) ? fmt::format(" '{}'", c) : "");
}

template <typename Number>
std::optional<Number> ReadNumber(std::string_view text) {
  text.remove_prefix(text.starts_with('+') ? 1 : 0);
  Number number = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool whole = problem == std::errc() && end == text.data() + text.size();
  return whole && !text.starts_with('+') ? std::optional(number) : std::nullopt;
}

// The exponent marks a number that is no integer for the evaluator.
std::string WithExponent(double number) {
  std::array<char, 32> text{};
  const auto end =
      std::to_chars(text.begin(), text.end(), number, std::chars_format::scientific).ptr;
  return {text.begin(), end};
}

std::string_view Trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(' ');
  return first == std::string_view::npos
             ? ""
             : text.substr(first, text.find_last_not_of(' ') - first + 1);
}

Result<List> ParseAction(std::string_view text) {
  QUADRA_TRY(List list, ParseTemplate(fmt::format("{{{}}}", text)));
  return std::get<List>(list.nodes.front().kind);
}

// --- what stands between [ and ]

// The part of `text` from a colon on, up to the next one; empty where there is none.
std::string_view TakeBound(std::string_view& text) {
  const std::size_t end = text.find(':', text.starts_with(':') ? 1 : 0);
  const std::string_view bound = text.substr(0, end);
  text.remove_prefix(bound.size());
  return bound;
}

bool LooksLikeBound(std::string_view text) {
  text.remove_prefix(text.starts_with('-') ? 1 : 0);
  return std::ranges::all_of(text, IsDigit);
}

Result<Slice::Bound> ParseBound(std::string_view text) {
  if (text.empty()) {
    return Slice::Bound{};
  }
  const std::optional<std::int64_t> number = ReadNumber<std::int64_t>(text);
  if (!number) {
    return Bad(fmt::format("array index {} is not a number", text));
  }
  return Slice::Bound{.value = *number, .known = true};
}

std::string_view WithoutColon(std::string_view bound) {
  return bound.substr(bound.starts_with(':') ? 1 : 0);
}

// Wraps around where the last index is the greatest number, as Go does.
std::int64_t Behind(std::int64_t index) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(index) + 1);
}

Result<Slice> ParseSlice(std::string_view text) {
  std::string_view rest = text;
  const std::array<std::string_view, 3> parts = {text.starts_with(':') ? ""sv : TakeBound(rest),
                                                 TakeBound(rest), TakeBound(rest)};
  const bool well_formed = std::ranges::all_of(parts, LooksLikeBound, WithoutColon);
  if (!rest.empty() || !well_formed) {
    return Bad(fmt::format("invalid array index {}", text));
  }
  Slice slice;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    QUADRA_TRY(slice.bounds[i], ParseBound(WithoutColon(parts[i])));
  }
  if (parts[1].empty()) {
    slice.bounds[1] = {.value = Behind(slice.bounds[0].value), .known = true, .derived = true};
  }
  return slice;
}

Result<Union> ParseUnion(std::string_view text) {
  Union united;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    QUADRA_TRY(List list,
               ParseAction(fmt::format("[{}]", Trimmed(text.substr(begin, end - begin)))));
    united.lists.push_back(std::move(list));
    begin = end + 1;
  }
  return united;
}

bool IsDictKey(std::string_view text) {
  return text.size() >= 2 && text.front() == '\'' && text.find('\'', 1) == text.size() - 1;
}

Status ParseBrackets(std::string_view text, List& out) {
  if (text.find(',') != std::string_view::npos) {
    QUADRA_TRY(Union united, ParseUnion(text));
    out.nodes.push_back({std::move(united)});
  } else if (IsDictKey(text)) {
    QUADRA_TRY(List list, ParseAction(fmt::format(".{}", text.substr(1, text.size() - 2))));
    std::ranges::move(list.nodes, std::back_inserter(out.nodes));
  } else {
    QUADRA_TRY(Slice slice, ParseSlice(text == "*" ? ":" : text));
    out.nodes.push_back({slice});
  }
  return {};
}

// --- what stands between [?( and )]

struct Comparison {
  std::string_view left, operation, right;
};

// Something, operator characters, something; the operator leaves at least one character.
std::optional<Comparison> SplitComparison(std::string_view text) {
  constexpr std::string_view kOperators = "!<>=";
  const std::size_t begin = text.find_first_of(kOperators);
  if (begin == 0 || begin == std::string_view::npos) {
    return std::nullopt;
  }
  const std::size_t end = std::min(text.find_first_not_of(kOperators, begin), text.size() - 1);
  if (end == begin) {
    return std::nullopt;
  }
  return Comparison{text.substr(0, begin), text.substr(begin, end - begin), text.substr(end)};
}

Result<Filter> ParseFilter(std::string_view text) {
  const std::optional<Comparison> comparison = SplitComparison(text);
  Filter filter{.left = {}, .right = {}, .operation = "exists"};
  QUADRA_TRY(filter.left, ParseAction(comparison ? comparison->left : text));
  if (comparison) {
    QUADRA_TRY(filter.right, ParseAction(comparison->right));
    filter.operation = comparison->operation;
  }
  return filter;
}

// --- the whole

class Parser {
 public:
  explicit Parser(std::string_view input) : input_(input) {}

  Result<List> Parse() {
    while (!AtEnd()) {
      const std::size_t brace = std::min(input_.find('{', at_), input_.size());
      if (brace > at_) {
        root_.nodes.push_back({Text{std::string(input_.substr(at_, brace - at_))}});
      }
      at_ = brace;
      if (!AtEnd()) {
        ++at_;
        QUADRA_RETURN_IF_ERROR(ParseUntilBrace());
      }
    }
    return std::move(root_);
  }

 private:
  bool AtEnd() const { return at_ >= input_.size(); }
  std::string_view Rest() const { return input_.substr(at_); }
  bool Take(std::string_view prefix) {
    const bool found = Rest().starts_with(prefix);
    at_ += found ? prefix.size() : 0;
    return found;
  }

  Status ParseUntilBrace() {
    List list;
    while (!Take("}")) {
      QUADRA_RETURN_IF_ERROR(ParseNext(list));
    }
    root_.nodes.push_back({std::move(list)});
    return {};
  }

  Status ParseNext(List& list) {
    if (Take("[?(")) {
      return ParseFilterAt(list);
    }
    if (Take("..")) {
      return ParseRecursive(list);
    }
    if (AtEnd() || IsEndOfLine(input_[at_])) {
      return Bad("unclosed action");
    }
    const char c = input_[at_];
    switch (c) {
      case ' ':
      case '@':
      case '$':
        ++at_;
        return {};
      case '[':
        return ParseArray(list);
      case '"':
      case '\'':
        return ParseQuote(list, c);
      case '.':
        ++at_;
        return ParseField(list);
      default:
        return ParseWord(list, c);
    }
  }

  Status ParseWord(List& list, char c) {
    if (c == '+' || c == '-' || IsDigit(c)) {
      return ParseNumber(list);
    }
    if (!StartsName(c)) {
      return Bad("unrecognized character in action: " + Described(c));
    }
    const std::size_t begin = at_;
    while (!AtEnd() && !IsTerminator(input_[at_])) {
      ++at_;
    }
    const std::string word(input_.substr(begin, at_ - begin));
    if (word == "true" || word == "false") {
      list.nodes.push_back({Literal{Value(word == "true")}});
    } else {
      list.nodes.push_back({Identifier{word}});
    }
    return {};
  }

  Status ParseNumber(List& list) {
    const std::size_t begin = at_++;
    while (!AtEnd() && (input_[at_] == '.' || IsDigit(input_[at_]))) {
      ++at_;
    }
    const std::string_view text = input_.substr(begin, at_ - begin);
    if (const auto number = ReadNumber<std::int64_t>(text)) {
      list.nodes.push_back({Literal{Value::Int(*number)}});
    } else if (const auto real = ReadNumber<double>(text)) {
      list.nodes.push_back({Literal{Value::Number(WithExponent(*real))}});
    } else {
      return Bad(fmt::format("cannot parse number {}", text));
    }
    return {};
  }

  Status ParseRecursive(List& list) {
    if (!list.nodes.empty() && std::holds_alternative<Recursive>(list.nodes.back().kind)) {
      return Bad("invalid multiple recursive descent");
    }
    list.nodes.push_back({Recursive{}});
    return !AtEnd() && StartsName(input_[at_]) ? ParseField(list) : Status();
  }

  Status ParseField(List& list) {
    const std::size_t begin = at_;
    while (!AtEnd() && !IsTerminator(input_[at_])) {
      at_ = std::min(at_ + (input_[at_] == '\\' ? 2 : 1), input_.size());
    }
    std::string name(input_.substr(begin, at_ - begin));
    if (name == "*") {
      list.nodes.push_back({Wildcard{}});
      return {};
    }
    std::erase(name, '\\');
    list.nodes.push_back({Field{std::move(name)}});
    return {};
  }

  Status ParseArray(List& list) {
    const std::size_t end = input_.find_first_of("]\n", at_);
    if (end == std::string_view::npos || input_[end] == '\n') {
      return Bad("unterminated array");
    }
    const std::string_view text = input_.substr(at_ + 1, end - at_ - 1);
    at_ = end + 1;
    return ParseBrackets(text, list);
  }

  Status ParseQuote(List& list, char quote) {
    const std::size_t begin = at_++;
    for (; !AtEnd() && input_[at_] != '\n'; ++at_) {
      if (input_[at_] == quote && input_[at_ - 1] != '\\') {
        const std::string_view quoted = input_.substr(begin, ++at_ - begin);
        const Result<std::string> text = Unquote(quoted);
        if (!text) {
          return Bad(fmt::format("unquote string {} error {}", quoted, text.error().message));
        }
        list.nodes.push_back({Text{*text}});
        return {};
      }
    }
    return Bad("unterminated quoted string");
  }

  // The closing parenthesis; one inside quotes does not count. Only the first pair of quotes is
  // known to the language.
  std::optional<std::size_t> EndOfFilter() const {
    std::optional<char> quote;
    bool closed = false;
    for (std::size_t i = at_; i < input_.size() && input_[i] != '\n'; ++i) {
      const char c = input_[i];
      if ((c == '"' || c == '\'') && !quote) {
        quote = c;
      } else if (c == quote && input_[i - 1] != '\\') {
        closed = true;
      } else if (c == ')' && quote.has_value() == closed) {
        return i;
      }
    }
    return std::nullopt;
  }

  Status ParseFilterAt(List& list) {
    const std::optional<std::size_t> end = EndOfFilter();
    if (!end) {
      return Bad("unterminated filter");
    }
    const std::string_view text = input_.substr(at_, *end - at_);
    at_ = *end + 1;
    if (!Take("]")) {
      return Bad("unclosed array expect ]");
    }
    QUADRA_TRY(Filter filter, ParseFilter(text));
    list.nodes.push_back({std::move(filter)});
    return {};
  }

  std::string_view input_;
  std::size_t at_ = 0;
  List root_;
};

}  // namespace

Result<List> ParseTemplate(std::string_view text) { return Parser(text).Parse(); }

}  // namespace quadra::json::jsonpath

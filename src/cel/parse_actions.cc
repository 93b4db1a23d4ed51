#include "cel/parse_actions.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <limits>
#include <optional>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "cel/unescape.h"

namespace quadra::cel {
namespace {

// Cannot be variables or functions, though they can be fields.
constexpr std::array<std::string_view, 21> kReserved = {
    "as",       "break",   "const",  "continue", "else", "false", "for",
    "function", "if",      "import", "in",       "let",  "loop",  "namespace",
    "null",     "package", "return", "true",     "var",  "void",  "while"};

bool IsReserved(std::string_view name) {
  return name.size() <= 9 && std::ranges::binary_search(kReserved, name);
}

}  // namespace

void Elements::Add(Part part) {
  nodes.push_back(part.node);
  height = std::max(height, part.height);
}

std::string_view RelationOf(TokenKind kind) {
  switch (kind) {
    case TokenKind::kEqual:
      return operators::kEquals;
    case TokenKind::kNotEqual:
      return "_!=_";
    case TokenKind::kLess:
      return "_<_";
    case TokenKind::kLessEqual:
      return "_<=_";
    case TokenKind::kGreater:
      return "_>_";
    case TokenKind::kGreaterEqual:
      return "_>=_";
    case TokenKind::kIn:
      return "@in";
    default:
      return {};
  }
}

BinaryOperator ArithmeticOf(TokenKind kind) {
  switch (kind) {
    case TokenKind::kPlus:
      return {operators::kAdd, 1};
    case TokenKind::kMinus:
      return {"_-_", 1};
    case TokenKind::kStar:
      return {"_*_", 2};
    case TokenKind::kSlash:
      return {"_/_", 2};
    case TokenKind::kPercent:
      return {"_%_", 2};
    default:
      return {};
  }
}

NodeId ParseActions::Literal(const Token& token, bool negative, std::uint32_t position) {
  return builder_.Constant(position, Value(token, negative, position));
}

NodeId ParseActions::Balance(std::string_view function, std::span<const NodeId> terms,
                             std::span<const std::uint32_t> places) {
  return BalanceBetween(function, terms, places, 0, places.size() - 1);
}

NodeId ParseActions::BalanceBetween(std::string_view function, std::span<const NodeId> terms,
                                    std::span<const std::uint32_t> places, std::size_t low,
                                    std::size_t high) {
  const std::size_t middle = (low + high + 1) / 2;
  const NodeId left =
      middle == low ? terms[middle] : BalanceBetween(function, terms, places, low, middle - 1);
  const NodeId right = middle == high ? terms[middle + 1]
                                      : BalanceBetween(function, terms, places, middle + 1, high);
  return builder_.Call(places[middle], function, {left, right});
}

NodeId ParseActions::Select(const Token& dot, NodeId operand, const Token& name, bool optional) {
  const std::string_view field = FieldName(name);
  if (!optional) {
    return builder_.Select(dot.position, operand, field, false);
  }
  UseOptional(dot);
  const NodeId key = builder_.Constant(name.position, field);
  return builder_.Call(dot.position, operators::kOptionalSelect, {operand, key});
}

NodeId ParseActions::Ident(const Token& name, bool absolute, std::uint32_t position) {
  return builder_.Ident(name.position, Name(name, absolute, position));
}

NodeId ParseActions::GlobalCall(const Token& name, bool absolute, std::uint32_t position,
                                const Token& open, std::span<const NodeId> arguments) {
  const std::string_view function = Name(name, absolute, position);
  const NodeId expanded =
      Expand({.function = function, .position = open.position, .arguments = arguments});
  return expanded != kNoNode ? expanded : builder_.Call(open.position, function, arguments);
}

NodeId ParseActions::MemberCall(const Token& name, const Token& open,
                                std::span<const NodeId> children) {
  const NodeId expanded = Expand({.function = Text(name),
                                  .position = open.position,
                                  .receiver = children[0],
                                  .arguments = children.subspan(1)});
  return expanded != kNoNode ? expanded : builder_.MemberCall(open.position, Text(name), children);
}

// kNoNode if the call is no macro.
NodeId ParseActions::Expand(const MacroCall& call) {
  std::optional<Expansion> expansion = ExpandMacro(builder_, options_, call);
  if (!expansion) {
    return kNoNode;
  }
  if (expansion->node == kNoNode) {
    const std::uint32_t position = builder_.ast().nodes[expansion->error_at].position;
    Complain(position, std::move(expansion->error));
    return Missing(position);
  }
  return expansion->node;
}

std::string_view ParseActions::Name(const Token& name, bool absolute, std::uint32_t position) {
  const std::string_view text = Text(name);
  if (IsReserved(text)) {
    Complain(position, fmt::format("'{}' is a reserved word and cannot be a name", text));
  }
  return absolute ? builder_.Keep(fmt::format(".{}", text)) : text;
}

void ParseActions::UseOptional(const Token& mark) {
  if (!options_.optional_syntax) {
    Complain(mark.position, "optional values are not supported here");
  }
}

NodeId ParseActions::Finish(NodeId literal, const Elements& elements) {
  for (const std::size_t child : elements.optional) {
    builder_.MarkOptional(literal, child);
  }
  return literal;
}

std::string_view ParseActions::FieldName(const Token& name) {
  const std::string_view text = Text(name);
  if (name.kind == TokenKind::kIdentifier) {
    return text;
  }
  if (!options_.backquoted_fields) {
    Complain(name.position, "names between back quotes are not supported here");
  }
  return text.substr(1, text.size() - 2);
}

cel::Constant ParseActions::Value(const Token& token, bool negative, std::uint32_t position) {
  constexpr std::uint64_t kMostUint = std::numeric_limits<std::uint64_t>::max();
  const std::string_view text = Text(token);
  switch (token.kind) {
    case TokenKind::kInt:
      return IntValue(text, negative, position);
    case TokenKind::kUint:
      return Digits(text.substr(0, text.size() - 1), kMostUint, position, "a uint");
    case TokenKind::kDouble:
      return DoubleValue(text, negative, position);
    case TokenKind::kString:
      return TextValue(token, false);
    case TokenKind::kBytes:
      return Bytes{TextValue(token, true)};
    case TokenKind::kTrue:
      return true;
    case TokenKind::kFalse:
      return false;
    default:
      return std::monostate();
  }
}

// The digits' value; complains and gives 0 if it is beyond `limit`.
std::uint64_t ParseActions::Digits(std::string_view text, std::uint64_t limit,
                                   std::uint32_t position, std::string_view type) {
  const bool hex = text.starts_with("0x");
  text.remove_prefix(hex ? 2 : 0);
  std::uint64_t value = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), value, hex ? 16 : 10);
  if (read.ec != std::errc() || value > limit) {
    Complain(position, fmt::format("the number is too large for {}", type));
    return 0;
  }
  return value;
}

cel::Constant ParseActions::IntValue(std::string_view text, bool negative, std::uint32_t position) {
  constexpr std::uint64_t kMost = std::numeric_limits<std::int64_t>::max();
  const std::uint64_t value = Digits(text, kMost + (negative ? 1 : 0), position, "an int");
  return static_cast<std::int64_t>(negative ? 0 - value : value);
}

cel::Constant ParseActions::DoubleValue(std::string_view text, bool negative,
                                        std::uint32_t position) {
  double value = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
  if (read.ec == std::errc::result_out_of_range) {
    value = std::strtod(std::string(text).c_str(), nullptr);  // zero or infinite
  }
  if (value > std::numeric_limits<double>::max()) {
    Complain(position, "the number is too large for a double");
  }
  return negative ? -value : value;
}

std::string_view ParseActions::TextValue(const Token& token, bool bytes) {
  const QuotedText text = StripQuotes(Text(token));
  if (!NeedsUnescape(text)) {
    return text.content;
  }
  std::optional<std::string> value = Unescape(text, bytes);
  if (!value) {
    Complain(token.position, bytes ? "bytes cannot contain \\u and \\U escapes"
                                   : "the text contains an escape that is no code point");
    return text.content;
  }
  return builder_.Keep(*std::move(value));
}

}  // namespace quadra::cel

// The strings extension, version 2, without format().
#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "cel/call_cost.h"
#include "cel/call_estimate.h"
#include "cel/containers.h"
#include "cel/cost_range.h"
#include "cel/declarations.h"
#include "cel/eval_error.h"
#include "cel/functions.h"
#include "cel/go_text.h"
#include "cel/unicode.h"

namespace quadra::cel {
namespace {

using Arguments = std::span<const Value>;

Value OutOfRange(CallContext& context, std::int64_t index) {
  return TextError(context.arena, fmt::format("index out of range: {}", index));
}

std::int64_t Runes(std::string_view text) { return static_cast<std::int64_t>(RuneCount(text)); }

std::size_t Offset(std::string_view text, std::int64_t runes) {
  return RuneOffset(text, static_cast<std::size_t>(runes));
}

Value CharAt(CallContext& context, Arguments arguments) {
  const std::string_view text = arguments[0].as_text();
  const std::int64_t index = arguments[1].as_int();
  const std::int64_t size = Runes(text);
  if (index < 0 || index > size) {
    return OutOfRange(context, index);
  }
  if (index == size) {
    return Value::String("");
  }
  const std::size_t start = Offset(text, index);
  return Value::String(text.substr(start, DecodeRune(text.substr(start)).size));
}

// A code point index, or -1.
Value FoundAt(std::string_view text, std::size_t byte) {
  return Value::Int(byte == std::string_view::npos ? -1 : Runes(text.substr(0, byte)));
}

Value IndexFrom(CallContext& context, std::string_view text, std::string_view part,
                std::int64_t offset) {
  if (offset < 0) {
    return OutOfRange(context, offset);
  }
  const std::int64_t size = Runes(text);
  if (part.empty()) {
    return Value::Int(std::min(offset, size));
  }
  return offset >= size ? Value::Int(-1) : FoundAt(text, text.find(part, Offset(text, offset)));
}

Value IndexOf(CallContext& context, Arguments arguments) {
  return IndexFrom(context, arguments[0].as_text(), arguments[1].as_text(), 0);
}

Value IndexOfFrom(CallContext& context, Arguments arguments) {
  return IndexFrom(context, arguments[0].as_text(), arguments[1].as_text(), arguments[2].as_int());
}

Value LastIndexFrom(CallContext& context, std::string_view text, std::string_view part,
                    std::int64_t offset) {
  if (offset < 0) {
    return OutOfRange(context, offset);
  }
  const std::int64_t size = Runes(text);
  if (part.empty()) {
    return Value::Int(std::min(offset, size));
  }
  return offset >= size ? Value::Int(-1) : FoundAt(text, text.rfind(part, Offset(text, offset)));
}

Value LastIndexOf(CallContext& context, Arguments arguments) {
  const std::string_view text = arguments[0].as_text();
  const std::string_view part = arguments[1].as_text();
  if (part.empty()) {
    return Value::Int(Runes(text));
  }
  return text.size() < part.size() ? Value::Int(-1)
                                   : LastIndexFrom(context, text, part, Runes(text) - 1);
}

Value LastIndexOfFrom(CallContext& context, Arguments arguments) {
  return LastIndexFrom(context, arguments[0].as_text(), arguments[1].as_text(),
                       arguments[2].as_int());
}

template <char first, char last, int shift>
Value ShiftAscii(CallContext& context, Arguments arguments) {
  const std::string_view text = arguments[0].as_text();
  char* copy = static_cast<char*>(context.arena.Allocate(text.size(), 1));
  std::ranges::transform(text, copy, [](char c) {
    return c >= first && c <= last ? static_cast<char>(c + shift) : c;
  });
  return Value::String({copy, text.size()});
}

// How often strings.Replace replaces: at most `limit` times unless it is negative.
std::size_t CountReplacements(std::string_view text, std::string_view old, std::int64_t limit) {
  std::size_t count = 0;
  if (old.empty()) {
    count = RuneCount(text) + 1;
  } else {
    for (std::size_t at = text.find(old); at != std::string_view::npos;
         at = text.find(old, at + old.size())) {
      ++count;
    }
  }
  return limit < 0 ? count : std::min(count, static_cast<std::size_t>(limit));
}

// An empty `old` stands before every code point and at the end.
std::string Replaced(std::string_view text, std::string_view old, std::string_view fresh,
                     std::size_t count) {
  std::string out;
  std::size_t at = 0;
  for (std::size_t i = 0; i < count; ++i) {
    std::size_t next = text.find(old, at);
    if (old.empty() && i > 0) {
      next = at + DecodeRune(text.substr(at)).size;
    }
    out += text.substr(at, next - at);
    out += fresh;
    at = next + old.size();
  }
  return out.append(text.substr(at));
}

Value ReplaceUpTo(CallContext& context, Arguments arguments, std::int64_t limit) {
  const std::string_view text = arguments[0].as_text();
  const std::string_view old = arguments[1].as_text();
  const std::string_view fresh = arguments[2].as_text();
  const std::size_t count = old == fresh ? 0 : CountReplacements(text, old, limit);
  if (count == 0) {
    return arguments[0];
  }
  if (!context.arena.HasRoom(text.size() + count * fresh.size())) {
    return Value::Of(&errors::kCostLimit);
  }
  return Value::String(context.arena.Copy(Replaced(text, old, fresh, count)));
}

Value Replace(CallContext& context, Arguments arguments) {
  return ReplaceUpTo(context, arguments, -1);
}

Value ReplaceSome(CallContext& context, Arguments arguments) {
  return ReplaceUpTo(context, arguments, arguments[3].as_int());
}

std::vector<Value> Pieces(std::string_view text, std::string_view separator, std::int64_t limit) {
  std::vector<Value> pieces;
  const auto room = [&] {
    return limit < 0 || static_cast<std::int64_t>(pieces.size()) + 1 < limit;
  };
  if (separator.empty()) {
    while (!text.empty()) {
      const std::size_t size = room() ? DecodeRune(text).size : text.size();
      pieces.push_back(Value::String(text.substr(0, size)));
      text.remove_prefix(size);
    }
    return pieces;
  }
  for (std::size_t at = text.find(separator); at != std::string_view::npos && room();
       at = text.find(separator)) {
    pieces.push_back(Value::String(text.substr(0, at)));
    text.remove_prefix(at + separator.size());
  }
  pieces.push_back(Value::String(text));
  return pieces;
}

Value SplitUpTo(CallContext& context, Arguments arguments, std::int64_t limit) {
  if (limit == 0) {
    return MakeList(context.arena, {});
  }
  const std::vector<Value> pieces = Pieces(arguments[0].as_text(), arguments[1].as_text(), limit);
  Value* values = context.arena.MakeArray<Value>(pieces.size());
  std::ranges::copy(pieces, values);
  return MakeList(context.arena, {values, pieces.size()});
}

Value Split(CallContext& context, Arguments arguments) { return SplitUpTo(context, arguments, -1); }

Value SplitSome(CallContext& context, Arguments arguments) {
  return SplitUpTo(context, arguments, arguments[2].as_int());
}

Value SubstringFrom(CallContext& context, Arguments arguments) {
  const std::string_view text = arguments[0].as_text();
  const std::int64_t start = arguments[1].as_int();
  if (start < 0 || start > Runes(text)) {
    return OutOfRange(context, start);
  }
  return Value::String(text.substr(Offset(text, start)));
}

Value Substring(CallContext& context, Arguments arguments) {
  const std::string_view text = arguments[0].as_text();
  const std::int64_t start = arguments[1].as_int();
  const std::int64_t end = arguments[2].as_int();
  const std::int64_t size = Runes(text);
  if (start > end) {
    return TextError(context.arena,
                     fmt::format("invalid substring range. start: {}, end: {}", start, end));
  }
  if (start < 0 || start > size) {
    return OutOfRange(context, start);
  }
  if (end < 0 || end > size) {
    return OutOfRange(context, end);
  }
  const std::size_t from = Offset(text, start);
  return Value::String(text.substr(from, Offset(text, end) - from));
}

Value Trim(CallContext&, Arguments arguments) {
  std::string_view text = arguments[0].as_text();
  while (!text.empty()) {
    const Rune rune = DecodeRune(text);
    if (!IsSpace(rune.code)) {
      break;
    }
    text.remove_prefix(rune.size);
  }
  std::size_t end = 0;
  for (std::size_t at = 0; at < text.size();) {
    const Rune rune = DecodeRune(text.substr(at));
    at += rune.size;
    end = IsSpace(rune.code) ? end : at;
  }
  return Value::String(text.substr(0, end));
}

Value JoinWith(CallContext& context, const ListObject& list, std::string_view separator) {
  std::size_t size = 0;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const Value element = list.At(i);
    if (element.kind() != Kind::kString) {
      return TextError(context.arena, "join: invalid input: " + GoText(element));
    }
    size += element.as_text().size() + separator.size();
    if (!context.arena.HasRoom(size)) {
      return Value::Of(&errors::kCostLimit);
    }
  }
  std::string joined;
  joined.reserve(size);
  for (std::size_t i = 0; i < list.size(); ++i) {
    joined += i == 0 ? "" : separator;
    joined += list.At(i).as_text();
  }
  return Value::String(context.arena.Copy(joined));
}

Value Join(CallContext& context, Arguments arguments) {
  return JoinWith(context, arguments[0].as_list(), "");
}

Value JoinSeparated(CallContext& context, Arguments arguments) {
  return JoinWith(context, arguments[0].as_list(), arguments[1].as_text());
}

std::string_view QuoteEscape(char c) {
  switch (c) {
    case '\a':
      return "\\a";
    case '\b':
      return "\\b";
    case '\f':
      return "\\f";
    case '\n':
      return "\\n";
    case '\r':
      return "\\r";
    case '\t':
      return "\\t";
    case '\v':
      return "\\v";
    case '\\':
      return "\\\\";
    case '"':
      return "\\\"";
    default:
      return {};
  }
}

Value Quote(CallContext& context, Arguments arguments) {
  std::string quoted = "\"";
  for (const char c : arguments[0].as_text()) {
    const std::string_view escape = QuoteEscape(c);
    if (escape.empty()) {
      quoted.push_back(c);
    } else {
      quoted += escape;
    }
  }
  return Value::String(context.arena.Copy(quoted + "\""));
}

// --- Costs.

// ceil(.2 size of the result).
Charge JoinCost(Arguments /*arguments*/, const Value& result) {
  return {TwiceTextCost(PlainSize(result))};
}

// The result is at most as long as the text.
CallEstimate TransformEstimate(const CallSite& site) {
  const CostRange size = site.TargetSize();
  return {.cost = size * kTraversal, .result_size = size};
}

// Ceiling of a quotient as upstream's machine converts it: 2^64 becomes 2^63.
std::uint64_t Quotient(std::uint64_t dividend, std::uint64_t divisor) {
  const double quotient = std::ceil(static_cast<double>(dividend) / static_cast<double>(divisor));
  return quotient >= kTooLarge ? std::uint64_t{1} << 63 : static_cast<std::uint64_t>(quotient);
}

// One bound of what replacing makes: how many replacements, and what is kept besides.
struct ReplaceBound {
  std::uint64_t count = 0;
  std::uint64_t kept = 0;
};

// `text` characters; what is replaced has at least `pattern` (0: every place matches);
// `no_change`: a replacement does not move this bound.
ReplaceBound BoundOf(std::uint64_t text, bool everywhere, bool no_change, std::uint64_t pattern) {
  if (everywhere) {
    return {.count = AddBounded(text, 1), .kept = text};
  }
  if (no_change) {
    return {.count = 0, .kept = text};
  }
  return {.count = Quotient(text, pattern), .kept = 0};
}

CallEstimate ReplaceEstimate(const CallSite& site) {
  const CostRange text = site.TargetSize();
  const CostRange old = site.ArgumentSize(0);
  const CostRange with = site.ArgumentSize(1);
  const ReplaceBound most = BoundOf(text.max, old.min == 0, with.max <= old.min, old.min);
  const ReplaceBound least = BoundOf(text.min, old.max == 0, old.max <= with.min, old.max);
  const CostRange count = {.min = least.count, .max = most.count};
  const CostRange kept = {.min = least.kept, .max = most.kept};
  return {.cost = text * (2 * kTraversal), .result_size = count * with + kept};
}

// A literal limit is taken as it stands, a negative one as a huge number.
CallEstimate SplitEstimate(const CallSite& site) {
  const CostRange size = site.TargetSize();
  std::uint64_t most = size.max;
  if (site.arguments.size() > 1) {
    const NodeId limit = site.arguments[1].id;
    if (site.ast.nodes[limit].kind == NodeKind::kConstant) {
      if (const auto* value = std::get_if<std::int64_t>(&site.ast.constant(limit))) {
        most = static_cast<std::uint64_t>(*value);
      }
    }
  }
  return {.cost = size * (2 * kTraversal), .result_size = CostRange{.min = 0, .max = most}};
}

CallEstimate JoinEstimate(const CallSite& site) {
  const CostRange count = site.TargetSize();
  CostRange size;
  if (const std::optional<CostNode> element = ElementOf(*site.target)) {
    size = count * site.SizeOf(*element);
  }
  if (!site.arguments.empty()) {
    const CostRange separators = {.min = count.min - std::min<std::uint64_t>(count.min, 1),
                                  .max = count.max - std::min<std::uint64_t>(count.max, 1)};
    size = size + site.ArgumentSize(0) * separators;
  }
  return {.cost = size * kTraversal, .result_size = size};
}

CallEstimate QuoteEstimate(const CallSite& site) {
  const CostRange size = site.ArgumentSize(0);
  return {.cost = size * kTraversal,
          .result_size = CostRange{.min = size.min + 2, .max = size.max * 2 + 2}};
}

constexpr Row kRows[] = {
    {"charAt",
     "string_char_at_int",
     kMember,
     "string, int",
     "string",
     {CharAt, cost::One, estimate::One}},
    {"indexOf",
     "string_index_of_string",
     kMember,
     "string, string",
     "int",
     {IndexOf, cost::Traversal, estimate::Traverse, kCostByName}},
    {"indexOf",
     "string_index_of_string_int",
     kMember,
     "string, string, int",
     "int",
     {IndexOfFrom, cost::Traversal, estimate::Traverse, kVariadic | kCostByName}},
    {"join",
     "list_join",
     kMember,
     "list(string)",
     "string",
     {Join, JoinCost, JoinEstimate, kCostByName}},
    {"join",
     "list_join_string",
     kMember,
     "list(string), string",
     "string",
     {JoinSeparated, JoinCost, JoinEstimate, kCostByName}},
    {"lastIndexOf",
     "string_last_index_of_string",
     kMember,
     "string, string",
     "int",
     {LastIndexOf, cost::Traversal, estimate::Traverse, kCostByName}},
    {"lastIndexOf",
     "string_last_index_of_string_int",
     kMember,
     "string, string, int",
     "int",
     {LastIndexOfFrom, cost::Traversal, estimate::Traverse, kVariadic | kCostByName}},
    {"lowerAscii",
     "string_lower_ascii",
     kMember,
     "string",
     "string",
     {ShiftAscii<'A', 'Z', 'a' - 'A'>, cost::ReceiverText, TransformEstimate, kCostByName}},
    {"replace",
     "string_replace_string_string",
     kMember,
     "string, string, string",
     "string",
     {Replace, cost::ReceiverTwice, ReplaceEstimate, kVariadic | kCostByName}},
    {"replace",
     "string_replace_string_string_int",
     kMember,
     "string, string, string, int",
     "string",
     {ReplaceSome, cost::ReceiverTwice, ReplaceEstimate, kVariadic | kCostByName}},
    {"split",
     "string_split_string",
     kMember,
     "string, string",
     "list(string)",
     {Split, cost::ReceiverTwice, SplitEstimate, kCostByName}},
    {"split",
     "string_split_string_int",
     kMember,
     "string, string, int",
     "list(string)",
     {SplitSome, cost::ReceiverTwice, SplitEstimate, kVariadic | kCostByName}},
    {"strings.quote",
     "strings_quote",
     kGlobal,
     "string",
     "string",
     {Quote, cost::ReceiverText, QuoteEstimate}},
    {"substring",
     "string_substring_int",
     kMember,
     "string, int",
     "string",
     {SubstringFrom, cost::ReceiverText, TransformEstimate, kCostByName}},
    {"substring",
     "string_substring_int_int",
     kMember,
     "string, int, int",
     "string",
     {Substring, cost::ReceiverText, TransformEstimate, kVariadic | kCostByName}},
    {"trim",
     "string_trim",
     kMember,
     "string",
     "string",
     {Trim, cost::ReceiverText, TransformEstimate, kCostByName}},
    {"upperAscii",
     "string_upper_ascii",
     kMember,
     "string",
     "string",
     {ShiftAscii<'a', 'z', 'A' - 'a'>, cost::ReceiverText, TransformEstimate, kCostByName}},
};

}  // namespace

void DeclareStrings(Environment& environment) { Declare(environment, kRows); }

}  // namespace quadra::cel

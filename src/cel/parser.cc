#include "cel/parser.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <limits>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "absl/container/inlined_vector.h"
#include "cel/ast_builder.h"
#include "cel/checked.h"
#include "cel/issues.h"
#include "cel/lexer.h"
#include "cel/macros.h"
#include "cel/source.h"
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

// A part of the tree, and how many counted constructs lie on its longest path.
struct Part {
  NodeId node = kNoNode;
  std::uint32_t height = 0;
};

using Nodes = absl::InlinedVector<NodeId, 8>;

class Parser {
 public:
  Parser(const Options& options, Ast& ast, Tokens tokens, IssueList& issues)
      : options_(options),
        ast_(ast),
        builder_(ast),
        tokens_(std::move(tokens.tokens)),
        issues_(issues) {
    for (LexicalError& error : tokens.errors) {
      issues_.Report(error.position, std::move(error.message));
    }
    ast.nodes.reserve(tokens_.size() + 8);
    ast.links.reserve(tokens_.size() + 8);
  }

  void Run() {
    ast_.root = Expression().node;
    if (!At(TokenKind::kEnd)) {
      Unexpected("an operator or the end of the expression");
    }
  }

 private:
  // Counts a rule of the grammar while it is being read.
  class Rule {
   public:
    Rule(Parser& parser, std::uint32_t& depth) : depth_(depth) {
      if (++depth_ > kRuleLimit) {
        parser.TooDeep(fmt::format("expression recursion limit exceeded: {}", kRuleLimit));
      }
    }
    ~Rule() { --depth_; }
    Rule(const Rule&) = delete;
    Rule& operator=(const Rule&) = delete;

   private:
    std::uint32_t& depth_;
  };

  const Token& Current() const { return tokens_[cursor_]; }
  bool At(TokenKind kind) const { return Current().kind == kind; }
  const Token& Ahead(std::size_t n) const {
    return tokens_[std::min(cursor_ + n, tokens_.size() - 1)];
  }
  std::string_view Text(const Token& token) const { return token.text(ast_.source); }

  Token Take() {
    const Token token = Current();
    cursor_ += token.kind == TokenKind::kEnd ? 0 : 1;
    return token;
  }
  bool Skip(TokenKind kind) {
    const bool found = At(kind);
    cursor_ += found && kind != TokenKind::kEnd ? 1 : 0;
    return found;
  }

  void Complain(std::uint32_t position, std::string message) {
    issues_.Report(position, std::move(message));
  }
  // Complains unless parsing has stopped already, and reads no further.
  void Stop(std::uint32_t position, std::string message) {
    if (!stopped_) {
      Complain(position, std::move(message));
    }
    ReadNoFurther();
  }
  void TooDeep(std::string message) {
    if (!too_deep_) {
      issues_.ReportNowhere(std::move(message));
    }
    too_deep_ = true;
    ReadNoFurther();
  }
  void ReadNoFurther() {
    stopped_ = true;
    cursor_ = tokens_.size() - 1;
  }
  void Unexpected(std::string_view wanted) {
    if (At(TokenKind::kEnd)) {
      Stop(Current().position, fmt::format("the expression ends where {} is needed", wanted));
    } else {
      Stop(Current().position,
           fmt::format("'{}' stands where {} is needed", Text(Current()), wanted));
    }
  }
  void Expect(TokenKind kind, std::string_view wanted) {
    if (!Skip(kind)) {
      Unexpected(wanted);
    }
  }

  // Wraps a node that counts towards kTreeLimit.
  Part Counted(NodeId node, std::uint32_t below) {
    if (below + 1 > kTreeLimit) {
      TooDeep("max recursion depth exceeded");
    }
    return {node, below + 1};
  }

  Part Broken() { return {builder_.Constant(Current().position, std::monostate()), 0}; }

  // expr: or ('?' or ':' expr)?
  Part Expression() {
    const Rule rule(*this, expression_depth_);
    const Part condition = stopped_ ? Broken() : Or();
    if (!At(TokenKind::kQuestion)) {
      return condition;
    }
    const Token op = Take();
    const Part yes = Or();
    Expect(TokenKind::kColon, "':'");
    const Part no = Expression();
    return Counted(
        builder_.Call(op.position, operators::kConditional, {condition.node, yes.node, no.node}),
        std::max({condition.height, yes.height, no.height}));
  }

  Part Or() { return Chain(TokenKind::kOr, operators::kOr, &Parser::And); }
  Part And() { return Chain(TokenKind::kAnd, operators::kAnd, &Parser::Relation); }

  // Operands joined by && or ||, as a balanced tree.
  Part Chain(TokenKind kind, std::string_view function, Part (Parser::*operand)()) {
    Part first = (this->*operand)();
    if (!At(kind)) {
      return first;
    }
    Nodes terms = {first.node};
    absl::InlinedVector<std::uint32_t, 8> places;
    while (At(kind)) {
      places.push_back(Take().position);
      const Part next = (this->*operand)();
      terms.push_back(next.node);
      first.height = std::max(first.height, next.height);
    }
    return {Balance(function, terms, places, 0, places.size() - 1), first.height};
  }

  NodeId Balance(std::string_view function, std::span<const NodeId> terms,
                 std::span<const std::uint32_t> places, std::size_t low, std::size_t high) {
    const std::size_t middle = (low + high + 1) / 2;
    const NodeId left =
        middle == low ? terms[middle] : Balance(function, terms, places, low, middle - 1);
    const NodeId right =
        middle == high ? terms[middle + 1] : Balance(function, terms, places, middle + 1, high);
    return builder_.Call(places[middle], function, {left, right});
  }

  static std::string_view RelationOf(TokenKind kind) {
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

  Part Relation() {
    const Rule rule(*this, relation_depth_);
    Part left = Calculation(0);
    while (true) {
      const std::string_view function = RelationOf(Current().kind);
      if (function.empty()) {
        return left;
      }
      const Token op = Take();
      const Part right = RightOfRelation();
      left = Counted(builder_.Call(op.position, function, {left.node, right.node}),
                     std::max(left.height, right.height));
    }
  }

  Part RightOfRelation() {
    const Rule rule(*this, relation_depth_);
    return Calculation(0);
  }

  struct Arithmetic {
    std::string_view function;
    int precedence = 0;  // 0: none
  };
  static Arithmetic ArithmeticOf(TokenKind kind) {
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

  // Operators that bind more tightly than `floor`.
  Part Calculation(int floor) {
    const Rule rule(*this, calculation_depth_);
    Part left = Unary();
    while (true) {
      const Arithmetic arithmetic = ArithmeticOf(Current().kind);
      if (arithmetic.precedence <= floor) {
        return left;
      }
      const Token op = Take();
      const Part right = Calculation(arithmetic.precedence);
      left = Counted(builder_.Call(op.position, arithmetic.function, {left.node, right.node}),
                     std::max(left.height, right.height));
    }
  }

  // Pairs of signs cancel out; a single minus before a number belongs to it.
  Part Unary() {
    const TokenKind kind = Current().kind;
    if ((kind != TokenKind::kNot && kind != TokenKind::kMinus) || AtNegativeNumber()) {
      return Member();
    }
    const std::uint32_t position = Current().position;
    bool odd = false;
    while (Skip(kind)) {
      odd = !odd;
    }
    const Part operand = Member();
    if (!odd) {
      return operand;
    }
    const std::string_view function =
        kind == TokenKind::kNot ? operators::kNot : operators::kNegate;
    return {builder_.Call(position, function, {operand.node}), operand.height};
  }

  bool AtNegativeNumber() const {
    return At(TokenKind::kMinus) &&
           (Ahead(1).kind == TokenKind::kInt || Ahead(1).kind == TokenKind::kDouble);
  }

  Part Member() {
    Part part = Primary();
    while (true) {
      if (At(TokenKind::kDot)) {
        part = Select(part);
      } else if (At(TokenKind::kLeftBracket)) {
        part = Index(part);
      } else {
        return part;
      }
    }
  }

  Part Select(Part operand) {
    const Token dot = Take();
    const bool optional = Skip(TokenKind::kQuestion);
    const Token name = Current();
    if (name.kind != TokenKind::kIdentifier && name.kind != TokenKind::kQuotedIdentifier) {
      Unexpected("a field name");
      return Counted(Broken().node, operand.height);
    }
    Take();
    if (!optional && name.kind == TokenKind::kIdentifier && At(TokenKind::kLeftParen)) {
      return MemberCall(operand, Text(name));
    }
    const std::string_view field = FieldName(name);
    if (!optional) {
      return Counted(builder_.Select(dot.position, operand.node, field, false), operand.height);
    }
    if (!options_.optional_syntax) {
      Complain(dot.position, "'.?' is not supported here");
    }
    const NodeId key = builder_.Constant(name.position, field);
    return Counted(builder_.Call(dot.position, operators::kOptionalSelect, {operand.node, key}),
                   operand.height);
  }

  std::string_view FieldName(const Token& name) {
    const std::string_view text = Text(name);
    if (name.kind == TokenKind::kIdentifier) {
      return text;
    }
    if (!options_.backquoted_fields) {
      Complain(name.position, "names between back quotes are not supported here");
    }
    return text.substr(1, text.size() - 2);
  }

  Part MemberCall(Part receiver, std::string_view function) {
    const Token open = Take();
    Nodes children = {receiver.node};
    const std::uint32_t height = std::max(receiver.height, Arguments(children));
    const MacroCall call{.function = function,
                         .position = open.position,
                         .receiver = receiver.node,
                         .arguments = std::span(children).subspan(1)};
    const NodeId expanded = Expand(call);
    return Counted(
        expanded != kNoNode ? expanded : builder_.MemberCall(open.position, function, children),
        height);
  }

  // Reads up to and with the closing parenthesis; returns the height of the highest argument.
  std::uint32_t Arguments(Nodes& arguments) {
    std::uint32_t height = 0;
    if (Skip(TokenKind::kRightParen)) {
      return height;
    }
    do {
      const Part argument = Expression();
      arguments.push_back(argument.node);
      height = std::max(height, argument.height);
    } while (Skip(TokenKind::kComma));
    Expect(TokenKind::kRightParen, "',' or ')'");
    return height;
  }

  // kNoNode if the call is no macro.
  NodeId Expand(const MacroCall& call) {
    std::optional<Expansion> expansion = ExpandMacro(builder_, options_, call);
    if (!expansion) {
      return kNoNode;
    }
    if (builder_.too_large()) {
      Stop(call.position, "the macros of this expression make it too large");
    }
    if (expansion->node == kNoNode) {
      Complain(ast_.nodes[expansion->error_at].position, std::move(expansion->error));
      return Broken().node;
    }
    return expansion->node;
  }

  Part Index(Part operand) {
    const Token open = Take();
    const bool optional = Skip(TokenKind::kQuestion);
    if (optional && !options_.optional_syntax) {
      Complain(open.position, "'[?' is not supported here");
    }
    const Part index = Expression();
    Expect(TokenKind::kRightBracket, "']'");
    return Counted(
        builder_.Call(open.position, optional ? operators::kOptionalIndex : operators::kIndex,
                      {operand.node, index.node}),
        std::max(operand.height, index.height));
  }

  Part Primary() {
    switch (Current().kind) {
      case TokenKind::kDot:
      case TokenKind::kIdentifier:
        return AtMessage() ? Message() : Name();
      case TokenKind::kLeftParen:
        return Nested();
      case TokenKind::kLeftBracket:
        return List();
      case TokenKind::kLeftBrace:
        return Map();
      default:
        return Literal();
    }
  }

  Part Nested() {
    Take();
    const Part inner = Expression();
    Expect(TokenKind::kRightParen, "')'");
    return inner;
  }

  // Whether a.b.c{ follows.
  bool AtMessage() const {
    std::size_t n = At(TokenKind::kDot) ? 1 : 0;
    while (Ahead(n).kind == TokenKind::kIdentifier && Ahead(n + 1).kind == TokenKind::kDot) {
      n += 2;
    }
    return Ahead(n).kind == TokenKind::kIdentifier && Ahead(n + 1).kind == TokenKind::kLeftBrace;
  }

  Part Message() {
    std::string name;
    while (!At(TokenKind::kLeftBrace)) {
      name += Text(Take());
    }
    const Token open = Take();
    std::vector<AstBuilder::FieldName> fields;
    Elements values;
    ReadElements(TokenKind::kRightBrace, "',' or '}'", [&] {
      ReadOptionalMark(values);
      const Token field = Current();
      if (field.kind != TokenKind::kIdentifier && field.kind != TokenKind::kQuotedIdentifier) {
        return Unexpected("a field name");
      }
      Take();
      fields.push_back({FieldName(field), Current().position});
      Expect(TokenKind::kColon, "':'");
      values.Add(Expression());
    });
    return Finish(
        builder_.Struct(open.position, builder_.Keep(std::move(name)), fields, values.nodes),
        values);
  }

  // What stands between brackets or braces.
  struct Elements {
    Nodes nodes;
    absl::InlinedVector<std::size_t, 2> optional;
    std::uint32_t height = 0;

    void Add(Part part) {
      nodes.push_back(part.node);
      height = std::max(height, part.height);
    }
  };

  // Elements with commas between them, up to and with `closing`. A comma may stand after the last
  // one, or alone.
  template <typename Read>
  void ReadElements(TokenKind closing, std::string_view wanted, Read read) {
    if (!At(closing) && !Skip(TokenKind::kComma)) {
      do {
        read();
      } while (Skip(TokenKind::kComma) && !At(closing));
    }
    Expect(closing, wanted);
  }

  void ReadOptionalMark(Elements& elements) {
    if (!At(TokenKind::kQuestion)) {
      return;
    }
    const Token mark = Take();
    elements.optional.push_back(elements.nodes.size());
    if (!options_.optional_syntax) {
      Complain(mark.position, "'?' is not supported here");
    }
  }

  Part Finish(NodeId node, const Elements& elements) {
    for (const std::size_t child : elements.optional) {
      builder_.MarkOptional(node, child);
    }
    return {node, elements.height};
  }

  Part Name() {
    const std::uint32_t position = Current().position;
    const bool absolute = Skip(TokenKind::kDot);
    const Token token = Current();
    if (token.kind != TokenKind::kIdentifier) {
      Unexpected("a name");
      return Broken();
    }
    Take();
    std::string_view name = Text(token);
    const bool reserved = IsReserved(name);
    if (reserved) {
      Complain(position, fmt::format("'{}' is a reserved word and cannot be a name", name));
    }
    if (absolute) {
      name = builder_.Keep(fmt::format(".{}", name));
    }
    if (At(TokenKind::kLeftParen)) {
      return GlobalCall(name, reserved);
    }
    return {builder_.Ident(token.position, name), 0};
  }

  Part GlobalCall(std::string_view function, bool reserved) {
    const Token open = Take();
    Nodes arguments;
    const std::uint32_t height = Arguments(arguments);
    const NodeId expanded =
        reserved
            ? kNoNode
            : Expand({.function = function, .position = open.position, .arguments = arguments});
    return {expanded != kNoNode ? expanded : builder_.Call(open.position, function, arguments),
            height};
  }

  Part List() {
    const Token open = Take();
    Elements elements;
    ReadElements(TokenKind::kRightBracket, "',' or ']'", [&] {
      ReadOptionalMark(elements);
      elements.Add(Expression());
    });
    return Finish(builder_.List(open.position, elements.nodes), elements);
  }

  Part Map() {
    const Token open = Take();
    Elements entries;
    ReadElements(TokenKind::kRightBrace, "',' or '}'", [&] {
      ReadOptionalMark(entries);
      entries.Add(Expression());
      Expect(TokenKind::kColon, "':'");
      entries.Add(Expression());
    });
    return Finish(builder_.Map(open.position, entries.nodes), entries);
  }

  Part Literal() {
    const std::uint32_t position = Current().position;
    const bool negative = Skip(TokenKind::kMinus);
    const Token token = Current();
    if (negative && token.kind != TokenKind::kInt && token.kind != TokenKind::kDouble) {
      Unexpected("a number");
      return Broken();
    }
    const std::optional<cel::Constant> value = LiteralValue(token, negative, position);
    if (!value) {
      return Broken();
    }
    Take();
    return {builder_.Constant(position, *value), 0};
  }

  std::optional<cel::Constant> LiteralValue(const Token& token, bool negative,
                                            std::uint32_t position) {
    switch (token.kind) {
      case TokenKind::kInt:
        return IntValue(Text(token), negative, position);
      case TokenKind::kUint:
        return UintValue(Text(token), position);
      case TokenKind::kDouble:
        return DoubleValue(Text(token), negative, position);
      case TokenKind::kString:
        return TextValue(token, false);
      case TokenKind::kBytes:
        return Bytes{TextValue(token, true)};
      case TokenKind::kTrue:
        return true;
      case TokenKind::kFalse:
        return false;
      case TokenKind::kNull:
        return std::monostate();
      default:
        Unexpected("a value");
        return std::nullopt;
    }
  }

  // The digits' value; complains and gives 0 if it is beyond `limit`.
  std::uint64_t Digits(std::string_view text, std::uint64_t limit, std::uint32_t position,
                       std::string_view type) {
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

  cel::Constant IntValue(std::string_view text, bool negative, std::uint32_t position) {
    constexpr std::uint64_t kMost = std::numeric_limits<std::int64_t>::max();
    const std::uint64_t value = Digits(text, kMost + (negative ? 1 : 0), position, "an int");
    return static_cast<std::int64_t>(negative ? 0 - value : value);
  }

  cel::Constant UintValue(std::string_view text, std::uint32_t position) {
    return Digits(text.substr(0, text.size() - 1), std::numeric_limits<std::uint64_t>::max(),
                  position, "a uint");
  }

  cel::Constant DoubleValue(std::string_view text, bool negative, std::uint32_t position) {
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

  std::string_view TextValue(const Token& token, bool bytes) {
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

  const Options& options_;
  Ast& ast_;
  AstBuilder builder_;
  std::vector<Token> tokens_;
  std::size_t cursor_ = 0;
  IssueList& issues_;
  bool stopped_ = false;
  bool too_deep_ = false;
  std::uint32_t expression_depth_ = 0;
  std::uint32_t relation_depth_ = 0;
  std::uint32_t calculation_depth_ = 0;
};

}  // namespace

ParseOutcome Parse(const Environment& environment, std::string_view expression) {
  auto ast = std::make_unique<Ast>();
  ast->source = ToValidUtf8(expression);
  IssueList issues;
  if (const std::uint32_t size = CountCodePoints(ast->source); size > kCodePointLimit) {
    issues.ReportNowhere(fmt::format("expression code point size exceeds limit: size: {}, limit {}",
                                     size, kCodePointLimit));
  } else {
    Parser(environment.options, *ast, Lex(ast->source), issues).Run();
  }
  if (issues.empty()) {
    return {.ast = std::move(ast)};
  }
  return {.issues = std::move(issues).Sorted(ast->source)};
}

}  // namespace quadra::cel

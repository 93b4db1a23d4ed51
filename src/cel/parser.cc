#include "cel/parser.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "cel/checked.h"
#include "cel/issues.h"
#include "cel/parse_actions.h"
#include "cel/recovery.h"
#include "cel/source.h"
#include "cel/unicode.h"

namespace quadra::cel {
namespace {

class Parser {
 public:
  Parser(const Options& options, Ast& ast, const std::vector<Token>& tokens)
      : ast_(ast), actions_(options, ast), tokens_(tokens) {
    ast.nodes.reserve(tokens_.size() + 8);
    ast.links.reserve(tokens_.size() + 8);
  }

  struct Parse {
    std::vector<Complaint> complaints;
    std::string too_deep;              // empty unless a limit was reached
    std::optional<Complaint> grammar;  // the first token that cannot stand where it stands
  };

  Parse Run() {
    ast_.root = Expression().node;
    if (!At(TokenKind::kEnd)) {
      Unexpected("an operator or the end of the expression");
    }
    parse_.complaints = std::move(actions_.complaints());
    return std::move(parse_);
  }

 private:
  // Counts a rule of the grammar while it is being read.
  class Rule {
   public:
    Rule(Parser& parser, std::uint32_t& depth) : depth_(depth) {
      if (++depth_ > kRuleLimit) {
        parser.TooDeep(kRuleLimitWords);
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
  AstBuilder& builder() { return actions_.builder(); }

  Token Take() {
    const Token token = Current();
    cursor_ += token.kind == TokenKind::kEnd ? 0 : 1;
    return token;
  }
  bool Skip(TokenKind kind) {
    const bool found = At(kind);
    cursor_ += found ? 1 : 0;
    return found;
  }

  void TooDeep(std::string_view words) {
    if (parse_.too_deep.empty()) {
      parse_.too_deep = words;
    }
    Stop();
  }
  void Unexpected(std::string_view wanted) {
    if (!stopped_) {
      parse_.grammar = {
          Current().position,
          At(TokenKind::kEnd)
              ? fmt::format("the expression ends where {} is needed", wanted)
              : fmt::format("'{}' stands where {} is needed", actions_.Text(Current()), wanted)};
    }
    Stop();
  }
  // Reads no further.
  void Stop() {
    stopped_ = true;
    cursor_ = tokens_.size() - 1;
  }
  void Expect(TokenKind kind, std::string_view wanted) {
    if (!Skip(kind)) {
      Unexpected(wanted);
    }
  }

  // Wraps a node that counts towards kTreeLimit.
  Part Counted(NodeId node, std::uint32_t below) {
    if (below + 1 > kTreeLimit) {
      TooDeep(kTreeLimitWords);
    }
    if (builder().too_large() && !stopped_) {
      actions_.Complain(Current().position, "the macros of this expression make it too large");
      Stop();
    }
    return {node, below + 1};
  }

  Part Missing() { return {actions_.Missing(Current().position), 0}; }

  // expr: or ('?' or ':' expr)?
  Part Expression() {
    const Rule rule(*this, expression_depth_);
    const Part condition = stopped_ ? Missing() : Or();
    if (!At(TokenKind::kQuestion)) {
      return condition;
    }
    const Token op = Take();
    const Part yes = Or();
    Expect(TokenKind::kColon, "':'");
    const Part no = Expression();
    return Counted(
        builder().Call(op.position, operators::kConditional, {condition.node, yes.node, no.node}),
        std::max({condition.height, yes.height, no.height}));
  }

  Part Or() { return Chain(TokenKind::kOr, operators::kOr, &Parser::And); }
  Part And() { return Chain(TokenKind::kAnd, operators::kAnd, &Parser::Relation); }

  // Operands joined by && or ||.
  Part Chain(TokenKind kind, std::string_view function, Part (Parser::*operand)()) {
    const Part first = (this->*operand)();
    if (!At(kind)) {
      return first;
    }
    Elements terms;
    terms.Add(first);
    absl::InlinedVector<std::uint32_t, 8> places;
    while (At(kind)) {
      places.push_back(Take().position);
      terms.Add((this->*operand)());
    }
    return {actions_.Balance(function, terms.nodes, places), terms.height};
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
      left = Binary(op, function, left, RightOfRelation());
    }
  }

  Part RightOfRelation() {
    const Rule rule(*this, relation_depth_);
    return Calculation(0);
  }

  // Operators that bind more tightly than `floor`.
  Part Calculation(int floor) {
    const Rule rule(*this, calculation_depth_);
    Part left = Unary();
    while (true) {
      const BinaryOperator arithmetic = ArithmeticOf(Current().kind);
      if (arithmetic.precedence <= floor) {
        return left;
      }
      const Token op = Take();
      left = Binary(op, arithmetic.function, left, Calculation(arithmetic.precedence));
    }
  }

  Part Binary(const Token& op, std::string_view function, Part left, Part right) {
    return Counted(builder().Call(op.position, function, {left.node, right.node}),
                   std::max(left.height, right.height));
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
    return {builder().Call(position, function, {operand.node}), operand.height};
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
      return operand;
    }
    Take();
    if (!optional && name.kind == TokenKind::kIdentifier && At(TokenKind::kLeftParen)) {
      return MemberCall(operand, name);
    }
    return Counted(actions_.Select(dot, operand.node, name, optional), operand.height);
  }

  Part MemberCall(Part receiver, const Token& name) {
    const Token open = Take();
    Elements children;
    children.Add(receiver);
    ReadArguments(children);
    return Counted(actions_.MemberCall(name, open, children.nodes), children.height);
  }

  // Reads up to and with the closing parenthesis.
  void ReadArguments(Elements& arguments) {
    if (Skip(TokenKind::kRightParen)) {
      return;
    }
    do {
      arguments.Add(Expression());
    } while (Skip(TokenKind::kComma));
    Expect(TokenKind::kRightParen, "',' or ')'");
  }

  Part Index(Part operand) {
    const Token open = Take();
    const bool optional = Skip(TokenKind::kQuestion);
    if (optional) {
      actions_.UseOptional(open);
    }
    const Part index = Expression();
    Expect(TokenKind::kRightBracket, "']'");
    return Binary(open, optional ? operators::kOptionalIndex : operators::kIndex, operand, index);
  }

  Part Primary() {
    switch (Current().kind) {
      case TokenKind::kDot:
      case TokenKind::kIdentifier:
        return IsMessageAhead(tokens_, cursor_) ? Message() : Name();
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

  Part Message() {
    std::string name;
    while (!At(TokenKind::kLeftBrace)) {
      name += actions_.Text(Take());
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
      fields.push_back({actions_.FieldName(field), Current().position});
      Expect(TokenKind::kColon, "':'");
      values.Add(Expression());
    });
    return Finish(
        builder().Struct(open.position, builder().Keep(std::move(name)), fields, values.nodes),
        values);
  }

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
    if (At(TokenKind::kQuestion)) {
      actions_.UseOptional(Take());
      elements.MarkNextOptional();
    }
  }

  Part Finish(NodeId literal, const Elements& elements) {
    return {actions_.Finish(literal, elements), elements.height};
  }

  Part Name() {
    const std::uint32_t position = Current().position;
    const bool absolute = Skip(TokenKind::kDot);
    const Token name = Current();
    if (name.kind != TokenKind::kIdentifier) {
      Unexpected("a name");
      return Missing();
    }
    Take();
    if (!At(TokenKind::kLeftParen)) {
      return {actions_.Ident(name, absolute, position), 0};
    }
    const Token open = Take();
    Elements arguments;
    ReadArguments(arguments);
    return {actions_.GlobalCall(name, absolute, position, open, arguments.nodes), arguments.height};
  }

  Part List() {
    const Token open = Take();
    Elements elements;
    ReadElements(TokenKind::kRightBracket, "',' or ']'", [&] {
      ReadOptionalMark(elements);
      elements.Add(Expression());
    });
    return Finish(builder().List(open.position, elements.nodes), elements);
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
    return Finish(builder().Map(open.position, entries.nodes), entries);
  }

  Part Literal() {
    const std::uint32_t position = Current().position;
    const bool negative = Skip(TokenKind::kMinus);
    const Token token = Current();
    const bool fits = negative ? token.kind == TokenKind::kInt || token.kind == TokenKind::kDouble
                               : IsLiteral(token.kind);
    if (!fits) {
      Unexpected(negative ? "a number" : "a value");
      return Missing();
    }
    Take();
    return {actions_.Literal(token, negative, position), 0};
  }

  Ast& ast_;
  ParseActions actions_;
  const std::vector<Token>& tokens_;
  std::size_t cursor_ = 0;
  Parse parse_;
  bool stopped_ = false;
  std::uint32_t expression_depth_ = 0;
  std::uint32_t relation_depth_ = 0;
  std::uint32_t calculation_depth_ = 0;
};

void Report(std::vector<Complaint> complaints, IssueList& issues) {
  for (Complaint& complaint : complaints) {
    issues.Report(complaint.position, std::move(complaint.message));
  }
}

// Reads the tokens; if they break the grammar, finds out what upstream would say besides.
void ParseTokens(const Options& options, Ast& ast, const std::vector<Token>& tokens,
                 IssueList& issues) {
  Parser::Parse parse = Parser(options, ast, tokens).Run();
  if (parse.grammar) {
    issues.Report(parse.grammar->position, std::move(parse.grammar->message));
    Recovered recovered = Recover(options, ast.source, tokens);
    parse.complaints = std::move(recovered.complaints);
    parse.too_deep = std::move(recovered.too_deep);
  }
  if (!parse.too_deep.empty()) {
    issues.ReportNowhere(std::move(parse.too_deep));
  }
  Report(std::move(parse.complaints), issues);
}

}  // namespace

bool IsMessageAhead(const std::vector<Token>& tokens, std::size_t cursor) {
  const auto kind = [&](std::size_t n) {
    return tokens[std::min(cursor + n, tokens.size() - 1)].kind;
  };
  std::size_t n = kind(0) == TokenKind::kDot ? 1 : 0;
  while (kind(n) == TokenKind::kIdentifier && kind(n + 1) == TokenKind::kDot) {
    n += 2;
  }
  return kind(n) == TokenKind::kIdentifier && kind(n + 1) == TokenKind::kLeftBrace;
}

bool IsLiteral(TokenKind kind) { return kind >= TokenKind::kInt && kind <= TokenKind::kNull; }

ParseOutcome Parse(const Environment& environment, std::string_view expression) {
  auto ast = std::make_unique<Ast>();
  ast->source = ToValidUtf8(expression);
  IssueList issues;
  if (const std::size_t size = RuneCount(ast->source); size > kCodePointLimit) {
    issues.ReportNowhere(fmt::format("expression code point size exceeds limit: size: {}, limit {}",
                                     size, kCodePointLimit));
  } else {
    Tokens lexed = Lex(ast->source);
    for (LexicalError& error : lexed.errors) {
      issues.Report(error.position, std::move(error.message));
    }
    ParseTokens(environment.options, *ast, lexed.tokens, issues);
  }
  if (issues.empty()) {
    return {.ast = std::move(ast)};
  }
  return {.issues = std::move(issues).Sorted(ast->source)};
}

}  // namespace quadra::cel

#include "cel/recovery.h"

#include <algorithm>
#include <initializer_list>
#include <optional>
#include <utility>

#include "cel/issues.h"
#include "cel/parser.h"

namespace quadra::cel {
namespace {

// A set of tokens.
class TokenSet {
 public:
  constexpr TokenSet() = default;
  constexpr TokenSet(
      std::initializer_list<TokenKind> kinds) {  // NOLINT(google-explicit-constructor)
    for (const TokenKind kind : kinds) {
      bits_ |= Bit(kind);
    }
  }
  constexpr bool Has(TokenKind kind) const { return (bits_ & Bit(kind)) != 0; }
  constexpr TokenSet operator|(TokenSet other) const {
    TokenSet both;
    both.bits_ = bits_ | other.bits_;
    return both;
  }

 private:
  static constexpr std::uint64_t Bit(TokenKind kind) {
    return std::uint64_t{1} << static_cast<unsigned>(kind);
  }
  std::uint64_t bits_ = 0;
};

using enum TokenKind;

constexpr TokenSet kNothing;
constexpr TokenSet kPrimaryStart = {kIdentifier, kDot,   kLeftParen, kLeftBracket, kLeftBrace,
                                    kInt,        kUint,  kDouble,    kString,      kBytes,
                                    kTrue,       kFalse, kNull,      kMinus};
constexpr TokenSet kStart = kPrimaryStart | TokenSet{kNot};  // of an expression
constexpr TokenSet kOptionalStart = kStart | TokenSet{kQuestion};
constexpr TokenSet kName = {kIdentifier, kQuotedIdentifier};
constexpr TokenSet kField = kName | TokenSet{kQuestion};
constexpr TokenSet kRelations = {kLess,     kLessEqual, kGreaterEqual, kGreater, kEqual,
                                 kNotEqual, kIn};
constexpr TokenSet kProducts = {kStar, kSlash, kPercent};
constexpr TokenSet kSums = {kPlus, kMinus};
constexpr TokenSet kMembers = {kDot, kLeftBracket};

// What may follow somewhere in a rule; `end`: the rule may also be over there.
struct Follow {
  TokenSet tokens;
  bool end = false;
};

constexpr std::uint32_t kMostRepairs = 30;
constexpr std::uint32_t kMostSkipped = 256;
constexpr std::string_view kSkippedWords = "error recovery token lookahead limit exceeded: 256";
// Where upstream places what it could not read at all.
constexpr std::uint32_t kBeforeStart = IssuePlace::kBeforeStart;

class Recovery {
 public:
  Recovery(const Options& options, Ast& ast, const std::vector<Token>& tokens)
      : actions_(options, ast), tokens_(tokens) {}

  Recovered Run() {
    Enter({{kEnd}}, &Recovery::Expression);
    Match(kEnd, {}, 36);
    if (aborted_) {
      return {.too_deep = std::move(too_deep_)};
    }
    return {.complaints = std::move(actions_.complaints()), .too_deep = std::move(too_deep_)};
  }

 private:
  // Tokens -------------------------------------------------------------------------------------

  const Token& Current() const { return tokens_[cursor_]; }
  TokenKind Kind(std::size_t ahead = 0) const {
    return tokens_[std::min(cursor_ + ahead, tokens_.size() - 1)].kind;
  }
  bool At(TokenKind kind) const { return Kind() == kind; }
  void Consume() { cursor_ += At(kEnd) ? 0 : 1; }
  // The token that is known to be at hand.
  Token Take() {
    const Token token = Current();
    EndRepair();
    Consume();
    return token;
  }
  bool Skip(TokenKind kind) {
    const bool found = At(kind);
    if (found) {
      Take();
    }
    return found;
  }
  AstBuilder& builder() { return actions_.builder(); }

  // Reads no further; upstream then never judges what it read.
  void Abort(std::string_view words) {
    if (!aborted_) {
      too_deep_ = words;
    }
    aborted_ = true;
    cursor_ = tokens_.size() - 1;
  }

  // ANTLR's default error strategy --------------------------------------------------------------

  void EndRepair() {
    repairing_ = false;
    last_fault_.reset();
    fault_states_.clear();
  }

  // Whether `kind` may come next, given what may follow here and in the rules around.
  bool Fits(TokenKind kind, Follow here) const {
    bool end = here.end;
    bool fits = here.tokens.Has(kind);
    for (std::size_t i = frames_.size(); !fits && end && i-- > 0;) {
      fits = frames_[i].tokens.Has(kind);
      end = frames_[i].end;
    }
    return fits;
  }

  void CountRepair() {
    if (repairs_ == kMostRepairs) {
      Abort({});
    }
    ++repairs_;
  }

  // Takes `kind`, if need be by dropping a token before it or by pretending that it is there, which
  // is possible if what is there may follow it. False if neither works.
  bool Match(TokenKind kind, Follow after, int state) {
    if (At(kind)) {
      Take();
      return true;
    }
    CountRepair();
    if (aborted_) {
      return true;
    }
    if (Kind(1) == kind && !At(kEnd)) {
      Consume();
      Take();
      return true;
    }
    if (Fits(Kind(), after)) {
      repairing_ = true;
      return true;
    }
    Fault(state);
    return false;
  }

  // Sees to it that one of `wanted` is at hand, by dropping a token.
  bool Sync(TokenSet wanted, int state) {
    if (repairing_ || wanted.Has(Kind())) {
      return true;
    }
    if (!At(kEnd) && wanted.Has(Kind(1))) {
      Consume();
      EndRepair();
      return true;
    }
    Fault(state);
    return false;
  }

  // The same at the end of a round of a loop, by dropping as many as needed.
  void SyncLoop(TokenSet wanted) {
    if (repairing_ || wanted.Has(Kind())) {
      return;
    }
    repairing_ = true;
    SkipTo(wanted | AllFollows(), nullptr);
  }

  TokenSet AllFollows() const {
    TokenSet all;
    for (const Follow& frame : frames_) {
      all = all | frame.tokens;
    }
    return all;
  }

  void SkipTo(TokenSet set, std::uint32_t* skipped) {
    while (!At(kEnd) && !set.Has(Kind())) {
      if (skipped != nullptr && (*skipped)++ >= kMostSkipped) {
        return Abort(kSkippedWords);
      }
      Consume();
    }
  }

  // Gives up the rule at hand: skips to what may follow it or a rule around it.
  void Fault(int state) {
    repairing_ = true;
    CountRepair();
    std::uint32_t skipped = 0;
    if (last_fault_ == cursor_ && std::ranges::find(fault_states_, state) != fault_states_.end()) {
      ++skipped;
      Consume();
    }
    last_fault_ = cursor_;
    fault_states_.push_back(state);
    SkipTo(AllFollows(), &skipped);
  }

  // Rules ---------------------------------------------------------------------------------------

  template <typename Result>
  Result Enter(Follow follow, Result (Recovery::*rule)()) {
    frames_.push_back(follow);
    Result result = (this->*rule)();
    frames_.pop_back();
    return result;
  }
  template <typename Result, typename Argument>
  Result Enter(Follow follow, Result (Recovery::*rule)(Argument), Argument argument) {
    frames_.push_back(follow);
    Result result = (this->*rule)(argument);
    frames_.pop_back();
    return result;
  }

  bool CountRule(std::uint32_t& depth) {
    if (++depth > kRuleLimit) {
      Abort(kRuleLimitWords);
    }
    return !aborted_;
  }

  Part Counted(NodeId node, std::uint32_t below) {
    if (below + 1 > kTreeLimit && too_deep_.empty()) {
      too_deep_ = kTreeLimitWords;
    }
    if (builder().too_large()) {
      Abort({});
    }
    return {node, below + 1};
  }

  Part Missing() { return {actions_.Missing(kBeforeStart), 0}; }

  Part Expression() {
    if (!CountRule(expression_depth_)) {
      --expression_depth_;
      return Missing();
    }
    Part part = Enter({{kQuestion}, true}, &Recovery::Or);
    if (At(kQuestion)) {
      part = Conditional(part);
    }
    --expression_depth_;
    return part;
  }

  Part Conditional(Part condition) {
    const Token op = Take();
    const Part yes = Enter({{kColon}}, &Recovery::Or);
    const Part no =
        Match(kColon, {kStart}, 40) ? Enter({kNothing, true}, &Recovery::Expression) : Missing();
    return Counted(
        builder().Call(op.position, operators::kConditional, {condition.node, yes.node, no.node}),
        std::max({condition.height, yes.height, no.height}));
  }

  Part Or() { return Chain(kOr, operators::kOr, &Recovery::And); }
  Part And() { return Chain(kAnd, operators::kAnd, &Recovery::FirstRelation); }
  Part FirstRelation() { return Relation(true); }

  Part Chain(TokenKind kind, std::string_view function, Part (Recovery::*operand)()) {
    Elements terms;
    absl::InlinedVector<std::uint32_t, 8> places;
    terms.Add(Enter({{kind}, true}, operand));
    while (At(kind)) {
      places.push_back(Take().position);
      terms.Add(Enter({{kind}, true}, operand));
    }
    return {places.empty() ? terms.nodes[0] : actions_.Balance(function, terms.nodes, places),
            terms.height};
  }

  // Only the leftmost relation of a chain takes the following operators.
  Part Relation(bool leftmost) {
    CountRule(relation_depth_);
    Part left = Enter({kRelations, true}, &Recovery::Calculation, 0);
    while (leftmost && kRelations.Has(Kind())) {
      const Token op = Take();
      const Part right = Enter({kRelations, true}, &Recovery::Relation, false);
      left = Binary(op, RelationOf(op.kind), left, right);
    }
    --relation_depth_;
    return left;
  }

  Part Calculation(int floor) {
    CountRule(calculation_depth_);
    Part left = Enter({kProducts | kSums, true}, &Recovery::Unary);
    while (ArithmeticOf(Kind()).precedence > floor) {
      const Token op = Take();
      const BinaryOperator arithmetic = ArithmeticOf(op.kind);
      const Part right =
          Enter({kProducts | kSums, true}, &Recovery::Calculation, arithmetic.precedence);
      left = Binary(op, arithmetic.function, left, right);
    }
    --calculation_depth_;
    return left;
  }

  Part Binary(const Token& op, std::string_view function, Part left, Part right) {
    return Counted(builder().Call(op.position, function, {left.node, right.node}),
                   std::max(left.height, right.height));
  }

  bool AtNumber(std::size_t ahead) const { return Kind(ahead) == kInt || Kind(ahead) == kDouble; }

  Part Unary() {
    const std::uint32_t position = Current().position;
    if (!Sync(kStart, 99)) {
      return {builder().Constant(position, std::string_view("<<error>>")), 0};
    }
    if (At(kNot)) {
      return Signs(kNot, operators::kNot);
    }
    if (At(kMinus) && !AtNumber(1) && kPrimaryStart.Has(Kind(1))) {
      return Signs(kMinus, operators::kNegate);
    }
    if (!kPrimaryStart.Has(Kind()) || (At(kMinus) && !AtNumber(1))) {
      Fault(99);
      return {builder().Constant(position, std::string_view("<<error>>")), 0};
    }
    return Enter({kNothing, true}, &Recovery::Member);
  }

  Part Signs(TokenKind sign, std::string_view function) {
    const std::uint32_t position = Current().position;
    bool odd = false;
    bool broken = false;
    do {
      Take();
      odd = !odd;
      SyncLoop(kPrimaryStart | TokenSet{sign});
      broken = sign == kMinus &&
               (!kPrimaryStart.Has(Kind()) || (At(kMinus) && !kPrimaryStart.Has(Kind(1))));
    } while (At(sign) && !broken);
    if (broken) {
      Fault(96);
    }
    const Part operand = broken ? Missing() : Enter({kNothing, true}, &Recovery::Member);
    return odd ? Part{builder().Call(position, function, {operand.node}), operand.height} : operand;
  }

  Part Member() {
    Part part = Enter({kMembers, true}, &Recovery::Primary);
    bool more = true;
    while (more && kMembers.Has(Kind())) {
      if (At(kLeftBracket)) {
        more = Index(part);
      } else if (Kind(1) == kIdentifier && Kind(2) == kLeftParen) {
        more = MemberCall(part);
      } else if (kField.Has(Kind(1))) {
        Select(part);
      } else {
        Fault(126);
        more = false;
      }
    }
    return part;
  }

  // These replace `part`; false if the rule was given up.
  bool Index(Part& part) {
    const Token open = Take();
    bool fine = Sync(kOptionalStart, 121);
    const bool optional = fine && Skip(kQuestion);
    if (optional) {
      actions_.UseOptional(open);
    }
    const Part index = fine ? Enter({{kRightBracket}}, &Recovery::Expression) : Missing();
    fine = fine && Match(kRightBracket, {kMembers, true}, 124);
    part = Binary(open, optional ? operators::kOptionalIndex : operators::kIndex, part, index);
    return fine;
  }

  bool MemberCall(Part& part) {
    Take();
    const Token name = Take();
    const Token open = Take();
    Elements children;
    children.Add(part);
    const bool fine = Arguments(children, {kMembers, true}, 115);
    part = Counted(actions_.MemberCall(name, open, children.nodes), children.height);
    return fine;
  }

  void Select(Part& part) {
    const Token dot = Take();
    const bool optional = Skip(kQuestion);
    const std::uint32_t position = Current().position;
    const std::optional<Token> name = Enter({kMembers, true}, &Recovery::FieldName);
    if (!name) {
      actions_.Complain(position, "a field name is needed here");
    }
    const NodeId node = name       ? actions_.Select(dot, part.node, *name, optional)
                        : optional ? builder().Call(dot.position, operators::kOptionalSelect,
                                                    {part.node, actions_.Missing(position)})
                                   : builder().Select(dot.position, part.node, {}, false);
    part = Counted(node, part.height);
  }

  std::optional<Token> FieldName() {
    if (!Sync(kName, 235)) {
      return std::nullopt;
    }
    if (!kName.Has(Kind())) {
      Fault(235);
      return std::nullopt;
    }
    return Take();
  }

  // Up to and with the closing parenthesis.
  bool Arguments(Elements& arguments, Follow after, int state) {
    if (!Sync(kStart | TokenSet{kRightParen}, state)) {
      return false;
    }
    if (kStart.Has(Kind())) {
      frames_.push_back({{kRightParen}});
      do {
        arguments.Add(Enter({{kComma}, true}, &Recovery::Expression));
      } while (Skip(kComma));
      frames_.pop_back();
    }
    return Match(kRightParen, after, state + 2);
  }

  Part Primary() {
    if (!Sync(kPrimaryStart, 184)) {
      return Missing();
    }
    switch (Kind()) {
      case kLeftParen:
        return Nested();
      case kLeftBracket:
        return List();
      case kLeftBrace:
        return Map();
      case kIdentifier:
      case kDot:
        if (Kind(At(kDot) ? 1 : 0) == kIdentifier) {
          return IsMessageAhead(tokens_, cursor_) ? Message() : Name();
        }
        break;
      case kMinus:
        if (AtNumber(1)) {
          return Literal();
        }
        // The choice among literals fails, inside the rule for them.
        frames_.push_back({kNothing, true});
        Fault(256);
        frames_.pop_back();
        return Missing();
      default:
        if (IsLiteral(Kind())) {
          return Literal();
        }
    }
    Fault(184);
    return Missing();
  }

  Part Nested() {
    Take();
    const Part inner = Enter({{kRightParen}}, &Recovery::Expression);
    Match(kRightParen, {kNothing, true}, 146);
    return inner;
  }

  Part Literal() {
    const std::uint32_t position = Current().position;
    const bool negative = Skip(kMinus);
    return {actions_.Literal(Take(), negative, position), 0};
  }

  Part Name() {
    const std::uint32_t position = Current().position;
    const bool absolute = Skip(kDot);
    const Token name = Take();
    if (!At(kLeftParen)) {
      return {actions_.Ident(name, absolute, position), 0};
    }
    const Token open = Take();
    Elements arguments;
    Arguments(arguments, {kNothing, true}, 141);
    return {actions_.GlobalCall(name, absolute, position, open, arguments.nodes), arguments.height};
  }

  // What stands between `{` or `[` and its partner, by `rule`.
  void Inside(TokenSet start, TokenKind closing, int state, Elements& elements,
              void (Recovery::*rule)(Elements&)) {
    if (!Sync(start | TokenSet{kComma, closing}, state)) {
      return;
    }
    if (start.Has(Kind())) {
      frames_.push_back({{kComma, closing}});
      (this->*rule)(elements);
      frames_.pop_back();
    }
    if (Sync({kComma, closing}, state + 3)) {
      Skip(kComma);
      Match(closing, {kNothing, true}, state + 5);
    }
  }

  // Whether a comma and another element follow.
  bool NextElement(TokenSet start) {
    if (!At(kComma) || !start.Has(Kind(1))) {
      return false;
    }
    Take();
    return true;
  }

  Part List() {
    const Token open = Take();
    Elements elements;
    Inside(kOptionalStart, kRightBracket, 150, elements, &Recovery::ListElements);
    return {actions_.Finish(builder().List(open.position, elements.nodes), elements),
            elements.height};
  }

  void ListElements(Elements& elements) {
    do {
      frames_.push_back({{kComma}, true});
      elements.Add(OptionalExpression(elements));
      frames_.pop_back();
    } while (NextElement(kOptionalStart));
  }

  // optExpr: '?'? expr
  Part OptionalExpression(Elements& elements) {
    if (!Sync(kOptionalStart, 238)) {
      return Missing();
    }
    if (At(kQuestion)) {
      actions_.UseOptional(Take());
      elements.MarkNextOptional();
    }
    return Enter({kNothing, true}, &Recovery::Expression);
  }

  Part Map() {
    const Token open = Take();
    Elements entries;
    Inside(kOptionalStart, kRightBrace, 158, entries, &Recovery::MapEntries);
    return {actions_.Finish(builder().Map(open.position, entries.nodes), entries), entries.height};
  }

  // A key without a colon is not judged.
  void MapEntries(Elements& entries) {
    int state = 221;
    do {
      const std::size_t judged = actions_.complaints().size();
      frames_.push_back({{kColon}});
      const Part key = OptionalExpression(entries);
      frames_.pop_back();
      if (!Match(kColon, {kStart}, std::exchange(state, 225))) {
        actions_.complaints().resize(judged);
        return;
      }
      entries.Add(key);
      entries.Add(Enter({{kComma}, true}, &Recovery::Expression));
    } while (NextElement(kOptionalStart));
  }

  Part Message() {
    while (!At(kLeftBrace)) {
      Take();
    }
    const Token open = Take();
    Elements values;
    Inside(kField, kRightBrace, 177, values, &Recovery::Fields);
    return {builder().Struct(open.position, "message", {}, {}), values.height};
  }

  // A value whose field has no name is not judged.
  void Fields(Elements& values) {
    const std::uint32_t position = Current().position;
    int state = 203;
    do {
      frames_.push_back({{kColon}});
      const bool named = Field();
      frames_.pop_back();
      if (!Match(kColon, {kStart}, std::exchange(state, 208))) {
        return;
      }
      if (!named) {
        actions_.Complain(position, "a field name is needed here");
      }
      const std::size_t judged = actions_.complaints().size();
      values.Add(Enter({{kComma}, true}, &Recovery::Expression));
      if (!named) {
        actions_.complaints().resize(judged);
      }
    } while (NextElement(kField));
  }

  // optField: '?'? name
  bool Field() {
    if (!Sync(kField, 217)) {
      return false;
    }
    Skip(kQuestion);
    return Enter({kNothing, true}, &Recovery::FieldName).has_value();
  }

  ParseActions actions_;
  const std::vector<Token>& tokens_;
  std::size_t cursor_ = 0;
  std::vector<Follow> frames_;
  bool repairing_ = false;
  std::uint32_t repairs_ = 0;
  std::optional<std::size_t> last_fault_;
  std::vector<int> fault_states_;
  bool aborted_ = false;
  std::string too_deep_;
  std::uint32_t expression_depth_ = 0;
  std::uint32_t relation_depth_ = 0;
  std::uint32_t calculation_depth_ = 0;
};

}  // namespace

Recovered Recover(const Options& options, std::string_view source,
                  const std::vector<Token>& tokens) {
  Ast scratch;
  scratch.source = source;
  return Recovery(options, scratch, tokens).Run();
}

}  // namespace quadra::cel

#include "cel/parser.h"

#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "cel/checked.h"
#include "cel/environment.h"

namespace quadra::cel {
namespace {

const Environment& Kubernetes() {
  static const auto environment = KubernetesEnvironment({});
  return *environment;
}

struct Shown {
  std::string operator()(std::monostate) const { return "null"; }
  std::string operator()(bool value) const { return value ? "true" : "false"; }
  std::string operator()(std::int64_t value) const { return fmt::format("{}", value); }
  std::string operator()(std::uint64_t value) const { return fmt::format("{}u", value); }
  std::string operator()(double value) const { return fmt::format("{}d", value); }
  std::string operator()(std::string_view value) const { return fmt::format("\"{}\"", value); }
  std::string operator()(const Bytes& value) const { return fmt::format("b\"{}\"", value.text); }
};

std::string Show(const Ast& ast, NodeId id);

std::string ShowAll(const Ast& ast, NodeId id, std::string_view separator) {
  std::string out;
  for (std::size_t i = 0; i < ast.nodes[id].child_count; ++i) {
    out += i == 0 ? "" : separator;
    out += ast.is_optional(id, i) ? "?" : "";
    out += Show(ast, ast.child(id, i));
  }
  return out;
}

// Calls as f(x, y), members as .f(x, y), folds as fold x in range ...
std::string Show(const Ast& ast, NodeId id) {
  const Node& node = ast.nodes[id];
  switch (node.kind) {
    case NodeKind::kConstant:
      return std::visit(Shown(), ast.constant(id));
    case NodeKind::kIdent:
      return std::string(node.name);
    case NodeKind::kSelect:
      return fmt::format("{}{}.{}", node.test_only ? "has " : "", Show(ast, ast.child(id, 0)),
                         node.name);
    case NodeKind::kCall:
      return fmt::format("{}{}({})", node.has_receiver ? "." : "", node.name,
                         ShowAll(ast, id, ", "));
    case NodeKind::kList:
      return fmt::format("[{}]", ShowAll(ast, id, ", "));
    case NodeKind::kMap:
      return fmt::format("{{{}}}", ShowAll(ast, id, " "));
    case NodeKind::kStruct:
      return fmt::format("{}{{{}}}", node.name, ShowAll(ast, id, ", "));
    case NodeKind::kComprehension: {
      const Comprehension& fold = ast.comprehension(id);
      return fmt::format("fold {}{}{} into {} ({})", fold.iteration,
                         fold.iteration2.empty() ? "" : ",", fold.iteration2, fold.accumulator,
                         ShowAll(ast, id, "; "));
    }
  }
  return "?";
}

// The tree, or line:column of the first complaint.
std::string Read(std::string_view source) {
  const ParseOutcome outcome = Parse(Kubernetes(), source);
  return outcome.ast != nullptr
             ? Show(*outcome.ast, outcome.ast->root)
             : fmt::format("{}:{}", outcome.issues[0].line, outcome.issues[0].column);
}

struct Case {
  std::string_view source;
  std::string_view tree;
};

class ParserTest : public ::testing::TestWithParam<Case> {};

TEST_P(ParserTest, Reads) { EXPECT_EQ(Read(GetParam().source), GetParam().tree); }

INSTANTIATE_TEST_SUITE_P(
    Operators, ParserTest,
    ::testing::Values(Case{"1 + 2 * 3 - 4", "_-_(_+_(1, _*_(2, 3)), 4)"},
                      Case{"a < b == c", "_==_(_<_(a, b), c)"},
                      Case{"a ? b : c ? d : e", "_?_:_(a, b, _?_:_(c, d, e))"},
                      Case{"a in b", "@in(a, b)"}, Case{"!a", "!_(a)"}, Case{"!!a", "a"},
                      Case{"!!!a", "!_(a)"}, Case{"-a", "-_(a)"}, Case{"--a", "a"},
                      Case{"-1", "-1"}, Case{"--1", "1"}, Case{"---1", "-_(1)"},
                      Case{"-1u", "-_(1u)"}, Case{"2-1", "_-_(2, 1)"}, Case{"!-1", "!_(-1)"},
                      Case{"a && b && c", "_&&_(_&&_(a, b), c)"},
                      Case{"a || b || c || d", "_||_(_||_(a, b), _||_(c, d))"}));

INSTANTIATE_TEST_SUITE_P(
    Members, ParserTest,
    ::testing::Values(Case{"a.b.c", "a.b.c"}, Case{"a.`b-c`", "a.b-c"}, Case{".a.b", ".a.b"},
                      Case{"a[1]", "_[_](a, 1)"}, Case{"a[?1]", "_[?_](a, 1)"},
                      Case{"a.?b", "_?._(a, \"b\")"}, Case{"a.f(1, 2)", ".f(a, 1, 2)"},
                      Case{"f()", "f()"}, Case{".f(x)", ".f(x)"}, Case{"a.for", "a.for"},
                      Case{"a.b{c: 1, ?d: 2}", "a.b{1, ?2}"}, Case{".a{}", ".a{}"}));

INSTANTIATE_TEST_SUITE_P(Literals, ParserTest,
                         ::testing::Values(Case{"[1, ?a, 2,]", "[1, ?a, 2]"}, Case{"[,]", "[]"},
                                           Case{"{,}", "{}"},
                                           Case{"{'a': 1, ?'b': 2}", R"({"a" 1 ?"b" 2})"},
                                           Case{"null", "null"},
                                           Case{"-9223372036854775808", "-9223372036854775808"},
                                           Case{"-0x8000000000000000", "-9223372036854775808"},
                                           Case{"18446744073709551615u", "18446744073709551615u"},
                                           Case{"1e-400", "0d"}, Case{"b'a'", "b\"a\""}));

INSTANTIATE_TEST_SUITE_P(
    Macros, ParserTest,
    ::testing::Values(
        Case{"has(a.b)", "has a.b"},
        Case{"a.all(x, p)",
             "fold x into @result (a; true; @not_strictly_false(@result); "
             "_&&_(@result, p); @result)"},
        Case{"a.exists(x, p)",
             "fold x into @result (a; false; @not_strictly_false(!_(@result)); "
             "_||_(@result, p); @result)"},
        Case{"a.exists_one(x, p)",
             "fold x into @result (a; 0; true; _?_:_(p, _+_(@result, 1), "
             "@result); _==_(@result, 1))"},
        Case{"a.existsOne(k, v, p)",
             "fold k,v into @result (a; 0; true; _?_:_(p, _+_(@result, 1), "
             "@result); _==_(@result, 1))"},
        Case{"a.existsOne(x, p)", ".existsOne(a, x, p)"},
        Case{"a.map(x, p, t)",
             "fold x into @result (a; []; true; _?_:_(p, _+_(@result, [t]), "
             "@result); @result)"},
        Case{"a.filter(x, p)",
             "fold x into @result (a; []; true; _?_:_(p, _+_(@result, [x]), "
             "@result); @result)"},
        Case{"a.transformMap(k, v, t)",
             "fold k,v into @result (a; {}; true; "
             "cel.@mapInsert(@result, k, t); @result)"},
        Case{"a.transformMapEntry(k, v, p, t)",
             "fold k,v into @result (a; {}; true; _?_:_(p, cel.@mapInsert(@result, t), @result); "
             "@result)"},
        Case{"cel.bind(x, a, b)", "fold #unused into x ([]; a; false; x; b)"},
        Case{"cell.bind(x, a, b)", ".bind(cell, x, a, b)"},
        Case{"a.optMap(x, b)",
             "_?_:_(.hasValue(a), optional.of(fold #unused into x ([]; .value(a); false; x; b)), "
             "optional.none())"},
        Case{"a.sortBy(x, k)",
             "fold #unused into @__sortBy_input__ ([]; a; false; @__sortBy_input__; "
             ".@sortByAssociatedKeys(@__sortBy_input__, fold x into @result (@__sortBy_input__; "
             "[]; true; _+_(@result, [k]); @result)))"}));

// Where upstream finds the first fault.
INSTANTIATE_TEST_SUITE_P(
    Faults, ParserTest,
    ::testing::Values(Case{"", "1:-1"}, Case{"1 +", "1:3"}, Case{"(1", "1:2"}, Case{"1 2", "1:2"},
                      Case{"a ? b ? c : d : e", "1:6"}, Case{"f(1,)", "1:4"}, Case{"a.", "1:2"},
                      Case{"a.in", "1:2"}, Case{"for", "1:0"}, Case{"a\n + #", "2:3"},
                      Case{"1e400", "1:0"}, Case{"9223372036854775808", "1:0"},
                      Case{"0x8000000000000000", "1:0"}, Case{"--9223372036854775808", "1:2"},
                      Case{"!-a", "1:2"}, Case{"-!a", "1:1"}, Case{"[, 1]", "1:3"},
                      Case{"[1,, 2]", "1:3"}, Case{"a[0].b{}", "1:6"}, Case{"'\\ud800'", "1:0"},
                      Case{"[1].all(1, true)", "1:8"}, Case{"[1].all(x, x, true)", "1:11"},
                      Case{"has(a)", "1:4"}, Case{"99999999999999999999 + +", "1:0"}));

// Where upstream's earliest complaint is about what it made of broken grammar.
INSTANTIATE_TEST_SUITE_P(
    Repairs, ParserTest,
    ::testing::Values(Case{"has(a", "1:4"}, Case{"has(a.)", "1:4"}, Case{"has(a b)", "1:4"},
                      Case{"has(a.b", "1:7"}, Case{"[1].map(1+,)", "1:9"},
                      Case{"[1].all(1+, true)", "1:10"}, Case{"[1].all(x, x.(y, true)", "1:11"},
                      Case{"{var ~)", "1:5"}, Case{"{var: 1 2}", "1:1"}, Case{"A{? [1]", "1:2"},
                      Case{"has(.)", "1:-1"}, Case{"[1].exists(f(0,x 0), true)", "1:12"}));

std::string Repeat(std::string_view text, int count) {
  std::string out;
  for (int i = 0; i < count; ++i) {
    out += text;
  }
  return out;
}

TEST(ParserLimitsTest, AreUpstreams) {
  const struct {
    std::string source;
    bool accepted;
  } cases[] = {
      {Repeat("(", 249) + "1" + Repeat(")", 249), true},
      {Repeat("(", 250) + "1" + Repeat(")", 250), false},
      {"1" + Repeat("+1", 250), true},
      {"1" + Repeat("+1", 251), false},
      {"a" + Repeat(".b", 250), true},
      {"a" + Repeat(".b", 251), false},
      {Repeat("[", 250) + Repeat("]", 250), true},
      {Repeat("[", 251) + Repeat("]", 251), false},
      {Repeat("1+(", 124) + "1" + Repeat(")", 124), true},
      {Repeat("1+(", 125) + "1" + Repeat(")", 125), false},
      {"a" + Repeat(" && a", 2000), true},
      {Repeat("!", 9000) + "a", true},
      {Repeat("(", 10000), false},
      {Repeat(" ", 99999) + "1", true},
      {Repeat(" ", 100000) + "1", false},
  };
  for (const auto& c : cases) {
    const ParseOutcome outcome = Parse(Kubernetes(), c.source);
    EXPECT_EQ(outcome.ast != nullptr, c.accepted) << c.source.substr(0, 20);
    EXPECT_TRUE(c.accepted || outcome.issues[0].line == -1) << c.source.substr(0, 20);
  }
}

// Each optMap doubles what stands before it.
TEST(ParserLimitsTest, BoundsWhatMacrosMake) {
  const ParseOutcome outcome = Parse(Kubernetes(), "a" + Repeat(".optMap(x, x)", 100));
  ASSERT_EQ(outcome.ast, nullptr);
  EXPECT_EQ(outcome.issues[0].message, "the macros of this expression make it too large");
}

TEST(ParserTest, SaysWhatIsWrong) {
  const struct {
    std::string_view source, message;
  } cases[] = {
      {"1 +", "the expression ends where a value is needed"},
      {"f(1 2)", "'2' stands where ',' or ')' is needed"},
      {"a = 1", "'=' is no operator; compare with '=='"},
      {"'a", "the text is never closed"},
      {"if", "'if' is a reserved word and cannot be a name"},
      {"1e400", "the number is too large for a double"},
  };
  for (const auto& c : cases) {
    const ParseOutcome outcome = Parse(Kubernetes(), c.source);
    ASSERT_EQ(outcome.ast, nullptr) << c.source;
    EXPECT_EQ(outcome.issues[0].message, c.message);
  }
}

}  // namespace
}  // namespace quadra::cel

#include <chrono>
#include <memory>
#include <string>

#include <gtest/gtest.h>

#include "cel/checked.h"
#include "cel/environment.h"

namespace quadra::cel {
namespace {

// With a device whose attributes are of unknown type.
std::unique_ptr<Environment> MakeEnvironment() {
  auto environment = KubernetesEnvironment({});
  TypeArena& arena = environment->types;
  environment->objects.push_back(
      {.name = "test.Device",
       .fields = {{"driver", types::kString},
                  {"attributes", arena.Map(types::kString, types::kAny)}}});
  environment->variables.push_back({"device", arena.Object("test.Device")});
  environment->variables.push_back({"test.number", types::kInt});
  return environment;
}

const Environment& TestEnvironment() {
  static const auto environment = MakeEnvironment();
  return *environment;
}

CheckOutcome CheckText(const Environment& environment, std::string_view source) {
  ParseOutcome parsed = Parse(environment, source);
  EXPECT_NE(parsed.ast, nullptr) << source;
  return parsed.ast == nullptr ? CheckOutcome{} : Check(environment, std::move(parsed.ast));
}

// The type of the whole, or the complaints as users read them.
std::string Judge(std::string_view source) {
  const CheckOutcome outcome = CheckText(TestEnvironment(), source);
  return outcome.checked != nullptr ? ToString(outcome.checked->output())
                                    : FormatIssues(source, outcome.issues);
}

struct Case {
  std::string_view source;
  std::string_view type;
};

class TypesTest : public ::testing::TestWithParam<Case> {};

TEST_P(TypesTest, Infers) { EXPECT_EQ(Judge(GetParam().source), GetParam().type); }

INSTANTIATE_TEST_SUITE_P(
    All, TypesTest,
    ::testing::Values(
        Case{"1 + 2", "int"}, Case{"[1, 2]", "list(int)"}, Case{"[]", "list(dyn)"},
        Case{"{'a': [1u]}", "map(string, list(uint))"}, Case{"null", "null"},
        Case{"device.attributes['a']", "any"}, Case{"device.attributes.a.b", "dyn"},
        Case{"device.attributes.a + 1", "int"},
        Case{"device.attributes.a + device.attributes.b", "dyn"}, Case{"test.number", "int"},
        Case{"type(1)", "type(int)"}, Case{"int", "type(int)"}, Case{"net.IP", "type(net.IP)"},
        Case{"optional.of(1)", "optional_type(int)"},
        Case{"device.?driver", "optional_type(string)"}, Case{"[1].first().orValue(2)", "int"},
        Case{"[1].map(x, [x])", "list(list(int))"}, Case{"{'a': 1}.map(k, k)", "list(string)"},
        Case{"{'a': 1}.transformMap(k, v, [v])", "map(string, list(int))"},
        Case{"cel.bind(x, [], x + [1])", "list(int)"}, Case{"[].map(x, x)", "list(dyn)"},
        Case{"true ? [] : [1]", "list(int)"}, Case{"dyn(1) == 'a'", "bool"},
        Case{"1 < 1.5", "bool"}, Case{"duration('1h')", "duration"},
        Case{"timestamp('2024-01-01T00:00:00Z')", "timestamp"},
        Case{"quantity('1').add(2)", "kubernetes.Quantity"}, Case{"null == duration('1h')", "bool"},
        Case{"'%s %d'.format(['a', 1])", "string"}, Case{"[dyn(1), dyn('a')]", "list(dyn)"},
        Case{"[3, 1].sortBy(x, -x)", "list(int)"},
        Case{"test.Device{driver: 'a'}", "test.Device"}));

struct Complaint {
  std::string_view source;
  std::string_view message;
};

class ComplaintsTest : public ::testing::TestWithParam<Complaint> {};

TEST_P(ComplaintsTest, AreUpstreams) {
  const CheckOutcome outcome = CheckText(TestEnvironment(), GetParam().source);
  ASSERT_EQ(outcome.checked, nullptr);
  EXPECT_EQ(outcome.issues[0].message, GetParam().message);
}

INSTANTIATE_TEST_SUITE_P(
    All, ComplaintsTest,
    ::testing::Values(
        Complaint{"a", "undeclared reference to 'a' (in container '')"},
        Complaint{"f(1)", "undeclared reference to 'f' (in container '')"},
        Complaint{"a.b{}", "undeclared reference to 'a.b' (in container '')"},
        Complaint{"1 + 'a'", "found no matching overload for '_+_' applied to '(int, string)'"},
        Complaint{"'a'.size(1)", "found no matching overload for 'size' applied to 'string.(int)'"},
        Complaint{"1 == 1.0", "found no matching overload for '_==_' applied to '(int, double)'"},
        Complaint{"true && 1", "expected type 'bool' but found 'int'"},
        Complaint{"[1, 'a']", "expected type 'int' but found 'string'"},
        Complaint{"[1, dyn(2)]", "expected type 'int' but found 'dyn'"},
        Complaint{"{1: 2, 'a': 3}", "expected type 'int' but found 'string'"},
        Complaint{"[?1]", "expected type 'optional_type(int)' but found 'int'"},
        Complaint{"[?dyn(1)]",
                  "an optional element whose type is not known cannot be part of a literal"},
        Complaint{"device.x", "undefined field 'x'"},
        Complaint{"quantity('1').x", "unexpected failed resolution of 'kubernetes.Quantity'"},
        Complaint{"ip('::1').x", "type 'net.IP' does not support field selection"},
        Complaint{"1.all(x, true)",
                  "expression of type 'int' cannot be range of a comprehension "
                  "(must be list, map, or dynamic)"},
        Complaint{"[1].all(x, x)", "expected type 'bool' but found 'int'"},
        Complaint{"int{}", "'int' is not a message type"},
        Complaint{"test.Device{driver: 1}",
                  "expected type of field 'driver' is 'string' but provided type is 'int'"},
        Complaint{"quantity('1').sign()",
                  "found no matching overload for 'sign' applied to 'kubernetes.Quantity.()'"},
        Complaint{"'%d'.format(['a'])",
                  "error during formatting: decimal clause can only be used "
                  "on integers, was given string"},
        Complaint{"'%q'.format([1])",
                  "could not parse formatting clause: unrecognized formatting clause \"q\""},
        Complaint{"'%s'.format([1, 2])",
                  "too many arguments supplied to string.format (expected 1, got 2)"},
        Complaint{"'%s'.format([])", "index 0 out of range"},
        Complaint{"'%'.format([1])", "unexpected end of string"}));

TEST(IssuesTest, ArePrintedWithTheirPlace) {
  EXPECT_EQ(Judge("a + b"),
            "ERROR: <input>:1:1: undeclared reference to 'a' (in container '')\n"
            " | a + b\n"
            " | ^\n"
            "ERROR: <input>:1:5: undeclared reference to 'b' (in container '')\n"
            " | a + b\n"
            " | ....^");
  EXPECT_EQ(Judge("true &&\n\t'é' == x"),
            "ERROR: <input>:2:9: undeclared reference to 'x' (in container '')\n"
            " |  'é' == x\n"
            " | ..．.....^");
}

TEST(IssuesTest, AreBounded) {
  std::string source = "[a";
  for (int i = 1; i < 120; ++i) {
    source += ", a";
  }
  const CheckOutcome outcome = CheckText(TestEnvironment(), source + "]");
  ASSERT_EQ(outcome.issues.size(), 101U);
  EXPECT_EQ(outcome.issues.back().message, "20 more errors were truncated");
}

TEST(NamesTest, ResolveWithinTheContainer) {
  auto environment = MakeEnvironment();
  environment->options.container = "test.inner";
  EXPECT_NE(CheckText(*environment, "number == 1").checked, nullptr);
  EXPECT_NE(CheckText(*environment, "test.number == 1").checked, nullptr);
  EXPECT_EQ(CheckText(*environment, ".number == 1").checked, nullptr);
}

TEST(NamesTest, LocalsHideGlobalsButForTheDot) {
  const CheckOutcome outcome =
      CheckText(TestEnvironment(), "['a'].all(device, .device.driver == device)");
  ASSERT_NE(outcome.checked, nullptr);
  bool dotted = false;
  for (const Reference& reference : outcome.checked->references) {
    dotted = dotted || reference.name == ".device";
  }
  EXPECT_TRUE(dotted);
}

TEST(RewriteTest, NamespacedCallsLoseTheirReceiver) {
  const CheckOutcome outcome = CheckText(TestEnvironment(), "optional.of(1)");
  ASSERT_NE(outcome.checked, nullptr);
  const Node& root = outcome.checked->ast->nodes[outcome.checked->ast->root];
  EXPECT_EQ(root.name, "optional.of");
  EXPECT_FALSE(root.has_receiver);
  EXPECT_EQ(root.child_count, 1U);
}

TEST(SpecificationTest, LiteralsMayMix) {
  const auto environment = SpecificationEnvironment();
  const CheckOutcome outcome = CheckText(*environment, "[1, 'a']");
  ASSERT_NE(outcome.checked, nullptr);
  EXPECT_EQ(ToString(outcome.checked->output()), "list(dyn)");
}

std::string Nested(std::string_view open, std::string_view inside, std::string_view close, int n) {
  std::string out;
  for (int i = 0; i < n; ++i) {
    out += open;
  }
  out += inside;
  for (int i = 0; i < n; ++i) {
    out += close;
  }
  return out;
}

// Types that nest deeply, or double with every step, stay affordable.
TEST(CostTest, LargeTypesAreCheckedOrRefused) {
  const struct {
    std::string source;
    bool accepted;
  } cases[] = {
      {Nested("{1: ", "1", "}", 248), true},
      {Nested("", "[1]", ".map(x, {x: x})", 200), true},
      {Nested("", "[]", ".map(x, {x: x})", 200), false},
  };
  for (const auto& c : cases) {
    const auto start = std::chrono::steady_clock::now();
    const CheckOutcome outcome = CheckText(TestEnvironment(), c.source);
    EXPECT_EQ(outcome.checked != nullptr, c.accepted);
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(20));
  }
}

TEST(TypeTest, Prints) {
  TypeArena arena;
  const struct {
    Type type;
    std::string_view message, declared;
  } cases[] = {
      {types::kDuration, "duration", "google.protobuf.Duration"},
      {types::kNull, "null", "null_type"},
      {types::kAny, "any", "google.protobuf.Any"},
      {arena.Map(types::kString, arena.List(types::kTimestamp)), "map(string, list(timestamp))",
       "map(string, list(google.protobuf.Timestamp))"},
      {arena.Variable(7), "_var7", "<_var7>"},
      {arena.Variable(300), "_var300", "<_var300>"},
      {arena.TypeOf(types::kInt), "type(int)", "type(int)"},
  };
  for (const auto& c : cases) {
    EXPECT_EQ(ToString(c.type), c.message);
    EXPECT_EQ(DeclaredName(c.type), c.declared);
  }
}

}  // namespace
}  // namespace quadra::cel

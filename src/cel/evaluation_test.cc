// Expressions with their values, errors and costs. The costs were read off upstream's meter.
#include <array>
#include <atomic>
#include <cstdlib>
#include <memory>
#include <new>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "cel/containers.h"
#include "cel/environment.h"
#include "cel/go_text.h"
#include "cel/program.h"

namespace {

std::atomic<bool> counting = false;
std::atomic<std::size_t> allocations = 0;

}  // namespace

void* operator new(std::size_t size) {
  if (counting) {
    ++allocations;
  }
  if (void* memory = std::malloc(size)) {
    return memory;
  }
  std::abort();
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace quadra::cel {
namespace {

// A variable `m`: map(string, dyn), `s`: dyn.
class World final : public Inputs {
 public:
  World() {
    entries_.Put(Value::String("n"), Value::Int(7));
    entries_.Put(Value::String("ok"), Value::Bool(true));
    entries_.Put(Value::String("ver"), Value::Of(&version_));
    entries_.Put(Value::String("mem"), Value::Of(&memory_));
  }
  Value Variable(std::uint32_t) const override {
    return Value::Of(static_cast<const MapObject*>(&entries_));
  }
  // 0: a text, 1: nothing, 2: a quantity.
  Value Slot(SlotIndex slot) const override {
    switch (slot) {
      case 0:
        return Value::String("gpu.example.com");
      case 2:
        return Value::Of(&memory_);
      default:
        return {};
    }
  }

 private:
  semver::Version version_ = *semver::Version::Parse("1.2.3");
  quantity::Quantity memory_ = *quantity::Quantity::Parse("40Gi");
  Arena arena_;
  GrowingMap entries_{arena_};
};

// m.slot0, m.slot1, m.slot2.
class Slots final : public Linker {
 public:
  std::optional<Link> Resolve(std::string_view, std::span<const std::string_view> steps) override {
    if (steps[0].starts_with("slot")) {
      return Link{static_cast<SlotIndex>(steps[0].back() - '0'), 1};
    }
    return std::nullopt;
  }
};

std::unique_ptr<Environment> MakeEnvironment() {
  auto environment = KubernetesEnvironment({.list_includes = true, .lists_after_strings = true});
  environment->variables.push_back({"m", environment->types.Map(types::kString, types::kDyn)});
  environment->objects.push_back({"demo.Thing", {{"name", types::kString}}});
  return environment;
}

Result<Program> Compile(const Environment& environment, std::string_view expression) {
  ParseOutcome parsed = Parse(environment, expression);
  if (parsed.ast == nullptr) {
    return Fail(ErrorKind::kSyntax, parsed.issues.front().message);
  }
  CheckOutcome evaluation = Check(environment, std::move(parsed.ast));
  if (evaluation.checked == nullptr) {
    return Fail(ErrorKind::kInvalid, "check: " + evaluation.issues.front().message);
  }
  const std::shared_ptr<const CheckedAst> checked = std::move(evaluation.checked);
  Slots slots;
  return Program::Create(checked, checked->ast->root, &slots, nullptr);
}

std::string Text(const Value& value) {
  return value.is_error() ? "error: " + ErrorText(value.as_error()) : GoText(value);
}

struct Row {
  std::string_view expression;
  std::string_view text;
  std::uint64_t cost = 0;
};

constexpr Row kRows[] = {
    // Operators and conversions.
    {"1 + 2 == 3", "true", 2},
    {"9223372036854775807 + 1", "error: integer overflow", 1},
    {"7 / 0", "error: division by zero", 1},
    {"7 % 0", "error: modulus by zero", 1},
    {"dyn(1) + dyn('a')", "error: no such overload", 1},
    {"dyn(null) < 1", "error: no such overload: _<_", 1},
    {"dyn(1).lowerAscii()", "error: no such overload: lowerAscii(int)", 1},
    {"string(1000000.0)", "1e+06", 0},
    {"string(123456.0)", "123456", 0},
    {"type(1) == int", "true", 1},
    {"'abc' + 'd'", "abcd", 1},
    // Absorption and order of errors.
    {"1 / 0 == 1 || true", "true", 2},
    {"1 / 0 == 1 && m.nope == 1", "error: division by zero", 5},
    {"m.nope == 1", "error: no such key: nope", 3},
    {"m.ok ? 1 : 2", "1", 2},
    {"m.n ? 1 : 2", "error: no such overload", 2},
    // Attributes.
    {"m.n", "7", 2},
    {"m['n']", "7", 2},
    {"has(m.n)", "true", 1},
    {"has(m.nope)", "false", 1},
    {"m.?nope.hasValue()", "false", 2},
    {"m.?n.orValue(1)", "7", 2},
    {"m.n.x", "error: no such key: x", 3},
    {"[1, 2, 3][5]", "error: index out of bounds: 5", 2},
    {"{'a': 1}['b']", "error: no such key: b", 2},
    // Slots.
    {"m.slot0", "gpu.example.com", 2},
    {"m.slot1", "error: no such key: slot1", 2},
    {"has(m.slot0)", "true", 1},
    {"has(m.slot1)", "false", 1},
    {"m.?slot1.orValue('x')", "x", 1},
    {"m.slot2.compareTo(quantity('40Gi')) >= 0", "true", 5},
    // Folding.
    {"1 in [1, 2, 3]", "true", 0},
    {"m.n in [7.0]", "true", 2},
    {"m.n in []", "false", 0},
    {"[1, 2] == [1, 2]", "true", 1},
    // Upstream's internal errors, which nothing absorbs.
    {"m.ver in ['a'] || true",
     "error: internal error: runtime error: hash of unhashable type cel.Semver", 2},
    {"[1 / 0].sort() == [] || true",
     "error: internal error: interface conversion: *types.Err is not traits.Lister: missing method "
     "Add",
     11},
    {"{bytes(string(m.n)): 1} == {} || true",
     "error: internal error: runtime error: hash of unhashable type types.Bytes", 4},
    // Comparison of Kubernetes values.
    {"m.ver == dyn('x')", "error: no such overload", 3},
    {"m.ver != dyn('x')", "true", 3},
    {"dyn('x') == m.ver", "false", 3},
    {"[m.ver] == [dyn('x')]", "true", 13},
    {"quantity('2') == quantity('1').add(1)", "error: no such overload", 4},
    {"quantity('1').add(1) == quantity('2')", "true", 4},
    // A comparison moves its receiver to the decimal form.
    {"cel.bind(q, quantity('2'), q.isInteger() && q.compareTo(quantity('1.5Gi')) < 0 && "
     "!q.isInteger())",
     "true", 10},
    // Folds.
    {"[1, 2, 3].map(x, x * 2)", "[2, 4, 6]", 43},
    {"[1, 2, 3].filter(x, x > 1).size() == 2", "true", 35},
    {"[1, 2, 3].exists(x, x == 2)", "true", 16},
    {"[3, 1, 2].sortBy(x, -x)", "[3, 2, 1]", 74},
    {"{'a': 1}.transformMap(k, v, v + 1)", "{a: 2}", 6},
    {"cel.bind(x, [], x + [1] == [1] && x == [])", "false", 4},
    {"cel.bind(x, 1 / 0, true)", "true", 0},
    {"optional.of(1).optMap(x, x + 1)", "optional(2)", 7},
    // Libraries.
    {"'%f and %e and %s'.format([1234567.891, 1234.5, [1, 'a']])",
     "1,234,567.891000 and 1.234500\xC3\x97"
     "10\xE2\x81\xB0\xC2\xB3 and [1, \"a\"]",
     2},
    {"'hello'.substring(1, 3)", "el", 1},
    {"'a,b,c'.split(',')", "[a, b, c]", 1},
    {"['a', 'b'].join('-')", "a-b", 1},
    {"'abc'.find('b+')", "b", 1},
    {"'a1b22'.findAll('[0-9]+')", "[1, 22]", 2},
    {"'h\\u00e9llo'.size()", "5", 1},
    {"lists.range(3)", "[0, 1, 2]", 14},
    {"[1, [2, 3]].flatten()", "", 0},
    {"sets.contains([1, 2], [2])", "true", 3},
    {"[3, 1].max()", "3", 2},
    {"[1, 1, 2].distinct()", "[1, 2]", 29},
    {"semver('1.2.3').compareTo(semver('1.2.4'))", "-1", 3},
    {"ip('1.2.3.4').family()", "4", 2},
    {"cidr('10.0.0.0/8').containsIP('10.1.2.3')", "true", 3},
    {"url('https://example.com:80/path?a=b').getPort()", "80", 5},
    {"format.dns1123Label().validate('ok').hasValue()", "false", 10},
    {"duration('1h').getMinutes()", "60", 1},
    {"timestamp('2023-01-02T03:04:05Z').getHours('+05:30')", "8", 1},
    {"timestamp('2023-01-02T03:04:05Z').getHours('Nowhere')", "error: unknown time zone Nowhere",
     1},
    // Objects can be named, and not be made.
    {"demo.Thing{}.name == 'd'", "error: unknown type 'demo.Thing'", 42},
    {"demo.Thing{name: 'd'}.name == 'd'", "error: unknown type 'demo.Thing'", 42},
    {"demo.Thing{?name: optional.of('x')}.name == 'x'", "error: unknown type 'demo.Thing'", 43},
    {"has(demo.Thing{}.name)", "error: unknown type 'demo.Thing'", 40},
    {"true || demo.Thing{} == demo.Thing{}", "true", 0},
    // Times as keys: one zone for Z, one for each whole hour, a new one for any other offset.
    {"timestamp('2023-01-01T00:00:00+00:00') in {timestamp('2023-01-01T00:00:00Z'): 1}", "false",
     1},
    {"timestamp('2023-01-01T00:00:00+01:00') in {timestamp('2023-01-01T00:00:00+01:00'): 1}",
     "true", 1},
    {"timestamp('2023-01-01T00:00:00+05:30') in {timestamp('2023-01-01T00:00:00+05:30'): 1}",
     "false", 1},
    {"timestamp('2023-01-01T00:00:00+14:00') in {timestamp('2023-01-01T00:00:00+14:00'): 1}",
     "true", 1},
    {"timestamp('2023-01-01T00:00:00-13:00') in {timestamp('2023-01-01T00:00:00-13:00'): 1}",
     "false", 1},
};

TEST(Evaluation, GivesUpstreamsValuesErrorsAndCosts) {
  const std::unique_ptr<Environment> environment = MakeEnvironment();
  World world;
  Scratch scratch;
  for (const Row& row : kRows) {
    SCOPED_TRACE(row.expression);
    const Result<Program> program = Compile(*environment, row.expression);
    if (row.text.empty()) {
      EXPECT_FALSE(program);
      continue;
    }
    ASSERT_TRUE(program) << program.error().message;
    const Evaluation evaluation = program->Evaluate(world, scratch);
    EXPECT_EQ(Text(evaluation.value), row.text);
    EXPECT_EQ(evaluation.cost, row.cost);
  }
}

// Upstream visits maps in random order.
TEST(Evaluation, VisitsMapsInTheOrderOfTheirKeys) {
  constexpr Row kVisits[] = {
      {"{'c': 1, 'a': 2, 'b': 3}.map(k, k)", "[a, b, c]"},
      {"{3: 'x', 1: 'y', 2: 'z'}.transformList(k, v, v)", "[y, z, x]"},
      {"{'c': 1, 'a': 2}.map(k, m[k])", "error: no such key: a"},
  };
  const std::unique_ptr<Environment> environment = MakeEnvironment();
  World world;
  Scratch scratch;
  for (const Row& row : kVisits) {
    const Result<Program> program = Compile(*environment, row.expression);
    ASSERT_TRUE(program) << program.error().message;
    EXPECT_EQ(Text(program->Evaluate(world, scratch).value), row.text) << row.expression;
  }
}

TEST(Evaluation, ResultsDoNotDependOnFolding) {
  const std::unique_ptr<Environment> folding = MakeEnvironment();
  const std::unique_ptr<Environment> plain = MakeEnvironment();
  plain->options.fold_constants = false;
  World world;
  Scratch scratch;
  for (const Row& row : kRows) {
    SCOPED_TRACE(row.expression);
    const Result<Program> folded = Compile(*folding, row.expression);
    const Result<Program> unfolded = Compile(*plain, row.expression);
    ASSERT_EQ(folded.has_value(), unfolded.has_value());
    if (folded) {
      const Evaluation first = folded->Evaluate(world, scratch);
      const std::string text = Text(first.value);
      const Evaluation second = unfolded->Evaluate(world, scratch);
      EXPECT_EQ(text, Text(second.value));
      EXPECT_EQ(first.cost, second.cost);
    }
  }
}

struct Refusal {
  std::string_view expression;
  std::string_view message;
};

TEST(Evaluation, FailsToCompileWhereUpstreamFailsToCreateAProgram) {
  constexpr Refusal kRefusals[] = {
      {"int('x')", "type conversion error from 'string' to 'int'"},
      {"int(dyn('x'))", "type conversion error from 'string' to 'int'"},
      {"uint(-1)", "unsigned integer overflow"},
      {"'a'.find('(')", "error parsing regexp: missing closing ): `(`"},
      {"'a'.matches(dyn('('))", "error parsing regexp: missing closing ): `(`"},
      {"{b'x': 1} == {}", "internal error: runtime error: hash of unhashable type types.Bytes"},
      {"cel.bind(t, type(1), t == int)", "reference to undefined type: t"},
      {"type(timestamp(0)) == timestamp", "reference to undefined type: timestamp"},
      {"[demo.Thing].size() == 1", "reference to undefined type: demo.Thing"},
      {"true || .demo.Thing == demo.Thing", "reference to undefined type: demo.Thing"},
  };
  const std::unique_ptr<Environment> environment = MakeEnvironment();
  for (const Refusal& row : kRefusals) {
    SCOPED_TRACE(row.expression);
    const Result<Program> program = Compile(*environment, row.expression);
    ASSERT_FALSE(program);
    EXPECT_EQ(program.error().message, row.message);
  }
}

TEST(Evaluation, StopsAtTheFirstStepBeyondTheLimit) {
  const std::unique_ptr<Environment> environment = MakeEnvironment();
  const Result<Program> program = Compile(
      *environment, "lists.range(1000).all(x, lists.range(1000).all(y, x + y >= 0)) || true");
  ASSERT_TRUE(program);
  World world;
  Scratch scratch;
  const Evaluation evaluation = program->Evaluate(world, scratch);
  EXPECT_EQ(Text(evaluation.value), "error: operation cancelled: actual cost limit exceeded");
  EXPECT_EQ(evaluation.cost, 1'000'001);
  const Result<Program> flat = Compile(*environment, "lists.range(1000).all(x, x >= 0)");
  ASSERT_TRUE(flat);
  EXPECT_EQ(flat->Evaluate(world, scratch, {.cost = 2000}).cost, 2001);
}

// `step` around `inner`, again and again; '#' is the level, '@' what is inside.
std::string Nested(std::string_view step, std::string inner, int levels) {
  for (int level = levels; level > 0; --level) {
    std::string next;
    for (const char c : step) {
      if (c == '#') {
        next += std::to_string(level);
      } else if (c == '%') {
        next += std::to_string(level - 1);
      } else if (c == '@') {
        next += inner;
      } else {
        next.push_back(c);
      }
    }
    inner = std::move(next);
  }
  return inner;
}

// What upstream computes without charging for it ends here as if its cost had run out.
TEST(Evaluation, RunawayWorkEnds) {
  const std::string expressions[] = {
      "cel.bind(x0, [1], " + Nested("cel.bind(x#, x% + x%, @)", "x60 == x60", 60) + ")",
      "cel.bind(x0, [1], " + Nested("cel.bind(x#, [x%, x%], @)", "dyn(x40) == dyn(x40)", 40) + ")",
      "cel.bind(x0, [1], " + Nested("cel.bind(x#, [x%, x%], @)", "'%s'.format([x40])", 40) + ")",
      "cel.bind(x0, [1], " + Nested("cel.bind(x#, [x%, x%], @)", "dyn(x40).includes(1)", 40) + ")",
      "cel.bind(s, 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', " +
          Nested("cel.bind(s, s.replace('a', s), @)", "s", 8) + ")",
  };
  const std::unique_ptr<Environment> environment = MakeEnvironment();
  World world;
  Scratch scratch;
  for (const std::string& expression : expressions) {
    SCOPED_TRACE(expression.substr(
        expression.size() - 100 > expression.size() ? 0 : expression.size() - 100));
    const Result<Program> program = Compile(*environment, expression);
    ASSERT_TRUE(program) << program.error().message;
    EXPECT_EQ(Text(program->Evaluate(world, scratch).value),
              "error: operation cancelled: actual cost limit exceeded");
  }
}

TEST(Evaluation, RangesAreLimitedAsUpstreamLimitsThem) {
  const std::unique_ptr<Environment> environment = MakeEnvironment();
  World world;
  Scratch scratch;
  const Result<Program> program = Compile(*environment, "lists.range(1000000000)");
  ASSERT_TRUE(program) << program.error().message;
  EXPECT_EQ(Text(program->Evaluate(world, scratch).value),
            "error: lists.range: size 1000000000 exceeds maximum allowed (1000000)");
}

TEST(Evaluation, AllocatesNothingWhereNothingIsBuilt) {
  constexpr std::string_view kExpressions[] = {
      "m.slot0 == 'gpu.example.com' && m.slot2.compareTo(quantity('40Gi')) >= 0 && m.n > 3",
      "m.slot1 == 'x' || m.n == 7",
      "m.ver.compareTo(semver('1.0.0')) > 0 && m.?slot1.orValue('a') == 'a'",
      "has(m.nope) ? m.nope == 1 : m.n in [1, 7]",
      "[1, 2, 3].all(x, x < m.n)",
  };
  const std::unique_ptr<Environment> environment = MakeEnvironment();
  World world;
  for (const std::string_view expression : kExpressions) {
    SCOPED_TRACE(expression);
    const Result<Program> program = Compile(*environment, expression);
    ASSERT_TRUE(program) << program.error().message;
    Scratch scratch;
    program->Evaluate(world, scratch);
    program->Evaluate(world, scratch);
    allocations = 0;
    counting = true;
    const Evaluation evaluation = program->Evaluate(world, scratch);
    counting = false;
    EXPECT_EQ(Text(evaluation.value), "true");
    EXPECT_EQ(allocations, 0U);
  }
}

TEST(Evaluation, ProgramsAreSharedByThreads) {
  const std::unique_ptr<Environment> environment = MakeEnvironment();
  std::vector<Program> programs;
  for (const Row& row : kRows) {
    if (Result<Program> program = Compile(*environment, row.expression)) {
      programs.push_back(*std::move(program));
    }
  }
  World world;
  std::array<std::uint64_t, 8> totals{};
  std::vector<std::thread> threads;
  threads.reserve(8);
  for (std::uint64_t& total : totals) {
    threads.emplace_back([&] {
      Scratch scratch;
      for (int round = 0; round < 20; ++round) {
        for (const Program& program : programs) {
          total += program.Evaluate(world, scratch).cost;
        }
      }
    });
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
  for (const std::uint64_t total : totals) {
    EXPECT_EQ(total, totals[0]);
  }
  EXPECT_GT(totals[0], 0U);
}

}  // namespace
}  // namespace quadra::cel

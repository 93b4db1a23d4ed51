#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "cel/checked.h"
#include "cel/environment.h"

namespace quadra::cel {
namespace {

// What upstream's estimator says of each expression, checked against it by conformance/select.
struct Row {
  std::string expression;
  std::uint64_t estimate;
};

class NoHints : public SizeHints {
 public:
  std::optional<CostRange> Size(std::span<const std::string_view> /*path*/) const override {
    return std::nullopt;
  }
};

// A machine has a name of at most 63 characters, and up to 32 labels in as many groups, with keys
// of at most 32 and values of at most 64 characters.
class MachineSizes : public SizeHints {
 public:
  std::optional<CostRange> Size(std::span<const std::string_view> path) const override {
    std::string joined;
    for (const std::string_view step : path) {
      joined += joined.empty() ? "" : "/";
      joined += step;
    }
    const std::pair<std::string_view, std::uint64_t> known[] = {
        {"machine/name", 63},
        {"machine/labels", 32},
        {"machine/labels/@keys", 63},
        {"machine/labels/@values", 32},
        {"machine/labels/@values/@keys", 32},
        {"machine/labels/@values/@values", 64},
        {"machine/labels/@values/x", 64},
    };
    for (const auto& [text, size] : known) {
      if (text == joined) {
        return CostRange{.min = 0, .max = size};
      }
    }
    return std::nullopt;
  }
};

std::unique_ptr<Environment> MachineEnvironment() {
  auto environment = KubernetesEnvironment({.list_includes = true, .lists_after_strings = true});
  TypeArena& types = environment->types;
  ObjectType machine{.name = "test.Machine", .fields = {}};
  machine.fields = {{"name", types::kString},
                    {"labels", types.Map(types::kString, types.Map(types::kString, types::kDyn))}};
  environment->objects.push_back(std::move(machine));
  environment->variables.push_back({"machine", types.Object("test.Machine")});
  return environment;
}

std::uint64_t Estimate(const Environment& environment, const std::string& expression,
                       const SizeHints& hints) {
  ParseOutcome parsed = Parse(environment, expression);
  if (parsed.ast == nullptr) {
    ADD_FAILURE() << FormatIssues(expression, parsed.issues);
    return 0;
  }
  CheckOutcome checked = Check(environment, std::move(parsed.ast));
  if (checked.checked == nullptr) {
    ADD_FAILURE() << FormatIssues(expression, checked.issues);
    return 0;
  }
  return EstimateCost(*checked.checked, hints).max;
}

const std::vector<Row> kLiterals = {
    {"true", 0},
    {"1 + 2 == 3", 2},
    {R"("a" + "b" == "ab")", 2},
    {R"("abc".startsWith("a"))", 1},
    {R"("abc".contains("b") || false)", 1},
    {R"("abc".matches("^a.*$"))", 2},
    {"[1, 2, 3].all(x, x > 0)", 26},
    {"[1, 2, 3].exists(x, x == 2)", 29},
    {R"(["a", "bc"].exists_one(x, x == "bc"))", 20},
    {"[1, 2].map(x, x * 2) == [2, 4]", 60},
    {R"({"a": 1, "b": 2}.all(k, v, v > 0))", 41},
    {R"({"a": 1}.transformMap(k, v, v + 1) == {"a": 2})", 97},
    {R"(has({"a": 1}.a))", 30},
    {R"(true ? "abcdefghijk" == "abcdefghijk" : false)", 2},
    {R"(cel.bind(x, "abcdefghijk", x + x == x))", 18},
    {"optional.of([1, 2]).orValue([]) == [1]", 33},
    {"[1, 2, 3].slice(0, 2) == [1, 2]", 34},
    {"[1, 2].slice(3, 1) == []", 18446744073709551615U},
    {"lists.range(5).sum() == 10", 22},
    {"[3, 1, 2].sort() == [1, 2, 3]", 50},
    {R"(["b", "a"].sort() == ["a", "b"])", 41},
    {"[3, 1].sortBy(x, -x) == [3, 1]", 91},
    {"[[1], [2]].flatten() == [1, 2]", 54},
    {"[1, 1].distinct() == [1]", 40},
    {"sets.equivalent([1, 2], [2, 1])", 29},
    {R"(["a", "b"].join("-") == "a-b")", 1844674407370955275U},
    {R"(["b", "a"].min() == "a")", 3689348814741910541U},
    {R"("a,b".split(",") == ["a", "b"])", 12},
    {R"("aaa".replace("a", "bb") == "bbbbbb")", 2},
    {R"("aaa".replace("", "b").size() == 7)", 3},
    {R"("abc".find("b+") == "b")", 2},
    {"type(1) == int", 1844674407370955266U},
    {R"(quantity("1Gi") == quantity("1024Mi"))", 3},
    {R"(quantity("1Gi") != quantity("1024Mi"))", 1844674407370955266U},
    {R"(semver("1.2.3").isLessThan(semver("2.0.0")))", 3},
    {R"(url("https://example.com/path") == url("https://example.com/path"))", 9},
    {R"(cidr("10.0.0.0/8").containsIP("10.1.2.3"))", 6},
    {R"(cidr("10.0.0.0/8").containsCIDR(cidr("10.1.0.0/16")))", 10},
    {R"(ip.isCanonical("127.0.0.1"))", 2},
    {R"(format.named("dns1123Label").value().validate("name").hasValue())", 35},
    {"format.dns1123Label() == format.dns1123Label()", 9},
    {R"(string(b"abcd") == "abcd" && bytes("abcd") == b"abcd")", 4},
    {R"(strings.quote("ab").size() == 4)", 3},
    {R"("%s".format(["a"]) == "a")", 12},
    {"dyn([1, 2]).exists(x, x == 1)", 24},
};

TEST(CostEstimateTest, OfLiterals) {
  const std::unique_ptr<Environment> environment = MachineEnvironment();
  for (const auto& [expression, estimate] : kLiterals) {
    EXPECT_EQ(Estimate(*environment, expression, NoHints()), estimate) << expression;
  }
}

// The sixth shows that the first of two variables has the size of the second.
const std::vector<Row> kSized = {
    {R"(machine.name == "abcdefghijklmnop")", 4},
    {R"(machine.labels["g"].x == "abc")", 5},
    {R"(machine.labels.all(g, g.size() > 0))", 195},
    {R"(machine.name.matches("^gpu.*"))", 16},
    {R"(machine.labels["g"].all(k, k == "0123456789012345678901234567890123456789"))", 260},
    {R"(machine.labels["g"].all(k, v, k == "0123456789012345678901234567890123456789"))", 260},
    {R"(machine.labels["g"].all(k, v, k == "01234567890123456789012345678901234567890123456789"))",
     292},
    {R"(machine.labels["g"].all(k, k == "01234567890123456789012345678901234567890123456789"))",
     260},
};

TEST(CostEstimateTest, OfVariablesByTheirSizes) {
  const std::unique_ptr<Environment> environment = MachineEnvironment();
  for (const auto& [expression, estimate] : kSized) {
    EXPECT_EQ(Estimate(*environment, expression, MachineSizes()), estimate) << expression;
  }
}

TEST(CostEstimateTest, UnknownSizesAreBoundless) {
  const std::unique_ptr<Environment> environment = MachineEnvironment();
  EXPECT_EQ(Estimate(*environment, R"(machine.name == machine.name)", NoHints()),
            1844674407370955268U);
}

}  // namespace
}  // namespace quadra::cel

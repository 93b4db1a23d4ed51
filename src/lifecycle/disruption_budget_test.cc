#include "lifecycle/disruption_budget.h"

#include <chrono>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/check.h"
#include "lifecycle/scale_finder.h"

namespace quadra::lifecycle {
namespace {

using std::chrono::minutes;

const Time kNow = Time(std::chrono::hours(500'000));

Budget Make(std::string_view spec, std::string_view status = "{}") {
  Result<api::Object> object = client::Kind<api::Object>::Decode(fmt::format(
      R"({{"apiVersion":"policy/v1","kind":"PodDisruptionBudget","metadata":{{"name":"b","namespace":"a","uid":"u","resourceVersion":"7","generation":2}},"spec":{},"status":{}}})",
      spec, status));
  QUADRA_CHECK(object.has_value(), "tests write good budgets");
  return Budget::Read(std::make_shared<const api::Object>(*std::move(object)));
}

PodPointer PodOf(std::string name, bool ready, bool deleted = false) {
  api::Pod pod;
  pod.metadata.name = std::move(name);
  pod.metadata.deletion_timestamp = deleted ? std::optional(kNow) : std::nullopt;
  pod.status.conditions.push_back({.type = "Ready", .status = ready ? "True" : "False"});
  return std::make_shared<const api::Pod>(std::move(pod));
}

TEST(Scaled, RoundsPercentagesUp) {
  EXPECT_EQ(*Scaled(IntOrPercent(3), 10), 3);
  EXPECT_EQ(*Scaled(IntOrPercent("50%"), 4), 2);
  EXPECT_EQ(*Scaled(IntOrPercent("50%"), 5), 3);
  EXPECT_EQ(*Scaled(IntOrPercent("1%"), 1), 1);
  EXPECT_EQ(*Scaled(IntOrPercent("0%"), 7), 0);
  EXPECT_EQ(*Scaled(IntOrPercent("100%"), 7), 7);
  EXPECT_EQ(Scaled(IntOrPercent("50"), 5).error().message,
            "invalid value for IntOrString: invalid type: string is not a percentage");
  EXPECT_FALSE(Scaled(IntOrPercent("x%"), 5).has_value());
}

TEST(Budget, CountsByPodsOrByWhatTheirOwnersWant) {
  struct Row {
    std::string spec;
    PodNumbers numbers;
    bool needs_scale;
    BudgetCounts counts;
  };
  const Row rows[] = {
      {R"({})", {.pods = 3}, false, {}},
      {R"({"minAvailable":2})", {.pods = 3}, false, {.expected = 3, .desired_healthy = 2}},
      {R"({"minAvailable":"30%"})", {3, 10}, true, {.expected = 10, .desired_healthy = 3}},
      {R"({"maxUnavailable":1})", {3, 5}, true, {.expected = 5, .desired_healthy = 4}},
      {R"({"maxUnavailable":9})", {3, 5}, true, {.expected = 5, .desired_healthy = 0}},
      {R"({"maxUnavailable":"30%"})", {3, 5}, true, {.expected = 5, .desired_healthy = 3}},
  };
  for (const Row& row : rows) {
    const Budget budget = Make(row.spec);
    EXPECT_EQ(budget.NeedsScale(), row.needs_scale) << row.spec;
    EXPECT_EQ(*budget.CountsFor(row.numbers), row.counts) << row.spec;
  }
}

TEST(Budget, AllowsWhatIsHealthyBeyondWhatMustBe) {
  const std::vector<PodPointer> pods = {PodOf("a", true), PodOf("b", true), PodOf("c", false),
                                        PodOf("d", true, true)};
  struct Row {
    BudgetCounts counts;
    std::int64_t allowed;
  };
  const Row rows[] = {
      {{.expected = 4, .desired_healthy = 1}, 1},
      {{.expected = 4, .desired_healthy = 2}, 0},
      {{.expected = 4, .desired_healthy = 3}, 0},
      {{.expected = 0, .desired_healthy = 0}, 0},  // nobody knows yet what will come
  };
  const Budget budget = Make(R"({"minAvailable":1})");
  for (const Row& row : rows) {
    const BudgetStatus status = budget.StatusWith(row.counts, pods, {}, kNow);
    EXPECT_EQ(status.current_healthy, 2);
    EXPECT_EQ(status.disruptions_allowed, row.allowed) << row.counts.desired_healthy;
    EXPECT_EQ(status.observed_generation, 2);
  }
}

// 2027-01-15T08:00:00Z is kNow.
TEST(Budget, BelievesForTwoMinutesThatPodsWillBeDeleted) {
  const Budget budget =
      Make(R"({"minAvailable":1})",
           R"({"disruptedPods":{"a":"2027-01-15T07:59:00Z","b":"2027-01-15T07:50:00Z",)"
           R"("c":"2027-01-15T07:59:30Z","gone":"2027-01-15T07:59:30Z"}})");
  const std::vector<PodPointer> pods = {PodOf("a", true), PodOf("b", true), PodOf("c", true, true),
                                        PodOf("d", true)};
  const Disrupted disrupted = budget.DisruptedAmong(pods, kNow);
  EXPECT_EQ(disrupted.believed, (std::map<std::string, Time>{{"a", kNow - minutes(1)}}));
  EXPECT_EQ(disrupted.look_again, kNow + minutes(1));
  ASSERT_EQ(disrupted.not_deleted.size(), 1U);
  EXPECT_EQ(disrupted.not_deleted[0]->metadata.name, "b");

  const BudgetStatus status =
      budget.StatusWith({.expected = 4, .desired_healthy = 1}, pods, disrupted, kNow);
  EXPECT_EQ(status.current_healthy, 2);
  EXPECT_EQ(budget.StatusPatch(status, kNow),
            R"({"metadata":{"uid":"u","resourceVersion":"7"},"status":{"currentHealthy":2,)"
            R"("desiredHealthy":1,"expectedPods":4,"disruptionsAllowed":1,"observedGeneration":2,)"
            R"("disruptedPods":{"a":"2027-01-15T07:59:00Z","b":null,"c":null,"gone":null},)"
            R"("conditions":[{"type":"DisruptionAllowed","status":"True",)"
            R"("reason":"SufficientPods","message":"","observedGeneration":2,)"
            R"("lastTransitionTime":"2027-01-15T08:00:00Z"}]}})");
}

TEST(Budget, SaysNothingTwice) {
  const std::string counts =
      R"("currentHealthy":1,"desiredHealthy":1,"expectedPods":1,"disruptionsAllowed":0,)"
      R"("observedGeneration":2)";
  const BudgetStatus status{
      .current_healthy = 1, .desired_healthy = 1, .expected_pods = 1, .observed_generation = 2};
  const auto has = [&](std::string_view reason) {
    const std::string condition = fmt::format(
        R"([{{"type":"DisruptionAllowed","status":"False","reason":"{}","message":"no"}}])",
        reason);
    const Budget budget = Make("{}", fmt::format(R"({{{},"conditions":{}}})", counts, condition));
    return std::pair(budget.Has(status), budget.FailurePatch("no", kNow).has_value());
  };
  EXPECT_EQ(has("InsufficientPods"), std::pair(true, true));
  EXPECT_EQ(has("SyncFailed"), std::pair(false, false));
  EXPECT_FALSE(Make("{}", fmt::format("{{{}}}", counts)).Has(status)) << "without the condition";
}

TEST(PodSelector, IsShownAsGoPrintsIt) {
  const Budget budget = Make(
      R"({"selector":{"matchLabels":{"a":"b","c":"d"},"matchExpressions":[{"key":"e","operator":"In","values":["f","g"]}]}})");
  const api::Value* const tree = budget.object->root.Member("spec")->Member("selector");
  EXPECT_EQ(PodSelector::GoText(tree),
            "&LabelSelector{MatchLabels:map[string]string{a: b,c: d,},MatchExpressions:"
            "[]LabelSelectorRequirement{LabelSelectorRequirement{Key:e,Operator:In,"
            "Values:[f g],},},}");
}

TEST(PodSelector, ChoosesNothingWhereThereIsNoneAndAllWhereItIsEmpty) {
  struct Row {
    std::string spec;
    api::Map<std::string> labels;
    bool matches;
  };
  const Row rows[] = {
      {"{}", {{"a", "b"}}, false},
      {R"({"selector":{}})", {{"a", "b"}}, true},
      {R"({"selector":{"matchLabels":{"a":"b"}}})", {{"a", "b"}, {"c", "d"}}, true},
      {R"({"selector":{"matchLabels":{"a":"b"}}})", {{"a", "c"}}, false},
      {R"({"selector":{"matchExpressions":[{"key":"a","operator":"NotIn","values":["b"]}]}})",
       {},
       true},
      {R"({"selector":{"matchExpressions":[{"key":"a","operator":"DoesNotExist"}]}})",
       {{"a", "b"}},
       false},
      {R"({"selector":{"matchExpressions":[{"key":"a","operator":"Exists"}]}})",
       {{"a", "b"}},
       true},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(Make(row.spec).selector->Matches(row.labels), row.matches) << row.spec;
  }
  const Budget odd = Make(R"({"selector":{"matchExpressions":[{"key":"a","operator":"Near"}]}})");
  EXPECT_EQ(odd.selector.error().message, R"("Near" is not a valid label selector operator)");
}

TEST(ScalableKinds, AreReadFromDiscovery) {
  const ScalableKinds kinds =
      ReadKinds(R"({"resources":[{"name":"jobs","kind":"Job"},{"name":"jobs/status","kind":"Job"},)"
                R"({"name":"things","kind":"Thing"},{"name":"things/scale","kind":"Scale"}]})",
                "example.com/v1");
  ASSERT_EQ(kinds.size(), 2U);
  EXPECT_FALSE(kinds.at("Job").scales);
  EXPECT_TRUE(kinds.at("Thing").scales);
  EXPECT_EQ(kinds.at("Thing").resource.Path("a", "t", "scale"),
            "/apis/example.com/v1/namespaces/a/things/t/scale");
  EXPECT_TRUE(ReadKinds("no JSON", "v1").empty());
}

}  // namespace
}  // namespace quadra::lifecycle

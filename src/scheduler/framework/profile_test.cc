#include "scheduler/framework/profile.h"

#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include "scheduler/framework/worlds_for_tests.h"

namespace quadra::scheduler {
namespace {

// What a plugin of a test says.
struct Answers {
  Status pre_filter;
  std::optional<std::vector<std::string>> nodes;
  Status filter;
  Status pre_score;
  std::int64_t score = 0;
  Status reserve;
};

// Answers as it is told, and writes down what it is asked.
class Scripted final : public Plugin,
                       public PreFilterPlugin,
                       public FilterPlugin,
                       public PreScorePlugin,
                       public ScorePlugin,
                       public ReservePlugin {
 public:
  Scripted(std::string_view name, std::vector<std::string>& asked, Answers answers = {})
      : name_(name), asked_(asked), answers_(std::move(answers)) {}

  std::string_view name() const override { return name_; }
  PreFilterResult PreFilter(CycleState& /*state*/, const PodInfo& /*pod*/) const override {
    Note("prefilter");
    return {.status = answers_.pre_filter, .nodes = answers_.nodes};
  }
  bool HasExtensions() const override { return true; }
  Status AddPod(CycleState& /*state*/, const PodInfo& /*pod*/, const PodInfo& other,
                const NodeInfo& node) const override {
    Note(fmt::format("add {} of {}", other.pod.metadata.name, node.pods().size()));
    return {};
  }
  Status Filter(CycleState& /*state*/, const PodInfo& /*pod*/,
                const NodeInfo& node) const override {
    Note(fmt::format("filter beside {}", node.pods().size()));
    return answers_.filter;
  }
  Status PreScore(CycleState& /*state*/, const PodInfo& /*pod*/,
                  std::span<const NodeInfo* const> /*nodes*/) const override {
    return answers_.pre_score;
  }
  Status Score(CycleState& /*state*/, const PodInfo& /*pod*/, const NodeInfo& /*node*/,
               std::int64_t& score) const override {
    Note("score");
    score = answers_.score;
    return {};
  }
  Status Reserve(CycleState& /*state*/, const PodInfo& /*pod*/,
                 const std::string& /*node*/) override {
    Note("reserve");
    return answers_.reserve;
  }
  void Unreserve(CycleState& /*state*/, const PodInfo& /*pod*/,
                 const std::string& /*node*/) override {
    Note("unreserve");
  }

 private:
  void Note(std::string_view what) const { asked_.push_back(fmt::format("{} {}", name_, what)); }

  const std::string_view name_;
  std::vector<std::string>& asked_;
  const Answers answers_;
};

// Two plugins, a and b, above an empty cluster with one node.
class Two {
 public:
  Two(Answers a, Answers b) : Two(std::move(a), std::move(b), 1, 1) {}
  Two(Answers a, Answers b, std::int64_t weight_a, std::int64_t weight_b)
      : a_(std::move(a)), b_(std::move(b)), profile("p", Plugins(weight_a, weight_b), handle) {
    cache.PutNode(NodeOf({.name = "node"}));
  }

  std::string Asked() const { return fmt::format("{}", fmt::join(asked, ", ")); }
  const NodeInfo& node() const { return *cache.Find("node"); }

 private:
  std::vector<WeightedPlugin> Plugins(std::int64_t weight_a, std::int64_t weight_b) {
    std::vector<WeightedPlugin> plugins;
    plugins.push_back(
        {.plugin = std::make_unique<Scripted>("a", asked, std::move(a_)), .weight = weight_a});
    plugins.push_back(
        {.plugin = std::make_unique<Scripted>("b", asked, std::move(b_)), .weight = weight_b});
    return plugins;
  }

  Answers a_;
  Answers b_;
  const api::FeatureGates gates_;
  SeededRandom random_{1};

 public:
  std::vector<std::string> asked;
  std::vector<PodInfoPtr> nominated;
  Cache cache;
  Devices devices{placement::TestLanguage(), gates_};
  Handle handle{.gates = gates_,
                .snapshot = cache,
                .devices = devices,
                .random = random_,
                .nominated = [this](const std::string& /*node*/) { return nominated; }};
  Profile profile;
};

const Status kNo(Code::kUnschedulable, "no");
const Status kNever(Code::kUnschedulableAndUnresolvable, "never");
const Status kBroken(Code::kError, "broken");
const Status kNothingToDo(Code::kSkip, std::vector<std::string>());

TEST(Profile, AsksPluginsInOrderBeforeItFilters) {
  using Nodes = std::vector<std::string>;
  struct Row {
    std::string_view what;
    Answers a;
    Answers b;
    std::string_view told;
    std::string_view nodes;  // - where all are worth looking at
    std::string_view asked;
  };
  const Row rows[] = {
      {"both agree", {}, {}, "Success", "-", "a prefilter, b prefilter"},
      {"what can never be ends it",
       {.pre_filter = kNever},
       {},
       "UnschedulableAndUnresolvable: never",
       "-",
       "a prefilter"},
      {"what preemption may change does not",
       {.pre_filter = kNo},
       {},
       "Unschedulable: no",
       "-",
       "a prefilter, b prefilter"},
      {"what broke names who broke it",
       {},
       {.pre_filter = kBroken},
       "Error: running PreFilter plugin \"b\": broken",
       "-",
       "a prefilter, b prefilter"},
      {"one narrows", {.nodes = Nodes{"x", "n"}}, {}, "Success", "n x", "a prefilter, b prefilter"},
      {"both narrow",
       {.nodes = Nodes{"x", "n"}},
       {.nodes = Nodes{"y", "n"}},
       "Success",
       "n",
       "a prefilter, b prefilter"},
      {"one leaves nothing",
       {.nodes = Nodes{}},
       {},
       "UnschedulableAndUnresolvable: node(s) didn't satisfy plugin a",
       "",
       "a prefilter"},
      {"together they leave nothing",
       {.nodes = Nodes{"x"}},
       {.nodes = Nodes{"y"}},
       "UnschedulableAndUnresolvable: node(s) didn't satisfy plugin(s) [a b] simultaneously",
       "",
       "a prefilter, b prefilter"},
  };
  for (const Row& row : rows) {
    Two two(row.a, row.b);
    CycleState state;
    const PreFiltered found = two.profile.RunPreFilter(state, *PodOf({}));
    EXPECT_EQ(TextOf(found.status), row.told) << row.what;
    EXPECT_EQ(found.nodes ? fmt::format("{}", fmt::join(*found.nodes, " ")) : "-", row.nodes)
        << row.what;
    EXPECT_EQ(two.Asked(), row.asked) << row.what;
  }
}

TEST(Profile, FiltersUntilTheFirstNo) {
  struct Row {
    std::string_view what;
    Answers a;
    Answers b;
    std::string_view told;
    std::string_view plugin;
    std::string_view asked;  // after PreFilter
  };
  const Row rows[] = {
      {"both agree", {}, {}, "Success", "", "a filter beside 0, b filter beside 0"},
      {"the first no", {.filter = kNo}, {}, "Unschedulable: no", "a", "a filter beside 0"},
      {"who skipped is not asked",
       {.pre_filter = kNothingToDo, .filter = kNo},
       {},
       "Success",
       "",
       "b filter beside 0"},
      {"what broke",
       {.filter = kBroken},
       {},
       "Error: running \"a\" filter plugin: broken",
       "a",
       "a filter beside 0"},
  };
  for (const Row& row : rows) {
    Two two(row.a, row.b);
    CycleState state;
    two.profile.RunPreFilter(state, *PodOf({}));
    two.asked.clear();
    const Status status = two.profile.RunFilters(state, *PodOf({}), two.node());
    EXPECT_EQ(TextOf(status), row.told) << row.what;
    EXPECT_EQ(status.plugin(), row.plugin) << row.what;
    EXPECT_EQ(two.Asked(), row.asked) << row.what;
  }
}

PodInfoPtr WithPriority(std::string_view name, int priority) {
  return PodOf({.name = name, .spec = fmt::format("{{priority: {}}}", priority)});
}

TEST(Profile, FiltersWithAndWithoutThoseWhoAreNominated) {
  struct Row {
    std::string_view what;
    std::vector<PodInfoPtr> nominated;
    Answers a;
    std::string_view asked;
  };
  const Row rows[] = {
      {"nobody", {}, {}, "a filter beside 0, b filter beside 0"},
      {"the pod itself does not count",
       {WithPriority("p", 5)},
       {},
       "a filter beside 0, b filter beside 0"},
      {"who comes after it does not count",
       {WithPriority("low", 4)},
       {},
       "a filter beside 0, b filter beside 0"},
      {"its equals do",
       {WithPriority("low", 4), WithPriority("equal", 5)},
       {},
       "a add equal of 1, b add equal of 1, a filter beside 1, b filter beside 1, a filter beside "
       "0, b filter beside 0"},
      {"a no with them is a no",
       {WithPriority("high", 9)},
       {.filter = kNo},
       "a add high of 1, b add high of 1, a filter beside 1"},
  };
  for (const Row& row : rows) {
    Two two(row.a, {});
    two.nominated = row.nominated;
    CycleState state;
    const PodInfoPtr pod = WithPriority("p", 5);
    two.profile.RunPreFilter(state, *pod);
    two.asked.clear();
    const Status status = two.profile.RunFiltersWithNominatedPods(state, *pod, two.node());
    EXPECT_EQ(status.ok(), row.a.filter.ok()) << row.what;
    EXPECT_EQ(two.Asked(), row.asked) << row.what;
  }
}

TEST(Profile, WeighsScores) {
  Two two({.score = 10}, {.score = 3}, 2, 5);
  CycleState state;
  std::vector<ScoredNode> scored;
  const NodeInfo* const node = &two.node();
  ASSERT_TRUE(two.profile.RunScores(state, *PodOf({}), std::span(&node, 1), scored).ok());
  ASSERT_EQ(scored.size(), 1U);
  EXPECT_EQ(scored[0].total, 2 * 10 + 5 * 3);
  ASSERT_EQ(scored[0].by_plugin.size(), 2U);
  EXPECT_EQ(scored[0].by_plugin[1].second, 3);
}

TEST(Profile, DoesNotScoreWithWhoSkips) {
  Two two({.pre_score = kNothingToDo, .score = 10}, {.score = 3});
  CycleState state;
  std::vector<ScoredNode> scored;
  const NodeInfo* const node = &two.node();
  ASSERT_TRUE(two.profile.RunScores(state, *PodOf({}), std::span(&node, 1), scored).ok());
  EXPECT_EQ(scored[0].total, 3);
  EXPECT_EQ(two.Asked(), "b score");
}

TEST(Profile, TakesBackInReverse) {
  Two two({}, {.reserve = kNo});
  CycleState state;
  const Status status = two.profile.RunReserve(state, *PodOf({}), "node");
  EXPECT_EQ(TextOf(status), "Unschedulable: no");
  EXPECT_EQ(status.plugin(), "b");
  two.profile.RunUnreserve(state, *PodOf({}), "node");
  EXPECT_EQ(two.Asked(), "a reserve, b reserve, b unreserve, a unreserve");
}

TEST(NormalizeByMaximum, ScalesToTheLargest) {
  struct Row {
    std::vector<std::int64_t> scores;
    bool reverse;
    std::vector<std::int64_t> scaled;
  };
  const Row rows[] = {
      {{1, 2, 3, 4}, false, {25, 50, 75, 100}},
      {{1, 2, 3, 4}, true, {75, 50, 25, 0}},
      {{1000, 10, 20, 30}, false, {100, 1, 2, 3}},
      {{1, 1, 1}, true, {0, 0, 0}},
      {{0, 0, 0}, false, {0, 0, 0}},
      {{0, 0, 0}, true, {100, 100, 100}},
  };
  for (const Row& row : rows) {
    std::vector<NodeScore> scores;
    for (const std::int64_t score : row.scores) {
      scores.push_back({.score = score});
    }
    NormalizeByMaximum(scores, row.reverse);
    std::vector<std::int64_t> scaled;
    for (const NodeScore& each : scores) {
      scaled.push_back(each.score);
    }
    EXPECT_EQ(scaled, row.scaled);
  }
}

}  // namespace
}  // namespace quadra::scheduler

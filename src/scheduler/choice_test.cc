#include "scheduler/choice.h"

#include <gtest/gtest.h>

#include "scheduler/framework/worlds_for_tests.h"

namespace quadra::scheduler {
namespace {

TEST(EnoughNodes, AreFewerOfMoreInPercent) {
  struct Row {
    std::size_t all;
    std::int32_t percentage;
    std::size_t enough;
  };
  const Row rows[] = {{10, 0, 10},    {99, 40, 99},     {100, 0, 100},    {100, 5, 100},
                      {1000, 0, 420}, {1000, 40, 400},  {1000, 5, 100},   {1000, 100, 1000},
                      {6000, 0, 300}, {6000, 40, 2400}, {50'000, 0, 2500}};
  for (const Row& row : rows) {
    EXPECT_EQ(EnoughNodes(row.all, row.percentage), row.enough) << row.all << " " << row.percentage;
  }
}

// Takes and scores nodes as a test says.
class Chooser final : public Plugin,
                      public PreFilterPlugin,
                      public FilterPlugin,
                      public ScorePlugin {
 public:
  std::string_view name() const override { return "Chooser"; }
  PreFilterResult PreFilter(CycleState& /*state*/, const PodInfo& /*pod*/) const override {
    return before;
  }
  Status Filter(CycleState& /*state*/, const PodInfo& /*pod*/,
                const NodeInfo& node) const override {
    asked.push_back(node.name());
    if (node.name() == broken) {
      return {Code::kError, "broken"};
    }
    return refused.contains(node.name()) ? Status(Code::kUnschedulable, "no") : Status();
  }
  Status Score(CycleState& /*state*/, const PodInfo& /*pod*/, const NodeInfo& node,
               std::int64_t& score) const override {
    const auto found = scores.find(node.name());
    score = found == scores.end() ? 0 : found->second;
    return {};
  }

  PreFilterResult before;
  std::set<std::string> refused;
  std::string broken;
  std::map<std::string, std::int64_t> scores;
  mutable std::vector<std::string> asked;
};

// Nodes n0, n1, … under one plugin.
class Choosing {
 public:
  explicit Choosing(std::size_t nodes, std::int32_t percentage = 0, bool scores = true)
      : profile_("p", Plugins(scores), handle_),
        chooser_({.percentage = percentage, .random = random_}) {
    for (std::size_t i = 0; i < nodes; ++i) {
      cache_.PutNode(NodeOf({.name = fmt::format("n{}", i)}));
    }
  }

  Choice Choose(const PodInfoPtr& pod = PodOf({})) {
    CycleState state;
    plugin().asked.clear();
    return chooser_.Choose(profile_, cache_, state, *pod);
  }
  Chooser& plugin() { return *plugin_; }

 private:
  std::vector<WeightedPlugin> Plugins(bool scores) {
    auto made = std::make_unique<Chooser>();
    plugin_ = made.get();
    using Off = decltype(WeightedPlugin::off);
    std::vector<WeightedPlugin> plugins;
    plugins.push_back({.plugin = std::move(made), .off = scores ? Off{} : Off{"score"}});
    return plugins;
  }

  Chooser* plugin_ = nullptr;
  const api::FeatureGates gates_;
  SeededRandom random_{1};
  Cache cache_;
  Devices devices_{placement::TestLanguage(), gates_};
  Handle handle_{.gates = gates_, .snapshot = cache_, .devices = devices_, .random = random_};
  Profile profile_;
  NodeChooser chooser_;
};

TEST(NodeChooser, TakesTheNodeThatScoresMost) {
  Choosing choosing(4);
  choosing.plugin().scores = {{"n1", 5}, {"n2", 9}, {"n3", 10}};
  choosing.plugin().refused = {"n3"};
  const Choice choice = choosing.Choose();
  ASSERT_NE(choice.node, nullptr);
  EXPECT_EQ(choice.node->name(), "n2");
  EXPECT_EQ(choice.evaluated, 4U);
  EXPECT_EQ(choice.feasible, 3U);
}

TEST(NodeChooser, PicksByChanceAmongEquals) {
  Choosing choosing(4);
  choosing.plugin().scores = {{"n1", 5}, {"n2", 5}};
  std::set<std::string> picked;
  for (int i = 0; i < 50; ++i) {
    picked.insert(choosing.Choose().node->name());
  }
  EXPECT_EQ(picked, (std::set<std::string>{"n1", "n2"}));
}

TEST(NodeChooser, GoesOnWhereItStopped) {
  Choosing choosing(300, 40);  // 120 are enough
  EXPECT_EQ(choosing.Choose().feasible, 120U);
  EXPECT_EQ(choosing.plugin().asked.front(), "n0");
  EXPECT_EQ(choosing.plugin().asked.back(), "n119");
  choosing.plugin().refused = {"n125"};
  EXPECT_EQ(choosing.Choose().evaluated, 121U);
  EXPECT_EQ(choosing.plugin().asked.front(), "n120");
  choosing.Choose();
  EXPECT_EQ(choosing.plugin().asked.front(), "n241");
  EXPECT_EQ(choosing.plugin().asked.back(), "n60");
}

TEST(NodeChooser, TakesTheFirstWhereNobodyScores) {
  Choosing choosing(5, 0, false);
  choosing.plugin().refused = {"n0"};
  EXPECT_EQ(choosing.Choose().node->name(), "n1");
  EXPECT_EQ(choosing.plugin().asked, (std::vector<std::string>{"n0", "n1"}));
}

TEST(NodeChooser, LooksAtTheNominatedNodeFirst) {
  Choosing choosing(3);
  const PodInfoPtr pod = PodOf({.status = "{nominatedNodeName: n2}"});
  EXPECT_EQ(choosing.Choose(pod).node->name(), "n2");
  EXPECT_EQ(choosing.plugin().asked, (std::vector<std::string>{"n2"}));
  choosing.plugin().refused = {"n2"};
  choosing.plugin().scores = {{"n1", 1}};
  EXPECT_EQ(choosing.Choose(pod).node->name(), "n1");
}

TEST(NodeChooser, LooksAtNamedNodesAlone) {
  Choosing choosing(4);
  choosing.plugin().before.nodes = std::vector<std::string>{"n1", "n3", "gone"};
  choosing.plugin().refused = {"n1", "n3"};
  const Choice choice = choosing.Choose();
  EXPECT_EQ(choice.node, nullptr);
  EXPECT_EQ(choosing.plugin().asked, (std::vector<std::string>{"n1", "n3"}));
  EXPECT_EQ(TextOf(choice.diagnosis),
            "0/4 nodes are available: 2 no, 2 node(s) didn't satisfy plugin(s) [Chooser].");
}

TEST(NodeChooser, SaysWhyThereIsNone) {
  EXPECT_EQ(TextOf(Choosing(0).Choose().error),
            "UnschedulableAndUnresolvable: no nodes available to schedule pods");

  Choosing refused(2);
  refused.plugin().refused = {"n0", "n1"};
  const Choice none = refused.Choose();
  EXPECT_TRUE(none.error.ok());
  EXPECT_EQ(TextOf(none.diagnosis), "0/2 nodes are available: 2 no.");
  EXPECT_TRUE(none.diagnosis.unschedulable.contains("Chooser"));

  Choosing before(2);
  before.plugin().before.status = Status(Code::kUnschedulableAndUnresolvable, "never");
  EXPECT_EQ(TextOf(before.Choose().diagnosis), "0/2 nodes are available: never.");
  EXPECT_TRUE(before.plugin().asked.empty());

  Choosing broken(2);
  broken.plugin().broken = "n1";
  const Choice error = broken.Choose();
  EXPECT_EQ(error.node, nullptr);
  EXPECT_EQ(TextOf(error.error), "Error: running \"Chooser\" filter plugin: broken");
}

}  // namespace
}  // namespace quadra::scheduler

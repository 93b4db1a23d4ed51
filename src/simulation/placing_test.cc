// Two schedulers and a claim controller among everything that can go wrong, and mutants of them that
// must be found.
//
//   QUADRA_SEEDS=200 QUADRA_STEPS=100000 build/simulation_test
#include "simulation/placing.h"

#include <string>

#include <gtest/gtest.h>

#include "claims/controller.h"
#include "scheduler/scheduler.h"
#include "simulation/wanted.h"
#include "simulation/world.h"

namespace quadra::simulation {
namespace {

using std::chrono::milliseconds;

constexpr Weather kRoughSea{
    .longest = milliseconds(400), .lost = 20, .unanswered = 20, .broken = 200, .repeated = 200};

World::MakeController SchedulerNamed(std::string name, bool strict) {
  return [name = std::move(name), strict](client::ControllerContext& context) {
    scheduler::SchedulerOptions options{.config = scheduler::DefaultConfig(), .strict = strict};
    options.config.profiles.front().scheduler_name = name;
    return scheduler::MakeScheduler(context, options);
  };
}

struct PlacingRun {
  std::string wrong;
  std::string left;
  std::uint64_t started = 0;
  std::uint64_t writes = 0;
};

// `strict`: as upstream's scheduler, which does not look who was earlier.
PlacingRun PlayPlacing(std::uint64_t seed, std::uint64_t steps, bool strict = false) {
  World world(seed, kRoughSea);
  Placing placing(world, {"one", "two"});
  world.AddRole(
      [](client::ControllerContext& context) { return claims::MakeClaimController(context); });
  world.AddRole(SchedulerNamed("one", strict));
  world.AddRole(SchedulerNamed("two", strict));
  PlacingRun run;
  for (std::uint64_t step = 0; step < steps && run.wrong.empty(); ++step) {
    placing.Act();
    world.Pass(std::chrono::microseconds(world.Draw(200'000)));
    if (world.Draw(300) == 0) {
      world.RestartRole(world.Draw(world.roles()));
    }
    if (world.Draw(1000) == 0) {
      world.RestartServer();
    }
    run.wrong = placing.FindWrong();
  }
  world.Calm();
  for (int round = 0; round < 100 && !placing.FindLeft().empty() && run.wrong.empty(); ++round) {
    world.Pass(std::chrono::seconds(20));
    placing.LetAllEnd();
    run.wrong = placing.FindWrong();
  }
  run.left = placing.FindLeft();
  run.started = placing.started();
  run.writes = world.writes();
  return run;
}

constexpr std::uint64_t kPlacingLanes = 4;
class PlacingSimulationLane : public testing::TestWithParam<std::uint64_t> {};

TEST_P(PlacingSimulationLane, HoldsNothingTwiceAndPlacesAll) {
  const std::uint64_t seeds = Wanted("QUADRA_SEEDS", 4);
  const std::uint64_t steps = Wanted("QUADRA_STEPS", 1000);
  for (std::uint64_t seed = 1 + GetParam(); seed <= seeds; seed += kPlacingLanes) {
    const PlacingRun run = PlayPlacing(seed, steps);
    EXPECT_EQ(run.wrong, "") << "seed " << seed;
    EXPECT_EQ(run.left, "") << "seed " << seed;
    EXPECT_GT(run.started, steps / 50) << "seed " << seed << ": hardly a pod ran";
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, PlacingSimulationLane,
                         testing::Range(std::uint64_t{0}, kPlacingLanes));

TEST(PlacingSimulation, TheSameSeedGivesTheSameRun) {
  const PlacingRun once = PlayPlacing(3, 300);
  const PlacingRun again = PlayPlacing(3, 300);
  EXPECT_EQ(once.writes, again.writes);
  EXPECT_EQ(once.started, again.started);
}

TEST(PlacingSimulation, SchedulersThatDoNotLookForOthersAreFound) {
  bool found = false;
  for (std::uint64_t seed = 1; seed <= 20 && !found; ++seed) {
    found = PlayPlacing(seed, 1000, /*strict=*/true).wrong.find("twice") != std::string::npos;
  }
  EXPECT_TRUE(found);
}

}  // namespace
}  // namespace quadra::simulation

// The claim controller among everything that can go wrong, and mutants of it that must be found.
//
//   QUADRA_SEEDS=200 QUADRA_STEPS=100000 build/simulation_test
#include <string>

#include <gtest/gtest.h>

#include "claims/controller.h"
#include "simulation/actors.h"
#include "simulation/wanted.h"
#include "simulation/world.h"

namespace quadra::simulation {
namespace {

using std::chrono::milliseconds;

std::unique_ptr<client::Controller> MakeClaims(client::ControllerContext& context) {
  return claims::MakeClaimController(context);
}

constexpr Weather kRough{
    .longest = milliseconds(400), .lost = 30, .unanswered = 30, .broken = 300, .repeated = 200};

struct Played {
  std::string wrong;
  std::string left;
  std::uint64_t writes = 0;
  std::uint64_t started = 0;
};

// Two controllers, neither of whom knows of the other.
Played Play(std::uint64_t seed, std::uint64_t steps, const Tampering& tampering = {}) {
  World world(seed, kRough, tampering);
  Actors actors(world);
  world.AddRole(MakeClaims);
  world.AddRole(MakeClaims);
  Played run;
  for (std::uint64_t step = 0; step < steps && run.wrong.empty(); ++step) {
    actors.Act();
    world.Pass(std::chrono::microseconds(world.Draw(200'000)));
    if (world.Draw(200) == 0) {
      world.RestartRole(world.Draw(world.roles()));
    }
    if (world.Draw(500) == 0) {
      world.RestartServer();
    }
    run.wrong = actors.FindWrong();
  }
  world.Calm();
  actors.End();
  world.Pass(std::chrono::minutes(40));
  actors.Collect();
  world.Pass(std::chrono::minutes(40));
  run.left = actors.FindLeft();
  run.writes = world.writes();
  run.started = actors.started();
  return run;
}

// One of several lanes, so that all cores play.
constexpr std::uint64_t kLanes = 4;
class ClaimsSimulationLane : public testing::TestWithParam<std::uint64_t> {};

TEST_P(ClaimsSimulationLane, FreesNothingInUseAndKeepsNothing) {
  const std::uint64_t seeds = Wanted("QUADRA_SEEDS", 8);
  const std::uint64_t steps = Wanted("QUADRA_STEPS", 2000);
  for (std::uint64_t seed = 1 + GetParam(); seed <= seeds; seed += kLanes) {
    const Played run = Play(seed, steps);
    EXPECT_EQ(run.wrong, "") << "seed " << seed;
    EXPECT_EQ(run.left, "") << "seed " << seed;
    EXPECT_GT(run.started, steps / 100) << "seed " << seed << ": hardly a pod ran";
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, ClaimsSimulationLane, testing::Range(std::uint64_t{0}, kLanes));

TEST(ClaimsSimulation, TheSameSeedGivesTheSameRun) {
  const Played once = Play(7, 300);
  const Played again = Play(7, 300);
  EXPECT_EQ(once.writes, again.writes);
  EXPECT_EQ(once.started, again.started);
}

// A controller that patches whatever claim bears the name, whatever became of it meanwhile.
void ForgetPreconditions(net::Request& request) {
  if (request.method != "PATCH") {
    return;
  }
  Result<json::Value> body = json::ParseValue(request.body);
  json::Value* const metadata = body ? body->Find("metadata") : nullptr;
  if (metadata != nullptr) {
    metadata->Erase("uid");
    metadata->Erase("resourceVersion");
    request.body = json::ToJson(*body);
  }
}

// A controller to whom a pod that runs is as good as done.
void CallRunningPodsDone(std::string& answer) {
  constexpr std::string_view kRunning = R"("phase":"Running")";
  for (std::size_t at = answer.find(kRunning); at != std::string::npos;
       at = answer.find(kRunning)) {
    answer.replace(at, kRunning.size(), R"("phase":"Failed")");
  }
}

TEST(ClaimsSimulation, MutantsAreFound) {
  const struct {
    std::string_view what;
    Tampering mutant;
  } mutants[] = {
      {"no preconditions", {.request = ForgetPreconditions}},
      {"freed before the pod is done", {.answer = CallRunningPodsDone}},
  };
  for (const auto& [what, mutant] : mutants) {
    bool found = false;
    for (std::uint64_t seed = 1; seed <= 20 && !found; ++seed) {
      found = !Play(seed, 2000, mutant).wrong.empty();
    }
    EXPECT_TRUE(found) << what;
  }
}

}  // namespace
}  // namespace quadra::simulation

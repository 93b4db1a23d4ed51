// --guard-allocations: no device is given to two claims that want it for themselves.
#include <atomic>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "apiserver/server_for_tests.h"

namespace quadra::apiserver {
namespace {

constexpr std::string_view kClaims = "/apis/resource.k8s.io/v1/namespaces/default/resourceclaims";

ApiServerOptions Guarding(bool guards) {
  ApiServerOptions options;
  options.guard_allocations = guards;
  return options;
}

// A claim of one request, `r`.
void MakeClaim(TestServer& server, std::string_view name) {
  ASSERT_EQ(server
                .Ask("POST", std::string(kClaims),
                     fmt::format(R"({{"metadata":{{"name":"{}"}},"spec":{{"devices":{{"requests":)"
                                 R"([{{"name":"r","exactly":{{"deviceClassName":"gpu"}}}}]}}}}}})",
                                 name))
                .status,
            201);
}

std::string Result(std::string_view device, std::string_view more = "") {
  return fmt::format(R"({{"request":"r","driver":"d.example.com","pool":"p/q","device":"{}"{}}})",
                     device, more);
}

net::Response Allocate(TestServer& server, std::string_view name, std::string_view results,
                       std::string_view options = "") {
  return server.Ask(
      "PATCH merge", fmt::format("{}/{}/status{}", kClaims, name, options),
      fmt::format(R"({{"status":{{"allocation":{{"devices":{{"results":[{}]}}}}}}}})", results));
}

constexpr std::string_view kShare = R"(,"shareID":"a671734a-e8e5-11e4-8fde-42010af09327")";

TEST(GuardAllocations, RefusesWhatAnotherClaimHoldsForItself) {
  TestServer server(Guarding(true));
  for (const std::string_view name : {"a", "b"}) {
    MakeClaim(server, name);
  }
  EXPECT_EQ(Allocate(server, "a", Result("gpu-0")).status, 200);
  const net::Response refused = Allocate(server, "b", Result("gpu-1") + "," + Result("gpu-0"));
  EXPECT_EQ(refused.status, 409);
  EXPECT_EQ(Pick(*refused.body, ".reason"), "Conflict");
  EXPECT_EQ(
      Pick(*refused.body, ".message"),
      R"(Operation cannot be fulfilled on resourceclaims.resource.k8s.io "b": device d.example.com/p/q/gpu-0 is )"
      R"(allocated to resourceclaim default/a already; look at the claims again and allocate another device, or )"
      R"(delete that claim (this server runs with --guard-allocations))");
  EXPECT_EQ(Allocate(server, "b", Result("gpu-0"), "?dryRun=All").status, 409);
  EXPECT_EQ(Allocate(server, "b", Result("gpu-0", kShare)).status, 409) << "no share of it either";
  EXPECT_EQ(Allocate(server, "b", Result("gpu-00")).status, 200) << "another name";
}

TEST(GuardAllocations, RemembersOverARestartAndForgetsWithTheClaim) {
  TestServer server(Guarding(true));
  for (const std::string_view name : {"a", "b", "c"}) {
    MakeClaim(server, name);
  }
  ASSERT_EQ(Allocate(server, "a", Result("gpu-0")).status, 200);
  server.Restart();
  EXPECT_EQ(Allocate(server, "b", Result("gpu-0")).status, 409);
  EXPECT_EQ(server
                .Ask("PATCH merge", fmt::format("{}/a/status", kClaims),
                     R"({"status":{"allocation":null}})")
                .status,
            200);
  EXPECT_EQ(Allocate(server, "b", Result("gpu-0")).status, 200) << "a has given it back";
  EXPECT_EQ(server.Ask("DELETE", fmt::format("{}/b", kClaims)).status, 200);
  EXPECT_EQ(Allocate(server, "c", Result("gpu-0")).status, 200) << "b is gone";
}

TEST(GuardAllocations, LeavesAloneWhatIsSharedAdministeredOrOld) {
  TestServer server(Guarding(false));
  for (const std::string_view name : {"a", "b", "c", "d", "e", "f"}) {
    MakeClaim(server, name);
  }
  EXPECT_EQ(Allocate(server, "a", Result("gpu-0")).status, 200);
  EXPECT_EQ(Allocate(server, "b", Result("gpu-0")).status, 200) << "nobody guards";
  EXPECT_EQ(Allocate(server, "c", Result("gpu-1", kShare)).status, 200);
  server.Restart(Guarding(true));
  EXPECT_EQ(server
                .Ask("PATCH merge", fmt::format("{}/b/status", kClaims),
                     R"({"status":{"reservedFor":[{"resource":"pods","name":"p","uid":"u"}]}})")
                .status,
            200)
      << "b has it from before";
  EXPECT_EQ(Allocate(server, "d", Result("gpu-1", kShare)).status, 200) << "shares of one device";
  EXPECT_EQ(Allocate(server, "e", Result("gpu-0")).status, 409);
  server.Ask("PATCH merge", "/api/v1/namespaces/default",
             R"({"metadata":{"labels":{"resource.kubernetes.io/admin-access":"true"}}})");
  EXPECT_EQ(Allocate(server, "f", Result("gpu-0", R"(,"adminAccess":true)")).status, 200);
}

TEST(GuardAllocations, OfManyAtOnceOneGetsTheDevice) {
  constexpr int kRounds = 10;
  constexpr int kClaimants = 8;
  TestServer server(Guarding(true));
  for (int claimant = 0; claimant < kClaimants; ++claimant) {
    for (int round = 0; round < kRounds; ++round) {
      MakeClaim(server, fmt::format("c{}-{}", claimant, round));
    }
  }
  std::vector<std::atomic<int>> given(kRounds);
  {
    std::vector<std::jthread> claimants;
    claimants.reserve(kClaimants);
    for (int claimant = 0; claimant < kClaimants; ++claimant) {
      claimants.emplace_back([&, claimant] {
        for (int round = 0; round < kRounds; ++round) {
          const net::Response answer = Allocate(server, fmt::format("c{}-{}", claimant, round),
                                                Result(fmt::format("gpu-{}", round)));
          given[static_cast<std::size_t>(round)] += answer.status == 200 ? 1 : 0;
        }
      });
    }
  }
  for (const std::atomic<int>& times : given) {
    EXPECT_EQ(times, 1);
  }
}

}  // namespace
}  // namespace quadra::apiserver

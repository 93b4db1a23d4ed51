// Placing with all that is remembered against placing the plain way, on drawn worlds.
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "allocator/allocator.h"
#include "base/random.h"
#include "placement/place.h"
#include "placement/worlds_for_tests.h"

namespace quadra::placement {
namespace {

// Class `even` fails on the device of number `bare`, if there is one.
std::string SliceYaml(std::string_view name, std::string_view where, std::uint64_t devices,
                      std::uint64_t bare) {
  std::string list;
  for (std::uint64_t i = 0; i < devices; ++i) {
    const std::string parity = fmt::format("parity: {{int: {}}}", i % 2);
    list += fmt::format("{}{{name: d{}, attributes: {{{}}}}}", i == 0 ? "" : ", ", i,
                        i == bare ? "" : parity);
  }
  return fmt::format(
      "---\napiVersion: resource.k8s.io/v1\nkind: ResourceSlice\nmetadata: {{name: {0}}}\nspec: "
      "{{driver: drv, {1}, pool: {{name: {0}, generation: 1, resourceSliceCount: 1}}, devices: "
      "[{2}]}}\n",
      name, where, list);
}

std::string ClassYaml(std::string_view name, std::string_view expression) {
  return fmt::format(
      "---\napiVersion: resource.k8s.io/v1\nkind: DeviceClass\nmetadata: {{name: {}}}\nspec: "
      "{{selectors: [{{cel: {{expression: '{}'}}}}]}}\n",
      name, expression);
}

// A plain request, or one with alternatives.
std::string RequestYaml(Random& random, int number) {
  const auto one = [&] {
    return fmt::format("deviceClassName: {}, count: {}", random.Below(2) == 0 ? "any" : "even",
                       1 + random.Below(3));
  };
  if (random.Below(3) > 0) {
    return fmt::format("{{name: r{}, exactly: {{{}}}}}", number, one());
  }
  return fmt::format("{{name: r{}, firstAvailable: [{{name: a, {}}}, {{name: b, {}}}]}}", number,
                     one(), one());
}

std::string ClaimYaml(Random& random, int number) {
  std::string requests = RequestYaml(random, 0);
  if (random.Below(3) == 0) {
    requests += ", " + RequestYaml(random, 1);
  }
  return fmt::format(
      "---\napiVersion: resource.k8s.io/v1\nkind: ResourceClaim\nmetadata: {{name: c{}}}\nspec: "
      "{{devices: {{requests: [{}]}}}}\n",
      number, requests);
}

// A few nodes with pools of their own, a pool that all may use, and more claims than fit.
std::string WorldYaml(Random& random) {
  std::string yaml =
      ClassYaml("any", "true") + ClassYaml("even", R"(device.attributes["drv"].parity == 0)");
  const std::uint64_t nodes = 1 + random.Below(4);
  for (std::uint64_t n = 0; n < nodes; ++n) {
    yaml += fmt::format("---\napiVersion: v1\nkind: Node\nmetadata: {{name: n{}}}\n", n);
    yaml += SliceYaml(fmt::format("p{}", n), fmt::format("nodeName: n{}", n), random.Below(5),
                      random.Below(25));
  }
  if (random.Below(2) == 0) {
    yaml += SliceYaml("shared", "allNodes: true", 1 + random.Below(4), random.Below(25));
  }
  const int claims = 3 + static_cast<int>(random.Below(8));
  for (int i = 0; i < claims; ++i) {
    yaml += ClaimYaml(random, i);
  }
  return yaml;
}

std::string Told(const std::string& node, const api::AllocationResult& allocation) {
  std::string text = node + ":";
  for (const auto& result : allocation.devices.results) {
    text += fmt::format(" {}={}/{}", result.request, result.pool, result.device);
  }
  return text;
}

// Every claim asked of every node anew. Strictly, one node's error fails the claim on all.
std::vector<std::string> PlacePlainly(Cluster& cluster, selector::ExpressionCache& expressions,
                                      bool strict) {
  std::vector<std::string> told;
  inventory::Inventory world = cluster.Take().Fork();
  for (api::ResourceClaim claim : cluster.claims().all()) {
    const inventory::Snapshot devices = world.Take();
    SeededRandom random(1);
    const std::vector<const api::ResourceClaim*> claims{&claim};
    std::string best = "none";
    std::int64_t best_score = -1;
    bool failed = false;
    api::AllocationResult taken;
    for (const auto& [name, node] : devices.nodes()) {
      const allocator::Allocation allocation = allocator::Allocate({.cluster = devices,
                                                                    .node = *node,
                                                                    .claims = claims,
                                                                    .strict = strict,
                                                                    .expressions = expressions},
                                                                   random);
      failed = failed || (strict && allocation.fatal);
      if (allocation.result == allocator::Allocation::Result::kAllocated &&
          allocation.score > best_score) {
        best_score = allocation.score;
        taken = allocation.claims[0];
        best = Told(name, taken);
      }
    }
    told.push_back(failed ? "none" : best);
    if (best_score >= 0 && !failed) {
      claim.status.allocation = taken;
      world.SetClaim(claim);
    }
  }
  return told;
}

std::string ToldOf(const Decision& decision) {
  const auto& allocation = decision.claims[0].claim.status.allocation;
  return allocation ? Told(decision.node, *allocation) : "none";
}

std::vector<std::string> PlaceRemembering(Cluster& cluster, selector::ExpressionCache& expressions,
                                          bool strict) {
  std::vector<std::string> told;
  Placer placer(cluster, {.strict = strict}, expressions);
  for (const api::ResourceClaim& claim : cluster.claims().all()) {
    const std::vector<const api::ResourceClaim*> one{&claim};
    told.push_back(ToldOf(placer.Place(one)));
  }
  return told;
}

// How many claims were placed.
std::size_t CompareDrawnWorlds(bool strict) {
  std::size_t placed = 0;
  std::size_t refused = 0;
  for (std::uint64_t seed = 1; seed <= 150; ++seed) {
    SeededRandom random(seed);
    const std::string yaml = WorldYaml(random);
    Cluster cluster = ClusterOf(yaml);
    selector::ExpressionCache expressions(TestLanguage());
    const std::vector<std::string> told = PlaceRemembering(cluster, expressions, strict);
    EXPECT_EQ(told, PlacePlainly(cluster, expressions, strict)) << "seed " << seed << "\n" << yaml;
    for (const std::string& one : told) {
      ++(one == "none" ? refused : placed);
    }
  }
  EXPECT_GT(placed, 200U);
  EXPECT_GT(refused, 200U);
  return placed;
}

TEST(PlaceRandom, RememberingChangesNoAnswer) {
  EXPECT_GT(CompareDrawnWorlds(false), CompareDrawnWorlds(true));
}

}  // namespace
}  // namespace quadra::placement

// Worlds in which trying the cheapest devices first serves more pods than the published order.
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "allocator/allocator.h"
#include "fixtures/devices.h"

namespace quadra::allocator {
namespace {

using fixtures::Claim;
using fixtures::CounterSlice;
using fixtures::Gpu;
using fixtures::OfTwo;
using fixtures::Slice;
using fixtures::Wants;

struct World {
  std::string name;
  std::vector<api::ResourceSlice> slices;
  std::vector<api::DeviceRequest> pods;  // one after the other, each with one request
  std::vector<std::string> upstream;     // the device of each; empty: none
  std::vector<std::string> best_fit;
};

void PrintTo(const World& world, std::ostream* out) { *out << world.name; }

Wants Only(std::string_view kind) {
  return Wants(1).Where("device.attributes['d.example.com'].kind == '" + std::string(kind) + "'");
}

// A whole board or two halves of it.
std::vector<api::Device> Board(const std::string& name) {
  return {Gpu(name + "-whole").Text("kind", "whole").Draws(name, "a", 1).Draws(name, "b", 1),
          Gpu(name + "-left").Text("kind", name == "g1" ? "pinned" : "half").Draws(name, "a", 1),
          Gpu(name + "-right").Text("kind", "half").Draws(name, "b", 1)};
}

std::vector<api::Device> TwoBoards() {
  std::vector<api::Device> devices = Board("g0");
  for (const api::Device& device : Board("g1")) {
    devices.push_back(device);
  }
  return devices;
}

const std::vector<World> kWorlds = {
    {"the smallest device that serves",
     {Slice("p", "n1", {Gpu("large").With("memory", "80Gi"), Gpu("small").With("memory", "40Gi")})},
     {Wants(1).Least("memory", "40Gi"), Wants(1).Least("memory", "80Gi")},
     {"large", ""},
     {"small", "large"}},
    {"a share of the fullest device",
     {Slice("p", "n1",
            {Gpu("a").Text("kind", "a").Shared().With("memory", "10"),
             Gpu("b").Text("kind", "b").Shared().With("memory", "10")})},
     {Only("b").Least("memory", "7"), Wants(1).Least("memory", "3"),
      Wants(1).Least("memory", "10")},
     {"b", "a", ""},
     {"b", "b", "a"}},
    {"half of a board that is broken up already",
     {CounterSlice("p", "n1", {"g0", "g1"}, {{"a", 1}, {"b", 1}}),
      OfTwo(Slice("p", "n1", TwoBoards()))},
     {Only("pinned"), Only("half"), Only("whole")},
     {"g1-left", "g0-left", ""},
     {"g1-left", "g1-right", "g0-whole"}},
    {"the place that spoils no larger partition",
     {CounterSlice("p", "n1", {"g"}, {{"0", 1}, {"1", 1}, {"2", 1}, {"3", 1}}),
      OfTwo(Slice("p", "n1",
                  {Gpu("two@0").Text("kind", "two").Draws("g", "0", 1).Draws("g", "1", 1),
                   Gpu("two@2").Text("kind", "two").Draws("g", "2", 1).Draws("g", "3", 1),
                   Gpu("one@0").Text("kind", "first").Draws("g", "0", 1),
                   Gpu("one@2").Text("kind", "one").Draws("g", "2", 1),
                   Gpu("one@1").Text("kind", "one").Draws("g", "1", 1)}))},
     {Only("first"), Only("one"), Only("two")},
     {"one@0", "one@2", ""},
     {"one@0", "one@1", "two@2"}},
};

class BestFitTest : public ::testing::TestWithParam<World> {};

std::vector<std::string> Serve(const World& world, Placement placement) {
  const selector::Language language;
  selector::ExpressionCache expressions(language);
  Verdicts verdicts(expressions);
  inventory::Inventory inventory(language, {});
  inventory.SetNode(fixtures::Node("n1"));
  inventory.SetClass(fixtures::AnyClass());
  for (const api::ResourceSlice& slice : world.slices) {
    inventory.SetSlice(slice);
  }
  SeededRandom random(1);
  std::vector<std::string> served;
  for (std::size_t i = 0; i < world.pods.size(); ++i) {
    api::ResourceClaim claim = Claim("c" + std::to_string(i), {world.pods[i]});
    const std::vector<const api::ResourceClaim*> claims = {&claim};
    const inventory::Snapshot cluster = inventory.Take();
    Allocator allocator(cluster, claims, verdicts, {.placement = placement});
    const Allocation allocation = allocator.Allocate(*cluster.ViewOf("n1"), random);
    const bool fits = allocation.result == Allocation::Result::kAllocated;
    served.push_back(fits ? allocation.claims[0].devices.results[0].device : "");
    if (fits) {
      claim.status.allocation = allocation.claims[0];
      inventory.SetClaim(claim);
    }
  }
  return served;
}

TEST_P(BestFitTest, ServesMorePodsThanThePublishedOrder) {
  EXPECT_EQ(Serve(GetParam(), Placement::kUpstream), GetParam().upstream);
  EXPECT_EQ(Serve(GetParam(), Placement::kBestFit), GetParam().best_fit);
}

INSTANTIATE_TEST_SUITE_P(Worlds, BestFitTest, ::testing::ValuesIn(kWorlds));

TEST(Placement, IsFoundByItsName) {
  EXPECT_EQ(PlacementNamed("upstream"), Placement::kUpstream);
  EXPECT_EQ(PlacementNamed("best-fit"), Placement::kBestFit);
  EXPECT_EQ(PlacementNamed("worst-fit"), std::nullopt);
}

}  // namespace
}  // namespace quadra::allocator

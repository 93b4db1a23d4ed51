// What is gone is freed: after many events an inventory keeps as much as one made from its objects.
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/random.h"
#include "inventory/inventory.h"

namespace quadra::inventory {
namespace {

constexpr std::size_t kNodes = 40;
constexpr std::size_t kMostDevices = 16;

api::Node NodeNumber(std::size_t n) {
  api::Node node;
  node.metadata.name = fmt::format("n{}", n);
  return node;
}

// The devices of a node, of a kind and of a shape that no other event has.
api::ResourceSlice SliceOf(std::size_t node, std::size_t event, std::size_t devices) {
  api::ResourceSlice slice;
  slice.metadata.name = fmt::format("s{}", node);
  slice.spec.driver = "d.example.com";
  slice.spec.node_name = fmt::format("n{}", node);
  slice.spec.pool = {.name = *slice.spec.node_name,
                     .generation = static_cast<std::int64_t>(event + 1),
                     .resource_slice_count = 1};
  for (std::size_t i = 0; i < devices; ++i) {
    api::Device device;
    device.name = fmt::format("d{}", i);
    device.attributes["uuid"].string_value = fmt::format("{}-{}-{}", node, event, i);
    device.attributes["firmware"].int_value = static_cast<std::int64_t>(event);
    device.capacity["memory"].value = quantity::Quantity::Of(static_cast<std::int64_t>(event));
    slice.spec.devices.push_back(std::move(device));
  }
  return slice;
}

TEST(Memory, IsFlatHoweverManySlicesAreReplaced) {
  const selector::Language language;
  SeededRandom random(5);
  Inventory inventory(language, Features());
  for (std::size_t n = 0; n < kNodes; ++n) {
    inventory.SetNode(NodeNumber(n));
  }
  std::vector<Snapshot> held;
  for (std::size_t event = 0; event < 10'000; ++event) {
    inventory.SetSlice(SliceOf(random.Below(kNodes), event, 1 + random.Below(kMostDevices)));
    if (event % 10 == 0) {
      held.push_back(inventory.Take());
    }
    if (held.size() > 3) {
      held.erase(held.begin());
    }
  }
  held.clear();
  const Snapshot::Sizes sizes = inventory.Take().sizes();
  EXPECT_LE(sizes.shapes, kNodes) << "one a slice";
  EXPECT_LE(sizes.device_classes, kNodes + 64) << "one a slice, and what was seen before uuids";
  EXPECT_LE(sizes.rows, kNodes * 2 * kMostDevices * 2) << "runs of 1, 2, 4, 8 and 16 rows a node";
}

// The slice, its devices' shapes and the view go with the last snapshot that shows them.
TEST(Memory, GoesWithTheLastSnapshotThatShowsIt) {
  const selector::Language language;
  Inventory inventory(language, Features());
  inventory.SetNode(NodeNumber(0));
  inventory.SetSlice(SliceOf(0, 1, 2));
  std::vector<Snapshot> held = {inventory.Take()};
  const std::weak_ptr<const NodeView> view = *held[0].views().begin();
  const std::weak_ptr<const Slice> slice = held[0].slices().Find("s0");
  const std::weak_ptr<const DeviceShape> shape = slice.lock()->devices[0].shape;
  inventory.SetSlice(SliceOf(0, 2, 2));
  inventory.Take();
  EXPECT_FALSE(view.expired() || slice.expired() || shape.expired()) << "a snapshot shows them";
  held.clear();
  EXPECT_TRUE(view.expired());
  EXPECT_TRUE(slice.expired());
  EXPECT_TRUE(shape.expired());
}

}  // namespace
}  // namespace quadra::inventory

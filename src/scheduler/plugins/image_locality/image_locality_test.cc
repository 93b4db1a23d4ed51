#include "scheduler/plugins/image_locality/image_locality.h"

#include <gtest/gtest.h>

#include "scheduler/framework/worlds_for_tests.h"

namespace quadra::scheduler {
namespace {

// A node with images of so many megabytes, named reg.io/SIZE:latest.
std::shared_ptr<const api::Node> With(std::string_view name, std::initializer_list<int> sizes) {
  std::string images;
  for (const int size : sizes) {
    images += fmt::format("{}{{names: ['reg.io/{}:latest'], sizeBytes: {}}}",
                          images.empty() ? "" : ", ", size, std::int64_t{size} * 1024 * 1024);
  }
  return NodeOf({.name = name, .status = fmt::format("{{images: [{}]}}", images)});
}
std::string Containers(std::initializer_list<std::string_view> images) {
  std::string containers;
  for (const std::string_view image : images) {
    containers += fmt::format("{}{{name: c, image: '{}'}}", containers.empty() ? "" : ", ", image);
  }
  return fmt::format("[{}]", containers);
}
std::string Running(std::initializer_list<std::string_view> images) {
  return fmt::format("{{containers: {}}}", Containers(images));
}

TEST(ImageLocality, PrefersNodesThatHaveTheImages) {
  using Nodes = std::vector<std::shared_ptr<const api::Node>>;
  struct Row {
    std::string_view what;
    std::string pod;
    Nodes nodes;
    std::string_view scores;
  };
  const Row rows[] = {
      {"the larger of two",
       Running({"reg.io/40", "reg.io/250"}),
       {With("a", {40, 300, 2000}), With("b", {250, 10})},
       "a=0 b=5"},
      {"both on one",
       Running({"reg.io/40", "reg.io/300"}),
       {With("a", {40, 300, 2000}), With("b", {250, 10})},
       "a=7 b=0"},
      {"no more than all",
       Running({"reg.io/10", "reg.io/4000"}),
       {With("a", {4000, 30}), With("b", {250, 10})},
       "a=100 b=0"},
      {"a third node has none",
       Running({"reg.io/10", "reg.io/4000"}),
       {With("a", {4000, 30}), With("b", {250, 10}), With("c", {})},
       "a=66 b=0 c=0"},
      {"three large ones",
       Running({"reg.io/300", "reg.io/600", "reg.io/900"}),
       {With("a", {600, 40, 900}), With("b", {300, 600, 900}), With("c", {})},
       "a=32 b=36 c=0"},
      {"small ones",
       Running({"reg.io/30", "reg.io/40"}),
       {With("a", {20, 30, 40}), With("b", {4000, 30})},
       "a=1 b=0"},
      {"images of volumes",
       fmt::format("{{containers: {}, volumes: [{{name: v, image: {{reference: reg.io/300}}}}]}}",
                   Containers({"reg.io/30"})),
       {With("a", {300, 600, 900}), With("b", {4000, 30})},
       "a=6 b=0"},
      {"init containers",
       fmt::format("{{containers: {}, initContainers: {}}}", Containers({"reg.io/30"}),
                   Containers({"reg.io/300"})),
       {With("a", {40, 300, 2000}), With("b", {20, 30, 40})},
       "a=6 b=0"},
      {"another tag is another image",
       Running({"reg.io/900:v2"}),
       {With("a", {900}), With("b", {})},
       "a=0 b=0"},
  };
  for (const Row& row : rows) {
    Trial trial({.plugin = "ImageLocality"});
    for (const auto& node : row.nodes) {
      trial.Put(node);
    }
    EXPECT_EQ(trial.Scores(PodOf({.spec = row.pod})), row.scores) << row.what;
  }
}

}  // namespace
}  // namespace quadra::scheduler

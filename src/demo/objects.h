// The objects of the demonstration. Private to src/demo.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace quadra::demo {

// YAML, in the order in which they are made.
std::span<const std::string_view> DemoObjects();
// Full names of the pods that cannot run.
std::span<const std::string_view> StuckPods();
// The `number`-th batch pod, YAML.
std::string BatchPod(std::size_t number);
// On batch pods.
inline constexpr std::string_view kBatchLabel = "demo.quadra/batch";

}  // namespace quadra::demo

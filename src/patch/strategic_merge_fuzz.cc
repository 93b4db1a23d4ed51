#include "patch/patch_for_tests.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  quadra::patch::ApplyAnything(quadra::patch::Type::kStrategicMerge, data, size);
  return 0;
}

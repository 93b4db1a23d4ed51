// Slices for the tests of ResourceSlice's rules: a good one, and rows that change it.
#pragma once

#include <span>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "validation/expectations.h"
#include "validation/validate.h"

namespace quadra::validation {

using api::Device;
using api::ResourceSlice;
using quantity::Quantity;

inline Device Gpu(std::string name = "gpu-0") {
  Device device;
  device.name = std::move(name);
  device.attributes["model"].string_value = "A100";
  device.capacity["memory"].value = *Quantity::Parse("80Gi");
  return device;
}

inline ResourceSlice Good() {
  ResourceSlice slice;
  slice.metadata.name = "slice";
  slice.metadata.resource_version = "1";
  slice.spec.driver = "gpu.example.com";
  slice.spec.pool = {.name = "pool", .generation = 1, .resource_slice_count = 1};
  slice.spec.node_name = "node-1";
  slice.spec.devices.push_back(Gpu());
  return slice;
}

using SliceRow = Row<ResourceSlice>;

inline Device& First(ResourceSlice& slice) { return slice.spec.devices[0]; }

inline void ExpectOnCreate(std::span<const SliceRow> rows, const FeatureGates& gates = AllGates()) {
  for (const SliceRow& row : rows) {
    ResourceSlice slice = Good();
    row.change(slice);
    const Outcome outcome = Validate({.gates = gates}, slice);
    EXPECT_EQ(Texts(outcome.errors), row.expected) << row.what;
  }
}

}  // namespace quadra::validation

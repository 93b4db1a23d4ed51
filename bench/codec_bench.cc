#include <chrono>
#include <string>
#include <utility>

#include "api/kinds.h"
#include "api/object.h"
#include "measure.h"

namespace quadra::bench {
namespace {

std::int64_t Size(const std::string& text) { return static_cast<std::int64_t>(text.size()); }
std::int64_t Size(const std::optional<std::string>& text) { return text ? Size(*text) : 0; }

std::int64_t Seconds(const std::optional<Time>& time) {
  return time ? std::chrono::floor<std::chrono::seconds>(*time).time_since_epoch().count() % 1000
              : 0;
}

std::int64_t ReadAttribute(const api::DeviceAttribute& attribute) {
  return attribute.int_value.value_or(0) + (attribute.bool_value.value_or(false) ? 1 : 0) +
         Size(attribute.string_value) + Size(attribute.version_value);
}

std::int64_t ReadDevice(const api::Device& device) {
  std::int64_t sum = Size(device.name);
  for (const auto& [name, attribute] : device.attributes) {
    sum += Size(name) + ReadAttribute(attribute);
  }
  for (const auto& [name, capacity] : device.capacity) {
    sum += Size(name) + capacity.value.Value() % 1000;
  }
  for (const api::DeviceTaint& taint : device.taints) {
    sum += Size(taint.key) + Size(taint.value) + Size(taint.effect) + Seconds(taint.time_added);
  }
  return sum;
}

// Reads every field that the file gives, and returns a sum of what it saw; upstream's half does the
// same.
std::int64_t ReadSlice(const api::ResourceSlice& slice) {
  const api::ObjectMeta& meta = slice.metadata;
  const api::ResourceSliceSpec& spec = slice.spec;
  std::int64_t sum = Size(slice.type.kind) + Size(slice.type.api_version) + Size(meta.name) +
                     Size(meta.generate_name) + Size(meta.uid) + Size(meta.resource_version) +
                     meta.generation + Seconds(meta.creation_timestamp);
  for (const auto& [key, value] : meta.labels) {
    sum += Size(key) + Size(value);
  }
  for (const api::OwnerReference& owner : meta.owner_references) {
    sum += Size(owner.api_version) + Size(owner.kind) + Size(owner.name) + Size(owner.uid) +
           (owner.controller.value_or(false) ? 1 : 0);
  }
  sum += Size(spec.driver) + Size(spec.pool.name) + spec.pool.generation +
         spec.pool.resource_slice_count + Size(spec.node_name);
  for (const api::Device& device : spec.devices) {
    sum += ReadDevice(device);
  }
  return sum;
}

api::ResourceSlice Slice() {
  return *api::DecodeJson<api::ResourceSlice>(ReadData("resourceslice.json"));
}

void DecodeJson(benchmark::State& state) {
  const std::string text = ReadData("resourceslice.json");
  Measure(state, 1, [&] { return ReadSlice(*api::DecodeJson<api::ResourceSlice>(text)); });
}
BENCHMARK(DecodeJson)->Name("strict JSON decode");

// Upstream's encoder ends with a line break.
void EncodeJson(benchmark::State& state) {
  const api::ResourceSlice slice = Slice();
  Measure(state, 1, [&] { return Size(api::EncodeJson(slice)) + 1; });
}
BENCHMARK(EncodeJson)->Name("JSON encode");

void DecodeProto(benchmark::State& state) {
  const std::string bytes = api::EncodeProto(Slice());
  Measure(state, 1, [&] { return ReadSlice(*api::DecodeProto<api::ResourceSlice>(bytes)); });
}
BENCHMARK(DecodeProto)->Name("protobuf decode");

void EncodeProto(benchmark::State& state) {
  const api::ResourceSlice slice = Slice();
  Measure(state, 1, [&] { return Size(api::EncodeProto(slice)); });
}
BENCHMARK(EncodeProto)->Name("protobuf encode");

}  // namespace
}  // namespace quadra::bench

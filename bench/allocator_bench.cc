#include <array>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "allocator/allocator.h"
#include "inventory/inventory.h"
#include "measure.h"
#include "world.h"

namespace quadra::bench {
namespace {

using Claims = std::vector<api::ResourceClaim>;
using Fill = std::function<Claims(inventory::Inventory&)>;

// A cluster and the claims of a pod that waits. What it keeps between pods is warm.
class Cluster {
 public:
  Cluster(const Fill& fill, const inventory::Features& features)
      : inventory_(language_, features), claims_(Filled(fill)), snapshot_(inventory_.Take()) {
    for (const api::ResourceClaim& claim : claims_) {
      pending_.push_back(&claim);
    }
  }

  struct Told {
    std::int64_t sum = 0;
    std::uint64_t steps = 0;
  };
  // Every node, then one result for the first that fits.
  Told Ask() {
    allocator::Allocator allocator(snapshot_, pending_, verdicts_, {});
    const inventory::NodeView* first = nullptr;
    Told told;
    for (const auto& view : snapshot_.views()) {
      if (allocator.Try(*view) == allocator::Allocator::Fit::kFits) {
        told.sum += 1000 + Picked(allocator);
        first = first == nullptr ? view.get() : first;
      }
    }
    told.steps = allocator.steps();
    if (first != nullptr) {
      benchmark::DoNotOptimize(allocator.Allocate(*first, random_));
    }
    return told;
  }

 private:
  Claims Filled(const Fill& fill) {
    inventory_.SetClass(GpuClass());
    return fill(inventory_);
  }
  // Devices of a node are walked in their order, so their places are their numbers.
  static std::int64_t Picked(const allocator::Allocator& allocator) {
    std::int64_t sum = 0;
    for (const std::uint32_t place : allocator.Picked()) {
      sum += place + 1;
    }
    return sum;
  }

  selector::Language language_;
  inventory::Inventory inventory_;
  Claims claims_;
  inventory::Snapshot snapshot_;
  std::vector<const api::ResourceClaim*> pending_;
  selector::ExpressionCache expressions_{language_};
  allocator::Verdicts verdicts_{expressions_};
  SeededRandom random_{1};
};

void AllocateAll(benchmark::State& state, const Fill& fill, const inventory::Features& features) {
  Cluster cluster(fill, features);
  std::uint64_t steps = 0;
  Measure(state, 1, [&] {
    const Cluster::Told told = cluster.Ask();
    steps = told.steps;
    return told.sum;
  });
  state.counters["steps"] = static_cast<double>(steps);
}

// --- One node.

void AddNode(inventory::Inventory& inventory, std::size_t n,
             const std::vector<api::Device>& devices) {
  inventory.SetNode(NodeOf(n));
  inventory.SetSlice(SliceOf(n, devices));
}

Fill OneNode(const std::vector<api::Device>& devices, const Claims& claims) {
  return [=](inventory::Inventory& inventory) {
    AddNode(inventory, 0, devices);
    return claims;
  };
}

std::vector<api::DeviceRequest> Requests(std::size_t count) {
  std::vector<api::DeviceRequest> requests;
  requests.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    requests.push_back(Request(i, 1));
  }
  return requests;
}

Claims ClaimsOfOne(std::size_t count) {
  Claims claims;
  for (std::size_t i = 0; i < count; ++i) {
    claims.push_back(Claim(i, Requests(1)));
  }
  return claims;
}

Fill Count(std::int64_t count, std::size_t devices) {
  return OneNode(PlainDevices(devices), {Claim(0, {Request(0, count)})});
}

Fill TwiceThenNothing(std::int64_t count) {
  return OneNode(PlainDevices(16), {Claim(0, {Request(0, count), Request(1, count),
                                              Request(2, 1, R"(device.driver == "other")")})});
}

Fill NineOfGroupsOfEight() {
  std::vector<api::Device> devices = PlainDevices(16);
  for (std::size_t j = 0; j < devices.size(); ++j) {
    devices[j].attributes["group"] = Int(j / 8);
  }
  return OneNode(devices, {Claim(0, Requests(9), {Match("gpu.example.com/group")})});
}

// GPUs 0-7, then NICs 8-15, one of each on a root; the first four NICs are in use.
Fill Pairs(std::size_t pairs) {
  std::vector<api::Device> devices = PlainDevices(16);
  for (std::size_t j = 0; j < devices.size(); ++j) {
    devices[j].attributes["kind"] = Text(j < 8 ? "gpu" : "nic");
    devices[j].attributes["root"] = Int(j % 8);
  }
  std::vector<api::DeviceRequest> requests;
  std::vector<api::DeviceConstraint> constraints;
  for (std::size_t i = 0; i < pairs; ++i) {
    for (const std::string_view kind : {"gpu", "nic"}) {
      requests.push_back(
          Request(requests.size(), 1,
                  fmt::format(R"(device.attributes["gpu.example.com"].kind == "{}")", kind)));
    }
    constraints.push_back(Match("gpu.example.com/root", {fmt::format("request-{}", 2 * i),
                                                         fmt::format("request-{}", 2 * i + 1)}));
  }
  return [=](inventory::Inventory& inventory) {
    AddNode(inventory, 0, devices);
    inventory.SetClaim(
        Holder("nics", {Holding(0, 8), Holding(0, 9), Holding(0, 10), Holding(0, 11)}));
    return Claims{Claim(0, requests, constraints)};
  };
}

Fill ListsOfValues() {
  std::vector<api::Device> devices = PlainDevices(64);
  for (std::size_t j = 0; j < devices.size(); ++j) {
    auto& values = devices[j].attributes["match"].string_values;
    if (j >= 32) {
      values.push_back("shared");
    }
    for (std::size_t v = 0; v < 46; ++v) {
      values.push_back(fmt::format("{}-{}", j, v));
    }
  }
  return OneNode(devices, {Claim(0, Requests(32), {Match("gpu.example.com/match")})});
}

// --- Many nodes.

Fill OnePod(std::size_t nodes) {
  return [=](inventory::Inventory& inventory) {
    for (std::size_t n = 0; n < nodes; ++n) {
      AddNode(inventory, n, DevicesOf(8 * n, 8));
      for (std::size_t j = 0; j < 8; ++j) {
        if (IsInUse(8 * n + j)) {
          inventory.SetClaim(Holder(fmt::format("held-{}-{}", n, j), {Holding(n, j)}));
        }
      }
    }
    return Claims{MigClaim()};
  };
}

// --- Partitions.

api::Counter Units(std::int64_t amount) { return {.value = quantity::Quantity::Of(amount)}; }

std::string MemoryOf(std::size_t place) { return fmt::format("memory-{}", place); }

struct Partition {
  std::string_view profile;
  std::int64_t compute;
  std::size_t memory;                     // places
  std::vector<std::size_t> first_places;  // one device each
};
const std::vector<Partition> kPartitions = {
    {"1g", 1, 1, {0, 1, 2, 3, 4, 5, 6}},
    {"1g2", 1, 2, {0, 2, 4, 6}},
    {"2g", 2, 2, {0, 2, 4}},
    {"3g", 3, 4, {0, 4}},
    {"4g", 4, 4, {0}},
    {"7g", 7, 8, {0}},
};
constexpr std::size_t kGpus = 8;
constexpr std::size_t kPartitionsOfGpu = 18;
constexpr std::size_t kMemoryPlaces = 8;

api::Device PartitionOf(std::size_t gpu, const Partition& kind, std::size_t first) {
  api::Device device;
  device.attributes["profile"] = Text(std::string(kind.profile));
  auto& consumed = device.consumes_counters.emplace_back();
  consumed.counter_set = fmt::format("gpu-{}", gpu);
  consumed.counters["compute"] = Units(kind.compute);
  for (std::size_t place = first; place < first + kind.memory; ++place) {
    consumed.counters[MemoryOf(place)] = Units(1);
  }
  return device;
}

std::vector<api::Device> PartitionsOf(std::size_t gpu) {
  std::vector<api::Device> devices;
  for (const Partition& kind : kPartitions) {
    for (const std::size_t first : kind.first_places) {
      devices.push_back(PartitionOf(gpu, kind, first));
      devices.back().name = fmt::format("device-{}", kPartitionsOfGpu * gpu + devices.size() - 1);
    }
  }
  return devices;
}

api::ResourceSlice SliceOfPool(std::size_t n, std::size_t number,
                               const std::vector<api::Device>& devices) {
  api::ResourceSlice slice = SliceOf(n, devices);
  slice.metadata.name += fmt::format("-{}", number);
  slice.spec.pool.resource_slice_count = kGpus + 1;
  return slice;
}

api::ResourceSlice CountersOf(std::size_t n) {
  api::ResourceSlice slice = SliceOfPool(n, kGpus, {});
  for (std::size_t gpu = 0; gpu < kGpus; ++gpu) {
    auto& set = slice.spec.shared_counters.emplace_back();
    set.name = fmt::format("gpu-{}", gpu);
    set.counters["compute"] = Units(7);
    for (std::size_t place = 0; place < kMemoryPlaces; ++place) {
      set.counters[MemoryOf(place)] = Units(1);
    }
  }
  return slice;
}

Claims PartitionClaim() {
  const auto profile = [](std::string_view name) {
    return fmt::format(R"(device.attributes["gpu.example.com"].profile == "{}")", name);
  };
  return {Claim(0, {Request(0, 2, profile("3g")), Request(1, 1, profile("2g"))})};
}

Fill Partitions(std::size_t nodes) {
  return [=](inventory::Inventory& inventory) {
    for (std::size_t n = 0; n < nodes; ++n) {
      inventory.SetNode(NodeOf(n));
      inventory.SetSlice(CountersOf(n));
      for (std::size_t gpu = 0; gpu < kGpus; ++gpu) {
        inventory.SetSlice(SliceOfPool(n, gpu, PartitionsOf(gpu)));
        for (std::size_t place = 0; place < kPartitions[0].first_places.size(); ++place) {
          if (IsInUse((n * kGpus + gpu) * kMemoryPlaces + place)) {
            inventory.SetClaim(Holder(fmt::format("held-{}-{}-{}", n, gpu, place),
                                      {Holding(n, kPartitionsOfGpu * gpu + place)}));
          }
        }
      }
    }
    return PartitionClaim();
  };
}

// Seven of eight, of which the first takes too much memory for that.
Fill SevenOfEightPartitions() {
  return [](inventory::Inventory& inventory) {
    inventory.SetNode(NodeOf(0));
    api::ResourceSlice counters = SliceOf(0, {});
    counters.metadata.name += "-counters";
    counters.spec.pool.resource_slice_count = 2;
    auto& set = counters.spec.shared_counters.emplace_back();
    set.name = "board";
    set.counters["memory"] = Units(70);
    std::vector<api::Device> devices = PlainDevices(8);
    for (std::size_t j = 0; j < devices.size(); ++j) {
      set.counters[fmt::format("cpu-{}", j)] = Units(1);
      auto& consumed = devices[j].consumes_counters.emplace_back();
      consumed.counter_set = "board";
      consumed.counters[fmt::format("cpu-{}", j)] = Units(1);
      consumed.counters["memory"] = Units(j == 0 ? 20 : 10);
    }
    inventory.SetSlice(counters);
    api::ResourceSlice slice = SliceOf(0, devices);
    slice.spec.pool.resource_slice_count = 2;
    inventory.SetSlice(slice);
    return Claims{Claim(0, {Request(0, 7)})};
  };
}

// --- Shares.

quantity::Quantity Parsed(std::string_view text) { return *quantity::Quantity::Parse(text); }

api::Device ShareableDevice(std::size_t j) {
  api::Device device = PlainDevices(j + 1).back();
  device.allow_multiple_allocations = true;
  device.attributes["index"] = Int(j);
  api::DeviceCapacity& bandwidth = device.capacity["bandwidth"];
  bandwidth.value = Parsed("10G");
  bandwidth.request_policy.emplace();
  bandwidth.request_policy->default_value = Parsed("1M");
  bandwidth.request_policy->valid_range = {
      .min = Parsed("1M"), .max = std::nullopt, .step = Parsed("8")};
  return device;
}

api::DeviceRequestAllocationResult Share(std::size_t n, std::size_t j, std::size_t number) {
  api::DeviceRequestAllocationResult share = Holding(n, j);
  share.share_id = fmt::format("{}-{}-{}", n, j, number);
  share.consumed_capacity["bandwidth"] = Parsed("2500M");
  return share;
}

api::ResourceClaim ShareClaim() {
  api::DeviceRequest request = Request(0, 2);
  if (request.exactly) {
    request.exactly->capacity.emplace().requests["bandwidth"] = Parsed("2500M");
  }
  api::DeviceConstraint distinct;
  distinct.distinct_attribute = "gpu.example.com/index";
  return Claim(0, {request}, {distinct});
}

Fill Shares(std::size_t nodes) {
  return [=](inventory::Inventory& inventory) {
    for (std::size_t n = 0; n < nodes; ++n) {
      AddNode(inventory, n,
              {ShareableDevice(0), ShareableDevice(1), ShareableDevice(2), ShareableDevice(3)});
      for (std::size_t j = 0; j < 4; ++j) {
        for (std::size_t s = 0; s < SplitMix64(4 * n + j) % 5; ++s) {
          inventory.SetClaim(Holder(fmt::format("held-{}-{}-{}", n, j, s), {Share(n, j, s)}));
        }
      }
    }
    return Claims{ShareClaim()};
  };
}

// --- The rows.

struct Row {
  std::string name;
  Fill fill;
  bool lists = false;  // attributes may be lists
};

std::vector<Row> Rows() {
  return {
      {"1 of 8 devices", Count(1, 8)},
      {"9 of 8 devices", Count(9, 8)},
      {"21 of 20 devices", Count(21, 20)},
      {"32 of 31 devices", Count(32, 31)},
      {"9 requests, 8 devices", OneNode(PlainDevices(8), {Claim(0, Requests(9))})},
      {"11 requests, 10 devices", OneNode(PlainDevices(10), {Claim(0, Requests(11))})},
      {"7 claims, 6 devices", OneNode(PlainDevices(6), ClaimsOfOne(7))},
      {"10 claims, 9 devices", OneNode(PlainDevices(9), ClaimsOfOne(10))},
      {"4 and 4 of 16, then nothing", TwiceThenNothing(4)},
      {"6 and 6 of 16, then nothing", TwiceThenNothing(6)},
      {"9 of a group, groups of 8", NineOfGroupsOfEight()},
      {"4 pairs, 4 NICs free", Pairs(4)},
      {"5 pairs, 4 NICs free", Pairs(5)},
      {"7 of 8 partitions", SevenOfEightPartitions()},
      {"32 requests, lists of 47", ListsOfValues(), true},
      {"one pod, 500 nodes", OnePod(500)},
      {"one pod, 5,000 nodes", OnePod(5000)},
      {"partitions, 100 nodes", Partitions(100)},
      {"shares, 500 nodes", Shares(500)},
  };
}

[[maybe_unused]] const bool kRegistered = [] {
  for (const Row& row : Rows()) {
    benchmark::RegisterBenchmark(("allocate: " + row.name).c_str(), AllocateAll, row.fill,
                                 inventory::Features{.list_attributes = row.lists});
  }
  return true;
}();

}  // namespace
}  // namespace quadra::bench

#include "allocator/stream.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "allocator/allocator.h"
#include "api/object.h"
#include "inventory/inventory.h"
#include "json/question.h"
#include "json/reader.h"
#include "json/writer.h"

namespace quadra::allocator {
namespace {

using inventory::Features;

constexpr std::string_view kVersion = "resource.k8s.io/v1";

// Gates by name. Binding conditions need two.
struct GateBinding {
  std::string_view name;
  bool Features::* feature;
};
constexpr std::array kGates = {
    GateBinding{"DRAAdminAccess", &Features::admin_access},
    GateBinding{"DRAPrioritizedList", &Features::prioritized_list},
    GateBinding{"DRAPartitionableDevices", &Features::partitionable_devices},
    GateBinding{"DRADeviceTaints", &Features::device_taints},
    GateBinding{"DRAConsumableCapacity", &Features::consumable_capacity},
    GateBinding{"DRAFractionalCapacityRange", &Features::fractional_capacity_range},
    GateBinding{"DRAListTypeAttributes", &Features::list_attributes},
    GateBinding{"DRAOptionalNodeOperations", &Features::optional_node_operations},
    GateBinding{"DRADerivedAttributes", &Features::derived_attributes},
    GateBinding{"DRADeviceCompatibilityGroups", &Features::compatibility_groups},
};

struct World {
  World(const selector::Language& language, const Features& features, bool with_taint_rules)
      : inventory(language, features), taint_rules(with_taint_rules) {}
  inventory::Inventory inventory;
  bool taint_rules;
  std::vector<api::ResourceClaim> pending;
};

struct RawQuestion {
  std::string node;
  std::vector<std::string_view> objects;
  Features features;
  bool taint_rules = true;  // gate DRADeviceTaintRules: rules are looked at
};

template <typename T>
Result<T> Decode(std::string_view json, std::string_view api_version) {
  if (api_version == kVersion || !api_version.starts_with("resource.k8s.io/")) {
    api::Decoded<T> decoded = api::DecodeJson<T>(json, api::Strictness::kLenient);
    if (!decoded) {
      return Fail(Reason::kInvalid, decoded.error().message);
    }
    return *std::move(decoded);
  }
  api::Decoded<api::Object> object =
      api::DecodeJson(json, {.strictness = api::Strictness::kLenient});
  if (!object) {
    return Fail(Reason::kInvalid, object.error().message);
  }
  QUADRA_TRY(const api::Object current, api::Convert(*object, kVersion));
  return api::ToTyped<T>(current);
}

// --- Reading.

class QuestionReader {
 public:
  explicit QuestionReader(std::string_view line) : line_(line) {}

  Result<RawQuestion> Read() {
    QUADRA_RETURN_IF_ERROR(line_.ReadMembers([this](const std::string& key) { ReadMember(key); }));
    if (question_.node.empty()) {
      return Fail(Reason::kUsage, "node is missing");
    }
    question_.features.binding_conditions = binding_conditions_ && device_status_;
    return std::move(question_);
  }

 private:
  void ReadMember(const std::string& key) {
    if (key == "node") {
      question_.node = line_.String(key).value_or("");
    } else if (key == "objects" && line_.Expect(json::Kind::kArray, key)) {
      json::Reader& values = line_.values();
      for (bool more = values.EnterArray(); more && values.NextItem();) {
        question_.objects.push_back(values.SkipRaw());
      }
    } else if (key == "featureGates" && line_.Expect(json::Kind::kObject, key)) {
      line_.ForEach([this](const std::string& gate) {
        if (const std::optional<bool> on = line_.Bool("feature gate " + gate)) {
          SetGate(gate, *on);
        }
      });
    } else {
      line_.values().Skip();
    }
  }

  void SetGate(const std::string& name, bool on) {
    if (name == "DRADeviceBindingConditions") {
      binding_conditions_ = on;
    } else if (name == "DRAResourceClaimDeviceStatus") {
      device_status_ = on;
    } else if (name == "DRADeviceTaintRules") {
      question_.taint_rules = on;
    } else if (const auto gate = std::ranges::find(kGates, name, &GateBinding::name);
               gate != kGates.end()) {
      question_.features.*(gate->feature) = on;
    } else {
      line_.Complain("unknown feature gate " + name);
    }
  }

  json::QuestionReader line_;
  RawQuestion question_;
  bool binding_conditions_ = true;
  bool device_status_ = true;
};

Status AddObject(std::string_view json, World& world) {
  api::Decoded<api::Header> header = api::ReadHeader(json);
  if (!header) {
    return Fail(Reason::kInvalid, header.error().message);
  }
  const std::string& version = header->api_version;
  const std::string& kind = header->kind;
  if (version == "v1" && kind == "Node") {
    QUADRA_TRY(api::Node node, Decode<api::Node>(json, version));
    world.inventory.SetNode(std::move(node));
  } else if (!version.starts_with("resource.k8s.io/")) {
    return {};
  } else if (kind == "ResourceSlice") {
    QUADRA_TRY(const api::ResourceSlice slice, Decode<api::ResourceSlice>(json, version));
    world.inventory.AddSlice(slice);
  } else if (kind == "DeviceClass") {
    QUADRA_TRY(api::DeviceClass device_class, Decode<api::DeviceClass>(json, version));
    world.inventory.SetClass(std::move(device_class));
  } else if (kind == "DeviceTaintRule") {
    QUADRA_TRY(api::DeviceTaintRule rule, Decode<api::DeviceTaintRule>(json, version));
    if (world.taint_rules) {
      world.inventory.SetTaintRule(std::move(rule));
    }
  } else if (kind == "ResourceClaim") {
    QUADRA_TRY(api::ResourceClaim claim, Decode<api::ResourceClaim>(json, version));
    if (claim.status.allocation) {
      world.inventory.SetClaim(claim);
    } else {
      world.pending.push_back(std::move(claim));
    }
  }
  return {};
}

// --- Answers.

std::string_view ResultName(Allocation::Result result) {
  switch (result) {
    case Allocation::Result::kAllocated:
      return "allocated";
    case Allocation::Result::kUnavailable:
      return "unavailable";
    case Allocation::Result::kUndecided:
      return "undecided";
    case Allocation::Result::kError:
      return "error";
  }
  return "";
}

void WriteClaims(json::Writer& writer, const Allocation& allocation, const World& world) {
  writer.Key("claims");
  writer.BeginArray();
  for (std::size_t i = 0; i < allocation.claims.size(); ++i) {
    const api::ObjectMeta& meta = world.pending[i].metadata;
    writer.BeginObject();
    writer.Key("namespace");
    writer.String(meta.ns);
    writer.Key("name");
    writer.String(meta.name);
    writer.Key("allocation");
    writer.Raw(api::EncodeJson(allocation.claims[i]));
    writer.EndObject();
  }
  writer.EndArray();
}

void WriteCount(json::Writer& writer, std::string_view key, std::size_t count) {
  writer.Key(key);
  writer.Int(static_cast<std::int64_t>(count));
}

void WriteFunnel(json::Writer& writer, const Funnel& funnel) {
  writer.Key("devices");
  writer.BeginObject();
  WriteCount(writer, "seen", funnel.seen);
  WriteCount(writer, "afterClass", funnel.after_class);
  writer.Key("afterSelectors");
  writer.BeginArray();
  for (const std::size_t count : funnel.after_selectors) {
    writer.Int(static_cast<std::int64_t>(count));
  }
  writer.EndArray();
  WriteCount(writer, "untainted", funnel.untainted);
  WriteCount(writer, "free", funnel.free);
  WriteCount(writer, "sufficient", funnel.sufficient);
  WriteCount(writer, "bestGroup", funnel.best_group);
  writer.EndObject();
}

void WriteHolders(json::Writer& writer, const NoFit& reason, const inventory::Held& held) {
  writer.Key("holders");
  writer.BeginArray();
  for (const auto& [key, devices] : reason.holders) {
    const inventory::Holder* holder = held.HolderOf(key);
    if (holder == nullptr) {
      continue;
    }
    writer.BeginObject();
    writer.Key("claim");
    writer.String(holder->claim);
    writer.Key("consumers");
    writer.BeginArray();
    std::ranges::for_each(holder->consumers, [&](const auto& each) { writer.String(each); });
    writer.EndArray();
    WriteCount(writer, "devices", devices);
    writer.EndObject();
  }
  writer.EndArray();
}

void WriteReason(json::Writer& writer, const NoFit& reason, const inventory::Held& held) {
  writer.BeginObject();
  writer.Key("code");
  writer.String(reasons::NameOf(reason.code));
  if (!reason.request.empty()) {
    writer.Key("claim");
    writer.String(reason.claim);
    writer.Key("request");
    writer.String(reason.request);
  }
  writer.Key("message");
  writer.String(reason.message);
  if (!reason.request.empty()) {
    WriteCount(writer, "wanted", reason.wanted);
    WriteFunnel(writer, reason.funnel);
  }
  if (!reason.holders.empty()) {
    WriteHolders(writer, reason, held);
  }
  writer.EndObject();
}

void WriteReasons(json::Writer& writer, std::string_view key, std::span<const NoFit> reasons,
                  const inventory::Held& held) {
  writer.Key(key);
  writer.BeginArray();
  for (const NoFit& reason : reasons) {
    WriteReason(writer, reason, held);
  }
  writer.EndArray();
}

std::string Written(const Allocation& allocation, const World& world, const inventory::Held& held) {
  std::string text;
  json::Writer writer(text);
  writer.BeginObject();
  writer.Key("result");
  writer.String(ResultName(allocation.result));
  if (allocation.result == Allocation::Result::kError) {
    writer.Key("message");
    writer.String(allocation.message);
    writer.Key("fatal");
    writer.Bool(allocation.fatal);
    writer.EndObject();
    return text;
  }
  if (allocation.result == Allocation::Result::kAllocated) {
    WriteClaims(writer, allocation, world);
  } else {
    WriteReasons(writer, "reasons", allocation.reasons, held);
  }
  if (!allocation.remarks.empty()) {
    WriteReasons(writer, "remarks", allocation.remarks, held);
  }
  writer.Key("work");
  writer.Int(static_cast<std::int64_t>(allocation.work));
  writer.EndObject();
  return text;
}

}  // namespace

std::string AllocationAnswerer::RefuseLine(std::size_t number, std::string_view message) {
  std::string text;
  json::Writer writer(text);
  writer.BeginObject();
  writer.Key("result");
  writer.String("error");
  writer.Key("line");
  writer.Int(static_cast<std::int64_t>(number));
  writer.Key("message");
  writer.String(message);
  writer.EndObject();
  return text;
}

std::string AllocationAnswerer::Answer(std::string_view line, std::size_t number) {
  const Result<RawQuestion> raw = QuestionReader(line).Read();
  if (!raw) {
    return RefuseLine(number, raw.error().ToString());
  }
  World world(language_, raw->features, raw->taint_rules);
  for (std::size_t i = 0; i < raw->objects.size(); ++i) {
    if (const Status added = AddObject(raw->objects[i], world); !added) {
      return RefuseLine(number, fmt::format("objects[{}]: {}", i, added.error().message));
    }
  }
  const inventory::Snapshot cluster = world.inventory.Take();
  const auto node = cluster.nodes().find(raw->node);
  if (node == cluster.nodes().end()) {
    return RefuseLine(number, fmt::format("node \"{}\" is not among the objects", raw->node));
  }
  std::vector<const api::ResourceClaim*> claims;
  claims.reserve(world.pending.size());
  for (const api::ResourceClaim& claim : world.pending) {
    claims.push_back(&claim);
  }
  SeededRandom random(options_.seed);
  const Allocation allocation = Allocate({.cluster = cluster,
                                          .node = *node->second,
                                          .claims = claims,
                                          .strict = options_.strict,
                                          .expressions = cache_},
                                         random);
  return Written(allocation, world, cluster.held());
}

}  // namespace quadra::allocator

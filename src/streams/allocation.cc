#include "streams/allocation.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "allocator/allocator.h"
#include "api/object.h"
#include "inventory/inventory.h"
#include "json/value.h"
#include "json/writer.h"
#include "streams/line_reader.h"

namespace quadra::streams {
namespace {

using allocator::Allocation;
using inventory::Features;
using reasons::Refusal;

// Gates by name. Binding conditions need two. Not FeatureGates: upstream's allocator is also asked
// with gates off that a server has locked on.
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

// The cluster of a question. Takes what allocation looks at; names may occur twice, as they come.
class World {
 public:
  World(const selector::Language& language, const Features& features, bool with_taint_rules)
      : inventory_(language, features), taint_rules_(with_taint_rules) {}

  void operator()(const api::ResourceSlice& slice) { inventory_.AddSlice(slice); }
  void operator()(api::DeviceClass device_class) { inventory_.SetClass(std::move(device_class)); }
  void operator()(api::Node node) { inventory_.SetNode(std::move(node)); }
  void operator()(api::DeviceTaintRule rule) {
    if (taint_rules_) {
      inventory_.SetTaintRule(std::move(rule));
    }
  }
  void operator()(api::ResourceClaim claim) {
    if (claim.status.allocation) {
      inventory_.SetClaim(claim);
    } else {
      pending_.push_back(std::move(claim));
    }
  }

  inventory::Snapshot Take() { return inventory_.Take(); }
  const std::vector<api::ResourceClaim>& pending() const { return pending_; }

 private:
  inventory::Inventory inventory_;
  bool taint_rules_;
  std::vector<api::ResourceClaim> pending_;
};

struct RawQuestion {
  std::string node;
  std::vector<std::string_view> objects;
  Features features;
  bool taint_rules = true;  // gate DRADeviceTaintRules: rules are looked at
};

// --- Reading.

class QuestionReader {
 public:
  explicit QuestionReader(std::string_view line) : line_(line) {}

  Result<RawQuestion> Read() {
    QUADRA_RETURN_IF_ERROR(line_.ReadMembers([this](const std::string& key) { ReadMember(key); }));
    if (question_.node.empty()) {
      return Fail(ErrorKind::kUsage, "node is missing");
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

  LineReader line_;
  RawQuestion question_;
  bool binding_conditions_ = true;
  bool device_status_ = true;
};

Status AddObject(std::string_view json, World& world) {
  const api::Decoded<api::Header> header = api::ReadHeader(json);
  if (!header) {
    return Fail(ErrorKind::kInvalid, header.error().message);
  }
  QUADRA_RETURN_IF_ERROR(api::ReadObject(
      {.api_version = header->api_version, .kind = header->kind, .json = json}, world));
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
    const api::ObjectMeta& meta = world.pending()[i].metadata;
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

void WriteFunnel(json::Writer& writer, const reasons::Funnel& funnel) {
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

void WriteHolders(json::Writer& writer, const Refusal& reason, const inventory::Held& held) {
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

void WriteReason(json::Writer& writer, const Refusal& reason, const inventory::Held& held) {
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

void WriteReasons(json::Writer& writer, std::string_view key, std::span<const Refusal> reasons,
                  const inventory::Held& held) {
  writer.Key(key);
  writer.BeginArray();
  for (const Refusal& reason : reasons) {
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
  const inventory::Snapshot cluster = world.Take();
  const auto node = cluster.nodes().find(raw->node);
  if (node == cluster.nodes().end()) {
    return RefuseLine(number, fmt::format("node \"{}\" is not among the objects", raw->node));
  }
  std::vector<const api::ResourceClaim*> claims;
  claims.reserve(world.pending().size());
  for (const api::ResourceClaim& claim : world.pending()) {
    claims.push_back(&claim);
  }
  SeededRandom random(options_.seed);
  const Allocation allocation = allocator::Allocate({.cluster = cluster,
                                                     .node = *node->second,
                                                     .claims = claims,
                                                     .strict = options_.strict,
                                                     .placement = options_.placement,
                                                     .expressions = cache_},
                                                    random);
  return Written(allocation, world, cluster.held());
}

}  // namespace quadra::streams

#include <algorithm>
#include <ostream>
#include <set>

#include <fmt/format.h>

#include "cli/age.h"
#include "cli/get.h"

namespace quadra::cli {
namespace {

using diagnosis::Consumer;
using diagnosis::DeviceHolder;
using diagnosis::DeviceState;
using diagnosis::DeviceStock;

std::string StateCell(const DeviceStock& device) {
  const std::string name(NameOf(device.state));
  return device.state == DeviceState::kShared ? fmt::format("{}-{}", name, device.holders.size())
                                              : name;
}

bool IsDeviceShown(const DeviceStock& device, const Listing& listing) {
  return (listing.shows == nullptr || std::ranges::any_of(device.holders, listing.shows)) &&
         (listing.is_reached == nullptr || listing.is_reached(device)) &&
         listing.HasState(StateCell(device));
}

std::string ClaimCell(const DeviceStock& device) {
  std::vector<std::string> claims;
  claims.reserve(device.holders.size());
  for (const DeviceHolder& holder : device.holders) {
    claims.push_back(api::FullNameOf(*holder.claim));
  }
  return Joined(claims, false);
}

std::string ConsumerCell(const Consumer& consumer) {
  switch (consumer.state) {
    case Consumer::State::kGone:
      return "<gone>";
    case Consumer::State::kFinished:
      return "<finished>";
    case Consumer::State::kLive:
    case Consumer::State::kUnseen:
    case Consumer::State::kUnknown:
      return fmt::format("{}{}{}{}", consumer.resource == "pods" ? "" : consumer.resource,
                         consumer.resource == "pods" ? "" : "/", consumer.name,
                         consumer.reserved ? "" : "(unreserved)");
  }
  return "";
}

std::string PodCell(const DeviceStock& device) {
  std::vector<std::string> pods;
  for (const DeviceHolder& holder : device.holders) {
    for (const Consumer& consumer : holder.consumers) {
      if (std::string cell = ConsumerCell(consumer); std::ranges::find(pods, cell) == pods.end()) {
        pods.push_back(std::move(cell));
      }
    }
  }
  return Joined(pods, false);
}

// Since the first of the holders has it.
std::string SinceCell(const DeviceStock& device, const Listing& listing) {
  if (device.holders.empty()) {
    return "";
  }
  std::optional<Time> since;
  for (const DeviceHolder& holder : device.holders) {
    since = holder.since && (!since || *holder.since < *since) ? holder.since : since;
  }
  return AgeOf(since, listing.now);
}

std::string TaintCell(const DeviceStock& device) {
  std::vector<std::string> taints;
  taints.reserve(device.taints.size());
  for (const api::DeviceTaint& taint : device.taints) {
    taints.push_back(fmt::format("{}{}{}:{}", taint.key, taint.value.empty() ? "" : "=",
                                 taint.value, taint.effect));
  }
  return Joined(taints, false);
}

std::vector<std::string> DeviceHeadings(bool wide) {
  return wide ? std::vector<std::string>{"NAME", "UUID",  "STATE",    "CLAIM",  "POD",
                                         "NODE", "SLICE", "CAPACITY", "TAINTS", "SINCE"}
              : std::vector<std::string>{"NAME", "UUID", "STATE", "CLAIM", "POD", "SINCE"};
}

std::vector<std::string> DeviceCells(const DeviceStock& device, const Listing& listing) {
  std::vector<std::string> cells = {device.id.ToString(), device.uuid, StateCell(device),
                                    ClaimCell(device), PodCell(device)};
  if (listing.wide()) {
    cells.insert(cells.end(), {NodeCell(device.node, !device.slice.empty()), device.slice,
                               LevelsCell(device.capacity), TaintCell(device)});
  }
  cells.push_back(SinceCell(device, listing));
  return cells;
}

// --- for programs

void WriteTaints(const DeviceStock& device, json::Writer& writer) {
  if (device.taints.empty()) {
    return;
  }
  writer.Key("taints");
  writer.BeginArray();
  for (const api::DeviceTaint& taint : device.taints) {
    writer.BeginObject();
    writer.MemberIfAny("key", taint.key);
    writer.MemberIfAny("value", taint.value);
    writer.MemberIfAny("effect", taint.effect);
    writer.EndObject();
  }
  writer.EndArray();
}

std::string_view StateName(Consumer::State state) {
  switch (state) {
    case Consumer::State::kLive:
      return "live";
    case Consumer::State::kFinished:
      return "finished";
    case Consumer::State::kGone:
      return "gone";
    case Consumer::State::kUnseen:
    case Consumer::State::kUnknown:
      return "unknown";
  }
  return "";
}

void WriteConsumers(const DeviceHolder& holder, json::Writer& writer) {
  writer.Key("consumers");
  writer.BeginArray();
  for (const Consumer& consumer : holder.consumers) {
    writer.BeginObject();
    writer.MemberIfAny("resource", consumer.resource);
    writer.MemberIfAny("name", consumer.name);
    writer.MemberIfAny("state", StateName(consumer.state));
    if (!consumer.reserved) {
      writer.Key("reserved");
      writer.Bool(false);
    }
    writer.EndObject();
  }
  writer.EndArray();
}

void WriteConsumed(const DeviceHolder& holder, json::Writer& writer) {
  if (holder.consumed.empty()) {
    return;
  }
  writer.Key("consumedCapacity");
  writer.BeginObject();
  for (const auto& [name, amount] : holder.consumed) {
    writer.MemberIfAny(name, amount.ToString());
  }
  writer.EndObject();
}

void WriteHolder(const DeviceHolder& holder, json::Writer& writer) {
  const api::ObjectMeta& meta = holder.claim->metadata;
  writer.BeginObject();
  writer.MemberIfAny("claim", api::FullName(meta.ns, meta.name));
  writer.Key("shared");
  writer.Bool(holder.shared);
  writer.Key("leaked");
  writer.Bool(holder.use == diagnosis::Use::kLeaked);
  if (holder.since) {
    writer.MemberIfAny("since", FormatSeconds(*holder.since));
  }
  WriteConsumed(holder, writer);
  WriteConsumers(holder, writer);
  writer.EndObject();
}

void WriteDevice(const DeviceStock& device, json::Writer& writer) {
  writer.MemberIfAny("name", device.id.ToString());
  writer.MemberIfAny("driver", device.id.driver);
  writer.MemberIfAny("pool", device.id.pool);
  writer.MemberIfAny("device", device.id.device);
  writer.MemberIfAny("node", device.node);
  writer.MemberIfAny("slice", device.slice);
  writer.MemberIfAny("uuid", device.uuid);
  writer.MemberIfAny("state", StateCell(device));
  writer.Key("free");
  writer.Bool(device.free);
  WriteLevels(writer, "capacity", device.capacity);
  WriteTaints(device, writer);
  writer.Key("holders");
  writer.BeginArray();
  for (const DeviceHolder& holder : device.holders) {
    WriteHolder(holder, writer);
  }
  writer.EndArray();
}

// The namespaces of holders of which it is not known whether they are in use.
void NoteUnseen(const DeviceStock& device, std::set<std::string>& namespaces) {
  for (const DeviceHolder& holder : device.holders) {
    if (holder.use == diagnosis::Use::kUnknown) {
      namespaces.insert(holder.claim->metadata.ns);
    }
  }
}

}  // namespace

ExitCode GetDevices(const diagnosis::Stock& stock, const Listing& listing, Console& console) {
  Lister lister(listing, "device", "DeviceList", DeviceHeadings(listing.wide()), console);
  std::set<std::string> unseen;
  stock.Visit([&](const diagnosis::PoolStock& pool) {
    for (const DeviceStock& device : pool.devices) {
      const std::string name = device.id.ToString();
      if (lister.Chooses(name) && IsDeviceShown(device, listing)) {
        NoteUnseen(device, unseen);
        lister.Add(
            name, [&] { return DeviceCells(device, listing); },
            [&](json::Writer& writer) { WriteDevice(device, writer); });
      }
    }
  });
  for (const std::string& ns : unseen) {
    console.err << fmt::format(
        "note: {} no pods of namespace {}, so whether its claims are leaked is not "
        "known: {} would tell\n",
        listing.has, ns, diagnosis::CommandForPods(ns));
  }
  return lister.Finish();
}

}  // namespace quadra::cli

#include "apiserver/pod_qos.h"

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <vector>

#include "apiserver/tree.h"

namespace quadra::apiserver {
namespace {

using quantity::Quantity;

constexpr std::array<std::string_view, 2> kCounted = {"cpu", "memory"};

using Amounts = std::map<std::string_view, Quantity>;

// What is asked for of what counts, in one list of resources.
Amounts AmountsIn(const api::Value* resources, std::string_view list) {
  const api::Value* member = resources == nullptr ? nullptr : resources->Member(list);
  const auto* entries = member == nullptr ? nullptr : member->As<api::Value::Entries>();
  Amounts amounts;
  if (entries == nullptr) {
    return amounts;
  }
  for (const auto& [name, value] : *entries) {
    const auto* quantity = value.As<Quantity>();
    const auto counted = std::ranges::find(kCounted, name);
    if (counted != kCounted.end() && quantity != nullptr && quantity->Sign() > 0) {
      amounts.emplace(*counted, *quantity);
    }
  }
  return amounts;
}

void Add(const Amounts& more, Amounts& sum) {
  for (const auto& [name, quantity] : more) {
    const auto [entry, is_new] = sum.emplace(name, quantity);
    if (!is_new) {
      entry->second.Add(quantity);
    }
  }
}

// The resources of the pod where it has some, else those of each of its containers.
std::vector<const api::Value*> ResourcesOf(const api::Object& pod) {
  const api::Value* whole = Look(pod, {"spec", "resources"});
  if (whole != nullptr && !whole->is_nil()) {
    return {whole};
  }
  std::vector<const api::Value*> all;
  for (const std::string_view list : {"containers", "initContainers"}) {
    const api::Value* containers = Look(pod, {"spec", list});
    const auto* items = containers == nullptr ? nullptr : containers->As<api::Value::Items>();
    for (std::size_t i = 0; items != nullptr && i < items->size(); ++i) {
      all.push_back((*items)[i].Member("resources"));
    }
  }
  return all;
}

}  // namespace

std::string_view QosClassOf(const api::Object& pod) {
  Amounts requests;
  Amounts limits;
  bool all_limited = true;
  for (const api::Value* resources : ResourcesOf(pod)) {
    const Amounts limited = AmountsIn(resources, "limits");
    all_limited = all_limited && limited.size() == kCounted.size();
    Add(AmountsIn(resources, "requests"), requests);
    Add(limited, limits);
  }
  if (requests.empty() && limits.empty()) {
    return "BestEffort";
  }
  return all_limited && requests == limits ? "Guaranteed" : "Burstable";
}

}  // namespace quadra::apiserver

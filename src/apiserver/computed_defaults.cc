#include "apiserver/computed_defaults.h"

#include <algorithm>
#include <array>
#include <limits>
#include <string>

#include "base/check.h"

namespace quadra::apiserver {
namespace {

using api::Struct;

// --- Members by name.

const api::Field& FieldOf(const Struct& schema, std::string_view name) {
  std::size_t hint = 0;
  const api::Field* field = api::FindField(schema, name, hint);
  QUADRA_CHECK(field != nullptr, "names of fields are those of the tables");
  return *field;
}

// Null where it is absent.
api::Value* Find(api::Value& tree, std::string_view name) {
  api::Value* member = tree.Member(name);
  return member == nullptr || member->is_nil() ? nullptr : member;
}

api::Value& Make(const Struct& schema, api::Value& tree, std::string_view name) {
  return tree.AddMember(FieldOf(schema, name));
}

std::string TextIn(api::Value& tree, std::string_view name) {
  const api::Value* member = Find(tree, name);
  const auto* text = member == nullptr ? nullptr : member->As<std::string>();
  return text == nullptr ? std::string() : *text;
}

std::int64_t NumberIn(api::Value& tree, std::string_view name) {
  const api::Value* member = Find(tree, name);
  const auto* number = member == nullptr ? nullptr : member->As<std::int64_t>();
  return number == nullptr ? 0 : *number;
}

template <typename Visit>
void ForEachItem(api::Value& tree, std::string_view name, Visit visit) {
  api::Value* member = Find(tree, name);
  if (auto* items = member == nullptr ? nullptr : member->As<api::Value::Items>()) {
    std::ranges::for_each(*items, visit);
  }
}

const Struct& ElementOf(const Struct& schema, std::string_view name) {
  return *FieldOf(schema, name).type->element->fields;
}

template <typename T>
void GiveIfAbsent(const Struct& schema, api::Value& tree, std::string_view name, T value) {
  if (Find(tree, name) == nullptr) {
    Make(schema, tree, name).Set(std::move(value));
  }
}

// --- Containers.

// Whether the image is named with the tag latest, or with none.
bool IsLatest(std::string_view image) {
  if (image.find('@') != std::string_view::npos) {
    return false;
  }
  const std::string_view last = image.substr(image.rfind('/') + 1);
  const std::size_t colon = last.find(':');
  return colon == std::string_view::npos || last.substr(colon + 1) == "latest";
}

void OfContainer(const Struct& schema, api::Value& tree) {
  if (TextIn(tree, "imagePullPolicy").empty()) {
    const bool latest = IsLatest(TextIn(tree, "image"));
    Make(schema, tree, "imagePullPolicy").Set(std::string(latest ? "Always" : "IfNotPresent"));
  }
}

// What is limited is requested, unless less is.
void RequestLimits(const Struct& container, api::Value& tree) {
  api::Value* resources = Find(tree, "resources");
  const api::Value* limits = resources == nullptr ? nullptr : Find(*resources, "limits");
  const auto* entries = limits == nullptr ? nullptr : limits->As<api::Value::Entries>();
  if (entries == nullptr) {
    return;
  }
  const api::Value::Entries limited = *entries;
  const Struct& schema = *FieldOf(container, "resources").type->fields;
  api::Value& requests = Make(schema, *resources, "requests");
  for (const auto& [name, quantity] : limited) {
    if (api::Value& entry = requests.AddEntry(name); entry.is_nil()) {
      entry = quantity;
    }
  }
}

// A container in the network of its host has its port there.
void ShowPortsOnHost(const Struct& container, api::Value& tree) {
  const Struct& port = ElementOf(container, "ports");
  ForEachItem(tree, "ports", [&](api::Value& each) {
    if (NumberIn(each, "hostPort") == 0) {
      Make(port, each, "hostPort").Set(NumberIn(each, "containerPort"));
    }
  });
}

// --- Pods, less what templates of pods get too.

void OfPod(const Struct& schema, api::Value& tree) {
  const Struct& spec = *FieldOf(schema, "spec").type->fields;
  api::Value& pod = Make(schema, tree, "spec");
  pod.Make<api::Value::Members>();
  if (NumberIn(pod, "terminationGracePeriodSeconds") < 0) {
    Make(spec, pod, "terminationGracePeriodSeconds").Set(std::int64_t{1});
  }
  GiveIfAbsent(spec, pod, "enableServiceLinks", true);
  const api::Value* host = Find(pod, "hostNetwork");
  const bool on_host = host != nullptr && host->As<bool>() != nullptr && *host->As<bool>();
  for (const std::string_view name : {"containers", "initContainers"}) {
    ForEachItem(pod, name, [&](api::Value& container) {
      RequestLimits(ElementOf(spec, name), container);
      if (on_host) {
        ShowPortsOnHost(ElementOf(spec, name), container);
      }
    });
  }
}

// One service account has two names.
void OfPodSpec(const Struct& schema, api::Value& tree) {
  std::string name = TextIn(tree, "serviceAccountName");
  if (name.empty()) {
    name = TextIn(tree, "serviceAccount");
  }
  if (!name.empty()) {
    Make(schema, tree, "serviceAccountName").Set(name);
    Make(schema, tree, "serviceAccount").Set(name);
  }
}

// The first address is podIP.
void OfPodStatus(const Struct& schema, api::Value& tree) {
  const std::string ip = TextIn(tree, "podIP");
  std::string first;
  if (const api::Value* ips = Find(tree, "podIPs")) {
    const auto* items = ips->As<api::Value::Items>();
    api::Value front = items == nullptr || items->empty() ? api::Value() : items->front();
    first = TextIn(front, "ip");
  }
  if (ip.empty() && !first.empty()) {
    Make(schema, tree, "podIP").Set(first);
  } else if (ip != first) {
    api::Value entry;
    entry.AddMember(FieldOf(ElementOf(schema, "podIPs"), "ip")).Set(ip);
    Make(schema, tree, "podIPs").Set(api::Value::Items{std::move(entry)});
  }
}

void OfVolume(const Struct& schema, api::Value& tree) {
  const bool has_source = std::ranges::any_of(schema.fields, [&](const api::Field& field) {
    return field.json != "name" && Find(tree, field.json) != nullptr;
  });
  if (!has_source) {
    Make(schema, tree, "emptyDir").Make<api::Value::Members>();
  }
}

// --- The rest.

void OfNodeStatus(const Struct& schema, api::Value& tree) {
  const api::Value* capacity = Find(tree, "capacity");
  if (capacity != nullptr && Find(tree, "allocatable") == nullptr) {
    api::Value copy = *capacity;
    Make(schema, tree, "allocatable") = std::move(copy);
  }
}

void OfServiceSpec(const Struct& schema, api::Value& tree) {
  const std::string affinity = TextIn(tree, "sessionAffinity");
  if (affinity.empty() || affinity == "None") {
    tree.EraseMember("sessionAffinityConfig");
  }
  const Struct& port = ElementOf(schema, "ports");
  ForEachItem(tree, "ports", [&](api::Value& each) {
    if (TextIn(each, "targetPort").empty() && NumberIn(each, "targetPort") == 0) {
      Make(port, each, "targetPort").Set(NumberIn(each, "port"));
    }
  });
}

// Only of jobs: what a cron job says of its jobs is filled in when they are made.
void FillJobSpec(const Struct& schema, api::Value& tree) {
  if (Find(tree, "parallelism") == nullptr) {
    GiveIfAbsent(schema, tree, "completions", std::int64_t{1});
    Make(schema, tree, "parallelism").Set(std::int64_t{1});
  }
  const bool by_index = Find(tree, "backoffLimitPerIndex") != nullptr;
  constexpr std::int64_t kUnlimited = std::numeric_limits<std::int32_t>::max();
  GiveIfAbsent(schema, tree, "backoffLimit", by_index ? kUnlimited : std::int64_t{6});
  const bool has_policy = Find(tree, "podFailurePolicy") != nullptr;
  GiveIfAbsent(schema, tree, "podReplacementPolicy",
               std::string(has_policy ? "Failed" : "TerminatingOrFailed"));
  GiveIfAbsent(schema, tree, "completionMode", std::string("NonIndexed"));
  GiveIfAbsent(schema, tree, "suspend", false);
  GiveIfAbsent(schema, tree, "manualSelector", false);
}

// What follows names along `path` from a struct; null where one is absent.
api::Value* FindBelow(api::Value& tree, std::initializer_list<std::string_view> path) {
  api::Value* found = &tree;
  for (const std::string_view name : path) {
    found = found == nullptr ? nullptr : Find(*found, name);
  }
  return found;
}

bool IsEmptyMap(const api::Value* value) {
  const auto* entries = value == nullptr ? nullptr : value->As<api::Value::Entries>();
  return entries == nullptr || entries->empty();
}

// An object without labels has those of its pods.
void TakeLabelsOfPods(const Struct& schema, api::Value& tree) {
  const api::Value* labels = FindBelow(tree, {"spec", "template", "metadata", "labels"});
  if (!IsEmptyMap(labels) && IsEmptyMap(FindBelow(tree, {"metadata", "labels"}))) {
    api::Value copy = *labels;
    const api::Field& meta = FieldOf(schema, "metadata");
    Make(*meta.type->fields, tree.AddMember(meta), "labels") = std::move(copy);
  }
}

void OfJob(const Struct& schema, api::Value& tree) {
  const api::Field& spec = FieldOf(schema, "spec");
  FillJobSpec(*spec.type->fields, tree.AddMember(spec));
  TakeLabelsOfPods(schema, tree);
}

void OfReplicationController(const Struct& schema, api::Value& tree) {
  const api::Value* labels = FindBelow(tree, {"spec", "template", "metadata", "labels"});
  if (!IsEmptyMap(labels) && IsEmptyMap(FindBelow(tree, {"spec", "selector"}))) {
    api::Value copy = *labels;
    const api::Field& spec = FieldOf(schema, "spec");
    Make(*spec.type->fields, tree.AddMember(spec), "selector") = std::move(copy);
  }
  TakeLabelsOfPods(schema, tree);
}

// Text is data too, and goes before it.
void OfSecret(const Struct& schema, api::Value& tree) {
  const api::Value* texts = Find(tree, "stringData");
  if (const auto* entries = texts == nullptr ? nullptr : texts->As<api::Value::Entries>()) {
    const api::Value::Entries given = *entries;
    api::Value& data = Make(schema, tree, "data");
    for (const auto& [key, text] : given) {
      data.AddEntry(key) = text;
    }
  }
  tree.EraseMember("stringData");
}

// The first range is podCIDR.
void OfNodeSpec(const Struct& schema, api::Value& tree) {
  const std::string range = TextIn(tree, "podCIDR");
  const api::Value* ranges = Find(tree, "podCIDRs");
  const auto* items = ranges == nullptr ? nullptr : ranges->As<api::Value::Items>();
  const std::string* first =
      items == nullptr || items->empty() ? nullptr : items->front().As<std::string>();
  if (range.empty() && first != nullptr) {
    Make(schema, tree, "podCIDR").Set(std::string(*first));
  } else if (!range.empty() && (first == nullptr || *first != range)) {
    Make(schema, tree, "podCIDRs").Set(api::Value::Items{api::Value(range)});
  }
}

void OfCsiDriverSpec(const Struct& schema, api::Value& tree) {
  api::Value& modes = Make(schema, tree, "volumeLifecycleModes");
  if (auto& items = modes.Make<api::Value::Items>(); items.empty()) {
    items.emplace_back(std::string("Persistent"));
  }
}

// Gives `to` the entries of `from` whose keys it does not have.
void TakeMissing(api::Value& tree, const Struct& schema, std::string_view to,
                 std::string_view from) {
  const api::Value* source = Find(tree, from);
  const auto* entries = source == nullptr ? nullptr : source->As<api::Value::Entries>();
  const api::Value::Entries given = entries == nullptr ? api::Value::Entries() : *entries;
  for (const auto& [key, amount] : given) {
    if (api::Value& entry = Make(schema, tree, to).AddEntry(key); entry.is_nil()) {
      entry = amount;
    }
  }
}

// What a container may have at most it has unless it says less, and so on.
void OfLimitRangeItem(const Struct& schema, api::Value& tree) {
  if (TextIn(tree, "type") == "Container") {
    TakeMissing(tree, schema, "default", "max");
    TakeMissing(tree, schema, "defaultRequest", "default");
    TakeMissing(tree, schema, "defaultRequest", "min");
  }
}

constexpr std::array kComputedDefaults = {
    ComputedDefaults{"core.v1.Container", OfContainer},
    ComputedDefaults{"core.v1.EphemeralContainer", OfContainer},
    ComputedDefaults{"core.v1.Pod", OfPod},
    ComputedDefaults{"core.v1.PodSpec", OfPodSpec},
    ComputedDefaults{"core.v1.PodStatus", OfPodStatus},
    ComputedDefaults{"core.v1.Volume", OfVolume},
    ComputedDefaults{"core.v1.NodeStatus", OfNodeStatus},
    ComputedDefaults{"core.v1.ServiceSpec", OfServiceSpec},
    ComputedDefaults{"core.v1.NodeSpec", OfNodeSpec},
    ComputedDefaults{"core.v1.ReplicationController", OfReplicationController},
    ComputedDefaults{"core.v1.Secret", OfSecret},
    ComputedDefaults{"core.v1.LimitRangeItem", OfLimitRangeItem},
    ComputedDefaults{"batch.v1.Job", OfJob},
    ComputedDefaults{"storage.v1.CSIDriverSpec", OfCsiDriverSpec},
};

}  // namespace

std::span<const ComputedDefaults> AllComputedDefaults() { return kComputedDefaults; }

}  // namespace quadra::apiserver

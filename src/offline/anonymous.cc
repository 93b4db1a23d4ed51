#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "offline/redaction.h"

namespace quadra::offline {
namespace {

using json::Kind;
using json::Value;

// Members that name something wherever they stand.
constexpr std::array kNames = std::to_array<std::string_view>(
    {"namespace", "nodeName", "nominatedNodeName", "resourceClaimName", "resourceClaimTemplateName",
     "deviceClassName", "serviceAccountName", "serviceAccount", "priorityClassName", "pool",
     "hostname", "containerName", "podGroupName"});
constexpr std::array<std::string_view, 2> kUids = {"uid", "podUID"};
// Members whose `name` is that of an object; elsewhere it is that of a part of one.
constexpr std::array kNamed =
    std::to_array<std::string_view>({"metadata", "ownerReferences", "reservedFor", "pool",
                                     "containers", "initContainers", "schedulingGates"});
// Maps from keys that stay to values that are names.
constexpr std::array<std::string_view, 3> kLabels = {"labels", "matchLabels", "nodeSelector"};
// Lists of requirements, whose values are those of labels, or names.
constexpr std::array<std::string_view, 2> kRequirements = {"matchExpressions", "matchFields"};
// What no answer depends on; much of it text of people or programs, who may write anything.
constexpr std::array kDropped = std::to_array<std::string_view>({"addresses",
                                                                 "daemonEndpoints",
                                                                 "images",
                                                                 "nodeInfo",
                                                                 "volumesAttached",
                                                                 "volumesInUse",
                                                                 "podIP",
                                                                 "podIPs",
                                                                 "hostIP",
                                                                 "hostIPs",
                                                                 "podCIDR",
                                                                 "podCIDRs",
                                                                 "providerID",
                                                                 "hostAliases",
                                                                 "dnsConfig",
                                                                 "volumes",
                                                                 "volumeMounts",
                                                                 "imagePullSecrets",
                                                                 "containerStatuses",
                                                                 "initContainerStatuses",
                                                                 "ephemeralContainerStatuses",
                                                                 "networkData",
                                                                 "generateName",
                                                                 "data",
                                                                 "message",
                                                                 "description",
                                                                 "workingDir",
                                                                 "subdomain",
                                                                 "runtimeClassName",
                                                                 "readinessGates",
                                                                 "securityContext",
                                                                 "ephemeralContainers",
                                                                 "externalID",
                                                                 "configSource"});
// Maps whose keys drivers and users choose.
constexpr std::array<std::string_view, 8> kVerbatim = {
    "attributes", "capacity",         "allocatable", "requests",
    "limits",     "consumedCapacity", "counters",    "annotations"};
constexpr std::string_view kClassResource = "deviceclass.resource.kubernetes.io/";
// What answers look at among what people and programs may add to.
constexpr std::array<std::string_view, 2> kAnnotations = {
    "resource.kubernetes.io/pod-claim-name", "resource.kubernetes.io/extended-resource-claim"};
constexpr std::array<std::string_view, 4> kFinalizers = {
    "resource.kubernetes.io/delete-protection", "kubernetes", "foregroundDeletion", "orphan"};
constexpr std::array<std::string_view, 3> kReasons = {"SchedulingGated", "Unschedulable",
                                                      "SchedulerError"};
constexpr std::string_view kUpstreamScheduler = "default-scheduler";

template <typename List>
bool Has(const List& list, std::string_view word) {
  return std::ranges::find(list, word) != list.end();
}

// Values of labels that say nothing of anyone, and that operators may compare as numbers.
bool IsPlain(std::string_view text) {
  return text.empty() || text == "true" || text == "false" ||
         text.find_first_not_of("0123456789-") == std::string_view::npos;
}

// What becomes of each text that names something.
class Renaming {
 public:
  virtual ~Renaming() = default;
  virtual void Name(std::string& text) = 0;
  virtual void Uid(std::string& text) = 0;
};

// The first round: which there are.
class Names final : public Renaming {
 public:
  void Name(std::string& text) override { names.insert(text); }
  void Uid(std::string& text) override { uids.insert(text); }

  std::set<std::string> names;
  std::set<std::string> uids;
};

// The second: by their rank, so that they sort as before.
class NewNames final : public Renaming {
 public:
  explicit NewNames(const Names& old) {
    for (const std::string& name : old.names) {
      names_[name] = fmt::format("n{:07}", names_.size());
    }
    for (const std::string& uid : old.uids) {
      uids_[uid] = fmt::format("00000000-0000-4000-8000-{:012x}", uids_.size());
    }
  }

  void Name(std::string& text) override { text = names_.at(text); }
  void Uid(std::string& text) override { text = uids_.at(text); }

 private:
  std::map<std::string, std::string> names_;
  std::map<std::string, std::string> uids_;
};

// Shows a renaming every text of an object that names something.
class Walk {
 public:
  explicit Walk(Renaming& renaming) : renaming_(renaming) {}

  // `parent`: the member that the object stands in, also where it is in a list there.
  void Object(Value& object, std::string_view parent) {
    if (!Has(kVerbatim, parent)) {
      Drop(object, parent);
    }
    for (Value::Member& member : object.members()) {
      Member(member, parent);
    }
  }

 private:
  // Before the members are looked at, so that both rounds see the same.
  static void Drop(Value& object, std::string_view parent) {
    for (const std::string_view key : kDropped) {
      object.Erase(key);
    }
    if (parent == "containers" || parent == "initContainers") {
      object.Erase("image");
    }
    if (parent == "ports") {
      object.Erase("name");
    }
    if (!Has(kReasons, object.Get("reason").text())) {
      object.Erase("reason");
    }
    if (Value* const annotations = object.Find("annotations");
        annotations != nullptr && annotations->kind() == Kind::kObject) {
      std::erase_if(annotations->members(),
                    [](const Value::Member& member) { return !Has(kAnnotations, member.key); });
    }
    if (Value* const finalizers = object.Find("finalizers");
        finalizers != nullptr && finalizers->kind() == Kind::kArray) {
      std::erase_if(finalizers->items(),
                    [](const Value& item) { return !Has(kFinalizers, item.text()); });
    }
  }

  void Member(Value::Member& member, std::string_view parent) {
    RenameKey(member.key);
    Value& value = member.value;
    if (member.key == "parameters") {
      value = Value(Value::Object());  // of drivers, who may keep anything there
      return;
    }
    if (value.kind() == Kind::kObject) {
      const bool is_terms = value.Find("nodeSelectorTerms") != nullptr;
      return Has(kLabels, member.key) && !is_terms ? Labels(value) : Object(value, member.key);
    }
    if (value.kind() == Kind::kArray) {
      return List(value, member.key, parent);
    }
    if (value.kind() == Kind::kString) {
      Text(value, member.key, parent);
    }
  }

  void List(Value& list, std::string_view key, std::string_view parent) {
    for (Value& item : list.items()) {
      if (item.kind() == Kind::kObject) {
        Object(item, key);
      } else if (item.kind() == Kind::kString && key == "values" && Has(kRequirements, parent)) {
        Label(item);
      } else if (item.kind() == Kind::kString && key == "namespaces") {
        Rename(item, &Renaming::Name);
      }
    }
  }

  static bool IsName(const Value& value, std::string_view key, std::string_view parent) {
    return (key != "value" && Has(kNames, key)) || (key == "name" && Has(kNamed, parent)) ||
           (key == "schedulerName" && value.string() != kUpstreamScheduler);
  }

  void Text(Value& value, std::string_view key, std::string_view parent) {
    if (Has(kUids, key)) {
      Rename(value, &Renaming::Uid);
    } else if (key == "value" &&
               (parent == "taints" || parent == "tolerations" || parent == "taint")) {
      Label(value);
    } else if (IsName(value, key, parent)) {
      Rename(value, &Renaming::Name);
    }
  }

  void Labels(Value& labels) {
    for (Value::Member& member : labels.members()) {
      if (member.value.kind() == Kind::kString) {
        Label(member.value);
      }
    }
  }
  void Label(Value& value) {
    if (!IsPlain(value.string())) {
      Rename(value, &Renaming::Name);
    }
  }
  // A resource that is called after a class.
  void RenameKey(std::string& key) {
    if (key.starts_with(kClassResource)) {
      std::string name = key.substr(kClassResource.size());
      renaming_.Name(name);
      key = std::string(kClassResource) + name;
    }
  }
  void Rename(Value& value, void (Renaming::*how)(std::string&)) {
    std::string text = value.string();
    if (!text.empty()) {
      (renaming_.*how)(text);
      value = Value(std::move(text));
    }
  }

  Renaming& renaming_;
};

void Show(std::vector<Value>& objects, Renaming& renaming) {
  Walk walk(renaming);
  for (Value& object : objects) {
    if (object.kind() == Kind::kObject) {
      walk.Object(object, "");
    }
  }
}

}  // namespace

void Anonymize(std::vector<json::Value>& objects) {
  Names names;
  Show(objects, names);
  NewNames renamed(names);
  Show(objects, renamed);
}

}  // namespace quadra::offline

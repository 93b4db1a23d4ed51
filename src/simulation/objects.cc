#include "simulation/objects.h"

#include <algorithm>

#include <fmt/format.h>

namespace quadra::simulation {

using json::Value;

std::string At(std::string_view collection, std::string_view name, std::string_view rest) {
  return fmt::format("{}/{}{}", collection, name, rest);
}

const Value& Look(const Value& value, Path path) {
  const Value* at = &value;
  for (const std::string_view key : path) {
    at = &at->Get(key);
  }
  return *at;
}

std::string Text(const Value& value, Path path) { return Look(value, path).text(); }

std::vector<Value> List(const Value& value, Path path) {
  const Value& found = Look(value, path);
  return found.kind() == json::Kind::kArray ? found.items() : std::vector<Value>();
}

bool Has(const Value& value, Path path) { return !Look(value, path).is_null(); }

bool IsGoing(const Value& object) { return Has(object, {"metadata", "deletionTimestamp"}); }
bool IsBound(const Value& pod) { return Has(pod, {"spec", "nodeName"}); }
std::string NameOf(const Value& object) { return Text(object, {"metadata", "name"}); }
std::string UidOf(const Value& object) { return Text(object, {"metadata", "uid"}); }

bool IsDone(const Value& pod) {
  const std::string phase = Text(pod, {"status", "phase"});
  return phase == "Succeeded" || phase == "Failed";
}

bool IsReservedFor(const Value& claim, const std::string& uid) {
  return std::ranges::any_of(List(claim, {"status", "reservedFor"}),
                             [&](const Value& consumer) { return Text(consumer, {"uid"}) == uid; });
}

// The names of a pod's claims; empty where one has none yet.
std::vector<std::string> ClaimsOf(const Value& pod) {
  std::vector<std::string> names;
  for (const Value& wish : List(pod, {"spec", "resourceClaims"})) {
    std::string name = Text(wish, {"resourceClaimName"});
    for (const Value& status : List(pod, {"status", "resourceClaimStatuses"})) {
      if (Text(status, {"name"}) == Text(wish, {"name"})) {
        name = Text(status, {"resourceClaimName"});
      }
    }
    if (name.empty()) {
      return {};
    }
    names.push_back(name);
  }
  return names;
}

std::string OwnerOf(const Value& claim) {
  const std::vector<Value> owners = List(claim, {"metadata", "ownerReferences"});
  return owners.empty() ? "" : Text(owners.front(), {"uid"});
}

}  // namespace quadra::simulation

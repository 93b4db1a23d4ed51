#include "simulation/actors.h"

#include <algorithm>
#include <array>
#include <string_view>

#include <fmt/format.h>

#include "simulation/objects.h"

namespace quadra::simulation {
namespace {

using json::Value;

constexpr std::string_view kDeleteProtection = "resource.kubernetes.io/delete-protection";
constexpr std::uint64_t kNames = 6;
constexpr std::uint64_t kSharedClaims = 2;
constexpr int kDevices = 5;
constexpr std::size_t kMostConsumers = 3;

std::string Wish(std::string_view name, std::string_view source, std::string_view value) {
  return fmt::format(R"({{"name":"{}","{}":"{}"}})", name, source, value);
}

}  // namespace

Actors::Actors(World& world) : world_(world) {
  constexpr std::string_view kSpec =
      R"({"devices":{"requests":[{"name":"one","exactly":{"deviceClassName":"gpu"}}]}})";
  world_.Ask("POST", "/api/v1/namespaces/default/serviceaccounts",
             R"({"metadata":{"name":"default"}})");
  world_.Ask("POST", std::string(kTemplates),
             fmt::format(R"({{"metadata":{{"name":"gpus"}},"spec":{{"spec":{}}}}})", kSpec));
}

void Actors::Act() {
  switch (world_.Draw(16)) {
    case 0:
    case 1:
    case 2:
      return CreatePod();
    case 3:
      return DeletePod(false);
    case 4:
      return DeletePod(world_.Draw(4) == 0);
    case 5:
      return ToggleSharedClaim();
    case 6:
    case 7:
    case 8:
      return Reserve();
    case 9:
    case 10:
      return Bind();
    case 11:
    case 12:
      return Start();
    case 13:
      return Finish();
    case 14:
      return Remove();
    default:
      return Collect();
  }
}

void Actors::CreatePod() {
  const std::string name = fmt::format("pod-{}", world_.Draw(kNames));
  const std::string shared = fmt::format("shared-{}", world_.Draw(kSharedClaims));
  const std::string own = Wish("own", "resourceClaimTemplateName", "gpus");
  const std::string common = Wish("common", "resourceClaimName", shared);
  const std::array wishes = {own, common, own + "," + common};
  const std::uint64_t which = world_.Draw(wishes.size());
  const World::Answer made = world_.Ask(
      "POST", std::string(kPods),
      fmt::format(
          R"({{"metadata":{{"name":"{}"}},"spec":{{"containers":[{{"name":"c","image":"i"}}],"resourceClaims":[{}]}}}})",
          name, wishes[which]));
  if (made.status == 201 && which != 1) {
    wanted_.insert(UidOf(made.body));
  }
}

template <typename Fits>
const Value* Actors::DrawPod(const Pods& pods, Fits fits) {
  std::vector<const Value*> candidates;
  for (const Value& pod : pods) {
    if (fits(pod)) {
      candidates.push_back(&pod);
    }
  }
  return candidates.empty() ? nullptr : candidates[world_.Draw(candidates.size())];
}

// By force it is gone at once, and with it whatever ran.
void Actors::DeletePod(bool force) {
  const Pods pods = world_.Items(std::string(kPods));
  const Value* const pod = DrawPod(pods, [](const Value& each) { return !IsGoing(each); });
  if (pod == nullptr) {
    return;
  }
  if (force) {
    running_.erase(UidOf(*pod));
  }
  world_.Ask("DELETE", At(kPods, NameOf(*pod), force ? "?gracePeriodSeconds=0" : ""));
}

void Actors::ToggleSharedClaim() {
  const std::string name = fmt::format("shared-{}", world_.Draw(kSharedClaims));
  const World::Answer made = world_.Ask(
      "POST", std::string(kClaims),
      fmt::format(
          R"({{"metadata":{{"name":"{}"}},"spec":{{"devices":{{"requests":[{{"name":"one","exactly":{{"deviceClassName":"gpu"}}}}]}}}}}})",
          name));
  if (made.status != 201 && world_.Draw(3) == 0) {
    world_.Ask("DELETE", At(kClaims, name));
  }
}

std::string Actors::FreeDevice() {
  std::set<std::string> taken;
  for (const Value& claim : world_.Items(std::string(kClaims))) {
    for (const Value& result : List(claim, {"status", "allocation", "devices", "results"})) {
      taken.insert(Text(result, {"device"}));
    }
  }
  for (int device = 0; device < kDevices; ++device) {
    std::string name = fmt::format("gpu-{}", device);
    if (!taken.contains(name)) {
      return name;
    }
  }
  return "";
}

// Only of the revision that was read; afterwards the claim is as it was answered.
bool Actors::PatchClaim(Value& claim, const std::string& patch, const std::string& subresource) {
  World::Answer answer = world_.Ask(
      "PATCH", At(kClaims, NameOf(claim), subresource),
      fmt::format(R"({{"metadata":{{"uid":"{}","resourceVersion":"{}"{}}}{}}})", UidOf(claim),
                  Text(claim, {"metadata", "resourceVersion"}),
                  subresource.empty() ? "," + patch : "", subresource.empty() ? "" : "," + patch));
  claim = std::move(answer.body);
  return answer.status == 200;
}

bool Actors::ReserveClaim(const std::string& name, const Value& pod) {
  World::Answer found = world_.Ask("GET", At(kClaims, name));
  Value& claim = found.body;
  const std::string owner = found.status == 200 ? OwnerOf(claim) : "";
  if (found.status != 200 || IsGoing(claim) || (!owner.empty() && owner != UidOf(pod))) {
    return false;
  }
  if (IsReservedFor(claim, UidOf(pod))) {
    return true;
  }
  std::vector<Value> consumers = List(claim, {"status", "reservedFor"});
  std::string allocation;
  if (!Has(claim, {"status", "allocation"})) {
    const std::string device = FreeDevice();
    if (device.empty() ||
        !PatchClaim(claim, fmt::format(R"("finalizers":["{}"])", kDeleteProtection), "")) {
      return false;
    }
    allocation = fmt::format(
        R"("allocation":{{"devices":{{"results":[{{"request":"one","driver":"d.example.com","pool":"p","device":"{}"}}]}}}},)",
        device);
  }
  if (consumers.size() >= kMostConsumers) {
    return false;
  }
  std::string others;
  for (const Value& consumer : consumers) {
    others += json::ToJson(consumer) + ",";
  }
  return PatchClaim(
      claim,
      fmt::format(
          R"("status":{{{}"reservedFor":[{}{{"resource":"pods","name":"{}","uid":"{}"}}]}})",
          allocation, others, NameOf(pod), UidOf(pod)),
      "/status");
}

// The scheduler writes allocation and reservation of all claims of a pod.
void Actors::Reserve() {
  const Pods pods = world_.Items(std::string(kPods));
  const Value* const pod = DrawPod(
      pods, [](const Value& each) { return !IsGoing(each) && !IsBound(each) && !IsDone(each); });
  if (pod == nullptr) {
    return;
  }
  const std::vector<std::string> claims = ClaimsOf(*pod);
  const bool all = std::ranges::all_of(
      claims, [&](const std::string& name) { return ReserveClaim(name, *pod); });
  if (all && !claims.empty()) {
    reserved_[NameOf(*pod)] = UidOf(*pod);
  }
}

// And binds it some time later.
void Actors::Bind() {
  if (reserved_.empty()) {
    return;
  }
  const auto chosen =
      std::next(reserved_.begin(), static_cast<std::ptrdiff_t>(world_.Draw(reserved_.size())));
  world_.Ask(
      "POST", At(kPods, chosen->first, "/binding"),
      fmt::format(
          R"({{"metadata":{{"name":"{}","uid":"{}"}},"target":{{"kind":"Node","name":"n"}}}})",
          chosen->first, chosen->second));
  reserved_.erase(chosen);
}

// A kubelet starts a pod only if all its claims are allocated and reserved for it.
void Actors::Start() {
  const Pods pods = world_.Items(std::string(kPods));
  const Value* const pod = DrawPod(pods, [this](const Value& each) {
    return IsBound(each) && !IsGoing(each) && !IsDone(each) && !running_.contains(UidOf(each));
  });
  if (pod == nullptr) {
    return;
  }
  std::map<std::string, std::string> claims;
  for (const std::string& name : ClaimsOf(*pod)) {
    const World::Answer claim = world_.Ask("GET", At(kClaims, name));
    if (claim.status != 200 || !Has(claim.body, {"status", "allocation"}) ||
        !IsReservedFor(claim.body, UidOf(*pod))) {
      return;
    }
    claims[name] = UidOf(claim.body);
  }
  running_[UidOf(*pod)] = claims;
  ++started_;
  world_.Ask("PATCH", At(kPods, NameOf(*pod), "/status"), R"({"status":{"phase":"Running"}})");
}

void Actors::Finish() {
  const Pods pods = world_.Items(std::string(kPods));
  const Value* const pod =
      DrawPod(pods, [this](const Value& each) { return running_.contains(UidOf(each)); });
  if (pod != nullptr) {
    running_.erase(UidOf(*pod));
    world_.Ask("PATCH", At(kPods, NameOf(*pod), "/status"), R"({"status":{"phase":"Succeeded"}})");
  }
}

// A kubelet ends a pod that somebody deletes, and lets it go.
void Actors::Remove() {
  const Pods pods = world_.Items(std::string(kPods));
  const Value* const pod = DrawPod(pods, IsGoing);
  if (pod != nullptr) {
    running_.erase(UidOf(*pod));
    world_.Ask("DELETE", At(kPods, NameOf(*pod), "?gracePeriodSeconds=0"));
  }
}

void Actors::Collect() {
  std::set<std::string> alive;
  for (const Value& pod : world_.Items(std::string(kPods))) {
    alive.insert(UidOf(pod));
  }
  for (const Value& claim : world_.Items(std::string(kClaims))) {
    const std::string owner = OwnerOf(claim);
    if (!owner.empty() && !alive.contains(owner) && !IsGoing(claim)) {
      world_.Ask("DELETE", At(kClaims, NameOf(claim)),
                 fmt::format(R"({{"preconditions":{{"uid":"{}"}}}})", UidOf(claim)));
    }
  }
}

void Actors::End() {
  running_.clear();
  reserved_.clear();
  for (const Value& pod : world_.Items(std::string(kPods))) {
    world_.Ask("DELETE", At(kPods, NameOf(pod), "?gracePeriodSeconds=0"));
  }
}

std::string Actors::FindWrong() {
  if (world_.writes() == std::exchange(seen_writes_, world_.writes())) {
    return "";
  }
  std::map<std::string, Value> claims;
  for (Value& claim : world_.Items(std::string(kClaims))) {
    const std::string owner = OwnerOf(claim);
    if (!owner.empty() && !wanted_.contains(owner)) {
      return fmt::format("claim {} belongs to a pod that wanted none", NameOf(claim));
    }
    claims.emplace(NameOf(claim), std::move(claim));
  }
  for (const auto& [pod, used] : running_) {
    for (const auto& [name, uid] : used) {
      const auto found = claims.find(name);
      if (found == claims.end() || UidOf(found->second) != uid ||
          !Has(found->second, {"status", "allocation"}) || !IsReservedFor(found->second, pod)) {
        return fmt::format("pod {} runs and has lost claim {}", pod, name);
      }
    }
  }
  return "";
}

std::string Actors::FindLeft() {
  for (const Value& claim : world_.Items(std::string(kClaims))) {
    const bool held = Has(claim, {"status", "allocation"}) ||
                      !List(claim, {"status", "reservedFor"}).empty() ||
                      !List(claim, {"metadata", "finalizers"}).empty();
    if (held || IsGoing(claim) || !OwnerOf(claim).empty()) {
      return fmt::format("left behind: {}", json::ToJson(claim));
    }
  }
  return "";
}

}  // namespace quadra::simulation

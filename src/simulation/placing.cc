#include "simulation/placing.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "simulation/objects.h"

namespace quadra::simulation {
namespace {

using json::Value;

constexpr std::string_view kResource = "/apis/resource.k8s.io/v1";
constexpr std::uint64_t kMostPods = 10;
constexpr int kParts = 2;       // that the counter is enough for
constexpr int kBandwidth = 10;  // of the shared device

// Name of the class and of the template, and what a request of it says besides.
struct Kind {
  std::string_view name;
  std::string_view more;
};
constexpr std::array<Kind, 3> kKinds = {
    {{"whole", ""}, {"part", ""}, {"link", R"(,"capacity":{"requests":{"bandwidth":"4"}})"}}};
constexpr std::string_view kShared = "shared";

std::string Slice(std::string_view pool, std::string_view number, std::string_view reach,
                  std::string_view content) {
  return fmt::format(
      R"({{"metadata":{{"name":"{0}-{1}"}},"spec":{{"driver":"d.example.com",{2},"pool":{{"name":"{0}",)"
      R"("generation":1,"resourceSliceCount":{4}}},{3}}}}})",
      pool, number, reach, content, pool == "parts" ? 2 : 1);
}

std::string Devices(std::string_view kind, int count, std::string_view more = "") {
  std::string devices;
  for (int i = 0; i < count; ++i) {
    devices += fmt::format(R"({}{{"name":"{}-{}","attributes":{{"kind":{{"string":"{}"}}}}{}}})",
                           i == 0 ? "" : ",", kind, i, kind, more);
  }
  return fmt::format(R"("devices":[{}])", devices);
}

std::vector<std::string> Slices() {
  constexpr std::string_view kEverywhere = R"("allNodes":true)";
  constexpr std::string_view kDraws =
      R"(,"consumesCounters":[{"counterSet":"set","counters":{"units":{"value":"2"}}}])";
  constexpr std::string_view kLink =
      R"(,"allowMultipleAllocations":true,"capacity":{"bandwidth":{"value":"10"}})";
  std::vector<std::string> slices = {
      Slice("rack", "0", kEverywhere, Devices("whole", 2)),
      Slice("parts", "0", R"("nodeName":"n0")",
            R"("sharedCounters":[{"name":"set","counters":{"units":{"value":"4"}}}])"),
      Slice("parts", "1", R"("nodeName":"n0")", Devices("part", 4, kDraws)),
      Slice("link", "0", R"("nodeName":"n1")", Devices("link", 1, kLink))};
  for (int node = 0; node < 3; ++node) {
    slices.push_back(Slice(fmt::format("n{}", node), "0", fmt::format(R"("nodeName":"n{}")", node),
                           Devices("whole", 2)));
  }
  return slices;
}

std::string Spec(const Kind& kind) {
  return fmt::format(
      R"({{"devices":{{"requests":[{{"name":"one","exactly":{{"deviceClassName":"{}"{}}}}}]}}}})",
      kind.name, kind.more);
}

// What is held by claims of pods that are bound.
class Held {
 public:
  // What is wrong with it; empty: nothing.
  std::string Add(const Value& claim) {
    for (const Value& result : List(claim, {"status", "allocation", "devices", "results"})) {
      const std::string device = Text(result, {"pool"}) + "/" + Text(result, {"device"});
      if (Has(result, {"shareID"})) {
        bandwidth_ += std::atoi(Text(result, {"consumedCapacity", "bandwidth"}).c_str());
      } else if (!devices_.insert(device).second) {
        return fmt::format("{} is held twice, the second time by {}", device, NameOf(claim));
      }
      parts_ += device.starts_with("parts/") ? 1 : 0;
    }
    return parts_ > kParts           ? "the counter is exceeded"
           : bandwidth_ > kBandwidth ? "the bandwidth is exceeded"
                                     : "";
  }

 private:
  std::set<std::string> devices_;
  int parts_ = 0;
  int bandwidth_ = 0;
};

}  // namespace

Placing::Placing(World& world, std::vector<std::string> schedulers)
    : world_(world), schedulers_(std::move(schedulers)) {
  CreateCluster();
}

void Placing::CreateCluster() {
  world_.Ask("POST", "/api/v1/namespaces/default/serviceaccounts",
             R"({"metadata":{"name":"default"}})");
  for (int node = 0; node < 3; ++node) {
    world_.Ask("POST", "/api/v1/nodes",
               fmt::format(R"({{"metadata":{{"name":"n{}"}},"status":{{"allocatable":{{"cpu":"8",)"
                           R"("memory":"8Gi","pods":"20"}}}}}})",
                           node));
  }
  for (const std::string& slice : Slices()) {
    world_.Ask("POST", At(kResource, "resourceslices"), slice);
  }
  for (const Kind& kind : kKinds) {
    world_.Ask(
        "POST", At(kResource, "deviceclasses"),
        fmt::format(R"({{"metadata":{{"name":"{0}"}},"spec":{{"selectors":[{{"cel":{{)"
                    R"("expression":"device.attributes['d.example.com'].kind == '{0}'"}}}}]}}}})",
                    kind.name));
    world_.Ask("POST", std::string(kTemplates),
               fmt::format(R"({{"metadata":{{"name":"{}"}},"spec":{{"spec":{}}}}})", kind.name,
                           Spec(kind)));
  }
  world_.Ask("POST", std::string(kClaims),
             fmt::format(R"({{"metadata":{{"name":"{}"}},"spec":{}}})", kShared, Spec(kKinds[0])));
}

void Placing::Act() {
  switch (world_.Draw(13)) {
    case 0:
    case 1:
    case 2:
      return CreatePod();
    case 3:
      return DeletePod();
    case 4:
      return ReportDevices();
    case 5:
      return TouchNode();
    case 6:
    case 7:
    case 8:
      return WithPod([this](const Value& pod) { return IsReady(pod); },
                     [this](const Value& pod) { Start(pod); });
    case 9:
    case 10:
      return WithPod([this](const Value& pod) { return running_.contains(UidOf(pod)); },
                     [this](const Value& pod) { Finish(pod); });
    case 11:
      return Collect();
    default:
      return WithPod([](const Value& pod) { return IsDone(pod) || IsGoing(pod); },
                     [this](const Value& pod) { Remove(pod); });
  }
}

void Placing::CreatePod() {
  if (world_.Items(std::string(kPods)).size() >= kMostPods) {
    return;
  }
  const std::uint64_t which = world_.Draw(kKinds.size() + 2);
  std::string wishes;
  if (which < kKinds.size()) {
    wishes = fmt::format(R"({{"name":"a","resourceClaimTemplateName":"{}"}})", kKinds[which].name);
  } else if (which == kKinds.size()) {
    wishes = fmt::format(R"({{"name":"a","resourceClaimName":"{}"}})", kShared);
  } else {
    wishes =
        R"({"name":"a","resourceClaimTemplateName":"whole"},{"name":"b","resourceClaimTemplateName":"part"})";
  }
  const std::string& scheduler = schedulers_[world_.Draw(schedulers_.size())];
  world_.Ask(
      "POST", std::string(kPods),
      fmt::format(R"({{"metadata":{{"name":"pod-{}"}},"spec":{{"schedulerName":"{}","tolerations":)"
                  R"([{{"operator":"Exists"}}],"containers":[{{"name":"c","image":"i"}}],)"
                  R"("resourceClaims":[{}]}}}})",
                  ++made_, scheduler, wishes));
}

void Placing::WithPod(const std::function<bool(const Value&)>& fits,
                      const std::function<void(const Value&)>& act) {
  std::vector<Value> pods = world_.Items(std::string(kPods));
  std::erase_if(pods, [&](const Value& pod) { return !fits(pod); });
  if (!pods.empty()) {
    act(pods[world_.Draw(pods.size())]);
  }
}

void Placing::DeletePod() {
  WithPod([](const Value& pod) { return !IsGoing(pod); },
          [this](const Value& pod) { world_.Ask("DELETE", At(kPods, NameOf(pod))); });
}

// A driver tells of a device, which changes its claim between allocation and binding.
void Placing::ReportDevices() {
  std::vector<Value> claims = world_.Items(std::string(kClaims));
  std::erase_if(claims, [](const Value& claim) { return !Has(claim, {"status", "allocation"}); });
  if (claims.empty()) {
    return;
  }
  const Value& claim = claims[world_.Draw(claims.size())];
  const Value result = List(claim, {"status", "allocation", "devices", "results"}).front();
  const std::string share =
      Has(result, {"shareID"}) ? fmt::format(R"(,"shareID":"{}")", Text(result, {"shareID"})) : "";
  world_.Ask("PATCH", At(kClaims, NameOf(claim), "/status"),
             fmt::format(
                 R"({{"metadata":{{"uid":"{}"}},"status":{{"devices":[{{"driver":"{}","pool":"{}",)"
                 R"("device":"{}"{},"data":{{"told":{}}}}}]}}}})",
                 UidOf(claim), Text(result, {"driver"}), Text(result, {"pool"}),
                 Text(result, {"device"}), share, world_.Draw(1000)));
}

void Placing::TouchNode() {
  world_.Ask("PATCH", fmt::format("/api/v1/nodes/n{}", world_.Draw(3)),
             fmt::format(R"({{"metadata":{{"labels":{{"told":"{}"}}}}}})", world_.Draw(1000)));
}

// Whether a kubelet would start it: its claims are held for it.
bool Placing::IsReady(const Value& pod) {
  if (!IsBound(pod) || IsGoing(pod) || IsDone(pod) || running_.contains(UidOf(pod))) {
    return false;
  }
  return std::ranges::all_of(ClaimsOf(pod), [&](const std::string& name) {
    const World::Answer claim = world_.Ask("GET", At(kClaims, name));
    return claim.status == 200 && Has(claim.body, {"status", "allocation"}) &&
           IsReservedFor(claim.body, UidOf(pod));
  });
}

void Placing::Start(const Value& pod) {
  running_.insert(UidOf(pod));
  ++started_;
  world_.Ask("PATCH", At(kPods, NameOf(pod), "/status"), R"({"status":{"phase":"Running"}})");
}

void Placing::Finish(const Value& pod) {
  running_.erase(UidOf(pod));
  world_.Ask("PATCH", At(kPods, NameOf(pod), "/status"), R"({"status":{"phase":"Succeeded"}})");
}

void Placing::Remove(const Value& pod) {
  running_.erase(UidOf(pod));
  world_.Ask("DELETE", At(kPods, NameOf(pod), "?gracePeriodSeconds=0"));
}

// As the garbage collector does: claims whose pods are gone go too.
void Placing::Collect() {
  std::set<std::string> alive;
  for (const Value& pod : world_.Items(std::string(kPods))) {
    alive.insert(UidOf(pod));
  }
  for (const Value& claim : world_.Items(std::string(kClaims))) {
    if (!OwnerOf(claim).empty() && !alive.contains(OwnerOf(claim)) && !IsGoing(claim)) {
      world_.Ask("DELETE", At(kClaims, NameOf(claim)));
    }
  }
}

void Placing::LetAllEnd() {
  Collect();
  for (const Value& pod : world_.Items(std::string(kPods))) {
    if (IsDone(pod) || IsGoing(pod) || running_.contains(UidOf(pod))) {
      Remove(pod);
    } else if (IsReady(pod)) {
      Start(pod);
    }
  }
}

std::string Placing::FindWrong() {
  if (world_.writes() == std::exchange(seen_writes_, world_.writes())) {
    return "";
  }
  std::map<std::string, Value> claims;
  for (Value& claim : world_.Items(std::string(kClaims))) {
    claims.emplace(NameOf(claim), std::move(claim));
  }
  std::set<std::string> used;
  for (const Value& pod : world_.Items(std::string(kPods))) {
    if (!IsBound(pod) || IsDone(pod) || IsGoing(pod)) {
      continue;
    }
    for (const std::string& name : ClaimsOf(pod)) {
      const auto found = claims.find(name);
      if (found == claims.end() || !Has(found->second, {"status", "allocation"}) ||
          !IsReservedFor(found->second, UidOf(pod))) {
        return fmt::format("{} is bound without {}", NameOf(pod), name);
      }
      used.insert(name);
    }
  }
  Held held;
  for (const std::string& name : used) {
    if (std::string wrong = held.Add(claims.at(name)); !wrong.empty()) {
      return wrong;
    }
  }
  return "";
}

std::string Placing::FindLeft() {
  std::string left;
  for (const Value& pod : world_.Items(std::string(kPods))) {
    left += fmt::format("{} {} ", NameOf(pod), json::ToJson(pod.Get("status")));
  }
  if (left.empty()) {
    return left;
  }
  for (const Value& claim : world_.Items(std::string(kClaims))) {
    left += fmt::format("\n{} of {}: {}", NameOf(claim), OwnerOf(claim),
                        json::ToJson(claim.Get("status")));
  }
  return left;
}

}  // namespace quadra::simulation

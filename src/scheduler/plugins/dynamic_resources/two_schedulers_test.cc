// Two schedulers that do not know of each other, with claims for the same devices: whatever each of them
// sees late, or lists anew, no two bound pods have the same device, and all that can be bound are.

#include <chrono>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "scheduler/framework/revision.h"
#include "scheduler/plugins/dynamic_resources/trial_for_tests.h"

namespace quadra::scheduler {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;

struct World {
  std::uint64_t seed = 0;
  int devices = 3;
  int pods = 6;
  bool lists = false;   // watches break off, and what was missed is listed
  bool shares = false;  // one device, whose capacity is for so many
};

class TwoSchedulers {
 public:
  explicit TwoSchedulers(const World& world) : world_(world), random_(world.seed) {
    for (int i = 0; i < 2; ++i) {
      sides_.push_back(std::make_unique<Side>(*this));
    }
    for (int i = 0; i < world.pods; ++i) {
      PutClaim(fmt::format("c{}", i));
    }
  }

  void Run() {
    for (int i = 0; i < world_.pods; ++i) {
      driving_.Start(Drive(*sides_[static_cast<std::size_t>(i % 2)], i));
    }
    for (scripted_.Settle(); driving_.size() > 0 && scripted_.loop.RunNext();) {
      scripted_.Settle();
    }
  }

  int bound() const { return bound_; }
  int yields() const { return yields_; }
  int clashes() const { return clashes_; }  // of bound pods

 private:
  // One scheduler: its copy of the claims, which lags behind, and its plugin.
  struct Side {
    explicit Side(TwoSchedulers& of)
        : devices(of.language_, of.gates_),
          handle{.gates = of.gates_,
                 .snapshot = of.no_nodes_,
                 .devices = devices,
                 .random = of.random_,
                 .api = &of.scripted_.api,
                 .write = [this](loop::Task<void> task) { writing.Start(std::move(task)); }},
          plugin(handle, {}) {
      devices.Put(of.node_);
      devices.Put(of.Class());
      devices.Put(of.Slice());
    }
    Devices devices;
    Handle handle;
    DynamicResources plugin;
    Time due;       // of the last event that is under way
    int watch = 0;  // events of an earlier one are lost
    loop::TaskGroup writing;
  };

  static api::DeviceClass Class() {
    return ObjectFrom<api::DeviceClass>("DeviceClass", R"({"metadata":{"name":"any"},"spec":{}})");
  }
  api::ResourceSlice Slice() const {
    std::string devices;
    for (int i = 0; i < (world_.shares ? 1 : world_.devices); ++i) {
      devices +=
          fmt::format(R"({}{{"name":"d{}"{}}})", i == 0 ? "" : ",", i,
                      world_.shares ? fmt::format(R"(,"allowMultipleAllocations":true,"capacity":)"
                                                  R"({{"memory":{{"value":"{}"}}}})",
                                                  world_.devices)
                                    : "");
    }
    return ObjectFrom<api::ResourceSlice>(
        "ResourceSlice",
        fmt::format(
            R"({{"metadata":{{"name":"s"}},"spec":{{"driver":"d","nodeName":"n",)"
            R"("pool":{{"name":"p","generation":1,"resourceSliceCount":1}},"devices":[{}]}}}})",
            devices));
  }
  void PutClaim(const std::string& name) {
    auto claim = ObjectFrom<api::ResourceClaim>(
        "ResourceClaim",
        fmt::format(
            R"({{"metadata":{{"name":"{0}","namespace":"default","uid":"{0}"}},"spec":{{"devices":)"
            R"({{"requests":[{{"name":"r","exactly":{{"deviceClassName":"any","allocationMode":)"
            R"("ExactCount","count":1{1}}}}}]}}}}}})",
            name, world_.shares ? R"(,"capacity":{"requests":{"memory":"1"}})" : ""));
    server_.Put(claim);
    for (const auto& side : sides_) {
      side->devices.Put(std::make_shared<const api::ResourceClaim>(*server_.Find(name)));
    }
  }

  microseconds Some(int most_milliseconds) {
    return milliseconds(random_.Below(static_cast<std::uint64_t>(most_milliseconds)));
  }

  // What a watch will show, in order, some time later; or what a list shows that comes in its place.
  void Tell(const ClaimPtr& claim) {
    for (const auto& each : sides_) {
      Side& side = *each;
      if (world_.lists && random_.Below(6) == 0) {
        const int watch = ++side.watch;
        side.due = std::max(side.due, scripted_.loop.Now()) + Some(60);
        scripted_.loop.PostAfter(side.due - scripted_.loop.Now(), [this, &side, watch] {
          if (watch == side.watch) {
            List(side);
          }
        });
        continue;
      }
      side.due = std::max(side.due, scripted_.loop.Now() + Some(30));
      scripted_.loop.PostAfter(side.due - scripted_.loop.Now(), [&side, claim, watch = side.watch] {
        if (watch == side.watch && IsNews(side, *claim)) {
          side.devices.Put(claim);
        }
      });
    }
  }
  // A watch begins where the list ended.
  static bool IsNews(const Side& side, const api::ResourceClaim& claim) {
    const ClaimPtr known = side.devices.claims().FindShown(claim.metadata.uid);
    return known == nullptr || RevisionOf(known->metadata) < RevisionOf(claim.metadata);
  }
  void List(Side& side) {
    for (const auto& [name, claim] : server_.all()) {
      if (IsNews(side, claim)) {
        side.devices.Put(std::make_shared<const api::ResourceClaim>(claim),
                         ClaimCopies::Told::kByList);
      }
    }
  }

  loop::Task<void> Drive(Side& side, int number) {
    const PodInfoPtr pod = PodInfo::Of(
        ObjectFrom<api::Pod>(
            "Pod",
            fmt::format(
                R"({{"metadata":{{"name":"p{0}","namespace":"default","uid":"p{0}"}},"spec":)"
                R"({{"resourceClaims":[{{"name":"e","resourceClaimName":"c{0}"}}]}}}})",
                number)),
        gates_);
    for (int attempt = 0; attempt < 40; ++attempt) {
      co_await loop::Pause(scripted_.loop, Some(40));
      CycleState state;
      if (!Decide(side, state, *pod)) {
        continue;
      }
      loop::Task<Status> binding = side.plugin.PreBind(state, pod, "n");
      const Status status = co_await binding;
      if (status.ok()) {
        Bind(number);
        co_return;
      }
      yields_ += status.Message().find("by another scheduler") == std::string::npos ? 0 : 1;
      side.plugin.Unreserve(state, *pod, "n");
    }
  }
  bool Decide(Side& side, CycleState& state, const PodInfo& pod) {
    if (!side.plugin.PreFilter(state, pod).status.ok()) {
      return false;
    }
    const Status fits = side.plugin.Filter(state, pod, info_);
    if (fits.Message() == placement::kNotAvailable) {
      static_cast<void>(side.plugin.PostFilter(state, pod, {}));
    }
    return fits.ok() && side.plugin.Reserve(state, pod, "n").ok();
  }
  // The pod runs: its devices must be its own from here on.
  void Bind(int number) {
    ++bound_;
    const api::ResourceClaim& claim = *server_.Find(fmt::format("c{}", number));
    if (!claim.status.allocation) {
      ++clashes_;
      return;
    }
    int& users = in_use_[claim.status.allocation->devices.results[0].device];
    clashes_ += ++users > (world_.shares ? world_.devices : 1) ? 1 : 0;
  }

  const World world_;
  SeededRandom random_;
  selector::Language language_;
  api::FeatureGates gates_;
  Cache no_nodes_;
  const api::Node node_ = ObjectFrom<api::Node>("Node", R"({"metadata":{"name":"n"}})");
  const NodeInfo info_{std::make_shared<const api::Node>(node_)};
  ClaimServer server_{[this](ClaimPtr claim) {
    scripted_.loop.Post([this, claim = std::move(claim)] { Tell(claim); });
  }};
  client::Scripted scripted_{[this](const net::Request& request, net::Exchange exchange) {
    server_.tells = true;
    exchange.Answer(server_.Serve(request));
  }};
  std::vector<std::unique_ptr<Side>> sides_;
  std::map<std::string, int> in_use_;
  int bound_ = 0;
  int yields_ = 0;
  int clashes_ = 0;
  loop::TaskGroup driving_;
};

TEST(TwoSchedulersTest, NeverBindTwoPodsToOneDevice) {
  constexpr std::uint64_t kSeeds = 60;
  for (const bool lists : {false, true}) {
    for (const bool shares : {false, true}) {
      int yields = 0;
      for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
        SCOPED_TRACE(fmt::format("seed {}, lists {}, shares {}", seed, lists, shares));
        TwoSchedulers both({.seed = seed, .lists = lists, .shares = shares});
        both.Run();
        EXPECT_EQ(both.clashes(), 0);
        EXPECT_EQ(both.bound(), 3);
        yields += both.yields();
      }
      // The test would show nothing if they never met.
      EXPECT_GT(yields, 10) << "lists " << lists << ", shares " << shares;
    }
  }
}

}  // namespace
}  // namespace quadra::scheduler

// Scenario: the whole scheduler, beside the claim controller, at our API server in memory; told in
// lines what users and kubelets do, and what is to be seen then.
//
//   Scenario scenario;
//   scenario.Play(R"(
//     node n1 cpu=4 gpus=2
//     priority high 1000
//     claim a
//     pod web cpu=2 priority=high claims=a,b
//     run 10
//     expect web=n1 db=-
//     says db 0/1 nodes are available: 1 Insufficient cpu.
//     event Normal Scheduled Successfully assigned default/web to n1
//     delete pods/web
//   )");
//
// Time stands still but for `run`, by so many seconds. A node's devices are gpu-0, gpu-1, … of the
// pool of its name; a claim wants one, or as many as count= says. `says` compares upstream's words.
// At its end every scenario is looked at: no device is in two claims, whoever was placed has its
// claims allocated and reserved, and whoever waits is not placed because he has waited for long: what
// could help has woken him.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "claims/cluster_for_tests.h"
#include "claims/controller.h"
#include "scheduler/scheduler.h"

namespace quadra::scheduler {

class Scenario {
 public:
  explicit Scenario(SchedulerOptions options = {.config = DefaultConfig()})
      : options_(std::move(options)) {
    options_.attempts = attempts;
    cluster.Create("/apis/resource.k8s.io/v1/deviceclasses", R"({"metadata":{"name":"gpu"}})");
    cluster.AddController(
        [this](client::ControllerContext& context) { return MakeScheduler(context, options_); });
    cluster.AddController(
        [](client::ControllerContext& context) { return claims::MakeClaimController(context); });
    cluster.Run(std::chrono::seconds(1));
  }
  ~Scenario() { CheckPromises(); }
  Scenario(const Scenario&) = delete;
  Scenario& operator=(const Scenario&) = delete;

  void Play(const std::string& script) {
    std::istringstream lines(script);
    for (std::string line; std::getline(lines, line);) {
      std::istringstream words(line);
      if (std::string verb; words >> verb) {
        const auto found = Verbs().find(verb);
        ASSERT_NE(found, Verbs().end()) << "no such line: " << line;
        SCOPED_TRACE(line);
        (this->*found->second)(words);
      }
    }
  }

  // Where the pod is; - where it is nowhere.
  std::string NodeOf(const std::string& pod) {
    const std::string node = cluster.Pick(claims::At(claims::kPods, pod), "{.spec.nodeName}");
    return node.empty() ? "-" : node;
  }
  // Why it was not placed, as its status says.
  std::string Message(const std::string& pod) {
    return cluster.Pick(claims::At(claims::kPods, pod),
                        R"({.status.conditions[?(@.type=="PodScheduled")].message})");
  }
  // The sum of a metric of the scheduler over all labels.
  double Metric(const std::string& name) {
    std::istringstream lines(cluster.Metrics());
    double sum = 0;
    for (std::string line; std::getline(lines, line);) {
      const std::size_t end = line.find_first_of("{ ");
      if (line.substr(0, end) == name) {
        sum += std::stod(line.substr(line.rfind(' ')));
      }
    }
    return sum;
  }
  double Attempts() { return Metric("scheduler_schedule_attempts_total"); }

  claims::TestCluster cluster;
  const std::shared_ptr<AttemptLog> attempts = std::make_shared<AttemptLog>();

 private:
  using Words = std::istringstream;
  using Verb = void (Scenario::*)(Words&);
  using Settings = std::map<std::string, std::string>;

  static const std::map<std::string, Verb>& Verbs() {
    static const std::map<std::string, Verb> kVerbs = {{"priority", &Scenario::MakePriority},
                                                       {"node", &Scenario::MakeNode},
                                                       {"slice", &Scenario::MakeSlice},
                                                       {"claim", &Scenario::MakeClaim},
                                                       {"pod", &Scenario::MakePod},
                                                       {"budget", &Scenario::MakeBudget},
                                                       {"run", &Scenario::Run},
                                                       {"delete", &Scenario::Delete},
                                                       {"end", &Scenario::End},
                                                       {"expect", &Scenario::Expect},
                                                       {"says", &Scenario::Says},
                                                       {"event", &Scenario::HasEvent},
                                                       {"patch", &Scenario::Patch}};
    return kVerbs;
  }

  static std::string Rest(Words& words) {
    std::string rest;
    std::getline(words >> std::ws, rest);
    return rest;
  }
  static Settings ReadSettings(Words& words) {
    Settings settings;
    for (std::string word; words >> word;) {
      const std::size_t equals = word.find('=');
      settings[word.substr(0, equals)] = word.substr(equals + 1);
    }
    return settings;
  }
  static std::string Joined(const std::vector<std::string>& parts) {
    std::string all;
    for (const std::string& part : parts) {
      all += (all.empty() ? "" : ",") + part;
    }
    return all;
  }
  static std::string PathOf(const std::string& what) {
    const std::string plural = what.substr(0, what.find('/'));
    const std::string name = what.substr(what.find('/') + 1);
    const std::map<std::string, std::string_view> collections = {{"pods", claims::kPods},
                                                                 {"claims", claims::kClaims},
                                                                 {"slices", claims::kSlices},
                                                                 {"nodes", "/api/v1/nodes"}};
    return claims::At(collections.at(plural), name);
  }

  void MakePriority(Words& words) {
    std::string name;
    std::string value;
    std::string policy = "PreemptLowerPriority";
    words >> name >> value >> policy;
    cluster.Create(
        "/apis/scheduling.k8s.io/v1/priorityclasses",
        fmt::format(R"({{"metadata":{{"name":"{}"}},"value":{},"preemptionPolicy":"{}"}})", name,
                    value, policy.empty() ? "PreemptLowerPriority" : policy));
  }
  // Ready at once: without the taint that nodes are made with.
  void MakeNode(Words& words) {
    std::string name;
    words >> name;
    Settings settings = ReadSettings(words);
    const std::string path = claims::At("/api/v1/nodes", name);
    cluster.Create(
        "/api/v1/nodes",
        fmt::format(R"({{"metadata":{{"name":"{0}","labels":{{"name":"{0}"}}}}}})", name));
    cluster.Patch(path + "/status",
                  fmt::format(R"({{"status":{{"allocatable":{{"cpu":"{}","memory":"64Gi",)"
                              R"("pods":"110"}}}}}})",
                              settings.contains("cpu") ? settings["cpu"] : "64"));
    if (settings.contains("gpus")) {
      MakeSlice(name, std::stoi(settings["gpus"]));
    }
    cluster.Patch(path, R"({"spec":{"taints":null}})");
  }
  void MakeSlice(Words& words) {
    std::string node;
    int devices = 0;
    words >> node >> devices;
    MakeSlice(node, devices);
  }
  void MakeSlice(const std::string& node, int count) {
    std::vector<std::string> devices;
    for (int i = 0; i < count; ++i) {
      devices.push_back(fmt::format(R"({{"name":"gpu-{}"}})", i));
    }
    cluster.Create(claims::kSlices,
                   fmt::format(R"({{"metadata":{{"name":"{0}"}},"spec":{{"driver":"d.example.com",)"
                               R"("nodeName":"{0}","pool":{{"name":"{0}","generation":1,)"
                               R"("resourceSliceCount":1}},"devices":[{1}]}}}})",
                               node, Joined(devices)));
  }
  void MakeClaim(Words& words) {
    std::string name;
    words >> name;
    Settings settings = ReadSettings(words);
    cluster.Create(
        claims::kClaims,
        fmt::format(R"({{"metadata":{{"name":"{}"}},"spec":{{"devices":{{"requests":[)"
                    R"({{"name":"one","exactly":{{"deviceClassName":"gpu","count":{}}}}}]}}}}}})",
                    name, settings.contains("count") ? settings["count"] : "1"));
  }
  void MakePod(Words& words) {
    std::string name;
    words >> name;
    Settings settings = ReadSettings(words);
    std::vector<std::string> entries;
    std::istringstream claims_of(settings["claims"]);
    for (std::string claim; std::getline(claims_of, claim, ',');) {
      entries.push_back(claims::Given(claim, claim));
    }
    std::string more;
    for (const auto& [key, member] :
         std::map<std::string, std::string>{{"priority", "priorityClassName"},
                                            {"on", "nodeName"},
                                            {"policy", "preemptionPolicy"}}) {
      more += settings.contains(key) ? fmt::format(R"("{}":"{}",)", member, settings[key]) : "";
    }
    more += settings.contains("only")
                ? fmt::format(R"("nodeSelector":{{"name":"{}"}},)", settings["only"])
                : "";
    cluster.Create(claims::kPods,
                   fmt::format(R"({{"metadata":{{"name":"{}","labels":{{"app":"{}"}}}},"spec":{{{})"
                               R"("resourceClaims":[{}],"containers":[{{"name":"c","image":"i",)"
                               R"("resources":{{"requests":{{"cpu":"{}"}}}}}}]}}}})",
                               name, settings["app"], more, Joined(entries),
                               settings.contains("cpu") ? settings["cpu"] : "100m"));
  }
  void MakeBudget(Words& words) {
    std::string app;
    int allowed = 0;
    words >> app >> allowed;
    cluster.Create("/apis/policy/v1/namespaces/default/poddisruptionbudgets",
                   fmt::format(R"({{"metadata":{{"name":"{0}"}},"spec":{{"selector":{{)"
                               R"("matchLabels":{{"app":"{0}"}}}}}}}})",
                               app));
    cluster.Patch(
        fmt::format("/apis/policy/v1/namespaces/default/poddisruptionbudgets/{}/status", app),
        fmt::format(R"({{"status":{{"disruptionsAllowed":{},"currentHealthy":1,)"
                    R"("desiredHealthy":1,"expectedPods":1}}}})",
                    allowed));
  }
  void Run(Words& words) {
    double seconds = 0;
    words >> seconds;
    cluster.Run(std::chrono::microseconds(static_cast<std::int64_t>(seconds * 1e6)));
  }
  // As a kubelet does once a pod has ended, or a user at once.
  void Delete(Words& words) {
    for (std::string what; words >> what;) {
      cluster.Delete(PathOf(what));
    }
  }
  void End(Words& words) {
    for (std::string pod; words >> pod;) {
      claims::SetPhase(cluster, pod, "Succeeded");
    }
  }
  void Patch(Words& words) {
    std::string what;
    words >> what;
    cluster.Patch(PathOf(what), Rest(words));
  }
  void Expect(Words& words) {
    for (const auto& [pod, node] : ReadSettings(words)) {
      EXPECT_EQ(NodeOf(pod), node) << pod << ": " << Message(pod);
    }
  }
  void Says(Words& words) {
    std::string pod;
    words >> pod;
    EXPECT_EQ(WithoutAccount(Message(pod)), Rest(words));
  }
  // Upstream's words, before our own.
  static std::string WithoutAccount(const std::string& message) {
    return message.substr(0, message.find(" ["));
  }
  void HasEvent(Words& words) {
    const std::string wanted = Rest(words);
    const std::string all = "\n" + cluster.Events();
    EXPECT_NE(all.find("\n" + wanted), std::string::npos) << all;
  }

  void CheckPromises() {
    cluster.Run(std::chrono::minutes(11));
    EXPECT_EQ(Metric("scheduler_pod_scheduled_after_flush_total"), 0);
    CheckDevices();
  }
  void CheckDevices() {
    std::istringstream devices(
        cluster.Pick(claims::kClaims, R"({range .items[*].status.allocation.devices.results[*]})"
                                      R"({.driver}/{.pool}/{.device} {end})"));
    std::set<std::string> seen;
    for (std::string device; devices >> device;) {
      EXPECT_TRUE(seen.insert(device).second) << device << " is in two claims";
    }
    std::istringstream pods(cluster.Names(claims::kClaims).empty() ? ""
                                                                   : cluster.Names(claims::kPods));
    for (std::string pod; pods >> pod;) {
      CheckClaimsOf(pod);
    }
  }
  void CheckClaimsOf(const std::string& pod) {
    const std::string path = claims::At(claims::kPods, pod);
    const std::string phase = cluster.Pick(path, "{.status.phase}");
    std::istringstream names(cluster.Pick(path, "{.spec.resourceClaims[*].resourceClaimName}"));
    for (std::string claim; NodeOf(pod) != "-" && phase != "Succeeded" && names >> claim;) {
      const std::string users =
          cluster.Pick(claims::At(claims::kClaims, claim), "{.status.reservedFor[*].uid}");
      EXPECT_NE(users.find(cluster.Uid(path)), std::string::npos)
          << pod << " is on a node, and " << claim << " is not reserved for it";
      EXPECT_NE(cluster.Pick(claims::At(claims::kClaims, claim), "{.status.allocation}"), "");
    }
  }

  SchedulerOptions options_;
};

}  // namespace quadra::scheduler

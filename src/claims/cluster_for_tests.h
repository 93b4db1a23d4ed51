// A cluster for the tests of this folder: our API server in memory, users who reach it at once, and
// controllers who reach it through a network that does what the test says, in a time of its own.
//
//   TestCluster cluster;
//   cluster.AddController(MakeClaims);
//   cluster.Create(kTemplates, TemplateJson("gpus"));
//   cluster.Create(kPods, PodJson("train", …));
//   cluster.Run();                                        // half a minute
//   EXPECT_EQ(cluster.Names(kClaims), …);
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "api/vocabulary.h"
#include "apiserver/memory_server.h"
#include "base/check.h"
#include "base/random.h"
#include "client/role.h"
#include "json/documents.h"
#include "json/value.h"
#include "loop/event_loop.h"
#include "metrics/registry.h"
#include "net/client.h"

namespace quadra::claims {

inline constexpr std::string_view kPods = "/api/v1/namespaces/default/pods";
inline constexpr std::string_view kEvents = "/api/v1/namespaces/default/events";
inline constexpr std::string_view kClaims =
    "/apis/resource.k8s.io/v1/namespaces/default/resourceclaims";
inline constexpr std::string_view kTemplates =
    "/apis/resource.k8s.io/v1/namespaces/default/resourceclaimtemplates";
inline constexpr std::string_view kSlices = "/apis/resource.k8s.io/v1/resourceslices";
inline constexpr std::string_view kRules = "/apis/resource.k8s.io/v1/devicetaintrules";

inline std::string At(std::string_view collection, std::string_view name,
                      std::string_view rest = "") {
  return fmt::format("{}/{}{}", collection, name, rest);
}

// Lists, watches and events.
inline bool IsBackground(const net::Request& request) {
  const bool asks = request.target.find('?') != std::string::npos;
  return (request.method == "GET" && asks) || request.target.find("/events") != std::string::npos;
}

class TestCluster {
 public:
  using MakeController =
      std::function<std::unique_ptr<client::Controller>(client::ControllerContext&)>;
  using Lines = std::vector<std::string>;

  explicit TestCluster(const api::FeatureGates& gates = {}) : gates_(gates) {
    Create("/api/v1/namespaces/default/serviceaccounts", R"({"metadata":{"name":"default"}})");
  }
  ~TestCluster() { processes_.clear(); }
  TestCluster(const TestCluster&) = delete;
  TestCluster& operator=(const TestCluster&) = delete;

  // --- Controllers, each in a process of its own.
  void AddController(MakeController make) {
    processes_.push_back(std::make_unique<Process>(*this, std::move(make)));
  }
  // All of them end in the middle of whatever they do.
  void Stop() {
    for (const auto& process : processes_) {
      stopped_.push_back(process->make);
    }
    processes_.clear();
  }
  void Start() {
    for (MakeController& make : std::exchange(stopped_, {})) {
      AddController(std::move(make));
    }
  }
  void Run(std::chrono::microseconds time = std::chrono::seconds(30)) { loop.Advance(time); }
  Time Now() const { return loop.Now(); }
  // What becomes of a request of a controller, and what is answered instead of serving it: a status,
  // or 0 to serve it.
  std::function<net::Fate(const net::Request&)> fate = [](const net::Request&) {
    return net::Fate();
  };
  std::function<int(const net::Request&)> refuse = [](const net::Request&) { return 0; };
  // Method and target of what controllers asked for, without lists, watches and events.
  Lines TakeAsked() { return std::exchange(asked_, {}); }
  Lines TakeLog() { return std::exchange(log_, {}); }
  std::string Metrics() const { return processes_.front()->metrics.Print(); }

  // --- Users, who are always served.
  void Create(std::string_view collection, const std::string& body) {
    const net::Response answer = Ask("POST", std::string(collection), body);
    QUADRA_CHECK(answer.status == 201, answer.body->c_str());
  }
  // A merge patch.
  void Patch(const std::string& path, const std::string& body) {
    const net::Response answer = Ask("PATCH", path, body);
    QUADRA_CHECK(answer.status == 200, answer.body->c_str());
  }
  // At once, without grace.
  void Delete(const std::string& path) {
    Ask("DELETE", path, R"({"kind":"DeleteOptions","apiVersion":"v1","gracePeriodSeconds":0})");
  }
  // As kubectl does, with the object's own grace.
  void DeleteSlowly(const std::string& path) { Ask("DELETE", path, ""); }

  // What a JSONPath finds in the object or list, e.g. {.status.phase}; "" where it is not there.
  std::string Pick(std::string_view path, std::string_view what) {
    const net::Response answer = Ask("GET", std::string(path), "");
    const Result<json::Value> value = json::ParseValue(*answer.body);
    const Result<json::JsonPath> found = json::JsonPath::Parse(what);
    QUADRA_CHECK(value.has_value() && found.has_value(), "tests write good paths");
    return answer.status == 200 ? found->Print(*value).value_or("") : "";
  }
  // The names of all in the collection, each followed by a blank.
  std::string Names(std::string_view collection) {
    return Pick(collection, R"({range .items[*]}{.metadata.name} {end})");
  }
  std::string Uid(std::string_view path) { return Pick(path, "{.metadata.uid}"); }
  // Reason and message of each event, a line each.
  std::string Events() {
    return Pick(kEvents, "{range .items[*]}{.type} {.reason} {.message}\n{end}");
  }

  loop::ManualLoop loop{Time(std::chrono::hours(24 * 365 * 57))};

 private:
  struct Process {
    Process(TestCluster& cluster, MakeController make_controller)
        : make(std::move(make_controller)),
          client(net::Client::Simulated(cluster.network_)),
          api(*client, cluster.loop, {.random = &cluster.random_}),
          informers(api),
          work(metrics, cluster.loop),
          context{.api = api,
                  .informers = informers,
                  .gates = cluster.gates_,
                  .metrics = metrics,
                  .work = work,
                  .random = cluster.random_,
                  .log = [&cluster](std::string_view line) { cluster.log_.emplace_back(line); }},
          controller(make(context)) {
      informers.Start([this] { controller->Start(); });
    }
    ~Process() { controller.reset(); }
    Process(const Process&) = delete;
    Process& operator=(const Process&) = delete;

    const MakeController make;
    const std::unique_ptr<net::Client> client;
    client::Api api;
    client::Informers informers;
    metrics::Registry metrics;
    client::WorkMeters work;
    client::ControllerContext context;
    std::unique_ptr<client::Controller> controller;
  };

  static net::Peer Admin() {
    return {.address = "inside",
            .identity = net::Identity{"tests", {"system:masters"}},
            .distrust = ""};
  }

  net::Response Ask(const std::string& method, const std::string& target, const std::string& body) {
    net::Headers headers;
    headers.Add("content-type",
                method == "PATCH" ? "application/merge-patch+json" : "application/json");
    Result<net::Response> answer = inside_->Fetch(
        {.method = method, .target = target, .headers = std::move(headers), .body = body});
    QUADRA_CHECK(answer.has_value(), "a server in this process answers");
    server_.Settle();
    network_.Deliver();
    return *std::move(answer);
  }

  static bool IsOfNote(const net::Request& request) {
    return !IsBackground(request) &&
           (request.method != "GET" || request.target.find("/namespaces/") != std::string::npos);
  }

  void Serve(net::Request request, net::Exchange exchange) {
    if (const int code = refuse(request); code != 0) {
      return exchange.Answer(
          {.status = code,
           .headers = {{"content-type", "application/json"}},
           .body = net::Share(fmt::format(
               R"({{"kind":"Status","status":"Failure","code":{},"reason":"{}","message":"no"}})",
               code, code == 409 ? "Conflict" : "InternalError"))});
    }
    server_.handler()(std::move(request), std::move(exchange));
  }

  const api::FeatureGates gates_;
  SeededRandom random_{11};
  SeededRandom names_{12};  // the server's
  Lines asked_;
  Lines log_;
  apiserver::MemoryServer server_{{.clock = loop, .random = names_, .gates = gates_}};
  std::unique_ptr<net::Client> inside_ = net::Client::Inside(server_.handler(), Admin());
  net::SimulatedNetwork network_{
      {.handler = [this](
                      net::Request request,
                      net::Exchange exchange) { Serve(std::move(request), std::move(exchange)); },
       .peer = Admin(),
       .clock = loop,
       .after = [this](std::chrono::microseconds delay,
                       std::function<void()> work) { loop.PostAfter(delay, std::move(work)); },
       .fate =
           [this](const net::Request& request) {
             if (IsOfNote(request)) {
               asked_.push_back(request.method + " " + request.target);
             }
             return fate(request);
           },
       .settle = [this] { server_.Settle(); },
       .tamper = {}}};
  std::vector<MakeController> stopped_;
  std::vector<std::unique_ptr<Process>> processes_;
};

// --- What users write.

inline std::string TemplateJson(std::string_view name, std::string_view metadata = "{}") {
  return fmt::format(
      R"({{"metadata":{{"name":"{}"}},"spec":{{"metadata":{},"spec":{{"devices":{{"requests":[)"
      R"({{"name":"one","exactly":{{"deviceClassName":"gpu"}}}}]}}}}}}}})",
      name, metadata);
}

inline std::string ClaimJson(std::string_view name) {
  return fmt::format(R"({{"metadata":{{"name":"{}"}},"spec":{{"devices":{{"requests":[)"
                     R"({{"name":"one","exactly":{{"deviceClassName":"gpu"}}}}]}}}}}})",
                     name);
}

// An entry of spec.resourceClaims.
inline std::string FromTemplate(std::string_view name, std::string_view from) {
  return fmt::format(R"({{"name":"{}","resourceClaimTemplateName":"{}"}})", name, from);
}
inline std::string Given(std::string_view name, std::string_view claim) {
  return fmt::format(R"({{"name":"{}","resourceClaimName":"{}"}})", name, claim);
}

inline std::string PodJson(std::string_view name, std::string_view entries,
                           std::string_view node = "") {
  return fmt::format(
      R"({{"metadata":{{"name":"{}"}},"spec":{{"nodeName":"{}","resourceClaims":[{}],)"
      R"("containers":[{{"name":"c","image":"i"}}]}}}})",
      name, node, entries);
}

// A pod on a node that wants an extended resource.
inline std::string ExtendedPodJson(std::string_view name) {
  return fmt::format(
      R"({{"metadata":{{"name":"{}"}},"spec":{{"nodeName":"node","containers":[)"
      R"({{"name":"c","image":"i","resources":{{"requests":{{"example.com/gpu":"1"}},)"
      R"("limits":{{"example.com/gpu":"1"}}}}}}]}}}})",
      name);
}

// --- What the scheduler and kubelets write.

// Allocates `devices` of pool p of driver d to the claim, for these pods (name, uid).
inline void Allocate(TestCluster& cluster, const std::string& claim,
                     const std::vector<std::pair<std::string, std::string>>& pods,
                     std::string_view tolerations = "[]", std::string_view device = "gpu-0") {
  std::string consumers;
  for (const auto& [name, uid] : pods) {
    consumers += fmt::format(R"({}{{"resource":"pods","name":"{}","uid":"{}"}})",
                             consumers.empty() ? "" : ",", name, uid);
  }
  cluster.Patch(At(kClaims, claim),
                R"({"metadata":{"finalizers":["resource.kubernetes.io/delete-protection"]}})");
  cluster.Patch(
      At(kClaims, claim, "/status"),
      fmt::format(R"({{"status":{{"reservedFor":[{}],"allocation":{{"devices":{{"results":[)"
                  R"({{"request":"one","driver":"d.example.com","pool":"p","device":"{}",)"
                  R"("tolerations":{}}}]}}}}}}}})",
                  consumers, device, tolerations));
}

// What the scheduler does for a pod of ExtendedPodJson.
inline void AllocateExtended(TestCluster& cluster, const std::string& pod) {
  const std::string uid = cluster.Uid(At(kPods, pod));
  cluster.Create(
      kClaims,
      fmt::format(
          R"({{"metadata":{{"name":"extended","annotations":)"
          R"({{"resource.kubernetes.io/extended-resource-claim":"true"}},"ownerReferences":[)"
          R"({{"apiVersion":"v1","kind":"Pod","name":"{}","uid":"{}","controller":true}}]}},)"
          R"("spec":{{"devices":{{"requests":[)"
          R"({{"name":"one","exactly":{{"deviceClassName":"gpu"}}}}]}}}}}})",
          pod, uid));
  Allocate(cluster, "extended", {{pod, uid}});
  cluster.Patch(At(kPods, pod, "/status"),
                R"({"status":{"extendedResourceClaimStatus":{"resourceClaimName":"extended",
                   "requestMappings":[{"containerName":"c","resourceName":"example.com/gpu",
                                       "requestName":"one"}]}}})");
}

inline void SetPhase(TestCluster& cluster, const std::string& pod, std::string_view phase) {
  cluster.Patch(At(kPods, pod, "/status"), fmt::format(R"({{"status":{{"phase":"{}"}}}})", phase));
}

}  // namespace quadra::claims

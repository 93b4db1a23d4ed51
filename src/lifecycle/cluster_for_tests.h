// A cluster for tests of controllers: our API server in this process, and time that stands still
// until the test moves it on.
//
//   Cluster cluster;
//   cluster.Run(MakeServiceAccounts(cluster.context));
//   cluster.Make("/api/v1/namespaces", R"({"metadata":{"name":"team-a"}})");
//   EXPECT_TRUE(cluster.Until([&] { return cluster.Has("/api/v1/…/serviceaccounts/default"); }));
//   EXPECT_EQ(cluster.TakeWrites(), …);        // what the controllers wrote
//
// The server works on threads of its own; the controllers on the test's.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <unistd.h>

#include "apiserver/memory_server.h"
#include "base/check.h"
#include "base/mutex.h"
#include "base/random.h"
#include "client/role.h"
#include "json/value.h"
#include "loop/event_loop.h"
#include "net/client.h"

namespace quadra::lifecycle {

// Notes what controllers ask on the way to a server; they name themselves, tests do not.
class Recorder {
 public:
  explicit Recorder(net::Handler handler) : handler_(std::move(handler)) {}

  void Serve(net::Request request, net::Exchange exchange) {
    {
      MutexLock lock(mutex_);
      const bool counts = request.headers.Find("user-agent").has_value();
      requests_ += counts ? 1 : 0;
      if (counts && request.method != "GET") {
        writes_.push_back(request.method + " " +
                          request.target.substr(0, request.target.find('?')));
      }
    }
    handler_(std::move(request), std::move(exchange));
  }
  std::vector<std::string> TakeWrites() {
    MutexLock lock(mutex_);
    return std::exchange(writes_, {});
  }
  std::size_t requests() const {
    MutexLock lock(mutex_);
    return requests_;
  }

 private:
  const net::Handler handler_;
  mutable Mutex mutex_;
  std::vector<std::string> writes_ QUADRA_GUARDED_BY(mutex_);
  std::size_t requests_ QUADRA_GUARDED_BY(mutex_) = 0;
};

class Cluster {
 public:
  Cluster() {
    Make("/api/v1/namespaces/kube-public/events",
         R"({"metadata":{"name":"barrier"},"involvedObject":{"namespace":"kube-public"}})");
  }
  ~Cluster() { controllers_.clear(); }
  Cluster(const Cluster&) = delete;
  Cluster& operator=(const Cluster&) = delete;

  // Starts a controller as a role does: all informers first. Once, with all of them.
  void Run(std::unique_ptr<client::Controller> controller) {
    std::vector<std::unique_ptr<client::Controller>> all;
    all.push_back(std::move(controller));
    Run(std::move(all));
  }
  void Run(std::vector<std::unique_ptr<client::Controller>> controllers) {
    controllers_ = std::move(controllers);
    informers.Start([this] {
      for (const auto& controller : controllers_) {
        controller->Start();
      }
    });
  }

  // What somebody else does, and the answer; patches as "PATCH merge" and "PATCH strategic-merge".
  net::Response Ask(std::string method, std::string target, std::string body = "") {
    net::Headers headers;
    if (method.starts_with("PATCH ")) {
      headers.Add("content-type", "application/" + method.substr(6) + "-patch+json");
      method = "PATCH";
    } else if (!body.empty()) {
      headers.Add("content-type", "application/json");
    }
    Result<net::Response> answer = client_->Fetch({.method = std::move(method),
                                                   .target = std::move(target),
                                                   .headers = std::move(headers),
                                                   .body = std::move(body)});
    QUADRA_CHECK(answer.has_value(), "a server in this process answers");
    return *std::move(answer);
  }
  // Its uid. REQUIRES: the server takes it.
  std::string Make(const std::string& collection, std::string body) {
    const net::Response made = Ask("POST", collection, std::move(body));
    QUADRA_CHECK(made.status == 201, "tests make good objects");
    return ReadTree(made).Get("metadata").Get("uid").string();
  }
  bool Has(const std::string& path) { return Ask("GET", path).status == 200; }
  json::Value Read(const std::string& path) { return ReadTree(Ask("GET", path)); }
  std::size_t Count(const std::string& collection) {
    return Read(collection).Get("items").items().size();
  }

  // Lets everybody work until `done`, moving time on where there is nothing to do now. Whether it
  // came to that; only a test that fails waits long.
  bool Until(const std::function<bool()>& done) {
    const auto patience = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    while (std::chrono::steady_clock::now() < patience) {
      if (Work(done)) {
        return true;
      }
      // Nothing is due where the server is still at it, e.g. with a large collection.
      if (loop.Next() != Time::max()) {
        loop.Advance(std::max(loop.Next() - loop.Now(), std::chrono::microseconds(0)));
      }
    }
    return false;
  }
  // Until nobody has anything to do now.
  void Settle() {
    Work([] { return false; });
  }
  // Lets this time pass, settling whenever something is due.
  void Advance(std::chrono::microseconds by) {
    const Time end = loop.Now() + by;
    for (Settle(); loop.Next() <= end; Settle()) {
      loop.Advance(loop.Next() - loop.Now());
    }
    loop.Advance(end - loop.Now());
    Settle();
  }
  bool idle() const {
    return informers.synced() && std::ranges::all_of(controllers_, [](const auto& controller) {
             return controller->idle();
           });
  }
  // Until all controllers have started and have nothing to do.
  bool UntilIdle() {
    return Until([this] { return idle(); });
  }

  // What controllers have asked to be changed since the last call: method and path.
  std::vector<std::string> TakeWrites() { return recorder_.TakeWrites(); }
  std::size_t requests() const { return recorder_.requests(); }
  // In the order in which they are printed, the metrics whose names begin so.
  std::vector<std::string> Metrics(std::string_view prefix) const {
    std::vector<std::string> found;
    std::istringstream lines(metrics_.Print());
    for (std::string line; std::getline(lines, line);) {
      if (line.starts_with(prefix)) {
        found.push_back(line);
      }
    }
    return found;
  }
  std::vector<std::string> TakeLines() { return std::exchange(lines_, {}); }

 private:
  // Written by nobody else, and watched by nobody.
  static constexpr std::string_view kBarrier = "/api/v1/namespaces/kube-public/events/barrier";

  static json::Value ReadTree(const net::Response& answer) {
    Result<json::Value> tree = json::ParseValue(*answer.body);
    QUADRA_CHECK(tree.has_value(), "servers answer in JSON");
    return *std::move(tree);
  }
  static net::Peer Admin() {
    return {.address = "127.0.0.1:1",
            .identity = net::Identity{"admin", {"system:masters"}},
            .distrust = ""};
  }

  // True once `done`; false once nobody has anything to do now.
  bool Work(const std::function<bool()>& done) {
    do {
      if (done()) {
        return true;
      }
      AwaitServer();
    } while (loop.RunDue() > 0);
    return false;
  }
  // Returns when all that was asked is answered, and watches were told of it.
  void AwaitServer() {
    PassThrough();
    Ask("PATCH merge", std::string(kBarrier), R"({"count":)" + std::to_string(++barriers_) + "}");
    server_.Settle();
    PassThrough();
  }
  // All that was sent before is with the server, all that came before with the loop.
  void PassThrough() {
    QUADRA_CHECK(client_->Fetch({.method = "GET", .target = "/version"}).has_value(),
                 "a server in this process answers");
  }

 public:
  loop::ManualLoop loop{Time(std::chrono::hours(24 * 365 * 57))};

 private:
  SeededRandom server_random_{5};
  const api::FeatureGates gates_;
  apiserver::MemoryServer server_{{.clock = loop, .random = server_random_, .gates = gates_}};
  Recorder recorder_{server_.handler()};
  // Of all, so that the server is asked by one thread.
  const std::unique_ptr<net::Client> client_ = net::Client::Inside(
      [this](net::Request request, net::Exchange exchange) {
        recorder_.Serve(std::move(request), std::move(exchange));
      },
      Admin());
  SeededRandom random_{7};
  metrics::Registry metrics_;
  client::WorkMeters work_{metrics_, loop};
  std::vector<std::string> lines_;
  int barriers_ = 0;

 public:
  client::Api api{*client_, loop, {.random = &random_}};
  client::Informers informers{api};
  client::ControllerContext context{
      .api = api,
      .informers = informers,
      .gates = gates_,
      .metrics = metrics_,
      .work = work_,
      .random = random_,
      .log = [this](std::string_view line) { lines_.emplace_back(line); }};

 private:
  std::vector<std::unique_ptr<client::Controller>> controllers_;
};

}  // namespace quadra::lifecycle

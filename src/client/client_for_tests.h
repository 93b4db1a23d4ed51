// What the tests of clients share: a server that answers as a script says, and an Api for it on a
// loop that runs when it is told to.
//
//   Scripted world([](const net::Request& request, net::Exchange exchange) {
//     exchange.Answer(Json(200, R"({"kind":"Status"})"));
//   });
//   world.Settle();                 // until nobody has anything to do now
//   EXPECT_EQ(world.asked(), …);    // method and target of every request
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/check.h"
#include "base/mutex.h"
#include "base/random.h"
#include "client/api.h"
#include "loop/event_loop.h"
#include "net/client.h"

namespace quadra::client {

inline net::Response Json(int status, std::string body) {
  return {.status = status,
          .headers = {{"content-type", "application/json"}},
          .body = net::Share(std::move(body))};
}

inline std::string StatusJson(int code, std::string_view reason, std::string_view message) {
  return R"({"kind":"Status","apiVersion":"v1","status":"Failure","code":)" + std::to_string(code) +
         R"(,"reason":")" + std::string(reason) + R"(","message":")" + std::string(message) +
         R"("})";
}

class Scripted {
 public:
  using Script = std::function<void(const net::Request& request, net::Exchange exchange)>;

  explicit Scripted(Script script, ApiOptions options = {})
      : loop(Time(std::chrono::hours(24 * 365 * 50))),
        client_(net::Client::Inside(
            [this](const net::Request& request, net::Exchange exchange) {
              Serve(request, std::move(exchange));
            },
            {})),
        script_(std::move(script)),
        random_(7),
        api(*client_, loop, WithRandom(std::move(options))) {}

  // Runs what is due until all requests are answered that the script answers at once.
  void Settle() {
    do {
      static_cast<void>(client_->Fetch({.method = "GET", .target = "/barrier"}));
    } while (loop.RunDue() > 0);
  }
  // Moves time on; settles at every moment that something is due.
  void Advance(std::chrono::microseconds by) {
    const Time end = loop.Now() + by;
    for (Settle(); loop.Next() <= end; Settle()) {
      loop.Advance(loop.Next() - loop.Now());
    }
    loop.Advance(end - loop.Now());
  }
  // Runs a task to its end.
  template <typename T>
  T Run(loop::Task<T> task) {
    std::optional<T> result;
    loop::TaskGroup group;
    group.Start(Into(std::move(task), result));
    for (Settle(); !result.has_value() && loop.RunNext();) {
      Settle();
    }
    QUADRA_CHECK(result.has_value(), "nothing waits for what never comes");
    return *std::move(result);
  }

  std::vector<std::string> asked() const {
    MutexLock lock(mutex_);
    return asked_;
  }

 private:
  template <typename T>
  static loop::Task<void> Into(loop::Task<T> task, std::optional<T>& result) {
    result.emplace(co_await task);
  }

  ApiOptions WithRandom(ApiOptions options) {
    options.random = &random_;
    return options;
  }

  void Serve(const net::Request& request, net::Exchange exchange) {
    if (request.target == "/barrier") {
      return exchange.Answer(Json(200, "{}"));
    }
    {
      MutexLock lock(mutex_);
      asked_.push_back(request.method + " " + request.target);
    }
    script_(request, std::move(exchange));
  }

 public:
  loop::ManualLoop loop;

 private:
  mutable Mutex mutex_;
  std::vector<std::string> asked_ QUADRA_GUARDED_BY(mutex_);
  const std::unique_ptr<net::Client> client_;
  const Script script_;
  SeededRandom random_;

 public:
  Api api;
};

}  // namespace quadra::client

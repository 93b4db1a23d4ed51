// quadra_informers FOLDER CLAIMS: what a copy of a collection costs who keeps it, beside a server in
// the same process.
//
// Prints two JSON lines: how long it takes to copy so many claims of 2 KB; and what one event of such
// a collection costs the loop that keeps the copy, told while others write as fast as they can.
// FOLDER is where the server keeps its files.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <functional>
#include <future>
#include <iostream>
#include <memory>
#include <string>

#include <fmt/format.h>

#include "apiserver/server.h"
#include "base/mutex.h"
#include "client/api.h"
#include "client/role.h"
#include "loop/event_loop.h"
#include "net/client.h"

namespace quadra::bench {
namespace {

using SteadyClock = std::chrono::steady_clock;

constexpr std::size_t kUnderWay = 256;  // requests at once
constexpr std::size_t kEvents = 20'000;
constexpr std::string_view kClaims = "/apis/resource.k8s.io/v1/namespaces/default/resourceclaims";

double SecondsSince(SteadyClock::time_point start) {
  return std::chrono::duration<double>(SteadyClock::now() - start).count();
}

double ThreadSeconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

template <typename T>
T OrExit(Result<T> result) {
  if (!result) {
    std::cerr << result.error().ToString() << '\n';
    std::exit(1);  // NOLINT(concurrency-mt-unsafe): nothing is kept that could be lost
  }
  return *std::move(result);
}

// Eight requests with a selector each: 2 KB.
std::string ClaimText(std::size_t number) {
  std::string requests;
  for (int request = 0; request < 8; ++request) {
    requests += fmt::format(
        R"({}{{"name":"request-{}","exactly":{{"deviceClassName":"gpu.example.com","allocationMode":)"
        R"("ExactCount","count":1,"selectors":[{{"cel":{{"expression":"device.attributes[)"
        R"('gpu.example.com'].model == 'model-{}' && device.capacity['gpu.example.com'].memory)"
        R"(.compareTo(quantity('40Gi')) >= 0"}}}}]}}}})",
        request == 0 ? "" : ",", request, number % 100);
  }
  return fmt::format(
      R"({{"metadata":{{"name":"claim-{:06}"}},"spec":{{"devices":{{"requests":[{}]}}}}}})", number,
      requests);
}

// Sends so many requests, some at once; ends the program where one is refused.
void SendAll(net::Client& client, std::size_t count,
             const std::function<net::Request(std::size_t)>& request) {
  Mutex mutex;
  std::size_t next = 0;
  std::size_t left = count;
  std::promise<void> done;
  std::function<void()> send = [&] {
    std::size_t mine = 0;
    {
      MutexLock lock(mutex);
      mine = next++;
    }
    if (mine >= count) {
      return;
    }
    client.Start(request(mine), {.head =
                                     [](int status, const net::Headers&) {
                                       if (status >= 300) {
                                         std::cerr << "the server refuses with " << status << '\n';
                                         std::_Exit(1);
                                       }
                                     },
                                 .data = [](std::string_view) {},
                                 .end =
                                     [&](const Status&) {
                                       bool last = false;
                                       {
                                         MutexLock lock(mutex);
                                         last = --left == 0;
                                       }
                                       last ? done.set_value() : send();
                                     }});
  };
  for (std::size_t started = 0; started < std::min(kUnderWay, count); ++started) {
    send();
  }
  done.get_future().wait();
}

net::Request Create(std::size_t number) {
  return {.method = "POST",
          .target = std::string(kClaims),
          .headers = {{"content-type", "application/json"}},
          .body = ClaimText(number)};
}

net::Request Label(std::size_t number, std::size_t claims) {
  return {.method = "PATCH",
          .target = fmt::format("{}/claim-{:06}", kClaims, number % claims),
          .headers = {{"content-type", "application/merge-patch+json"}},
          .body = fmt::format(R"({{"metadata":{{"labels":{{"round":"r{}"}}}}}})", number)};
}

std::unique_ptr<net::Client> Inside(apiserver::ApiServer& server) {
  return net::Client::Inside(server.handler(),
                             {.address = "inside",
                              .identity = net::Identity{"bench", {"system:masters"}},
                              .distrust = ""});
}

// A copy of the claims on a loop of its own.
class Copy {
 public:
  explicit Copy(apiserver::ApiServer& server)
      : client_(Inside(server)),
        api_(*client_, loop_),
        claims_(api_, {.resource = client::ResourceOf<api::ResourceClaim>()}) {
    claims_.OnSynced([this] { synced_.set_value(); });
    claims_.OnChange({.updated = [this](const api::ResourceClaim&, const api::ResourceClaim&) {
      if (++events_ == kEvents) {
        told_.set_value();
      }
    }});
  }
  ~Copy() { loop_.Stop(); }
  Copy(const Copy&) = delete;
  Copy& operator=(const Copy&) = delete;

  void Sync() {
    loop_.Post([this] { claims_.Start(); });
    synced_.get_future().wait();
  }
  void AwaitEvents() { told_.get_future().wait(); }
  // CPU time of the loop so far.
  double Seconds() {
    double seconds = 0;
    loop_.Run([&] { seconds = ThreadSeconds(); });
    return seconds;
  }
  std::size_t size() const { return claims_.size(); }

 private:
  const std::unique_ptr<net::Client> client_;
  loop::ThreadLoop loop_;
  client::Api api_;
  client::Informer<api::ResourceClaim> claims_;
  std::size_t events_ = 0;
  std::promise<void> synced_;
  std::promise<void> told_;
};

void MeasureSync(Copy& copy) {
  const auto start = SteadyClock::now();
  copy.Sync();
  fmt::print(R"({{"claims":{},"bytes":{},"sync_s":{:.2f}}})"
             "\n",
             copy.size(), ClaimText(0).size(), SecondsSince(start));
}

void MeasureEvents(Copy& copy, net::Client& writer, std::size_t claims) {
  const double before = copy.Seconds();
  const auto start = SteadyClock::now();
  SendAll(writer, kEvents, [&](std::size_t number) { return Label(number, claims); });
  copy.AwaitEvents();
  fmt::print(R"({{"events":{},"event_us":{:.2f},"per_s":{:.0f}}})"
             "\n",
             kEvents, (copy.Seconds() - before) / kEvents * 1e6, kEvents / SecondsSince(start));
}

void Run(const std::filesystem::path& folder, std::size_t claims) {
  const auto server =
      OrExit(apiserver::ApiServer::Start({.directory = folder, .port = std::uint16_t{0}}));
  const std::unique_ptr<net::Client> writer = Inside(*server);
  SendAll(*writer, claims, Create);
  Copy copy(*server);
  MeasureSync(copy);
  MeasureEvents(copy, *writer, claims);
}

}  // namespace
}  // namespace quadra::bench

int main(int argc, char** argv) {
  if (argc != 3) {
    std::cerr << "usage: quadra_informers FOLDER CLAIMS\n";
    return 2;
  }
  const std::filesystem::path folder = std::filesystem::path(argv[1]) / "informers";
  std::filesystem::remove_all(folder);
  quadra::bench::Run(folder, std::strtoul(argv[2], nullptr, 10));
  std::filesystem::remove_all(folder);
  return 0;
}

// quadra_traffic: what HTTP costs, ours alone: server and clients in one process over TLS on
// loopback.
//
// Prints one JSON line a row: items, the process's CPU time an item, of it the clients' own, and
// items a second. Small and 20 KB answers by both protocols, then streams as watches use them: each
// event is written to all of them.
#include <atomic>
#include <ctime>
#include <future>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "base/clock.h"
#include "net/client.h"
#include "net/server.h"

namespace quadra::bench {
namespace {

using net::Bytes;
using net::Client;
using net::Exchange;
using net::Protocols;

double SecondsOf(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

void Print(const std::string& name, double items, double cpu, double client_cpu, double wall) {
  fmt::print(R"({{"name":"{}","items":{:.0f},"cpu_us":{:.2f},"client_us":{:.2f},"per_s":{:.0f}}})"
             "\n",
             name, items, cpu / items * 1e6, client_cpu / items * 1e6, items / wall);
}

struct House {
  net::Credential authority = *net::MakeAuthority("bench", SystemClock().Now());
  std::unique_ptr<net::Server> server;

  explicit House(net::Handler handler, std::uint32_t streams) {
    net::ServerOptions options;
    options.credential = *net::IssueServer(
        authority, {.common_name = "bench", .ips = {"127.0.0.1"}}, SystemClock().Now());
    options.threads = 1;
    options.limits.streams_per_connection = streams;
    server = *net::Server::Start(std::move(options), std::move(handler));
  }

  std::unique_ptr<Client> Connect(Protocols protocols, std::size_t connections) const {
    return *Client::Make({.port = server->port(),
                          .authorities = authority.certificate,
                          .protocols = protocols,
                          .connections = connections});
  }
};

// Keeps so many requests running until all were answered.
class Load {
 public:
  Load(Client& client, int total, int at_once) : client_(client), left_(total), open_(at_once) {
    for (int i = 0; i < at_once; ++i) {
      Next();
    }
  }

  // CPU seconds of the client's thread.
  double Wait() { return done_.get_future().get(); }

 private:
  void Next() {
    client_.Start({.method = "GET", .target = "/"}, {.head = [](int, const net::Headers&) {},
                                                     .data = [](std::string_view) {},
                                                     .end = [this](const Status&) { Ended(); }});
  }

  void Ended() {
    if (--left_ >= open_) {
      Next();
    } else if (left_ == 0) {
      done_.set_value(SecondsOf(CLOCK_THREAD_CPUTIME_ID));
    }
  }

  Client& client_;
  std::atomic<int> left_;
  const int open_;
  std::promise<double> done_;
};

void Requests(const std::string& name, Protocols protocols, std::size_t bytes, int at_once) {
  constexpr int kRequests = 100'000;
  const Bytes body = net::Share(std::string(bytes, 'x'));
  const House house(
      [&](const net::Request&, Exchange exchange) {
        exchange.Answer({.headers = {{"content-type", "application/json"}}, .body = body});
      },
      100);
  const auto client = house.Connect(protocols, protocols == Protocols::kHttp2 ? 1 : 32);
  const double cpu = SecondsOf(CLOCK_PROCESS_CPUTIME_ID);
  const double wall = SecondsOf(CLOCK_MONOTONIC);
  const double client_cpu = Load(*client, kRequests, at_once).Wait();
  Print(name, kRequests, SecondsOf(CLOCK_PROCESS_CPUTIME_ID) - cpu, client_cpu,
        SecondsOf(CLOCK_MONOTONIC) - wall);
}

// Streams that all get the same events.
class Watches {
 public:
  Watches(int streams, Protocols protocols)
      : streams_(streams),
        house_([this](const net::Request&, Exchange exchange) { Begin(std::move(exchange)); }, 100),
        client_(house_.Connect(protocols, static_cast<std::size_t>(streams))) {
    for (int i = 0; i < streams_; ++i) {
      client_->Start({.method = "GET", .target = "/"},
                     {.head = [](int, const net::Headers&) {},
                      .data = [this](std::string_view piece) { Received(piece.size()); },
                      .end = [](const Status&) {}});
    }
    begun_.get_future().get();
  }

  // CPU seconds of the client's thread meanwhile.
  double Deliver(int events, std::size_t bytes) {
    const Bytes event = net::Share(std::string(bytes, 'e'));
    awaited_ = static_cast<std::size_t>(events) * bytes * static_cast<std::size_t>(streams_);
    for (int i = 0; i < events; ++i) {
      for (Exchange& exchange : open_) {
        exchange.Write(event);
      }
    }
    return received_.get_future().get();
  }

 private:
  void Begin(Exchange exchange) {
    const std::scoped_lock lock(mutex_);
    exchange.Begin(200, {});
    open_.push_back(std::move(exchange));
    if (open_.size() == static_cast<std::size_t>(streams_)) {
      begun_.set_value();
    }
  }

  // On the client's thread, which has spent some time on connecting before.
  void Received(std::size_t bytes) {
    if (spent_before_ == 0) {
      spent_before_ = SecondsOf(CLOCK_THREAD_CPUTIME_ID);
    }
    awaited_ -= bytes;
    if (awaited_ == 0) {
      received_.set_value(SecondsOf(CLOCK_THREAD_CPUTIME_ID) - spent_before_);
    }
  }

  const int streams_;
  std::mutex mutex_;
  std::vector<Exchange> open_;
  std::promise<void> begun_;
  std::promise<double> received_;
  std::atomic<std::size_t> awaited_ = 0;
  double spent_before_ = 0;
  House house_;
  std::unique_ptr<Client> client_;
};

void FanOut(const std::string& name, Protocols protocols, int streams, std::size_t bytes) {
  constexpr int kEvents = 200;
  Watches watches(streams, protocols);
  const double cpu = SecondsOf(CLOCK_PROCESS_CPUTIME_ID);
  const double wall = SecondsOf(CLOCK_MONOTONIC);
  const double client_cpu = watches.Deliver(kEvents, bytes);
  Print(name, static_cast<double>(kEvents) * streams, SecondsOf(CLOCK_PROCESS_CPUTIME_ID) - cpu,
        client_cpu, SecondsOf(CLOCK_MONOTONIC) - wall);
}

}  // namespace
}  // namespace quadra::bench

int main() {
  using quadra::net::Protocols;
  quadra::bench::Requests("small answers, h2", Protocols::kHttp2, 2, 100);
  quadra::bench::Requests("small answers, HTTP/1.1", Protocols::kHttp1, 2, 32);
  quadra::bench::Requests("small answers, h2, one at a time", Protocols::kHttp2, 2, 1);
  quadra::bench::Requests("answers of 20 KB, h2", Protocols::kHttp2, 20'000, 100);
  quadra::bench::Requests("answers of 20 KB, HTTP/1.1", Protocols::kHttp1, 20'000, 32);
  quadra::bench::FanOut("events of 1 KB to 1,000 streams, h2", Protocols::kHttp2, 1000, 1000);
  quadra::bench::FanOut("events of 1 KB to 500 streams, HTTP/1.1", Protocols::kHttp1, 500, 1000);
  return 0;
}

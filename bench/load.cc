#include "load.h"

#include <algorithm>
#include <atomic>
#include <ctime>
#include <fstream>
#include <future>
#include <iterator>
#include <optional>
#include <utility>

#include <fmt/format.h>

namespace quadra::bench {
namespace {

double SecondsOf(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

// User and system time of all its threads, those that have ended too; 0 where there is none.
double ProcessSeconds(int process) {
  clockid_t clock = 0;
  return clock_getcpuclockid(process, &clock) == 0 ? SecondsOf(clock) : 0;
}

struct Shared {
  const MakeRequest& make;
  int expected;
  std::atomic<std::uint64_t> next = 0;
  double end_s = 0;
};

// One client. All members but the constructor and Wait() run on its connection's thread.
class Asker {
 public:
  Asker(std::unique_ptr<net::Client> client, Shared& shared)
      : client_(std::move(client)), shared_(shared) {}

  // Connects, so that what follows is requests alone.
  Status WarmUp() {
    std::promise<Status> done;
    client_->Start({.method = "GET", .target = "/version"},
                   {.head = [](int, const net::Headers&) {},
                    .data = [](std::string_view) {},
                    .end =
                        [&](const Status& how) {
                          client_s_ = -ThreadSeconds();
                          done.set_value(how);
                        }});
    return done.get_future().get();
  }

  void Next() {
    start_s_ = WallSeconds();
    client_->Start(shared_.make(shared_.next++),
                   {.head = [this](int status, const net::Headers&) { status_ = status; },
                    .data = [](std::string_view) {},
                    .end = [this](const Status& how) { Ended(how); }});
  }

  // The waits in us, or why it stopped.
  Result<std::vector<double>> Wait() { return done_.get_future().get(); }
  double client_s() const { return client_s_; }

 private:
  void Ended(const Status& how) {
    const double now = WallSeconds();
    waits_us_.push_back((now - start_s_) * 1e6);
    if (!how) {
      return done_.set_value(Fail(how.error()));
    }
    if (status_ != shared_.expected) {
      return done_.set_value(Fail(Error{.message = fmt::format("answered {}", status_)}));
    }
    if (now < shared_.end_s) {
      return Next();
    }
    client_s_ += ThreadSeconds();
    done_.set_value(std::move(waits_us_));
  }

  std::unique_ptr<net::Client> client_;
  Shared& shared_;
  double start_s_ = 0;
  double client_s_ = 0;
  int status_ = 0;
  std::vector<double> waits_us_;
  std::promise<Result<std::vector<double>>> done_;
};

Result<std::vector<std::unique_ptr<Asker>>> ConnectAll(const Place& place, std::size_t clients,
                                                       Shared& shared) {
  std::vector<std::unique_ptr<Asker>> askers;
  for (std::size_t i = 0; i < clients; ++i) {
    QUADRA_TRY(auto client, place.Connect(1));
    askers.push_back(std::make_unique<Asker>(std::move(client), shared));
    QUADRA_RETURN_IF_ERROR(askers.back()->WarmUp());
  }
  return askers;
}

// Waits for all of them, even where one failed: the others still run.
Status Collect(const std::vector<std::unique_ptr<Asker>>& askers, Outcome& outcome) {
  Status how;
  for (const auto& asker : askers) {
    Result<std::vector<double>> waits = asker->Wait();
    if (!waits) {
      how = Fail(waits.error());
      continue;
    }
    outcome.waits_us.insert(outcome.waits_us.end(), waits->begin(), waits->end());
    outcome.client_s += asker->client_s();
  }
  std::ranges::sort(outcome.waits_us);
  return how;
}

}  // namespace

double ThreadSeconds() { return SecondsOf(CLOCK_THREAD_CPUTIME_ID); }
double WallSeconds() { return SecondsOf(CLOCK_MONOTONIC); }

Result<std::string> ReadWhole(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) {
    return Fail(Error{.message = "cannot read " + file.string()});
  }
  return std::string(std::istreambuf_iterator<char>(in), {});
}

Result<std::unique_ptr<net::Client>> Place::Connect(std::size_t connections) const {
  QUADRA_TRY(const std::string authorities, ReadWhole(credentials / "ca.crt"));
  QUADRA_TRY(const std::string certificate, ReadWhole(credentials / "admin.crt"));
  QUADRA_TRY(const std::string key, ReadWhole(credentials / "admin.key"));
  return net::Client::Make({.port = port,
                            .authorities = authorities,
                            .credential = net::Credential{.certificate = certificate, .key = key},
                            .protocols = net::Protocols::kHttp2,
                            .connections = connections});
}

double Place::ServerSeconds() const {
  double seconds = 0;
  for (const int process : processes) {
    seconds += ProcessSeconds(process);
  }
  return seconds;
}

std::string Outcome::ToJson(const std::string& name) const {
  const auto count = static_cast<double>(waits_us.size());
  return fmt::format(
      R"({{"name":"{}","items":{},"per_s":{:.1f},"p50_us":{:.0f},"p99_us":{:.0f},"client_us":{:.1f},"server_us":{:.1f}}})",
      name, waits_us.size(), count / wall_s, waits_us[waits_us.size() / 2],
      waits_us[waits_us.size() * 99 / 100], client_s / count * 1e6, server_s / count * 1e6);
}

Result<Outcome> AskUntil(const Place& place, std::size_t clients, std::chrono::milliseconds time,
                         int expected, const MakeRequest& make) {
  Shared shared{.make = make, .expected = expected};
  QUADRA_TRY(const auto askers, ConnectAll(place, clients, shared));
  Outcome outcome;
  outcome.server_s = -place.ServerSeconds();
  outcome.wall_s = -WallSeconds();
  shared.end_s = WallSeconds() + std::chrono::duration<double>(time).count();
  for (const auto& asker : askers) {
    asker->Next();
  }
  QUADRA_RETURN_IF_ERROR(Collect(askers, outcome));
  outcome.wall_s += WallSeconds();
  outcome.server_s += place.ServerSeconds();
  return outcome;
}

}  // namespace quadra::bench

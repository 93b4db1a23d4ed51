// quadra_store_cost FOLDER OBJECTS: what durable creates of 1 KB cost in a store that holds so many
// objects already.
//
// Prints one JSON line for 1, 16 and 64 clients, each of which waits for its answer before it
// writes again: writes a second, median and 99th percentile of the wait, CPU time a write (that of
// clients included). Then one line with what it takes to read all that from the disk again.
// FOLDER must lie on the disk that is to be measured.
#include "store/store.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <iostream>
#include <latch>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include <fmt/format.h>

#include "store/sqlite_log.h"

namespace quadra::bench {
namespace {

using SteadyClock = std::chrono::steady_clock;
using store::Store;

constexpr std::chrono::seconds kPerRow(3);
constexpr std::size_t kLoadedAtOnce = 10'000;

class NoFacts final : public store::Extractor {
 public:
  std::shared_ptr<const store::Facts> Extract(std::string_view /*key*/,
                                              std::string_view /*bytes*/) const override {
    return nothing_;
  }

 private:
  std::shared_ptr<const store::Facts> nothing_ = std::make_shared<const store::Facts>();
};

double CpuSeconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

double SecondsSince(SteadyClock::time_point start) {
  return std::chrono::duration<double>(SteadyClock::now() - start).count();
}

store::Write Create(std::string key) {
  return {.key = std::move(key),
          .precondition = store::Precondition::Absent(),
          .draft = {.bytes = std::string(1024, 'x'), .revision_at = 512}};
}

template <typename T>
T OrExit(Result<T> result) {
  if (!result) {
    std::cerr << result.error().ToString() << '\n';
    std::exit(1);  // NOLINT(concurrency-mt-unsafe): no threads yet, or none that matter
  }
  return *std::move(result);
}

std::unique_ptr<Store> OpenStore(const std::filesystem::path& file) {
  static const NoFacts extractor;
  static const SystemClock clock;
  return OrExit(Store::Open(OrExit(store::OpenSqliteLog(file, {})), extractor, clock));
}

void Fill(Store& store, std::size_t objects) {
  for (std::size_t at = 0; at < objects;) {
    const std::size_t end = std::min(objects, at + kLoadedAtOnce);
    std::latch left(static_cast<std::ptrdiff_t>(end - at));
    for (; at < end; ++at) {
      store.Submit(Create(fmt::format("configmaps/default/stored-{:09}", at * 7919 % objects)),
                   [&](const store::Outcome&) { left.count_down(); });
    }
    left.wait();
  }
}

// The waits of one client in microseconds.
std::vector<double> WriteUntil(Store& store, std::string name, SteadyClock::time_point end) {
  std::vector<double> waits;
  for (auto start = SteadyClock::now(); start < end; start = SteadyClock::now()) {
    store.Commit(Create(fmt::format("configmaps/{}-{}", name, waits.size())));
    waits.push_back(SecondsSince(start) * 1e6);
  }
  return waits;
}

void MeasureClients(Store& store, std::size_t clients) {
  std::vector<std::vector<double>> waits(clients);
  const double cpu = CpuSeconds();
  const auto start = SteadyClock::now();
  {
    std::vector<std::jthread> threads;
    threads.reserve(clients);
    for (std::size_t client = 0; client < clients; ++client) {
      threads.emplace_back([&, client] {
        waits[client] = WriteUntil(store, fmt::format("{}/{}", clients, client), start + kPerRow);
      });
    }
  }
  std::vector<double> all;
  for (const std::vector<double>& some : waits) {
    all.insert(all.end(), some.begin(), some.end());
  }
  std::ranges::sort(all);
  const auto count = static_cast<double>(all.size());
  fmt::print(
      R"({{"clients":{},"writes_per_s":{:.0f},"p50_us":{:.0f},"p99_us":{:.0f},"cpu_us":{:.1f}}})"
      "\n",
      clients, count / SecondsSince(start), all[all.size() / 2], all[all.size() * 99 / 100],
      (CpuSeconds() - cpu) / count * 1e6);
}

void Run(const std::filesystem::path& file, std::size_t objects) {
  std::unique_ptr<Store> store = OpenStore(file);
  Fill(*store, objects);
  for (const std::size_t clients : {1, 16, 64}) {
    MeasureClients(*store, clients);
  }
  const std::size_t size = store->Head().size();
  store.reset();
  const auto start = SteadyClock::now();
  store = OpenStore(file);
  fmt::print(R"({{"objects":{},"open_s":{:.2f}}})"
             "\n",
             size, SecondsSince(start));
}

}  // namespace
}  // namespace quadra::bench

int main(int argc, char** argv) {
  if (argc != 3) {
    std::cerr << "usage: quadra_store_cost FOLDER OBJECTS\n";
    return 2;
  }
  const std::filesystem::path file = std::filesystem::path(argv[1]) / "bench.db";
  quadra::bench::Run(file, std::strtoul(argv[2], nullptr, 10));
  for (const char* suffix : {"", "-wal", "-shm", ".lock"}) {
    std::filesystem::remove(file.string() + suffix);
  }
  return 0;
}

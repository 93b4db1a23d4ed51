// The power is cut at random moments of a run; what a machine then finds must hold everything that
// anybody was told, and nothing by halves.
//
//   QUADRA_CRASH_POINTS=1000 store_test --gtest_filter='Crash*'
#include <atomic>
#include <map>
#include <thread>

#include <gtest/gtest.h>

#include "base/mutex.h"
#include "store/desk_for_tests.h"
#include "store/forgetful_disk_for_tests.h"
#include "store/sqlite.h"
#include "store/sqlite_log.h"

namespace quadra::store {
namespace {

constexpr int kClients = 4;
constexpr int kWritesOfClient = 25;
constexpr int kKeys = 12;
constexpr int kCutsOfRun = 10;

// What somebody who looked at the moment of the cut had been told.
struct Told {
  Revision answered = 0;
  Revision published = 0;
};

struct PowerCut {
  FilesOnDisk files;
  Told told;
};

// A mutant: says that it kept what it will keep the next time.
class EagerLog final : public Log {
 public:
  explicit EagerLog(std::unique_ptr<Log> log) : log_(std::move(log)) {}
  ~EagerLog() override { Flush(); }

  Revision Compacted() const override { return log_->Compacted(); }
  Status Replay(const std::function<Status(const LogEntry&)>& visit) override {
    return log_->Replay(visit);
  }
  Status Append(std::span<const LogEntry> entries) override {
    Flush();
    for (const LogEntry& entry : entries) {
      texts_.emplace_back(entry.key);
      texts_.emplace_back(entry.bytes);
      late_.push_back(entry);
    }
    return {};
  }
  Status Compact(Revision through) override {
    Flush();
    return log_->Compact(through);
  }
  Status CopyTo(const std::filesystem::path& file) override { return log_->CopyTo(file); }

 private:
  void Flush() {
    for (std::size_t at = 0; at < late_.size(); ++at) {
      late_[at].key = texts_[2 * at];
      late_[at].bytes = texts_[2 * at + 1];
    }
    EXPECT_TRUE(log_->Append(late_));
    late_.clear();
    texts_.clear();
  }

  std::unique_ptr<Log> log_;
  std::vector<LogEntry> late_;
  std::vector<std::string> texts_;
};

enum class Mutant { kNone, kNoSync, kPublishesFirst };

// Clients write, each waiting for its answers; at random operations of the disk the power is cut
// for whoever looks, while the run goes on.
class Run {
 public:
  Run(std::uint64_t seed, Mutant mutant) : random_(seed) {
    disk_.OnOperation([this] { MaybeCut(); });
    auto opened = OpenSqliteLog(folder_.path() / "store.db",
                                {.checkpoint_interval = std::chrono::milliseconds(1),
                                 .least_pages_ahead = 0,
                                 .sync = mutant != Mutant::kNoSync,
                                 .vfs = disk_.name()});
    EXPECT_TRUE(opened) << opened.error().ToString();
    std::unique_ptr<Log> log = *std::move(opened);
    if (mutant == Mutant::kPublishesFirst) {
      log = std::make_unique<EagerLog>(std::move(log));
    }
    const StoreOptions options{
        .retention = {.least_events = 10, .least_age = std::chrono::seconds(0)},
        .writer = {.housekeeping = std::chrono::milliseconds(1), .compaction_step = 5}};
    store_ = *Store::Open(std::move(log), extractor_, clock_, options);
    watch_ = *store_->Watch({.after = kFirstRevision, .most_waiting = 1'000'000});
    watch_->Take();
  }

  void Write() {
    const std::uint64_t seed = random_.Next();
    running_ = true;
    std::vector<std::jthread> clients;
    clients.reserve(kClients);
    for (std::uint64_t client = 0; client < kClients; ++client) {
      clients.emplace_back([this, seed, client] { WriteAsClient(seed + client); });
    }
    clients.clear();
    running_ = false;
  }

  const std::vector<PowerCut>& cuts() const { return cuts_; }

  // The lists after each revision.
  std::map<Revision, std::string> States() {
    std::map<Revision, std::string> states = {{kFirstRevision, ""}};
    Content content;
    Lineage lineage;
    for (const EventPtr& event : watch_->Take(1'000'000).events) {
      content.Apply(lineage.Next(), *event);
      states[event->revision()] = Say(Snapshot(event->revision(), content));
    }
    return states;
  }

 private:
  void WriteAsClient(std::uint64_t seed) {
    SeededRandom random(seed);
    for (int at = 0; at < kWritesOfClient; ++at) {
      const std::string key = "k" + std::to_string(random.Below(kKeys));
      const bool deletes = random.Below(4) == 0;
      const std::string text(random.Below(3) == 0 ? 6000 : 20, 'x');
      const Outcome outcome =
          store_->Commit({.action = deletes ? Write::Action::kDelete : Write::Action::kPut,
                          .key = key,
                          .draft = DraftOf(std::to_string(random.Next()) + text)});
      if (const auto* committed = std::get_if<Committed>(&outcome)) {
        Answered(committed->record->modified);
      }
    }
  }

  void Answered(Revision revision) {
    const MutexLock lock(mutex_);
    answered_ = std::max(answered_, revision);
  }

  void MaybeCut() {
    const MutexLock lock(mutex_);
    if (!running_ || cuts_.size() == kCutsOfRun || random_.Below(30) != 0) {
      return;
    }
    const Told told{.answered = answered_, .published = store_->Head().revision()};
    cuts_.push_back({.files = disk_.Cut(random_), .told = told});
  }

  TemporaryFolder folder_;
  ForgetfulDisk disk_;
  WordExtractor extractor_;
  SystemClock clock_;
  std::atomic<bool> running_{false};

  Mutex mutex_;
  SeededRandom random_;
  Revision answered_ = 0;
  std::vector<PowerCut> cuts_;

  std::unique_ptr<Store> store_;
  std::unique_ptr<Watch> watch_;
};

// What is wrong with what the machine finds; empty: nothing.
std::string Examine(const PowerCut& cut, const std::map<Revision, std::string>& states) {
  const TemporaryFolder folder;
  WriteFiles(cut.files, folder.path());
  auto log = OpenSqliteLog(folder.path() / "store.db", {.sync = false});
  if (!log) {
    return "not opened: " + log.error().ToString();
  }
  const WordExtractor extractor;
  const SystemClock clock;
  const auto store = Store::Open(*std::move(log), extractor, clock);
  if (!store) {
    return "not read: " + store.error().ToString();
  }
  const Snapshot head = (*store)->Head();
  if (head.revision() < cut.told.answered) {
    return "answered and lost";
  }
  if (head.revision() < cut.told.published) {
    return "published and lost";
  }
  const auto state = states.find(head.revision());
  return state != states.end() && state->second == Say(head) ? "" : "half there";
}

// Faults and how often each was found.
std::map<std::string, int> Crash(Mutant mutant, int points) {
  std::map<std::string, int> faults;
  int examined = 0;
  for (std::uint64_t seed = 1; examined < points; ++seed) {
    Run run(seed, mutant);
    run.Write();
    const auto states = run.States();
    for (const PowerCut& cut : run.cuts()) {
      ++examined;
      if (const std::string fault = Examine(cut, states); !fault.empty()) {
        ++faults[fault];
      }
    }
  }
  return faults;
}

TEST(Crash, LosesNothingThatAnybodyWasTold) {
  EXPECT_EQ(Crash(Mutant::kNone, SizeOf("QUADRA_CRASH_POINTS", 100)),
            (std::map<std::string, int>{}));
}

// The power is cut before every single operation of a first start on a file of format 0.
TEST(Crash, AMigrationHappensWhollyOrNotAtAll) {
  const TemporaryFolder original;
  {
    auto connection = *Connection::Open(original.path() / "store.db", {});
    ASSERT_TRUE(connection.Execute(
        "CREATE TABLE object(key TEXT PRIMARY KEY, revision INTEGER, value BLOB);"
        "INSERT INTO object VALUES('a', 7, 'rv=7:one'), ('b', 5, 'rv=5:two')"));
  }
  const std::string before = ReadFile(original.path() / "store.db");
  std::vector<FilesOnDisk> cuts;
  {
    const TemporaryFolder folder;
    WriteFiles({{"store.db", before}}, folder.path());
    SeededRandom random(1);
    ForgetfulDisk disk;
    disk.OnOperation([&] {
      for (int fate = 0; fate < 3; ++fate) {
        cuts.push_back(disk.Cut(random));
      }
    });
    ASSERT_TRUE(OpenSqliteLog(folder.path() / "store.db", {.vfs = disk.name()}));
  }
  EXPECT_GT(cuts.size(), 30U);
  const std::map<Revision, std::string> states = {{7, "a@7=one b@5=two"}};
  for (const FilesOnDisk& files : cuts) {
    EXPECT_EQ(Examine({.files = files, .told = {}}, states), "");
  }
}

TEST(Crash, ThisTestNoticesALogThatDoesNotSync) {
  EXPECT_GT(Crash(Mutant::kNoSync, 50)["answered and lost"], 0);
}

TEST(Crash, ThisTestNoticesAStoreThatPublishesFirst) {
  const auto faults = Crash(Mutant::kPublishesFirst, 50);
  EXPECT_GT(faults.size(), 0) << "it is answered right behind, so either fault may be seen";
}

}  // namespace
}  // namespace quadra::store

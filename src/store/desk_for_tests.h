// Desk: a store under test with a clock, a medium that survives restarts, and short verbs.
//
//   Desk desk("memory");
//   desk.Put("pods/a", "red #hot");          // "committed 2"
//   desk.List("pods/");                      // "pods/a@2=red #hot"
//   desk.Restart();
//
// A record's bytes are "rv=", its revision, ":" and the text it was put with; its index terms are
// the words of the text that begin with '#'. The store keeps house only when told to (Maintain).
#pragma once

#include <atomic>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "store/log.h"
#include "store/store.h"

namespace quadra::store {

// How much of a random test to run: what the environment says, or else the default.
int SizeOf(const char* variable, int otherwise);

// Removed at the end, with all in it.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

// All of it; empty where there is none.
std::string ReadFile(const std::filesystem::path& path);

// Finds the words that begin with '#', and counts how often it was asked.
class WordExtractor final : public Extractor {
 public:
  std::shared_ptr<const Facts> Extract(std::string_view key, std::string_view bytes) const override;
  std::size_t calls() const { return calls_; }

 private:
  mutable std::atomic<std::size_t> calls_{0};
};

// Where logs lie: opened again, they are what they were.
class Medium {
 public:
  virtual ~Medium() = default;
  virtual std::unique_ptr<Log> Open() = 0;
};

// "memory" or "sqlite"; of the latter, in a temporary folder and without syncs.
std::unique_ptr<Medium> MakeMedium(std::string_view name);

Draft DraftOf(std::string_view text);
std::string TextOf(const Record& record);

// "pods/a@2=red", "+pods/a@2=red" (created), "~…" (updated), "-…" (deleted), the last two with
// " was @1=blue".
std::string Say(const Record& record);
std::string Say(const Event& event);
// "committed 2", "conflict with nothing", "conflict with pods/a@2=red",
// "#red is taken by pods/a@2=#red", "refused: …".
std::string Say(const Outcome& outcome);
std::string Say(const IfRetained<Snapshot>& snapshot, std::string_view prefix = "");

class Desk {
 public:
  explicit Desk(std::string_view medium, StoreOptions options = {});

  void Restart();
  Store& operator*() { return *store_; }
  Store* operator->() { return store_.get(); }
  ManualClock& clock() { return clock_; }
  const WordExtractor& extractor() const { return extractor_; }

  std::string Put(std::string_view key, std::string_view text,
                  Precondition precondition = Precondition::None());
  std::string PutAlone(std::string_view key, std::string_view text,
                       std::vector<std::string> sole_terms);
  std::string PutFor(std::chrono::seconds ttl, std::string_view key, std::string_view text);
  std::string Delete(std::string_view key, Precondition precondition = Precondition::None());

  // Records separated by blanks.
  std::string List(std::string_view prefix) const;
  // The terms' records, likewise.
  std::string ListTerm(std::string_view term, std::string_view prefix) const;

 private:
  std::unique_ptr<Medium> medium_;
  ManualClock clock_;
  WordExtractor extractor_;
  StoreOptions options_;
  std::unique_ptr<Store> store_;
};

// Everything that waits: events as Say has them; at the end "ended: …" where it ended.
std::vector<std::string> TakeAll(Watch& watch);

}  // namespace quadra::store

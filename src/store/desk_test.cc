#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>
#include <stdlib.h>

#include "store/desk_for_tests.h"
#include "store/memory_log.h"
#include "store/sqlite_log.h"

namespace quadra::store {
namespace {

class MemoryMedium final : public Medium {
 public:
  std::unique_ptr<Log> Open() override { return std::make_unique<MemoryLog>(disk_); }

 private:
  std::shared_ptr<MemoryDisk> disk_ = std::make_shared<MemoryDisk>();
};

class SqliteMedium final : public Medium {
 public:
  std::unique_ptr<Log> Open() override {
    auto log = OpenSqliteLog(folder_.path() / "store.db", {.sync = false});
    EXPECT_TRUE(log) << log.error().ToString();
    return *std::move(log);
  }

 private:
  TemporaryFolder folder_;
};

std::string ListOf(const std::vector<RecordPtr>& records) {
  std::string list;
  for (const RecordPtr& record : records) {
    list += (list.empty() ? "" : " ") + Say(*record);
  }
  return list;
}

auto CollectInto(std::vector<RecordPtr>& records) {
  return [&records](const RecordPtr& record) {
    records.push_back(record);
    return true;
  };
}

}  // namespace

int SizeOf(const char* variable, int otherwise) {
  const char* wanted = std::getenv(variable);  // NOLINT(concurrency-mt-unsafe)
  return wanted == nullptr ? otherwise : std::atoi(wanted);
}

TemporaryFolder::TemporaryFolder() {
  std::string pattern = (std::filesystem::temp_directory_path() / "quadra-store-XXXXXX").string();
  path_ = mkdtemp(pattern.data());
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

std::string ReadFile(const std::filesystem::path& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

std::shared_ptr<const Facts> WordExtractor::Extract(std::string_view /*key*/,
                                                    std::string_view bytes) const {
  ++calls_;
  std::vector<std::string> terms;
  for (std::size_t at = bytes.find('#'); at != std::string_view::npos; at = bytes.find('#', at)) {
    const std::size_t end = std::min(bytes.find(' ', at), bytes.size());
    terms.emplace_back(bytes.substr(at, end - at));
    at = end;
  }
  return std::make_shared<const Facts>(std::move(terms));
}

std::unique_ptr<Medium> MakeMedium(std::string_view name) {
  if (name == "memory") {
    return std::make_unique<MemoryMedium>();
  }
  return std::make_unique<SqliteMedium>();
}

Draft DraftOf(std::string_view text) {
  return {.bytes = "rv=:" + std::string(text), .revision_at = 3};
}

std::string TextOf(const Record& record) { return record.bytes.substr(record.bytes.find(':') + 1); }

std::string Say(const Record& record) {
  EXPECT_EQ(record.bytes, Stamp(DraftOf(TextOf(record)), record.modified));
  return record.key.text() + "@" + std::to_string(record.modified) + "=" + TextOf(record);
}

std::string Say(const Event& event) {
  std::string said(1, "+~-"[static_cast<int>(event.type)]);
  said += Say(*event.record);
  if (event.previous != nullptr) {
    said += " was @" + std::to_string(event.previous->modified) + "=" + TextOf(*event.previous);
  }
  return said;
}

std::string Say(const Outcome& outcome) {
  if (const auto* committed = std::get_if<Committed>(&outcome)) {
    return "committed " + std::to_string(committed->record->modified);
  }
  if (const auto* conflict = std::get_if<Conflict>(&outcome)) {
    return "conflict with " +
           (conflict->standing == nullptr ? "nothing" : Say(*conflict->standing));
  }
  if (const auto* taken = std::get_if<Taken>(&outcome)) {
    return taken->term + " is taken by " + Say(*taken->holder);
  }
  return "refused: " + std::get<Refused>(outcome).error.message;
}

std::string Say(const IfRetained<Snapshot>& snapshot, std::string_view prefix) {
  if (!snapshot) {
    return snapshot.error().expired() ? "expired" : "not yet";
  }
  std::vector<RecordPtr> records;
  snapshot->Scan(prefix, "", CollectInto(records));
  return ListOf(records);
}

Desk::Desk(std::string_view medium, StoreOptions options)
    : medium_(MakeMedium(medium)), clock_(Time{}), options_(std::move(options)) {
  options_.writer.housekeeping.reset();
  Restart();
}

void Desk::Restart() {
  store_.reset();
  auto store = Store::Open(medium_->Open(), extractor_, clock_, options_);
  ASSERT_TRUE(store) << store.error().ToString();
  store_ = *std::move(store);
}

std::string Desk::Put(std::string_view key, std::string_view text, Precondition precondition) {
  return Say(store_->Commit(
      {.key = std::string(key), .precondition = precondition, .draft = DraftOf(text)}));
}

std::string Desk::PutAlone(std::string_view key, std::string_view text,
                           std::vector<std::string> sole_terms) {
  return Say(store_->Commit(
      {.key = std::string(key), .draft = DraftOf(text), .sole_terms = std::move(sole_terms)}));
}

std::string Desk::PutFor(std::chrono::seconds ttl, std::string_view key, std::string_view text) {
  return Say(store_->Commit({.key = std::string(key), .draft = DraftOf(text), .ttl = ttl}));
}

std::string Desk::Delete(std::string_view key, Precondition precondition) {
  const RecordPtr standing = store_->Head().Find(key);
  return Say(store_->Commit({.action = Write::Action::kDelete,
                             .key = std::string(key),
                             .precondition = precondition,
                             .draft = standing == nullptr ? Draft{} : Reopen(*standing)}));
}

std::string Desk::List(std::string_view prefix) const { return Say(store_->Head(), prefix); }

std::string Desk::ListTerm(std::string_view term, std::string_view prefix) const {
  std::vector<RecordPtr> records;
  store_->Head().ScanTerm(term, prefix, "", CollectInto(records));
  return ListOf(records);
}

std::vector<std::string> TakeAll(Watch& watch) {
  std::vector<std::string> said;
  while (true) {
    const Delivery delivery = watch.Take(2);
    for (const EventPtr& event : delivery.events) {
      said.push_back(Say(*event));
    }
    if (delivery.ended) {
      const std::string_view why[] = {"too slow", "expired", "closed"};
      said.push_back("ended: " + std::string(why[static_cast<int>(*delivery.ended)]));
    }
    if (!delivery.more) {
      return said;
    }
  }
}

}  // namespace quadra::store

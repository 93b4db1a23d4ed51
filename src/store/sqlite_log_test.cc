#include "store/sqlite_log.h"

#include <fstream>

#include <gtest/gtest.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "store/desk_for_tests.h"
#include "store/files.h"
#include "store/forgetful_disk_for_tests.h"
#include "store/format.h"

namespace quadra::store {
namespace {

class SqliteLogTest : public testing::Test {
 protected:
  // A store on the file, which must open.
  std::unique_ptr<Store> OpenStore(const std::filesystem::path& file,
                                   const SqliteOptions& options = {.sync = false}) {
    auto log = OpenSqliteLog(file, options);
    EXPECT_TRUE(log) << log.error().ToString();
    return *Store::Open(*std::move(log), extractor_, clock_,
                        {.writer = {.housekeeping = std::nullopt}});
  }
  std::string Put(Store& store, const std::string& key, const std::string& text) {
    return Say(store.Commit({.key = key, .draft = DraftOf(text)}));
  }
  // Why the file is refused; empty: it is not.
  std::string Refusal(const std::filesystem::path& file) {
    const auto log = OpenSqliteLog(file, {.sync = false});
    return log ? "" : log.error().ToString();
  }
  void Execute(const std::string& sql) const {
    sqlite3* handle = nullptr;
    ASSERT_EQ(sqlite3_open(file_.c_str(), &handle), SQLITE_OK);
    char* error = nullptr;
    sqlite3_exec(handle, sql.c_str(), nullptr, nullptr, &error);
    EXPECT_EQ(error, nullptr) << error;
    sqlite3_close(handle);
  }

  TemporaryFolder folder_;
  std::filesystem::path file_ = folder_.path() / "store.db";
  WordExtractor extractor_;
  ManualClock clock_{Time{}};
};

TEST_F(SqliteLogTest, IsReadableByItsOwnerAlone) {
  const auto store = OpenStore(file_);
  Put(*store, "a", "one");
  for (const auto& entry : std::filesystem::directory_iterator(folder_.path())) {
    struct stat found{};
    ASSERT_EQ(stat(entry.path().c_str(), &found), 0);
    EXPECT_EQ(found.st_mode & 0777U, 0600U) << entry.path();
  }
}

TEST_F(SqliteLogTest, RefusesASecondUser) {
  const auto store = OpenStore(file_);
  EXPECT_EQ(Refusal(file_), "the store is in use by process " + std::to_string(getpid()) + ": " +
                                file_.string() +
                                "; stop that process, or choose another --data-dir");
}

TEST_F(SqliteLogTest, RefusesASecondProcess) {
  const auto store = OpenStore(file_);
  const pid_t child = fork();
  if (child == 0) {
    _exit(OpenSqliteLog(file_, {}) ? 1 : 0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
}

TEST_F(SqliteLogTest, RefusesWhatItCannotTrustInOneSentence) {
  struct Row {
    const char* name;
    const char* sql;
    const char* message;
  };
  const Row rows[] = {
      {"a newer format", "PRAGMA application_id = 0x51756164; PRAGMA user_version = 3",
       "the store has format 3, and this program knows formats up to 2; start the newer quadra "
       "that wrote it"},
      {"another program", "CREATE TABLE t(x)",
       "this is the database of another program; choose another --data-dir"},
      {"another program with a mark", "PRAGMA application_id = 7; CREATE TABLE t(x)",
       "this is the database of another program; choose another --data-dir"},
  };
  for (const Row& row : rows) {
    std::filesystem::remove(file_);
    Execute(row.sql);
    const std::string before = ReadFile(file_);
    EXPECT_EQ(Refusal(file_), row.message) << row.name;
    EXPECT_EQ(ReadFile(file_), before) << "what is not ours stays as it is";
  }
}

TEST_F(SqliteLogTest, RefusesAFileThatIsNoDatabase) {
  std::ofstream(file_) << std::string(10'000, '?');
  EXPECT_EQ(Refusal(file_),
            "this is no store, or it is damaged (file is not a database): " + file_.string() +
                "; choose another --data-dir, or restore a backup with `quadra restore`");
}

TEST_F(SqliteLogTest, RefusesADamagedFile) {
  {
    const auto store = OpenStore(file_);
    for (int at = 0; at < 200; ++at) {
      Put(*store, "key" + std::to_string(at), std::string(500, 'x'));
    }
  }
  std::fstream damaged(file_, std::ios::in | std::ios::out | std::ios::binary);
  damaged.seekp(16'384);
  damaged << std::string(4096, '\x5a');
  damaged.close();
  const std::string refusal = Refusal(file_);
  EXPECT_TRUE(refusal.starts_with("the store is damaged")) << refusal;
  EXPECT_TRUE(refusal.ends_with("; restore a backup with `quadra restore`")) << refusal;
  EXPECT_EQ(refusal.find('\n'), std::string::npos);
}

TEST_F(SqliteLogTest, RefusesEntriesThatContradictEachOther) {
  struct Row {
    const char* sql;
    Revision contradicts;
  };
  const Row rows[] = {
      {"DELETE FROM log WHERE rev = 2", 3},
      {"UPDATE log SET previous = 7 WHERE rev = 3", 3},
      {"UPDATE log SET deletion = 1 WHERE rev = 2", 2},
      {"UPDATE log SET rev = -5 WHERE rev = 2", static_cast<Revision>(-5)},
      {"UPDATE log SET rev = 0, value = 'rv=0:one' WHERE rev = 2", 0},
      {"UPDATE log SET revision_at = 1000 WHERE rev = 3", 3},
      {"UPDATE log SET value = 'rv=4:two' WHERE rev = 3", 3},
      {"UPDATE meta SET value = 3 WHERE name = 'compacted'", 3},
  };
  for (const Row& row : rows) {
    std::filesystem::remove(file_);
    {
      const auto store = OpenStore(file_);
      Put(*store, "a", "one");
      Put(*store, "a", "two");
    }
    Execute(std::string(row.sql) + "; UPDATE log SET sum = NULL");
    const auto store = Store::Open(*OpenSqliteLog(file_, {.sync = false}), extractor_, clock_);
    EXPECT_EQ(store ? "" : store.error().message, "the store is damaged: revision " +
                                                      std::to_string(row.contradicts) +
                                                      " contradicts what is before it")
        << row.sql;
  }
}

// Whatever is in the file: it opens or is refused, and nothing else happens.
TEST_F(SqliteLogTest, SurvivesRandomDamage) {
  {
    const auto store = OpenStore(file_);
    for (int at = 0; at < 60; ++at) {
      Put(*store, "key" + std::to_string(at % 20), std::string(300, 'x') + " #hot");
    }
  }
  const std::string whole = ReadFile(file_);
  int refused = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    SeededRandom random(seed);
    std::string damaged = whole;
    for (std::uint64_t flips = 1 + random.Below(20); flips > 0; --flips) {
      damaged[random.Below(damaged.size())] = static_cast<char>(random.Below(256));
    }
    const TemporaryFolder folder;
    WriteFiles({{"store.db", damaged}}, folder.path());
    auto log = OpenSqliteLog(folder.path() / "store.db", {.sync = false});
    refused += log && Store::Open(*std::move(log), extractor_, clock_) ? 0 : 1;
  }
  EXPECT_GT(refused, 20);
}

TEST_F(SqliteLogTest, RefusesDirectoriesItCannotUse) {
  EXPECT_EQ(Refusal(folder_.path() / "absent" / "store.db"),
            "the directory of the store cannot be read (No such file or directory): " +
                (folder_.path() / "absent").string() +
                "; check the path, its permissions and the space on the disk");
  const std::string refusal = Refusal("/sys/store.db");  // not even root may create files there
  EXPECT_TRUE(refusal.starts_with("cannot write in the directory of the store (")) << refusal;
  EXPECT_TRUE(
      refusal.ends_with("): /sys; create it and give this user write access, or choose "
                        "another --data-dir"))
      << refusal;
}

TEST(Files, KnowFileSystemsOfNetworks) {
  const std::pair<std::uint64_t, bool> rows[] = {
      {0x6969, true},      {0xff534d42, true},  {0xffffffffff534d42, true}, {0xef53, false},
      {0x01021994, false}, {0x58465342, false}, {0x9123683e, false},
  };
  for (const auto& [type, network] : rows) {
    EXPECT_EQ(IsNetworkFileSystem(type), network) << std::hex << type;
  }
}

TEST_F(SqliteLogTest, MigratesFormat0) {
  Execute(
      "CREATE TABLE object(key TEXT PRIMARY KEY, revision INTEGER, value BLOB);"
      "INSERT INTO object VALUES('a', 7, 'rv=7:one'), ('b', 5, 'rv=5:two #hot')");
  for (int round = 0; round < 2; ++round) {
    const auto store = OpenStore(file_);
    EXPECT_EQ(Say(store->Head()), "a@7=one b@5=two #hot");
    EXPECT_EQ(store->Head().revision(), 7U);
    EXPECT_FALSE(store->Watch({.after = 6})) << "its past is not known";
  }
  EXPECT_EQ(Put(*OpenStore(file_), "a", "two"), "committed 8");
}

TEST_F(SqliteLogTest, MigratesFormat1) {
  Put(*OpenStore(file_), "a", "one");
  Execute("UPDATE log SET value = CAST(replace(value, 'one', 'two') AS BLOB), sum = NULL");
  Execute("ALTER TABLE log DROP COLUMN sum; PRAGMA user_version = 1");
  for (int round = 0; round < 2; ++round) {
    EXPECT_EQ(Say(OpenStore(file_)->Head()), "a@2=two");
  }
  EXPECT_EQ(Put(*OpenStore(file_), "a", "three"), "committed 3");
}

TEST_F(SqliteLogTest, RefusesARecordThatIsNotAsItWasWritten) {
  for (const char* change : {"value = CAST(replace(value, 'one', 'onE') AS BLOB)", "created = 1",
                             "expires = 5", "key = CAST('b' AS BLOB)"}) {
    std::filesystem::remove(file_);
    Put(*OpenStore(file_), "a", "one");
    Execute(std::string("UPDATE log SET ") + change);
    const auto store = Store::Open(*OpenSqliteLog(file_, {.sync = false}), extractor_, clock_);
    EXPECT_EQ(store ? "" : store.error().message,
              "the store is damaged: what it has of revision 2 is not as it was written")
        << change;
  }
  const auto copy = file_.string() + ".copy";
  std::filesystem::copy_file(file_, copy);
  std::filesystem::remove(file_);
  EXPECT_FALSE(Restore(copy, file_)) << "nor is it restored";
}

// Of writes that were acknowledged, and not yet in the database.
TEST_F(SqliteLogTest, RefusesALogThatWasDamagedBeforeItsEnd) {
  const auto crashed = file_.parent_path() / "crashed.db";
  const std::string log_name = crashed.string() + "-wal";
  const auto crash = [&] {
    const auto store = OpenStore(file_, {.checkpoint_interval = std::chrono::hours(1)});
    for (int at = 0; at < 8; ++at) {
      Put(*store, "key" + std::to_string(at), "x");
    }
    for (const char* const suffix : {"", "-wal"}) {
      std::filesystem::copy_file(file_.string() + suffix, crashed.string() + suffix,
                                 std::filesystem::copy_options::overwrite_existing);
    }
  };
  const auto flip = [&](std::streamoff from_end) {
    std::fstream log(log_name, std::ios::in | std::ios::out | std::ios::binary);
    log.seekp(-from_end, std::ios::end);
    log << 'Z';
  };
  crash();
  flip(5 * (4096 + 24));
  EXPECT_TRUE(Refusal(crashed).starts_with("the store is damaged: its write-ahead log"))
      << Refusal(crashed);
  std::filesystem::remove(file_);
  crash();
  flip(100);
  EXPECT_EQ(OpenStore(crashed)->Head().revision(), 8U) << "a torn end: the last write is gone";
}

TEST_F(SqliteLogTest, IsNotOpenedTwiceThoughItsLockWasDeleted) {
  const auto store = OpenStore(file_);
  std::filesystem::remove(file_.string() + ".lock");
  EXPECT_TRUE(Refusal(file_).starts_with("the store is in use by process"));
}

TEST_F(SqliteLogTest, ForgetsRowsThatNobodyNeeds) {
  {
    auto log = *OpenSqliteLog(file_, {.sync = false});
    const auto store = *Store::Open(std::move(log), extractor_, clock_,
                                    {.retention = {.least_events = 1, .least_age = {}},
                                     .writer = {.housekeeping = std::nullopt}});
    for (int at = 0; at < 10; ++at) {
      Put(*store, "a", std::to_string(at));
      Put(*store, "b", "x");
      store->Commit({.action = Write::Action::kDelete, .key = "b"});
    }
    store->Maintain();
  }
  auto connection = *Connection::Open(file_, {});
  EXPECT_EQ(*connection.Ask("SELECT count(*) FROM log"), 3) << "a, and b's deletion with b";
}

TEST_F(SqliteLogTest, AppendsAllOrNothing) {
  const auto log = *OpenSqliteLog(file_, {.sync = false});
  const auto entry = [](Revision revision) {
    return LogEntry{.revision = revision, .created = revision, .key = "k", .bytes = "x"};
  };
  const LogEntry first[] = {entry(2)};
  const LogEntry one_is_there[] = {entry(3), entry(2)};
  const LogEntry second[] = {entry(3)};
  EXPECT_TRUE(log->Append(first));
  EXPECT_FALSE(log->Append(one_is_there));
  EXPECT_TRUE(log->Append(second));
  std::vector<Revision> revisions;
  EXPECT_TRUE(log->Replay([&](const LogEntry& found) -> Status {
    revisions.push_back(found.revision);
    return {};
  }));
  EXPECT_EQ(revisions, (std::vector<Revision>{2, 3}));
}

TEST_F(SqliteLogTest, BoundsItsWriteAheadLogWithoutCheckpoints) {
  const auto store = OpenStore(
      file_, {.checkpoint_interval = std::chrono::hours(1), .most_pages_ahead = 50, .sync = false});
  for (int at = 0; at < 500; ++at) {
    Put(*store, "a", std::string(3000, 'x'));
  }
  EXPECT_LT(std::filesystem::file_size(file_.string() + "-wal"), 60 * 4200);
}

TEST_F(SqliteLogTest, ABackupIsAStoreWhoseOldWatchersExpire) {
  const std::filesystem::path backup = folder_.path() / "backup.db";
  const std::filesystem::path restored = folder_.path() / "restored.db";
  {
    const auto store = OpenStore(file_);
    Put(*store, "a", "one");
    Put(*store, "a", "two #hot");
    Put(*store, "b", "one");
    store->Commit({.action = Write::Action::kDelete, .key = "b"});
    ASSERT_TRUE(store->BackUp(backup));
    EXPECT_FALSE(store->BackUp(backup)) << "it exists";
    Put(*store, "c", "lost");
  }
  ASSERT_TRUE(Restore(backup, restored));
  EXPECT_FALSE(Restore(backup, restored)) << "it exists";
  const auto store = OpenStore(restored);
  EXPECT_EQ(Say(store->Head()), "a@3=two #hot");
  EXPECT_EQ(store->Head().revision(), 1'000'000'005U);
  for (const Revision seen : {2U, 5U, 6U}) {
    EXPECT_TRUE(store->Watch({.after = seen}).error().expired()) << seen;
  }
  EXPECT_EQ(Put(*store, "a", "three"), "committed 1000000006");
  auto connection = *Connection::Open(restored, {});
  EXPECT_EQ(*connection.Ask("SELECT count(*) FROM log"), 2) << "no past was taken over";
}

TEST_F(SqliteLogTest, RestoresNoFileThatIsNoBackup) {
  std::ofstream(folder_.path() / "text") << std::string(1000, '?');
  EXPECT_FALSE(Restore(folder_.path() / "text", file_));
  EXPECT_FALSE(Restore(folder_.path() / "absent", file_));
  EXPECT_FALSE(std::filesystem::exists(file_));
  EXPECT_FALSE(std::filesystem::exists(file_.string() + ".unfinished"));
}

TEST_F(SqliteLogTest, AFullDiskMakesItReadOnlyUntilThereIsRoom) {
  ForgetfulDisk disk;
  // Without checkpoints, which make room in the write-ahead log.
  const auto store =
      OpenStore(file_, {.checkpoint_interval = std::chrono::hours(1), .vfs = disk.name()});
  ASSERT_EQ(Put(*store, "a", "one"), "committed 2");
  disk.SetRoom(0);
  const std::string large(10'000, 'x');
  EXPECT_EQ(Put(*store, "b", large), "refused: the disk is full (database or disk is full)");
  EXPECT_FALSE(store->Writable());
  EXPECT_EQ(store->Writable().error().remedy, "free some space; writing then resumes by itself");
  EXPECT_EQ(Say(store->Head()), "a@2=one") << "reading goes on";
  store->Maintain();
  EXPECT_FALSE(store->Writable());
  disk.SetRoom(std::nullopt);
  store->Maintain();
  EXPECT_TRUE(store->Writable()) << "without anybody writing";
  EXPECT_EQ(Put(*store, "b", "two"), "committed 4") << "no revision is given twice";
}

TEST_F(SqliteLogTest, AFullDiskDamagesNothing) {
  for (std::int64_t room = 0; room < 60'000; room += 3'000) {
    const TemporaryFolder folder;
    ForgetfulDisk disk;
    std::string expected;
    {
      const auto store = OpenStore(folder.path() / "store.db",
                                   {.checkpoint_interval = std::chrono::milliseconds(1),
                                    .least_pages_ahead = 0,
                                    .vfs = disk.name()});
      disk.SetRoom(room);
      for (int at = 0; at < 20; ++at) {
        Put(*store, "key" + std::to_string(at % 7), std::string(3000, 'x'));
      }
      expected = Say(store->Head());
      disk.SetRoom(std::nullopt);
    }
    const auto store = OpenStore(folder.path() / "store.db");
    EXPECT_EQ(Say(store->Head()), expected) << "with room for " << room;
  }
}

}  // namespace
}  // namespace quadra::store

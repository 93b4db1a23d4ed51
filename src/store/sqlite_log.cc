#include "store/sqlite_log.h"

#include <array>
#include <functional>
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <sqlite3.h>
#include <zlib.h>

#include "base/go_text.h"
#include "store/checkpointer.h"
#include "store/file_lock.h"
#include "store/files.h"
#include "store/format.h"
#include "store/sqlite.h"
#include "store/wal_check.h"

namespace quadra::store {
namespace {

// Beyond whatever the lost store may have counted since the backup.
constexpr Revision kRestoreStep = 1'000'000'000;

constexpr std::string_view kAppend =
    "INSERT INTO log(rev, key, created, previous, deletion, revision_at, expires, value, sum)"
    " VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)";
constexpr std::string_view kReplay =
    "SELECT rev, key, created, previous, deletion, revision_at, expires, value, sum FROM log"
    " ORDER BY rev";
constexpr std::string_view kTrial = "UPDATE meta SET value = value + 1 WHERE name = 'trial'";

template <typename Number>
std::optional<std::int64_t> Signed(const std::optional<Number>& number) {
  return number ? std::optional(static_cast<std::int64_t>(*number)) : std::nullopt;
}

std::optional<std::int64_t> Microseconds(const std::optional<Time>& time) {
  return time ? std::optional<std::int64_t>(time->time_since_epoch().count()) : std::nullopt;
}

// Of all that a row says.
std::int64_t SumOf(const LogEntry& entry) {
  const std::array<std::int64_t, 7> numbers = {
      static_cast<std::int64_t>(entry.revision),  static_cast<std::int64_t>(entry.created),
      static_cast<std::int64_t>(entry.previous),  entry.deletion ? 1 : 0,
      Signed(entry.revision_at).value_or(-1),     Microseconds(entry.expires).value_or(-1),
      static_cast<std::int64_t>(entry.key.size())};
  const auto add = [](uLong sum, const void* bytes, std::size_t size) {
    return crc32_z(sum, static_cast<const Bytef*>(bytes), size);
  };
  uLong sum = add(crc32_z(0, nullptr, 0), numbers.data(), sizeof(numbers));
  sum = add(sum, entry.key.data(), entry.key.size());
  // crc32_z begins anew where there is no text.
  return static_cast<std::int64_t>(
      entry.bytes.empty() ? sum : add(sum, entry.bytes.data(), entry.bytes.size()));
}

Status Insert(Statement& insert, const LogEntry& entry) {
  insert.BindInteger(1, static_cast<std::int64_t>(entry.revision));
  insert.BindBytes(2, entry.key);
  insert.BindInteger(3, static_cast<std::int64_t>(entry.created));
  insert.BindInteger(4, static_cast<std::int64_t>(entry.previous));
  insert.BindInteger(5, entry.deletion ? 1 : 0);
  insert.BindInteger(6, Signed(entry.revision_at));
  insert.BindInteger(7, Microseconds(entry.expires));
  insert.BindBytes(8, entry.bytes);
  insert.BindInteger(9, SumOf(entry));
  return insert.Run();
}

LogEntry EntryOf(const Statement& row) {
  LogEntry entry{.revision = static_cast<Revision>(row.Integer(0)),
                 .created = static_cast<Revision>(row.Integer(2)),
                 .previous = static_cast<Revision>(row.Integer(3)),
                 .deletion = row.Integer(4) != 0,
                 .key = row.Bytes(1),
                 .bytes = row.Bytes(7)};
  if (const auto place = row.MaybeInteger(5)) {
    entry.revision_at = static_cast<std::size_t>(*place);
  }
  if (const auto expires = row.MaybeInteger(6)) {
    entry.expires = Time(std::chrono::microseconds(*expires));
  }
  return entry;
}

// The entry of the row, as it was written.
Result<LogEntry> ReadEntry(const Statement& row) {
  const LogEntry entry = EntryOf(row);
  const std::optional<std::int64_t> sum = row.MaybeInteger(8);
  if (!sum || *sum == SumOf(entry)) {
    return entry;
  }
  return Fail(Error{.kind = ErrorKind::kUnreadable,
                    .message = fmt::format("the store is damaged: what it has of revision {} is "
                                           "not as it was written",
                                           entry.revision),
                    .value = GoQuote(entry.key),
                    .remedy = "restore a backup with `quadra restore`"});
}

Status VisitRows(Connection& connection, const std::function<Status(const LogEntry&)>& visit) {
  QUADRA_TRY(Statement rows, connection.Prepare(kReplay));
  while (true) {
    QUADRA_TRY(const bool found, rows.Step());
    if (!found) {
      return {};
    }
    QUADRA_TRY(const LogEntry entry, ReadEntry(rows));
    QUADRA_RETURN_IF_ERROR(visit(entry));
  }
}

Result<Connection> OpenConnection(const std::filesystem::path& file, const SqliteOptions& options) {
  QUADRA_TRY(Connection connection, Connection::Open(file, {.vfs = options.vfs}));
  QUADRA_RETURN_IF_ERROR(connection.Execute("PRAGMA trusted_schema = OFF"));
  QUADRA_RETURN_IF_ERROR(
      connection.Execute(options.sync ? "PRAGMA synchronous = FULL" : "PRAGMA synchronous = OFF"));
  return connection;
}

// From now on a commit is written ahead and synced; the checkpointer moves it into the database.
Status WriteAhead(Connection& connection) {
  QUADRA_TRY(Statement set, connection.Prepare("PRAGMA journal_mode = WAL"));
  QUADRA_TRY(const bool answered, set.Step());
  if (!answered || set.Bytes(0) != "wal") {
    return Fail(Error{.kind = ErrorKind::kUnsupported,
                      .message = "this file system cannot hold a write-ahead log",
                      .remedy = "choose a --data-dir on a local disk"});
  }
  return connection.Execute("PRAGMA wal_autocheckpoint = 0");
}

// As of one moment, whoever writes meanwhile.
Status CopyStore(const std::filesystem::path& file, const std::filesystem::path& to,
                 const SqliteOptions& options) {
  return WriteWhole(to, [&](const std::filesystem::path& unfinished) -> Status {
    QUADRA_RETURN_IF_ERROR(CreatePrivate(unfinished));
    QUADRA_TRY(Connection reader, OpenConnection(file, options));
    QUADRA_TRY(Statement copy, reader.Prepare("VACUUM INTO ?1"));
    const std::string name = unfinished.string();
    copy.BindText(1, name);
    return copy.Run();
  });
}

class SqliteLog final : public Log {
 public:
  // What was opened, in the order of opening.
  struct Parts {
    std::filesystem::path file;
    SqliteOptions options;
    FileLock lock;
    Connection connection;
    Statement insert;
    Statement trial;
    Revision compacted;
    Connection second;  // for checkpoints
  };
  explicit SqliteLog(Parts parts)
      : file_(std::move(parts.file)),
        options_(std::move(parts.options)),
        lock_(std::move(parts.lock)),
        connection_(std::move(parts.connection)),
        insert_(std::move(parts.insert)),
        trial_(std::move(parts.trial)),
        compacted_(parts.compacted),
        checkpointer_(std::move(parts.second), options_.checkpoint_interval,
                      options_.least_pages_ahead) {
    sqlite3_wal_hook(connection_.handle(), &SqliteLog::NoteCommit, this);
  }

  Revision Compacted() const override { return compacted_; }

  Status Replay(const std::function<Status(const LogEntry&)>& visit) override {
    return VisitRows(connection_, visit);
  }

  Status Append(std::span<const LogEntry> entries) override {
    return Write([&]() -> Status {
      if (entries.empty()) {
        return trial_.Run();
      }
      for (const LogEntry& entry : entries) {
        QUADRA_RETURN_IF_ERROR(Insert(insert_, entry));
      }
      return {};
    });
  }

  Status Compact(Revision through) override {
    if (through <= compacted_) {
      return {};
    }
    QUADRA_RETURN_IF_ERROR(Write([&] { return CompactRows(connection_, compacted_, through); }));
    compacted_ = through;
    return {};
  }

  Status CopyTo(const std::filesystem::path& file) override {
    return CopyStore(file_, file, options_);
  }

 private:
  template <typename Work>
  Status Write(const Work& work) {
    QUADRA_RETURN_IF_ERROR(InTransaction(connection_, work));
    checkpointer_.Note(pages_ahead_);
    if (pages_ahead_ > options_.most_pages_ahead) {
      CheckpointNow(connection_);
    }
    return {};
  }
  static int NoteCommit(void* self, sqlite3* /*handle*/, const char* /*database*/, int pages) {
    static_cast<SqliteLog*>(self)->pages_ahead_ = pages;
    return SQLITE_OK;
  }

  const std::filesystem::path file_;
  const SqliteOptions options_;
  FileLock lock_;
  Connection connection_;
  Statement insert_;
  Statement trial_;
  Revision compacted_;
  int pages_ahead_ = 0;
  Checkpointer checkpointer_;
};

Status StampRestored(const std::filesystem::path& file) {
  QUADRA_TRY(Connection connection, Connection::Open(file, {}));
  QUADRA_TRY(const std::int64_t tables, connection.Ask("SELECT count(*) FROM sqlite_schema"));
  if (tables == 0) {  // which a new store would begin with
    return Fail(Error{.kind = ErrorKind::kInvalid,
                      .message = "the backup is empty",
                      .remedy = "name a file that `quadra backup` wrote"});
  }
  QUADRA_RETURN_IF_ERROR(PrepareFormat(connection));
  QUADRA_RETURN_IF_ERROR(VisitRows(connection, [](const LogEntry&) { return Status(); }));
  return InTransaction(connection, [&] { return StartAnew(connection, kRestoreStep); });
}

}  // namespace

Result<std::unique_ptr<Log>> OpenSqliteLog(const std::filesystem::path& file,
                                           const SqliteOptions& options) {
  QUADRA_RETURN_IF_ERROR(CheckLocal(file.parent_path()));
  QUADRA_TRY(FileLock lock, FileLock::Take(file));
  QUADRA_RETURN_IF_ERROR(CreatePrivate(file));
  QUADRA_RETURN_IF_ERROR(lock.TakeToo(file));
  QUADRA_RETURN_IF_ERROR(CheckWal(file));
  QUADRA_TRY(Connection connection, OpenConnection(file, options));
  QUADRA_RETURN_IF_ERROR(PrepareFormat(connection));  // first: what is not ours stays as it is
  QUADRA_RETURN_IF_ERROR(WriteAhead(connection));
  QUADRA_TRY(const Revision compacted, ReadCompacted(connection));
  QUADRA_TRY(Statement insert, connection.Prepare(kAppend));
  QUADRA_TRY(Statement trial, connection.Prepare(kTrial));
  QUADRA_TRY(Connection second, OpenConnection(file, options));
  return std::make_unique<SqliteLog>(SqliteLog::Parts{.file = file,
                                                      .options = options,
                                                      .lock = std::move(lock),
                                                      .connection = std::move(connection),
                                                      .insert = std::move(insert),
                                                      .trial = std::move(trial),
                                                      .compacted = compacted,
                                                      .second = std::move(second)});
}

Status BackUp(const std::filesystem::path& file, const std::filesystem::path& backup) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(file, error)) {
    return Fail(Error{.kind = ErrorKind::kNotFound,
                      .message = "there is no store",
                      .value = file.string(),
                      .remedy = "name the directory of a server with --data-dir"});
  }
  return CopyStore(file, backup, {});
}

Status Restore(const std::filesystem::path& backup, const std::filesystem::path& file) {
  QUADRA_TRY(const FileLock lock, FileLock::Take(file));
  return WriteWhole(file, [&](const std::filesystem::path& unfinished) -> Status {
    QUADRA_RETURN_IF_ERROR(CopyPrivate(backup, unfinished));
    return StampRestored(unfinished);
  });
}

}  // namespace quadra::store

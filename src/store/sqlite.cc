#include "store/sqlite.h"

#include <utility>

#include <fmt/format.h>
#include <sqlite3.h>

namespace quadra::store {
namespace {

// Long enough for a checkpoint; the only others who lock are our own connections.
constexpr int kPatienceMs = 10'000;

struct Meaning {
  int code;
  std::string_view message;
  std::string_view remedy;
};

constexpr Meaning kMeanings[] = {
    {SQLITE_FULL, "the disk is full", "free some space; writing then resumes by itself"},
    {SQLITE_CORRUPT, "the store is damaged", "restore a backup with `quadra restore`"},
    {SQLITE_NOTADB, "this is no store, or it is damaged",
     "choose another --data-dir, or restore a backup with `quadra restore`"},
    {SQLITE_READONLY, "the store may not be written",
     "give this user write access, or choose another --data-dir"},
    {SQLITE_CANTOPEN, "the store cannot be opened",
     "give this user access to the directory, or choose another --data-dir"},
    {SQLITE_IOERR, "the disk failed", "look at the system's log for errors of the disk"},
};

const Meaning* MeaningOf(int code) {
  for (const Meaning& meaning : kMeanings) {
    if (meaning.code == (code & 0xff)) {
      return &meaning;
    }
  }
  return nullptr;
}

int CodeOf(sqlite3* handle) { return sqlite3_extended_errcode(handle); }

}  // namespace

Error SqliteError(sqlite3* handle, int code) {
  const Meaning* meaning = MeaningOf(code);
  const char* file = sqlite3_db_filename(handle, "main");
  Error error{.kind = ErrorKind::kUnreadable, .value = file == nullptr ? "" : file};
  if (meaning == nullptr) {
    error.message = fmt::format("the store failed: {}", sqlite3_errmsg(handle));
    return error;
  }
  error.message = fmt::format("{} ({})", meaning->message, sqlite3_errmsg(handle));
  error.remedy = meaning->remedy;
  return error;
}

void Statement::Finalize::operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }

void Statement::BindInteger(int place, std::int64_t value) {
  sqlite3_bind_int64(statement_.get(), place, value);
}

void Statement::BindInteger(int place, std::optional<std::int64_t> value) {
  if (value) {
    BindInteger(place, *value);
  } else {
    sqlite3_bind_null(statement_.get(), place);
  }
}

void Statement::BindBytes(int place, std::string_view value) {
  const char* data = value.data() == nullptr ? "" : value.data();
  sqlite3_bind_blob64(statement_.get(), place, data, value.size(), SQLITE_STATIC);
}

void Statement::BindText(int place, std::string_view value) {
  sqlite3_bind_text64(statement_.get(), place, value.data(), value.size(), SQLITE_STATIC,
                      SQLITE_UTF8);
}

Result<bool> Statement::Step() {
  const int code = sqlite3_step(statement_.get());
  if (code != SQLITE_ROW && code != SQLITE_DONE) {
    sqlite3* handle = sqlite3_db_handle(statement_.get());
    return Fail(SqliteError(handle, CodeOf(handle)));
  }
  return code == SQLITE_ROW;
}

Status Statement::Run() {
  const Result<bool> stepped = Step();
  Reset();
  return stepped ? Status{} : Fail(stepped.error());
}

void Statement::Reset() { sqlite3_reset(statement_.get()); }

std::int64_t Statement::Integer(int column) const {
  return sqlite3_column_int64(statement_.get(), column);
}

std::optional<std::int64_t> Statement::MaybeInteger(int column) const {
  if (sqlite3_column_type(statement_.get(), column) == SQLITE_NULL) {
    return std::nullopt;
  }
  return Integer(column);
}

std::string_view Statement::Bytes(int column) const {
  const void* data = sqlite3_column_blob(statement_.get(), column);
  const int size = sqlite3_column_bytes(statement_.get(), column);
  return {static_cast<const char*>(data), data == nullptr ? 0 : static_cast<std::size_t>(size)};
}

void Connection::Close::operator()(sqlite3* handle) const { sqlite3_close_v2(handle); }

Result<Connection> Connection::Open(const std::filesystem::path& file, const Options& options) {
  sqlite3* handle = nullptr;
  const int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;
  const char* vfs = options.vfs.empty() ? nullptr : options.vfs.c_str();
  const int code = sqlite3_open_v2(file.c_str(), &handle, flags, vfs);
  Connection connection(handle);
  if (code != SQLITE_OK) {
    return Fail(SqliteError(handle, code));
  }
  sqlite3_extended_result_codes(handle, 1);
  sqlite3_busy_timeout(handle, kPatienceMs);
  return connection;
}

Status Connection::Execute(const std::string& sql) {
  const int code = sqlite3_exec(handle(), sql.c_str(), nullptr, nullptr, nullptr);
  return code == SQLITE_OK ? Status{} : Fail(SqliteError(handle(), code));
}

Result<Statement> Connection::Prepare(std::string_view sql) {
  sqlite3_stmt* statement = nullptr;
  const int code = sqlite3_prepare_v3(handle(), sql.data(), static_cast<int>(sql.size()),
                                      SQLITE_PREPARE_PERSISTENT, &statement, nullptr);
  if (code != SQLITE_OK) {
    return Fail(SqliteError(handle(), code));
  }
  return Statement(statement);
}

Result<std::int64_t> Connection::Ask(std::string_view sql) {
  QUADRA_TRY(Statement statement, Prepare(sql));
  QUADRA_TRY(const bool found, statement.Step());
  return found ? statement.Integer(0) : 0;
}

void Connection::RollBack() {
  if (sqlite3_get_autocommit(handle()) == 0) {
    sqlite3_exec(handle(), "ROLLBACK", nullptr, nullptr, nullptr);
  }
}

}  // namespace quadra::store

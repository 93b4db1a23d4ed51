// Connection and Statement: SQLite with errors as values that a person can act on.
//
//   QUADRA_TRY(Connection connection, Connection::Open(file, {}));
//   QUADRA_TRY(Statement find, connection.Prepare("SELECT value FROM meta WHERE name = ?1"));
//   find.BindText(1, name);
//   QUADRA_TRY(const bool found, find.Step());
//
// Threads: a connection and its statements are used by one thread at a time; two connections to
// one file by two threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

struct sqlite3;
struct sqlite3_stmt;

namespace quadra::store {

// Must not outlive its connection.
class Statement {
 public:
  // Places count from 1. Views must stay valid until Reset.
  void BindInteger(int place, std::int64_t value);
  void BindInteger(int place, std::optional<std::int64_t> value);  // nothing: NULL
  void BindBytes(int place, std::string_view value);
  void BindText(int place, std::string_view value);

  // Whether there is a row.
  Result<bool> Step();
  // Step for what gives no rows, and Reset, whatever came of it.
  Status Run();
  void Reset();

  // Of the row. Columns count from 0; views are valid until the next Step or Reset.
  std::int64_t Integer(int column) const;
  std::optional<std::int64_t> MaybeInteger(int column) const;
  std::string_view Bytes(int column) const;

 private:
  friend class Connection;
  struct Finalize {
    void operator()(sqlite3_stmt* statement) const;
  };
  explicit Statement(sqlite3_stmt* statement) : statement_(statement) {}

  std::unique_ptr<sqlite3_stmt, Finalize> statement_;
};

class Connection {
 public:
  struct Options {
    std::string vfs;  // empty: the system's files
  };
  // Creates the file where there is none.
  static Result<Connection> Open(const std::filesystem::path& file, const Options& options);

  Status Execute(const std::string& sql);
  Result<Statement> Prepare(std::string_view sql);
  // The first column of the first row; of no row: 0.
  Result<std::int64_t> Ask(std::string_view sql);

  // Undone unless Commit succeeds.
  Status Begin() { return Execute("BEGIN IMMEDIATE"); }
  Status Commit() { return Execute("COMMIT"); }
  void RollBack();

  sqlite3* handle() const { return handle_.get(); }

 private:
  struct Close {
    void operator()(sqlite3* handle) const;
  };
  explicit Connection(sqlite3* handle) : handle_(handle) {}

  std::unique_ptr<sqlite3, Close> handle_;
};

// Runs `work` between Begin and Commit; where either fails nothing of it stays.
template <typename Work>
Status InTransaction(Connection& connection, const Work& work) {
  QUADRA_RETURN_IF_ERROR(connection.Begin());
  Status done = work();
  if (done) {
    done = connection.Commit();
  }
  if (!done) {
    connection.RollBack();
  }
  return done;
}

// What SQLite's result code means for the people who own the file.
Error SqliteError(sqlite3* handle, int code);

}  // namespace quadra::store

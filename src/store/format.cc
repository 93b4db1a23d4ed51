#include "store/format.h"

#include <string>

#include <fmt/format.h>

namespace quadra::store {
namespace {

constexpr std::int64_t kApplicationId = 0x51756164;  // "Quad"

constexpr std::string_view kTables = R"(
CREATE TABLE log(rev INTEGER PRIMARY KEY, key BLOB NOT NULL, created INTEGER NOT NULL,
                 previous INTEGER NOT NULL, deletion INTEGER NOT NULL, revision_at INTEGER,
                 expires INTEGER, value BLOB, sum INTEGER);
CREATE TABLE meta(name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
INSERT INTO meta VALUES('compacted', {first}), ('trial', 0);
)";

// Format 0 knew no past: object(key, revision, value).
constexpr std::string_view kFromFormat0 = R"(
INSERT INTO log SELECT revision, CAST(key AS BLOB), revision, 0, 0, NULL, NULL, CAST(value AS BLOB),
  NULL FROM object;
UPDATE meta SET value = max(value, (SELECT ifnull(max(revision), 0) FROM object))
  WHERE name = 'compacted';
DROP TABLE object;
)";

// Format 1 had no sums.
Status AddSums(Connection& connection) {
  return InTransaction(connection, [&] {
    return connection.Execute(
        fmt::format("ALTER TABLE log ADD COLUMN sum INTEGER; PRAGMA user_version = {}", kFormat));
  });
}

Status Create(Connection& connection, std::string_view fill) {
  return InTransaction(connection, [&]() -> Status {
    QUADRA_RETURN_IF_ERROR(
        connection.Execute(fmt::format(fmt::runtime(kTables), fmt::arg("first", kFirstRevision))));
    QUADRA_RETURN_IF_ERROR(connection.Execute(std::string(fill)));
    return connection.Execute(fmt::format("PRAGMA application_id = {}; PRAGMA user_version = {}",
                                          kApplicationId, kFormat));
  });
}

Status Refuse(std::string message, std::string remedy) {
  return Fail(Error{
      .kind = ErrorKind::kUnsupported, .message = std::move(message), .remedy = std::move(remedy)});
}

Status CheckIntegrity(Connection& connection) {
  QUADRA_TRY(Statement check, connection.Prepare("PRAGMA quick_check(1)"));
  QUADRA_TRY(const bool found, check.Step());
  if (found && check.Bytes(0) == "ok") {
    return {};
  }
  const std::string_view finding = check.Bytes(0);  // the last line says what is wrong
  return Fail(Error{
      .kind = ErrorKind::kUnreadable,
      .message = fmt::format("the store is damaged ({})", finding.substr(finding.rfind('\n') + 1)),
      .remedy = "restore a backup with `quadra restore`"});
}

// A file without our mark: empty, or of format 0, or somebody else's.
Status Adopt(Connection& connection) {
  QUADRA_TRY(const std::int64_t tables, connection.Ask("SELECT count(*) FROM sqlite_schema"));
  QUADRA_TRY(const std::int64_t objects,
             connection.Ask("SELECT count(*) FROM sqlite_schema WHERE name = 'object'"));
  if (tables == 0 || objects == 1) {
    return Create(connection, objects == 1 ? kFromFormat0 : "");
  }
  return Refuse("this is the database of another program", "choose another --data-dir");
}

}  // namespace

Status PrepareFormat(Connection& connection) {
  QUADRA_TRY(const std::int64_t owner, connection.Ask("PRAGMA application_id"));
  QUADRA_TRY(const std::int64_t format, connection.Ask("PRAGMA user_version"));
  if (owner == kApplicationId && format > kFormat) {
    return Refuse(fmt::format("the store has format {}, and this program knows formats up to {}",
                              format, kFormat),
                  "start the newer quadra that wrote it");
  }
  QUADRA_RETURN_IF_ERROR(CheckIntegrity(connection));
  if (owner == kApplicationId && format > 0) {
    return format == kFormat ? Status() : AddSums(connection);
  }
  if (owner == 0 && format == 0) {
    return Adopt(connection);
  }
  return Refuse("this is the database of another program", "choose another --data-dir");
}

Result<Revision> ReadCompacted(Connection& connection) {
  QUADRA_TRY(const std::int64_t compacted,
             connection.Ask("SELECT value FROM meta WHERE name = 'compacted'"));
  return static_cast<Revision>(compacted);
}

Status CompactRows(Connection& connection, Revision from, Revision through) {
  return connection.Execute(
      fmt::format("DELETE FROM log WHERE rev IN"
                  " (SELECT previous FROM log WHERE rev > {0} AND rev <= {1} AND previous > 0);"
                  "DELETE FROM log WHERE rev > {0} AND rev <= {1} AND deletion;"
                  "UPDATE meta SET value = {1} WHERE name = 'compacted'",
                  from, through));
}

Status StartAnew(Connection& connection, Revision step) {
  return connection.Execute(
      fmt::format("UPDATE meta SET value = {} + max(value, (SELECT ifnull(max(rev), 0) FROM log))"
                  "  WHERE name = 'compacted';"
                  "DELETE FROM log WHERE rev IN (SELECT previous FROM log);"
                  "DELETE FROM log WHERE deletion",
                  step));
}

}  // namespace quadra::store

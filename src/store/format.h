// Format: how a log lies in an SQLite file, and which files are ours.
//
//   log   one row an entry: rev, key, created, previous (0: none), deletion, revision_at, expires
//         (microseconds since 1970), value, sum; the last four may be NULL. Rows are only ever added
//         at the end and, by compaction, removed. `sum` is a CRC-32 of all the others; rows of format
//         1 have none.
//   meta  name and value; `compacted`: see Log::Compacted.
//
// There is no table by key: all records are read into memory in one go, and appending at the end of
// one table keeps the cost of a write independent of how many there are.
//
// The file's application_id says that it is ours, its user_version the format.
#pragma once

#include "base/result.h"
#include "store/record.h"
#include "store/sqlite.h"

namespace quadra::store {

inline constexpr std::int64_t kFormat = 2;

// Makes an empty file a log, brings an older format up to date, and refuses what is damaged, newer
// or not ours.
Status PrepareFormat(Connection& connection);

Result<Revision> ReadCompacted(Connection& connection);

// As Log::Compact, from `from` on. REQUIRES: a transaction.
Status CompactRows(Connection& connection, Revision from, Revision through);

// Leaves only what stands, and goes on `step` revisions later. REQUIRES: a transaction.
Status StartAnew(Connection& connection, Revision step);

}  // namespace quadra::store

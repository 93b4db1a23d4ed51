// Table: objects as the rows that `kubectl get` prints, with upstream's columns and upstream's
// cells.
//
// Clients that ask for `as=Table` get names and types of the columns once, and of each object its
// cells and, as they wish, nothing else, its metadata or all of it. What a column shows is one field
// of the schema table (api::Column::path), or computed (computed_columns.h).
//
//   const TableFormat format(*pods.kind);            // once a kind
//   format.List(items, {.resource_version = "7"}, now, {});
//   format.Single(object, now, {.headers = false});  // a watch event that is not the first
//
// Immutable, so usable by many threads. Objects are JSON as stored, of the format's kind and
// version. Cost: linear in the bytes, without the devices of slices, which no column reads.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "api/object.h"
#include "apiserver/cell.h"
#include "apiserver/partial_metadata.h"
#include "base/clock.h"
#include "base/result.h"

namespace quadra::apiserver {

// What a row holds besides its cells (the query parameter includeObject).
enum class IncludeObject : std::uint8_t { kNone, kMetadata, kObject };

struct TableOptions {
  IncludeObject include = IncludeObject::kMetadata;
  bool headers = true;                     // false: without the definitions of the columns
  std::string_view api_version = kMetaV1;  // of meta.k8s.io
};

class TableFormat {
 public:
  // `kind` must outlive it.
  explicit TableFormat(const api::KindSchema& kind);

  // Fail with ErrorKind::kSyntax on what is no JSON object.
  Result<std::string> Single(std::string_view object, Time now, const TableOptions& options) const;
  Result<std::string> List(std::span<const std::string_view> objects, const ListMeta& meta,
                           Time now, const TableOptions& options) const;

 private:
  struct Column {
    api::Column shown;
    const ComputedColumn* computed = nullptr;  // null: the field at `path`
    std::string_view path;
    std::string_view description;
    Cell absent;                   // of the field: the zero value of its type, or a word for it
    bool absent_if_empty = false;  // an empty field counts as absent
  };
  struct Item;
  struct Shared;

  static Column Resolve(const api::KindSchema& kind, const api::Column& column);
  static Cell CellOf(const Column& column, const RowSource& row);
  Result<Item> Read(std::string_view object) const;
  // Of storage classes: the name of the one that is the default; empty where none is.
  std::string DefaultClass(std::span<const Item> items) const;
  std::string Write(std::span<const Item> items, const ListMeta& meta, const Shared& shared,
                    const TableOptions& options) const;
  void WriteColumns(json::Writer& writer, const TableOptions& options) const;
  void WriteRow(json::Writer& writer, const Item& item, const RowSource& row,
                const TableOptions& options) const;

  const api::KindSchema& kind_;
  std::vector<Column> columns_;
};

}  // namespace quadra::apiserver

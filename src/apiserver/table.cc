#include "apiserver/table.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "api/vocabulary.h"
#include "apiserver/computed_columns.h"
#include "apiserver/json_members.h"
#include "apiserver/words.h"
#include "base/check.h"

namespace quadra::apiserver {
namespace {

using api::KindSchema;
using api::TypeKind;
using json::Value;
using json::Writer;

// Of kinds that name no columns of their own.
constexpr api::Column kDefaultColumns[] = {
    {.name = "Name", .path = ".metadata.name"},
    {.name = "Created At", .path = ".metadata.creationTimestamp", .type = "date"},
};
constexpr std::string_view kNoTime = "0001-01-01T00:00:00Z";

// What stands for a field that is not there.
struct Fallback {
  std::string_view kind;
  std::string_view column;
  std::string_view text;
};

constexpr Fallback kFallbacks[] = {
    {"CSIStorageCapacity", "Capacity", "<unset>"},
    {"CronJob", "Timezone", "<none>"},
    {"Node", "Container-Runtime", "<unknown>"},
    {"Node", "OS-Image", "<unknown>"},
    {"PersistentVolume", "VolumeMode", "<unset>"},
    {"PersistentVolumeClaim", "VolumeMode", "<unset>"},
    {"Pod", "Node", "<none>"},
    {"Pod", "Nominated Node", "<none>"},
    {"StorageClass", "ReclaimPolicy", "Delete"},
    {"StorageClass", "VolumeBindingMode", "Immediate"},
};

// The large parts of objects that no column reads.
struct Unread {
  std::string_view kind;
  std::string_view member;
  std::string_view part;
};
constexpr Unread kUnread[] = {
    {"ResourceSlice", "spec", "devices"},
    {"ResourceSlice", "spec", "sharedCounters"},
};

const Fallback* FindFallback(std::string_view kind, std::string_view column) {
  const auto* const at = std::ranges::find_if(
      kFallbacks, [&](const Fallback& row) { return row.kind == kind && row.column == column; });
  return at == std::end(kFallbacks) ? nullptr : at;
}

// Where a path ends in the schema.
struct Leaf {
  TypeKind type;
  bool pointer = false;
  std::string_view description = {};
};

Leaf FindLeaf(const KindSchema& kind, std::string_view path) {
  Leaf leaf{TypeKind::kStruct};
  const api::Struct* fields = kind.fields;
  const api::Type* entries = nullptr;  // of the map that the path has reached
  for (const std::string_view name : Words(path, '.')) {
    std::size_t hint = 0;
    if (entries != nullptr) {
      return {entries->kind};
    }
    const api::Field* const field = api::FindField(*fields, name, hint);
    QUADRA_CHECK(field != nullptr, "columns name fields of their kind");
    leaf = {field->type->kind, field->pointer, field->description};
    fields = field->type->fields;
    entries = field->type->kind == TypeKind::kMap ? field->type->element : nullptr;
  }
  return leaf;
}

Cell ZeroOf(TypeKind type) {
  switch (type) {
    case TypeKind::kInt32:
    case TypeKind::kInt64:
      return std::int64_t{0};
    case TypeKind::kBool:
      return false;
    case TypeKind::kQuantity:
      return "0";
    case TypeKind::kTime:
      return std::string(kNoTime);
    default:
      return "";
  }
}

// As upstream says it; there the name of a scale is none.
std::string_view FormatOf(const api::Column& column, const KindSchema& kind) {
  const bool is_name = column.name == "Name" || column.name == "Attacher";
  return is_name && kind.kind != "Scale" ? "name" : "";
}

void WriteCell(Writer& writer, const Cell& cell) {
  if (const auto* text = std::get_if<std::string>(&cell)) {
    writer.String(*text);
  } else if (const auto* number = std::get_if<std::int64_t>(&cell)) {
    writer.Int(*number);
  } else {
    writer.Bool(std::get<bool>(cell));
  }
}

// Rows of pods that are done say so, for clients that hide them.
void WriteConditions(Writer& writer, const RowSource& row) {
  const std::string phase =
      row.kind.kind == "Pod" ? TextAt(row.object, "status.phase") : std::string();
  if (phase != "Succeeded" && phase != "Failed") {
    return;
  }
  Array(writer, "conditions", [&] {
    Object(writer, [&] {
      Text(writer, "type", "Completed");
      Text(writer, "status", "True");
      Text(writer, "reason", phase);
      Text(writer, "message",
           phase == "Failed" ? "The pod failed." : "The pod has completed successfully.");
    });
  });
}

bool IsUnread(std::string_view kind, std::string_view member, std::string_view part) {
  return std::ranges::any_of(kUnread, [&](const Unread& row) {
    return row.kind == kind && row.member == member && row.part == part;
  });
}

// The object at hand without its unread parts.
Value ReadPart(json::Reader& reader, std::string_view kind, std::string_view member) {
  if (reader.Peek() != json::Kind::kObject) {
    return ReadValue(reader);
  }
  Value::Object members;
  std::string_view key;
  for (bool more = reader.EnterObject(); more && reader.NextKey(key);) {
    if (IsUnread(kind, member, key)) {
      reader.Skip();
    } else {
      members.push_back({std::string(key), ReadValue(reader)});
    }
  }
  return Value(std::move(members));
}

bool IsDefaultClass(const Value& object) {
  const Value& annotations = At(object, "metadata.annotations");
  return TextAt(annotations.Get("storageclass.kubernetes.io/is-default-class"), "") == "true" ||
         TextAt(annotations.Get("storageclass.beta.kubernetes.io/is-default-class"), "") == "true";
}

// Marks the end of the objects there were when a watch began; clients need it in any case.
bool EndsInitialEvents(const Value& object) {
  return At(object, "metadata.annotations").Find("k8s.io/initial-events-end") != nullptr;
}

}  // namespace

struct TableFormat::Item {
  std::string_view text;
  std::string_view metadata;  // within text
  Value object;
};

// What all rows of a table share.
struct TableFormat::Shared {
  Time now;
  std::string default_class = {};
};

TableFormat::TableFormat(const KindSchema& kind) : kind_(kind) {
  const std::span<const api::Column> columns =
      kind.columns.empty() ? std::span<const api::Column>(kDefaultColumns) : kind.columns;
  for (const api::Column& column : columns) {
    columns_.push_back(Resolve(kind, column));
  }
}

TableFormat::Column TableFormat::Resolve(const KindSchema& kind, const api::Column& column) {
  Column resolved{.shown = column};
  if (column.path.starts_with('<')) {
    resolved.computed = FindComputedColumn(column.path);
    QUADRA_CHECK(resolved.computed != nullptr, "every word of the tables is computed");
    resolved.description = resolved.computed->description;
    return resolved;
  }
  resolved.path = column.path.substr(1);
  const Leaf leaf = FindLeaf(kind, resolved.path);
  resolved.description = leaf.description;
  resolved.absent = ZeroOf(leaf.type);
  if (const Fallback* fallback = FindFallback(kind.kind, column.name)) {
    resolved.absent = std::string(fallback->text);
    resolved.absent_if_empty = !leaf.pointer;
  }
  return resolved;
}

Cell TableFormat::CellOf(const Column& column, const RowSource& row) {
  if (column.computed != nullptr) {
    return column.computed->cell(row);
  }
  const Value& value = At(row.object, column.path);
  switch (value.kind()) {
    case json::Kind::kString:
      return value.string().empty() && column.absent_if_empty ? column.absent
                                                              : Cell(value.string());
    case json::Kind::kNumber:
      return IntAt(value, "");
    case json::Kind::kBool:
      return value.boolean();
    default:
      return column.absent;
  }
}

Result<TableFormat::Item> TableFormat::Read(std::string_view object) const {
  Item item{.text = object, .metadata = "{}", .object = Value(Value::Object())};
  json::Reader reader(object);
  std::string_view key;
  for (bool more = reader.EnterObject(); more && reader.NextKey(key);) {
    if (key == "metadata") {
      item.metadata = reader.SkipRaw();
      item.object.Set(key, json::ParseValue(item.metadata).value_or(Value()));
    } else {
      const std::string member(key);
      item.object.Set(member, ReadPart(reader, kind_.kind, member));
    }
  }
  QUADRA_RETURN_IF_ERROR(reader.Finish());
  return item;
}

Result<std::string> TableFormat::Single(std::string_view object, Time now,
                                        const TableOptions& options) const {
  QUADRA_TRY(const Item item, Read(object));
  const std::string version = TextAt(item.object, "metadata.resourceVersion");
  return Write(std::span(&item, 1), {.resource_version = version}, {.now = now}, options);
}

Result<std::string> TableFormat::List(std::span<const std::string_view> objects,
                                      const ListMeta& meta, Time now,
                                      const TableOptions& options) const {
  std::vector<Item> items;
  items.reserve(objects.size());
  for (const std::string_view object : objects) {
    QUADRA_TRY(items.emplace_back(), Read(object));
  }
  return Write(items, meta, {.now = now, .default_class = DefaultClass(items)}, options);
}

// The youngest counts, and of those of one second the first by name.
std::string TableFormat::DefaultClass(std::span<const Item> items) const {
  using Rank = std::pair<Time, std::string>;
  std::optional<Rank> best;
  for (const Item& item : items) {
    if (kind_.kind == "StorageClass" && IsDefaultClass(item.object)) {
      Rank rank{TimeAt(item.object, "metadata.creationTimestamp").value_or(api::kZeroTime),
                TextAt(item.object, "metadata.name")};
      if (!best || rank.first > best->first ||
          (rank.first == best->first && rank.second < best->second)) {
        best = std::move(rank);
      }
    }
  }
  return best ? best->second : "";
}

std::string TableFormat::Write(std::span<const Item> items, const ListMeta& meta,
                               const Shared& shared, const TableOptions& options) const {
  return Document([&](Writer& writer) {
    Text(writer, "kind", "Table");
    Text(writer, "apiVersion", options.api_version);
    WriteListMeta(writer, meta);
    WriteColumns(writer, options);
    if (items.empty() && kind_.columns.empty()) {  // as upstream's table of a kind without columns
      writer.Key("rows");
      writer.Null();
      return;
    }
    Array(writer, "rows", [&] {
      for (const Item& item : items) {
        const RowSource row{.object = item.object,
                            .kind = kind_,
                            .now = shared.now,
                            .default_class = shared.default_class};
        WriteRow(writer, item, row, options);
      }
    });
  });
}

void TableFormat::WriteColumns(Writer& writer, const TableOptions& options) const {
  if (!options.headers) {
    writer.Key("columnDefinitions");
    writer.Null();
    return;
  }
  Array(writer, "columnDefinitions", [&] {
    for (const Column& column : columns_) {
      Object(writer, [&] {
        Text(writer, "name", column.shown.name);
        Text(writer, "type", column.shown.type);
        Text(writer, "format", FormatOf(column.shown, kind_));
        Text(writer, "description", column.description);
        writer.Key("priority");
        writer.Int(column.shown.wide ? 1 : 0);
      });
    }
  });
}

void TableFormat::WriteRow(Writer& writer, const Item& item, const RowSource& row,
                           const TableOptions& options) const {
  Object(writer, [&] {
    Array(writer, "cells", [&] {
      for (const Column& column : columns_) {
        WriteCell(writer, CellOf(column, row));
      }
    });
    WriteConditions(writer, row);
    writer.Key("object");
    if (options.include == IncludeObject::kObject) {
      writer.Raw(item.text);
    } else if (options.include == IncludeObject::kMetadata || EndsInitialEvents(item.object)) {
      WritePartialMetadata(writer, item.metadata, options.api_version);
    } else {
      writer.Null();
    }
  });
}

}  // namespace quadra::apiserver

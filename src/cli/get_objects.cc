#include "cli/get_objects.h"

#include <algorithm>
#include <map>
#include <ostream>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "api/object.h"
#include "cli/columns.h"
#include "cli/document.h"
#include "cli/line.h"
#include "cli/object_table.h"
#include "cli/table.h"
#include "cli/targets.h"
#include "client/role.h"
#include "json/value.h"

namespace quadra::cli {
namespace {

struct Item {
  std::string json;
  client::Metadata metadata;
};

// The text of a field such as spec.nodeName; empty where there is none.
std::string FieldOf(const json::Value& object, std::string_view field) {
  const json::Value* at = &object;
  while (!field.empty() && at != nullptr) {
    const std::size_t end = std::min(field.find('.'), field.size());
    at = at->Find(field.substr(0, end));
    field.remove_prefix(std::min(end + 1, field.size()));
  }
  return at != nullptr && at->kind() == json::Kind::kString ? at->string() : "";
}

// What of files a server would choose; `fields`: also by its fields, which servers know better.
class Filter {
 public:
  Filter(const ObjectQuery& query, bool fields)
      : by_fields_(fields),
        query_(query),
        labels_(api::LabelSelector::Parse(query.label_selector).value_or(api::LabelSelector())),
        fields_(api::FieldSelector::Parse(query.field_selector).value_or(api::FieldSelector())) {}

  bool Chooses(const Item& item) const {
    const api::ObjectMeta& meta = item.metadata.metadata;
    return (query_.ns.empty() || !query_.resource.namespaced || query_.ns == meta.ns) &&
           labels_.Matches(meta.labels) && HasName(meta.name) && HasFields(item);
  }

 private:
  bool HasName(std::string_view name) const {
    const std::vector<std::string>& names = query_.listing.names;
    return names.empty() || std::ranges::find(names, name) != names.end();
  }
  bool HasFields(const Item& item) const {
    if (!by_fields_ || fields_.requirements().empty()) {
      return true;
    }
    const Result<json::Value> object = json::ParseValue(item.json);
    return object &&
           fields_.MatchesBy([&](std::string_view field) { return FieldOf(*object, field); });
  }

  bool by_fields_;
  const ObjectQuery& query_;
  api::LabelSelector labels_;
  api::FieldSelector fields_;
};

std::vector<std::string> JsonOf(const std::vector<Item>& items) {
  std::vector<std::string> objects;
  objects.reserve(items.size());
  for (const Item& item : items) {
    objects.push_back(item.json);
  }
  return objects;
}

// The time that ages are counted to; while a cluster is watched it goes on.
std::optional<Time> NowFor(const Listing& listing) {
  return !listing.now && listing.watch ? SystemClock().Now() : listing.now;
}

// As kubectl prints objects: who wrote which field is left out.
std::string WithoutManagedFields(const std::string& object) {
  Result<json::Value> value = json::ParseValue(object);
  json::Value* const metadata = value ? value->Find("metadata") : nullptr;
  const bool has_any = metadata != nullptr && metadata->kind() == json::Kind::kObject &&
                       metadata->Erase("managedFields");
  return has_any ? ToJson(*value) : object;
}

// As a document shows them. Templates may ask for all that there is.
std::vector<std::string> ShownObjects(const std::vector<Item>& items, std::string_view format) {
  std::vector<std::string> objects = JsonOf(items);
  if (format == "json" || format == "yaml") {
    std::ranges::transform(objects, objects.begin(), WithoutManagedFields);
  }
  return objects;
}

RowOptions RowsFor(const ObjectQuery& query) {
  return {.wide = query.listing.wide(),
          .namespaces = query.resource.namespaced && query.ns.empty(),
          .now = NowFor(query.listing)};
}

const api::KindSchema& SchemaOf(const client::Resource& resource) {
  return *api::FindKind(resource.ApiVersion(), resource.kind);
}

ExitCode RefuseRows(const Error& error, Console& console) {
  return PrintedOr(Fail(error), ExitCode::kUsage, console);
}

// One listing in the format that is asked for, and rows that follow it.
class ObjectPrinter {
 public:
  ObjectPrinter(const ObjectQuery& query, Console& console) : query_(query), console_(console) {}

  ExitCode Print(const std::vector<Item>& items) {
    const std::string& format = query_.listing.format;
    if (IsDocumentFormat(format)) {
      return PrintDocument(DocumentOf(items), format, ExitCode::kYes, console_);
    }
    if (items.empty()) {
      console_.err << (query_.listing.names.empty() ? "No resources found.\n" : "");
      return ExitCode::kYes;
    }
    if (format == "name") {
      PrintNames(items);
      return ExitCode::kYes;
    }
    if (format.starts_with(kCustomColumns)) {
      return PrintedOr(PrintColumns(format.substr(kCustomColumns.size()), JsonOf(items),
                                    query_.listing.headings, console_.out),
                       ExitCode::kYes, console_);
    }
    return PrintTable(items);
  }

  // What changed, or went.
  ExitCode Follow(const Item& item) {
    if (!table_ || (query_.listing.format != "table" && !query_.listing.wide())) {
      return Print({item});
    }
    const std::vector<std::string> objects = {item.json};
    Result<ObjectRows> rows = RowsOf(SchemaOf(query_.resource), objects, RowsFor(query_));
    if (!rows) {
      return RefuseRows(rows.error(), console_);
    }
    table_->Follow(std::move(rows->rows.front()), console_.out);
    return ExitCode::kYes;
  }

 private:
  // One that was asked for by its name by itself, as kubectl prints it; a List otherwise.
  std::string DocumentOf(const std::vector<Item>& items) const {
    const bool by_name = query_.listing.names.size() == 1 || query_.listing.watch;
    return DocumentOfObjects(ShownObjects(items, query_.listing.format), !by_name);
  }
  void PrintNames(const std::vector<Item>& items) {
    for (const Item& item : items) {
      PrintLine(console_.out, TitleOf(query_.resource, item.metadata.metadata.name));
    }
  }
  ExitCode PrintTable(const std::vector<Item>& items) {
    Result<ObjectRows> rows = RowsOf(SchemaOf(query_.resource), JsonOf(items), RowsFor(query_));
    if (!rows) {
      return RefuseRows(rows.error(), console_);
    }
    table_.emplace(std::move(rows->headings));
    for (std::vector<std::string>& row : rows->rows) {
      table_->Add(std::move(row));
    }
    table_->Print(console_.out, query_.listing.headings);
    return ExitCode::kYes;
  }

  const ObjectQuery& query_;
  Console& console_;
  std::optional<Table> table_;
};

Status SortItems(std::vector<Item>& items, const std::string& field) {
  if (field.empty()) {
    return {};
  }
  QUADRA_TRY(const std::vector<std::size_t> order, OrderBy(field, JsonOf(items)));
  std::vector<Item> sorted;
  sorted.reserve(items.size());
  for (const std::size_t i : order) {
    sorted.push_back(std::move(items[i]));
  }
  items = std::move(sorted);
  return {};
}

// Says which names are not there.
ExitCode SayMissing(const ObjectQuery& query, const std::vector<Item>& items,
                    std::string_view holds, Console& console) {
  ExitCode code = ExitCode::kYes;
  for (const std::string& name : query.listing.names) {
    const auto is_named = [&](const Item& item) { return item.metadata.metadata.name == name; };
    if (std::ranges::none_of(items, is_named)) {
      PrintLine(console.err, fmt::format("error: {} no {}{}", holds, TitleOf(query.resource, name),
                                         query.resource.namespaced && !query.ns.empty()
                                             ? " in namespace " + query.ns
                                             : ""));
      code = ExitCode::kNo;
    }
  }
  return code;
}

// --- Changes.

// Follows the collection; what it tells comes in the order of events.
class Watching {
 public:
  Watching(const ObjectQuery& query, Console& console)
      : filter_(query, false), printer_(query, console), query_(query), console_(console) {}

  loop::Task<client::Failure> Run(client::Api& api) {
    if (query_.resource.group == api::kDraGroup) {
      const client::Answer<void> versions = co_await api.UseVersions();
      if (!versions) {
        co_return versions.error();
      }
    }
    const live::Need need = NeedFor(query_);
    client::Reflector reflector(api, {.resource = api.Served(need.resource), .choice = need.choice},
                                Receiver(api));
    reflector.Start();
    co_return co_await ended_;
  }

 private:
  client::Reflector::Receiver Receiver(client::Api& api) {
    return {.listing = [this] { listed_.clear(); },
            .listed = [this](std::string_view json) { Take(json); },
            .unlisted = [](std::string_view /*json*/) {},
            .replaced = [this] { Replaced(); },
            .changed = [this](std::string_view json) { return Changed(json); },
            .deleted = [this](std::string_view json) { return Changed(json); },
            .failed = [this, &api](const client::Failure& failure) { Failed(failure, api); }};
  }

  std::optional<Item> Read(std::string_view json) const {
    Result<client::Metadata> metadata = client::Kind<client::Metadata>::Decode(json);
    if (!metadata) {
      return std::nullopt;
    }
    return Item{std::string(json), *std::move(metadata)};
  }
  void Take(std::string_view json) {
    if (std::optional<Item> item = Read(json)) {
      const api::ObjectMeta& meta = item->metadata.metadata;
      listed_.insert_or_assign({std::string(meta.ns), std::string(meta.name)}, *std::move(item));
    }
  }
  // After a gap only what changed in it is told.
  void Replaced() {
    std::vector<Item> items;
    for (auto& [key, item] : listed_) {
      const std::string version(item.metadata.metadata.resource_version);
      if (filter_.Chooses(item) && std::exchange(seen_[key], version) != version) {
        items.push_back(std::move(item));
      }
    }
    listed_.clear();
    broken_ = false;
    if (std::exchange(begun_, true)) {
      for (const Item& item : items) {
        Tell(item);
      }
    } else {
      printer_.Print(items);
    }
    console_.out.flush();
  }
  std::string Changed(std::string_view json) {
    const std::optional<Item> item = Read(json);
    if (!item) {
      return "";
    }
    const api::ObjectMeta& meta = item->metadata.metadata;
    seen_[{std::string(meta.ns), std::string(meta.name)}] = meta.resource_version;
    broken_ = false;
    Tell(*item);
    return std::string(meta.resource_version);
  }
  void Tell(const Item& item) {
    if (filter_.Chooses(item)) {
      printer_.Follow(item);
      console_.out.flush();
    }
  }
  // Before anything was told there is nothing to wait for; later the watch is begun anew.
  void Failed(const client::Failure& failure, client::Api& api) {
    const bool is_final = !begun_ || failure.Is(client::refused::kForbidden) ||
                          failure.Is(client::refused::kUnauthorized);
    if (is_final && !std::exchange(over_, true)) {
      api.loop().Post([bring = ended_.Bring(), failure] { bring(failure); });
    } else if (!is_final && !std::exchange(broken_, true)) {
      PrintLine(console_.err,
                fmt::format("note: the watch broke off and is begun anew: {}", failure.message));
    }
  }

  using Key = std::pair<std::string, std::string>;

  Filter filter_;
  ObjectPrinter printer_;
  const ObjectQuery& query_;
  Console& console_;
  std::map<Key, Item> listed_;
  std::map<Key, std::string> seen_;  // revisions that were told
  bool begun_ = false;
  bool broken_ = false;  // and nothing was told since
  bool over_ = false;
  loop::Later<client::Failure> ended_;
};

}  // namespace

Result<ObjectQuery> ReadObjectQuery(const Invocation& invocation, client::Resource resource,
                                    Listing listing) {
  ObjectQuery query{
      .resource = std::move(resource),
      .listing = std::move(listing),
      .ns = invocation.Has(kAllNamespacesFlag.name) ? "" : invocation.Value(kNamespaceFlag.name),
      .label_selector = invocation.Value(kSelectorFlag.name),
      .field_selector = invocation.Value(kFieldSelectorFlag.name)};
  QUADRA_RETURN_IF_ERROR(Scope::Of(invocation));
  if (const auto fields = api::FieldSelector::Parse(query.field_selector); !fields) {
    return Fail(ErrorKind::kUsage, "--field-selector: " + fields.error().ToString());
  }
  return query;
}

live::Need NeedFor(const ObjectQuery& query) {
  live::Need need{.resource = query.resource,
                  .choice = {.ns = query.resource.namespaced ? query.ns : "",
                             .label_selector = query.label_selector,
                             .field_selector = query.field_selector},
                  .vital = true};
  if (query.listing.names.size() == 1 && query.field_selector.empty()) {
    need.choice.field_selector = "metadata.name=" + query.listing.names.front();
  }
  return need;
}

ExitCode GetObjects(Source& source, const ObjectQuery& query, Console& console) {
  const Filter filter(query, !source.live());
  std::vector<Item> items;
  const auto take = [&](const json::Manifest& manifest, const api::Identity& identity) -> Status {
    if (identity.kind != query.resource.kind || identity.group() != query.resource.group) {
      return {};
    }
    QUADRA_TRY(client::Metadata metadata, client::Kind<client::Metadata>::Decode(manifest.json()));
    if (query.resource.namespaced && metadata.metadata.ns.empty()) {
      metadata.metadata.ns = "default";
    }
    Item item{std::string(manifest.json()), std::move(metadata)};
    if (filter.Chooses(item)) {
      items.push_back(std::move(item));
    }
    return {};
  };
  const ExitCode read = source.Read({NeedFor(query)}, console, {.take = take});
  if (IsNoAnswer(read)) {
    return read;
  }
  const ExitCode missing = SayMissing(query, items, source.holds(), console);
  if (const Status sorted = SortItems(items, query.listing.sort_by); !sorted) {
    return RefuseRows(sorted.error(), console);
  }
  return Worst(Worst(read, missing), ObjectPrinter(query, console).Print(items));
}

ExitCode WatchObjects(live::Session& session, const ObjectQuery& query, Console& console) {
  Watching watching(query, console);
  const client::Failure ended =
      session.Run<client::Failure>([&](client::Api& api) { return watching.Run(api); });
  const ExitCode code = Worst(RefuseAnswer(ended, session, console), ExitCode::kNo);
  return IsBadQuestion(ended) ? ExitCode::kUsage : code;
}

}  // namespace quadra::cli

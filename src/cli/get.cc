#include "cli/get.h"

#include <algorithm>
#include <array>
#include <map>
#include <ostream>
#include <set>

#include <fmt/format.h>

#include "base/nearest.h"
#include "base/time_zones.h"
#include "cli/columns.h"
#include "cli/document.h"
#include "cli/get_objects.h"
#include "cli/line.h"
#include "cli/live.h"
#include "cli/needs.h"
#include "cli/now_flag.h"
#include "cli/source.h"
#include "cli/verb.h"
#include "cli/words.h"
#include "placement/place.h"

namespace quadra::cli {
namespace {

constexpr Flag kWatchFlag{
    .name = "watch",
    .letter = 'w',
    .help =
        "Go on and print what changes, of a cluster that runs; ends with Ctrl-C. Not for pools "
        "and devices."};

constexpr auto kGetFlags = WithAccessFlags(std::array{
    kDumpFlag,
    kRecursiveFlag,
    kNamespaceFlag,
    kAllNamespacesFlag,
    kSelectorFlag,
    kFieldSelectorFlag,
    kWatchFlag,
    Flag{.name = "output",
         .letter = 'o',
         .value = "FORMAT",
         .choices = "table wide name json yaml jsonpath= custom-columns=",
         .help = "table (the default); wide has more columns; name prints names alone, of claims "
                 "and objects as kubectl does; json and "
                 "yaml print everything, jsonpath=TEMPLATE what kubectl's template language picks "
                 "of that, custom-columns=HEADING:FIELD,… a table of such fields."},
    Flag{.name = "node", .value = "NAME", .help = "Only what this node can use."},
    Flag{.name = "state",
         .value = "STATE",
         .help = "Only what is in this state, as the column STATE has it; shared stands for every "
                 "shared-N."},
    kSortByFlag,
    Flag{.name = "no-headers", .help = "Print tables without their headings."},
    Flag{.name = kNowFlagName,
         .value = "TIME",
         .help = "The time of the dump, e.g. 2026-08-01T12:18:00Z. AGE and SINCE are counted up to "
                 "it, and <unknown> without it: the clock of this machine has nothing to do with a "
                 "dump. For a cluster that runs it is the present."},
    kFeatureGatesFlag,
});

// What is listed: the objects of the dump, and what became of its devices.
struct Holdings {
  const placement::Cluster& cluster;
  const diagnosis::Stock& stock;
};
using Getter = ExitCode (*)(const Holdings&, const Listing&, Console&);

ExitCode ListPools(const Holdings& source, const Listing& listing, Console& console) {
  return GetPools(source.stock, listing, console);
}
ExitCode ListDevices(const Holdings& source, const Listing& listing, Console& console) {
  return GetDevices(source.stock, listing, console);
}
ExitCode ListClaims(const Holdings& source, const Listing& listing, Console& console) {
  return GetClaims(source.cluster, listing, console);
}

struct Kind {
  std::string_view name;
  std::string_view others;                   // space separated
  std::string_view states;                   // space separated
  Getter get = nullptr;                      // null: shown as the API server shows it
  client::Resource (*resource)() = nullptr;  // null: made of several kinds
};

constexpr std::array kGetKinds = {
    Kind{"pools", "pool pl", "ok incomplete invalid gone", ListPools},
    Kind{"devices", "device dev",
         "free blocked tainted in-use shared leaked unknown overbooked unpublished incomplete "
         "invalid outdated",
         ListDevices},
    Kind{"claims", "claim resourceclaim resourceclaims", "pending allocated reserved deleted",
         ListClaims, client::ResourceOf<api::ResourceClaim>},
    Kind{"pods", "pod po", "", nullptr, client::ResourceOf<api::Pod>},
    Kind{"nodes", "node no", "", nullptr, client::ResourceOf<api::Node>},
    Kind{"templates", "template resourceclaimtemplate resourceclaimtemplates", "", nullptr,
         client::ResourceOf<api::ResourceClaimTemplate>},
    Kind{"classes", "class deviceclass deviceclasses", "", nullptr,
         client::ResourceOf<api::DeviceClass>},
    Kind{"slices", "slice resourceslice resourceslices", "", nullptr,
         client::ResourceOf<api::ResourceSlice>},
};
constexpr std::string_view kKindNames = "pools devices claims pods nodes templates classes slices";

Result<const Kind*> FindKind(const std::string& word) {
  for (const Kind& kind : kGetKinds) {
    const std::vector<std::string_view> others = SplitWords(kind.others);
    if (word == kind.name || std::ranges::find(others, word) != others.end()) {
      return &kind;
    }
  }
  return Fail(Usage(fmt::format("there is no \"{}\" to get; there are: {}{}", word, kKindNames,
                                DidYouMean(word, SplitWords(kKindNames)))));
}

// A state as it is printed: shared-4 is one of shared.
Result<std::string> ReadState(const std::string& word, const Kind& kind) {
  const std::vector<std::string_view> states = SplitWords(kind.states);
  const std::string name = word.starts_with("shared-") ? "shared" : word;
  if (word.empty() || std::ranges::find(states, name) != states.end()) {
    return word;
  }
  return Fail(Usage(fmt::format("--state: \"{}\" is not one of: {}{}", word, kind.states,
                                DidYouMean(word, states))));
}

struct GetTask {
  const Kind* kind = nullptr;
  Listing listing;
  api::FeatureGates gates;
};

// What only some kinds can do.
Status CheckFlags(const Invocation& invocation, const Kind& kind) {
  const bool is_object = kind.resource != nullptr;
  for (const std::string_view flag : {kWatchFlag.name, kFieldSelectorFlag.name}) {
    if (invocation.Has(flag) && !is_object) {
      return Fail(Usage(fmt::format("--{} is for objects of the API; {} are made of several kinds",
                                    flag, kind.name)));
    }
  }
  if (invocation.Has("node") && kind.get == nullptr) {
    return Fail(
        Usage(fmt::format("--node is for pools, devices and claims; of pods --field-selector "
                          "spec.nodeName={} chooses",
                          invocation.Value("node"))));
  }
  if (invocation.Has(kFieldSelectorFlag.name) && kind.get != nullptr &&
      invocation.Has("filename")) {
    return Fail(
        Usage("--field-selector is for claims of a cluster that runs; -l chooses in a dump"));
  }
  if (invocation.Has(kWatchFlag.name) && invocation.Has("filename")) {
    return Fail(Usage("--watch is for a cluster that runs; a dump does not change"));
  }
  return {};
}

Result<GetTask> ReadGetTask(const Invocation& invocation) {
  if (invocation.arguments.empty()) {
    return Fail(Usage(fmt::format("get what? One of: {}", kKindNames)));
  }
  GetTask task;
  QUADRA_TRY(const Kind* const kind, FindKind(invocation.arguments.front()));
  task.kind = kind;
  QUADRA_RETURN_IF_ERROR(CheckFlags(invocation, *kind));
  task.listing.watch = invocation.Has(kWatchFlag.name);
  QUADRA_TRY(task.listing.now, ReadNow(invocation));
  QUADRA_TRY(task.gates, ReadFeatureGates(invocation));
  task.listing.format = invocation.Has("output") ? invocation.Value("output") : "table";
  task.listing.headings = !invocation.Has("no-headers");
  task.listing.sort_by = invocation.Value(kSortByFlag.name);
  if (!task.listing.sort_by.empty()) {
    QUADRA_RETURN_IF_ERROR(OrderBy(task.listing.sort_by, {}));
  }
  task.listing.node = invocation.Value("node");
  QUADRA_TRY(task.listing.state, ReadState(invocation.Value("state"), *kind));
  task.listing.names = {invocation.arguments.begin() + 1, invocation.arguments.end()};
  const bool in_namespace =
      invocation.Has(kNamespaceFlag.name) && !invocation.Has(kAllNamespacesFlag.name);
  if (in_namespace || invocation.Has("selector")) {
    QUADRA_TRY(Scope scope, Scope::Of(invocation));
    task.listing.shows = [scope = std::move(scope)](const diagnosis::DeviceHolder& holder) {
      return scope.Shows(holder.claim->metadata);
    };
  }
  return task;
}

// Whether `node` can use a device. Of a node that only slices name, it is known of what names it.
std::function<bool(const diagnosis::DeviceStock&)> ReachedFrom(const inventory::Snapshot& devices,
                                                               const std::string& node) {
  if (node.empty()) {
    return nullptr;
  }
  std::set<std::string> reached;
  if (const auto* const view = devices.ViewOf(node)) {
    for (const auto& candidate : view->candidates) {
      if (candidate.placed == decltype(candidate.placed)::kHere) {
        reached.insert(candidate.slice->IdOf(candidate.index).ToString());
      }
    }
  }
  for (const auto& slice : devices.slices().OfNode(node)) {
    for (std::size_t i = 0; i < slice->devices.size(); ++i) {
      reached.insert(slice->IdOf(i).ToString());
    }
  }
  return [reached = std::move(reached), node](const diagnosis::DeviceStock& device) {
    return device.node == node || reached.contains(device.id.ToString());
  };
}

// Of a cluster that runs no more than the listing shows.
std::vector<live::Need> NeedsOfGet(const GetTask& task, const Invocation& invocation) {
  std::vector<live::Need> needs = NeedsOfStock();
  if (task.kind->resource != nullptr) {
    const bool in_all = invocation.Has(kAllNamespacesFlag.name);
    needs = {
        Vital<api::ResourceClaim>({.ns = in_all ? "" : invocation.Value(kNamespaceFlag.name),
                                   .label_selector = invocation.Value(kSelectorFlag.name),
                                   .field_selector = invocation.Value(kFieldSelectorFlag.name)})};
  }
  if (!task.listing.node.empty()) {
    needs.push_back(Vital<api::Node>());
  }
  if (!task.listing.node.empty() && task.kind->resource != nullptr) {
    needs.push_back(Vital<api::ResourceSlice>());
  }
  return needs;
}

// Pools, devices and claims: what became of the devices.
ExitCode GetStock(Source& source, GetTask task, const Invocation& invocation, Console& console) {
  const SystemTimeZones zones;
  const selector::Language language(&zones);
  offline::Dump dump(language, task.gates);
  const ExitCode read = ReadDump(source, NeedsOfGet(task, invocation), console, dump);
  if (IsNoAnswer(read)) {
    return read;  // what is free of half a dump may be held by the other half
  }
  const inventory::Snapshot devices = dump.cluster().Take();
  if (const Status node = CheckNode(devices, task.listing.node, source.holds()); !node) {
    PrintLine(console.err, "error: " + node.error().ToString());
    return ExitCode::kUsage;
  }
  task.listing.is_reached = ReachedFrom(devices, task.listing.node);
  const diagnosis::Stock stock(dump.cluster(), devices);
  const ExitCode got = Worst(read, task.kind->get({dump.cluster(), stock}, task.listing, console));
  const std::string missing = placement::TextOfMissingClaims(dump.cluster());
  if (!missing.empty()) {
    PrintLine(console.err, "note: " + missing);
  }
  return missing.empty() ? got : Worst(got, ExitCode::kPartial);
}

ExitCode GetOrWatch(Source& source, const GetTask& task, const Invocation& invocation,
                    Console& console) {
  const Result<ObjectQuery> query =
      ReadObjectQuery(invocation, task.kind->resource(), task.listing);
  if (!query) {
    return RefuseUsage(query.error(), invocation.program, FindVerb("get"), console);
  }
  return task.listing.watch ? WatchObjects(*source.session(), *query, console)
                            : GetObjects(source, *query, console);
}

ExitCode GetFrom(Source& source, const Invocation& invocation, Console& console) {
  Result<GetTask> task = ReadGetTask(invocation);
  if (!task) {
    return RefuseUsage(task.error(), invocation.program, FindVerb("get"), console);
  }
  if (source.live()) {
    task->listing.has = source.holds();
    if (!task->listing.now && !task->listing.watch) {
      task->listing.now = SystemClock().Now();
    }
  }
  const bool as_objects = task->kind->get == nullptr || task->listing.watch;
  return as_objects ? GetOrWatch(source, *task, invocation, console)
                    : GetStock(source, *std::move(task), invocation, console);
}

ExitCode GetOne(const Invocation& invocation, Console& console) {
  const Result<GetTask> task = ReadGetTask(invocation);
  if (!task) {
    return RefuseUsage(task.error(), invocation.program, FindVerb("get"), console);
  }
  Sourced<Source> source = Source::Of(invocation, console);
  if (!source) {
    return RefuseSource(source.error(), console);
  }
  // Pools and devices are of no namespace; with -n what is held from there is shown.
  return task->kind->resource == nullptr ? GetFrom(*source, invocation, console)
                                         : GetFrom(*source, source->Complete(invocation), console);
}

// pods,claims: one table after the other.
ExitCode GetSeveral(const std::vector<std::string_view>& kinds, Invocation invocation,
                    Console& console) {
  if (invocation.Has("watch") || IsDocumentFormat(invocation.Value("output"))) {
    return RefuseUsage(Usage("several kinds come as tables or names only",
                             "ask for one kind at a time with -w, or -o json and the like"),
                       invocation.program, FindVerb("get"), console);
  }
  ExitCode code = ExitCode::kYes;
  for (const std::string_view kind : kinds) {
    if (kind != kinds.front() && invocation.Value("output") != "name") {
      console.out << "\n";
    }
    invocation.arguments[0] = kind;
    code = Worst(code, GetOne(invocation, console));
  }
  return code;
}

ExitCode RunGet(const Invocation& invocation, Console& console) {
  const std::string first = invocation.arguments.empty() ? "" : invocation.arguments[0];
  const std::vector<std::string_view> kinds = api::Split(first, ',');
  return kinds.size() > 1 ? GetSeveral(kinds, invocation, console) : GetOne(invocation, console);
}

}  // namespace

Lister::Lister(const Listing& listing, std::string_view kind, std::string_view list,
               std::vector<std::string> headings, Console& console)
    : listing_(listing),
      kind_(kind),
      list_(list),
      console_(console),
      headings_(std::move(headings)),
      found_(listing.names.size()) {}

bool Lister::Chooses(std::string_view full_name) {
  bool chosen = listing_.names.empty();
  for (std::size_t i = 0; i < listing_.names.size(); ++i) {
    const std::string& name = listing_.names[i];
    if (full_name == name || full_name.ends_with("/" + name)) {
      found_[i] = true;
      chosen = true;
    }
  }
  return chosen;
}

bool Lister::NeedsJson() const {
  return IsDocumentFormat(listing_.format) || listing_.format.starts_with(kCustomColumns) ||
         !listing_.sort_by.empty();
}

void Lister::Add(const std::string& name, const std::function<std::vector<std::string>()>& cells,
                 const std::function<void(json::Writer&)>& write) {
  Entry entry{.name = name};
  if (NeedsJson()) {
    json::Writer writer(entry.json);
    writer.BeginObject();
    write(writer);
    writer.EndObject();
  }
  if (listing_.format == "table" || listing_.wide()) {
    entry.cells = cells();
  }
  entries_.push_back(std::move(entry));
}

std::vector<std::string> Lister::Items() const {
  std::vector<std::string> items(entries_.size());
  std::ranges::transform(entries_, items.begin(), &Entry::json);
  return items;
}

Status Lister::Sort() {
  if (listing_.sort_by.empty()) {
    return {};
  }
  QUADRA_TRY(const std::vector<std::size_t> order, OrderBy(listing_.sort_by, Items()));
  std::vector<Entry> sorted;
  sorted.reserve(order.size());
  for (const std::size_t i : order) {
    sorted.push_back(std::move(entries_[i]));
  }
  entries_ = std::move(sorted);
  return {};
}

std::string Lister::Document() const {
  std::string document;
  json::Writer writer(document, 2);
  writer.BeginObject();
  writer.MemberIfAny("apiVersion", kDocumentVersion);
  writer.MemberIfAny("kind", list_);
  writer.Key("items");
  writer.BeginArray();
  for (const Entry& entry : entries_) {
    writer.Raw(entry.json);
  }
  writer.EndArray();
  writer.EndObject();
  return document + "\n";
}

void Lister::SayWhatIsMissing() {
  for (std::size_t i = 0; i < found_.size(); ++i) {
    if (!found_[i]) {
      PrintLine(console_.err,
                fmt::format("error: {} no {} \"{}\"", listing_.has, kind_, listing_.names[i]));
    }
  }
}

ExitCode Lister::Print() {
  const ExitCode code =
      std::ranges::find(found_, false) == found_.end() ? ExitCode::kYes : ExitCode::kNo;
  if (IsDocumentFormat(listing_.format)) {
    return PrintDocument(Document(), listing_.format, code, console_);
  }
  if (entries_.empty()) {
    console_.err << (code == ExitCode::kYes ? fmt::format("No {}s found.\n", kind_) : "");
    return code;
  }
  if (listing_.format == "name") {
    for (const Entry& entry : entries_) {
      PrintLine(console_.out, entry.name);
    }
    return code;
  }
  if (listing_.format.starts_with(kCustomColumns)) {
    return PrintedOr(PrintColumns(listing_.format.substr(kCustomColumns.size()), Items(),
                                  listing_.headings, console_.out),
                     code, console_);
  }
  Table table(headings_);
  for (Entry& entry : entries_) {
    table.Add(std::move(entry.cells));
  }
  table.Print(console_.out, listing_.headings);
  return code;
}

ExitCode Lister::Finish() {
  SayWhatIsMissing();
  if (const Status sorted = Sort(); !sorted) {
    PrintLine(console_.err, "error: " + sorted.error().ToString());
    return ExitCode::kUsage;
  }
  return Print();
}

std::string Joined(const std::vector<std::string>& names, bool all) {
  constexpr std::size_t kMostNamed = 3;
  const std::size_t named = all ? names.size() : std::min(names.size(), kMostNamed);
  std::string cell;
  for (std::size_t i = 0; i < named; ++i) {
    cell += (i == 0 ? "" : ",") + names[i];
  }
  return names.size() > named ? cell + fmt::format(",+{}", names.size() - named) : cell;
}

std::string NodeCell(const std::string& node, bool published) {
  return !published ? "<unknown>" : node.empty() ? "<several>" : node;
}

std::string LevelsCell(const std::vector<diagnosis::Level>& levels) {
  std::map<std::string, diagnosis::Level> sums;  // by name
  for (const diagnosis::Level& level : levels) {
    sums[level.name].used.Add(level.used);
    sums[level.name].total.Add(level.total);
  }
  std::vector<std::string> cells;
  cells.reserve(sums.size());
  for (const auto& [name, sum] : sums) {
    cells.push_back(fmt::format("{} {}/{}", name, sum.used.ToString(), sum.total.ToString()));
  }
  return Joined(cells, false);
}

void WriteLevels(json::Writer& writer, std::string_view key,
                 const std::vector<diagnosis::Level>& levels) {
  if (levels.empty()) {
    return;
  }
  writer.Key(key);
  writer.BeginObject();
  for (const diagnosis::Level& level : levels) {
    writer.Key(level.name);
    writer.BeginObject();
    writer.MemberIfAny("used", level.used.ToString());
    writer.MemberIfAny("total", level.total.ToString());
    writer.EndObject();
  }
  writer.EndObject();
}

const Verb kGetVerb{
    .name = "get",
    .synopsis =
        "pools|devices|claims|pods|nodes|templates|classes|slices [NAME…] [-f DUMP…] [-w] [-n "
        "NAMESPACE] [-l SELECTOR] [--node NAME] [--state "
        "STATE] "
        "[--sort-by FIELD] [-o FORMAT] [--now TIME]",
    .summary = "list pools, devices, claims or objects: what is free, who holds the rest",
    .description =
        "Several kinds may be named with commas between, as for kubectl: pods,claims. "
        "Reads the ResourceSlices, ResourceClaims, DeviceTaintRules and Pods of a cluster, or of a "
        "dump, and says "
        "what became of each device. A NAME chooses a pool (driver/pool, or pool alone) or a "
        "device (driver/pool/device, pool/device, or device alone), or a claim (namespace/name, or "
        "name alone). With -n or -l only what claims "
        "of that namespace, or with those labels, hold is listed.\n"
        "Pools:\n"
        "  DEVICES  devices of the pool's present generation.\n"
        "  USED     of these, how many claims hold, whole or in shares. Administrators' access "
        "does not count.\n"
        "  FREE     of these, how many one more claim of one device could take now: not held as a "
        "whole, without a taint that keeps pods away, and for a partition with enough left of its "
        "counters, for a shared device with enough left of each capacity for the smallest share "
        "its policy allows. Partitions exclude each other, so not all of them need to fit "
        "together.\n"
        "  TAINTED  of these, how many have a taint with effect NoSchedule or NoExecute.\n"
        "  LARGEST-FREE  the free device with the greatest share: of the counter sets it draws on, "
        "all their counters taken together, if it draws on any, else of the largest capacity of "
        "that name in the pool, counting what is "
        "left.\n"
        "  COUNTERS  used and total of the counters that partitions share, summed over the sets of "
        "the pool; json has each set. CAPACITY of a device that may be shared is alike.\n"
        "  STATE    ok; incomplete (slices are missing) or invalid (slices contradict each other), "
        "when nobody gets its devices; gone (devices are held, no slice is there).\n"
        "States of devices: free; blocked (a partition whose counters are taken); tainted; in-use; "
        "shared-N (N shares); leaked (allocated to a claim without a live consumer: reserved for "
        "nobody, or for pods that have finished or are not in the dump, which has others of their "
        "namespace); unknown (held for pods of a namespace of which the dump has none); "
        "overbooked (held as a whole and by another claim too, or in shares beyond its capacity); "
        "unpublished (allocated, and not published any more); incomplete, invalid (as the pool); "
        "outdated (only in slices of an older generation).\n"
        "Pods, nodes, templates, classes and slices are shown as kubectl shows them.\n"
        "Claims: their states as kubectl prints them (pending, allocated, reserved, deleted), "
        "which "
        "devices they hold, and for whom they are reserved.\n"
        "Exit status 0; 1 where something named is not there; 2 where the input is wrong; 5 where "
        "objects are broken and were left out, or pods use claims that the dump lacks.",
    .examples =
        "  quadra get pools --context prod\n"
        "  quadra dump > dump.yaml\n"
        "  quadra get pools -f dump.yaml -o wide\n"
        "  quadra get devices -f dump.yaml --state leaked --node gpu-07\n"
        "  quadra get pools -f dump.yaml --sort-by .free -o custom-columns=POOL:.name,FREE:.free\n"
        "  quadra get devices -f dump.yaml -n team-a --now \"$(date -u +%FT%TZ)\"\n"
        "  quadra get devices -f dump.yaml -o "
        "jsonpath='{range .items[?(@.state==\"leaked\")]}{.name}{\"\\n\"}{end}'\n",
    .flags = kGetFlags,
    .argument_choices = kKindNames,
    .most_arguments = kManyArguments,
    .run = RunGet,
};

}  // namespace quadra::cli

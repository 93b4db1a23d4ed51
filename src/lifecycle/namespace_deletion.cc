// Namespace deletion: empties a namespace that is being deleted, kind by kind, and lets go of it.
//
// Reading order: Sync (one namespace), Empty (its content), EmptyOf (one kind), Finalize. Pods go
// first, and everything else waits for them, since they may need it to end well.
#include <algorithm>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "api/object.h"
#include "json/value.h"
#include "lifecycle/discovery.h"
#include "lifecycle/lifecycle.h"
#include "lifecycle/namespace_conditions.h"

namespace quadra::lifecycle {
namespace {

using client::Answer;
using client::Looked;
using client::Resource;
using loop::Task;

constexpr std::size_t kNamespaceWorkers = 10;
// So that every server of a cluster has heard that nothing may be made there any more.
constexpr std::chrono::seconds kGrace(5);
constexpr std::chrono::seconds kLongestRetry(60);
// How long finalizers are thought to take.
constexpr std::int64_t kFinalizerSeconds = 15;
constexpr std::string_view kFinalizer = "kubernetes";
constexpr std::string_view kBackground =
    R"({"kind":"DeleteOptions","apiVersion":"v1","propagationPolicy":"Background"})";

bool NotServed(const client::Failure& failure) {
  return failure.code == 404 || failure.code == 405;
}

bool IsPods(const ServedKind& kind) {
  return kind.resource.group.empty() && kind.resource.plural == "pods";
}

// As Go prints it.
std::string GroupVersionResource(const Resource& resource) {
  return fmt::format("{}/{}, Resource={}", resource.group, resource.version, resource.plural);
}

// What is left of one kind, or of all.
struct Leftovers {
  std::int64_t estimate = 0;  // seconds until it may have gone; 0: gone, or nobody knows
  NamespaceFindings findings;

  void Add(Leftovers other) {
    estimate = std::max(estimate, other.estimate);
    for (std::string& failure : other.findings.failures) {
      findings.failures.push_back(std::move(failure));
    }
    for (const auto& [kind, count] : other.findings.left_by_kind) {
      findings.left_by_kind[kind] += count;
    }
    for (const auto& [finalizer, count] : other.findings.left_by_finalizer) {
      findings.left_by_finalizer[finalizer] += count;
    }
  }
};

// A namespace as the server has it, every field of it.
struct WholeNamespace {
  json::Value tree;
  std::string name;
  std::string uid;
  std::optional<Time> deleted;

  bool terminating() const { return tree.Get("status").Get("phase").text() == "Terminating"; }
  bool finalized() const {
    const json::Value& finalizers = tree.Get("spec").Get("finalizers");
    return finalizers.kind() != json::Kind::kArray || finalizers.items().empty();
  }
};

Answer<WholeNamespace> ReadNamespace(const Answer<std::string>& json) {
  if (!json) {
    return tl::unexpected(json.error());
  }
  Result<json::Value> tree = json::ParseValue(*json);
  const Result<client::Metadata> read = client::Kind<client::Metadata>::Decode(*json);
  if (!tree || !read) {
    const Error error = tree ? read.error() : tree.error();
    return tl::unexpected(client::Failure{.message = error.ToString()});
  }
  return WholeNamespace{.tree = *std::move(tree),
                        .name = read->metadata.name,
                        .uid = read->metadata.uid,
                        .deleted = read->metadata.deletion_timestamp};
}

// The longest that a pod of these may take to end.
std::int64_t LongestGrace(const std::vector<std::string>& pods) {
  std::int64_t longest = 0;
  for (const std::string& json : pods) {
    const Result<api::Pod> pod = client::Kind<api::Pod>::Decode(json);
    if (pod && pod->status.phase != "Succeeded" && pod->status.phase != "Failed") {
      longest = std::max(longest, pod->spec.termination_grace_period_seconds.value_or(0));
    }
  }
  return longest;
}

// Items that are still there after they were deleted.
Leftovers LeftOf(const Resource& resource, const std::string& ns,
                 const std::vector<std::string>& items, std::int64_t estimate) {
  Leftovers left{.estimate = estimate, .findings = {}};
  if (items.empty()) {
    left.estimate = 0;
    return left;
  }
  left.findings.left_by_kind[resource.plural + "." + resource.group] = items.size();
  for (const std::string& json : items) {
    if (const Result<client::Metadata> item = client::Kind<client::Metadata>::Decode(json)) {
      for (const std::string& finalizer : item->metadata.finalizers) {
        ++left.findings.left_by_finalizer[finalizer];
      }
    }
  }
  if (estimate == 0 && !left.findings.left_by_finalizer.empty()) {
    left.estimate = kFinalizerSeconds;
  } else if (estimate == 0) {
    left.findings.failures.push_back(
        fmt::format("unexpected items still remain in namespace: {} for gvr: {}", ns,
                    GroupVersionResource(resource)));
  }
  return left;
}

class NamespaceDeletion final : public client::Controller {
 public:
  explicit NamespaceDeletion(client::ControllerContext& context)
      : context_(context),
        namespaces_(context.informers.Of<api::Namespace>()),
        queue_(context.api.loop(),
               {.meter = context.work.For("namespace"),
                .workers = kNamespaceWorkers,
                .longest_delay = kLongestRetry},
               [this](std::string name) { return Sync(std::move(name)); }) {
    namespaces_.OnChange(
        {.added = [this](const api::Namespace& now) { Enqueue(now); },
         .updated = [this](const api::Namespace&, const api::Namespace& now) { Enqueue(now); }});
  }

  void Start() override { queue_.Start(); }
  bool idle() const override { return queue_.idle(); }

 private:
  void Enqueue(const api::Namespace& ns) {
    if (ns.metadata.deletion_timestamp) {
      queue_.AddAfter(kGrace, ns.metadata.name);
    }
  }
  client::Api& api() { return context_.api; }
  Looked Failed(const std::string& name, const client::Failure& failure);

  void LogFindings(const std::string& name, const NamespaceFindings& findings) const;
  Task<Looked> Sync(std::string name);
  Task<Answer<WholeNamespace>> MarkTerminating(WholeNamespace ns);
  Task<Looked> SyncTerminating(WholeNamespace ns);
  Task<Leftovers> Empty(std::string ns, std::optional<Time> deleted);
  Task<Leftovers> EmptyOf(ServedKind kind, std::string ns, std::optional<Time> deleted);
  Task<Answer<void>> DeleteAll(ServedKind kind, std::string ns, std::vector<std::string> items);
  Task<Answer<void>> DeleteEach(Resource resource, std::string ns, std::vector<std::string> items);
  Task<WholeNamespace> TellConditions(WholeNamespace ns, NamespaceFindings findings);
  Task<Looked> Finalize(WholeNamespace ns);
  Task<Answer<WholeNamespace>> Put(WholeNamespace ns, std::string_view subresource);

  client::ControllerContext& context_;
  client::Informer<api::Namespace>& namespaces_;
  const Resource resource_ = client::ResourceOf<api::Namespace>();
  client::WorkQueue queue_;  // of names
};

// What is not there any more needs nothing.
Looked NamespaceDeletion::Failed(const std::string& name, const client::Failure& failure) {
  if (failure.Is(client::refused::kNotFound)) {
    return Looked::kDone;
  }
  context_.log(fmt::format("namespace controller: deleting {}: {}", name, failure.message));
  return Looked::kAgain;
}

Task<Looked> NamespaceDeletion::Sync(std::string name) {
  if (namespaces_.Find("", name) == nullptr) {
    co_return Looked::kDone;
  }
  Answer<WholeNamespace> ns = ReadNamespace(co_await api().Get(resource_, "", name));
  if (!ns) {
    co_return Failed(name, ns.error());
  }
  if (!ns->deleted) {
    co_return Looked::kDone;
  }
  ns = co_await MarkTerminating(*std::move(ns));
  if (!ns) {
    co_return Failed(name, ns.error());
  }
  if (!ns->deleted || ns->finalized()) {
    co_return Looked::kDone;
  }
  co_return co_await SyncTerminating(*std::move(ns));
}

Task<Answer<WholeNamespace>> NamespaceDeletion::MarkTerminating(WholeNamespace ns) {
  while (ns.deleted && !ns.terminating()) {
    json::Value* const status = ns.tree.Find("status");
    json::Value& written =
        status != nullptr ? *status : ns.tree.Set("status", json::Value(json::Value::Object{}));
    written.Set("phase", json::Value(std::string("Terminating")));
    Answer<WholeNamespace> kept = co_await Put(ns, "status");
    if (!kept && kept.error().Is(client::refused::kConflict)) {
      kept = ReadNamespace(co_await api().Get(resource_, "", ns.name));
    }
    if (!kept || kept->uid != ns.uid) {
      co_return kept;
    }
    ns = *std::move(kept);
  }
  co_return std::move(ns);
}

Task<Looked> NamespaceDeletion::SyncTerminating(WholeNamespace ns) {
  const std::string name = ns.name;
  const Leftovers left = co_await Empty(name, ns.deleted);
  ns = co_await TellConditions(std::move(ns), left.findings);
  if (!left.findings.complete()) {
    LogFindings(name, left.findings);
    co_return Looked::kAgain;
  }
  if (left.estimate > 0) {
    queue_.AddAfter(std::chrono::seconds(left.estimate / 2 + 1), name);
    co_return Looked::kDone;
  }
  co_return co_await Finalize(std::move(ns));
}

void NamespaceDeletion::LogFindings(const std::string& name,
                                    const NamespaceFindings& findings) const {
  const auto log = [&](std::string_view what) {
    context_.log(fmt::format("namespace controller: emptying {}: {}", name, what));
  };
  if (!findings.discovery_failure.empty()) {
    log(findings.discovery_failure);
  }
  for (const std::string& version : findings.undiscovered) {
    log(fmt::format("the server of {} is not there, so that its kinds are not known", version));
  }
  for (const std::string& failure : findings.failures) {
    log(failure);
  }
}

Task<Leftovers> NamespaceDeletion::Empty(std::string ns, std::optional<Time> deleted) {
  Leftovers left;
  const Answer<Kinds> kinds = co_await Discover(api());
  if (!kinds) {
    left.findings.discovery_failure = kinds.error().message;
    co_return left;
  }
  std::vector<ServedKind> emptied;
  std::ranges::copy_if(kinds->all, std::back_inserter(emptied), [](const ServedKind& kind) {
    return kind.preferred && kind.resource.namespaced && kind.Can("delete");
  });
  if (const auto pods = std::ranges::find_if(emptied, IsPods); pods != emptied.end()) {
    std::rotate(emptied.begin(), pods, pods + 1);
  }
  left.findings.undiscovered = kinds->missing;
  for (const ServedKind& kind : emptied) {
    Leftovers of_kind = co_await EmptyOf(kind, ns, deleted);
    const bool pods_remain = IsPods(kind) && !of_kind.findings.left_by_kind.empty();
    left.Add(std::move(of_kind));
    if (pods_remain) {
      // As upstream, which counts only once it has been through all kinds.
      left.findings.left_by_kind.clear();
      left.findings.left_by_finalizer.clear();
      break;
    }
  }
  co_return left;
}

// Kinds of which there is nothing cost one request.
Task<Leftovers> NamespaceDeletion::EmptyOf(ServedKind kind, std::string ns,
                                           std::optional<Time> deleted) {
  Leftovers failed;
  const bool pods = IsPods(kind);
  client::Choice choice{.ns = ns, .label_selector = {}, .field_selector = {}};
  client::Page page;
  if (kind.Can("list")) {
    Answer<client::Page> listed = co_await api().List(kind.resource, choice, !pods);
    if (!listed && !NotServed(listed.error())) {
      failed.findings.failures.push_back(listed.error().message);
      co_return failed;
    }
    if (!listed || listed->items.empty()) {
      co_return Leftovers();
    }
    page = *std::move(listed);
  }
  std::int64_t estimate = pods ? LongestGrace(page.items) : 0;
  if (deleted && api().loop().Now() - *deleted >= std::chrono::seconds(estimate)) {
    estimate = 0;
  }
  const Answer<void> gone = co_await DeleteAll(kind, ns, std::move(page.items));
  if (!gone) {
    failed.estimate = estimate;
    failed.findings.failures.push_back(gone.error().message);
    co_return failed;
  }
  if (!kind.Can("list")) {
    co_return Leftovers{.estimate = estimate, .findings = {}};
  }
  const Answer<client::Page> still = co_await api().List(kind.resource, choice, true);
  if (!still) {
    failed.estimate = estimate;
    failed.findings.failures.push_back(still.error().message);
    co_return failed;
  }
  co_return LeftOf(kind.resource, ns, still->items, estimate);
}

Task<Answer<void>> NamespaceDeletion::DeleteAll(ServedKind kind, std::string ns,
                                                std::vector<std::string> items) {
  if (kind.Can("deletecollection")) {
    std::string body(kBackground);
    const Answer<std::string> gone =
        co_await api().Fetch("DELETE", kind.resource.Path(ns), std::move(body));
    if (gone || !NotServed(gone.error())) {
      co_return gone ? Answer<void>() : tl::unexpected(gone.error());
    }
  }
  co_return co_await DeleteEach(std::move(kind.resource), std::move(ns), std::move(items));
}

Task<Answer<void>> NamespaceDeletion::DeleteEach(Resource resource, std::string ns,
                                                 std::vector<std::string> items) {
  for (const std::string& json : items) {
    const Result<client::Metadata> item = client::Kind<client::Metadata>::Decode(json);
    if (!item) {
      continue;
    }
    const client::Deletion deletion{.uid = item->metadata.uid,
                                    .resource_version = {},
                                    .propagation = client::Propagation::kBackground,
                                    .grace_seconds = {}};
    const Answer<std::string> gone =
        co_await api().Delete(resource, ns, item->metadata.name, deletion);
    if (!gone && !NotServed(gone.error())) {
      co_return tl::unexpected(gone.error());
    }
  }
  co_return Answer<void>();
}

// What cannot be told now is told the next time.
Task<WholeNamespace> NamespaceDeletion::TellConditions(WholeNamespace ns,
                                                       NamespaceFindings findings) {
  if (!UpdateConditions(ns.tree, findings, api().loop().Now())) {
    co_return ns;
  }
  Answer<WholeNamespace> kept = co_await Put(ns, "status");
  if (kept) {
    co_return *std::move(kept);
  }
  context_.log(fmt::format("namespace controller: telling the conditions of {}: {}", ns.name,
                           kept.error().message));
  co_return ns;
}

Task<Looked> NamespaceDeletion::Finalize(WholeNamespace ns) {
  for (;;) {
    if (json::Value* const spec = ns.tree.Find("spec"); spec != nullptr && !ns.finalized()) {
      std::erase_if(spec->Find("finalizers")->items(), [](const json::Value& finalizer) {
        return finalizer.kind() == json::Kind::kString && finalizer.string() == kFinalizer;
      });
    }
    const Answer<WholeNamespace> done = co_await Put(ns, "finalize");
    if (done) {
      co_return Looked::kDone;
    }
    if (!done.error().Is(client::refused::kConflict)) {
      co_return Failed(ns.name, done.error());
    }
    Answer<WholeNamespace> latest = ReadNamespace(co_await api().Get(resource_, "", ns.name));
    if (!latest || latest->uid != ns.uid) {
      co_return latest ? Looked::kDone : Failed(ns.name, latest.error());
    }
    ns = *std::move(latest);
  }
}

Task<Answer<WholeNamespace>> NamespaceDeletion::Put(WholeNamespace ns,
                                                    std::string_view subresource) {
  co_return ReadNamespace(
      co_await api().Update(resource_, "", ns.name, json::ToJson(ns.tree), subresource));
}

}  // namespace

std::unique_ptr<client::Controller> MakeNamespaceDeletion(client::ControllerContext& context) {
  return std::make_unique<NamespaceDeletion>(context);
}

}  // namespace quadra::lifecycle

#include "lifecycle/monitors.h"

#include <algorithm>
#include <utility>

namespace quadra::client {

Result<lifecycle::Tracked> Kind<lifecycle::Tracked>::Decode(std::string_view json) {
  QUADRA_TRY(Metadata read, Kind<Metadata>::Decode(json));
  return lifecycle::TrackedOf(std::move(read.metadata));
}

}  // namespace quadra::client

namespace quadra::lifecycle {
namespace {

bool Has(const api::ObjectMeta& meta, std::string_view finalizer) {
  return std::ranges::find(meta.finalizers, finalizer) != meta.finalizers.end();
}

bool IsCollected(const ServedKind& kind) {
  const bool is_event = kind.resource.plural == "events" &&
                        (kind.resource.group.empty() || kind.resource.group == "events.k8s.io");
  return kind.preferred && !is_event && kind.Can("delete") && kind.Can("list") && kind.Can("watch");
}

Sighting Of(const client::Resource& resource, const Tracked& object) {
  Sighting sighting = object.sighting;
  sighting.identity.api_version = resource.ApiVersion();
  sighting.identity.kind = resource.kind;
  return sighting;
}

}  // namespace

Tracked TrackedOf(api::ObjectMeta meta) {
  return {.sighting = {.identity = {.ns = std::move(meta.ns),
                                    .name = std::move(meta.name),
                                    .uid = std::move(meta.uid)},
                       .owners = {meta.owner_references.begin(), meta.owner_references.end()},
                       .being_deleted = meta.deletion_timestamp.has_value(),
                       .orphans_dependents = Has(meta, kOrphanFinalizer),
                       .deletes_dependents = Has(meta, kForegroundFinalizer)},
          .resource_version = std::move(meta.resource_version)};
}

struct Monitors::Monitor {
  Monitor(client::Api& api, const client::Resource& its, const Failed& failed)
      : resource(its),
        informer(api, {.resource = its,
                       .metadata_only = true,
                       .on_failure = [its, &failed](const client::Failure& failure) {
                         failed(its, failure);
                       }}) {}

  const client::Resource resource;
  client::Informer<Tracked> informer;
};

bool Monitors::Follow(const Kinds& kinds) {
  ByCollection wanted;
  for (const ServedKind& kind : kinds.all) {
    if (IsCollected(kind)) {
      const std::string path = kind.resource.Path("");
      const auto found = monitors_.find(path);
      wanted[path] = found != monitors_.end() ? found->second : Start(kind.resource);
    }
  }
  KeepMissing(kinds, wanted);
  const bool changed = wanted != monitors_;
  monitors_ = std::move(wanted);
  return changed;
}

void Monitors::KeepMissing(const Kinds& kinds, ByCollection& wanted) const {
  for (const auto& [path, monitor] : monitors_) {
    const bool missing =
        std::ranges::find(kinds.missing, monitor->resource.ApiVersion()) != kinds.missing.end();
    if (missing && monitor->informer.synced()) {
      wanted.emplace(path, monitor);
    }
  }
}

std::shared_ptr<Monitors::Monitor> Monitors::Start(const client::Resource& resource) {
  auto monitor = std::make_shared<Monitor>(api_, resource, failed_);
  monitor->informer.OnChange(
      {.added = [this,
                 resource](const Tracked& now) { graph_.Observe(nullptr, Of(resource, now)); },
       .updated = [this, resource](
                      const Tracked& before,
                      const Tracked& now) { graph_.Observe(&before.sighting, Of(resource, now)); },
       .deleted = [this,
                   resource](const Tracked& last) { graph_.Forget(Of(resource, last).identity); }});
  monitor->informer.Start();
  return monitor;
}

bool Monitors::synced() const {
  return !monitors_.empty() && std::ranges::all_of(monitors_, [](const auto& entry) {
    return entry.second->informer.synced();
  });
}

}  // namespace quadra::lifecycle

#include "apiserver/rewriting.h"

#include <fmt/format.h>

#include "apiserver/admission.h"
#include "apiserver/change.h"
#include "apiserver/judging.h"
#include "apiserver/pod_resize.h"
#include "apiserver/preparation.h"
#include "apiserver/stored_form.h"
#include "apiserver/strategy.h"
#include "apiserver/tree.h"

namespace quadra::apiserver {
namespace {

OkOrFailure CheckUid(const Ask& ask, const api::ObjectMeta& wanted,
                     const api::ObjectMeta& standing) {
  const bool is_patch = ask.request.method == "PATCH";  // whose uid is judged as any other field
  if (is_patch || wanted.uid.empty() || wanted.uid == standing.uid) {
    return {};
  }
  return Fail(Conflict(ask.resource_name(), standing.name,
                       fmt::format("Precondition failed: UID in precondition: {}, UID in object "
                                   "meta: {}",
                                   wanted.uid, standing.uid)));
}

// What may be written over only by who has seen it.
OkOrFailure CheckSeen(const Ask& ask, const api::ObjectMeta& wanted) {
  if (!wanted.resource_version.empty() || AllowsUnconditionalUpdate(ask.kind())) {
    return {};
  }
  validation::ErrorList errors;
  errors.Invalid(validation::Path("metadata.resourceVersion"), validation::Number(0),
                 "must be specified for an update");
  return Fail(Invalid(ask.kind().group, ask.kind().plural, wanted.name, errors.errors()));
}

// Of a namespace the finalizers of its spec count as well.
bool IsReleased(const api::Object& object) {
  const api::ObjectMeta meta = MetaOf(object);
  const api::Value* finalizers = Look(object, {"spec", "finalizers"});
  const auto* items = object.kind->kind == "Namespace" && finalizers != nullptr
                          ? finalizers->As<api::Value::Items>()
                          : nullptr;
  return meta.deletion_timestamp && meta.finalizers.empty() &&
         (items == nullptr || items->empty()) &&
         meta.deletion_grace_period_seconds.value_or(0) == 0;
}

// What changes through an address of its own alone, and there may: a pod's containers for debugging,
// and what it asks for.
api::Object WithSamePart(std::string_view subresource, const api::Object& wanted,
                         api::Object standing) {
  if (subresource == "resize") {
    return WithResourcesOf(wanted, std::move(standing));
  }
  if (subresource != "ephemeralcontainers") {
    return standing;
  }
  const api::Value* containers = Look(wanted, {"spec", "ephemeralContainers"});
  Reach(standing, {"spec", "ephemeralContainers"}) =
      containers == nullptr ? api::Value() : *containers;
  return standing;
}

OrFailure<api::Object> Judged(const Backend& backend, Ask& ask, api::Object wanted,
                              const api::Object& standing) {
  const std::string& part = ask.path().subresource;
  const auto operation =
      part == "status" ? validation::Operation::kStatus : validation::Operation::kUpdate;
  const std::vector<validation::FieldError> more =
      part == "resize" ? JudgeResize(wanted, standing, backend.gates)
                       : std::vector<validation::FieldError>();
  api::Object judged_against = WithSamePart(part, wanted, standing);
  return JudgeWrite(backend, operation, std::move(wanted), std::move(judged_against), ask, more);
}

// What the server decides of it.
void Prepare(const Ask& ask, const api::Object& standing, api::Object& stored) {
  const std::string& part = ask.path().subresource;
  if (part.empty()) {
    PrepareForUpdate(stored, standing);
  } else if (part == "status") {
    PrepareStatus(stored, standing);
  } else if (part == "resize" || part == "ephemeralcontainers") {
    CountGeneration(stored, standing);
  }
  Canonicalize(stored);
}

OrFailure<Plan> PlanFor(const Backend& backend, Ask& ask, api::Object wanted,
                        const api::Object& standing) {
  if (OkOrFailure same = CheckUid(ask, MetaOf(wanted), MetaOf(standing)); !same) {
    return Fail(std::move(same).error());
  }
  if (OkOrFailure seen = CheckSeen(ask, MetaOf(wanted)); !seen) {
    return Fail(std::move(seen).error());
  }
  const Proposal proposal{.operation = Proposal::Operation::kUpdate,
                          .kind = &ask.kind(),
                          .ns = ask.path().ns,
                          .name = ask.path().name,
                          .subresource = ask.path().subresource,
                          .user = &ask.user,
                          .object = &wanted,
                          .old = &standing};
  if (OkOrFailure admitted = Admit(backend, proposal); !admitted) {
    return Fail(std::move(admitted).error());
  }
  OrFailure<api::Object> stored = Judged(backend, ask, std::move(wanted), standing);
  if (!stored) {
    return Fail(std::move(stored).error());
  }
  Prepare(ask, standing, *stored);
  const Plan::Action action = IsReleased(*stored) ? Plan::Action::kRemove : Plan::Action::kPut;
  return Plan{.action = action, .object = *std::move(stored)};
}

}  // namespace

OkOrFailure CheckName(const api::ObjectMeta& meta, const ResourcePath& path) {
  if (meta.name != path.name) {
    return Fail(BadRequest(
        fmt::format("the name of the object ({}) does not match the name on the URL ({})",
                    meta.name, path.name)));
  }
  if (!path.ns.empty() && !meta.ns.empty() && meta.ns != path.ns) {
    return Fail(
        BadRequest(fmt::format("the namespace of the object ({}) does not match the "
                               "namespace on the request ({})",
                               meta.ns, path.ns)));
  }
  return {};
}

void Rewrite(const Backend& backend, const PendingPtr& pending, const WriteOptions& options,
             Wanted wanted) {
  const Ask& ask = pending->ask;
  Target target{.kind = &ask.kind(),
                .key = KeyOf(ask.kind(), ask.path().ns, ask.path().name),
                .resource = ask.resource_name(),
                .name = ask.path().name,
                .dry_run = options.dry_run};
  ChangeObject(
      backend, std::move(target),
      [&backend, pending, wanted = std::move(wanted),
       warnings = ask.warnings](const api::Object& standing) -> OrFailure<Plan> {
        pending->ask.warnings = warnings;  // those of an attempt that failed are gone
        OrFailure<api::Object> object = wanted(standing);
        return object ? PlanFor(backend, pending->ask, *std::move(object), standing)
                      : OrFailure<Plan>(Fail(std::move(object).error()));
      },
      [pending](const OrFailure<Changed>& changed) { pending->Finish(200, changed); });
}

}  // namespace quadra::apiserver

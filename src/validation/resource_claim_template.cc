// ResourceClaimTemplate: from which claims are made, one for each pod. Never changes.
#include "validation/claim_admin_access.h"
#include "validation/claim_declarative.h"
#include "validation/claim_gates.h"
#include "validation/claim_spec.h"
#include "validation/strategy.h"

namespace quadra::validation {
namespace {

using Template = api::ResourceClaimTemplate;

void Prepare(const Request& request, Template& claim_template, const Template* old,
             Dropped& dropped) {
  const Path spec("spec.spec");
  DropDisabledSpecFields(request, spec, claim_template.spec.spec,
                         old == nullptr ? nullptr : &old->spec.spec, dropped);
}

// Labels and annotations are all a template may say about the metadata of its claims. Names are
// upstream's, made from Go's field names.
void CheckForeignMeta(ErrorList& errors, const Path& path, const api::ObjectMeta& meta) {
  const std::pair<std::string_view, bool> fields[] = {
      {"name", !meta.name.empty()},
      {"generateName", !meta.generate_name.empty()},
      {"namespace", !meta.ns.empty()},
      {"selfLink", !meta.self_link.empty()},
      {"uID", !meta.uid.empty()},
      {"resourceVersion", !meta.resource_version.empty()},
      {"generation", meta.generation != 0},
      {"creationTimestamp", meta.creation_timestamp.has_value()},
      {"deletionTimestamp", meta.deletion_timestamp.has_value()},
      {"deletionGracePeriodSeconds", meta.deletion_grace_period_seconds.has_value()},
      {"ownerReferences", !meta.owner_references.is_nil()},
      {"finalizers", !meta.finalizers.is_nil()},
      {"managedFields", !meta.managed_fields.is_nil()},
  };
  for (const auto& [name, given] : fields) {
    if (given) {
      errors.Forbidden(path.Child(name), "cannot be set");
    }
  }
}

void CheckTemplateSpec(ErrorList& errors, const Path& path,
                       const api::ResourceClaimTemplateSpec& spec, const Request& request) {
  const Path metadata = path.Child("metadata");
  CheckAnnotations(errors, metadata.Child("annotations"), spec.metadata.annotations);
  CheckLabels(errors, metadata.Child("labels"), spec.metadata.labels);
  CheckForeignMeta(errors, metadata, spec.metadata);
  CheckClaimSpec(errors, path.Child("spec"), spec.spec, request);
}

// Unlike a claim, a template is looked into on every write.
void CheckTemplate(const Request& request, const Template& claim_template, const Template* old,
                   ErrorList& errors) {
  const Path metadata("metadata");
  const Path spec("spec");
  if (old == nullptr) {
    CheckAdminRequests(errors, claim_template.spec.spec.devices, request.namespace_labels);
  }
  CheckKindMeta(errors, metadata, claim_template.metadata, {.namespaced = true});
  CheckTemplateSpec(errors, spec, claim_template.spec, request);
  if (old == nullptr) {
    return;
  }
  CheckKindMetaUpdate(errors, metadata, claim_template.metadata, old->metadata);
  if (claim_template.spec != old->spec) {
    errors.Invalid(spec, Json(api::EncodeGoStruct(claim_template.spec)), "field is immutable");
  }
}

constexpr Strategy<Template> kStrategy{.resource = "resourceclaimtemplates.resource.k8s.io",
                                       .namespaced = true,
                                       .prepare = Prepare,
                                       .check = CheckTemplate,
                                       .declare = DeclareTemplate};

}  // namespace

Outcome Validate(const Request& request, Template& object, const Template* old) {
  return Run(request, object, old, kStrategy);
}

}  // namespace quadra::validation

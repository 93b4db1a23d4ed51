// ResourceClaim: what a pod asks for and what it got. The specification never changes; the status
// is written through its own subresource.
#include "validation/claim_admin_access.h"
#include "validation/claim_declarative.h"
#include "validation/claim_gates.h"
#include "validation/claim_spec.h"
#include "validation/claim_status.h"
#include "validation/strategy.h"

namespace quadra::validation {
namespace {

constexpr MetaRules kMetaRules{.namespaced = true};

void PrepareStatus(const Request& request, api::ResourceClaim& claim, const api::ResourceClaim& old,
                   Dropped& dropped) {
  claim.spec = old.spec;
  ResetMetaForStatus(claim.metadata, old.metadata);
  DropStatusFields(request, claim.status, old, dropped);
}

void Prepare(const Request& request, api::ResourceClaim& claim, const api::ResourceClaim* old,
             Dropped& dropped) {
  if (request.operation == Operation::kStatus) {
    PrepareStatus(request, claim, *old, dropped);
    return;
  }
  claim.status = old == nullptr ? api::ResourceClaimStatus() : old->status;
  DropDisabledSpecFields(request, Path("spec"), claim.spec, old == nullptr ? nullptr : &old->spec,
                         dropped);
}

void CheckCreate(const Request& request, const api::ResourceClaim& claim, ErrorList& errors) {
  CheckAdminRequests(errors, claim.spec.devices, request.namespace_labels);
  CheckKindMeta(errors, Path("metadata"), claim.metadata, kMetaRules);
  CheckClaimSpec(errors, Path("spec"), claim.spec, request);
}

// What was accepted once is not looked into again: the one thing to say about a specification is
// that it changed.
void CheckUpdate(const api::ResourceClaim& claim, const api::ResourceClaim& old,
                 ErrorList& errors) {
  const Path metadata("metadata");
  CheckKindMeta(errors, metadata, claim.metadata, kMetaRules);
  CheckKindMetaUpdate(errors, metadata, claim.metadata, old.metadata);
  if (claim.spec != old.spec) {
    errors.Invalid(Path("spec"), Json(api::EncodeGoStruct(claim.spec)), "field is immutable")
        .WithOrigin("immutable")
        .Cover();
  }
}

void CheckStatus(const Request& request, const api::ResourceClaim& claim,
                 const api::ResourceClaim& old, ErrorList& errors) {
  CheckAdminResults(errors, claim.status, old.status, request.namespace_labels);
  CheckKindMetaUpdate(errors, Path("metadata"), claim.metadata, old.metadata);
  CheckClaimStatus(errors, claim, old);
}

void CheckClaim(const Request& request, const api::ResourceClaim& claim,
                const api::ResourceClaim* old, ErrorList& errors) {
  switch (request.operation) {
    case Operation::kCreate:
      return CheckCreate(request, claim, errors);
    case Operation::kUpdate:
      return CheckUpdate(claim, *old, errors);
    case Operation::kStatus:
      return CheckStatus(request, claim, *old, errors);
  }
}

constexpr Strategy<api::ResourceClaim> kStrategy{.resource = "resourceclaims.resource.k8s.io",
                                                 .namespaced = true,
                                                 .prepare = Prepare,
                                                 .check = CheckClaim,
                                                 .declare = DeclareClaim};

}  // namespace

Outcome Validate(const Request& request, api::ResourceClaim& object,
                 const api::ResourceClaim* old) {
  return Run(request, object, old, kStrategy);
}

}  // namespace quadra::validation

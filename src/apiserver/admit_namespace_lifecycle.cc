// NamespaceLifecycle: nothing is created in a namespace that is not there or goes away, and three
// namespaces stay.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "apiserver/admission.h"
#include "apiserver/object_facts.h"
#include "apiserver/stored_form.h"

namespace quadra::apiserver {
namespace {

constexpr std::array<std::string_view, 3> kImmortal = {"default", "kube-public", "kube-system"};

const api::KindSchema& NamespaceKind() { return *api::FindKind("v1", "Namespace"); }

bool IsAccessReview(const api::KindSchema& kind) { return kind.kind.ends_with("AccessReview"); }

ResourceName ResourceNameOf(const api::KindSchema& kind) {
  return {.group = kind.group, .plural = kind.plural};
}

Failure Terminating(const Proposal& proposal) {
  Failure failure = Denied(
      proposal,
      fmt::format("unable to create new content in namespace {} because it is being terminated",
                  proposal.ns));
  failure.causes.push_back({.reason = "NamespaceTerminating",
                            .message = fmt::format("namespace {} is being terminated", proposal.ns),
                            .field = "metadata.namespace"});
  return failure;
}

OkOrFailure AdmitNamespace(const Proposal& proposal) {
  const bool refused = proposal.operation == Proposal::Operation::kDelete &&
                       std::ranges::find(kImmortal, proposal.name) != kImmortal.end();
  return refused ? OkOrFailure(Fail(Denied(proposal, "this namespace may not be deleted")))
                 : OkOrFailure();
}

}  // namespace

OkOrFailure AdmitNamespaceLifecycle(const Backend& backend, const Proposal& proposal) {
  if (Is(proposal, "", "Namespace")) {
    return AdmitNamespace(proposal);
  }
  if (proposal.ns.empty() || proposal.operation != Proposal::Operation::kCreate ||
      IsAccessReview(*proposal.kind)) {
    return {};
  }
  const store::RecordPtr found = backend.store.Head().Find(KeyOf(NamespaceKind(), "", proposal.ns));
  if (found == nullptr) {
    return Fail(NotFound(ResourceNameOf(NamespaceKind()), proposal.ns));
  }
  return FactsOf(*found).fields().at("status.phase") == "Terminating"
             ? OkOrFailure(Fail(Terminating(proposal)))
             : OkOrFailure();
}

}  // namespace quadra::apiserver

#include "apiserver/admission.h"

#include <array>

namespace quadra::apiserver {

std::span<const AdmissionPlugin> AdmissionPlugins() {
  static constexpr std::array kPlugins = {
      AdmissionPlugin{"NamespaceLifecycle", AdmitNamespaceLifecycle},
      AdmissionPlugin{"ServiceAccount", AdmitServiceAccount},
      AdmissionPlugin{"TaintNodesByCondition", AdmitTaintNodesByCondition},
      AdmissionPlugin{"Priority", AdmitPriority},
      AdmissionPlugin{"DefaultTolerationSeconds", AdmitDefaultTolerationSeconds},
  };
  return kPlugins;
}

OkOrFailure Admit(const Backend& backend, const Proposal& proposal) {
  for (const AdmissionPlugin& plugin : AdmissionPlugins()) {
    if (OkOrFailure admitted = plugin.admit(backend, proposal); !admitted) {
      return admitted;
    }
  }
  return {};
}

bool Is(const Proposal& proposal, std::string_view group, std::string_view kind) {
  return proposal.kind->kind == kind && proposal.kind->group == group;
}

Failure Denied(const Proposal& proposal, std::string_view why) {
  return Forbidden({.group = proposal.kind->group, .plural = proposal.kind->plural}, proposal.name,
                   why);
}

}  // namespace quadra::apiserver

#include "validation/pod_spec.h"

#include <algorithm>
#include <optional>
#include <string>

#include "api/object.h"
#include "validation/formats.h"
#include "validation/pod_resources.h"

namespace quadra::validation {
namespace {

using api::Container;
using api::List;
using api::PodResourceClaim;
using api::PodSpec;

bool IsMirrorPod(const api::ObjectMeta& metadata) {
  return metadata.annotations.contains("kubernetes.io/config.mirror");
}

void ValidateClaimName(ErrorList& errors, const Path& path, const std::string& name,
                       ClaimNames& seen) {
  if (name.empty()) {
    errors.Required(path);
    return;
  }
  if (!seen.insert(name).second) {
    errors.Duplicate(path, name);
    return;
  }
  CheckDnsLabel(errors, path, name);
}

void ValidateObjectName(ErrorList& errors, const Path& path,
                        const std::optional<std::string>& name) {
  if (!name) {
    return;
  }
  CheckDnsSubdomain(errors, path, *name);
}

void ValidateClaim(ErrorList& errors, const Path& path, const PodResourceClaim& claim,
                   ClaimNames& seen) {
  ValidateClaimName(errors, path.Child("name"), claim.name, seen);
  if (claim.resource_claim_name && claim.resource_claim_template_name) {
    errors.Invalid(
        path, Json(api::EncodeGoStruct(claim)),
        "at most one of `resourceClaimName` or `resourceClaimTemplateName` may be specified");
  }
  if (!claim.resource_claim_name && !claim.resource_claim_template_name) {
    errors.Invalid(path, Json(api::EncodeGoStruct(claim)),
                   "must specify one of: `resourceClaimName`, `resourceClaimTemplateName`");
  }
  ValidateObjectName(errors, path.Child("resourceClaimName"), claim.resource_claim_name);
  ValidateObjectName(errors, path.Child("resourceClaimTemplateName"),
                     claim.resource_claim_template_name);
}

void ValidateClaims(ErrorList& errors, const Path& path, const List<PodResourceClaim>& claims,
                    bool mirror) {
  const Path nowhere("");  // upstream names no field, and prints that as []
  ClaimNames seen;
  for (std::size_t i = 0; i < claims.size(); ++i) {
    if (mirror) {
      errors.Forbidden(nowhere.Key(""), "static pods do not support resource claims");
    } else {
      ValidateClaim(errors, path.Index(i), claims[i], seen);
    }
  }
}

ClaimNames NamesOf(const List<PodResourceClaim>& claims) {
  ClaimNames names;
  for (const PodResourceClaim& claim : claims) {
    if (!claim.name.empty()) {
      names.insert(claim.name);
    }
  }
  return names;
}

bool SplitsHugePages(const List<Container>& containers) {
  return std::ranges::any_of(containers, [](const Container& container) {
    return HasIndivisibleHugePages(container.resources.limits) ||
           HasIndivisibleHugePages(container.resources.requests);
  });
}

bool SplitsHugePages(const PodSpec& spec) {
  return SplitsHugePages(spec.containers) || SplitsHugePages(spec.init_containers) ||
         SplitsHugePages(spec.ephemeral_containers) || HasIndivisibleHugePages(spec.overhead);
}

// Any part given, even as an empty list or map.
bool IsGiven(const api::ResourceRequirements& resources) {
  return !resources.limits.is_nil() || !resources.requests.is_nil() || !resources.claims.is_nil();
}

struct ContainerRules {
  const ClaimNames& claims;
  bool whole_huge_pages;
};

void ValidateContainers(ErrorList& errors, const Path& path, const List<Container>& containers,
                        const ContainerRules& rules) {
  for (std::size_t i = 0; i < containers.size(); ++i) {
    const Path container = path.Index(i);
    ValidateContainerResources(errors, container.Child("resources"), containers[i].resources,
                               rules.claims, rules.whole_huge_pages);
  }
}

void ValidateEphemeralContainers(ErrorList& errors, const Path& path,
                                 const List<Container>& containers, const ContainerRules& rules) {
  for (std::size_t i = 0; i < containers.size(); ++i) {
    const Path container = path.Index(i);
    const Path resources = container.Child("resources");
    ValidateContainerResources(errors, resources, containers[i].resources, rules.claims,
                               rules.whole_huge_pages);
    if (IsGiven(containers[i].resources)) {
      errors.Forbidden(resources, "cannot be set for an Ephemeral Container");
    }
  }
}

void ValidatePodResources(ErrorList& errors, const Path& path,
                          const api::ResourceRequirements& resources, const ClaimNames& claims) {
  const Path list = path.Child("claims");
  if (!resources.claims.is_nil()) {
    errors.Forbidden(list, "claims may not be set for Resources at pod-level");
  }
  ValidateClaimReferences(errors, list, resources.claims, claims);
}

}  // namespace

void ValidatePodSpec(ErrorList& errors, const Path& path, const PodSpec& spec,
                     const PodSpecContext& context) {
  const bool mirror = context.metadata != nullptr && IsMirrorPod(*context.metadata);
  ValidateClaims(errors, path.Child("resourceClaims"), spec.resource_claims, mirror);

  const ClaimNames claims = NamesOf(spec.resource_claims);
  const ContainerRules rules{
      .claims = claims,
      .whole_huge_pages = context.old_spec == nullptr || !SplitsHugePages(*context.old_spec)};
  ValidateContainers(errors, path.Child("containers"), spec.containers, rules);
  ValidateContainers(errors, path.Child("initContainers"), spec.init_containers, rules);
  ValidateEphemeralContainers(errors, path.Child("ephemeralContainers"), spec.ephemeral_containers,
                              rules);
  if (spec.resources && context.pod_level_resources) {
    ValidatePodResources(errors, path.Child("resources"), *spec.resources, claims);
  }
}

}  // namespace quadra::validation

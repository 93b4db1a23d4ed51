#include "diagnosis/renewal.h"

#include <algorithm>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "placement/pod_claims.h"

namespace quadra::diagnosis {
namespace {

using placement::Cluster;
using placement::Examination;
using placement::Placer;

// The template that the claim was made from, where it says something else now; null otherwise.
const api::ResourceClaimTemplate* ChangedTemplateOf(const Cluster& cluster,
                                                    const api::ResourceClaim& claim,
                                                    const api::Pod* pod) {
  const api::ResourceClaim* made = cluster.claims().Find(claim.metadata.ns, claim.metadata.name);
  const api::ResourceClaimTemplate* from =
      made != nullptr ? cluster.templates().Find(claim.metadata.ns, TemplateOf(claim, pod))
                      : nullptr;
  return from != nullptr && !(from->spec.spec == made->spec) ? from : nullptr;
}

void AddChange(std::size_t index, const api::ResourceClaim& claim,
               const api::ResourceClaimSpec& spec, allocator::Fix& fix) {
  api::ResourceClaim changed = claim;
  changed.spec = spec;
  changed.status = {};
  if (fix.changed) {
    fix.others.push_back({.claim = index, .changed = std::move(changed)});
  } else {
    fix.claim = index;
    fix.changed = std::move(changed);
  }
}

// All claims as the fix leaves them.
std::vector<const api::ResourceClaim*> ChangedBy(const allocator::Fix& fix) {
  std::vector<const api::ResourceClaim*> claims;
  if (fix.changed) {
    claims.push_back(&*fix.changed);
  }
  for (const allocator::Fix::Change& other : fix.others) {
    claims.push_back(&other.changed);
  }
  return claims;
}

// The template whose claim the fix rewrites, where that says something else than the claim by now;
// null where there is none.
const api::ResourceClaimTemplate* RewrittenTemplate(const allocator::Fix& fix,
                                                    const Cluster& cluster, const api::Pod* pod) {
  for (const api::ResourceClaim* changed : ChangedBy(fix)) {
    const api::ResourceClaimTemplate* from = ChangedTemplateOf(cluster, *changed, pod);
    if (from != nullptr && !IsAsMade(cluster, *changed)) {
      return from;
    }
  }
  return nullptr;
}

// What a claim of the pod says once it is made anew after the fix; null where no template makes it.
const api::ResourceClaimSpec* SpecAnew(const api::ResourceClaim& claim, const allocator::Fix& fix,
                                       const Cluster& cluster, const api::Pod* pod) {
  const std::string from = TemplateOf(claim, pod);
  for (const api::ResourceClaim* changed : ChangedBy(fix)) {
    if (!from.empty() && TemplateOf(*changed, pod) == from) {
      return &changed->spec;
    }
  }
  const api::ResourceClaimTemplate* now = cluster.templates().Find(claim.metadata.ns, from);
  return now == nullptr ? nullptr : &now->spec.spec;
}

}  // namespace

std::string TemplateOf(const api::ResourceClaim& claim, const api::Pod* pod) {
  const api::PodResourceClaim* entry = pod != nullptr ? placement::EntryFor(claim, *pod) : nullptr;
  return entry != nullptr ? entry->resource_claim_template_name.value_or("") : "";
}

bool IsAsMade(const Cluster& cluster, const api::ResourceClaim& claim) {
  const api::ResourceClaim* made = cluster.claims().Find(claim.metadata.ns, claim.metadata.name);
  return made != nullptr && made->spec == claim.spec;
}

void TryRecreating(const Placer& placer, const Examination& examined, const allocator::Judge& judge,
                   Diagnosis& diagnosis) {
  allocator::Fix fix;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < examined.claims.size(); ++i) {
    const api::ResourceClaim& claim = examined.claims[i];
    const api::ResourceClaimTemplate* from =
        ChangedTemplateOf(placer.cluster(), claim, examined.pod);
    if (from != nullptr) {
      diagnosis.sentence += fmt::format("; template {} was changed since claim {} was made from it",
                                        from->metadata.name, api::FullNameOf(claim));
      names.push_back(claim.metadata.name);
      AddChange(i, claim, from->spec.spec, fix);
    } else if (claim.status.allocation && !TemplateOf(claim, examined.pod).empty()) {
      AddChange(i, claim, claim.spec, fix);  // it goes with the pod too
    }
  }
  if (names.empty()) {
    return;
  }
  fix.kind = allocator::Fix::Kind::kRecreate;
  fix.text = fmt::format(
      "delete the pod and create it again, so that claim {} {} made from the template as it is now",
      fmt::join(names, " and claim "), names.size() == 1 ? "is" : "are");
  allocator::Settle(std::move(fix), judge, diagnosis.fixes);
}

allocator::Fix Renewed(const allocator::Fix& fix, const Cluster& cluster,
                       const Examination& examined) {
  const api::ResourceClaimTemplate* rewritten = RewrittenTemplate(fix, cluster, examined.pod);
  if (rewritten == nullptr || fix.kind == allocator::Fix::Kind::kRecreate) {
    return fix;
  }
  allocator::Fix renewed = fix;
  for (std::size_t i = 0; i < examined.claims.size(); ++i) {
    const api::ResourceClaim& claim = examined.claims[i];
    const bool is_changed = std::ranges::any_of(ChangedBy(fix), [&](const auto* changed) {
      return api::FullNameOf(*changed) == api::FullNameOf(claim);
    });
    const api::ResourceClaimSpec* spec = SpecAnew(claim, fix, cluster, examined.pod);
    if (!is_changed && spec != nullptr) {
      AddChange(i, claim, *spec, renewed);
    }
  }
  renewed.text +=
      fmt::format("; template {} has to say so too: then delete the pod and create it again",
                  rewritten->metadata.name);
  return renewed;
}

void LeaveOutOutdated(const Cluster& cluster, const api::Pod* pod, const allocator::Fixes& found,
                      allocator::Fixes& more) {
  const bool recreates = std::ranges::any_of(found.found, [](const allocator::Fix& fix) {
    return fix.kind == allocator::Fix::Kind::kRecreate;
  });
  std::erase_if(more.found, [&](const allocator::Fix& fix) {
    return recreates && fix.changed && ChangedTemplateOf(cluster, *fix.changed, pod) != nullptr;
  });
}

}  // namespace quadra::diagnosis

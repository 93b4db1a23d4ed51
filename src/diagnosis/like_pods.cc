#include "diagnosis/like_pods.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "api/object.h"

namespace quadra::diagnosis {
namespace {

using Claims = std::vector<api::ResourceClaim>;

const api::PodCondition* ScheduledOf(const api::Pod& pod) {
  const auto& conditions = pod.status.conditions;
  const auto* const found = std::ranges::find(conditions, "PodScheduled", &api::PodCondition::type);
  return found == conditions.end() ? nullptr : &*found;
}

// The pod without what only names it, or says how it came about.
api::Pod Neutral(const api::Pod& pod) {
  api::Pod neutral;
  neutral.metadata.ns = pod.metadata.ns;
  neutral.metadata.deletion_timestamp = pod.metadata.deletion_timestamp;
  neutral.spec = pod.spec;
  neutral.status.phase = pod.status.phase;
  neutral.status.nominated_node_name = pod.status.nominated_node_name;
  if (const api::PodCondition* scheduled = ScheduledOf(pod)) {
    api::PodCondition condition;
    condition.type = scheduled->type;
    condition.status = scheduled->status;
    neutral.status.conditions.push_back(std::move(condition));
  }
  return neutral;
}

// Nodes may make a claim for them, which belongs to the one pod.
bool MayWantExtended(const api::Pod& pod) {
  const auto any = [](const auto& containers) {
    return std::ranges::any_of(containers, [](const api::Container& container) {
      return std::ranges::any_of(container.resources.requests, [](const auto& request) {
        return request.first.find('/') != std::string::npos;
      });
    });
  };
  return any(pod.spec.containers) || any(pod.spec.init_containers);
}

// Whether nothing but its spec tells the claim from others.
bool IsPlain(const api::ResourceClaim& claim) {
  return !claim.status.allocation && claim.status.reserved_for.empty() &&
         !claim.metadata.deletion_timestamp;
}

// What the claims want; empty where the pod cannot be like others.
std::string WantsOf(const api::Pod& pod, const Claims& claims, const placement::Placer& placer) {
  if (claims.empty() || MayWantExtended(pod) || !std::ranges::all_of(claims, IsPlain)) {
    return "";
  }
  std::string wants;
  for (const api::ResourceClaim& claim : claims) {
    const bool made = placer.claims().Find(claim.metadata.ns, claim.metadata.name) != nullptr;
    wants += api::EncodeJson(claim.spec) + (made ? "\n" : " to be made\n");
  }
  return wants;
}

// The claims' names in sentences: those of one pod become those of another.
class Renamer {
 public:
  Renamer(const Claims& from, const Claims& to) : from_(from), to_(to) {
    for (std::size_t i = 0; i < from.size(); ++i) {
      names_.emplace_back(api::FullNameOf(from[i]), api::FullNameOf(to[i]));
      names_.emplace_back("claim " + from[i].metadata.name, "claim " + to[i].metadata.name);
    }
  }

  void operator()(std::string& text) const {
    for (const auto& [from, to] : names_) {
      Replace(from, to, text);
    }
  }
  void operator()(reasons::Refusal& refusal) const {
    (*this)(refusal.claim);
    (*this)(refusal.message);
    (*this)(refusal.funnel.first_error);
  }
  // A changed claim of the one pod becomes that of the other.
  void operator()(api::ResourceClaim& changed) const {
    const auto same = std::ranges::find(from_, api::FullNameOf(changed),
                                        [](const auto& claim) { return api::FullNameOf(claim); });
    if (same != from_.end()) {
      changed.metadata = to_[static_cast<std::size_t>(same - from_.begin())].metadata;
    }
  }

 private:
  static bool IsOfName(char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '/';
  }
  static void Replace(const std::string& from, const std::string& to, std::string& text) {
    for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at)) {
      const std::size_t end = at + from.size();
      const bool whole =
          (at == 0 || !IsOfName(text[at - 1])) && (end == text.size() || !IsOfName(text[end]));
      if (whole) {
        text.replace(at, from.size(), to);
      }
      at += whole ? to.size() : 1;
    }
  }

  const Claims& from_;
  const Claims& to_;
  std::vector<std::pair<std::string, std::string>> names_;
};

void RenameFixes(const Renamer& rename, const api::Pod& pod, allocator::Fixes& fixes) {
  for (std::vector<allocator::Fix>* list : {&fixes.found, &fixes.undecided}) {
    for (allocator::Fix& fix : *list) {
      rename(fix.text);
      if (fix.changed) {
        rename(*fix.changed);
      }
      for (allocator::Fix::Change& other : fix.others) {
        rename(other.changed);
      }
      if (fix.pod) {
        fix.pod->metadata = pod.metadata;
        fix.pod->status = pod.status;
      }
    }
  }
  std::ranges::for_each(fixes.futile, rename);
}

}  // namespace

Diagnosis LikePods::Diagnose(const api::Pod& pod) {
  const reasons::OrRefusal<Claims> claims = placer_.claims().ClaimsOf(pod);
  const std::string wants = claims ? WantsOf(pod, *claims, placer_) : "";
  if (wants.empty()) {
    return DiagnoseAlone(pod);
  }
  api::Pod neutral = Neutral(pod);
  std::vector<Known>& alike = known_[wants];
  const auto known = std::ranges::find(alike, neutral, &Known::pod);
  if (known != alike.end()) {
    return Renamed(*known, pod, *claims);
  }
  alike.push_back({.pod = std::move(neutral), .claims = *claims, .diagnosis = DiagnoseAlone(pod)});
  return alike.back().diagnosis;
}

Diagnosis LikePods::DiagnoseAlone(const api::Pod& pod) const {
  Diagnosis diagnosis = DiagnosePod(placer_, pod);
  if (diagnosis.nodes.size() > most_nodes_) {
    diagnosis.further_nodes = diagnosis.nodes.size() - most_nodes_;
    diagnosis.nodes.resize(most_nodes_);
  }
  return diagnosis;
}

Diagnosis LikePods::Renamed(const Known& known, const api::Pod& pod, const Claims& claims) {
  Diagnosis diagnosis = known.diagnosis;
  const Renamer rename(known.claims, claims);
  diagnosis.subject = "pod/" + pod.metadata.name;
  if (const api::PodCondition* scheduled = ScheduledOf(pod)) {
    diagnosis.scheduled = *scheduled;
  }
  rename(diagnosis.sentence);
  rename(diagnosis.upstream_failure);
  rename(diagnosis.key);
  for (ReasonGroup& group : diagnosis.groups) {
    rename(group.message);
  }
  for (NodeFinding& finding : diagnosis.nodes) {
    rename(finding.refusal);
  }
  RenameFixes(rename, pod, diagnosis.fixes);
  if (diagnosis.state == Diagnosis::State::kWouldGet) {
    diagnosis.claims.clear();
    for (placement::ServedClaim& served : placer_.Foresee(pod).claims) {
      diagnosis.claims.push_back(std::move(served.claim));
    }
  }
  return diagnosis;
}

}  // namespace quadra::diagnosis

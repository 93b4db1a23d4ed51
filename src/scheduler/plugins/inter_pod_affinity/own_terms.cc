#include "scheduler/plugins/inter_pod_affinity/own_terms.h"

#include <algorithm>

namespace quadra::scheduler {

std::vector<AffinityTerm> WithNamespaces(std::vector<AffinityTerm> terms,
                                         const Snapshot& snapshot) {
  for (AffinityTerm& term : terms) {
    const LabelQuery& selector = term.namespace_selector;
    if (selector.SelectsNothing() || selector.SelectsEverything()) {
      continue;
    }
    std::vector<std::string> chosen = snapshot.NamespacesOf(selector);
    term.namespaces.insert(term.namespaces.end(), std::make_move_iterator(chosen.begin()),
                           std::make_move_iterator(chosen.end()));
    std::ranges::sort(term.namespaces);
    term.namespace_selector = {};
  }
  return terms;
}

bool MatchesAll(const std::vector<AffinityTerm>& terms, const api::Pod& other) {
  return !terms.empty() && std::ranges::all_of(terms, [&](const AffinityTerm& term) {
    return term.Matches(other, nullptr);
  });
}

bool MatchesAny(const std::vector<AffinityTerm>& terms, const api::Pod& other) {
  return std::ranges::any_of(
      terms, [&](const AffinityTerm& term) { return term.Matches(other, nullptr); });
}

}  // namespace quadra::scheduler

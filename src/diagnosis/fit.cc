#include "diagnosis/fit.h"

#include <set>
#include <utility>

#include <fmt/format.h>

#include "diagnosis/proof.h"

namespace quadra::diagnosis {
namespace {

constexpr std::string_view kOfKubernetes = "node.kubernetes.io/";

api::Pod CopyOf(const api::Pod& model, std::size_t number) {
  api::Pod copy = model;
  copy.metadata.name = fmt::format("{}-fit-{}", model.metadata.name, number);
  copy.metadata.uid.clear();
  copy.metadata.deletion_timestamp.reset();
  copy.spec.node_name.clear();
  copy.status = {};
  return copy;
}

// Of a pod without devices DiagnosePod has nothing to say: the nodes have.
Diagnosis WhyNot(placement::Placer& placer, const api::Pod& pod) {
  Diagnosis diagnosis = DiagnosePod(placer, pod);
  if (diagnosis.state != Diagnosis::State::kWantsNone) {
    return diagnosis;
  }
  diagnosis.nodes = FindingsOf(placer.Examine(pod), placer.devices().held());
  if (!diagnosis.nodes.empty()) {
    diagnosis.key = diagnosis.nodes.front().refusal;
    diagnosis.key_node = diagnosis.nodes.front().name;
  }
  return diagnosis;
}

std::set<std::string> TaintKeys(const inventory::NodesByName& nodes) {
  std::set<std::string> keys;
  for (const auto& [name, node] : nodes) {
    for (const api::Taint& taint : node->spec.taints) {
      if (!taint.key.starts_with(kOfKubernetes)) {
        keys.insert(taint.key);
      }
    }
  }
  return keys;
}

}  // namespace

Fits CountFits(placement::Placer& placer, const api::Pod& model, std::size_t most,
               const std::function<void()>& step) {
  Fits fits;
  while (fits.count < most) {
    const api::Pod copy = CopyOf(model, fits.count + 1);
    const placement::Decision decision = placer.Place(copy);
    if (!decision.allocated()) {
      fits.next = WhyNot(placer, copy);
      break;
    }
    ++fits.count;
    ++fits.by_node[decision.node];
    step();
  }
  return fits;
}

api::Pod PodWith(const api::ResourceClaimTemplate& made_from, const inventory::NodesByName& nodes) {
  api::Pod pod;
  pod.metadata.name = made_from.metadata.name;
  pod.metadata.ns = made_from.metadata.ns;
  api::PodResourceClaim entry{.name = "claim",
                              .resource_claim_name = std::nullopt,
                              .resource_claim_template_name = made_from.metadata.name};
  pod.spec.resource_claims.push_back(std::move(entry));
  for (const std::string& key : TaintKeys(nodes)) {
    api::Toleration toleration;
    toleration.key = key;
    toleration.op = "Exists";
    pod.spec.tolerations.push_back(std::move(toleration));
  }
  return pod;
}

}  // namespace quadra::diagnosis

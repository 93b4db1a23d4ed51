// Dump: what a cluster held at one moment, out of manifests. A door of this folder.
//
//   Dump dump(language, gates);
//   for (const json::Manifest& manifest : …) dump.Take(manifest, api_version, kind);
//   placement::Placer placer(dump.cluster(), {}, expressions);
//
// Any version of resource.k8s.io is read as v1, leniently. Namespaced objects without a namespace
// are in `default`, as kubectl would put them. Of an object that is given twice the later one
// counts, in the place of the first. A Deployment, ReplicaSet, StatefulSet or Job that no server has
// stored yet stands for the pods NAME-0, NAME-1, … that its controller would make. Pure: no I/O. Not thread-safe; memory: the cluster's.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "api/kinds.h"
#include "base/result.h"
#include "json/documents.h"
#include "placement/cluster.h"
#include "selector/selector.h"
#include "validation/validate.h"

namespace quadra::offline {

class Dump {
 public:
  // `language` must outlive this.
  Dump(const selector::Language& language, const api::FeatureGates& gates)
      : cluster_(language, gates) {}

  // Takes one object. Kinds that allocation does not look at are only counted. Errors name the
  // field; the dump is as before then.
  Status Take(const json::Manifest& manifest, std::string_view api_version, std::string_view kind);

  enum class Salvaged : std::uint8_t {
    kNothing,
    kHoldings,  // of a claim: which devices it holds, and for whom
    kDeciding,  // all but fields that decide nothing: annotations, conditions, …
  };
  // Takes what can be had of an object that Take refuses.
  Salvaged Salvage(const json::Manifest& manifest, std::string_view api_version,
                   std::string_view kind);

  // Taint rules are left out where gate DRADeviceTaintRules is off. Names are never empty.
  placement::Cluster& cluster() { return cluster_; }
  const placement::Cluster& cluster() const { return cluster_; }

  // Kinds that were not looked at, with their numbers.
  const std::map<std::string, std::size_t>& unused() const { return unused_; }
  // "3 Deployments, 1 Service"; empty where everything was of use.
  std::string UnusedText() const;
  // What was given twice, one sentence each, with file and line.
  const std::vector<std::string>& notes() const { return notes_; }

 private:
  Status TakeWorkload(const json::Manifest& manifest, std::string_view kind);
  // `json` in place of the manifest's own.
  Status TakeJson(const json::Manifest& manifest, std::string_view api_version,
                  std::string_view kind, std::string_view json);
  template <typename T>
  void Keep(T object, const json::Manifest& manifest, std::string_view kind);
  // Completes the name as the API server would, as far as that can be known.
  void Complete(api::ObjectMeta& meta, bool namespaced);

  placement::Cluster cluster_;
  std::size_t generated_names_ = 0;
  std::map<std::string, std::size_t> unused_;
  std::vector<std::string> notes_;
};

}  // namespace quadra::offline

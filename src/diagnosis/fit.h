// Fit: how many more pods of one sort a cluster takes, where, and what keeps the next one out.
//
//   placement::Placer placer(cluster, {}, expressions);
//   const Fits fits = CountFits(placer, pod, 100, [] {});
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <string>

#include "api/kinds.h"
#include "diagnosis/diagnose.h"
#include "placement/place.h"

namespace quadra::diagnosis {

struct Fits {
  std::size_t count = 0;
  std::map<std::string, std::size_t> by_node;  // of those that take any
  // Of the first that does not fit; absent where `most` do.
  std::optional<Diagnosis> next = std::nullopt;
};

// Places copies of `model`, one after the other, until one does not fit or `most` do. Each is a new
// pod, on no node and without claims of its own yet; claims that the model names are shared by all.
// `placer` keeps what they take. `step` is called after each. Cost: a Place each.
Fits CountFits(placement::Placer& placer, const api::Pod& model, std::size_t most,
               const std::function<void()>& step);

// A pod with one claim from the template. A template says nothing about nodes: the pod tolerates
// what nodes are tainted with, but for what Kubernetes itself says of them (node.kubernetes.io:
// cordoned, not ready, …).
api::Pod PodWith(const api::ResourceClaimTemplate& made_from, const inventory::NodesByName& nodes);

}  // namespace quadra::diagnosis

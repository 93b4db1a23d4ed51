// Refusals: of many reasons the one that counts, for a node and for all nodes.
#pragma once

#include <compare>
#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "api/kinds.h"
#include "reasons/refusal.h"

namespace quadra::placement {

// Of the reasons of one node the one that keeps the claims farthest from fitting, since the others
// could be met and it would still be no; of a request's alternatives the one that came nearest.
// REQUIRES: not empty.
const reasons::Refusal& KeyReason(const std::vector<reasons::Refusal>& refusals);

// "request gpu: …", with the claim in front where `claims` are several. Of an error that shows its
// place in an expression only the first line.
std::string SentenceOf(const reasons::Refusal& refusal, std::size_t claims);

// Why a node fails a pod on all nodes, as upstream would: with the node in front of its words.
reasons::Refusal FailureOn(const api::Node& node, reasons::Refusal failure);
// Whether our own reason tells what upstream's error does; ours comes with a proof.
bool SaysTheSame(const reasons::Refusal& own, const reasons::Refusal& failure);

// A refusal as like cases share it: the claim that is to blame by its place among those asked for,
// not by its name. Keeps what people are told, without the proof.
class SharedRefusal {
 public:
  // `claims`: namespace/name of those asked for.
  SharedRefusal(const reasons::Refusal& refusal, std::span<const std::string> claims);
  reasons::Refusal For(std::span<const std::string> claims) const;

 private:
  reasons::Refusal refusal_;
  std::size_t claim_;
};

// How near a node came to fitting: of two the greater is nearer.
struct Nearness {
  bool may_fit = false;         // nobody knows: it may fit as it is
  bool fits_otherwise = false;  // it rejects the pod, and nothing else is in the way
  // What its devices say, also where the node rejects the pod.
  reasons::Code devices = reasons::Code::kNodeRejects;
  bool admits = true;  // and it does not reject the pod besides

  friend auto operator<=>(const Nearness&, const Nearness&) = default;
};
// Of a node whose reason that counts is `key`; `devices` is the one of its devices, `key` itself
// where that is all there is.
Nearness NearnessOf(const reasons::Refusal& key, const reasons::Refusal& devices,
                    bool fits_otherwise);

using CodeCounts = std::vector<std::pair<reasons::Code, std::size_t>>;

// What nodes said, as it comes; remembers the nearest.
class Refusals {
 public:
  void Add(const reasons::Refusal& refusal, const Nearness& nearness);

  std::size_t total() const { return total_; }
  // Of the first node among those that came nearest to fitting. Where there was no node: NoSlices.
  const reasons::Refusal& nearest() const { return nearest_; }
  // How many nodes gave which code as theirs, most first, then by name.
  CodeCounts CodesByNodes() const;

 private:
  reasons::Refusal nearest_{.code = reasons::Code::kNoSlices, .message = "there are no nodes"};
  Nearness nearness_;  // of that one
  std::size_t total_ = 0;
  CodeCounts counts_;
};

}  // namespace quadra::placement

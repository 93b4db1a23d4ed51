// StandingQuestion: one question kept over time. Which node would take these claims best, now?
//
//   StandingQuestion standing(claims, {});
//   standing.Ask(inventory.Take(), verdicts);       // asks every node
//   …                                               // slices, claims and nodes change
//   standing.Ask(inventory.Take(), verdicts);       // asks the nodes that changed
//   if (standing.best()) place(standing.best()->node);
//
// Cost: planning the question once more (microseconds), finding out which nodes changed
// (Snapshot::VisitChanges: logarithmic), and for each of those one search and a place in an ordered
// set. So after one changed slice among 100,000 nodes it is that node's search, not 100,000 of
// them. All nodes are asked again after an event that concerns all: a class that the claims name,
// a taint rule, a pool that is not tied to nodes by name. Keeps about 150 bytes a node, and the
// last snapshot it saw.
//
// Answers are those of Allocator::Try, node by node. Snapshots may come in any order, those of
// forks too. Not thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "allocator/allocator.h"

namespace quadra::allocator {

class StandingQuestion {
 public:
  struct Answer {
    Allocator::Fit fit = Allocator::Fit::kDoesNotFit;
    std::int64_t score = 0;  // kFits: as upstream scores a node
  };
  struct Best {
    std::string node;
    std::int64_t score = 0;
  };

  // The claims must outlive this.
  StandingQuestion(std::span<const api::ResourceClaim* const> claims,
                   const Allocator::Options& options)
      : claims_(claims.begin(), claims.end()), options_(options) {}

  // Brings the answers up to `cluster`. `verdicts` are best the same ones every time.
  void Ask(const inventory::Snapshot& cluster, Verdicts& verdicts);

  // Of the nodes where they fit the one with the highest score, and of several the first by name;
  // nothing if they fit nowhere.
  std::optional<Best> best() const;
  std::size_t fitting() const { return ranking_.size(); }
  // What a node said; null for one that is not known.
  const Answer* AnswerOf(std::string_view node) const;
  // How many nodes were asked, ever.
  std::uint64_t asked() const { return asked_; }

 private:
  using Answers = std::map<std::string, Answer, std::less<>>;
  struct Better {
    bool operator()(const Answers::value_type* a, const Answers::value_type* b) const {
      return a->second.score != b->second.score ? a->second.score > b->second.score
                                                : a->first < b->first;
    }
  };
  using Classes = std::vector<std::shared_ptr<const api::DeviceClass>>;

  // Those that the claims name, in their order; null where there is none.
  Classes ClassesIn(const inventory::Snapshot& cluster) const;
  void Forget(const std::string& node);
  void Keep(const std::string& node, const Answer& answer);

  std::vector<const api::ResourceClaim*> claims_;
  Allocator::Options options_;
  std::optional<inventory::Snapshot> seen_;  // that the answers are about
  Classes classes_;                          // there
  Answers answers_;
  std::set<const Answers::value_type*, Better> ranking_;  // those that fit
  std::uint64_t asked_ = 0;
};

}  // namespace quadra::allocator

// NodeAnswers: what nodes said to a question about devices, until one of those changes that they see.
//
// The question is what is wanted without the names of claims: a thousand pods of one template want the
// same, and ask each node once.
//
//   answers.Follow(devices);                        // after the devices have changed
//   const auto page = answers.PageOf(question);
//   if (const NodeAnswers::Answer* known = page->Find(node)) …   else page->Keep(node, …);
//
// Bounded: the questions asked least recently go first. Threads: the scheduler's loop.
// Cost: a look-up; Follow() the nodes that changed.
#pragma once

#include <cstdint>
#include <list>
#include <memory>
#include <optional>
#include <string>

#include "absl/container/flat_hash_map.h"
#include "allocator/allocator.h"
#include "inventory/inventory.h"
#include "placement/place.h"

namespace quadra::scheduler {

class NodeAnswers {
 public:
  struct Answer {
    allocator::Allocator::Fit fit = allocator::Allocator::Fit::kDoesNotFit;
    std::int64_t score = 0;                           // kFits: of the alternatives
    std::string message;                              // kRefused: upstream's words
    bool fatal = false;                               // kRefused: upstream fails the pod
    std::shared_ptr<const reasons::Refusal> refused;  // kRefused: ours
    // Does not fit: why, where that was asked.
    std::shared_ptr<const placement::SharedRefusal> why;
  };

  class Page {
   public:
    explicit Page(const NodeAnswers& all) : all_(all) {}
    // Null where the node was not asked, or may say something else by now.
    Answer* Find(const std::string& node);
    Answer& Keep(const std::string& node, Answer answer);

   private:
    struct Entry {
      std::uint64_t time = 0;
      Answer answer;
    };
    const NodeAnswers& all_;
    absl::flat_hash_map<std::string, Entry> entries_;  // by node
  };

  // Must not outlive this.
  std::shared_ptr<Page> PageOf(const std::string& question);
  void Follow(const inventory::Snapshot& devices);
  // A class changed: nothing that was said holds.
  void Clear();

 private:
  static constexpr std::size_t kMostPages = 64;
  using Pages = std::list<std::pair<std::string, std::shared_ptr<Page>>>;  // most recent first

  std::optional<inventory::Snapshot> seen_;
  std::uint64_t time_ = 1;
  absl::flat_hash_map<std::string, std::uint64_t> changed_;  // when, by node
  Pages pages_;
  absl::flat_hash_map<std::string, Pages::iterator> index_;
};

}  // namespace quadra::scheduler

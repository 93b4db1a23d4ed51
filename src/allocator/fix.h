// Fix: a change after which claims fit.
//
// Candidates are made here, from why nodes refused; whether one helps is for a judge to say, who
// asks the way that the claims are placed. Only what he confirmed is offered. Nothing here changes
// anything.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "allocator/verdicts.h"
#include "api/kinds.h"
#include "inventory/inventory.h"
#include "reasons/refusal.h"

namespace quadra::allocator {

struct Fix {
  enum class Kind : std::uint8_t {
    kWait,  // for one claim to be released
    kFree,  // devices that several claims hold
    kLowerCount,
    kTolerate,         // a taint
    kReplaceConstant,  // of a selector, by a published value
    kDropSelector,
    kDropConstraint,
    kUseClass,  // that exists
    kLowerCapacity,
    kDelete,       // claims that hold for nobody
    kAdmitNode,    // tolerations, nodeSelector, affinity or nodeName of the pod, or a cordon
    kCorrectName,  // of an attribute or capacity that a selector reads and no device has
    kCombine,      // two of the above, neither of which suffices
    kRecreate,     // a pod, so that its claims are made from a template as it is now
  };
  Kind kind = Kind::kWait;
  std::string text;     // what to do, e.g. lower the count of request "gpu" from 4 to 3
  std::string besides;  // the end of the text, where that begins with a release and goes on
  std::string node;     // where the claims go then
  std::optional<std::size_t> claim;           // which claim changes
  std::optional<api::ResourceClaim> changed;  // that claim afterwards
  struct Change {
    std::size_t claim = 0;
    api::ResourceClaim changed;
  };
  std::vector<Change> others;          // the same of further claims, where several change
  std::vector<std::string> released;   // keys of the claims that go
  std::optional<api::Pod> pod;         // that pod afterwards, where it changes
  std::optional<api::Node> admitting;  // that node afterwards, where one changes
};
inline constexpr std::size_t kFixKinds = static_cast<std::size_t>(Fix::Kind::kRecreate) + 1;
std::string_view KindName(Fix::Kind kind);

// A node that the claims do not fit, and why.
struct Failure {
  const inventory::NodeView* node = nullptr;
  std::vector<reasons::Refusal> reasons;
};

struct Fixes {
  std::vector<Fix> found;           // at most a few of each kind, the cheapest kinds first
  std::vector<Fix> undecided;       // tried, and not known; they have no node
  std::vector<std::string> futile;  // what was tried and does not help
  std::size_t untried = 0;          // those for which no steps were left
  std::uint64_t steps = 0;          // of looks besides the judge's
};

// What became of the trial of a fix.
struct Judgement {
  enum class Answer : std::uint8_t {
    kFits,
    kDoesNotFit,
    kNotKnown,  // it ran out of steps
    kNotTried,  // none were left for it
  };
  Answer answer = Answer::kDoesNotFit;
  std::string node;  // kFits: where the claims go then
};
// Asked about a fix whose `node` is not set yet.
using Judge = std::function<Judgement(const Fix&)>;

// Asks about a fix, and keeps it among those that it then belongs to. Whether it was found.
bool Settle(Fix fix, const Judge& judge, Fixes& fixes);
// Adds those that are not there yet behind the others: a claim that is named twice has each twice.
void Append(Fixes more, Fixes& fixes);

// `failures`: the nodes in question, those that come nearest first; the views are the cluster's.
// `admissions`: what lets the pod onto some of them that reject it besides, each of which does not
// suffice by itself.
// Cost: some dozens of questions to the judge.
Fixes FindFixes(const inventory::Snapshot& cluster,
                std::span<const api::ResourceClaim* const> claims,
                std::span<const Failure> failures, std::span<const Fix> admissions,
                Verdicts& verdicts, const Judge& judge);

}  // namespace quadra::allocator

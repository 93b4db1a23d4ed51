#include "allocator/fix.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "allocator/fix_finder.h"

namespace quadra::allocator {
namespace {

// Looked at for holders and taints.
constexpr std::size_t kNearNodes = 8;

}  // namespace

FixFinder::FixFinder(const inventory::Snapshot& cluster,
                     std::span<const api::ResourceClaim* const> claims,
                     std::span<const Failure> failures, Verdicts& verdicts, const Judge& judge)
    : cluster_(cluster),
      claims_(claims.begin(), claims.end()),
      near_(failures.first(std::min(failures.size(), kNearNodes))),
      verdicts_(verdicts),
      judge_(judge) {}

Fixes FixFinder::Find() {
  // What is most likely to help is tried while there are steps for it, and listed last.
  TryConstraints();
  Fixes last = std::exchange(fixes_, {});
  TryReleases();
  for (const DemandPath& path : Paths()) {
    TryClasses(path);
    TryCounts(path);
    TryCapacities(path);
    TryTolerations(path);
    TrySelectors(path);
  }
  TryPairs(last);
  Append(std::move(last), fixes_);
  return std::move(fixes_);
}

// --- Asking.

bool FixFinder::Confirm(Fix fix, std::optional<std::size_t> request) {
  const std::size_t not_known = NotKnown();
  Half half{.fix = fix, .request = request};
  const bool found = Settle(std::move(fix), judge_, fixes_);
  if (!found && NotKnown() == not_known) {
    KeepHalf(std::move(half));
  }
  return found;
}

std::size_t FixFinder::NotKnown() const { return fixes_.undecided.size() + fixes_.untried; }

void FixFinder::InVain(std::string text, std::size_t not_known_before) {
  if (NotKnown() == not_known_before) {
    fixes_.futile.push_back(std::move(text));
  }
}

bool FixFinder::ConfirmChange(Fix::Kind kind, std::string text, std::size_t claim,
                              api::ResourceClaim changed, std::optional<std::size_t> request) {
  Fix fix;
  fix.kind = kind;
  fix.text = std::move(text);
  fix.claim = claim;
  fix.changed = std::move(changed);
  return Confirm(std::move(fix), request);
}

// --- Wording.

std::vector<FixFinder::DemandPath> FixFinder::Paths() const {
  std::vector<DemandPath> paths;
  for (std::size_t c = 0; c < claims_.size(); ++c) {
    const auto& requests = claims_[c]->spec.devices.requests;
    for (std::size_t r = 0; r < requests.size(); ++r) {
      const std::size_t count = requests[r].exactly ? 1 : requests[r].first_available.size();
      for (std::size_t a = 0; a < count; ++a) {
        paths.push_back({.claim = c, .request = r, .alternative = a});
      }
    }
  }
  return paths;
}

std::string FixFinder::NameOf(const DemandPath& path) const {
  const api::ResourceClaim& claim = *claims_[path.claim];
  const api::DeviceRequest& request = claim.spec.devices.requests[path.request];
  const std::string name =
      request.exactly ? request.name
                      : request.name + "/" + request.first_available[path.alternative].name;
  return claims_.size() == 1 ? fmt::format("request \"{}\"", name)
                             : fmt::format("request \"{}\" of claim {}", name, claim.metadata.name);
}

std::string FixFinder::HolderText(const std::string& key) const {
  const inventory::Holder* holder = cluster_.held().HolderOf(key);
  if (holder == nullptr) {
    return key;
  }
  return holder->consumers.empty()
             ? fmt::format("claim {}", holder->claim)
             : fmt::format("claim {} of {}", holder->claim, fmt::join(holder->consumers, ", "));
}

bool Settle(Fix fix, const Judge& judge, Fixes& fixes) {
  Judgement judgement = judge(fix);
  switch (judgement.answer) {
    case Judgement::Answer::kFits:
      fix.node = std::move(judgement.node);
      fixes.found.push_back(std::move(fix));
      return true;
    case Judgement::Answer::kNotKnown:
      fixes.undecided.push_back(std::move(fix));
      break;
    case Judgement::Answer::kNotTried:
      ++fixes.untried;
      break;
    case Judgement::Answer::kDoesNotFit:
      break;
  }
  return false;
}

void Append(Fixes more, Fixes& fixes) {
  const auto append = [](std::vector<Fix>& from, std::vector<Fix>& to) {
    for (Fix& fix : from) {
      if (std::ranges::find(to, fix.text, &Fix::text) == to.end()) {
        to.push_back(std::move(fix));
      }
    }
  };
  append(more.found, fixes.found);
  append(more.undecided, fixes.undecided);
  std::ranges::move(more.futile, std::back_inserter(fixes.futile));
  fixes.untried += more.untried;
  fixes.steps += more.steps;
}

std::string_view KindName(Fix::Kind kind) {
  constexpr std::array<std::string_view, kFixKinds> kNames = {
      "Wait",         "Free",           "LowerCount", "Tolerate",      "ReplaceConstant",
      "DropSelector", "DropConstraint", "UseClass",   "LowerCapacity", "Delete",
      "AdmitNode",    "CorrectName",    "Combine",    "Recreate"};
  return kNames[static_cast<std::size_t>(kind)];
}

Fixes FindFixes(const inventory::Snapshot& cluster,
                std::span<const api::ResourceClaim* const> claims,
                std::span<const Failure> failures, std::span<const Fix> admissions,
                Verdicts& verdicts, const Judge& judge) {
  FixFinder finder(cluster, claims, failures, verdicts, judge);
  for (const Fix& admission : admissions) {
    finder.KeepAdmission(admission);
  }
  return finder.Find();
}

}  // namespace quadra::allocator

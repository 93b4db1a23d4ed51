#include "offline/verdict.h"

#include <algorithm>
#include <array>
#include <map>
#include <string_view>
#include <tuple>

namespace quadra::offline {
namespace {

using reasons::Code;

std::string RequestOf(const allocator::NoFit& reason) {
  return reason.claim + "|" + reason.request.substr(0, reason.request.find('/'));
}

// Errors of a search, in upstream's words, that are about devices rather than about the question.
std::optional<Code> CodeOfError(std::string_view message) {
  struct Row {
    std::string_view words;
    Code code;
  };
  constexpr std::array kRows = {
      Row{"constraint would not be satisfied", Code::kConstraintUnmet},
      Row{"CEL runtime error", Code::kSelectorError},
      Row{"evaluate derived attribute", Code::kSelectorError},
  };
  const auto* found = std::ranges::find_if(
      kRows, [&](const Row& row) { return message.find(row.words) != std::string_view::npos; });
  return found == kRows.end() ? std::nullopt : std::optional(found->code);
}

}  // namespace

// The nearest alternative of each request, then the farthest request.
const allocator::NoFit& KeyReason(const std::vector<allocator::NoFit>& reasons) {
  std::map<std::string, const allocator::NoFit*> nearest;  // by request
  for (const allocator::NoFit& reason : reasons) {
    const allocator::NoFit*& best = nearest.try_emplace(RequestOf(reason), &reason).first->second;
    if (reason.code > best->code) {
      best = &reason;
    }
  }
  const allocator::NoFit* key = nullptr;
  for (const allocator::NoFit& reason : reasons) {
    const bool of_request = !reason.request.empty() || nearest.size() == 1;
    const bool is_nearest = nearest.find(RequestOf(reason))->second == &reason;
    if (of_request && is_nearest && (key == nullptr || reason.code < key->code)) {
      key = &reason;
    }
  }
  return key != nullptr ? *key : reasons.front();
}

Verdict VerdictOf(const allocator::Allocation& allocation, const std::vector<std::string>& titles) {
  Verdict verdict;
  if (allocation.reasons.empty()) {
    verdict.code = CodeOfError(allocation.message);
    verdict.message = allocation.message;
    return verdict;
  }
  const allocator::NoFit& key = KeyReason(allocation.reasons);
  verdict.code = key.code;
  verdict.message = key.message;
  verdict.request = key.request;
  const auto title = std::ranges::find(titles, key.claim);
  if (title != titles.end()) {
    verdict.claim = static_cast<std::size_t>(title - titles.begin());
  }
  return verdict;
}

void Refusals::Add(const Verdict& verdict) {
  if (total_ == 0 || verdict.code > nearest_.code) {
    nearest_ = verdict;
  }
  ++total_;
  if (!verdict.code) {
    return;
  }
  const auto same = std::ranges::find(counts_, *verdict.code, &std::pair<Code, std::size_t>::first);
  if (same != counts_.end()) {
    ++same->second;
  } else {
    counts_.emplace_back(*verdict.code, 1);
  }
}

std::vector<std::pair<Code, std::size_t>> Refusals::CodesByNodes() const {
  auto sorted = counts_;
  std::ranges::sort(sorted, [](const auto& a, const auto& b) {
    return std::tuple(b.second, reasons::NameOf(a.first)) <
           std::tuple(a.second, reasons::NameOf(b.first));
  });
  return sorted;
}

}  // namespace quadra::offline

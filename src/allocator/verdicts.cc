#include "allocator/verdicts.h"

#include <algorithm>
#include <utility>

namespace quadra::allocator {
namespace {

// So many bitmaps are kept; a cluster with more expressions in turn pays for them again.
constexpr std::size_t kMostBitmaps = 512;

std::string_view TextOf(const api::DeviceSelector& each) {
  return each.cel ? std::string_view(each.cel->expression) : std::string_view();
}

std::string KeyOf(const api::List<api::DeviceSelector>& of_class,
                  const api::List<api::DeviceSelector>& of_request) {
  std::string key;
  for (const auto* selectors : {&of_class, &of_request}) {
    for (const api::DeviceSelector& each : *selectors) {
      key.append(TextOf(each)).push_back('\0');
    }
  }
  return key;
}

bool IsSame(const std::weak_ptr<const selector::DeviceTable>& a,
            const std::weak_ptr<const selector::DeviceTable>& b) {
  return !a.owner_before(b) && !b.owner_before(a);
}

constexpr std::uint64_t kAllOnes = ~std::uint64_t{0};
constexpr std::size_t kWordBits = 64;

}  // namespace

std::shared_ptr<const selector::Sequenced> Verdicts::Of(
    const inventory::Snapshot& cluster, const api::List<api::DeviceSelector>& of_class,
    const api::List<api::DeviceSelector>& of_request) {
  Follow(cluster);
  Sequence& sequence = sequences_[KeyOf(of_class, of_request)];
  const std::uint64_t version = cluster.table().version();
  if (sequence.verdicts == nullptr || sequence.version != version) {
    auto verdicts = std::make_shared<selector::Sequenced>();
    const std::size_t words = (cluster.table().size() + kWordBits - 1) / kWordBits;
    verdicts->matches.assign(words, kAllOnes);
    verdicts->errors.assign(words, 0);
    Narrow(cluster, of_class, *verdicts);
    Narrow(cluster, of_request, *verdicts);
    sequence = {.version = version, .verdicts = std::move(verdicts)};
  }
  return sequence.verdicts;
}

void Verdicts::Follow(const inventory::Snapshot& cluster) {
  if (!IsSame(table_, cluster.table_handle()) || bitmaps_.size() > kMostBitmaps) {
    table_ = cluster.table_handle();
    bitmaps_.clear();
    sequences_.clear();
  }
}

const selector::Bitmaps* Verdicts::BitmapsOf(const inventory::Snapshot& cluster,
                                             const std::string& text) {
  const auto [at, is_new] = bitmaps_.try_emplace(text);
  if (is_new) {
    auto expression = expressions_.Get(text, selector::Profile::Stored(), selector::Use::kSelector);
    if (expression->error() == nullptr) {
      at->second = std::make_unique<selector::Bitmaps>(std::move(expression));
    }
  }
  if (selector::Bitmaps* bitmaps = at->second.get()) {
    const std::uint64_t before = bitmaps->work().evaluations;
    bitmaps->Refresh(cluster.table(), scratch_);
    evaluations_ += bitmaps->work().evaluations - before;
  }
  return at->second.get();
}

void Verdicts::Narrow(const inventory::Snapshot& cluster,
                      const api::List<api::DeviceSelector>& selectors,
                      selector::Sequenced& verdicts) {
  for (const api::DeviceSelector& each : selectors) {
    const selector::Bitmaps* next = BitmapsOf(cluster, std::string(TextOf(each)));
    for (std::size_t i = 0; i < verdicts.matches.size(); ++i) {
      const std::uint64_t fails = next != nullptr ? next->errors()[i] : kAllOnes;
      const std::uint64_t passes = next != nullptr ? next->matches()[i] : 0;
      verdicts.errors[i] |= verdicts.matches[i] & fails;
      verdicts.matches[i] &= passes;
    }
  }
}

}  // namespace quadra::allocator

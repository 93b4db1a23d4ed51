#include "allocator/verdicts.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace quadra::allocator {
namespace {

// So many bitmaps are kept; a cluster with more expressions in turn pays for them again.
constexpr std::size_t kMostBitmaps = 512;

std::string_view TextOf(const api::DeviceSelector& each) {
  return each.cel ? std::string_view(each.cel->expression) : std::string_view();
}

std::string SequenceKey(const api::List<api::DeviceSelector>& of_class,
                        const api::List<api::DeviceSelector>& of_request) {
  std::string key;
  for (const auto* selectors : {&of_class, &of_request}) {
    for (const api::DeviceSelector& each : *selectors) {
      key.append(TextOf(each)).push_back('\0');
    }
  }
  return key;
}

constexpr std::size_t kWordBits = 64;

}  // namespace

std::shared_ptr<const selector::Sequenced> Verdicts::Of(
    const inventory::Snapshot& cluster, const api::List<api::DeviceSelector>& of_class,
    const api::List<api::DeviceSelector>& of_request) {
  if (bitmaps_.size() > kMostBitmaps) {
    bitmaps_.clear();
    sequences_.clear();
  }
  Sequence& sequence = sequences_[SequenceKey(of_class, of_request)];
  if (sequence.table != cluster.shared_table()) {
    std::vector<const selector::Bitmaps*> selectors;
    for (const auto* each : {&of_class, &of_request}) {
      for (const api::DeviceSelector& selector : *each) {
        selectors.push_back(BitmapsOf(cluster.shared_table(), std::string(TextOf(selector))));
      }
    }
    Follow(cluster.shared_table(), selectors, sequence);
  }
  return sequence.verdicts;
}

void Verdicts::Follow(const Table& table, std::span<const selector::Bitmaps* const> selectors,
                      Sequence& sequence) {
  const selector::RowRange all{0, static_cast<selector::Row>(table->size())};
  const std::vector<selector::RowRange> changed =
      sequence.table == nullptr ? std::vector{all} : table->ChangedSince(*sequence.table);
  auto verdicts = sequence.verdicts == nullptr
                      ? std::make_shared<selector::Sequenced>()
                      : std::make_shared<selector::Sequenced>(*sequence.verdicts);
  const std::size_t words = (table->size() + kWordBits - 1) / kWordBits;
  ++epoch_.number;  // others may look at the former ones
  verdicts->matches.Resize(epoch_, words);
  verdicts->errors.Resize(epoch_, words);
  for (const selector::RowRange rows : changed) {
    const std::size_t end = std::min(words, (rows.end + kWordBits - 1) / kWordBits);
    for (std::size_t i = rows.begin / kWordBits; i < end; ++i) {
      const selector::BitmapWord word = selector::WordInSequence(selectors, i);
      verdicts->matches.At(epoch_, i) = word.matches;
      verdicts->errors.At(epoch_, i) = word.errors;
    }
  }
  sequence = {.table = table, .verdicts = std::move(verdicts)};
}

const selector::Bitmaps* Verdicts::BitmapsOf(const Table& table, const std::string& text) {
  const auto [at, is_new] = bitmaps_.try_emplace(text);
  if (is_new) {
    auto expression = expressions_.Get(text, selector::Profile::Stored(), selector::Use::kSelector);
    if (expression->error() == nullptr) {
      at->second = std::make_unique<selector::Bitmaps>(std::move(expression));
    }
  }
  if (selector::Bitmaps* bitmaps = at->second.get()) {
    const std::uint64_t before = bitmaps->work().evaluations;
    bitmaps->Refresh(table, scratch_);
    evaluations_ += bitmaps->work().evaluations - before;
  }
  return at->second.get();
}

}  // namespace quadra::allocator

// CycleState: what plugins remember of one pod from one extension point to the next.
//
//   state.Write(kKey, std::make_unique<Counts>(…));
//   if (Counts* counts = state.Read<Counts>(kKey)) …
//
// A key is a plugin's own name, or another text that lives for ever. Cloned for trials (preemption,
// nominated pods); data that trials do not change may be shared by its clones.
#pragma once

#include <algorithm>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

namespace quadra::scheduler {

class StateData {
 public:
  virtual ~StateData() = default;
  virtual std::unique_ptr<StateData> Clone() const = 0;
};

class CycleState {
 public:
  CycleState() = default;
  CycleState(CycleState&&) noexcept = default;
  CycleState& operator=(CycleState&&) noexcept = default;

  void Write(std::string_view key, std::unique_ptr<StateData> data) {
    if (Entry* const found = Find(key)) {
      found->second = std::move(data);
    } else {
      entries_.emplace_back(key, std::move(data));
    }
  }
  // Null where nothing was written. REQUIRES: what was written there is a T.
  template <typename T>
  T* Read(std::string_view key) const {
    const Entry* const found = Find(key);
    return found == nullptr ? nullptr : static_cast<T*>(found->second.get());
  }
  CycleState Clone() const {
    CycleState copy;
    for (const auto& [key, data] : entries_) {
      copy.entries_.emplace_back(key, data->Clone());
    }
    copy.skipped_filters_ = skipped_filters_;
    copy.skipped_scores_ = skipped_scores_;
    return copy;
  }

  // Plugins whose PreFilter or PreScore said Skip: their Filter or Score is not asked.
  void SkipFilter(std::string_view plugin) { skipped_filters_.push_back(plugin); }
  void SkipScore(std::string_view plugin) { skipped_scores_.push_back(plugin); }
  bool SkipsFilter(std::string_view plugin) const { return Has(skipped_filters_, plugin); }
  bool SkipsScore(std::string_view plugin) const { return Has(skipped_scores_, plugin); }

 private:
  using Entry = std::pair<std::string_view, std::unique_ptr<StateData>>;
  static bool Has(const std::vector<std::string_view>& names, std::string_view name) {
    return std::ranges::find(names, name) != names.end();
  }
  const Entry* Find(std::string_view key) const {
    const auto found = std::ranges::find(entries_, key, &Entry::first);
    return found == entries_.end() ? nullptr : &*found;
  }
  Entry* Find(std::string_view key) {
    return const_cast<Entry*>(
        std::as_const(*this).Find(key));  // NOLINT(cppcoreguidelines-pro-type-const-cast)
  }

  std::vector<Entry> entries_;
  std::vector<std::string_view> skipped_filters_;
  std::vector<std::string_view> skipped_scores_;
};

}  // namespace quadra::scheduler

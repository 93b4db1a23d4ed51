#include "lifecycle/zones.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace quadra::lifecycle {

namespace {

// A token, but for what floating point loses of it.
constexpr double kWhole = 1 - 1e-9;

}  // namespace

bool TaintQueue::Add(const std::string& node) {
  if (std::ranges::find(nodes_, node) != nodes_.end()) {
    return false;
  }
  nodes_.push_back(node);
  return true;
}

void TaintQueue::Remove(const std::string& node) { std::erase(nodes_, node); }

double TaintQueue::TokensAt(Time now) const {
  const double passed = std::chrono::duration<double>(now - counted_).count();
  return std::min(1.0, tokens_ + passed * rate_);
}

// What could be taken at once before can be now; what is only partly there starts anew.
void TaintQueue::SetRate(double rate, Time now) {
  if (rate == rate_) {
    return;
  }
  tokens_ = rate_ > 0 && TokensAt(now) >= kWhole ? 1 : 0;
  counted_ = now;
  rate_ = rate;
}

std::optional<std::string> TaintQueue::Take(Time now) {
  if (nodes_.empty() || rate_ <= 0 || TokensAt(now) < kWhole) {
    return std::nullopt;
  }
  tokens_ = std::max(0.0, TokensAt(now) - 1);
  counted_ = now;
  std::string node = std::move(nodes_.front());
  nodes_.pop_front();
  return node;
}

std::optional<Time> TaintQueue::Next(Time now) const {
  if (nodes_.empty() || rate_ <= 0) {
    return std::nullopt;
  }
  const double wait = std::max(0.0, (1 - TokensAt(now)) / rate_);
  return now + std::chrono::ceil<std::chrono::microseconds>(std::chrono::duration<double>(wait));
}

ZoneState StateOf(const ZoneCount& count, double unhealthy_share) {
  if (count.ready == 0 && count.unready > 0) {
    return ZoneState::kFullDisruption;
  }
  const bool many =
      count.unready > 2 && static_cast<float>(count.unready) / static_cast<float>(count.size()) >=
                               static_cast<float>(unhealthy_share);
  return many ? ZoneState::kPartialDisruption : ZoneState::kNormal;
}

double EvictionRate(ZoneState state, int size, const NodeLifecycleOptions& options) {
  switch (state) {
    case ZoneState::kInitial:
    case ZoneState::kNormal:
    case ZoneState::kFullDisruption:
      return options.eviction_rate;
    case ZoneState::kPartialDisruption:
      return size > options.large_cluster_size ? options.secondary_eviction_rate : 0;
  }
  return 0;
}

TaintQueue& Zones::QueueOf(const std::string& zone, Time now) {
  const auto [found, is_new] =
      zones_.try_emplace(zone, Zone{.queue = TaintQueue(options_.eviction_rate, now)});
  return found->second.queue;
}

std::vector<std::string> Zones::Names() const {
  std::vector<std::string> names;
  names.reserve(zones_.size());
  for (const auto& [name, zone] : zones_) {
    names.push_back(name);
  }
  return names;
}

bool Zones::WereAllLost(const Counts& counts) const {
  return std::ranges::all_of(counts, [&](const auto& count) {
    return zones_.at(count.first).state == ZoneState::kFullDisruption;
  });
}

bool Zones::AreAllLost(const Counts& counts) const {
  return std::ranges::all_of(counts, [&](const auto& count) {
    return StateOf(count.second, options_.unhealthy_zone) == ZoneState::kFullDisruption;
  });
}

void Zones::StopAll(const Counts& counts, Time now) {
  for (const auto& [name, count] : counts) {
    Zone& zone = zones_.at(name);
    zone.queue.SetRate(0, now);
    zone.state = ZoneState::kFullDisruption;
  }
}

void Zones::SetAll(const Counts& counts, Time now) {
  for (const auto& [name, count] : counts) {
    Zone& zone = zones_.at(name);
    zone.state = StateOf(count, options_.unhealthy_zone);
    zone.queue.SetRate(EvictionRate(zone.state, count.size(), options_), now);
  }
}

Zones::Turn Zones::Judge(const Counts& counts, Time now) {
  for (const auto& [name, count] : counts) {
    QueueOf(name, now);
  }
  std::erase_if(zones_, [&](const auto& zone) {
    return !counts.contains(zone.first) && zone.second.queue.empty();
  });
  const bool were_lost = WereAllLost(counts);
  const bool are_lost = AreAllLost(counts);
  if (are_lost && were_lost) {
    return Turn::kNone;
  }
  if (are_lost) {
    StopAll(counts, now);
    return Turn::kAllLost;
  }
  SetAll(counts, now);
  return were_lost ? Turn::kSomeBack : Turn::kNone;
}

}  // namespace quadra::lifecycle

#include "client/event_correlator.h"

#include <algorithm>
#include <chrono>
#include <initializer_list>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "api/vocabulary.h"

namespace quadra::client {
namespace {

constexpr std::size_t kRemembered = 4096;
constexpr std::size_t kMostAlike = 10;
constexpr std::chrono::minutes kAlikeWithin(10);
constexpr double kBurst = 25;
constexpr std::chrono::duration<double> kRefill = std::chrono::minutes(5);
constexpr std::string_view kCombined = "(combined from similar events): ";

// Parts that no part of another key runs into.
std::string Key(std::initializer_list<std::string_view> parts) {
  std::string key;
  for (const std::string_view part : parts) {
    key.append(part).push_back('\0');
  }
  return key;
}

std::string_view TypeKey(EventType type) { return type == EventType::kWarning ? "W" : "N"; }

std::string ObjectKey(const EventRecord& event) {
  const ObjectReference& about = event.about;
  return Key({about.kind, about.ns, about.name, about.uid, about.api_version, TypeKey(event.type)});
}

std::string GroupKey(const EventRecord& event) { return Key({ObjectKey(event), event.reason}); }

std::string EventKey(const EventRecord& event) {
  return event.combined ? GroupKey(event) : Key({GroupKey(event), event.message});
}

}  // namespace

EventCorrelator::EventCorrelator(std::string component, Random& random)
    : component_(std::move(component)),
      random_(random),
      groups_(kRemembered),
      known_(kRemembered),
      allowances_(kRemembered) {}

std::optional<EventRecord> EventCorrelator::Take(const ObjectReference& about, EventType type,
                                                 std::string_view reason, std::string_view message,
                                                 Time now) {
  EventRecord event{.ns = about.ns.empty() ? "default" : about.ns,
                    .about = about,
                    .type = type,
                    .reason = std::string(reason),
                    .message = std::string(message),
                    .component = component_,
                    .first = now,
                    .last = now};
  event.name = NewName(about.name, now);
  event.combined = Combines(event);
  if (event.combined) {
    event.message.insert(0, kCombined);
  }
  Count(event);
  return Allows(event) ? std::optional(std::move(event)) : std::nullopt;
}

bool EventCorrelator::Combines(const EventRecord& event) {
  Group& group = groups_.At(GroupKey(event));
  if (group.last && event.last - *group.last > kAlikeWithin) {
    group.messages.clear();
  }
  group.last = event.last;
  group.messages.insert(event.message);
  if (group.messages.size() < kMostAlike) {
    return false;
  }
  group.messages.erase(event.message);  // so that the next one that differs is the tenth again
  return true;
}

void EventCorrelator::Count(EventRecord& event) {
  Known& known = known_.At(EventKey(event));
  if (known.count == 0) {
    known = {.name = event.name, .first = event.first};
  }
  event.name = known.name;
  event.first = known.first;
  event.count = ++known.count;
}

bool EventCorrelator::Allows(const EventRecord& event) {
  Allowance& allowance = allowances_.At(ObjectKey(event));
  if (allowance.filled) {
    const std::chrono::duration<double> passed = event.last - *allowance.filled;
    allowance.tokens = std::min(kBurst, allowance.tokens + std::max(0.0, passed / kRefill));
  } else {
    allowance.tokens = kBurst;
  }
  allowance.filled = event.last;
  if (allowance.tokens < 1) {
    return false;
  }
  allowance.tokens -= 1;
  return true;
}

// Two of the same moment have two names. What would be no name of an object becomes a UUID.
std::string EventCorrelator::NewName(std::string_view about, Time now) {
  const auto stamp = std::chrono::nanoseconds(now.time_since_epoch()).count();
  last_stamp_ = std::max<std::int64_t>(stamp, last_stamp_ + 1);
  std::string name = fmt::format("{}.{:x}", about, last_stamp_);
  return api::DnsSubdomainProblems(name).empty() ? name : NewUuid(random_);
}

}  // namespace quadra::client

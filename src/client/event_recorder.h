// EventRecorder: tells people, through Events, what a role did about an object.
//
//   recorder.Record({.kind = "Pod", .ns = "team-a", .name = "train", .uid = uid, .api_version = "v1"},
//                   EventType::kWarning, "FailedResourceClaimCreation", "PodResourceClaim gpu: …");
//
// As upstream: the same event again is a higher count of the first one; more than ten alike in ten
// minutes are gathered in one "(combined from similar events)"; a source may record 25 about one
// object at once, then one in five minutes. Never waits and never fails: what cannot be written is
// dropped.
// Threads: the loop's.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "client/api.h"

namespace quadra::client {

struct ObjectReference {
  std::string api_version;
  std::string kind;
  std::string ns;
  std::string name;
  std::string uid;
  std::string resource_version;
};

enum class EventType : std::uint8_t { kNormal, kWarning };

class EventRecorder {
 public:
  // `component` is the source, e.g. resource_claim.
  EventRecorder(Api& api, std::string component);
  ~EventRecorder();
  EventRecorder(const EventRecorder&) = delete;
  EventRecorder& operator=(const EventRecorder&) = delete;

  // `action`: what was tried, e.g. Binding; empty: not said.
  void Record(const ObjectReference& about, EventType type, std::string_view reason,
              std::string_view message, std::string_view action = {});

 private:
  struct Parts;
  const std::shared_ptr<Parts> parts_;
};

}  // namespace quadra::client

// Shared: what the duties of the claim controller have in common: the server, its copies, and what
// was just written and has not come back yet.
//
// Threads: the loop's.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "api/vocabulary.h"
#include "claims/claim_meters.h"
#include "claims/pod_needs.h"
#include "claims/recent.h"
#include "client/api.h"
#include "client/role.h"

namespace quadra::claims {

// How long a copy may lag behind what we wrote before we ask the server itself.
inline constexpr std::chrono::seconds kLongestLag{10};

struct MadeClaim {
  ClaimPointer claim;
  Time made_at;
};

struct Shared {
  client::Api& api;
  client::Informer<api::Pod>& pods;
  client::Informer<api::ResourceClaim>& claims;
  client::Informer<api::ResourceClaimTemplate>& templates;
  const api::FeatureGates gates;
  const std::function<void(std::string_view)> log;
  ClaimMeters meters;
  client::EventRecorder events;
  std::function<void(std::chrono::microseconds, std::string key)> look_again;

  Recent<Nothing> gone_pods{10000};    // by uid: they were there, and were deleted
  Recent<MadeClaim> made{1000};        // by full name: ours that `claims` has not told of
  Recent<std::string> written{10000};  // by uid: the revision that our last write gave it
  Recent<std::string> strays{1000};    // by uid: see freeing.h
};

// Whether our last write to the object is newer than this copy of it, so that deciding by the copy
// is idle: an event will come.
bool IsOutdated(const Shared& shared, const api::ObjectMeta& metadata);
void NoteWritten(Shared& shared, const api::ObjectMeta& metadata);

// The claim as `claims` or our own write tell of it; null where neither does.
ClaimPointer Known(const Shared& shared, const std::string& full_name);

// A failure told in other words, before the server's.
client::Failure Because(std::string_view what, const client::Failure& failure);

// Patches the claim, and notes the revision. `subresource` must outlive the task.
loop::Task<client::Answer<ClaimPointer>> PatchClaim(Shared& shared, ClaimPointer claim,
                                                    std::string body, std::string_view subresource);

}  // namespace quadra::claims

#include "claims/claim_patches.h"

#include <algorithm>

#include "json/writer.h"
#include "placement/pod_claims.h"

namespace quadra::claims {
namespace {

// What the server compares; leaves the object open.
void BeginMetadata(json::Writer& out, std::string_view uid) {
  out.Key("metadata");
  out.BeginObject();
  out.Member("uid", uid);
}

void BeginPatch(json::Writer& out, const api::ResourceClaim& claim) {
  out.BeginObject();
  BeginMetadata(out, claim.metadata.uid);
  out.Member("resourceVersion", claim.metadata.resource_version);
}

void WriteConsumer(json::Writer& out, const api::ResourceClaimConsumerReference& consumer) {
  out.BeginObject();
  if (!consumer.api_group.empty()) {
    out.Member("apiGroup", consumer.api_group);
  }
  out.Member("resource", consumer.resource);
  out.Member("name", consumer.name);
  out.Member("uid", consumer.uid);
  out.EndObject();
}

}  // namespace

std::string ReservationPatch(const api::ResourceClaim& claim, const Consumers& reserved_for,
                             Allocation allocation) {
  std::string body;
  json::Writer out(body);
  BeginPatch(out, claim);
  out.EndObject();
  out.Key("status");
  out.BeginObject();
  out.Key("reservedFor");
  out.BeginArray();
  for (const auto& consumer : reserved_for) {
    WriteConsumer(out, consumer);
  }
  out.EndArray();
  if (allocation == Allocation::kCleared) {
    out.Key("allocation");
    out.Null();
  }
  out.EndObject();
  out.EndObject();
  return body;
}

bool HasFinalizer(const api::ResourceClaim& claim) {
  const auto& finalizers = claim.metadata.finalizers;
  return std::ranges::find(finalizers, placement::kDeleteProtection) != finalizers.end();
}

std::string FinalizerPatch(const api::ResourceClaim& claim) {
  std::string body;
  json::Writer out(body);
  BeginPatch(out, claim);
  out.Key("finalizers");
  out.BeginArray();
  for (const std::string& finalizer : claim.metadata.finalizers) {
    if (finalizer != placement::kDeleteProtection) {
      out.String(finalizer);
    }
  }
  out.EndArray();
  out.EndObject();
  out.EndObject();
  return body;
}

std::string ClaimNamesPatch(const api::Pod& pod, const ClaimNames& names) {
  std::string body;
  json::Writer out(body);
  out.BeginObject();
  BeginMetadata(out, pod.metadata.uid);
  out.EndObject();
  out.Key("status");
  out.BeginObject();
  out.Key("resourceClaimStatuses");
  out.BeginArray();
  for (const auto& [entry, claim] : names) {
    out.BeginObject();
    out.Member("name", entry);
    out.Member("resourceClaimName", claim);
    out.EndObject();
  }
  out.EndArray();
  out.EndObject();
  out.EndObject();
  return body;
}

std::string ConditionPatch(std::string_view uid, std::string_view condition) {
  std::string body;
  json::Writer out(body);
  out.BeginObject();
  BeginMetadata(out, uid);
  out.EndObject();
  out.Key("status");
  out.BeginObject();
  out.Key("conditions");
  out.BeginArray();
  out.Raw(condition);
  out.EndArray();
  out.EndObject();
  out.EndObject();
  return body;
}

}  // namespace quadra::claims

#include <algorithm>

#include <fmt/format.h>

#include "cli/age.h"
#include "cli/get.h"
#include "cli/targets.h"

namespace quadra::cli {
namespace {

using Results = api::List<api::DeviceRequestAllocationResult>;

// As kubectl's column of that name has them.
std::vector<std::string> StatesOf(const api::ResourceClaim& claim) {
  std::vector<std::string> states;
  if (claim.metadata.deletion_timestamp) {
    states.emplace_back("deleted");
  }
  if (claim.status.allocation) {
    states.emplace_back("allocated");
  } else if (states.empty()) {
    states.emplace_back("pending");
  }
  if (!claim.status.reserved_for.empty()) {
    states.emplace_back("reserved");
  }
  return states;
}

std::string StateOf(const api::ResourceClaim& claim) {
  std::string text;
  for (const std::string& state : StatesOf(claim)) {
    text += (text.empty() ? "" : ",") + state;
  }
  return text;
}

Results ResultsOf(const api::ResourceClaim& claim) {
  return claim.status.allocation ? claim.status.allocation->devices.results : Results();
}

std::vector<std::string> DeviceNamesOf(const api::ResourceClaim& claim) {
  std::vector<std::string> names;
  for (const api::DeviceRequestAllocationResult& result : ResultsOf(claim)) {
    names.push_back(fmt::format("{}/{}/{}", result.driver, result.pool, result.device));
  }
  return names;
}

// Pods by their names, others with their resource.
std::vector<std::string> UsersOf(const api::ResourceClaim& claim) {
  std::vector<std::string> users;
  for (const api::ResourceClaimConsumerReference& user : claim.status.reserved_for) {
    users.push_back(user.resource == "pods" ? user.name
                                            : fmt::format("{}/{}", user.resource, user.name));
  }
  return users;
}

bool IsClaimReached(const api::ResourceClaim& claim, const Listing& listing) {
  return listing.is_reached == nullptr ||
         std::ranges::any_of(ResultsOf(claim), [&](const auto& result) {
           return listing.is_reached({.id = {result.driver, result.pool, result.device}});
         });
}

bool IsClaimShown(const api::ResourceClaim& claim, const Listing& listing) {
  const std::vector<std::string> states = StatesOf(claim);
  return (listing.shows == nullptr || listing.shows({.claim = &claim})) &&
         IsClaimReached(claim, listing) &&
         (listing.state.empty() || std::ranges::find(states, listing.state) != states.end());
}

void WriteTexts(json::Writer& writer, std::string_view key, const std::vector<std::string>& texts) {
  writer.Key(key);
  writer.BeginArray();
  for (const std::string& text : texts) {
    writer.String(text);
  }
  writer.EndArray();
}

void WriteClaim(const api::ResourceClaim& claim, json::Writer& writer) {
  writer.MemberIfAny("name", claim.metadata.name);
  writer.MemberIfAny("namespace", claim.metadata.ns);
  writer.MemberIfAny("state", StateOf(claim));
  WriteTexts(writer, "devices", DeviceNamesOf(claim));
  WriteTexts(writer, "users", UsersOf(claim));
  if (claim.metadata.creation_timestamp) {
    writer.MemberIfAny("creationTimestamp", FormatSeconds(*claim.metadata.creation_timestamp));
  }
}

std::vector<std::string> ClaimCells(const api::ResourceClaim& claim, const Listing& listing) {
  return {claim.metadata.ns,
          claim.metadata.name,
          StateOf(claim),
          Joined(DeviceNamesOf(claim), listing.wide()),
          Joined(UsersOf(claim), listing.wide()),
          AgeOf(claim.metadata.creation_timestamp, listing.now)};
}

}  // namespace

ExitCode GetClaims(const placement::Cluster& cluster, const Listing& listing, Console& console) {
  Lister lister(listing, "claim", "ClaimList",
                {"NAMESPACE", "NAME", "STATE", "DEVICES", "USERS", "AGE"}, console);
  const client::Resource resource = client::ResourceOf<api::ResourceClaim>();
  for (const api::ResourceClaim& claim : cluster.claims().all()) {
    if (lister.Chooses(api::FullNameOf(claim)) && IsClaimShown(claim, listing)) {
      lister.Add(
          TitleOf(resource, claim.metadata.name), [&] { return ClaimCells(claim, listing); },
          [&](json::Writer& writer) { WriteClaim(claim, writer); });
    }
  }
  return lister.Finish();
}

}  // namespace quadra::cli

#include "claims/making.h"

#include <algorithm>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "claims/claim_names.h"
#include "claims/claim_patches.h"
#include "placement/pod_claims.h"

namespace quadra::claims {
namespace {

using client::Answer;
using client::Failure;
using TemplatePointer = std::shared_ptr<const api::ResourceClaimTemplate>;

// How many names are tried where others have taken ours.
constexpr std::size_t kMostNames = 8;

// What the gates forbid to make, in upstream's words.
std::optional<std::string> Forbidden(const Shared& shared,
                                     const api::ResourceClaimTemplate& made_from) {
  for (const api::DeviceRequest& request : made_from.spec.spec.devices.requests) {
    const bool admin = request.exactly && request.exactly->admin_access.value_or(false);
    if (admin && !shared.gates.Enabled(api::Gate::kDRAAdminAccess)) {
      return "admin access is requested, but the feature is disabled";
    }
  }
  for (const api::DeviceRequest& request : made_from.spec.spec.devices.requests) {
    if (!request.first_available.empty() && !shared.gates.Enabled(api::Gate::kDRAPrioritizedList)) {
      return "template includes a prioritized list of subrequests, but the feature is disabled";
    }
  }
  return std::nullopt;
}

// One that was made before the pod's status could say so.
ClaimPointer FindMade(const Shared& shared, const api::Pod& pod, const std::string& pod_claim) {
  const std::string key = api::FullName(pod.metadata.ns, pod.metadata.uid);
  for (const ClaimPointer& claim : shared.claims.With("claims.owner", key)) {
    if (IsMadeFor(*claim, pod, pod_claim)) {
      return claim;
    }
  }
  const ClaimPointer claim =
      Known(shared, api::FullName(pod.metadata.ns, NameOfClaim(pod, pod_claim)));
  return claim != nullptr && IsMadeFor(*claim, pod, pod_claim) ? claim : nullptr;
}

// Whether the claim that the pod's status names is there, and the pod's own.
loop::Task<Answer<bool>> Exists(Shared& shared, PodPointer pod, std::string name) {
  const std::string full_name = api::FullName(pod->metadata.ns, name);
  if (const ClaimPointer known = Known(shared, full_name)) {
    if (shared.claims.Find(full_name) == nullptr) {
      shared.look_again(kLongestLag, "pod:" + api::FullNameOf(*pod));
    }
    co_return placement::IsOwnedBy(*known, *pod);
  }
  const Answer<api::ResourceClaim> live =
      co_await shared.api.Get<api::ResourceClaim>(pod->metadata.ns, name);
  if (!live && !live.error().Is(client::refused::kNotFound)) {
    co_return tl::unexpected(Because("checking claim existence", live.error()));
  }
  co_return live&& placement::IsOwnedBy(*live, *pod);
}

// Asks for it once. Absent: the name is somebody else's.
loop::Task<Answer<std::optional<api::ResourceClaim>>> TryName(Shared& shared, PodPointer pod,
                                                              std::string pod_claim,
                                                              api::ResourceClaim claim) {
  using Tried = std::optional<api::ResourceClaim>;
  Answer<api::ResourceClaim> made = co_await shared.api.Create(claim);
  if (made || !made.error().Is(client::refused::kAlreadyExists)) {
    shared.meters.CountCreation(
        claim, made ? ClaimMeters::Outcome::kSuccess : ClaimMeters::Outcome::kFailure);
    if (!made) {
      co_return tl::unexpected(
          Because("create ResourceClaim " + claim.metadata.name, made.error()));
    }
    co_return Tried(*std::move(made));
  }
  Answer<api::ResourceClaim> there =
      co_await shared.api.Get<api::ResourceClaim>(claim.metadata.ns, claim.metadata.name);
  if (!there) {
    co_return tl::unexpected(Because("checking claim existence", there.error()));
  }
  co_return IsMadeFor(*there, *pod, pod_claim) ? Tried(*std::move(there)) : std::nullopt;
}

// The claim's name.
loop::Task<Answer<std::string>> Make(Shared& shared, PodPointer pod, std::string pod_claim,
                                     TemplatePointer from) {
  api::ResourceClaim claim = placement::ClaimFromTemplate(*pod, pod_claim, *from);
  for (std::size_t attempt = 0; attempt < kMostNames; ++attempt) {
    claim.metadata.name = NameOfClaim(*pod, pod_claim, attempt);
    Answer<std::optional<api::ResourceClaim>> made =
        co_await TryName(shared, pod, pod_claim, claim);
    if (!made) {
      co_return tl::unexpected(made.error());
    }
    if (std::optional<api::ResourceClaim> found = *std::move(made)) {
      shared.made.Put(
          api::FullNameOf(claim),
          {std::make_shared<const api::ResourceClaim>(*std::move(found)), shared.api.loop().Now()});
      co_return claim.metadata.name;
    }
  }
  co_return tl::unexpected(Failure{
      .message = fmt::format("create ResourceClaim {}: all names that it could have are taken by "
                             "claims of others; delete ResourceClaim {}",
                             claim.metadata.generate_name, claim.metadata.name)});
}

// What the pod's status has to say; empty: nothing new.
loop::Task<Answer<std::string>> ClaimFor(Shared& shared, PodPointer pod,
                                         api::PodResourceClaim entry) {
  using Kind = placement::ClaimName::Kind;
  const auto name = placement::ResolveClaim(*pod, entry);
  if (!name) {
    co_return tl::unexpected(
        Failure{.message = "checking for claim before creating it: " + name.error().message});
  }
  if (name->kind == Kind::kGiven || name->kind == Kind::kNone) {
    co_return std::string();
  }
  if (name->kind == Kind::kMade) {
    const Answer<bool> exists = co_await Exists(shared, pod, name->name);
    if (!exists) {
      co_return tl::unexpected(exists.error());
    }
    if (*exists) {
      co_return std::string();
    }
  }
  if (const ClaimPointer made = FindMade(shared, *pod, entry.name)) {
    co_return made->metadata.name;
  }
  const std::string& from = *entry.resource_claim_template_name;
  const TemplatePointer found = shared.templates.Find(pod->metadata.ns, from);
  if (found == nullptr) {
    co_return tl::unexpected(
        Failure{.message = fmt::format("resource claim template \"{0}\": "
                                       "resourceclaimtemplate.resource.k8s.io \"{0}\" not found",
                                       from)});
  }
  if (const std::optional<std::string> why = Forbidden(shared, *found)) {
    co_return tl::unexpected(Failure{.message = *why});
  }
  const Answer<std::string> made = co_await Make(shared, pod, entry.name, found);
  co_return made;
}

void TellOfFailure(Shared& shared, const api::Pod& pod, const std::string& text) {
  const client::ObjectReference about{.api_version = "v1",
                                      .kind = "Pod",
                                      .ns = pod.metadata.ns,
                                      .name = pod.metadata.name,
                                      .uid = pod.metadata.uid,
                                      .resource_version = pod.metadata.resource_version};
  shared.events.Record(about, client::EventType::kWarning, "FailedResourceClaimCreation", text);
}

loop::Task<Answer<void>> WriteNames(Shared& shared, PodPointer pod, ClaimNames names) {
  const client::Resource pods = client::ResourceOf<api::Pod>();
  std::ranges::sort(names);
  client::Change change{.type = client::PatchType::kStrategicMerge,
                        .body = ClaimNamesPatch(*pod, names),
                        .subresource = "status"};
  const Answer<std::string> written =
      co_await shared.api.Patch(pods, pod->metadata.ns, pod->metadata.name, std::move(change));
  if (!written) {
    co_return tl::unexpected(
        Because(fmt::format("update pod {} ResourceClaimStatuses", api::FullNameOf(*pod)),
                written.error()));
  }
  if (const Result<client::Metadata> now = client::Kind<client::Metadata>::Decode(*written)) {
    NoteWritten(shared, now->metadata);
  }
  co_return Answer<void>();
}

}  // namespace

loop::Task<Answer<void>> MakeClaims(Shared& shared, PodPointer pod) {
  ClaimNames names;
  for (const api::PodResourceClaim& entry : pod->spec.resource_claims) {
    const Answer<std::string> name = co_await ClaimFor(shared, pod, entry);
    if (!name) {
      const std::string text =
          fmt::format("PodResourceClaim {}: {}", entry.name, name.error().message);
      TellOfFailure(shared, *pod, text);
      Failure failure = name.error();
      failure.message = text;
      co_return tl::unexpected(std::move(failure));
    }
    if (!name->empty()) {
      names.emplace_back(entry.name, *name);
    }
  }
  if (names.empty()) {
    co_return Answer<void>();
  }
  const Answer<void> written = co_await WriteNames(shared, pod, std::move(names));
  co_return written;
}

}  // namespace quadra::claims

#include "scheduler/plugins/dynamic_resources/claim_writes.h"

#include <algorithm>
#include <chrono>
#include <functional>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "json/writer.h"
#include "placement/pod_claims.h"
#include "scheduler/framework/lost_answers.h"

namespace quadra::scheduler {
namespace {

using client::Answer;
using client::Failure;

// As client-go's default: five attempts, 10 ms apart.
constexpr int kMostTries = 5;
constexpr auto kAfterConflict = std::chrono::milliseconds(10);

bool HasFinalizer(const api::ResourceClaim& claim) {
  return std::ranges::find(claim.metadata.finalizers, placement::kDeleteProtection) !=
         claim.metadata.finalizers.end();
}

// The same devices, whenever they were given.
bool HasSameDevices(const api::ResourceClaim& one, const api::ResourceClaim& other) {
  return one.status.allocation && other.status.allocation &&
         one.status.allocation->devices == other.status.allocation->devices;
}

// Empty where it may be written.
std::string WhyNot(const api::ResourceClaim& claim, const ClaimBinding& binding) {
  const std::string name = api::FullNameOf(claim);
  if (claim.metadata.deletion_timestamp) {
    return fmt::format("claim {} got deleted in the meantime", name);
  }
  if (binding.decided != nullptr && claim.status.allocation) {
    return fmt::format("claim {} got allocated elsewhere in the meantime", name);
  }
  if (binding.decided == nullptr && binding.stamps && !claim.status.allocation) {
    return fmt::format("claim {} got deallocated elsewhere in the meantime", name);
  }
  return "";
}

bool IsWritten(const api::ResourceClaim& claim, const ClaimBinding& binding) {
  return placement::IsReservedFor(claim, binding.pod->pod) &&
         (binding.decided == nullptr || HasSameDevices(claim, *binding.decided));
}

// An allocation that somebody else wrote is not to be changed; upstream tries to.
void Fill(api::ResourceClaim& claim, const ClaimBinding& binding, Time now) {
  if (binding.decided != nullptr) {
    claim.status.allocation = binding.decided->status.allocation;
  }
  placement::Reserve(claim, binding.pod->pod);
  const bool is_ours = binding.decided != nullptr || !binding.insists;
  std::optional<api::AllocationResult>& given = claim.status.allocation;
  if (binding.stamps && is_ours && given && !given->allocation_timestamp) {
    given->allocation_timestamp = now;
  }
}

// What came of one try.
struct Tried {
  ClaimPtr written;  // null: not
  Failure failure;
  std::string message;
};

Tried Failed(std::string_view what, const api::ResourceClaim& claim, Failure failure) {
  std::string message =
      fmt::format("{} claim {}: {}", what, api::FullNameOf(claim), failure.message);
  return {.written = nullptr, .failure = std::move(failure), .message = std::move(message)};
}

loop::Task<Tried> TryToWrite(client::Api& api, const ClaimBinding& binding,
                             api::ResourceClaim& claim) {
  if (binding.decided != nullptr && !HasFinalizer(claim)) {
    placement::AddFinalizer(claim);
    loop::Task<Answer<api::ResourceClaim>> adding = api.Update(claim);
    Answer<api::ResourceClaim> added = co_await adding;
    if (!added) {
      co_return Failed("add finalizer to", claim, std::move(added).error());
    }
    claim = *std::move(added);
  }
  Fill(claim, binding, api.loop().Now());
  loop::Task<Answer<api::ResourceClaim>> writing = api.UpdateStatus(claim);
  Answer<api::ResourceClaim> written = co_await writing;
  if (!written) {
    const std::string_view what =
        binding.decided == nullptr ? "add reservation to" : "add allocation and reservation to";
    co_return Failed(what, claim, std::move(written).error());
  }
  co_return Tried{.written = std::make_shared<const api::ResourceClaim>(*std::move(written)),
                  .failure = {},
                  .message = {}};
}

// As it is now; asks until there is an answer where that is wanted.
loop::Task<Answer<api::ResourceClaim>> ReadAgain(client::Api& api, const api::ResourceClaim& claim,
                                                 bool insists) {
  const api::ObjectMeta& meta = claim.metadata;
  return insists ? ReadUntilAnswered<api::ResourceClaim>(api, meta.ns, meta.name)
                 : api.Get<api::ResourceClaim>(meta.ns, meta.name);
}

}  // namespace

loop::Task<WrittenClaim> WriteBinding(client::Api& api, ClaimBinding binding) {
  api::ResourceClaim claim = *binding.claim;
  for (int tries = 0;;) {
    if (std::string why = WhyNot(claim, binding); !why.empty()) {
      co_return tl::unexpected(std::move(why));
    }
    loop::Task<Tried> trying = TryToWrite(api, binding, claim);
    Tried tried = co_await trying;
    if (tried.written != nullptr) {
      co_return std::move(tried.written);
    }
    const bool conflict = tried.failure.Is(client::refused::kConflict);
    const bool unknown = binding.insists && IsLost(tried.failure);
    if (!unknown && (!conflict || ++tries == kMostTries)) {
      co_return tl::unexpected(std::move(tried.message));
    }
    co_await loop::Pause(api.loop(), unknown ? std::chrono::microseconds(kAfterSilence)
                                             : std::chrono::microseconds(kAfterConflict));
    loop::Task<Answer<api::ResourceClaim>> reading = ReadAgain(api, claim, binding.insists);
    Answer<api::ResourceClaim> read = co_await reading;
    if (!read) {
      co_return tl::unexpected(fmt::format("get updated claim {} after conflict: {}",
                                           api::FullNameOf(claim), read.error().message));
    }
    claim = *std::move(read);
    if (binding.insists && IsWritten(claim, binding)) {
      co_return std::make_shared<const api::ResourceClaim>(std::move(claim));
    }
  }
}

loop::Task<WrittenClaim> CreateClaim(client::Api& api, ClaimPtr claim) {
  api::ResourceClaim made = *claim;
  made.metadata.name.clear();
  made.metadata.uid.clear();
  made.status = {};
  loop::Task<Answer<api::ResourceClaim>> creating = api.Create(made);
  Answer<api::ResourceClaim> created = co_await creating;
  if (!created) {
    co_return tl::unexpected(fmt::format("create claim for extended resources {}/: {}",
                                         made.metadata.ns, created.error().message));
  }
  co_return std::make_shared<const api::ResourceClaim>(*std::move(created));
}

loop::Task<void> DeleteClaim(client::Api& api, ClaimPtr claim) {
  const std::function<bool(api::ResourceClaim&)> unprotect =
      [uid = claim->metadata.uid](api::ResourceClaim& now) {
        const bool is_there = now.metadata.uid == uid && HasFinalizer(now);
        if (is_there) {
          now.metadata.finalizers.EraseIf(
              [](const std::string& each) { return each == placement::kDeleteProtection; });
        }
        return is_there;
      };
  loop::Task<Answer<api::ResourceClaim>> altering =
      api.Alter<api::ResourceClaim>(claim->metadata.ns, claim->metadata.name, unprotect);
  const Answer<api::ResourceClaim> altered = co_await altering;
  if (!altered || altered->metadata.uid != claim->metadata.uid) {
    co_return;  // gone, or found by the next attempt
  }
  const client::Resource claims = api.Served(client::ResourceOf<api::ResourceClaim>());
  const client::Deletion deletion{.uid = claim->metadata.uid};
  loop::Later<Answer<std::string>> deleting =
      api.Delete(claims, claim->metadata.ns, claim->metadata.name, deletion);
  co_await deleting;
}

loop::Task<void> RemoveReservation(client::Api& api, ClaimPtr claim, std::string uid) {
  std::string body;
  json::Writer out(body);
  out.BeginObject();
  out.Key("metadata");
  out.BeginObject();
  out.Member("uid", claim->metadata.uid);
  out.EndObject();
  out.Key("status");
  out.BeginObject();
  out.Key("reservedFor");
  out.BeginArray();
  out.BeginObject();
  out.Member("$patch", "delete");
  out.Member("uid", uid);
  out.EndObject();
  out.EndArray();
  out.EndObject();
  out.EndObject();
  const client::Resource claims = api.Served(client::ResourceOf<api::ResourceClaim>());
  client::Change change{
      .type = client::PatchType::kStrategicMerge, .body = std::move(body), .subresource = "status"};
  loop::Later<Answer<std::string>> patching =
      api.Patch(claims, claim->metadata.ns, claim->metadata.name, std::move(change));
  const Answer<std::string> patched = co_await patching;
  // Where that fails the next attempt does it again; a lost one may be served a little later.
  if (!patched && IsLost(patched.error())) {
    co_await loop::Pause(api.loop(), kAfterSilence);
  }
}

loop::Task<ClaimPtr> Deallocate(client::Api& api, ClaimPtr claim, std::string uid) {
  for (api::ResourceClaim now = *claim;;) {
    const auto& users = now.status.reserved_for;
    const bool is_ours =
        now.metadata.uid == claim->metadata.uid && HasSameDevices(now, *claim) &&
        std::ranges::all_of(users, [&](const auto& user) { return user.uid == uid; });
    if (!is_ours) {
      co_return nullptr;
    }
    now.status = {};
    loop::Task<Answer<api::ResourceClaim>> writing = api.UpdateStatus(now);
    Answer<api::ResourceClaim> written = co_await writing;
    if (written) {
      co_return std::make_shared<const api::ResourceClaim>(*std::move(written));
    }
    const bool again = written.error().Is(client::refused::kConflict) || IsLost(written.error());
    if (!again) {
      co_return nullptr;
    }
    co_await loop::Pause(api.loop(), kAfterConflict);
    loop::Task<Answer<api::ResourceClaim>> reading = ReadAgain(api, *claim, true);
    Answer<api::ResourceClaim> read = co_await reading;
    if (!read) {
      co_return nullptr;
    }
    now = *std::move(read);
  }
}

loop::Task<std::string> PatchPodStatus(client::Api& api, PodInfoPtr pod, std::string members) {
  client::Change change{
      .type = client::PatchType::kStrategicMerge,
      .body = fmt::format(R"({{"metadata":{{"uid":"{}"}},"status":{{{}}}}})", pod->uid(), members),
      .subresource = "status"};
  const client::Resource pods = client::ResourceOf<api::Pod>();
  loop::Later<Answer<std::string>> patching =
      api.Patch(pods, pod->pod.metadata.ns, pod->pod.metadata.name, std::move(change));
  const Answer<std::string> patched = co_await patching;
  co_return patched ? std::string() : patched.error().message;
}

loop::Task<void> ForgetNodeAllocatable(client::Api& api, api::ObjectMeta pod) {
  client::Change change{
      .type = client::PatchType::kMerge,
      .body = fmt::format(
          R"({{"metadata":{{"uid":"{}"}},"status":{{"nodeAllocatableResourceClaimStatuses":[]}}}})",
          pod.uid),
      .subresource = "status"};
  const client::Resource pods = client::ResourceOf<api::Pod>();
  loop::Later<Answer<std::string>> patching = api.Patch(pods, pod.ns, pod.name, std::move(change));
  co_await patching;
}

}  // namespace quadra::scheduler

#include "claims/shared.h"

#include <charconv>
#include <cstdint>
#include <optional>
#include <utility>

#include <fmt/format.h>

namespace quadra::claims {
namespace {

using client::Answer;

std::optional<std::uint64_t> NumberOf(std::string_view revision) {
  std::uint64_t number = 0;
  const char* const end = revision.data() + revision.size();
  const auto [rest, error] = std::from_chars(end - revision.size(), end, number);
  return error == std::errc() && rest == end ? std::optional(number) : std::nullopt;
}

}  // namespace

bool IsOutdated(const Shared& shared, const api::ObjectMeta& metadata) {
  const std::string* const written = shared.written.Find(metadata.uid);
  if (written == nullptr) {
    return false;
  }
  const auto ours = NumberOf(*written);
  const auto here = NumberOf(metadata.resource_version);
  return ours && here && *here < *ours;
}

void NoteWritten(Shared& shared, const api::ObjectMeta& metadata) {
  shared.written.Put(metadata.uid, metadata.resource_version);
}

ClaimPointer Known(const Shared& shared, const std::string& full_name) {
  if (ClaimPointer claim = shared.claims.Find(full_name)) {
    return claim;
  }
  const MadeClaim* const made = shared.made.Find(full_name);
  const bool fresh = made != nullptr && shared.api.loop().Now() < made->made_at + kLongestLag;
  return fresh ? made->claim : nullptr;
}

client::Failure Because(std::string_view what, const client::Failure& failure) {
  client::Failure told = failure;
  told.message = fmt::format("{}: {}", what, failure.message);
  return told;
}

loop::Task<Answer<ClaimPointer>> PatchClaim(Shared& shared, ClaimPointer claim, std::string body,
                                            std::string_view subresource) {
  const client::Resource resource = shared.api.Served(client::ResourceOf<api::ResourceClaim>());
  client::Change change{.type = client::PatchType::kMerge,
                        .body = std::move(body),
                        .subresource = std::string(subresource)};
  const Answer<std::string> answer = co_await shared.api.Patch(
      resource, claim->metadata.ns, claim->metadata.name, std::move(change));
  if (!answer) {
    co_return tl::unexpected(answer.error());
  }
  Result<api::ResourceClaim> now = client::Kind<api::ResourceClaim>::Decode(*answer);
  if (!now) {
    co_return tl::unexpected(client::Failure{.message = now.error().message});
  }
  NoteWritten(shared, now->metadata);
  co_return std::make_shared<const api::ResourceClaim>(*std::move(now));
}

}  // namespace quadra::claims

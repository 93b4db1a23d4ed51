#include "claims/claim_names.h"

#include <cstdint>
#include <string_view>

#include <fmt/format.h>

#include "placement/pod_claims.h"

namespace quadra::claims {
namespace {

// The same on every machine and in every release; FNV-1a with a last mix, since few bits are used.
std::uint64_t Digest(std::string_view text) {
  std::uint64_t digest = 0xcbf29ce484222325;
  for (const char byte : text) {
    digest = (digest ^ static_cast<unsigned char>(byte)) * 0x100000001b3;
  }
  digest = (digest ^ (digest >> 33)) * 0xff51afd7ed558ccd;
  return digest ^ (digest >> 33);
}

}  // namespace

std::string NameOfClaim(const api::Pod& pod, const std::string& pod_claim, std::size_t attempt) {
  constexpr std::string_view kCharacters = "bcdfghjklmnpqrstvwxz2456789";  // as the server's
  std::string name = placement::GenerateNameOf(pod.metadata.name, pod_claim);
  std::uint64_t digest = Digest(fmt::format("{}/{}/{}", pod.metadata.uid, pod_claim, attempt));
  for (int i = 0; i < 5; ++i, digest /= kCharacters.size()) {
    name += kCharacters[digest % kCharacters.size()];
  }
  return name;
}

}  // namespace quadra::claims

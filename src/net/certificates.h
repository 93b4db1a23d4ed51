// Certificates: the small authority that a cluster of one process needs, and nothing more.
//
//   QUADRA_TRY(const Credential ca, MakeAuthority("quadra", now));
//   QUADRA_TRY(const Credential server, IssueServer(ca, {.dns = {"localhost"}, .ips = {"::1"}}, now));
//   QUADRA_TRY(const Credential admin, IssueClient(ca, {"admin", {"system:masters"}}, now));
//
// Keys are ECDSA P-256 in PKCS#8. An authority and what it issues are valid from five minutes
// before `now`, so that clocks may differ a little, for ten years; nothing outlives its authority.
// Errors say which part is wrong (the certificate, the key, the name) and why.
//
// Threads: all functions may be called at once. Cost: under 1 ms, an RSA key up to a second.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "net/message.h"

namespace quadra::net {

// A certificate, after which those that vouch for it may follow, and its private key. Both PEM.
struct Credential {
  std::string certificate;
  std::string key;
};

// The names under which a server is reached.
struct ServerNames {
  std::string common_name;
  std::vector<std::string> dns;
  std::vector<std::string> ips;  // 127.0.0.1, ::1
};

Result<Credential> MakeAuthority(std::string_view common_name, Time now);
Result<Credential> IssueServer(const Credential& authority, const ServerNames& names, Time now);
Result<Credential> IssueClient(const Credential& authority, const Identity& identity, Time now);

// The two halves of a key that signs tokens, both PEM.
struct SigningKey {
  std::string private_key;
  std::string public_key;
};
enum class KeyType { kEcP256, kRsa2048 };
Result<SigningKey> MakeSigningKey(KeyType type);

// Whether both parts can be read and belong together.
Status CheckCredential(const Credential& credential);

// What a person asks of a certificate.
struct CertificateFacts {
  Identity subject;
  std::vector<std::string> names;  // DNS names, then IP addresses
  Time not_before;
  Time not_after;
  bool authority = false;
};
// Of the first certificate in `pem`.
Result<CertificateFacts> ReadCertificate(std::string_view pem);

}  // namespace quadra::net

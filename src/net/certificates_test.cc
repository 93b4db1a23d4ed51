#include "net/certificates.h"

#include <gtest/gtest.h>

namespace quadra::net {
namespace {

using std::chrono::days;
using std::chrono::minutes;

// 2026-08-01
const Time kNow = Time(std::chrono::sys_days(std::chrono::year(2026) / 8 / 1));

TEST(Certificates, SayWhatTheyWereMadeFor) {
  const Credential authority = *MakeAuthority("quadra", kNow);
  struct Row {
    const char* name;
    Credential credential;
    Identity subject;
    std::vector<std::string> names;
    bool authority;
  };
  const Row rows[] = {
      {"authority", authority, {"quadra", {}}, {}, true},
      {"server",
       *IssueServer(authority,
                    {"apiserver", {"localhost", "kubernetes.default.svc"}, {"127.0.0.1", "::1"}},
                    kNow),
       {"apiserver", {}},
       {"localhost", "kubernetes.default.svc", "127.0.0.1", "::1"},
       false},
      {"client",
       *IssueClient(authority, {"admin", {"system:masters", "Ünïcode"}}, kNow),
       {"admin", {"system:masters", "Ünïcode"}},
       {},
       false},
  };
  for (const Row& row : rows) {
    SCOPED_TRACE(row.name);
    EXPECT_TRUE(CheckCredential(row.credential));
    const Result<CertificateFacts> facts = ReadCertificate(row.credential.certificate);
    ASSERT_TRUE(facts);
    EXPECT_EQ(facts->subject, row.subject);
    EXPECT_EQ(facts->names, row.names);
    EXPECT_EQ(facts->authority, row.authority);
    EXPECT_EQ(facts->not_before, kNow - minutes(5));
    EXPECT_EQ(facts->not_after, kNow + days(3650));
  }
}

TEST(Certificates, DoNotOutliveTheirAuthority) {
  const Credential authority = *MakeAuthority("quadra", kNow);
  const Credential late = *IssueClient(authority, {"admin", {}}, kNow + days(3000));
  EXPECT_EQ(ReadCertificate(late.certificate)->not_after, kNow + days(3650));
}

TEST(Certificates, SayWhatIsWrong) {
  const Credential authority = *MakeAuthority("quadra", kNow);
  const Credential client = *IssueClient(authority, {"admin", {}}, kNow);
  const std::string broken = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n";
  struct Row {
    const char* name;
    Status status;
    const char* error;
  };
  const auto issued = [](const Credential& by, const ServerNames& names) -> Status {
    return IssueServer(by, names, kNow).map([](const Credential&) {});
  };
  const Row rows[] = {
      {"no text", CheckCredential({}), "the certificate is no PEM certificate"},
      {"no base64", CheckCredential({broken, client.key}), "the certificate is no PEM certificate"},
      {"good, then broken", CheckCredential({client.certificate + broken, client.key}),
       "the certificate is no PEM certificate"},
      {"no key", CheckCredential({client.certificate, "x"}), "the key is no PEM private key"},
      {"another's key", CheckCredential({client.certificate, authority.key}),
       "the key does not belong to the certificate"},
      {"not an authority", issued(client, {"x", {}, {}}),
       "the authority's certificate is not one of an authority"},
      {"the authority with another key", issued({authority.certificate, client.key}, {"x", {}, {}}),
       "the authority's key does not belong to its certificate"},
      {"no common name", issued(authority, {}), "common name \"\""},
      {"a long common name", issued(authority, {std::string(65, 'x'), {}, {}}), "common name"},
      {"an address that is none", issued(authority, {"x", {}, {"127.0.0.300"}}),
       "X509v3 Subject Alternative Name \"IP:127.0.0.300\""},
      {"a name with a comma", issued(authority, {"x", {"a,IP:1.2.3.4"}, {}}),
       "not a DNS name of a server"},
  };
  for (const Row& row : rows) {
    SCOPED_TRACE(row.name);
    ASSERT_FALSE(row.status);
    EXPECT_TRUE(row.status.error().message.starts_with(row.error)) << row.status.error().ToString();
  }
}

TEST(Certificates, SigningKeysHaveTwoHalves) {
  for (const KeyType type : {KeyType::kEcP256, KeyType::kRsa2048}) {
    const Result<SigningKey> key = MakeSigningKey(type);
    ASSERT_TRUE(key);
    EXPECT_TRUE(key->private_key.starts_with("-----BEGIN PRIVATE KEY-----\n"));
    EXPECT_TRUE(key->public_key.starts_with("-----BEGIN PUBLIC KEY-----\n"));
  }
}

}  // namespace
}  // namespace quadra::net

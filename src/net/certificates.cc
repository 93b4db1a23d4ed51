#include "net/certificates.h"

#include <array>
#include <optional>
#include <utility>

#include <arpa/inet.h>
#include <fmt/format.h>
#include <openssl/rand.h>
#include <openssl/rsa.h>

#include "net/openssl.h"

namespace quadra::net {
namespace {

using std::chrono::seconds;

constexpr seconds kClockDifference = std::chrono::minutes(5);
constexpr seconds kLifetime = std::chrono::days(3650);
constexpr std::size_t kMostCommonName = 64;  // RFC 5280

// What one certificate says besides its key.
struct Contents {
  Identity subject;
  std::string alternative_names;  // as OpenSSL's configuration spells them; empty: none
  const char* constraints;
  const char* key_usage;
  const char* extended_key_usage;  // null: none
};

// Who signs: the certificate that is made itself, where there is no issuer.
struct Issuer {
  X509* certificate;
  EVP_PKEY* key;
};

std::time_t ToSeconds(Time time) {
  return std::chrono::duration_cast<seconds>(time.time_since_epoch()).count();
}

Time ToTime(const ASN1_TIME* time) {
  std::tm parts{};
  ASN1_TIME_to_tm(time, &parts);
  return Time(seconds(timegm(&parts)));
}

Result<OwnedKey> MakeKey(KeyType type) {
  OwnedKey key(type == KeyType::kRsa2048 ? EVP_RSA_gen(2048) : EVP_EC_gen("P-256"));
  if (!key) {
    return Fail(OpenSslError("making a key"));
  }
  return key;
}

bool AddName(X509_NAME* name, const char* field, const std::string& text) {
  return X509_NAME_add_entry_by_txt(name, field, MBSTRING_UTF8,
                                    reinterpret_cast<const unsigned char*>(text.data()),
                                    static_cast<int>(text.size()), -1, 0) == 1;
}

Status SetSubject(X509* certificate, const Identity& subject) {
  X509_NAME* const name = X509_get_subject_name(certificate);
  for (const std::string& organization : subject.organizations) {
    if (!AddName(name, "O", organization)) {
      return Fail(OpenSslError(fmt::format("organization \"{}\"", organization)));
    }
  }
  if (subject.common_name.size() > kMostCommonName || !AddName(name, "CN", subject.common_name)) {
    return Fail(OpenSslError(fmt::format("common name \"{}\", which must have 1 to {} bytes",
                                         subject.common_name, kMostCommonName)));
  }
  return {};
}

bool SetSerial(X509* certificate) {
  std::array<unsigned char, 16> bytes{};
  if (RAND_bytes(bytes.data(), static_cast<int>(bytes.size())) != 1) {
    return false;
  }
  bytes[0] = static_cast<unsigned char>((bytes[0] & 0x3F) | 0x40);  // positive, of full length
  BIGNUM* const number = BN_bin2bn(bytes.data(), static_cast<int>(bytes.size()), nullptr);
  const bool set = BN_to_ASN1_INTEGER(number, X509_get_serialNumber(certificate)) != nullptr;
  BN_free(number);
  return set;
}

// An authority that ends earlier ends what it issues.
void SetValidity(X509* certificate, const X509* issuer, Time now) {
  const Time last = std::min(
      now + kLifetime, issuer == certificate ? Time::max() : ToTime(X509_get0_notAfter(issuer)));
  ASN1_TIME_set(X509_getm_notBefore(certificate), ToSeconds(now - kClockDifference));
  ASN1_TIME_set(X509_getm_notAfter(certificate), ToSeconds(last));
}

Status AddExtension(X509* certificate, X509* issuer, int nid, const std::string& value) {
  X509V3_CTX context;
  X509V3_set_ctx(&context, issuer, certificate, nullptr, nullptr, 0);
  const OwnedExtension extension(X509V3_EXT_conf_nid(nullptr, &context, nid, value.c_str()));
  if (!extension || X509_add_ext(certificate, extension.get(), -1) != 1) {
    return Fail(OpenSslError(fmt::format("{} \"{}\"", OBJ_nid2ln(nid), value)));
  }
  return {};
}

Status AddExtensions(X509* certificate, X509* issuer, const Contents& contents) {
  const std::array<std::pair<int, std::string>, 6> extensions = {{
      {NID_basic_constraints, contents.constraints},
      {NID_key_usage, contents.key_usage},
      {NID_ext_key_usage, contents.extended_key_usage ? contents.extended_key_usage : ""},
      {NID_subject_key_identifier, "hash"},
      {NID_authority_key_identifier, issuer == certificate ? "" : "keyid"},
      {NID_subject_alt_name, contents.alternative_names},
  }};
  for (const auto& [nid, value] : extensions) {
    if (!value.empty()) {
      QUADRA_RETURN_IF_ERROR(AddExtension(certificate, issuer, nid, value));
    }
  }
  return {};
}

Result<Credential> Issue(const Contents& contents, std::optional<Issuer> issuer, Time now) {
  QUADRA_TRY(const OwnedKey key, MakeKey(KeyType::kEcP256));
  const OwnedCertificate certificate(X509_new());
  const Issuer signer = issuer.value_or(Issuer{certificate.get(), key.get()});
  X509_set_version(certificate.get(), X509_VERSION_3);
  X509_set_pubkey(certificate.get(), key.get());
  QUADRA_RETURN_IF_ERROR(SetSubject(certificate.get(), contents.subject));
  X509_set_issuer_name(certificate.get(), X509_get_subject_name(signer.certificate));
  SetValidity(certificate.get(), signer.certificate, now);
  QUADRA_RETURN_IF_ERROR(AddExtensions(certificate.get(), signer.certificate, contents));
  if (!SetSerial(certificate.get()) ||
      X509_sign(certificate.get(), signer.key, EVP_sha256()) == 0) {
    return Fail(OpenSslError("signing a certificate"));
  }
  return Credential{.certificate = ToPem(certificate.get()), .key = PrivateToPem(key.get())};
}

Result<Credential> IssueBy(const Credential& authority, const Contents& contents, Time now) {
  QUADRA_TRY(const std::vector<OwnedCertificate> certificates,
             ParseCertificates(authority.certificate, "the authority's certificate"));
  QUADRA_TRY(const OwnedKey key, ParseKey(authority.key, "the authority's key"));
  X509* const certificate = certificates.front().get();
  if (X509_check_ca(certificate) == 0) {
    return Fail(ErrorKind::kInvalid, "the authority's certificate is not one of an authority");
  }
  if (X509_check_private_key(certificate, key.get()) != 1) {
    return Fail(OpenSslError("the authority's key does not belong to its certificate"));
  }
  return Issue(contents, Issuer{certificate, key.get()}, now);
}

// A comma would end the name and begin another one, of any kind.
Result<std::string> AlternativeNames(const ServerNames& names) {
  std::string text;
  const auto append = [&](const char* kind, const std::vector<std::string>& list) -> Status {
    for (const std::string& name : list) {
      if (name.empty() || name.find_first_of(",\r\n") != std::string::npos) {
        return Fail(
            Error{.message = fmt::format("not a {} name of a server", kind), .value = name});
      }
      text += fmt::format("{}{}:{}", text.empty() ? "" : ",", kind, name);
    }
    return {};
  };
  QUADRA_RETURN_IF_ERROR(append("DNS", names.dns));
  QUADRA_RETURN_IF_ERROR(append("IP", names.ips));
  return text;
}

std::string_view BytesOf(const ASN1_STRING* text) {
  return {reinterpret_cast<const char*>(ASN1_STRING_get0_data(text)),
          static_cast<std::size_t>(ASN1_STRING_length(text))};
}

std::string AddressText(std::string_view bytes) {
  std::array<char, INET6_ADDRSTRLEN> text{};
  const int family = bytes.size() == sizeof(in_addr) ? AF_INET : AF_INET6;
  const bool whole = bytes.size() == sizeof(in_addr) || bytes.size() == sizeof(in6_addr);
  return whole && inet_ntop(family, bytes.data(), text.data(), text.size()) ? text.data() : "";
}

std::vector<std::string> AlternativeNamesOf(const X509* certificate) {
  const OwnedNames names(static_cast<GENERAL_NAMES*>(
      X509_get_ext_d2i(certificate, NID_subject_alt_name, nullptr, nullptr)));
  std::vector<std::string> dns;
  std::vector<std::string> ips;
  for (int i = 0; i < sk_GENERAL_NAME_num(names.get()); ++i) {
    const GENERAL_NAME* const name = sk_GENERAL_NAME_value(names.get(), i);
    if (name->type == GEN_DNS) {
      dns.emplace_back(BytesOf(name->d.dNSName));
    } else if (name->type == GEN_IPADD) {
      ips.push_back(AddressText(BytesOf(name->d.iPAddress)));
    }
  }
  dns.insert(dns.end(), ips.begin(), ips.end());
  return dns;
}

}  // namespace

Result<Credential> MakeAuthority(std::string_view common_name, Time now) {
  return Issue({.subject = {.common_name = std::string(common_name)},
                .constraints = "critical,CA:TRUE",
                .key_usage = "critical,digitalSignature,keyEncipherment,keyCertSign"},
               std::nullopt, now);
}

Result<Credential> IssueServer(const Credential& authority, const ServerNames& names, Time now) {
  QUADRA_TRY(std::string alternatives, AlternativeNames(names));
  return IssueBy(authority,
                 {.subject = {.common_name = names.common_name},
                  .alternative_names = std::move(alternatives),
                  .constraints = "critical,CA:FALSE",
                  .key_usage = "critical,digitalSignature,keyEncipherment",
                  .extended_key_usage = "serverAuth"},
                 now);
}

Result<Credential> IssueClient(const Credential& authority, const Identity& identity, Time now) {
  return IssueBy(authority,
                 {.subject = identity,
                  .constraints = "critical,CA:FALSE",
                  .key_usage = "critical,digitalSignature,keyEncipherment",
                  .extended_key_usage = "clientAuth"},
                 now);
}

Result<SigningKey> MakeSigningKey(KeyType type) {
  QUADRA_TRY(const OwnedKey key, MakeKey(type));
  return SigningKey{.private_key = PrivateToPem(key.get()), .public_key = PublicToPem(key.get())};
}

Status CheckCredential(const Credential& credential) {
  QUADRA_TRY(const std::vector<OwnedCertificate> certificates,
             ParseCertificates(credential.certificate, "the certificate"));
  QUADRA_TRY(const OwnedKey key, ParseKey(credential.key, "the key"));
  if (X509_check_private_key(certificates.front().get(), key.get()) != 1) {
    return Fail(OpenSslError("the key does not belong to the certificate"));
  }
  return {};
}

Result<CertificateFacts> ReadCertificate(std::string_view pem) {
  QUADRA_TRY(const std::vector<OwnedCertificate> certificates,
             ParseCertificates(pem, "the certificate"));
  X509* const certificate = certificates.front().get();
  return CertificateFacts{.subject = SubjectOf(certificate),
                          .names = AlternativeNamesOf(certificate),
                          .not_before = ToTime(X509_get0_notBefore(certificate)),
                          .not_after = ToTime(X509_get0_notAfter(certificate)),
                          .authority = X509_check_ca(certificate) != 0};
}

}  // namespace quadra::net

#include "net/openssl.h"

#include <array>

#include <fmt/format.h>
#include <openssl/err.h>
#include <openssl/pem.h>

namespace quadra::net {
namespace {

OwnedBio Reading(std::string_view text) {
  return OwnedBio(BIO_new_mem_buf(text.data(), static_cast<int>(text.size())));
}

// What `write` writes.
template <typename Write>
std::string Written(Write write) {
  const OwnedBio bio(BIO_new(BIO_s_mem()));
  write(bio.get());
  char* data = nullptr;
  const long size = BIO_get_mem_data(bio.get(), &data);
  return {data, static_cast<std::size_t>(size)};
}

// A key with a passphrase is refused instead of asking the terminal for it.
int NoPassphrase(char* /*buffer*/, int /*size*/, int /*writing*/, void* /*context*/) { return -1; }

// Certificates end with a PEM block that is not there; anything else is an error.
bool EndOfPem() {
  const unsigned long error = ERR_peek_last_error();
  return ERR_GET_LIB(error) == ERR_LIB_PEM && ERR_GET_REASON(error) == PEM_R_NO_START_LINE;
}

std::string TextOf(const X509_NAME_ENTRY* entry) {
  unsigned char* text = nullptr;
  const int size = ASN1_STRING_to_UTF8(&text, X509_NAME_ENTRY_get_data(entry));
  std::string copy =
      size < 0 ? "" : std::string(reinterpret_cast<char*>(text), static_cast<std::size_t>(size));
  OPENSSL_free(text);
  return copy;
}

std::vector<std::string> EntriesOf(const X509_NAME* name, int nid) {
  std::vector<std::string> texts;
  for (int at = X509_NAME_get_index_by_NID(name, nid, -1); at >= 0;
       at = X509_NAME_get_index_by_NID(name, nid, at)) {
    texts.push_back(TextOf(X509_NAME_get_entry(name, at)));
  }
  return texts;
}

}  // namespace

Error OpenSslError(std::string_view what) {
  const char* reason = ERR_reason_error_string(ERR_peek_error());
  ERR_clear_error();
  return {.kind = ErrorKind::kInvalid,
          .message = fmt::format("{}: {}", what, reason == nullptr ? "refused" : reason)};
}

Result<std::vector<OwnedCertificate>> ParseCertificates(std::string_view pem,
                                                        std::string_view what) {
  const OwnedBio bio = Reading(pem);
  std::vector<OwnedCertificate> certificates;
  while (OwnedCertificate next{PEM_read_bio_X509(bio.get(), nullptr, NoPassphrase, nullptr)}) {
    certificates.push_back(std::move(next));
  }
  if (certificates.empty() || !EndOfPem()) {
    return Fail(OpenSslError(fmt::format("{} is no PEM certificate", what)));
  }
  ERR_clear_error();
  return certificates;
}

Result<OwnedKey> ParseKey(std::string_view pem, std::string_view what) {
  OwnedKey key(PEM_read_bio_PrivateKey(Reading(pem).get(), nullptr, NoPassphrase, nullptr));
  if (!key) {
    return Fail(OpenSslError(fmt::format("{} is no PEM private key", what)));
  }
  ERR_clear_error();
  return key;
}

std::string ToPem(X509* certificate) {
  return Written([&](BIO* bio) { PEM_write_bio_X509(bio, certificate); });
}

std::string PrivateToPem(EVP_PKEY* key) {
  return Written([&](BIO* bio) {
    PEM_write_bio_PKCS8PrivateKey(bio, key, nullptr, nullptr, 0, nullptr, nullptr);
  });
}

std::string PublicToPem(EVP_PKEY* key) {
  return Written([&](BIO* bio) { PEM_write_bio_PUBKEY(bio, key); });
}

Identity SubjectOf(X509* certificate) {
  const X509_NAME* const name = X509_get_subject_name(certificate);
  const std::vector<std::string> common_names = EntriesOf(name, NID_commonName);
  return {.common_name = common_names.empty() ? "" : common_names.back(),
          .organizations = EntriesOf(name, NID_organizationName)};
}

std::string FingerprintOf(X509* certificate) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned int size = 0;
  X509_digest(certificate, EVP_sha256(), digest.data(), &size);
  return fmt::format("{:02x}", fmt::join(digest.data(), digest.data() + size, ""));
}

}  // namespace quadra::net

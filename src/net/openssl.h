// OpenSSL's objects with owners, its PEM texts read and written, and its errors as ours.
//
// Everything here keeps OpenSSL's error queue of the thread empty, since what one call leaves there
// the next would take for its own.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <openssl/bio.h>
#include <openssl/evp.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

#include "base/result.h"
#include "net/message.h"

namespace quadra::net {

template <auto kFree>
struct FreeWith {
  template <typename T>
  void operator()(T* object) const {
    kFree(object);
  }
};
using OwnedBio = std::unique_ptr<BIO, FreeWith<BIO_free_all>>;
using OwnedKey = std::unique_ptr<EVP_PKEY, FreeWith<EVP_PKEY_free>>;
using OwnedCertificate = std::unique_ptr<X509, FreeWith<X509_free>>;
using OwnedExtension = std::unique_ptr<X509_EXTENSION, FreeWith<X509_EXTENSION_free>>;
using OwnedNames = std::unique_ptr<GENERAL_NAMES, FreeWith<GENERAL_NAMES_free>>;
using OwnedSslContext = std::unique_ptr<SSL_CTX, FreeWith<SSL_CTX_free>>;
using OwnedSsl = std::unique_ptr<SSL, FreeWith<SSL_free>>;

// "what: OpenSSL's reason for its oldest error"; empties the queue.
Error OpenSslError(std::string_view what);

// At least one; `what` names the text in errors.
Result<std::vector<OwnedCertificate>> ParseCertificates(std::string_view pem,
                                                        std::string_view what);
Result<OwnedKey> ParseKey(std::string_view pem, std::string_view what);

std::string ToPem(X509* certificate);
std::string PrivateToPem(EVP_PKEY* key);
std::string PublicToPem(EVP_PKEY* key);

Identity SubjectOf(X509* certificate);
// SHA-256 of all of it, in hexadecimal.
std::string FingerprintOf(X509* certificate);

}  // namespace quadra::net

#include "client/credentials.h"

#include <chrono>

#include "absl/strings/ascii.h"

namespace quadra::client {
namespace {

constexpr std::chrono::minutes kReadEvery(1);

}  // namespace

TokenFile::TokenFile(std::string path, Read read, const Clock& clock, std::string fallback)
    : path_(std::move(path)), read_(std::move(read)), clock_(clock), token_(std::move(fallback)) {}

std::string TokenFile::Token() {
  if (!read_at_ || clock_.Now() - *read_at_ >= kReadEvery) {
    ReadNow();
  }
  return token_;
}

bool TokenFile::Renew() { return ReadNow(); }

bool TokenFile::ReadNow() {
  read_at_ = clock_.Now();
  const Result<std::string> text = read_(path_);
  std::string token(absl::StripAsciiWhitespace(text.value_or("")));
  if (token.empty() || token == token_) {
    return false;
  }
  token_ = std::move(token);
  return true;
}

CertificateFiles::CertificateFiles(std::string certificate, std::string key,
                                   net::Credential now_used, TokenFile::Read read, Use use,
                                   const Clock& clock)
    : certificate_(std::move(certificate)),
      key_(std::move(key)),
      used_(std::move(now_used)),
      read_(std::move(read)),
      use_(std::move(use)),
      clock_(clock),
      looked_at_(clock.Now()) {}

void CertificateFiles::Look() {
  if (clock_.Now() - looked_at_ < kReadEvery) {
    return;
  }
  looked_at_ = clock_.Now();
  net::Credential read{.certificate = read_(certificate_).value_or(""),
                       .key = read_(key_).value_or("")};
  const bool same = read.certificate == used_.certificate && read.key == used_.key;
  if (!same && net::CheckCredential(read)) {
    used_ = std::move(read);
    use_(used_);
  }
}

}  // namespace quadra::client

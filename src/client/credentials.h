// Credentials: the token that requests carry, the certificate that connections show, and how they
// change. Private to src/client.
//
//   TokenFile token("/var/run/secrets/kubernetes.io/serviceaccount/token", read, clock);
//   headers.Add("authorization", "Bearer " + token.Token());
//
// Threads: those of one loop.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>

#include "base/clock.h"
#include "base/result.h"
#include "net/client.h"

namespace quadra::client {

class Credentials {
 public:
  Credentials() = default;
  Credentials(const Credentials&) = delete;
  Credentials& operator=(const Credentials&) = delete;
  virtual ~Credentials() = default;

  // For the next request; empty: none.
  virtual std::string Token() = 0;
  // A server refused what we showed: looks for something else, and says whether there is.
  virtual bool Renew() = 0;
};

// A token that does not change; empty: none.
class FixedToken final : public Credentials {
 public:
  explicit FixedToken(std::string token) : token_(std::move(token)) {}
  std::string Token() override { return token_; }
  bool Renew() override { return false; }

 private:
  const std::string token_;
};

// A token that somebody else keeps fresh, as kubelets do. Read again every minute; where it cannot
// be read, or is empty, the last one goes on counting.
class TokenFile final : public Credentials {
 public:
  using Read = std::function<Result<std::string>(const std::string& path)>;

  // `fallback` counts until the file was read. `clock` must outlive it.
  TokenFile(std::string path, Read read, const Clock& clock, std::string fallback = {});

  std::string Token() override;
  bool Renew() override;

 private:
  // Whether there is another token.
  bool ReadNow();

  const std::string path_;
  const Read read_;
  const Clock& clock_;
  std::string token_;
  std::optional<Time> read_at_;
};

// A client certificate that somebody else keeps fresh. Looked at every minute; what cannot be read
// or does not belong together changes nothing, since files are written one after the other.
class CertificateFiles {
 public:
  using Use = std::function<void(const net::Credential&)>;

  // `now_used` is what was read before; `use` is told of another. `clock` must outlive it.
  CertificateFiles(std::string certificate, std::string key, net::Credential now_used,
                   TokenFile::Read read, Use use, const Clock& clock);

  void Look();

 private:
  const std::string certificate_;
  const std::string key_;
  net::Credential used_;
  const TokenFile::Read read_;
  const Use use_;
  const Clock& clock_;
  Time looked_at_;
};

}  // namespace quadra::client

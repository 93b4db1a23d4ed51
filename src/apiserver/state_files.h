// StateFiles: what a server keeps in its directory besides the store: keys, the kubeconfig of its
// administrator, the port it had, its process number.
//
//   DIR/pki/ca.crt ca.key sa.key sa.pub   made at the first start
//   DIR/kubeconfig                        while the server is ready, 0600
//   DIR/port DIR/quadra.pid DIR/quadra.db
//
// Every file is written under another name first and then renamed; keys and kubeconfig are readable
// by their owner alone. Errors name the file and what to do.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/result.h"
#include "net/certificates.h"

namespace quadra::apiserver {

inline constexpr std::string_view kDatabase = "quadra.db";

class StateFiles {
 public:
  // Makes the directory where it is not there.
  static Result<StateFiles> Open(const std::filesystem::path& directory);

  std::filesystem::path database() const { return directory_ / kDatabase; }
  std::filesystem::path kubeconfig() const { return directory_ / "kubeconfig"; }

  // Those that are there, or new ones.
  Result<net::Credential> Authority(Time now) const;
  Status MakeSigningKey() const;

  // Whether there was a server before, and its database is not there any more, or empty.
  bool HasLostDatabase() const;

  // The port of the last start.
  std::optional<std::uint16_t> LastPort() const;
  Status KeepPort(std::uint16_t port) const;
  Status KeepProcess() const;

  // With everything in it: no other file is needed.
  Status WriteKubeconfig(std::string_view server, std::string_view authority,
                         const net::Credential& client) const;
  void RemoveKubeconfig() const;
  void RemoveProcess() const;

 private:
  explicit StateFiles(std::filesystem::path directory) : directory_(std::move(directory)) {}

  std::filesystem::path directory_;
};

}  // namespace quadra::apiserver

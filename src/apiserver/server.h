// ApiServer: one process, one file on disk, and clients of Kubernetes cannot tell it from
// kube-apiserver. The door of this folder.
//
//   QUADRA_TRY(const auto server, ApiServer::Start({.directory = "/var/lib/quadra"}));
//   fmt::print("KUBECONFIG={}\n", server->kubeconfig());
//   server->Stop(std::chrono::seconds(10));
//
// A request goes through a chain: authenticate, find the resource, negotiate, decode, admit, judge,
// store, encode; each stage is a file. What is stored is kept as the bytes that clients get.
//
// Threads: all members may be called by all.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "api/vocabulary.h"
#include "apiserver/in_flight.h"
#include "apiserver/request_log.h"
#include "apiserver/runtime_config.h"
#include "apiserver/scheduler_question.h"
#include "base/clock.h"
#include "base/result.h"
#include "net/server.h"

namespace quadra::apiserver {

struct ApiServerOptions {
  std::filesystem::path directory;
  std::string address = "127.0.0.1";
  // Absent: that of the last start, else 6443, else any that is free. 0: any that is free.
  std::optional<std::uint16_t> port;
  api::FeatureGates gates;
  RuntimeConfig runtime_config;
  // Null: the system's. Must outlive the server, and be thread-safe.
  const Clock* clock = nullptr;
  // A write that gives a claim a device which another claim holds for itself alone is refused with a
  // Conflict, whoever sends it.
  bool guard_allocations = false;
  // Whom clients ask by /quadra/explain/NAMESPACE/POD; null: nobody, the path is not there.
  AskScheduler ask_scheduler = nullptr;
  InFlightLimits in_flight;
  RequestLogOptions log;
  // Whether it is announced when it starts; otherwise when Announce() is called, because those who
  // follow kubeconfig shall find more than this server.
  bool announce = true;
  // Called now and then while a large store is read, with how many entries were.
  std::function<void(std::size_t)> on_load = [](std::size_t) {};
};

// Copies everything of a server's directory, running or not, to a file that does not exist yet.
Status BackUp(const std::filesystem::path& directory, const std::filesystem::path& file);
// Makes a directory that has no store yet from such a file. Revisions go on so much later that those
// who watched the old server list anew.
Status Restore(const std::filesystem::path& file, const std::filesystem::path& directory);

class ApiServer {
 public:
  // Ready when it returns: it listens and, unless it was asked not to, its kubeconfig is written.
  static Result<std::unique_ptr<ApiServer>> Start(ApiServerOptions options);
  // Stops at once.
  ~ApiServer();
  ApiServer(const ApiServer&) = delete;
  ApiServer& operator=(const ApiServer&) = delete;

  std::string url() const;
  std::uint16_t port() const;
  std::filesystem::path kubeconfig() const;
  // Writes kubeconfig, by which everybody else finds it.
  Status Announce();
  // For clients in this process; works until Stop().
  net::Handler handler();
  // No new requests; those under way may end, and watches are ended, within `patience`. Whether all
  // went by themselves.
  bool Stop(std::chrono::milliseconds patience);

 private:
  class Parts;
  explicit ApiServer(std::unique_ptr<Parts> parts);

  std::unique_ptr<Parts> parts_;
};

}  // namespace quadra::apiserver

// Exec plugins: programs that tell who we are, by the protocol client.authentication.k8s.io/v1 and
// v1beta1. Private to src/client.
//
//   QUADRA_TRY(const PluginAnswer answer, AskPlugin(*access.exec, access, cancelled));
//
// The plugin learns of the cluster, and whether it may ask a person, from $KUBERNETES_EXEC_INFO.
// Errors name the plugin, what it did, and its author's hint where it is not installed; nothing that
// it printed is in them, since that may be secret.
// Threads: all may call it; it waits for the plugin.
#pragma once

#include <atomic>
#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/result.h"
#include "client/connection.h"
#include "net/client.h"

namespace quadra::client {

struct PluginAnswer {
  std::string token;
  std::optional<net::Credential> certificate;
  std::optional<Time> expires;  // never: nothing

  // Whether they show the same to a server.
  bool Shows(const PluginAnswer& other) const;
};

Result<PluginAnswer> AskPlugin(const ExecPlugin& plugin, const ClusterAccess& access,
                               const std::atomic<bool>& cancelled);

// What plugins are told: an ExecCredential with a spec, JSON.
std::string QuestionFor(const ExecPlugin& plugin, const ClusterAccess& access, bool interactive);

// An ExecCredential with a status, as plugins print it.
Result<PluginAnswer> ReadPluginAnswer(std::string_view output, std::string_view api_version);

}  // namespace quadra::client

// Live: how a command line names a cluster that runs, in kubectl's words; the same for every verb that
// can ask one.
//
//   constexpr auto kFlags = WithAccessFlags(std::array{kNamespaceFlag, …});
//   QUADRA_TRY(const client::ClusterAccess access, FindAccess(AccessOf(invocation), …));
//
// Pure functions.
#pragma once

#include <array>
#include <cstddef>

#include "cli/verb.h"
#include "client/connection.h"

namespace quadra::cli {

inline constexpr Flag kKubeconfigFlag{
    .name = "kubeconfig",
    .value = "FILE",
    .help =
        "Ask the cluster that this file names; else those of $KUBECONFIG do, else "
        "~/.kube/config, else the account of the pod that this runs in."};
inline constexpr Flag kContextFlag{.name = "context",
                                   .value = "NAME",
                                   .help = "The context of the kubeconfig; else its current one."};
inline constexpr Flag kClusterFlag{.name = "cluster",
                                   .value = "NAME",
                                   .help = "The cluster of the kubeconfig, not the context's."};
inline constexpr Flag kUserFlag{
    .name = "user", .value = "NAME", .help = "The user of the kubeconfig, not the context's."};
inline constexpr Flag kServerFlag{.name = "server",
                                  .letter = 's',
                                  .value = "URL",
                                  .help = "The address of the server, not the kubeconfig's."};
inline constexpr Flag kServerNameFlag{
    .name = "tls-server-name",
    .value = "NAME",
    .help = "The name that the server's certificate must have, not that of its address."};
inline constexpr Flag kAuthorityFlag{
    .name = "certificate-authority",
    .value = "FILE",
    .help = "Certificates that vouch for the server, not the kubeconfig's."};
inline constexpr Flag kCertificateFlag{
    .name = "client-certificate", .value = "FILE", .help = "The certificate to show."};
inline constexpr Flag kKeyFlag{
    .name = "client-key", .value = "FILE", .help = "The key of that certificate."};
inline constexpr Flag kInsecureFlag{
    .name = "insecure-skip-tls-verify",
    .help = "Believe any server that it is the right one. Whoever sits in between reads along."};
inline constexpr Flag kTokenFlag{
    .name = "token", .value = "TOKEN", .help = "The bearer token to show, not the kubeconfig's."};
inline constexpr Flag kAsFlag{.name = "as",
                              .value = "USER",
                              .help = "Ask in the name of this user, e.g. to see what it may."};
inline constexpr Flag kAsUidFlag{.name = "as-uid", .value = "UID", .help = "And with this uid."};
inline constexpr Flag kAsGroupFlag{.name = "as-group",
                                   .value = "GROUP",
                                   .repeated = true,
                                   .help = "And of this group; may be given several times."};

inline constexpr std::array kAccessFlags = {
    kKubeconfigFlag, kContextFlag,   kClusterFlag,     kUserFlag,   kServerFlag,
    kServerNameFlag, kAuthorityFlag, kCertificateFlag, kKeyFlag,    kInsecureFlag,
    kTokenFlag,      kAsFlag,        kAsUidFlag,       kAsGroupFlag};

// A verb's own flags, and those that name the cluster behind them.
template <std::size_t N>
constexpr std::array<Flag, N + kAccessFlags.size()> WithAccessFlags(
    const std::array<Flag, N>& own) {
  std::array<Flag, N + kAccessFlags.size()> all{};
  for (std::size_t i = 0; i < all.size(); ++i) {
    all[i] = i < N ? own[i] : kAccessFlags[i - N];
  }
  return all;
}

// What of these a command line says.
client::AccessFlags AccessOf(const Invocation& invocation);
// Whether it says any of them: who does means a cluster that runs, not a file.
bool NamesCluster(const Invocation& invocation);

}  // namespace quadra::cli

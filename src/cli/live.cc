#include "cli/live.h"

#include <algorithm>

namespace quadra::cli {

client::AccessFlags AccessOf(const Invocation& invocation) {
  return {.kubeconfig = invocation.Value(kKubeconfigFlag.name),
          .context = invocation.Value(kContextFlag.name),
          .cluster = invocation.Value(kClusterFlag.name),
          .user = invocation.Value(kUserFlag.name),
          .server = invocation.Value(kServerFlag.name),
          .tls_server_name = invocation.Value(kServerNameFlag.name),
          .certificate_authority = invocation.Value(kAuthorityFlag.name),
          .client_certificate = invocation.Value(kCertificateFlag.name),
          .client_key = invocation.Value(kKeyFlag.name),
          .insecure_skip_tls_verify = invocation.Has(kInsecureFlag.name),
          .token = invocation.Value(kTokenFlag.name),
          .as = invocation.Value(kAsFlag.name),
          .as_uid = invocation.Value(kAsUidFlag.name),
          .as_groups = invocation.Values(kAsGroupFlag.name)};
}

bool NamesCluster(const Invocation& invocation) {
  return std::ranges::any_of(kAccessFlags,
                             [&](const Flag& flag) { return invocation.Has(flag.name); });
}

}  // namespace quadra::cli

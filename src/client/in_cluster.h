// The account of the pod that we run in, as a kubeconfig. Private to src/client.
#pragma once

#include <optional>

#include "client/connection.h"
#include "client/kubeconfig.h"

namespace quadra::client {

// Nothing where we run in no pod, or in one without an account.
std::optional<Kubeconfig> KubeconfigOfPod(const ProcessEnvironment& environment);

}  // namespace quadra::client

// Impersonation: the headers by which requests act as somebody else. Private to src/client.
#pragma once

#include "client/connection.h"
#include "net/client.h"

namespace quadra::client {

// Empty where nobody is impersonated. Keys of `as_extra` are escaped as client-go does.
net::Headers ImpersonationOf(const ClusterAccess& access);

}  // namespace quadra::client

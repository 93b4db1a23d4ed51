// The proxy that a process is told of by $HTTPS_PROXY and $NO_PROXY, as Go's programs read them.
// Private to src/client.
#pragma once

#include <string>

#include "client/address.h"
#include "client/connection.h"

namespace quadra::client {

// Empty: none for this server. Lower-case names of the variables count too. Never for localhost and
// loopback addresses, nor for what $NO_PROXY names: *, a host or a domain with all below it, only
// what is below it (.example.com), an address, a range (10.0.0.0/8); each may have a port.
std::string ProxyFromVariables(const Address& server, const ProcessEnvironment& environment);

}  // namespace quadra::client

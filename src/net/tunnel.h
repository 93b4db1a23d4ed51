// Tunnel: a connection through an HTTP proxy, by CONNECT. Private to src/net.
//
// Threads: the loop's.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include <boost/asio/ip/tcp.hpp>

#include "base/result.h"

namespace quadra::net {

// Asks the proxy that `socket` is connected to for a connection to `authority`, host:port. `done` is
// called once, with an error where it refuses or is no proxy; not before it returns. The socket must
// live until then; whoever is tired of waiting closes it.
void OpenTunnel(boost::asio::ip::tcp::socket& socket, const std::string& authority,
                std::function<void(const Status&)> done);

}  // namespace quadra::net

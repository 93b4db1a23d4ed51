// Limits: what one server grants its peers, with kube-apiserver's values where it has one.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>

namespace quadra::net {

struct Limits {
  // Open at once; the next one is closed as soon as it is accepted.
  std::size_t connections = 16'384;
  // Names and values of one request's headers; more is answered 431.
  std::size_t header_bytes = std::size_t{1} << 20;
  // More is answered 413.
  std::size_t body_bytes = std::size_t{3} << 20;
  // Bodies on their way, of all connections together, since strangers may send them too; a request
  // beyond is answered 429.
  std::size_t arriving_bytes = std::size_t{256} << 20;
  // h2: requests that one connection may have open, and bytes of a body that may be on their way.
  std::uint32_t streams_per_connection = 100;
  std::int32_t stream_window = 256 << 10;

  // Without a request, a connection is closed.
  std::chrono::milliseconds idle = std::chrono::seconds(90);
  // For the handshake, and from the first byte of a request of HTTP/1.1 to the end of its headers.
  std::chrono::milliseconds header = std::chrono::seconds(32);
  // From the headers of a request to the end of its body.
  std::chrono::milliseconds body = std::chrono::seconds(60);
  // For a peer that takes nothing of what waits for it.
  std::chrono::milliseconds stall = std::chrono::seconds(60);
};

}  // namespace quadra::net

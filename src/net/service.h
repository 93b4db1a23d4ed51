// Service: what every connection of one server shares.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "base/clock.h"
#include "net/exchange.h"
#include "net/limits.h"

namespace quadra::net {

struct Service {
  Handler handler;
  // The answer to a request whose body is larger than allowed, of which it sees all but the body.
  std::function<Response(const Request&)> oversized;
  Limits limits;
  const Clock* clock = nullptr;  // null: answers bear no date

  // How much happened so far, and bytes of bodies that are on their way now.
  mutable std::atomic<std::uint64_t> requests = 0;
  mutable std::atomic<std::size_t> arriving = 0;

  // As RFC 9110 demands of servers that have a clock. A handler's own date is kept.
  void AppendDate(Headers& headers) const;
};

// The part of one body in what the server may hold while bodies arrive; given back at the end.
class ArrivingBody {
 public:
  explicit ArrivingBody(const Service& service) : service_(service) {}
  ~ArrivingBody() { Release(); }
  ArrivingBody(const ArrivingBody&) = delete;
  ArrivingBody& operator=(const ArrivingBody&) = delete;

  // Whether there is room for so much more; without it the body should be forgotten.
  bool Grow(std::size_t bytes);
  void Release();

 private:
  const Service& service_;
  std::size_t held_ = 0;
};

// "Mon, 16 Nov 2026 13:17:05 GMT".
std::string HttpDate(Time time);

// Calls a handler. What it throws is answered 500: it costs one request.
void CallHandler(const Handler& handler, Request request, std::shared_ptr<Reply> reply);

// The same for a request that has come to a server.
void Serve(const Service& service, Request request, std::shared_ptr<Reply> reply);

}  // namespace quadra::net

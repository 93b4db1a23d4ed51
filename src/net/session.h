// Session: one HTTP connection as bytes in and bytes out.
//
// Sockets, TLS and timers lie with Transport; a session knows only its protocol, so that tests and
// fuzzers feed it by hand, and h2, HTTP/1.1, server and client are four sessions under one
// transport.
//
//   session.Receive(bytes, now);              // may call handlers and receivers
//   session.Send(out, 64 << 10);              // appends what is to be sent
//   if (session.Finished()) { /* close when all is sent */ }
//
// Threads: those of one connection, one call at a time. Nothing waits, nothing throws.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>

#include "base/result.h"

namespace quadra::net {

using Instant = std::chrono::steady_clock::time_point;

class Session {
 public:
  Session() = default;
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;
  virtual ~Session() = default;

  virtual void Receive(std::string_view bytes, Instant now) = 0;

  // Appends to `out` until it has at least `until` bytes or there is nothing to send. Sees first
  // what other threads have answered meanwhile.
  virtual void Send(std::string& out, std::size_t until, Instant now) = 0;

  // Called now and then: acts on what has taken too long.
  virtual void OnTick(Instant now) = 0;

  // Ends what is idle, takes nothing new, and is finished when the last answer is sent.
  virtual void Drain(Instant now) = 0;

  // Nothing more is to be read or sent: close as soon as the last bytes have left.
  virtual bool Finished() const = 0;

  // Whether more bytes should be read now; a session that has enough to do holds its peer back.
  virtual bool WantsInput() const = 0;

  // The connection is gone; `why` is what its users are told.
  virtual void Lose(const Error& why) = 0;
};

}  // namespace quadra::net

// Exchange: how a handler answers one request, at once or later, whole or as a stream.
//
//   void Hello(Request request, Exchange exchange) {                       // a Handler
//     exchange.Answer({.status = 200, .body = Share("hello")});
//   }
//   void Watch(Request request, Exchange exchange) {
//     exchange.Begin(200, {{"content-type", "application/json"}});         // leaves at once
//     watchers.Add(std::move(exchange));                                   // Write() and End() later
//   }
//
// Promises. Nothing waits: bytes queue up until the peer takes them, and Unsent() says how many, so
// that a producer can hold back or give up. Bytes are shared and not copied until they are framed.
// An exchange that is dropped unanswered answers 500; a stream that is dropped before End() is
// broken off, so that no client takes half of it for the whole. What is written to a peer that has
// gone is forgotten.
//
// Threads. An Exchange belongs to one holder at a time, on any thread; Unsent() and Gone() may be
// asked by all. Notices are called on the thread of the connection: they must not wait, and may
// still be running while the exchange is destroyed, so let them hold what they use.
//
// Cost. A write is two short locks, and wakes the connection only where it was asleep.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "net/message.h"

namespace quadra::net {

class Reply;

// What the producer of a stream wants to be told.
struct Notices {
  // The peer has gone before the end; called once, soon after Notify() where it had gone before.
  std::function<void()> gone;
  // Unsent() has fallen below `writable_below` from there or above.
  std::function<void()> writable;
  std::size_t writable_below = std::size_t{64} << 10;
};

// Who wants to know what became of a request, whoever answers it: for logs, meters, limits.
class Witness {
 public:
  virtual ~Witness() = default;
  // The head is about to leave; headers may be added.
  virtual void Begins(int status, Headers& headers) = 0;
  // Once, after Begins: the holder has said all, or given up. `bytes` are those of the body.
  virtual void Ends(std::size_t bytes) = 0;
};

class Exchange {
 public:
  explicit Exchange(std::shared_ptr<Reply> reply);
  Exchange(Exchange&&) noexcept = default;
  Exchange& operator=(Exchange&& other) noexcept;
  ~Exchange();

  // The whole answer. REQUIRES: neither Answer() nor Begin() before.
  void Answer(Response response);
  // The same, its body put together from what others hold as well.
  void Answer(int status, Headers headers, std::vector<Piece> body);

  // An answer of unknown length; its head leaves at once. REQUIRES: as Answer().
  void Begin(int status, Headers headers);
  // REQUIRES: Begin() before, no End() before.
  void Write(Bytes bytes);
  void End();

  // Bytes that were written and have not left for the peer yet.
  std::size_t Unsent() const;
  // Whether nobody will read what is written from now on.
  bool Gone() const;
  void Notify(Notices notices);
  // The witness is called by the holder's thread. REQUIRES: as Answer(); there is none yet.
  void Attend(std::unique_ptr<Witness> witness) { witness_ = std::move(witness); }

 private:
  enum class State { kUnanswered, kStreaming, kDone };

  void Abandon();
  void AnswerWith(int status, Headers headers, std::span<Piece> body);
  void TellBegin(int status, Headers& headers);
  void TellEnd();

  std::shared_ptr<Reply> reply_;      // null after a move
  std::unique_ptr<Witness> witness_;  // null: nobody wants to know
  std::size_t bytes_ = 0;             // of the body so far
  State state_ = State::kUnanswered;
};

// Called on the thread of the connection, so it must not wait for anything; whoever has long work
// to do takes the exchange to another thread.
using Handler = std::function<void(Request request, Exchange exchange)>;

}  // namespace quadra::net

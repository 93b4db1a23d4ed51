// A request of ours on its way, and what a connection can do for it. Private to src/net.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>

#include "net/client.h"
#include "net/session.h"

namespace quadra::net {

// Owned by whoever has it at the moment: the client's queue, then one connection. Everything but
// `cancelled` belongs to the loop's thread.
struct Call {
  Request request;
  Receiver receiver;
  std::optional<Instant> deadline;
  std::atomic<bool> cancelled = false;
  bool retried = false;
  bool ended = false;
  std::size_t sent = 0;  // of the body

  // Tells the receiver, once.
  void End(const Status& how);

  // Why it should go no further, if so.
  std::optional<Error> Expired(Instant now) const;
};

// Where the calls of one Client go. All members may be called by all, Stop() by no thread on which
// receivers are called.
class Carrier {
 public:
  virtual ~Carrier() = default;
  virtual void Add(std::shared_ptr<Call> call) = 0;
  // Ends soon what was cancelled.
  virtual void EndCancelled() = 0;
  // Ends every call with an error; none is taken afterwards.
  virtual void Stop() = 0;
  virtual std::uint64_t connected() const = 0;
  // From now on; where nothing is encrypted nobody is shown anything.
  virtual Status Use(const Credential& /*credential*/) { return {}; }
};

// What calls are told when their client is closed.
Error ClientClosed();

// The client's end of a connection.
class Caller {
 public:
  virtual ~Caller() = default;
  // Whether the server has said how many calls it takes; until then Room() is 0.
  virtual bool Ready() const = 0;
  // How many more calls it takes now.
  virtual std::size_t Room() const = 0;
  // REQUIRES: Room() > 0.
  virtual void Submit(std::shared_ptr<Call> call) = 0;
  // Ends those of its calls that are cancelled or took too long.
  virtual void EndExpired(Instant now) = 0;
};

// host:port as a request names it.
std::string AuthorityOf(const ClientOptions& options);

// What a connection tells its client.
struct CallerNotices {
  // Takes a call back that the server certainly has not begun to serve.
  std::function<void(std::shared_ptr<Call>)> retry;
  // A call has ended, so there may be room for another.
  std::function<void()> room;
};

}  // namespace quadra::net

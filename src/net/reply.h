// Reply and Mailbox: the connection's side of an Exchange.
//
// A Reply is the queue between a handler, on any thread, and the one connection that sends it. A
// Mailbox collects the replies of one connection that have something new, and wakes the connection
// once for all of them.
//
//   const auto mailbox = std::make_shared<Mailbox>([] { /* have Collect() called soon */ });
//   const auto reply = std::make_shared<Reply>(mailbox, stream);
//   handler(request, Exchange(reply));
//   for (const auto& changed : mailbox->Collect()) { changed->TakeHead(); changed->Take(n, out); }
//
// Threads. All of Mailbox, and of Reply Put(), Notify(), unsent() and gone(), may be called by all;
// the rest of Reply is the connection's.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/mutex.h"
#include "net/exchange.h"
#include "net/message.h"

namespace quadra::net {

class Mailbox {
 public:
  // `wake` is called by whoever touches a reply while nothing waits to be collected. It is called
  // under our lock, so that it is not running any more when Close() returns: it must not call back.
  explicit Mailbox(std::function<void()> wake) : wake_(std::move(wake)) {}

  void Touch(std::shared_ptr<Reply> reply);

  // Wakes nobody until the next Collect(), which the caller promises to make.
  void Hold();

  // The replies that were touched since the last time, each once.
  std::vector<std::shared_ptr<Reply>> Collect();

  // Nobody is woken and nothing kept any more. Whoever makes a mailbox closes it, since the replies
  // in it hold it too.
  void Close();

 private:
  Mutex mutex_;
  const std::function<void()> wake_;
  std::vector<std::shared_ptr<Reply>> touched_ QUADRA_GUARDED_BY(mutex_);
  bool expected_ QUADRA_GUARDED_BY(mutex_) = false;  // a Collect() will come
  bool closed_ QUADRA_GUARDED_BY(mutex_) = false;
};

class Reply : public std::enable_shared_from_this<Reply> {
 public:
  enum class Ending {
    kOpen,    // more may come
    kEnded,   // the producer has said all
    kBroken,  // the producer gave up in the middle
  };
  struct Head {
    int status = 200;
    Headers headers;
    std::optional<std::size_t> length;  // of the body, where it is known
  };
  // What could be taken now.
  struct Stock {
    std::size_t bytes = 0;
    Ending ending = Ending::kOpen;  // after these bytes
  };

  // `stream` is the connection's own name for it.
  Reply(std::shared_ptr<Mailbox> mailbox, std::int32_t stream)
      : mailbox_(std::move(mailbox)), stream_(stream) {}

  // The producer's side, behind Exchange. Takes the pieces out of `pieces`.
  void Put(std::optional<Head> head, std::span<Piece> pieces, Ending ending);
  void Notify(Notices notices);
  std::size_t unsent() const { return unsent_.load(std::memory_order_relaxed); }
  bool gone() const { return gone_.load(std::memory_order_relaxed); }

  std::int32_t stream() const { return stream_; }

  // The head, once, as soon as there is one.
  std::optional<Head> TakeHead();
  Stock Peek(std::size_t most);
  // Appends `bytes` bytes to `out`. REQUIRES: Peek() has seen as many.
  void Take(std::size_t bytes, std::string& out);

  // Nobody will take any more; tells the producer unless it had ended.
  void Close();

 private:
  friend class Mailbox;

  void Append(std::span<Piece> pieces) QUADRA_REQUIRES(mutex_);
  void Move(std::size_t bytes, std::string& out) QUADRA_REQUIRES(mutex_);
  void DropSent() QUADRA_REQUIRES(mutex_);

  const std::shared_ptr<Mailbox> mailbox_;
  const std::int32_t stream_;
  std::atomic<bool> queued_ = false;  // in the mailbox
  std::atomic<std::size_t> unsent_ = 0;
  std::atomic<bool> gone_ = false;

  Mutex mutex_;
  std::optional<Head> head_ QUADRA_GUARDED_BY(mutex_);
  std::vector<Piece> pieces_ QUADRA_GUARDED_BY(mutex_);
  std::size_t first_ QUADRA_GUARDED_BY(mutex_) = 0;  // the piece that is sent next, or its rest
  Ending ending_ QUADRA_GUARDED_BY(mutex_) = Ending::kOpen;
  std::shared_ptr<const Notices> notices_ QUADRA_GUARDED_BY(mutex_);
};

}  // namespace quadra::net

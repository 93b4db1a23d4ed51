// Sender: requests to one server whose answers come on one loop, tried again where that is right.
// Private to src/client.
//
// Threads: the loop's; only the way back is used by the client's thread.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "absl/container/flat_hash_set.h"
#include "base/mutex.h"
#include "client/api.h"
#include "loop/event_loop.h"
#include "net/client.h"

namespace quadra::client {

inline constexpr std::string_view kJson = "application/json";

struct Ask {
  std::string method;
  std::string target;
  std::string body = {};
  std::string content_type = std::string(kJson);
  std::string accept = std::string(kJson);
};

// From the client's thread to the loop. Shut when the Api goes: what is answered later is forgotten,
// and the loop may be gone by then.
class WayBack {
 public:
  explicit WayBack(loop::EventLoop& loop) : loop_(&loop) {}

  void Post(loop::EventLoop::Work work) {
    MutexLock lock(mutex_);
    if (loop_ != nullptr) {
      loop_->Post(std::move(work));
    }
  }
  void Shut() {
    MutexLock lock(mutex_);
    loop_ = nullptr;
  }

 private:
  Mutex mutex_;
  loop::EventLoop* loop_ QUADRA_GUARDED_BY(mutex_);
};

class Sender : public std::enable_shared_from_this<Sender> {
 public:
  using Bring = std::function<void(Answer<std::string>)>;

  Sender(net::Client& client, loop::EventLoop& loop, ApiOptions options);
  ~Sender() { way_back_->Shut(); }
  Sender(const Sender&) = delete;
  Sender& operator=(const Sender&) = delete;

  void Send(Ask ask, Bring bring);
  std::unique_ptr<Api::Stream> Stream(const Ask& ask, Api::StreamReceiver receiver,
                                      std::chrono::milliseconds timeout);

  const ApiOptions& options() const { return options_; }
  std::uint64_t sent() const { return sent_; }

 private:
  struct Attempt;

  void Send(const std::shared_ptr<Attempt>& attempt);
  void Judge(const std::shared_ptr<Attempt>& attempt);
  bool TriedAgain(const std::shared_ptr<Attempt>& attempt, const Failure& failure);
  void SendAfter(std::chrono::milliseconds wait, const std::shared_ptr<Attempt>& attempt);
  net::Request RequestOf(const Ask& ask) const;
  void TellWarnings(const net::Headers& headers);

  net::Client& client_;
  loop::EventLoop& loop_;
  const ApiOptions options_;
  const std::shared_ptr<WayBack> way_back_;
  std::uint64_t sent_ = 0;
  absl::flat_hash_set<std::string> warned_;
};

// What a refusal says, with the time that its header asks for.
Failure Refusal(int status, const net::Headers& headers, std::string_view body);
Failure Unanswered(const Error& why);

}  // namespace quadra::client

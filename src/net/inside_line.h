// InsideLine: calls to a handler in this process, as if it were a server. Private to src/net.
//
// Takes the place of connections, TLS and framing: answers are handed from the handler's Reply to
// the receiver, and a handler that streams is told when the receiver has gone.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include <absl/container/flat_hash_map.h>

#include "base/mutex.h"
#include "net/call.h"
#include "net/exchange.h"
#include "net/loop.h"
#include "net/reply.h"

namespace quadra::net {

class InsideLine final : public Carrier {
 public:
  InsideLine(Handler handler, Peer peer);
  ~InsideLine() override;
  InsideLine(const InsideLine&) = delete;
  InsideLine& operator=(const InsideLine&) = delete;

  void Add(std::shared_ptr<Call> call) override;
  void EndCancelled() override;
  void Stop() override;
  std::uint64_t connected() const override { return 0; }

 private:
  struct Running {
    std::shared_ptr<Call> call;
    std::shared_ptr<Reply> reply;
  };

  // On the loop.
  void Ask(std::shared_ptr<Call> call);
  void Deliver();
  void Deliver(const Running& running);
  void EndExpired(Instant now);
  void End(std::int32_t id, const Status& how);

  const Handler handler_;
  const std::shared_ptr<const Peer> peer_;
  const std::shared_ptr<Mailbox> mailbox_;
  Mutex mutex_;
  bool stopped_ QUADRA_GUARDED_BY(mutex_) = false;

  absl::flat_hash_map<std::int32_t, Running> running_;
  std::int32_t last_id_ = 0;
  std::string buffer_;
  Loop loop_;  // last: its thread uses all of the above
};

}  // namespace quadra::net

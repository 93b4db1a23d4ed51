// SimulatedLine: the calls of one client of a SimulatedNetwork. Private to src/net.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "net/call.h"
#include "net/reply.h"
#include "net/simulated_network.h"

namespace quadra::net {

class SimulatedLine final : public Carrier, public std::enable_shared_from_this<SimulatedLine> {
 public:
  static std::shared_ptr<SimulatedLine> Make(SimulatedNetwork& network);
  ~SimulatedLine() override;
  SimulatedLine(const SimulatedLine&) = delete;
  SimulatedLine& operator=(const SimulatedLine&) = delete;

  void Add(std::shared_ptr<Call> call) override;
  void EndCancelled() override;
  void Stop() override;
  std::uint64_t connected() const override { return 0; }

  // Sends off what replies have got by now.
  void Deliver();
  // Ends all that is under way with an error.
  void EndAll(const Error& why);

 private:
  struct Running {
    std::shared_ptr<Call> call;
    Fate fate;
    std::shared_ptr<Reply> reply;     // null: the server has not got it
    std::optional<Reply::Head> head;  // null again when it was sent off
    bool over = false;                // nothing more is taken from the reply
    std::size_t lines = 0;            // sent off
    std::string line;                 // of a stream, that has not ended yet
    Time due;                         // when the last that was sent off arrives
  };
  using Arrival = std::function<void(const Receiver&)>;

  explicit SimulatedLine(SimulatedNetwork& network);

  // Unless the call has ended by then.
  void After(std::chrono::microseconds delay, std::int64_t id, std::function<void()> work);
  void Ask(std::int64_t id);
  Reply::Head AwaitHead(Reply& reply);
  void Deliver(std::int64_t id, Running& running);
  void SendLines(std::int64_t id, Running& running, std::string_view bytes);
  void SendBytes(std::int64_t id, Running& running, std::string bytes);
  void SendEnd(std::int64_t id, Running& running, const Status& how);
  // On its way from now on, behind all that was sent off before.
  void SendOff(std::int64_t id, Running& running, std::function<void()> arrive);
  void SendOff(std::int64_t id, Running& running, Arrival arrive);
  void End(std::int64_t id, const Status& how);

  SimulatedNetwork& network_;
  std::mutex mutex_;
  std::condition_variable touched_;
  std::uint64_t touches_ = 0;  // guarded by mutex_
  const std::shared_ptr<Mailbox> mailbox_;
  std::map<std::int64_t, Running> running_;
  std::int64_t last_id_ = 0;
};

}  // namespace quadra::net

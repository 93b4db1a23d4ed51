// H1Client: the client's end of a connection of HTTP/1.1, which serves one call at a time.
//
// It has no pings: a dead server is noticed by the call's own timeout, or by the system's keep-alive
// probes after some minutes.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "net/call.h"
#include "net/h1_reader.h"
#include "net/session.h"

namespace quadra::net {

class H1Client final : public Session, public Caller, private H1Sink {
 public:
  H1Client(const ClientOptions& options, CallerNotices notices, Instant now);

  bool Ready() const override { return true; }
  std::size_t Room() const override { return call_ || finished_ ? 0 : 1; }
  void Submit(std::shared_ptr<Call> call) override;
  void EndExpired(Instant now) override;

  void Receive(std::string_view bytes, Instant now) override;
  void Send(std::string& out, std::size_t until, Instant now) override;
  void OnTick(Instant now) override;
  void Drain(Instant now) override;
  bool Finished() const override { return finished_; }
  bool WantsInput() const override { return true; }
  void Lose(const Error& why) override;

 private:
  void OnHead(H1Head head) override;
  void OnBody(std::string_view piece) override;

  void OnProgress(H1Progress progress, Instant now);
  // Whether the server, closing an idle connection, cannot have seen the call.
  bool MayRetry() const;

  const ClientOptions& options_;
  const CallerNotices notices_;
  const std::string authority_;
  H1Reader reader_;
  std::string arrived_;         // and not read yet
  std::shared_ptr<Call> call_;  // null: idle
  bool head_sent_ = false;
  bool answered_ = false;  // something of the answer has arrived
  bool headed_ = false;    // its head was handed over
  bool informs_ = false;   // it is one of those (1xx) that precede the answer proper
  bool keeps_alive_ = true;
  bool reused_ = false;  // for more than one call
  bool finished_ = false;
  Instant idle_since_;
};

}  // namespace quadra::net

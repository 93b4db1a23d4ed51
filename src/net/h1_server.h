// H1Server: the server's end of a connection of HTTP/1.1 or 1.0.
//
// One request at a time: what a client sends ahead waits, and holds the client back when it grows.
// What is no HTTP is answered 400, and the connection closed.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "net/h1_reader.h"
#include "net/h1_writer.h"
#include "net/reply.h"
#include "net/service.h"
#include "net/session.h"

namespace quadra::net {

class H1Server final : public Session, private H1Sink {
 public:
  // `service` must outlive it.
  H1Server(const Service& service, std::shared_ptr<const Peer> peer,
           std::shared_ptr<Mailbox> mailbox, Instant now);
  ~H1Server() override;

  void Receive(std::string_view bytes, Instant now) override;
  void Send(std::string& out, std::size_t until, Instant now) override;
  void OnTick(Instant now) override;
  void Drain(Instant now) override;
  bool Finished() const override { return phase_ == Phase::kFinished && said_.empty(); }
  bool WantsInput() const override;
  void Lose(const Error& why) override;

 private:
  enum class Phase { kNew, kIdle, kHeader, kBody, kAnswering, kFinished };

  void OnHead(H1Head head) override;
  void OnBody(std::string_view piece) override;

  void Enter(Phase phase, Instant now);
  // Reads requests out of what has arrived, until one is to be answered.
  void ReadOn(Instant now);
  void OnProgress(H1Progress progress, Instant now);
  void Dispatch(Instant now);
  // The answer to a request whose body was not read to its end, so that nothing can follow it.
  void AnswerAndClose(const Response& response, Instant now);
  void Refuse(int status, std::string_view detail, Instant now);
  std::optional<std::chrono::milliseconds> Patience() const;

  void BeginAnswer(Reply::Head head, std::string& out);
  // Whether there was any.
  bool AppendBody(std::size_t most, std::string& out);
  bool AnswerEnded() const;
  void EndAnswer(std::string& out, Instant now);

  const Service& service_;
  const std::shared_ptr<const Peer> peer_;
  const std::shared_ptr<Mailbox> mailbox_;
  H1Reader reader_;
  std::string arrived_;  // and not read yet
  std::string said_;     // to be sent before anything else
  Phase phase_ = Phase::kNew;
  Instant since_;  // when the phase began, or the peer last took something

  // The request that is read or answered.
  Request request_;
  ArrivingBody arriving_;
  bool found_room_ = true;
  H1Head head_;  // its headers have gone into request_
  std::shared_ptr<Reply> reply_;
  bool head_sent_ = false;  // of the answer
  H1Framing framing_ = H1Framing::kNone;
  bool closes_ = false;  // after this answer
  bool draining_ = false;
};

}  // namespace quadra::net

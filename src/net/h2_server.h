// H2Server: the server's end of an h2 connection.
//
// A request is handed up when all of it has arrived. Defences beyond nghttp2's own (resets, acks
// and continuations that flood): headers, bodies and streams over the limits, a body that does not
// arrive, an answer that is not taken, a connection that is idle.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <absl/container/flat_hash_map.h>

#include "net/h2_session.h"
#include "net/reply.h"
#include "net/service.h"

namespace quadra::net {

class H2Server final : public H2Session {
 public:
  // `service` must outlive it.
  H2Server(const Service& service, std::shared_ptr<const Peer> peer,
           std::shared_ptr<Mailbox> mailbox, Instant now);
  ~H2Server() override;

  void Drain(Instant now) override;
  void Lose(const Error& why) override;

 private:
  struct Stream {
    explicit Stream(const Service& service) : arriving(service) {}

    Request request;
    ArrivingBody arriving;
    std::shared_ptr<Reply> reply;  // null until the request is handed up
    std::size_t header_bytes = 0;
    std::optional<int> refusal;  // of the body: a status
    bool answered = false;       // to the last byte
    Instant since;               // when it began, then when the peer last took something
    bool bodiless = false;       // the answer has no body, whatever the handler says
  };

  void AfterReceive() override;
  void BeforeSend() override;
  void Tick() override;
  void OnSettings() override {}
  void OnHeadersBegin(std::int32_t stream) override;
  void OnField(std::int32_t stream, std::string_view name, std::string_view value) override;
  void OnHeadersEnd(std::int32_t /*stream*/) override {}
  void OnData(std::int32_t stream, std::string_view bytes) override;
  void OnMessageEnd(std::int32_t stream) override;
  void OnMessageSent(std::int32_t stream) override;
  void OnStreamClose(std::int32_t stream, std::uint32_t error_code) override;
  ssize_t OfferBody(std::int32_t stream, std::size_t most, std::uint32_t& flags) override;
  void AppendBody(std::int32_t stream, std::size_t bytes, std::string& out) override;

  Stream* Find(std::int32_t id);
  void Refuse(std::int32_t id, Stream& stream, int status);
  void Dispatch(std::int32_t id, Stream& stream);
  Response Refusal(const Stream& stream) const;
  void Answer(std::int32_t id, Stream& stream, Reply::Head head);
  void Reset(std::int32_t id, std::uint32_t error_code);
  bool TookTooLong(Stream& stream) const;

  const Service& service_;
  const std::shared_ptr<const Peer> peer_;
  const std::shared_ptr<Mailbox> mailbox_;
  absl::flat_hash_map<std::int32_t, std::unique_ptr<Stream>> streams_;
  std::vector<std::int32_t> complete_;  // requests to hand up after reading
  Instant idle_since_;
  enum class Draining { kNo, kAnnounced, kClosing } draining_ = Draining::kNo;
};

}  // namespace quadra::net

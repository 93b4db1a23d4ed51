// H2Client: the client's end of an h2 connection.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include <absl/container/flat_hash_map.h>

#include "net/call.h"
#include "net/h2_session.h"

namespace quadra::net {

class H2Client final : public H2Session, public Caller {
 public:
  H2Client(const ClientOptions& options, CallerNotices notices, Instant now);

  bool Ready() const override { return settled_; }
  std::size_t Room() const override;
  void Submit(std::shared_ptr<Call> call) override;
  void EndExpired(Instant now) override;

  void Drain(Instant now) override;
  void Lose(const Error& why) override;

 private:
  struct Stream {
    std::shared_ptr<Call> call;
    int status = 0;
    Headers headers;
    bool head_given = false;
    bool complete = false;
  };

  void AfterReceive() override {}
  void BeforeSend() override {}
  void Tick() override;
  void OnSettings() override;
  void OnHeadersBegin(std::int32_t stream) override;
  void OnField(std::int32_t stream, std::string_view name, std::string_view value) override;
  void OnHeadersEnd(std::int32_t stream) override;
  void OnData(std::int32_t stream, std::string_view bytes) override;
  void OnMessageEnd(std::int32_t stream) override;
  void OnMessageSent(std::int32_t /*stream*/) override {}
  void OnStreamClose(std::int32_t stream, std::uint32_t error_code) override;
  ssize_t OfferBody(std::int32_t stream, std::size_t most, std::uint32_t& flags) override;
  void AppendBody(std::int32_t stream, std::size_t bytes, std::string& out) override;

  Stream* Find(std::int32_t id);
  void PingOrGiveUp();

  const ClientOptions& options_;
  const CallerNotices notices_;
  const std::string authority_;
  absl::flat_hash_map<std::int32_t, Stream> streams_;
  bool settled_ = false;  // the server has said how many streams it allows
  Instant idle_since_;
  bool pinged_ = false;  // and nothing received since
  Instant pinged_at_;
};

}  // namespace quadra::net

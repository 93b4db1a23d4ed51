// H2Session: what both ends of an h2 connection have in common, over nghttp2.
//
// nghttp2 owns the protocol: frames, header compression, flow control, what peers may do. It calls
// back in the middle of reading or writing, where nothing of ours may throw or call it again;
// so the hooks below only take notes, and subclasses act after Receive() has read everything.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <nghttp2/nghttp2.h>

#include "net/message.h"
#include "net/session.h"

namespace quadra::net {

template <auto kFree>
struct FreeNghttp2 {
  template <typename T>
  void operator()(T* object) const {
    kFree(object);
  }
};

class H2Session : public Session {
 public:
  void Receive(std::string_view bytes, Instant now) final;
  void Send(std::string& out, std::size_t until, Instant now) final;
  void OnTick(Instant now) final;
  bool Finished() const override;
  bool WantsInput() const final { return true; }

 protected:
  enum class Role { kServer, kClient };

  H2Session(Role role, Instant now);

  // Announces our limits, and opens the window of the whole connection for all streams together.
  void Announce(std::span<const nghttp2_settings_entry> settings, std::int32_t connection_window);

  // Everything has been read: time to act on the notes.
  virtual void AfterReceive() = 0;
  // Before anything is sent.
  virtual void BeforeSend() = 0;

  virtual void Tick() = 0;

  // Notes.
  virtual void OnSettings() = 0;  // the peer's
  virtual void OnHeadersBegin(std::int32_t stream) = 0;
  virtual void OnField(std::int32_t stream, std::string_view name, std::string_view value) = 0;
  virtual void OnHeadersEnd(std::int32_t stream) = 0;
  virtual void OnData(std::int32_t stream, std::string_view bytes) = 0;
  virtual void OnMessageEnd(std::int32_t stream) = 0;
  virtual void OnMessageSent(std::int32_t stream) = 0;
  virtual void OnStreamClose(std::int32_t stream, std::uint32_t error_code) = 0;

  // The body that is sent: how much of it could leave now (as nghttp2's data source says it: a
  // number of bytes, NGHTTP2_ERR_DEFERRED for none yet), and these bytes themselves.
  virtual ssize_t OfferBody(std::int32_t stream, std::size_t most, std::uint32_t& flags) = 0;
  virtual void AppendBody(std::int32_t stream, std::size_t bytes, std::string& out) = 0;

  // A data source that asks the two above.
  static nghttp2_data_provider Body();

  nghttp2_session* session() const { return session_.get(); }
  Instant now() const { return now_; }
  Instant last_received() const { return last_received_; }
  bool failed() const { return failed_; }
  // Gives the connection up; what waits to be sent still is.
  void GiveUp() { failed_ = true; }

 private:
  struct Callbacks;
  using OwnedSession = std::unique_ptr<nghttp2_session, FreeNghttp2<nghttp2_session_del>>;

  OwnedSession session_;
  Instant now_;
  Instant last_received_;
  std::string* out_ = nullptr;  // where the running Send() appends
  std::size_t until_ = 0;
  bool failed_ = false;
};

// Headers as nghttp2 takes them, which copies them. Holds views: `headers` must outlive it.
class H2Fields {
 public:
  void Add(std::string_view name, std::string_view value);
  void AddAll(const Headers& headers);
  const std::vector<nghttp2_nv>& fields() const { return fields_; }

 private:
  std::vector<nghttp2_nv> fields_;
};

}  // namespace quadra::net

#include "net/h2_session.h"

#include <algorithm>
#include <array>

#include "base/check.h"

namespace quadra::net {
namespace {

// RFC 9113, 8.2.2: these belong to one connection of HTTP/1.1.
constexpr std::array<std::string_view, 5> kConnectionHeaders = {
    "connection", "keep-alive", "proxy-connection", "transfer-encoding", "upgrade"};

// Resets a client may make at once, and afterwards a second. More than nghttp2's defaults: programs
// that ask on one connection for many things, and cancel what they need no more, are none to fear.
constexpr std::uint64_t kResetBurst = 5000;
constexpr std::uint64_t kResetsPerSecond = 500;

// Frames that may wait for a peer that makes us answer and takes nothing; Go's limit.
constexpr std::size_t kMostQueuedFrames = 10'000;

using OwnedCallbacks =
    std::unique_ptr<nghttp2_session_callbacks, FreeNghttp2<nghttp2_session_callbacks_del>>;
using OwnedOption = std::unique_ptr<nghttp2_option, FreeNghttp2<nghttp2_option_del>>;

std::string_view View(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

std::uint8_t* Mutable(std::string_view text) {
  return reinterpret_cast<std::uint8_t*>(const_cast<char*>(text.data()));
}

OwnedOption MakeOption() {
  nghttp2_option* option = nullptr;
  nghttp2_option_new(&option);
  nghttp2_option_set_stream_reset_rate_limit(option, kResetBurst, kResetsPerSecond);
  // Closed streams are kept only for priorities, which we do not serve.
  nghttp2_option_set_no_closed_streams(option, 1);
  return OwnedOption(option);
}

}  // namespace

struct H2Session::Callbacks {
  static H2Session& Of(void* user) { return *static_cast<H2Session*>(user); }

  static ssize_t Send(nghttp2_session* /*session*/, const std::uint8_t* data, std::size_t size,
                      int /*flags*/, void* user) {
    H2Session& self = Of(user);
    if (self.out_->size() >= self.until_) {
      return NGHTTP2_ERR_WOULDBLOCK;
    }
    self.out_->append(View(data, size));
    return static_cast<ssize_t>(size);
  }

  static ssize_t ReadBody(nghttp2_session* /*session*/, std::int32_t stream, std::uint8_t* /*data*/,
                          std::size_t most, std::uint32_t* flags, nghttp2_data_source* /*source*/,
                          void* user) {
    *flags |= NGHTTP2_DATA_FLAG_NO_COPY;
    return Of(user).OfferBody(stream, most, *flags);
  }

  static int SendBody(nghttp2_session* /*session*/, nghttp2_frame* frame, const std::uint8_t* head,
                      std::size_t bytes, nghttp2_data_source* /*source*/, void* user) {
    H2Session& self = Of(user);
    if (self.out_->size() >= self.until_) {
      return NGHTTP2_ERR_WOULDBLOCK;
    }
    constexpr std::size_t kFrameHead = 9;
    self.out_->append(View(head, kFrameHead));
    self.AppendBody(frame->hd.stream_id, bytes, *self.out_);
    return 0;
  }

  static int BeginHeaders(nghttp2_session* /*session*/, const nghttp2_frame* frame, void* user) {
    Of(user).OnHeadersBegin(frame->hd.stream_id);
    return 0;
  }

  static int Field(nghttp2_session* /*session*/, const nghttp2_frame* frame,
                   const std::uint8_t* name, std::size_t name_size, const std::uint8_t* value,
                   std::size_t value_size, std::uint8_t /*flags*/, void* user) {
    Of(user).OnField(frame->hd.stream_id, View(name, name_size), View(value, value_size));
    return 0;
  }

  static bool EndsMessage(const nghttp2_frame& frame) {
    return (frame.hd.type == NGHTTP2_HEADERS || frame.hd.type == NGHTTP2_DATA) &&
           (frame.hd.flags & NGHTTP2_FLAG_END_STREAM) != 0;
  }

  static int FrameReceived(nghttp2_session* /*session*/, const nghttp2_frame* frame, void* user) {
    if (frame->hd.type == NGHTTP2_HEADERS) {
      Of(user).OnHeadersEnd(frame->hd.stream_id);
    }
    if (frame->hd.type == NGHTTP2_SETTINGS && (frame->hd.flags & NGHTTP2_FLAG_ACK) == 0) {
      Of(user).OnSettings();
    }
    if (EndsMessage(*frame)) {
      Of(user).OnMessageEnd(frame->hd.stream_id);
    }
    return 0;
  }

  static int FrameSent(nghttp2_session* /*session*/, const nghttp2_frame* frame, void* user) {
    if (EndsMessage(*frame)) {
      Of(user).OnMessageSent(frame->hd.stream_id);
    }
    return 0;
  }

  static int Data(nghttp2_session* /*session*/, std::uint8_t /*flags*/, std::int32_t stream,
                  const std::uint8_t* data, std::size_t size, void* user) {
    Of(user).OnData(stream, View(data, size));
    return 0;
  }

  static int StreamClose(nghttp2_session* /*session*/, std::int32_t stream,
                         std::uint32_t error_code, void* user) {
    Of(user).OnStreamClose(stream, error_code);
    return 0;
  }

  static OwnedCallbacks Make() {
    nghttp2_session_callbacks* callbacks = nullptr;
    nghttp2_session_callbacks_new(&callbacks);
    nghttp2_session_callbacks_set_send_callback(callbacks, Send);
    nghttp2_session_callbacks_set_send_data_callback(callbacks, SendBody);
    nghttp2_session_callbacks_set_on_begin_headers_callback(callbacks, BeginHeaders);
    nghttp2_session_callbacks_set_on_header_callback(callbacks, Field);
    nghttp2_session_callbacks_set_on_frame_recv_callback(callbacks, FrameReceived);
    nghttp2_session_callbacks_set_on_frame_send_callback(callbacks, FrameSent);
    nghttp2_session_callbacks_set_on_data_chunk_recv_callback(callbacks, Data);
    nghttp2_session_callbacks_set_on_stream_close_callback(callbacks, StreamClose);
    return OwnedCallbacks(callbacks);
  }
};

H2Session::H2Session(Role role, Instant now) : now_(now), last_received_(now) {
  const OwnedCallbacks callbacks = Callbacks::Make();
  const OwnedOption option = MakeOption();
  nghttp2_session* made = nullptr;
  const auto make =
      role == Role::kServer ? nghttp2_session_server_new2 : nghttp2_session_client_new2;
  QUADRA_CHECK(make(&made, callbacks.get(), this, option.get()) == 0,
               "a session is refused only where memory has run out");
  session_.reset(made);
}

void H2Session::Announce(std::span<const nghttp2_settings_entry> settings,
                         std::int32_t connection_window) {
  nghttp2_submit_settings(session(), NGHTTP2_FLAG_NONE, settings.data(), settings.size());
  nghttp2_session_set_local_window_size(session(), NGHTTP2_FLAG_NONE, 0, connection_window);
}

nghttp2_data_provider H2Session::Body() {
  return {.source = {}, .read_callback = Callbacks::ReadBody};
}

void H2Session::Receive(std::string_view bytes, Instant now) {
  now_ = now;
  last_received_ = now;
  const ssize_t read = nghttp2_session_mem_recv(session(), Mutable(bytes), bytes.size());
  failed_ =
      failed_ || read < 0 || nghttp2_session_get_outbound_queue_size(session()) > kMostQueuedFrames;
  AfterReceive();
}

void H2Session::Send(std::string& out, std::size_t until, Instant now) {
  now_ = now;
  BeforeSend();
  out_ = &out;
  until_ = until;
  failed_ = nghttp2_session_send(session()) != 0 || failed_;
  out_ = nullptr;
}

void H2Session::OnTick(Instant now) {
  now_ = now;
  Tick();
}

bool H2Session::Finished() const {
  return failed_ ||
         (nghttp2_session_want_read(session()) == 0 && nghttp2_session_want_write(session()) == 0);
}

void H2Fields::Add(std::string_view name, std::string_view value) {
  fields_.push_back({.name = Mutable(name),
                     .value = Mutable(value),
                     .namelen = name.size(),
                     .valuelen = value.size(),
                     .flags = NGHTTP2_NV_FLAG_NONE});
}

void H2Fields::AddAll(const Headers& headers) {
  for (const Header& header : headers) {
    if (std::ranges::find(kConnectionHeaders, header.name) == kConnectionHeaders.end()) {
      Add(header.name, header.value);
    }
  }
}

}  // namespace quadra::net

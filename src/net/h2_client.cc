#include "net/h2_client.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace quadra::net {
namespace {

constexpr std::uint32_t kStreamWindow = 4 << 20;
constexpr std::int32_t kConnectionWindow = 64 << 20;
constexpr std::uint32_t kFrameBytes = 256 << 10;

int ToStatus(std::string_view text) {
  int status = 0;
  std::from_chars(text.data(), text.data() + text.size(), status);
  return status;
}

Error Ended(std::uint32_t error_code) {
  return {.kind = ErrorKind::kUnreadable,
          .message =
              fmt::format("the server ended the request: {}", nghttp2_http2_strerror(error_code))};
}

}  // namespace

H2Client::H2Client(const ClientOptions& options, CallerNotices notices, Instant now)
    : H2Session(Role::kClient, now),
      options_(options),
      notices_(std::move(notices)),
      authority_(AuthorityOf(options)),
      idle_since_(now) {
  constexpr std::array<nghttp2_settings_entry, 3> kSettings = {{
      {NGHTTP2_SETTINGS_ENABLE_PUSH, 0},
      {NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE, kStreamWindow},
      {NGHTTP2_SETTINGS_MAX_FRAME_SIZE, kFrameBytes},
  }};
  Announce(kSettings, kConnectionWindow);
}

H2Client::Stream* H2Client::Find(std::int32_t id) {
  const auto found = streams_.find(id);
  return found == streams_.end() ? nullptr : &found->second;
}

std::size_t H2Client::Room() const {
  if (failed() || !settled_ || nghttp2_session_check_request_allowed(session()) == 0) {
    return 0;
  }
  const std::size_t most =
      nghttp2_session_get_remote_settings(session(), NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS);
  return most - std::min(most, streams_.size());
}

void H2Client::Submit(std::shared_ptr<Call> call) {
  const Request& request = call->request;
  H2Fields fields;
  fields.Add(":method", request.method);
  fields.Add(":scheme", "https");
  fields.Add(":authority", request.headers.Find("host").value_or(authority_));
  fields.Add(":path", request.target);
  const fmt::format_int length(request.body.size());
  if (!request.body.empty()) {
    fields.Add("content-length", {length.data(), length.size()});
  }
  for (const Header& header : request.headers) {
    if (header.name != "host") {
      fields.Add(header.name, header.value);
    }
  }
  const nghttp2_data_provider body = Body();
  const std::int32_t id =
      nghttp2_submit_request(session(), nullptr, fields.fields().data(), fields.fields().size(),
                             request.body.empty() ? nullptr : &body, nullptr);
  if (id < 0) {
    call->End(Fail(ErrorKind::kInvalid, nghttp2_strerror(id)));
    return;
  }
  streams_[id].call = std::move(call);
}

void H2Client::EndExpired(Instant now) {
  for (const auto& [id, stream] : streams_) {
    if (const std::optional<Error> why = stream.call->Expired(now)) {
      nghttp2_submit_rst_stream(session(), NGHTTP2_FLAG_NONE, id, NGHTTP2_CANCEL);
      stream.call->End(Fail(*why));
    }
  }
}

void H2Client::OnSettings() {
  settled_ = true;
  notices_.room();
}

void H2Client::OnHeadersBegin(std::int32_t id) {
  if (Stream* const stream = Find(id); stream != nullptr && !stream->head_given) {
    stream->headers = {};
  }
}

void H2Client::OnField(std::int32_t id, std::string_view name, std::string_view value) {
  Stream* const stream = Find(id);
  if (stream == nullptr || stream->head_given) {
    return;
  }
  if (name == ":status") {
    stream->status = ToStatus(value);
  } else {
    stream->headers.Add(std::string(name), std::string(value));
  }
}

// What comes before the answer proper (1xx) is nobody's business.
void H2Client::OnHeadersEnd(std::int32_t id) {
  Stream* const stream = Find(id);
  if (stream != nullptr && !stream->head_given && stream->status >= 200 && !stream->call->ended) {
    stream->head_given = true;
    stream->call->receiver.head(stream->status, stream->headers);
  }
}

void H2Client::OnData(std::int32_t id, std::string_view bytes) {
  const Stream* const stream = Find(id);
  if (stream != nullptr && !stream->call->ended) {
    stream->call->receiver.data(bytes);
  }
}

void H2Client::OnMessageEnd(std::int32_t id) {
  if (Stream* const stream = Find(id)) {
    stream->complete = true;
  }
}

void H2Client::OnStreamClose(std::int32_t id, std::uint32_t error_code) {
  const auto found = streams_.find(id);
  if (found == streams_.end()) {
    return;
  }
  const Stream stream = std::move(found->second);
  streams_.erase(found);
  idle_since_ = now();
  if (stream.complete) {
    stream.call->End({});
  } else if (error_code == NGHTTP2_REFUSED_STREAM && !stream.call->retried) {
    notices_.retry(stream.call);
  } else {
    stream.call->End(Fail(Ended(error_code)));
  }
  notices_.room();
}

ssize_t H2Client::OfferBody(std::int32_t id, std::size_t most, std::uint32_t& flags) {
  const Stream* const stream = Find(id);
  if (stream == nullptr) {
    return NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE;
  }
  const std::size_t left = stream->call->request.body.size() - stream->call->sent;
  if (left <= most) {
    flags |= NGHTTP2_DATA_FLAG_EOF;
  }
  return static_cast<ssize_t>(std::min(left, most));
}

void H2Client::AppendBody(std::int32_t id, std::size_t bytes, std::string& out) {
  Call& call = *Find(id)->call;
  out.append(call.request.body, call.sent, bytes);
  call.sent += bytes;
}

void H2Client::Tick() {
  EndExpired(now());
  if (streams_.empty() && now() - idle_since_ > options_.idle) {
    Drain(now());
  }
  PingOrGiveUp();
}

void H2Client::PingOrGiveUp() {
  pinged_ = pinged_ && last_received() < pinged_at_;
  if (streams_.empty()) {
    return;
  }
  if (pinged_ && now() - pinged_at_ > options_.ping_timeout) {
    Lose({.kind = ErrorKind::kUnreadable, .message = "the server does not answer pings"});
    GiveUp();
  } else if (!pinged_ && now() - last_received() > options_.ping_after) {
    pinged_ = true;
    pinged_at_ = now();
    nghttp2_submit_ping(session(), NGHTTP2_FLAG_NONE, nullptr);
  }
}

void H2Client::Drain(Instant /*now*/) {
  nghttp2_submit_goaway(session(), NGHTTP2_FLAG_NONE, 0, NGHTTP2_NO_ERROR, nullptr, 0);
}

void H2Client::Lose(const Error& why) {
  for (const auto& [id, stream] : std::exchange(streams_, {})) {
    stream.call->End(Fail(why));
  }
}

}  // namespace quadra::net

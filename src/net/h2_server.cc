#include "net/h2_server.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

namespace quadra::net {
namespace {

// What RFC 9113, 6.5.2 counts for a header besides its text.
constexpr std::size_t kHeaderOverhead = 32;

std::int32_t ConnectionWindow(const Limits& limits) {
  const std::int64_t all = std::int64_t{limits.stream_window} * limits.streams_per_connection;
  return static_cast<std::int32_t>(std::min<std::int64_t>(all, NGHTTP2_MAX_WINDOW_SIZE));
}

// The parts of a request that HTTP/1.1 writes in its first line.
void AddField(Request& request, std::string_view name, std::string_view value) {
  if (name == ":method") {
    request.method = value;
  } else if (name == ":path") {
    request.target = value;
  } else if (name == ":authority") {
    request.headers.Add("host", std::string(value));
  } else if (!name.starts_with(':')) {
    request.headers.Add(std::string(name), std::string(value));
  }
}

}  // namespace

H2Server::H2Server(const Service& service, std::shared_ptr<const Peer> peer,
                   std::shared_ptr<Mailbox> mailbox, Instant now)
    : H2Session(Role::kServer, now),
      service_(service),
      peer_(std::move(peer)),
      mailbox_(std::move(mailbox)),
      idle_since_(now) {
  const Limits& limits = service_.limits;
  const auto window = static_cast<std::uint32_t>(limits.stream_window);
  const std::array<nghttp2_settings_entry, 4> settings = {{
      {NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS, limits.streams_per_connection},
      {NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE, window},
      {NGHTTP2_SETTINGS_MAX_FRAME_SIZE, std::clamp<std::uint32_t>(window, 16 << 10, 1 << 20)},
      {NGHTTP2_SETTINGS_MAX_HEADER_LIST_SIZE, static_cast<std::uint32_t>(limits.header_bytes)},
  }};
  Announce(settings, ConnectionWindow(limits));
}

H2Server::~H2Server() { Lose({}); }

H2Server::Stream* H2Server::Find(std::int32_t id) {
  const auto found = streams_.find(id);
  return found == streams_.end() ? nullptr : found->second.get();
}

void H2Server::OnHeadersBegin(std::int32_t stream) {
  auto& added = streams_[stream];
  if (!added) {  // else these are trailers
    added = std::make_unique<Stream>(service_);
    added->request.peer = peer_;
    added->since = now();
  }
}

void H2Server::OnField(std::int32_t id, std::string_view name, std::string_view value) {
  Stream* const stream = Find(id);
  if (stream == nullptr || stream->reply) {
    return;
  }
  stream->header_bytes += name.size() + value.size() + kHeaderOverhead;
  if (stream->header_bytes <= service_.limits.header_bytes) {
    AddField(stream->request, name, value);
  }
}

void H2Server::OnData(std::int32_t id, std::string_view bytes) {
  Stream* const stream = Find(id);
  if (stream == nullptr || stream->refusal) {
    return;
  }
  if (stream->request.body.size() + bytes.size() > service_.limits.body_bytes) {
    Refuse(id, *stream, 413);
  } else if (!stream->arriving.Grow(bytes.size())) {
    Refuse(id, *stream, 429);
  } else {
    stream->request.body.append(bytes);
  }
}

// Without waiting for the rest, which will be forgotten.
void H2Server::Refuse(std::int32_t id, Stream& stream, int status) {
  stream.refusal = status;
  stream.request.body = {};
  complete_.push_back(id);
}

void H2Server::OnMessageEnd(std::int32_t id) {
  const Stream* const stream = Find(id);
  if (stream != nullptr && !stream->refusal) {
    complete_.push_back(id);
  }
}

void H2Server::OnMessageSent(std::int32_t id) {
  if (Stream* const stream = Find(id)) {
    stream->answered = true;
  }
}

void H2Server::OnStreamClose(std::int32_t id, std::uint32_t /*error_code*/) {
  const auto found = streams_.find(id);
  if (found == streams_.end()) {
    return;
  }
  if (found->second->reply) {
    found->second->reply->Close();
  }
  streams_.erase(found);
  idle_since_ = now();
}

void H2Server::AfterReceive() {
  // Handlers may answer at once; BeforeSend() collects that.
  mailbox_->Hold();
  for (const std::int32_t id : std::exchange(complete_, {})) {
    if (Stream* const stream = Find(id); stream != nullptr) {
      Dispatch(id, *stream);
    }
  }
}

void H2Server::Dispatch(std::int32_t id, Stream& stream) {
  stream.reply = std::make_shared<Reply>(mailbox_, id);
  stream.bodiless = stream.request.method == "HEAD";
  if (stream.request.target.empty()) {  // CONNECT names only a host
    stream.request.target = stream.request.headers.Find("host").value_or("*");
  }
  stream.since = now();
  stream.arriving.Release();
  if (stream.refusal || stream.header_bytes > service_.limits.header_bytes) {
    Exchange(stream.reply).Answer(Refusal(stream));
  } else {
    Serve(service_, std::exchange(stream.request, {}), stream.reply);
  }
}

Response H2Server::Refusal(const Stream& stream) const {
  if (stream.header_bytes > service_.limits.header_bytes) {
    return PlainText(431, ReasonPhrase(431));
  }
  return stream.refusal == 413 ? service_.oversized(stream.request) : TooManyRequests();
}

void H2Server::BeforeSend() {
  for (const std::shared_ptr<Reply>& reply : mailbox_->Collect()) {
    Stream* const stream = Find(reply->stream());
    if (stream == nullptr || stream->reply != reply) {
      continue;
    }
    if (std::optional<Reply::Head> head = reply->TakeHead()) {
      Answer(reply->stream(), *stream, *std::move(head));
    } else {
      nghttp2_session_resume_data(session(), reply->stream());
    }
  }
}

void H2Server::Answer(std::int32_t id, Stream& stream, Reply::Head head) {
  const fmt::format_int status(head.status);
  const fmt::format_int length(head.length.value_or(0));
  service_.AppendDate(head.headers);
  H2Fields fields;
  fields.Add(":status", {status.data(), status.size()});
  fields.AddAll(head.headers);
  if (head.length && HasBody("GET", head.status)) {
    fields.Add("content-length", {length.data(), length.size()});
  }
  const bool bodiless =
      stream.bodiless || !HasBody("GET", head.status) || head.length == std::size_t{0};
  const nghttp2_data_provider body = Body();
  nghttp2_submit_response(session(), id, fields.fields().data(), fields.fields().size(),
                          bodiless ? nullptr : &body);
  stream.since = now();
}

ssize_t H2Server::OfferBody(std::int32_t id, std::size_t most, std::uint32_t& flags) {
  Stream* const stream = Find(id);
  if (stream == nullptr) {
    return NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE;
  }
  const Reply::Stock stock = stream->reply->Peek(most);
  if (stock.bytes == 0 && stock.ending == Reply::Ending::kOpen) {
    return NGHTTP2_ERR_DEFERRED;
  }
  if (stock.bytes == 0 && stock.ending == Reply::Ending::kBroken) {
    return NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE;
  }
  if (stock.ending == Reply::Ending::kEnded) {
    flags |= NGHTTP2_DATA_FLAG_EOF;
  }
  return static_cast<ssize_t>(stock.bytes);
}

void H2Server::AppendBody(std::int32_t id, std::size_t bytes, std::string& out) {
  Stream* const stream = Find(id);
  stream->since = now();
  stream->reply->Take(bytes, out);
}

void H2Server::Reset(std::int32_t id, std::uint32_t error_code) {
  nghttp2_submit_rst_stream(session(), NGHTTP2_FLAG_NONE, id, error_code);
}

bool H2Server::TookTooLong(Stream& stream) const {
  if (!stream.reply) {
    return now() - stream.since > service_.limits.body;
  }
  if (stream.reply->unsent() == 0) {
    stream.since = now();
  }
  return now() - stream.since > service_.limits.stall;
}

void H2Server::Tick() {
  for (const auto& [id, stream] : streams_) {
    if (stream->answered) {
      // It is still sending a body that was refused; curl loses the answer if told at once.
      Reset(id, NGHTTP2_NO_ERROR);
    } else if (TookTooLong(*stream)) {
      Reset(id, NGHTTP2_CANCEL);
    }
  }
  const bool idle = streams_.empty() && now() - idle_since_ > service_.limits.idle;
  if ((idle && draining_ == Draining::kNo) || draining_ == Draining::kAnnounced) {
    draining_ = Draining::kClosing;
    nghttp2_submit_goaway(session(), NGHTTP2_FLAG_NONE,
                          nghttp2_session_get_last_proc_stream_id(session()), NGHTTP2_NO_ERROR,
                          nullptr, 0);
  }
}

// First a notice, so that requests that are on their way still arrive; the next tick closes.
void H2Server::Drain(Instant /*now*/) {
  if (draining_ == Draining::kNo) {
    draining_ = Draining::kAnnounced;
    nghttp2_submit_shutdown_notice(session());
  }
}

void H2Server::Lose(const Error& /*why*/) {
  for (const auto& [id, stream] : std::exchange(streams_, {})) {
    if (stream->reply) {
      stream->reply->Close();
    }
  }
}

}  // namespace quadra::net

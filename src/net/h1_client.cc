#include "net/h1_client.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "net/h1_writer.h"

namespace quadra::net {
namespace {

constexpr H1Reader::Bounds kBounds = {.header_bytes = 1 << 20,
                                      .body_bytes = std::numeric_limits<std::size_t>::max()};

}  // namespace

H1Client::H1Client(const ClientOptions& options, CallerNotices notices, Instant now)
    : options_(options),
      notices_(std::move(notices)),
      authority_(AuthorityOf(options)),
      reader_(H1Reader::Kind::kResponse, kBounds, *this),
      idle_since_(now) {}

void H1Client::Submit(std::shared_ptr<Call> call) {
  call_ = std::move(call);
  head_sent_ = false;
  answered_ = false;
  headed_ = false;
  if (call_->request.method == "HEAD") {
    reader_.ExpectNoBody();
  }
}

// There is no way to take a request back but to close the connection.
void H1Client::EndExpired(Instant now) {
  if (!call_) {
    return;
  }
  if (const std::optional<Error> why = call_->Expired(now)) {
    finished_ = true;
    Lose(*why);
  }
}

void H1Client::Send(std::string& out, std::size_t until, Instant /*now*/) {
  if (!call_) {
    return;
  }
  if (!std::exchange(head_sent_, true)) {
    AppendRequestHead(out, call_->request, authority_);
  }
  const std::string& body = call_->request.body;
  const std::size_t room = until - std::min(until, out.size());
  const std::size_t part = std::min(room, body.size() - call_->sent);
  out.append(body, call_->sent, part);
  call_->sent += part;
}

void H1Client::Receive(std::string_view bytes, Instant now) {
  answered_ = true;
  arrived_.append(bytes);
  std::string_view left = arrived_;
  while (!left.empty() && !finished_) {
    const H1Progress progress = call_ ? reader_.Read(left) : H1Progress::kMalformed;
    OnProgress(progress, now);
    if (progress == H1Progress::kNeedsMore) {
      break;
    }
  }
  arrived_.erase(0, arrived_.size() - left.size());
}

void H1Client::OnProgress(H1Progress progress, Instant now) {
  if (progress == H1Progress::kNeedsMore || (informs_ && progress == H1Progress::kDone)) {
    return;
  }
  const bool done = progress == H1Progress::kDone;
  finished_ = !done || !keeps_alive_;
  reused_ = true;
  idle_since_ = now;
  if (const std::shared_ptr<Call> call = std::exchange(call_, nullptr)) {
    call->End(done ? Status() : Fail(ErrorKind::kSyntax, "the server's answer is no HTTP"));
  }
  notices_.room();
}

void H1Client::OnHead(H1Head head) {
  informs_ = head.status < 200;
  keeps_alive_ = head.keeps_alive;
  if (!informs_) {
    headed_ = true;
    call_->receiver.head(head.status, head.headers);
  }
}

void H1Client::OnBody(std::string_view piece) { call_->receiver.data(piece); }

void H1Client::OnTick(Instant now) {
  EndExpired(now);
  finished_ = finished_ || (!call_ && now - idle_since_ > options_.idle);
}

void H1Client::Drain(Instant /*now*/) { finished_ = finished_ || !call_; }

bool H1Client::MayRetry() const {
  const std::string& method = call_->request.method;
  return reused_ && !answered_ && !finished_ && !call_->retried &&
         (method == "GET" || method == "HEAD");
}

void H1Client::Lose(const Error& why) {
  if (!call_) {
    return;
  }
  const bool retries = MayRetry();
  const std::shared_ptr<Call> call = std::exchange(call_, nullptr);
  if (retries) {
    notices_.retry(call);
  } else if (headed_ && !finished_ && reader_.EndsWithConnection()) {
    call->End({});
  } else {
    call->End(Fail(why));
  }
}

}  // namespace quadra::net

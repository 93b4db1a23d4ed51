#include "net/h1_server.h"

#include <algorithm>
#include <utility>

namespace quadra::net {
namespace {

// What a client may send ahead of the answer that it waits for.
constexpr std::size_t kMostAhead = 64 << 10;
constexpr std::size_t kMostChunk = 64 << 10;
constexpr std::string_view kContinue = "HTTP/1.1 100 Continue\r\n\r\n";

}  // namespace

H1Server::H1Server(const Service& service, std::shared_ptr<const Peer> peer,
                   std::shared_ptr<Mailbox> mailbox, Instant now)
    : service_(service),
      peer_(std::move(peer)),
      mailbox_(std::move(mailbox)),
      reader_(
          H1Reader::Kind::kRequest,
          {.header_bytes = service.limits.header_bytes, .body_bytes = service.limits.body_bytes},
          *this),
      since_(now),
      arriving_(service) {}

H1Server::~H1Server() { Lose({}); }

void H1Server::Enter(Phase phase, Instant now) {
  phase_ = phase;
  since_ = now;
}

bool H1Server::WantsInput() const {
  return phase_ != Phase::kAnswering || arrived_.size() < kMostAhead;
}

void H1Server::Receive(std::string_view bytes, Instant now) {
  if (phase_ == Phase::kFinished) {
    return;
  }
  arrived_.append(bytes);
  mailbox_->Hold();
  ReadOn(now);
}

void H1Server::ReadOn(Instant now) {
  std::string_view left = arrived_;
  while (phase_ < Phase::kAnswering && !left.empty()) {
    if (phase_ <= Phase::kIdle) {
      Enter(Phase::kHeader, now);
    }
    const H1Progress progress = reader_.Read(left);
    if (phase_ == Phase::kHeader && !request_.method.empty()) {
      Enter(Phase::kBody, now);
    }
    OnProgress(progress, now);
    if (progress == H1Progress::kNeedsMore) {
      break;
    }
  }
  arrived_.erase(0, arrived_.size() - left.size());
  if (arrived_.empty()) {
    arrived_.shrink_to_fit();
  }
}

void H1Server::OnProgress(H1Progress progress, Instant now) {
  switch (progress) {
    case H1Progress::kNeedsMore:
      return;
    case H1Progress::kDone:
      return Dispatch(now);
    case H1Progress::kMalformed:
      return Refuse(400, {}, now);
    case H1Progress::kHeaderTooLarge:
      return Refuse(431, {}, now);
    case H1Progress::kBodyTooLarge:
      request_.body = {};
      return AnswerAndClose(service_.oversized(request_), now);
  }
}

void H1Server::OnHead(H1Head head) {
  request_ = {.method = head.method,
              .target = std::move(head.target),
              .headers = std::move(head.headers),
              .peer = peer_};
  head_ = std::move(head);
  if (head_.expects_continue && head_.length <= service_.limits.body_bytes) {
    said_ += kContinue;
  }
}

// What finds no room is forgotten to its end.
void H1Server::OnBody(std::string_view piece) {
  found_room_ = found_room_ && arriving_.Grow(piece.size());
  if (found_room_) {
    request_.body.append(piece);
  } else {
    request_.body = {};
    arriving_.Release();
  }
}

void H1Server::Dispatch(Instant now) {
  if (!head_.http10 && !request_.headers.Find("host")) {
    return Refuse(400, "missing required Host header", now);
  }
  if (!std::exchange(found_room_, true)) {
    return AnswerAndClose(TooManyRequests(), now);
  }
  Enter(Phase::kAnswering, now);
  arriving_.Release();
  closes_ = draining_ || head_.http10 || !head_.keeps_alive;
  reply_ = std::make_shared<Reply>(mailbox_, 0);
  Serve(service_, std::exchange(request_, {}), reply_);
}

void H1Server::AnswerAndClose(const Response& response, Instant now) {
  Enter(Phase::kAnswering, now);
  closes_ = true;
  arriving_.Release();
  reply_ = std::make_shared<Reply>(mailbox_, 0);
  Exchange(reply_).Answer(response);
}

void H1Server::Refuse(int status, std::string_view detail, Instant now) {
  said_ += FinalAnswer(status, detail);
  Enter(Phase::kFinished, now);
}

void H1Server::Send(std::string& out, std::size_t until, Instant now) {
  mailbox_->Collect();
  out += std::exchange(said_, {});
  while (phase_ == Phase::kAnswering && out.size() < until) {
    if (std::optional<Reply::Head> head = reply_->TakeHead()) {
      BeginAnswer(*std::move(head), out);
    }
    if (!head_sent_) {
      return;
    }
    const bool progress = AppendBody(until, out);
    if (AnswerEnded()) {
      EndAnswer(out, now);
    } else if (!progress) {
      return;
    }
    since_ = now;
  }
}

void H1Server::BeginAnswer(Reply::Head head, std::string& out) {
  if (!HasBody(head_.method, head.status)) {
    framing_ = H1Framing::kNone;
  } else if (head.length) {
    framing_ = H1Framing::kLength;
  } else {
    framing_ = head_.http10 ? H1Framing::kClose : H1Framing::kChunked;
  }
  head_sent_ = true;
  service_.AppendDate(head.headers);
  AppendAnswerHead(out,
                   {.status = head.status,
                    .framing = framing_,
                    .length = head.length.value_or(0),
                    .http10 = head_.http10,
                    .closes = closes_},
                   head.headers);
}

bool H1Server::AppendBody(std::size_t most, std::string& out) {
  const Reply::Stock stock = reply_->Peek(std::min(most, kMostChunk));
  if (framing_ == H1Framing::kNone || stock.bytes == 0) {
    return false;
  }
  if (framing_ == H1Framing::kChunked) {
    AppendChunkHead(out, stock.bytes);
    reply_->Take(stock.bytes, out);
    out += kChunkTail;
  } else {
    reply_->Take(stock.bytes, out);
  }
  return true;
}

bool H1Server::AnswerEnded() const {
  return framing_ == H1Framing::kNone || reply_->Peek(0).ending != Reply::Ending::kOpen;
}

void H1Server::EndAnswer(std::string& out, Instant now) {
  const bool broken = reply_->Peek(0).ending == Reply::Ending::kBroken;
  if (framing_ == H1Framing::kChunked && !broken) {
    out += kLastChunk;
  }
  const bool closes = closes_ || broken || framing_ == H1Framing::kClose;
  std::exchange(reply_, nullptr)->Close();
  head_sent_ = false;
  Enter(closes ? Phase::kFinished : Phase::kIdle, now);
  ReadOn(now);
  out += std::exchange(said_, {});
}

std::optional<std::chrono::milliseconds> H1Server::Patience() const {
  const Limits& limits = service_.limits;
  switch (phase_) {
    case Phase::kNew:
    case Phase::kHeader:
      return limits.header;
    case Phase::kIdle:
      return limits.idle;
    case Phase::kBody:
      return limits.body;
    case Phase::kAnswering:
      return reply_->unsent() > 0 ? std::optional(limits.stall) : std::nullopt;
    case Phase::kFinished:
      return std::nullopt;
  }
  return std::nullopt;
}

void H1Server::OnTick(Instant now) {
  const std::optional<std::chrono::milliseconds> patience = Patience();
  if (!patience) {
    since_ = now;
  } else if (now - since_ > *patience) {
    Lose({});
    Enter(Phase::kFinished, now);
  }
}

void H1Server::Drain(Instant now) {
  draining_ = true;
  closes_ = true;
  if (phase_ <= Phase::kIdle) {
    Enter(Phase::kFinished, now);
  }
}

void H1Server::Lose(const Error& /*why*/) {
  if (reply_) {
    reply_->Close();
  }
}

}  // namespace quadra::net

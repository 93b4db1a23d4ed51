#include "net/exchange.h"

#include <utility>

#include "base/check.h"
#include "net/reply.h"

namespace quadra::net {

Exchange::Exchange(std::shared_ptr<Reply> reply) : reply_(std::move(reply)) {}

Exchange& Exchange::operator=(Exchange&& other) noexcept {
  if (this != &other) {
    Abandon();
    reply_ = std::move(other.reply_);
    witness_ = std::move(other.witness_);
    bytes_ = other.bytes_;
    state_ = other.state_;
  }
  return *this;
}

Exchange::~Exchange() { Abandon(); }

void Exchange::Abandon() {
  if (reply_ == nullptr || state_ == State::kDone) {
    return;
  }
  if (state_ == State::kUnanswered) {
    Answer(PlainText(500, "the request was dropped without an answer"));
  } else {
    state_ = State::kDone;
    reply_->Put(std::nullopt, {}, Reply::Ending::kBroken);
    TellEnd();
  }
}

void Exchange::TellBegin(int status, Headers& headers) {
  if (witness_) {
    witness_->Begins(status, headers);
  }
}

void Exchange::TellEnd() {
  if (const std::unique_ptr<Witness> witness = std::move(witness_)) {
    witness->Ends(bytes_);
  }
}

void Exchange::Answer(Response response) {
  Piece body = Whole(std::move(response.body));
  AnswerWith(response.status, std::move(response.headers), {&body, 1});
}

void Exchange::Answer(int status, Headers headers, std::vector<Piece> body) {
  AnswerWith(status, std::move(headers), body);
}

void Exchange::AnswerWith(int status, Headers headers, std::span<Piece> body) {
  QUADRA_CHECK(state_ == State::kUnanswered, "a request is answered once");
  state_ = State::kDone;
  for (const Piece& piece : body) {
    bytes_ += piece.bytes.size();
  }
  TellBegin(status, headers);
  // Before it leaves: who has the answer finds its request counted.
  TellEnd();
  reply_->Put(Reply::Head{status, std::move(headers), bytes_}, body, Reply::Ending::kEnded);
}

void Exchange::Begin(int status, Headers headers) {
  QUADRA_CHECK(state_ == State::kUnanswered, "a request is answered once");
  state_ = State::kStreaming;
  TellBegin(status, headers);
  reply_->Put(Reply::Head{status, std::move(headers), std::nullopt}, {}, Reply::Ending::kOpen);
}

void Exchange::Write(Bytes bytes) {
  QUADRA_CHECK(state_ == State::kStreaming, "only a stream that has not ended is written to");
  Piece piece = Whole(std::move(bytes));
  bytes_ += piece.bytes.size();
  reply_->Put(std::nullopt, {&piece, 1}, Reply::Ending::kOpen);
}

void Exchange::End() {
  QUADRA_CHECK(state_ == State::kStreaming, "only a stream ends, and once");
  state_ = State::kDone;
  TellEnd();
  reply_->Put(std::nullopt, {}, Reply::Ending::kEnded);
}

std::size_t Exchange::Unsent() const { return reply_->unsent(); }

bool Exchange::Gone() const { return reply_->gone(); }

void Exchange::Notify(Notices notices) { reply_->Notify(std::move(notices)); }

}  // namespace quadra::net

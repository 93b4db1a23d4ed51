#include "net/inside_line.h"

#include <utility>
#include <vector>

#include "net/service.h"

namespace quadra::net {
namespace {

constexpr std::chrono::milliseconds kTick(100);
constexpr std::size_t kPortion = 64 << 10;

Error BrokenOff() {
  return {.kind = ErrorKind::kUnreadable, .message = "the handler broke the answer off"};
}

}  // namespace

InsideLine::InsideLine(Handler handler, Peer peer)
    : handler_(std::move(handler)),
      peer_(std::make_shared<const Peer>(std::move(peer))),
      mailbox_(std::make_shared<Mailbox>([this] { loop_.Post([this] { Deliver(); }); })),
      loop_(kTick) {
  loop_.Post([this] { loop_.AtTick([this](Instant now) { EndExpired(now); }); });
}

InsideLine::~InsideLine() { InsideLine::Stop(); }

void InsideLine::Add(std::shared_ptr<Call> call) {
  MutexLock lock(mutex_);
  if (stopped_) {
    call->End(Fail(ClientClosed()));
  } else {
    loop_.Post([this, call = std::move(call)] { Ask(call); });
  }
}

void InsideLine::EndCancelled() {
  loop_.Post([this] { EndExpired(std::chrono::steady_clock::now()); });
}

void InsideLine::Stop() {
  {
    MutexLock lock(mutex_);
    if (std::exchange(stopped_, true)) {
      return;
    }
  }
  loop_.Post([this] {
    for (const auto& [id, running] : std::exchange(running_, {})) {
      running.reply->Close();
      running.call->End(Fail(ClientClosed()));
    }
    mailbox_->Close();
  });
  loop_.Stop();
}

void InsideLine::Ask(std::shared_ptr<Call> call) {
  const std::int32_t id = ++last_id_;
  auto reply = std::make_shared<Reply>(mailbox_, id);
  Request request = std::move(call->request);
  request.peer = peer_;
  running_[id] = {std::move(call), reply};
  CallHandler(handler_, std::move(request), std::move(reply));
}

void InsideLine::Deliver() {
  for (const std::shared_ptr<Reply>& reply : mailbox_->Collect()) {
    const auto found = running_.find(reply->stream());
    if (found != running_.end()) {
      Deliver(Running(found->second));
    }
  }
}

void InsideLine::Deliver(const Running& running) {
  const auto& [call, reply] = running;
  if (const std::optional<Reply::Head> head = reply->TakeHead()) {
    call->receiver.head(head->status, head->headers);
  }
  Reply::Stock stock = reply->Peek(kPortion);
  for (; stock.bytes > 0; stock = reply->Peek(kPortion)) {
    buffer_.clear();
    reply->Take(stock.bytes, buffer_);
    call->receiver.data(buffer_);
  }
  if (stock.ending != Reply::Ending::kOpen) {
    End(reply->stream(), stock.ending == Reply::Ending::kEnded ? Status() : Fail(BrokenOff()));
  }
}

void InsideLine::EndExpired(Instant now) {
  std::vector<std::pair<std::int32_t, Error>> expired;
  for (const auto& [id, running] : running_) {
    if (std::optional<Error> why = running.call->Expired(now)) {
      expired.emplace_back(id, *std::move(why));
    }
  }
  for (const auto& [id, why] : expired) {
    End(id, Fail(why));
  }
}

void InsideLine::End(std::int32_t id, const Status& how) {
  const auto node = running_.extract(id);
  node.mapped().reply->Close();
  node.mapped().call->End(how);
}

}  // namespace quadra::net

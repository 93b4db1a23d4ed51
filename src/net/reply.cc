#include "net/reply.h"

#include <algorithm>
#include <utility>

namespace quadra::net {
namespace {

// Sent pieces are forgotten in batches of at least so many, and not less than half of all: so a queue
// that is never empty does not grow, and each piece moves up once.
constexpr std::size_t kLeastForgotten = 64;

void Inform(const std::function<void()>& notice) {
  if (notice) {
    notice();
  }
}

}  // namespace

void Mailbox::Touch(std::shared_ptr<Reply> reply) {
  if (reply->queued_.exchange(true)) {
    return;
  }
  MutexLock lock(mutex_);
  if (closed_) {
    return;
  }
  touched_.push_back(std::move(reply));
  if (!std::exchange(expected_, true)) {
    wake_();
  }
}

void Mailbox::Hold() {
  MutexLock lock(mutex_);
  expected_ = true;
}

std::vector<std::shared_ptr<Reply>> Mailbox::Collect() {
  std::vector<std::shared_ptr<Reply>> collected;
  {
    MutexLock lock(mutex_);
    collected.swap(touched_);
    expected_ = false;
  }
  for (const std::shared_ptr<Reply>& reply : collected) {
    reply->queued_ = false;
  }
  return collected;
}

void Mailbox::Close() {
  std::vector<std::shared_ptr<Reply>> forgotten;
  MutexLock lock(mutex_);
  closed_ = true;
  forgotten.swap(touched_);
}

void Reply::Put(std::optional<Head> head, std::span<Piece> pieces, Ending ending) {
  {
    MutexLock lock(mutex_);
    if (gone()) {
      return;
    }
    if (head) {
      head_ = std::move(head);
    }
    Append(pieces);
    ending_ = ending;
  }
  mailbox_->Touch(shared_from_this());
}

void Reply::Append(std::span<Piece> pieces) {
  std::size_t added = 0;
  for (Piece& piece : pieces) {
    if (!piece.bytes.empty()) {
      added += piece.bytes.size();
      pieces_.push_back(std::move(piece));
    }
  }
  unsent_ += added;
}

void Reply::Notify(Notices notices) {
  const auto shared = std::make_shared<const Notices>(std::move(notices));
  {
    MutexLock lock(mutex_);
    if (!gone()) {
      notices_ = shared;
      return;
    }
  }
  Inform(shared->gone);
}

std::optional<Reply::Head> Reply::TakeHead() {
  MutexLock lock(mutex_);
  return std::exchange(head_, std::nullopt);
}

Reply::Stock Reply::Peek(std::size_t most) {
  MutexLock lock(mutex_);
  const std::size_t there = unsent();
  return there > most ? Stock{most, Ending::kOpen} : Stock{there, ending_};
}

void Reply::Take(std::size_t bytes, std::string& out) {
  std::shared_ptr<const Notices> notices;
  {
    MutexLock lock(mutex_);
    const std::size_t before = unsent();
    Move(bytes, out);
    const std::size_t mark = notices_ ? notices_->writable_below : 0;
    if (before >= mark && unsent() < mark) {
      notices = notices_;
    }
  }
  if (notices) {
    Inform(notices->writable);
  }
}

void Reply::Move(std::size_t bytes, std::string& out) {
  unsent_ -= bytes;
  while (bytes > 0) {
    Piece& piece = pieces_[first_];
    const std::string_view part = piece.bytes.substr(0, bytes);
    out.append(part);
    bytes -= part.size();
    piece.bytes.remove_prefix(part.size());
    if (piece.bytes.empty()) {
      piece.holder.reset();
      ++first_;
    }
  }
  DropSent();
}

// Half of them at least are dropped at a time, so that each is moved once on the whole.
void Reply::DropSent() {
  if (first_ == pieces_.size() || (first_ >= kLeastForgotten && first_ >= pieces_.size() / 2)) {
    pieces_.erase(pieces_.begin(), pieces_.begin() + static_cast<std::ptrdiff_t>(first_));
    first_ = 0;
  }
}

void Reply::Close() {
  std::shared_ptr<const Notices> notices;
  bool ended = false;
  {
    MutexLock lock(mutex_);
    if (gone_.exchange(true)) {
      return;
    }
    notices = std::exchange(notices_, nullptr);
    pieces_.clear();
    unsent_ = 0;
    ended = ending_ != Ending::kOpen;
  }
  if (notices && !ended) {
    Inform(notices->gone);
  }
}

}  // namespace quadra::net

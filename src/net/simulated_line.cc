#include "net/simulated_line.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/check.h"
#include "net/service.h"

namespace quadra::net {
namespace {

constexpr std::size_t kEverything = std::size_t{1} << 30;
constexpr std::chrono::seconds kServersPatience(60);  // of real time

Error Broken() {
  return {.kind = ErrorKind::kUnreadable, .message = "the connection broke (simulated)"};
}

}  // namespace

std::shared_ptr<SimulatedLine> SimulatedLine::Make(SimulatedNetwork& network) {
  return std::shared_ptr<SimulatedLine>(new SimulatedLine(network));
}

SimulatedLine::SimulatedLine(SimulatedNetwork& network)
    : network_(network), mailbox_(std::make_shared<Mailbox>([this] {
        const std::lock_guard lock(mutex_);
        ++touches_;
        touched_.notify_one();
      })) {
  network_.lines_.push_back(this);
}

SimulatedLine::~SimulatedLine() {
  mailbox_->Close();
  std::erase(network_.lines_, this);
}

void SimulatedLine::Add(std::shared_ptr<Call> call) {
  const std::int64_t id = ++last_id_;
  const Fate fate = network_.options_.fate(call->request);
  running_[id] = {.call = std::move(call), .fate = fate, .due = network_.options_.clock.Now()};
  After(fate.there, id, [this, id] { Ask(id); });
}

void SimulatedLine::After(std::chrono::microseconds delay, std::int64_t id,
                          std::function<void()> work) {
  network_.options_.after(delay, [line = weak_from_this(), id, work = std::move(work)] {
    const std::shared_ptr<SimulatedLine> self = line.lock();
    if (self != nullptr && self->running_.contains(id)) {
      work();
    }
  });
}

void SimulatedLine::Ask(std::int64_t id) {
  Running& running = running_.at(id);
  if (running.fate.loss == Fate::Loss::kRequest) {
    return End(id, Fail(Broken()));
  }
  const auto reply = std::make_shared<Reply>(mailbox_, static_cast<std::int32_t>(id));
  Request request = std::move(running.call->request);
  request.peer = std::make_shared<const Peer>(network_.options_.peer);
  CallHandler(network_.options_.handler, std::move(request), reply);
  running.head = AwaitHead(*reply);
  running.reply = reply;
  network_.Deliver();
}

Reply::Head SimulatedLine::AwaitHead(Reply& reply) {
  while (true) {
    std::unique_lock lock(mutex_);
    const std::uint64_t seen = touches_;
    lock.unlock();
    static_cast<void>(mailbox_->Collect());  // so that the next touch is told
    if (std::optional<Reply::Head> head = reply.TakeHead()) {
      return *std::move(head);
    }
    lock.lock();
    QUADRA_CHECK(touched_.wait_for(lock, kServersPatience, [&] { return touches_ != seen; }),
                 "a handler answers");
  }
}

void SimulatedLine::Deliver() {
  static_cast<void>(mailbox_->Collect());
  for (auto& [id, running] : running_) {
    if (running.reply != nullptr && !running.over) {
      Deliver(id, running);
    }
  }
}

void SimulatedLine::Deliver(std::int64_t id, Running& running) {
  const Reply::Stock stock = running.reply->Peek(kEverything);
  std::string bytes;
  running.reply->Take(stock.bytes, bytes);
  if (running.fate.loss == Fate::Loss::kAnswer) {
    return SendEnd(id, running, Fail(Broken()));
  }
  if (running.head) {
    SendOff(id, running, [head = *std::exchange(running.head, {})](const Receiver& receiver) {
      receiver.head(head.status, head.headers);
    });
    if (stock.ending == Reply::Ending::kEnded) {
      SendBytes(id, running, std::exchange(bytes, {}));
    }
  }
  SendLines(id, running, bytes);
  if (stock.ending != Reply::Ending::kOpen && !running.over) {
    SendEnd(id, running, stock.ending == Reply::Ending::kEnded ? Status() : Fail(Broken()));
  }
}

void SimulatedLine::SendLines(std::int64_t id, Running& running, std::string_view bytes) {
  for (const char byte : bytes) {
    running.line += byte;
    if (byte != '\n') {
      continue;
    }
    const std::string line = std::exchange(running.line, {});
    for (int times = running.fate.repeats ? 2 : 1; times > 0; --times) {
      SendBytes(id, running, line);
    }
    if (++running.lines >= running.fate.lines) {
      return SendEnd(id, running, Fail(Broken()));
    }
  }
}

void SimulatedLine::SendBytes(std::int64_t id, Running& running, std::string bytes) {
  if (network_.options_.tamper) {
    network_.options_.tamper(bytes);
  }
  SendOff(id, running,
          [bytes = std::move(bytes)](const Receiver& receiver) { receiver.data(bytes); });
}

void SimulatedLine::SendEnd(std::int64_t id, Running& running, const Status& how) {
  running.over = true;
  SendOff(id, running, [this, id, how] { End(id, how); });
}

void SimulatedLine::SendOff(std::int64_t id, Running& running, Arrival arrive) {
  SendOff(id, running, [this, id, arrive = std::move(arrive)] {
    arrive(std::shared_ptr<Call>(running_.at(id).call)->receiver);
  });
}

void SimulatedLine::SendOff(std::int64_t id, Running& running, std::function<void()> arrive) {
  const Time now = network_.options_.clock.Now();
  running.due = std::max(running.due, now + running.fate.back);
  After(running.due - now, id, std::move(arrive));
}

void SimulatedLine::End(std::int64_t id, const Status& how) {
  const auto node = running_.extract(id);
  if (node.mapped().reply != nullptr) {
    node.mapped().reply->Close();
  }
  node.mapped().call->End(how);
}

void SimulatedLine::EndCancelled() {
  for (const auto& running : running_) {
    const std::int64_t id = running.first;
    if (running.second.call->cancelled) {
      After({}, id, [this, id] { End(id, Fail(*running_.at(id).call->Expired({}))); });
    }
  }
}

void SimulatedLine::EndAll(const Error& why) {
  std::vector<std::int64_t> ids;
  for (const auto& [id, running] : running_) {
    ids.push_back(id);
  }
  for (const std::int64_t id : ids) {
    if (running_.contains(id)) {
      End(id, Fail(why));
    }
  }
}

void SimulatedLine::Stop() { EndAll(ClientClosed()); }

void SimulatedNetwork::Deliver() {
  options_.settle();
  for (SimulatedLine* const line : lines_) {
    line->Deliver();
  }
}

void SimulatedNetwork::BreakAll() {
  for (SimulatedLine* const line : std::vector<SimulatedLine*>(lines_)) {
    line->EndAll(Broken());
  }
}

}  // namespace quadra::net

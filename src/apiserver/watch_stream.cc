#include "apiserver/watch_stream.h"

#include <fmt/format.h>

#include "apiserver/encode.h"
#include "apiserver/stored_form.h"
#include "apiserver/telemetry.h"

namespace quadra::apiserver {
namespace {

using SteadyClock = std::chrono::steady_clock;

constexpr std::size_t kMostUnsent = std::size_t{1} << 20;
constexpr std::chrono::seconds kBookmarkEvery{60};
constexpr std::chrono::seconds kBookmarkBeforeEnd{2};

// The state it had, with the revision in which it ceased to be one of those that are watched.
store::RecordPtr LastRecord(const store::Event& event) {
  auto record = std::make_shared<store::Record>(*event.previous);
  record->bytes = store::Stamp(store::Reopen(*event.previous), event.revision());
  record->modified = event.revision();
  return record;
}

}  // namespace

void WatchStream::Open(const Backend& backend, Start start, net::Exchange exchange) {
  const auto stream = std::make_shared<WatchStream>(backend, std::move(start), std::move(exchange));
  WatchPump& pump = backend.pump;
  const std::weak_ptr<WatchStream> weak = stream;
  const auto ring = [&pump, weak] {
    if (const std::shared_ptr<WatchStream> alive = weak.lock()) {
      pump.Ring(alive);
    }
  };
  auto watch = backend.store.Watch(
      {.prefix = PrefixOf(stream->start_.ask.kind(), stream->start_.ask.path().ns),
       .after = stream->start_.after,
       .wake = ring});
  stream->exchange_.Begin(200, {{"content-type", ContentTypeOf(stream->start_.ask)},
                                {"cache-control", "no-cache, private"}});
  if (!watch) {
    stream->WriteError(Expired(fmt::format("too old resource version: {} ({})",
                                           stream->start_.after, watch.error().oldest)));
    stream->End();
    return;
  }
  stream->watch_ = *std::move(watch);
  stream->exchange_.Notify({.gone = ring, .writable = ring, .writable_below = kMostUnsent / 2});
  stream->TellPresent();
  pump.Add(stream);
}

WatchStream::WatchStream(const Backend& backend, Start start, net::Exchange exchange)
    : clock_(backend.clock),
      start_(std::move(start)),
      meters_(backend.telemetry.watches.Of(start_.ask.kind())),
      exchange_(std::move(exchange)),
      through_(start_.after),
      ends_(SteadyClock::now() + start_.timeout),
      next_bookmark_(SteadyClock::now() + kBookmarkEvery) {}

void WatchStream::TellPresent() {
  meters_.initial.Add(start_.present.size());
  for (const store::RecordPtr& record : start_.present) {
    Write("ADDED", record);
  }
  start_.present.clear();
  if (start_.marks_present) {
    WriteBookmark(true);
  }
}

bool WatchStream::Pump() { return !over_ && (exchange_.Gone() ? End() : Follow()); }

bool WatchStream::Follow() {
  while (!IsBehind()) {
    const store::Delivery delivery = watch_->Take();
    start_.ask.now = clock_.Now();  // ages in tables are those of when a row is told
    for (const store::EventPtr& event : delivery.events) {
      Tell(*event);
    }
    through_ = std::max(through_, delivery.through);
    if (delivery.ended == store::WatchEnd::kExpired) {
      WriteError(Expired("too old resource version"));
    }
    if (delivery.ended) {
      return End();
    }
    if (!delivery.more) {
      break;
    }
  }
  return true;
}

bool WatchStream::Tick() {
  const SteadyClock::time_point now = SteadyClock::now();
  if (over_ || exchange_.Gone()) {
    return End();
  }
  const bool ending = now + kBookmarkBeforeEnd >= ends_;
  if (start_.bookmarks && (now >= next_bookmark_ || (ending && next_bookmark_ < ends_)) &&
      !IsBehind()) {
    if (!Follow()) {
      return false;
    }
    WriteBookmark(false);
    next_bookmark_ = ending ? ends_ : now + kBookmarkEvery;
  }
  return now < ends_ || End();
}

void WatchStream::Tell(const store::Event& event) {
  using Type = store::Event::Type;
  const bool was = event.type != Type::kCreated && start_.choice.Chooses(*event.previous);
  const bool is = event.type != Type::kDeleted && start_.choice.Chooses(*event.record);
  if (is) {
    Write(was ? "MODIFIED" : "ADDED", event.record);
  } else if (was) {
    Write("DELETED", event.type == Type::kDeleted ? event.record : LastRecord(event));
  }
}

void WatchStream::Write(const Frame& frame) {
  std::size_t bytes = 0;
  for (const net::Bytes& piece : frame) {
    bytes += piece->size();
  }
  // Before it leaves: who has the event finds it counted.
  meters_.events.Add();
  meters_.sizes.Observe(static_cast<double>(bytes));
  for (const net::Bytes& piece : frame) {
    exchange_.Write(piece);
  }
}

void WatchStream::Write(std::string_view type, const store::RecordPtr& record) {
  Write(FrameOf(type, record, start_.ask, std::exchange(first_, false)));
}

void WatchStream::WriteBookmark(bool ends_present) {
  const api::KindSchema& kind = start_.ask.kind();
  std::string object =
      fmt::format(R"({{"kind":"{}","apiVersion":"{}","metadata":{{"resourceVersion":"{}"{}}}}})",
                  kind.kind, api::ApiVersionOf(kind), through_,
                  ends_present ? R"(,"annotations":{"k8s.io/initial-events-end":"true"})" : "");
  const bool partial = start_.ask.representation.shape == Representation::Shape::kPartialMetadata;
  Write(FrameOf("BOOKMARK", partial ? InShape(std::move(object), start_.ask) : std::move(object),
                start_.ask));
}

void WatchStream::WriteError(const Failure& failure) {
  Write(FrameOf("ERROR", EncodeStatus(failure), start_.ask));
}

bool WatchStream::IsBehind() const { return exchange_.Unsent() > kMostUnsent; }

bool WatchStream::End() {
  if (!over_) {
    over_ = true;
    exchange_.End();
    watch_.reset();
  }
  return false;
}

}  // namespace quadra::apiserver

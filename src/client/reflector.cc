#include "client/reflector.h"

#include <algorithm>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "client/metadata.h"
#include "client/target.h"
#include "client/watch_event.h"

namespace quadra::client {
namespace {

constexpr std::chrono::milliseconds kFirstWait(800);
constexpr std::chrono::milliseconds kLongestWait(30'000);
constexpr std::chrono::seconds kShortWatch(1);
constexpr std::uint64_t kShortestTimeout = 300;  // seconds; up to twice that
constexpr std::chrono::seconds kGrace(30);       // past the timeout that the server knows

bool IsTooOld(const Failure& failure) {
  return failure.code == 410 || failure.Is(refused::kExpired) || failure.Is(refused::kGone);
}

// Whether a list in pages may succeed where the server refused to stream it.
bool DoesNotStream(const Failure& failure) { return !failure.unreachable() && failure.code != 429; }

// Whether the server will never stream lists.
bool NeverStreams(const Failure& failure) {
  return failure.code == 400 || failure.code == 405 || failure.code == 422;
}

Failure Garbled(std::string_view what) {
  return {.code = 200, .message = fmt::format("the watch sent {}", what)};
}

}  // namespace

struct Reflector::Parts {
  Parts(Api& the_api, What the_what, Receiver the_receiver)
      : api(the_api), what(std::move(the_what)), receiver(std::move(the_receiver)) {}

  loop::Task<void> Run();
  loop::Task<Answer<void>> ListThenWatch();
  loop::Task<Answer<void>> ListPages();
  loop::Task<Answer<void>> Follow(bool with_list);
  std::string TargetOf(bool with_list, std::uint64_t seconds) const;

  void Take(std::string_view piece, const std::function<void(Answer<void>)>& finish);
  bool TakeLine(std::string_view line);
  bool TakeEvent(const WatchEvent& event);
  void TakeBookmark(std::string_view object);
  void TakeObject(const std::function<void(std::string_view)>& in_list,
                  const std::function<std::string(std::string_view)>& afterwards,
                  std::string_view object);

  // How long to wait after this; also tells of failures and decides whether to list anew.
  std::chrono::microseconds Judge(const Answer<void>& how, bool short_lived);
  std::chrono::microseconds Backoff();

  Api& api;
  const What what;
  const Receiver receiver;
  std::string revision;
  bool listed = false;           // the store has all, at `revision`
  bool streams = true;           // as far as we know
  bool progressed = false;       // something came since the last wait
  int failures = 0;              // since something came
  std::optional<Failure> error;  // that the stream told
  LineCutter lines;
  std::unique_ptr<Api::Stream> stream;
  loop::TaskGroup tasks;  // last: it uses all of the above
};

Reflector::Reflector(Api& api, What what, Receiver receiver)
    : parts_(std::make_unique<Parts>(api, std::move(what), std::move(receiver))) {}

Reflector::~Reflector() = default;

void Reflector::Start() { parts_->tasks.Start(parts_->Run()); }

const std::string& Reflector::resource_version() const { return parts_->revision; }

loop::Task<void> Reflector::Parts::Run() {
  for (;;) {
    const Time begun = api.loop().Now();
    Answer<void> how;
    if (listed) {
      how = co_await Follow(false);
    } else {
      how = co_await ListThenWatch();
    }
    const std::chrono::microseconds wait = Judge(how, api.loop().Now() - begun < kShortWatch);
    if (wait.count() > 0) {
      co_await loop::Pause(api.loop(), wait);
    }
  }
}

loop::Task<Answer<void>> Reflector::Parts::ListThenWatch() {
  if (streams) {
    Answer<void> how = co_await Follow(true);
    if (how || listed || !DoesNotStream(how.error())) {
      co_return how;
    }
    streams = !NeverStreams(how.error());
  }
  co_return co_await ListPages();
}

loop::Task<Answer<void>> Reflector::Parts::ListPages() {
  const Answer<Page> page = co_await api.List(what.resource, what.choice, what.metadata_only);
  if (!page) {
    co_return tl::unexpected(page.error());
  }
  receiver.listing();
  for (const std::string& item : page->items) {
    receiver.listed(item);
  }
  revision = page->resource_version;
  listed = true;
  progressed = true;
  receiver.replaced();
  co_return Answer<void>();
}

loop::Task<Answer<void>> Reflector::Parts::Follow(bool with_list) {
  const std::uint64_t seconds = kShortestTimeout + api.random().Below(kShortestTimeout + 1);
  lines.Clear();
  error.reset();
  if (with_list) {
    receiver.listing();
  }
  loop::Later<Answer<void>> ended;
  const std::function<void(Answer<void>)> finish = ended.Bring();
  Api::StreamReceiver into{.data = [this, finish](std::string_view piece) { Take(piece, finish); },
                           .end = finish};
  const Api::StreamOptions options{
      .accept = std::string(what.metadata_only ? kAsMetadata : "application/json"),
      .timeout = std::chrono::seconds(seconds) + kGrace};
  stream = api.Watch(TargetOf(with_list, seconds), std::move(into), options);
  Answer<void> how = co_await ended;
  stream.reset();
  co_return how;
}

std::string Reflector::Parts::TargetOf(bool with_list, std::uint64_t seconds) const {
  Target target(what.resource.Path(what.choice.ns));
  target.With("watch", "true")
      .With("allowWatchBookmarks", "true")
      .With("timeoutSeconds", std::to_string(seconds))
      .WithIf("labelSelector", what.choice.label_selector)
      .WithIf("fieldSelector", what.choice.field_selector);
  if (with_list) {
    target.With("sendInitialEvents", "true").With("resourceVersionMatch", "NotOlderThan");
  } else {
    target.With("resourceVersion", revision);
  }
  return std::move(target).text();
}

void Reflector::Parts::Take(std::string_view piece,
                            const std::function<void(Answer<void>)>& finish) {
  if (error) {
    return;
  }
  lines.Feed(piece, [this](std::string_view line) { return TakeLine(line); });
  if (error) {
    finish(tl::unexpected(*error));  // the task goes on in there, and may begin another stream
  }
}

bool Reflector::Parts::TakeLine(std::string_view line) {
  const std::optional<WatchEvent> event = ReadWatchEvent(line);
  if (!event || !TakeEvent(*event)) {
    error = error ? error : Garbled(event ? "an event of unknown type" : "a line that is no event");
    return false;
  }
  return true;
}

// False for what ends the stream.
bool Reflector::Parts::TakeEvent(const WatchEvent& event) {
  if (event.type == "ERROR") {
    error = ReadFailure(0, event.object);
    return false;
  }
  progressed = true;
  if (event.type == "BOOKMARK") {
    TakeBookmark(event.object);
  } else if (event.type == "ADDED" || event.type == "MODIFIED") {
    TakeObject(receiver.listed, receiver.changed, event.object);
  } else if (event.type == "DELETED") {
    TakeObject(receiver.unlisted, receiver.deleted, event.object);
  } else {
    return false;
  }
  return true;
}

void Reflector::Parts::TakeObject(const std::function<void(std::string_view)>& in_list,
                                  const std::function<std::string(std::string_view)>& afterwards,
                                  std::string_view object) {
  if (!listed) {
    return in_list(object);
  }
  std::string now = afterwards(object);
  revision = now.empty() ? ReadBookmark(object).resource_version : std::move(now);
}

void Reflector::Parts::TakeBookmark(std::string_view object) {
  Bookmark bookmark = ReadBookmark(object);
  revision = std::move(bookmark.resource_version);
  if (!listed && bookmark.ends_initial_events) {
    listed = true;
    receiver.replaced();
  }
}

std::chrono::microseconds Reflector::Parts::Judge(const Answer<void>& how, bool short_lived) {
  // A list that breaks off in the middle is no progress.
  const bool came = std::exchange(progressed, false) && listed;
  if (came) {
    failures = 0;
  }
  if (how) {
    return came || !short_lived ? std::chrono::microseconds(0) : Backoff();
  }
  const Failure& failure = how.error();
  if (error || IsTooOld(failure)) {
    listed = false;
  }
  if (came && IsTooOld(failure)) {
    return {};
  }
  receiver.failed(failure);
  return std::max<std::chrono::microseconds>(Backoff(),
                                             failure.retry_after.value_or(std::chrono::seconds(0)));
}

std::chrono::microseconds Reflector::Parts::Backoff() {
  const std::chrono::microseconds base =
      std::min<std::chrono::microseconds>(kLongestWait, kFirstWait * (1 << std::min(failures, 6)));
  ++failures;
  return base +
         std::chrono::microseconds(api.random().Below(static_cast<std::uint64_t>(base.count())));
}

}  // namespace quadra::client

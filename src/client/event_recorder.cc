#include "client/event_recorder.h"

#include <deque>
#include <optional>
#include <utility>

#include "api/vocabulary.h"
#include "client/event_correlator.h"
#include "json/writer.h"

namespace quadra::client {
namespace {

constexpr std::size_t kMostWaiting = 1000;
constexpr int kMostTries = 12;
constexpr std::chrono::microseconds kBetweenTries = std::chrono::seconds(10);

const Resource& Events() {
  static const Resource events = ResourceFor("v1", "Event");
  return events;
}

// `"key":"text"`; nothing where the text is empty.
void WriteTime(json::Writer& writer, std::string_view key, Time time) {
  std::string text;
  api::AppendTime(text, time);
  writer.MemberIfAny(key, text);
}

void WriteMetadata(json::Writer& writer, const EventRecord& event) {
  writer.Key("metadata");
  writer.BeginObject();
  writer.MemberIfAny("name", event.name);
  writer.MemberIfAny("namespace", event.ns);
  writer.EndObject();
}

void WriteReference(json::Writer& writer, const ObjectReference& about) {
  writer.Key("involvedObject");
  writer.BeginObject();
  writer.MemberIfAny("kind", about.kind);
  writer.MemberIfAny("namespace", about.ns);
  writer.MemberIfAny("name", about.name);
  writer.MemberIfAny("uid", about.uid);
  writer.MemberIfAny("apiVersion", about.api_version);
  writer.MemberIfAny("resourceVersion", about.resource_version);
  writer.EndObject();
}

void WriteSource(json::Writer& writer, const EventRecord& event) {
  writer.Key("source");
  writer.BeginObject();
  writer.MemberIfAny("component", event.component);
  writer.EndObject();
}

void WriteCount(json::Writer& writer, const EventRecord& event) {
  writer.Key("count");
  writer.Int(event.count);
}

// Upstream says who reports of single events alone.
std::string Whole(const EventRecord& event) {
  std::string body;
  json::Writer writer(body);
  writer.BeginObject();
  writer.MemberIfAny("kind", "Event");
  writer.MemberIfAny("apiVersion", "v1");
  WriteMetadata(writer, event);
  WriteReference(writer, event.about);
  writer.MemberIfAny("reason", event.reason);
  writer.MemberIfAny("message", event.message);
  WriteSource(writer, event);
  WriteTime(writer, "firstTimestamp", event.first);
  WriteTime(writer, "lastTimestamp", event.last);
  WriteCount(writer, event);
  writer.MemberIfAny("type", event.type == EventType::kWarning ? "Warning" : "Normal");
  writer.Key("eventTime");
  writer.Null();
  writer.MemberIfAny("action", event.action);
  writer.Key("reportingComponent");
  writer.String(event.combined ? "" : event.component);
  writer.Key("reportingInstance");
  writer.String("");
  writer.EndObject();
  return body;
}

std::string CountChange(const EventRecord& event) {
  std::string body;
  json::Writer writer(body);
  writer.BeginObject();
  WriteCount(writer, event);
  WriteTime(writer, "lastTimestamp", event.last);
  writer.MemberIfAny("message", event.message);
  writer.EndObject();
  return body;
}

}  // namespace

struct EventRecorder::Parts {
  Parts(Api& the_api, std::string component)
      : api(the_api), correlator(std::move(component), the_api.random()) {}

  void Add(EventRecord event);
  loop::Task<void> WriteAll();
  loop::Task<void> WriteOne(const EventRecord& event);
  loop::Task<Answer<std::string>> Send(const EventRecord& event);

  Api& api;
  EventCorrelator correlator;
  std::deque<EventRecord> waiting;
  bool writes = false;
  loop::TaskGroup tasks;  // last: it uses all of the above
};

EventRecorder::EventRecorder(Api& api, std::string component)
    : parts_(std::make_shared<Parts>(api, std::move(component))) {}

EventRecorder::~EventRecorder() = default;

void EventRecorder::Record(const ObjectReference& about, EventType type, std::string_view reason,
                           std::string_view message, std::string_view action) {
  const Time now = parts_->api.loop().Now();
  if (std::optional<EventRecord> event =
          parts_->correlator.Take(about, type, reason, message, now)) {
    event->action = action;
    parts_->Add(*std::move(event));
  }
}

void EventRecorder::Parts::Add(EventRecord event) {
  if (waiting.size() >= kMostWaiting) {
    return;
  }
  waiting.push_back(std::move(event));
  if (!std::exchange(writes, true)) {
    tasks.Start(WriteAll());
  }
}

// One after the other: counts of an event come after the event.
loop::Task<void> EventRecorder::Parts::WriteAll() {
  while (!waiting.empty()) {
    const EventRecord event = std::move(waiting.front());
    waiting.pop_front();
    co_await WriteOne(event);
  }
  writes = false;
}

// What a server refuses is dropped; what no server answered is tried again.
loop::Task<void> EventRecorder::Parts::WriteOne(const EventRecord& event) {
  for (int tries = 1; tries <= kMostTries; ++tries) {
    const Answer<std::string> answer = co_await Send(event);
    if (answer || !answer.error().unreachable()) {
      co_return;
    }
    const auto most = static_cast<std::uint64_t>(kBetweenTries.count());
    co_await loop::Pause(api.loop(), tries == 1
                                         ? std::chrono::microseconds(api.random().Below(most))
                                         : kBetweenTries);
  }
}

loop::Task<Answer<std::string>> EventRecorder::Parts::Send(const EventRecord& event) {
  if (event.count > 1) {
    Change change{
        .type = PatchType::kStrategicMerge, .body = CountChange(event), .subresource = ""};
    Answer<std::string> patched =
        co_await api.Patch(Events(), event.ns, event.name, std::move(change));
    if (patched || patched.error().code != 404) {
      co_return patched;
    }
  }
  co_return co_await api.Create(Events(), event.ns, Whole(event));
}

}  // namespace quadra::client

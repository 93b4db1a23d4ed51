#include <fmt/format.h>

#include "api/vocabulary.h"
#include "apiserver/computed_columns.h"

namespace quadra::apiserver {
namespace {

// The two APIs of events name the same fields differently.
struct EventFields {
  std::string_view first, last, count, object, component, host, controller, message;
};

constexpr EventFields kCoreFields = {"firstTimestamp",     "lastTimestamp",    "count",
                                     "involvedObject",     "source.component", "source.host",
                                     "reportingComponent", "message"};
constexpr EventFields kEvents = {
    "deprecatedFirstTimestamp",   "deprecatedLastTimestamp", "deprecatedCount",     "regarding",
    "deprecatedSource.component", "deprecatedSource.host",   "reportingController", "note"};

const EventFields& FieldsOf(const RowSource& row) {
  return row.kind.group.empty() ? kCoreFields : kEvents;
}

std::string FirstSeenText(const RowSource& row) {
  const std::optional<Time> first = TimeAt(row.object, FieldsOf(row).first);
  return AgeOf(first ? first : TimeAt(row.object, "eventTime"), row.now);
}

Cell FirstSeen(const RowSource& row) { return FirstSeenText(row); }

Cell EventLastSeen(const RowSource& row) {
  if (HasAt(row.object, "series")) {
    return AgeOf(TimeAt(row.object, "series.lastObservedTime"), row.now);
  }
  const std::optional<Time> last = TimeAt(row.object, FieldsOf(row).last);
  return last ? AgeOf(last, row.now) : FirstSeenText(row);
}

// Events of one occurrence may say no count.
Cell Count(const RowSource& row) {
  if (HasAt(row.object, "series")) {
    return IntAt(row.object, "series.count");
  }
  const std::int64_t count = IntAt(row.object, FieldsOf(row).count);
  return count == 0 ? 1 : count;
}

Cell ObjectName(const RowSource& row) {
  const json::Value& object = row.object.Get(FieldsOf(row).object);
  const std::string kind = api::ToLower(TextAt(object, "kind"));
  const std::string name = TextAt(object, "name");
  return name.empty() ? kind : fmt::format("{}/{}", kind, name);
}

Cell Source(const RowSource& row) {
  const EventFields& fields = FieldsOf(row);
  const std::string component =
      OrElse(TextAt(row.object, fields.component), TextAt(row.object, fields.controller));
  const std::string host =
      OrElse(TextAt(row.object, fields.host), TextAt(row.object, "reportingInstance"));
  return host.empty() ? component : fmt::format("{}, {}", component, host);
}

Cell Message(const RowSource& row) {
  constexpr std::string_view kBlanks = " \t\n\v\f\r";
  const std::string text = TextAt(row.object, FieldsOf(row).message);
  const std::size_t first = text.find_first_not_of(kBlanks);
  return first == std::string::npos
             ? std::string()
             : text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

constexpr ComputedColumn kEventColumns[] = {
    {"<last-seen>", EventLastSeen, "Time since it happened last."},
    {"<first-seen>", FirstSeen, "Time since it happened first."},
    {"<event-count>", Count, "How often it happened."},
    {"<event-object>", ObjectName, "The object it happened to, as kind and name."},
    {"<event-source>", Source, "Who reported it, and from where."},
    {"<event-message>", Message, "What happened, in words."},
};

}  // namespace

std::span<const ComputedColumn> EventColumns() { return kEventColumns; }

}  // namespace quadra::apiserver

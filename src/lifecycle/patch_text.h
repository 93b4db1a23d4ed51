// The bodies of patches that controllers send: which object they are meant for, and what becomes of
// one part of it. With a uid the patch of another object of that name is refused, with a
// resourceVersion that of a later state.
//
//   PatchText({.uid = pod.metadata.uid}, "status", [&](json::Writer& writer) { … });
//   // {"metadata":{"uid":"…"},"status":{…}}
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "json/writer.h"

namespace quadra::lifecycle {

// Empty ones are left out.
struct PatchTarget {
  std::string_view uid;
  std::string_view resource_version;
};

// `write` writes the members of `part`.
std::string PatchText(const PatchTarget& target, std::string_view part,
                      const std::function<void(json::Writer&)>& write);

// One patch of metadata and spec: `write_metadata` and `write_spec` write further members of them.
std::string PatchText(const PatchTarget& target,
                      const std::function<void(json::Writer&)>& write_metadata,
                      const std::function<void(json::Writer&)>& write_spec);

// A member: a text, or a time in whole seconds.
void WriteMember(json::Writer& writer, std::string_view key, std::string_view text);
void WriteMember(json::Writer& writer, std::string_view key, Time time);
void WriteNumber(json::Writer& writer, std::string_view key, std::int64_t number);

// For strategic merge patches of conditions: in which order those of these types shall stand.
// Without it, new ones come first.
void WriteConditionOrder(json::Writer& writer, const std::vector<std::string_view>& types);

}  // namespace quadra::lifecycle

#include "live/objects.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "api/object.h"
#include "live/three_way.h"

namespace quadra::live {
namespace {

using client::Answer;
using client::Api;
using client::Failure;
using json::Value;

constexpr std::chrono::milliseconds kFirstPause{100};
constexpr std::chrono::milliseconds kLongestPause{2000};

// --- Resources.

std::string DiscoveryOf(const std::string& api_version) {
  return (api_version.find('/') == std::string::npos ? "/api/" : "/apis/") + api_version;
}

// The resource of that kind among those that discovery lists; subresources are none.
std::optional<client::Resource> FindIn(const Value& list, const std::string& api_version,
                                       const std::string& kind) {
  const Value& resources = list.Get("resources");
  if (resources.kind() != json::Kind::kArray) {
    return std::nullopt;
  }
  for (const Value& row : resources.items()) {
    const std::string plural = row.Get("name").text();
    if (row.Get("kind").text() == kind && plural.find('/') == std::string::npos) {
      const std::size_t slash = api_version.find('/');
      const Value& namespaced = row.Get("namespaced");
      return client::Resource{
          .group = slash == std::string::npos ? "" : api_version.substr(0, slash),
          .version = slash == std::string::npos ? api_version : api_version.substr(slash + 1),
          .plural = plural,
          .kind = kind,
          .namespaced = namespaced.kind() == json::Kind::kBool && namespaced.boolean()};
    }
  }
  return std::nullopt;
}

Failure UnknownKind(const std::string& api_version, const std::string& kind) {
  return {.code = 404,
          .reason = std::string(client::refused::kNotFound),
          .message = "the server has no kind " + kind + " in " + api_version +
                     ": its definition may have to be applied first"};
}

// --- Applying.

Value& MemberObject(Value& object, std::string_view key) {
  Value* const found = object.Find(key);
  if (found != nullptr && found->kind() == json::Kind::kObject) {
    return *found;
  }
  return object.Set(key, Value(Value::Object()));
}

// Integers stay as they are; others are spelled as Go spells what it has read.
Value NumberAsGo(const std::string& spelling) {
  std::int64_t whole = 0;
  const char* const end = spelling.data() + spelling.size();
  if (const auto read = std::from_chars(spelling.data(), end, whole);
      read.ec == std::errc() && read.ptr == end) {
    return Value::Int(whole);
  }
  double number = 0;
  const auto read = std::from_chars(spelling.data(), end, number);
  if (read.ec != std::errc() || !std::isfinite(number)) {
    return Value::Number(spelling);
  }
  std::string text;
  json::AppendDouble(text, number);
  return Value::Number(std::move(text));
}

// Members in the order of their keys and numbers as Go spells them, so that the annotation is the
// one that kubectl writes of the same file: else each would take the other's for a change.
void SpellAsGo(Value& manifest) {
  std::vector<Value*> rest = {&manifest};
  while (!rest.empty()) {
    Value& value = *rest.back();
    rest.pop_back();
    if (value.kind() == json::Kind::kNumber) {
      value = NumberAsGo(value.number());
    } else if (value.kind() == json::Kind::kArray) {
      for (Value& item : value.items()) {
        rest.push_back(&item);
      }
    } else if (value.kind() == json::Kind::kObject) {
      std::ranges::stable_sort(value.members(), {}, &Value::Member::key);
      for (Value::Member& member : value.members()) {
        rest.push_back(&member.value);
      }
    }
  }
}

// The manifest with itself in the annotation, as kubectl writes it.
void Annotate(Value& manifest) {
  Value& annotations = MemberObject(MemberObject(manifest, "metadata"), "annotations");
  annotations.Erase(kLastApplied);
  SpellAsGo(manifest);
  std::string text = ToJson(manifest) + "\n";
  MemberObject(MemberObject(manifest, "metadata"), "annotations")
      .Set(kLastApplied, Value(std::move(text)));
}

// What was applied last; nothing where that is not known.
Value AppliedOf(const Value& current) {
  const Result<Value> read =
      json::ParseValue(current.Get("metadata").Get("annotations").Get(kLastApplied).text());
  return read && read->kind() == json::Kind::kObject ? *read : Value(Value::Object());
}

std::string RevisionOf(const Value& object) {
  return object.Get("metadata").Get("resourceVersion").text();
}

const api::Struct* SchemaOf(const client::Resource& resource) {
  const api::KindSchema* const kind = api::FindKind(resource.ApiVersion(), resource.kind);
  return kind == nullptr ? nullptr : kind->fields;
}

Failure NotJson() { return {.code = 500, .message = "the server's answer is no JSON"}; }

loop::Task<Answer<Applied>> Change(Api& api, Target target, Value manifest, std::string was) {
  const Result<Value> current = json::ParseValue(was);
  if (!current) {
    co_return tl::unexpected(NotJson());
  }
  const api::Struct* const schema = SchemaOf(target.resource);
  const Value applied = AppliedOf(*current);
  const Value patch =
      PatchFor({.applied = applied, .wanted = manifest, .current = *current}, schema);
  if (patch.members().empty()) {
    co_return Applied::kUnchanged;
  }
  client::Change change;
  change.type = schema == nullptr ? client::PatchType::kMerge : client::PatchType::kStrategicMerge;
  change.body = ToJson(patch);
  const Answer<std::string> answer =
      co_await api.Patch(target.resource, target.ns, target.name, std::move(change));
  if (!answer) {
    co_return tl::unexpected(answer.error());
  }
  const Result<Value> now = json::ParseValue(*answer);
  const bool same = now && RevisionOf(*now) == RevisionOf(*current);
  co_return same ? Applied::kUnchanged : Applied::kConfigured;
}

loop::Task<Answer<Applied>> MakeOrChange(Api& api, Target target, Value manifest) {
  Annotate(manifest);
  const Answer<std::string> was = co_await api.Get(target.resource, target.ns, target.name);
  if (was) {
    std::string text = *was;
    co_return co_await Change(api, std::move(target), std::move(manifest), std::move(text));
  }
  if (!was.error().Is(client::refused::kNotFound)) {
    co_return tl::unexpected(was.error());
  }
  std::string body = ToJson(manifest);
  const Answer<std::string> made = co_await api.Create(target.resource, target.ns, std::move(body));
  if (!made) {
    co_return tl::unexpected(made.error());
  }
  co_return Applied::kCreated;
}

// --- Deleting.

std::string UidOf(const std::string& object) {
  const Result<Value> read = json::ParseValue(object);
  return read ? read->Get("metadata").Get("uid").text() : "";
}

loop::Task<Answer<void>> WaitUntilGone(Api& api, Target target, std::string uid) {
  for (std::chrono::milliseconds pause = kFirstPause;; pause = std::min(pause * 2, kLongestPause)) {
    const Answer<std::string> now = co_await api.Get(target.resource, target.ns, target.name);
    if (!now && now.error().Is(client::refused::kNotFound)) {
      co_return Answer<void>();
    }
    if (!now) {
      co_return tl::unexpected(now.error());
    }
    if (UidOf(*now) != uid) {
      co_return Answer<void>();
    }
    co_await loop::Pause(api.loop(), pause);
  }
}

// In the version that the server has.
loop::Task<Answer<Target>> Served(Api& api, Target target) {
  if (target.resource.group == api::kDraGroup) {
    const Answer<void> versions = co_await api.UseVersions();
    if (!versions) {
      co_return tl::unexpected(versions.error());
    }
    target.resource = api.Served(target.resource);
  }
  co_return std::move(target);
}

loop::Task<Answer<std::string>> GetServed(Api& api, Target asked) {
  const Answer<Target> target = co_await Served(api, std::move(asked));
  if (!target) {
    co_return tl::unexpected(target.error());
  }
  co_return co_await api.Get(target->resource, target->ns, target->name);
}

loop::Task<Answer<void>> DeleteAndWait(Api& api, Target asked, client::Deletion deletion,
                                       bool wait) {
  const Answer<Target> served = co_await Served(api, std::move(asked));
  if (!served) {
    co_return tl::unexpected(served.error());
  }
  Target target = *served;
  const Answer<std::string> was = co_await api.Get(target.resource, target.ns, target.name);
  if (!was) {
    co_return tl::unexpected(was.error());
  }
  const Answer<std::string> answer =
      co_await api.Delete(target.resource, target.ns, target.name, deletion);
  if (!answer) {
    co_return tl::unexpected(answer.error());
  }
  if (!wait) {
    co_return Answer<void>();
  }
  std::string uid = UidOf(*was);
  co_return co_await WaitUntilGone(api, std::move(target), std::move(uid));
}

}  // namespace

Answer<client::Resource> FindResource(Session& session, const std::string& api_version,
                                      const std::string& kind) {
  const api::KindSchema* const known = api::FindKind(api_version, kind);
  if (known != nullptr && !known->plural.empty()) {
    return client::ResourceFor(api_version, kind);
  }
  const auto answer = session.Run<Answer<std::string>>(
      [&](Api& api) { return Waited(api.Fetch("GET", DiscoveryOf(api_version))); });
  if (!answer && !answer.error().Is(client::refused::kNotFound)) {
    return tl::unexpected(answer.error());
  }
  const Result<Value> list = json::ParseValue(answer ? *answer : "{}");
  const std::optional<client::Resource> found =
      list ? FindIn(*list, api_version, kind) : std::nullopt;
  if (!found) {
    return tl::unexpected(UnknownKind(api_version, kind));
  }
  return *found;
}

Answer<Applied> Apply(Session& session, const Target& target, json::Value manifest) {
  return session.Run<Answer<Applied>>(
      [&](Api& api) { return MakeOrChange(api, target, std::move(manifest)); });
}

Answer<std::string> Get(Session& session, const Target& target) {
  return session.Run<Answer<std::string>>([&](Api& api) { return GetServed(api, target); });
}

Answer<std::string> Create(Session& session, const Target& target, std::string body) {
  return session.Run<Answer<std::string>>(
      [&](Api& api) { return Waited(api.Create(target.resource, target.ns, std::move(body))); });
}

Answer<void> Delete(Session& session, const Target& target, client::Deletion deletion, bool wait) {
  return session.Run<Answer<void>>(
      [&](Api& api) { return DeleteAndWait(api, target, std::move(deletion), wait); });
}

}  // namespace quadra::live

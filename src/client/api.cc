#include "client/api.h"

#include <map>
#include <utility>

#include <fmt/format.h>

#include "client/metadata.h"
#include "client/page.h"
#include "client/sender.h"
#include "client/target.h"
#include "client/versions.h"
#include "json/value.h"

namespace quadra::client {
namespace {

std::string_view ContentTypeOf(PatchType type) {
  switch (type) {
    case PatchType::kMerge:
      return "application/merge-patch+json";
    case PatchType::kStrategicMerge:
      return "application/strategic-merge-patch+json";
    case PatchType::kJson:
      return "application/json-patch+json";
  }
  return kJson;
}

std::string_view PolicyOf(Propagation propagation) {
  switch (propagation) {
    case Propagation::kDefault:
      return "";
    case Propagation::kBackground:
      return "Background";
    case Propagation::kForeground:
      return "Foreground";
    case Propagation::kOrphan:
      return "Orphan";
  }
  return "";
}

std::string DeleteOptions(const Deletion& deletion) {
  std::string body;
  json::Writer writer(body);
  writer.BeginObject();
  writer.MemberIfAny("kind", "DeleteOptions");
  writer.MemberIfAny("apiVersion", "v1");
  if (deletion.grace_seconds) {
    writer.Key("gracePeriodSeconds");
    writer.Int(*deletion.grace_seconds);
  }
  if (!deletion.uid.empty() || !deletion.resource_version.empty()) {
    writer.Key("preconditions");
    writer.BeginObject();
    writer.MemberIfAny("uid", deletion.uid);
    writer.MemberIfAny("resourceVersion", deletion.resource_version);
    writer.EndObject();
  }
  writer.MemberIfAny("propagationPolicy", PolicyOf(deletion.propagation));
  writer.EndObject();
  return body;
}

// Who writes, and how strictly.
void NoteWriter(const ApiOptions& options, Target& target) {
  target.With("fieldManager", options.field_manager)
      .WithIf("fieldValidation", options.field_validation);
}

}  // namespace

struct Api::Parts {
  std::shared_ptr<Sender> sender;
  DraVersions versions = {};
};

Api::Api(net::Client& client, loop::EventLoop& loop, ApiOptions options)
    : loop_(loop),
      random_(options.random != nullptr ? *options.random : system_random_),
      parts_(std::make_unique<Parts>(
          Parts{.sender = std::make_shared<Sender>(client, loop, std::move(options))})) {}

Api::~Api() = default;

std::uint64_t Api::sent() const { return parts_->sender->sent(); }

loop::Later<Answer<std::string>> Api::Send(Ask ask) {
  loop::Later<Answer<std::string>> answer;
  parts_->sender->Send(std::move(ask), answer.Bring());
  return answer;
}

loop::Later<Answer<std::string>> Api::Get(const Resource& resource, std::string_view ns,
                                          std::string_view name) {
  return Send({.method = "GET", .target = resource.Path(ns, name)});
}

loop::Later<Answer<Metadata>> Api::GetMetadata(const Resource& resource, std::string_view ns,
                                               std::string_view name) {
  loop::Later<Answer<Metadata>> answer;
  parts_->sender->Send(
      {.method = "GET", .target = resource.Path(ns, name), .accept = std::string(kAsMetadata)},
      [resource, bring = answer.Bring()](Answer<std::string> json) {
        Answer<Metadata> read = Read<Metadata>(std::move(json));
        if (read) {
          read->api_version = resource.ApiVersion();
          read->kind = resource.kind;
        }
        bring(std::move(read));
      });
  return answer;
}

loop::Later<Answer<std::string>> Api::Create(const Resource& resource, std::string_view ns,
                                             std::string body, std::string_view name,
                                             std::string_view subresource) {
  Target target(resource.Path(ns, name, subresource));
  NoteWriter(parts_->sender->options(), target);
  return Send({.method = "POST", .target = std::move(target).text(), .body = std::move(body)});
}

loop::Later<Answer<std::string>> Api::Update(const Resource& resource, std::string_view ns,
                                             std::string_view name, std::string body,
                                             std::string_view subresource) {
  Target target(resource.Path(ns, name, subresource));
  NoteWriter(parts_->sender->options(), target);
  return Send({.method = "PUT", .target = std::move(target).text(), .body = std::move(body)});
}

loop::Later<Answer<std::string>> Api::Patch(const Resource& resource, std::string_view ns,
                                            std::string_view name, Change change) {
  Target target(resource.Path(ns, name, change.subresource));
  NoteWriter(parts_->sender->options(), target);
  return Send({.method = "PATCH",
               .target = std::move(target).text(),
               .body = std::move(change.body),
               .content_type = std::string(ContentTypeOf(change.type))});
}

loop::Later<Answer<std::string>> Api::Delete(const Resource& resource, std::string_view ns,
                                             std::string_view name, const Deletion& deletion) {
  return Send(
      {.method = "DELETE", .target = resource.Path(ns, name), .body = DeleteOptions(deletion)});
}

loop::Later<Answer<std::string>> Api::DeleteCollection(const Resource& resource,
                                                       const Choice& choice) {
  Target target(resource.Path(choice.ns));
  target.WithIf("labelSelector", choice.label_selector)
      .WithIf("fieldSelector", choice.field_selector);
  return Send({.method = "DELETE", .target = std::move(target).text(), .body = DeleteOptions({})});
}

loop::Later<Answer<std::string>> Api::Fetch(std::string_view method, std::string target,
                                            std::string body, std::string_view accept) {
  return Send({.method = std::string(method),
               .target = std::move(target),
               .body = std::move(body),
               .accept = std::string(accept.empty() ? kJson : accept)});
}

loop::Task<Answer<Page>> Api::List(Resource resource, Choice choice, bool metadata_only) {
  Page page;
  std::string token;
  bool paged = true;
  for (;;) {
    Ask ask = ListAsk(resource, choice, metadata_only, paged, token);
    const Answer<std::string> answer = co_await Send(std::move(ask));
    if (!answer && answer.error().code == 410 && !token.empty()) {
      page = {};
      token.clear();
      paged = false;
      continue;
    }
    if (!answer) {
      co_return tl::unexpected(answer.error());
    }
    const std::size_t before = page.items.size();
    Result<std::string> next = AppendPage(*answer, resource, page);
    if (!next) {
      co_return tl::unexpected(Unreadable(next.error()));
    }
    if (choice.on_page) {
      choice.on_page(page.items.size() - before);
    }
    if (next->empty()) {
      co_return std::move(page);
    }
    token = *std::move(next);
  }
}

std::unique_ptr<Api::Stream> Api::Watch(std::string target, StreamReceiver receiver) {
  return Watch(std::move(target), std::move(receiver), {});
}

std::unique_ptr<Api::Stream> Api::Watch(std::string target, StreamReceiver receiver,
                                        const StreamOptions& options) {
  return parts_->sender->Stream(
      {.method = "GET", .target = std::move(target), .accept = options.accept}, std::move(receiver),
      options.timeout);
}

loop::Task<Answer<void>> Api::UseVersions() {
  const std::string group = fmt::format("/apis/{}", api::kDraGroup);
  const Answer<std::string> found = co_await Fetch("GET", group);
  if (!found) {
    co_return tl::unexpected(found.error().code == 404 ? NoDra() : found.error());
  }
  DraVersions versions;
  for (const std::string& version : VersionsIn(*found)) {
    const std::string target = fmt::format("{}/{}", group, version);
    const Answer<std::string> resources = co_await Fetch("GET", target);
    if (!resources) {
      co_return tl::unexpected(resources.error());
    }
    versions.Add(version, *resources);
  }
  if (versions.empty()) {
    co_return tl::unexpected(NoDra());
  }
  parts_->versions = std::move(versions);
  co_return Answer<void>();
}

Resource Api::Served(Resource resource) const {
  if (const std::optional<std::string> version = parts_->versions.Of(resource)) {
    resource.version = *version;
  }
  return resource;
}

bool Api::Serves(const Resource& resource) const {
  return parts_->versions.empty() || resource.group != api::kDraGroup ||
         parts_->versions.Of(resource).has_value();
}

Failure Api::Unreadable(const Error& error) {
  return {.message = "the server's answer cannot be read: " + error.ToString()};
}

}  // namespace quadra::client

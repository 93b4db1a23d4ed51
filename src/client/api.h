// Api: one server's objects, for one loop. The door of this folder: what reads and writes.
//
//   Api api(net_client, loop, {.user_agent = "quadra-controller"});
//   Answer<api::ResourceClaim> claim = co_await api.Get<api::ResourceClaim>("team-a", "gpus");
//   Answer<api::ResourceClaim> kept = co_await api.UpdateStatus(*claim);
//   Answer<std::string> pod = co_await api.Patch(pods, "team-a", "train", {.body = …});
//
// Every answer comes on the loop. A request that the server has no room for (429, or 503 with
// Retry-After) is sent again after the time it says, a few times; a read that was not answered, too;
// a write that was not answered is not: whoever wrote must look. Conflicts are the caller's, but for
// Alter, which reads the object again.
//
// Versions of resource.k8s.io: requests for ResourceOf<T>() go to the version that the server has
// (UseVersions); objects are converted both ways, so that nobody above knows.
//
// Threads: made anywhere, used on the loop alone. Drop it on the loop, or after the loop has
// stopped; what is under way is forgotten.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/kinds.h"
#include "base/random.h"
#include "client/answer.h"
#include "client/resource.h"
#include "loop/event_loop.h"
#include "loop/task.h"
#include "net/client.h"

namespace quadra::client {

struct ApiOptions {
  std::string user_agent = "quadra";
  std::string field_manager = "quadra";
  // What servers do with fields that a written object's kind does not have: Strict, Warn or Ignore;
  // empty: as they please.
  std::string field_validation = {};
  // Added to every request: authorization, impersonation. Asked for each time, since tokens change;
  // on the loop.
  std::function<net::Headers()> headers = [] { return net::Headers(); };
  // Told of every Warning header, once each.
  std::function<void(const std::string&)> on_warning = [](const std::string&) {};
  // Asked where a request was answered with 401: whether headers give something else now, so that it
  // is worth sending once more.
  std::function<bool()> renew = [] { return false; };
  std::chrono::milliseconds timeout = std::chrono::seconds(60);
  int most_retries = 5;
  Random* random = nullptr;  // null: the system's. Must outlive it
};

enum class PatchType : std::uint8_t { kMerge, kStrategicMerge, kJson };

struct Change {
  PatchType type = PatchType::kMerge;
  std::string body;
  std::string subresource;  // e.g. status
};

enum class Propagation : std::uint8_t { kDefault, kBackground, kForeground, kOrphan };

struct Deletion {
  std::string uid;               // precondition; empty: none
  std::string resource_version;  // precondition; empty: none
  Propagation propagation = Propagation::kDefault;
  std::optional<std::int64_t> grace_seconds;
};

// Which objects of a collection.
struct Choice {
  std::string ns;  // empty: all
  std::string label_selector;
  std::string field_selector;
  // Told of each page of a list how many objects came with it; on the loop.
  std::function<void(std::size_t)> on_page = nullptr;
};

// A list: the objects as JSON texts, and the revision of all of them.
struct Page {
  std::string resource_version;
  std::vector<std::string> items;
};

class Api {
 public:
  // `client` and `loop` must outlive it.
  Api(net::Client& client, loop::EventLoop& loop, ApiOptions options = {});
  ~Api();
  Api(const Api&) = delete;
  Api& operator=(const Api&) = delete;

  loop::EventLoop& loop() { return loop_; }
  Random& random() { return random_; }

  // --- Objects as JSON texts, of any kind.
  loop::Later<Answer<std::string>> Get(const Resource& resource, std::string_view ns,
                                       std::string_view name);
  // Names and owners alone: cheap for servers and us.
  loop::Later<Answer<Metadata>> GetMetadata(const Resource& resource, std::string_view ns,
                                            std::string_view name);
  // All pages; `metadata_only` asks for PartialObjectMetadata.
  loop::Task<Answer<Page>> List(Resource resource, Choice choice, bool metadata_only = false);
  loop::Later<Answer<std::string>> Create(const Resource& resource, std::string_view ns,
                                          std::string body, std::string_view name = {},
                                          std::string_view subresource = {});
  loop::Later<Answer<std::string>> Update(const Resource& resource, std::string_view ns,
                                          std::string_view name, std::string body,
                                          std::string_view subresource = {});
  loop::Later<Answer<std::string>> Patch(const Resource& resource, std::string_view ns,
                                         std::string_view name, Change change);
  // What the server answers: a Status or the object that is going.
  loop::Later<Answer<std::string>> Delete(const Resource& resource, std::string_view ns,
                                          std::string_view name, const Deletion& deletion = {});
  loop::Later<Answer<std::string>> DeleteCollection(const Resource& resource, const Choice& choice);
  // Any path: discovery, version, reviews. `accept`: media types; empty: JSON.
  loop::Later<Answer<std::string>> Fetch(std::string_view method, std::string target,
                                         std::string body = {}, std::string_view accept = {});

  // --- The engine's kinds as structs. Pods and nodes can only be read, and patched.
  template <typename T>
  loop::Task<Answer<T>> Get(std::string ns, std::string name) {
    const Resource resource = Served(ResourceOf<T>());
    co_return Read<T>(co_await Get(resource, ns, name));
  }
  template <api::Whole T>
  loop::Task<Answer<T>> Create(T object) {
    const Resource resource = Served(ResourceOf<T>());
    std::string body = Written(object, resource);
    co_return Read<T>(co_await Create(resource, object.metadata.ns, std::move(body)));
  }
  template <api::Whole T>
  loop::Task<Answer<T>> Update(T object, std::string subresource = {}) {
    const Resource resource = Served(ResourceOf<T>());
    std::string body = Written(object, resource);
    co_return Read<T>(co_await Update(resource, object.metadata.ns, object.metadata.name,
                                      std::move(body), subresource));
  }
  template <api::Whole T>
  loop::Task<Answer<T>> UpdateStatus(T object) {
    return Update(std::move(object), "status");
  }
  // Reads the object, has `change` made and writes it; where somebody else wrote meanwhile, again, a
  // few times. A change that returns false wants nothing written: the object as it was read.
  template <api::Whole T>
  loop::Task<Answer<T>> Alter(std::string ns, std::string name, std::function<bool(T&)> change,
                              std::string subresource = {}) {
    for (int conflicts = 0;; ++conflicts) {
      Answer<T> object = co_await Get<T>(ns, name);
      if (!object || !change(*object)) {
        co_return object;
      }
      Answer<T> written = co_await Update<T>(*std::move(object), subresource);
      if (written || !written.error().Is(refused::kConflict) || conflicts == kMostConflicts) {
        co_return written;
      }
      co_await loop::Pause(loop_, kAfterConflict);
    }
  }

  // --- Versions of resource.k8s.io.
  // Asks discovery which of them the server has; until then v1 is assumed. A Failure where it has
  // none names the remedy.
  loop::Task<Answer<void>> UseVersions();
  // The resource in the version that this server has.
  Resource Served(Resource resource) const;

  // Whether UseVersions found it; true of all that is not of resource.k8s.io, and before.
  bool Serves(const Resource& resource) const;

  // Starts a request whose answer is a stream, e.g. a watch; receivers are called on the loop, and
  // not at all after the stream was dropped, which they may do themselves.
  class Stream {
   public:
    virtual ~Stream() = default;  // cancels
  };
  struct StreamReceiver {
    std::function<void(std::string_view piece)> data;
    // Once and last: how it ended; a refusal, the end of the stream, or a broken connection.
    std::function<void(Answer<void>)> end;
  };
  struct StreamOptions {
    std::string accept = "application/json";
    std::chrono::milliseconds timeout{};  // for all of it; zero: none
  };
  std::unique_ptr<Stream> Watch(std::string target, StreamReceiver receiver);
  std::unique_ptr<Stream> Watch(std::string target, StreamReceiver receiver,
                                const StreamOptions& options);

  // Requests sent since the start, for tests that count.
  std::uint64_t sent() const;

 private:
  template <typename T>
  static Answer<T> Read(Answer<std::string> answer) {
    if (!answer) {
      return tl::unexpected(std::move(answer).error());
    }
    Result<T> object = Kind<T>::Decode(*answer);
    if (!object) {
      return tl::unexpected(Unreadable(object.error()));
    }
    return *std::move(object);
  }
  // With apiVersion and kind of the resource's version.
  template <typename T>
  static std::string Written(T& object, const Resource& resource) {
    object.type = {.kind = resource.kind, .api_version = resource.ApiVersion()};
    return api::EncodeJson(object, resource.version);
  }
  static Failure Unreadable(const Error& error);

  struct Parts;

  // As client-go's default: five attempts, 10 ms apart.
  static constexpr int kMostConflicts = 4;
  static constexpr auto kAfterConflict = std::chrono::milliseconds(10);

  loop::Later<Answer<std::string>> Send(struct Ask ask);

  loop::EventLoop& loop_;
  SystemRandom system_random_;
  Random& random_;
  const std::unique_ptr<Parts> parts_;
};

}  // namespace quadra::client

#include "scheduler/plugins/default_binder/default_binder.h"

#include <utility>

#include "base/check.h"
#include "json/writer.h"
#include "scheduler/framework/lost_answers.h"
#include "scheduler/plugins/arguments.h"

namespace quadra::scheduler {
namespace {

std::string BindingJson(const api::Pod& pod, std::string_view node) {
  std::string body;
  json::Writer writer(body);
  writer.BeginObject();
  writer.Member("apiVersion", "v1");
  writer.Member("kind", "Binding");
  writer.Key("metadata");
  writer.BeginObject();
  writer.Member("name", pod.metadata.name);
  writer.Member("namespace", pod.metadata.ns);
  writer.MemberIfAny("uid", pod.metadata.uid);
  writer.EndObject();
  writer.Key("target");
  writer.BeginObject();
  writer.Member("kind", "Node");
  writer.Member("name", node);
  writer.EndObject();
  writer.EndObject();
  return body;
}

class DefaultBinder final : public Plugin, public BindPlugin {
 public:
  explicit DefaultBinder(const Handle& handle) : handle_(handle) {}

  std::string_view name() const override { return "DefaultBinder"; }

  loop::Task<Status> Bind(CycleState& /*state*/, PodInfoPtr pod, std::string node) override {
    QUADRA_CHECK(handle_.api != nullptr, "only who writes binds");
    const client::Resource pods = client::ResourceOf<api::Pod>();
    const api::ObjectMeta& meta = pod->pod.metadata;
    loop::Later<client::Answer<std::string>> writing =
        handle_.api->Create(pods, meta.ns, BindingJson(pod->pod, node), meta.name, "binding");
    const client::Answer<std::string> bound = co_await writing;
    if (bound) {
      co_return Status();
    }
    if (!handle_.strict && IsLost(bound.error())) {
      loop::Task<std::string> asking = FindNode(meta);
      const std::string found = co_await asking;
      if (found == node) {
        co_return Status();
      }
    }
    co_return Status(Code::kError, bound.error().message);
  }

 private:
  // Where the pod is, once the server says so; empty: nowhere.
  loop::Task<std::string> FindNode(const api::ObjectMeta& pod) {
    co_await loop::Pause(handle_.api->loop(), kAfterSilence);
    loop::Task<client::Answer<api::Pod>> reading =
        ReadUntilAnswered<api::Pod>(*handle_.api, pod.ns, pod.name);
    client::Answer<api::Pod> read = co_await reading;
    const bool is_there = read && read->metadata.uid == pod.uid;
    co_return is_there ? std::move(read->spec.node_name) : std::string();
  }

  const Handle& handle_;
};

}  // namespace

Result<std::unique_ptr<Plugin>> MakeDefaultBinder(Handle& handle, const json::Value& args) {
  QUADRA_RETURN_IF_ERROR(RefuseArguments(args));
  return std::make_unique<DefaultBinder>(handle);
}

}  // namespace quadra::scheduler

#include "demo/demo.h"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "demo/objects.h"
#include "json/documents.h"
#include "json/value.h"

namespace quadra::demo {
namespace {

using client::Answer;
using client::Looked;
using loop::Task;

constexpr std::string_view kBatch = "batch";
constexpr std::chrono::seconds kBetweenBatches(15);
// Of the teams; those that cannot run not counted.
constexpr std::size_t kPods = 12;
// Somebody may have changed what there is, so that it never becomes as it was meant.
constexpr std::chrono::seconds kLongestSettling(10);
// For so long people may look at a batch pod that has ended.
constexpr std::chrono::seconds kShownFor(30);

struct Object {
  client::Resource resource;
  std::string ns;
  std::string json;
};

// REQUIRES: it is an object of a kind of the tables.
Object Read(std::string_view yaml) {
  std::string json = *json::YamlToJson(yaml);
  const json::Value tree = *json::ParseValue(json);
  const std::string& ns = tree.Get("metadata").Get("namespace").text();
  return {client::ResourceFor(tree.Get("apiVersion").text(), tree.Get("kind").text()), ns,
          std::move(json)};
}

class DemoTeams final : public client::Controller {
 public:
  DemoTeams(client::ControllerContext& context, std::function<void()> settled)
      : context_(context),
        settled_(std::move(settled)),
        pods_(context.informers.Of<api::Pod>()),
        queue_(context.api.loop(), {.meter = context.work.For("demo_teams")},
               [this](std::string key) { return Sync(std::move(key)); }) {
    for (std::size_t i = 0; i < DemoObjects().size(); ++i) {
      queue_.Add(std::to_string(i));
    }
    queue_.AddAfter(kBetweenBatches, std::string(kBatch));
    const auto look = [this](const api::Pod& pod) { Look(pod); };
    pods_.OnChange(
        {.added = look, .updated = [look](const api::Pod&, const api::Pod& now) { look(now); }});
  }

  void Start() override {
    queue_.Start();
    waiting_.Start([](DemoTeams& self) -> Task<void> {
      co_await loop::Pause(self.context_.api.loop(), kLongestSettling);
      self.SettleIf(true);
    }(*this));
  }
  bool idle() const override { return queue_.idle(); }

 private:
  // Keys: the number of an object, batch, or the full name of a batch pod that has ended.
  Task<Looked> Sync(std::string key);
  Task<Looked> Make(std::string yaml);
  Task<Looked> Clear(std::string full_name);
  void Look(const api::Pod& pod);
  // Whether the pods of the teams run, and the scheduler has said why the others do not.
  bool IsSettled() const;
  void SettleIf(bool settled);

  client::ControllerContext& context_;
  std::function<void()> settled_;  // null: it was called
  client::Informer<api::Pod>& pods_;
  std::size_t batches_ = 0;
  client::WorkQueue queue_;
  loop::TaskGroup waiting_;  // last: it uses all of the above
};

bool DemoTeams::IsSettled() const {
  const auto all = pods_.All();
  const auto running =
      std::ranges::count_if(all, [](const auto& pod) { return pod->status.phase == "Running"; });
  return static_cast<std::size_t>(running) >= kPods &&
         std::ranges::all_of(StuckPods(), [&](std::string_view name) {
           const auto pod = pods_.Find(name);
           return pod != nullptr &&
                  (!pod->spec.node_name.empty() || !pod->status.conditions.empty());
         });
}

void DemoTeams::SettleIf(bool settled) {
  if (settled_ && settled) {
    std::exchange(settled_, nullptr)();
  }
}

void DemoTeams::Look(const api::Pod& pod) {
  SettleIf(settled_ && IsSettled());
  if (pod.metadata.labels.contains(kBatchLabel) && pod.status.phase == "Succeeded") {
    queue_.AddAfter(kShownFor, api::FullNameOf(pod));
  }
}

Task<Looked> DemoTeams::Sync(std::string key) {
  if (key == kBatch) {
    queue_.AddAfter(kBetweenBatches, key);
    Task<Looked> making = Make(BatchPod(batches_++));
    co_await making;
    co_return Looked::kDone;  // the next one comes anyway
  }
  const bool is_name = key.find('/') != std::string::npos;
  Task<Looked> work = is_name ? Clear(key) : Make(std::string(DemoObjects()[std::stoul(key)]));
  const Looked looked = co_await work;
  co_return looked;
}

// A namespace may not have its account yet, or an object its namespace: later, then.
Task<Looked> DemoTeams::Make(std::string yaml) {
  Object object = Read(yaml);
  loop::Later<Answer<std::string>> creating =
      context_.api.Create(object.resource, object.ns, std::move(object.json));
  const Answer<std::string> created = co_await creating;
  co_return created || created.error().Is(client::refused::kAlreadyExists) ? Looked::kDone
                                                                           : Looked::kAgain;
}

Task<Looked> DemoTeams::Clear(std::string full_name) {
  const auto pod = pods_.Find(full_name);
  if (pod != nullptr) {
    loop::Later<Answer<std::string>> deleting =
        context_.api.Delete(client::ResourceOf<api::Pod>(), pod->metadata.ns, pod->metadata.name,
                            {.uid = pod->metadata.uid});
    co_await deleting;
  }
  co_return Looked::kDone;
}

}  // namespace

std::unique_ptr<client::Controller> MakeDemoTeams(client::ControllerContext& context,
                                                  std::function<void()> settled) {
  return std::make_unique<DemoTeams>(context, std::move(settled));
}

}  // namespace quadra::demo

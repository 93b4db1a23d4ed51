// Service accounts: `default` in every namespace.
#include <utility>

#include <fmt/format.h>

#include "lifecycle/lifecycle.h"
#include "lifecycle/new_in_namespace.h"

namespace quadra::lifecycle {
namespace {

using client::Looked;
using client::Metadata;
using loop::Task;

constexpr std::size_t kAccountWorkers = 1;
constexpr std::string_view kDefaultAccount = "default";

class ServiceAccounts final : public client::Controller {
 public:
  explicit ServiceAccounts(client::ControllerContext& context)
      : context_(context),
        namespaces_(context.informers.Of<api::Namespace>()),
        accounts_(context.informers.MetadataOf(resource_)),
        queue_(context.api.loop(),
               {.meter = context.work.For("serviceaccount"), .workers = kAccountWorkers},
               [this](std::string ns) { return Sync(std::move(ns)); }) {
    namespaces_.OnChange(
        {.added = [this](const api::Namespace& now) { queue_.Add(now.metadata.name); },
         .updated = [this](const api::Namespace&,
                           const api::Namespace& now) { queue_.Add(now.metadata.name); }});
    accounts_.OnChange({.deleted = [this](const Metadata& last) { queue_.Add(last.metadata.ns); }});
  }

  void Start() override { queue_.Start(); }
  bool idle() const override { return queue_.idle(); }

 private:
  Task<Looked> Sync(std::string ns);

  client::ControllerContext& context_;
  const client::Resource resource_ = client::ResourceFor("v1", "ServiceAccount");
  client::Informer<api::Namespace>& namespaces_;
  client::Informer<Metadata>& accounts_;
  client::WorkQueue queue_;  // of namespaces
};

Task<Looked> ServiceAccounts::Sync(std::string ns) {
  const auto found = namespaces_.Find("", ns);
  if (found == nullptr || found->metadata.deletion_timestamp ||
      accounts_.Find(ns, kDefaultAccount) != nullptr) {
    co_return Looked::kDone;
  }
  std::string body =
      fmt::format(R"({{"kind":"ServiceAccount","apiVersion":"v1","metadata":{{"name":"{}"}}}})",
                  kDefaultAccount);
  const client::Answer<std::string> made =
      co_await context_.api.Create(resource_, ns, std::move(body));
  if (IsMadeOrUnwanted(made)) {
    co_return Looked::kDone;
  }
  context_.log(fmt::format("service account controller: account {} of namespace {}: {}",
                           kDefaultAccount, ns, made.error().message));
  co_return Looked::kAgain;
}

}  // namespace

std::unique_ptr<client::Controller> MakeServiceAccounts(client::ControllerContext& context) {
  return std::make_unique<ServiceAccounts>(context);
}

}  // namespace quadra::lifecycle

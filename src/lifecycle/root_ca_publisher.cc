// Root CA publisher: ConfigMap `kube-root-ca.crt`, by which pods know the server, in every namespace.
#include <utility>

#include <fmt/format.h>

#include "api/object.h"
#include "json/value.h"
#include "lifecycle/lifecycle.h"
#include "lifecycle/new_in_namespace.h"

namespace quadra::lifecycle {
namespace {

using client::Answer;
using client::Looked;
using loop::Task;

constexpr std::string_view kRootCaName = "kube-root-ca.crt";
constexpr std::string_view kKey = "ca.crt";
constexpr std::string_view kDescriptionKey = "kubernetes.io/description";
constexpr std::string_view kDescription =
    "Contains a CA bundle that can be used to verify the kube-apiserver when using internal "
    "endpoints such as the internal service IP or kubernetes.default.svc. No other usage is "
    "guaranteed across distributions of Kubernetes clusters.";
constexpr std::chrono::seconds kReadAgain(10);

json::Value EmptyObject() { return json::Value(json::Value::Object{}); }

json::Value& MadeObject(json::Value& object, std::string_view key) {
  json::Value* const found = object.Find(key);
  return found != nullptr && found->kind() == json::Kind::kObject ? *found
                                                                  : object.Set(key, EmptyObject());
}

class RootCaPublisher final : public client::Controller {
 public:
  RootCaPublisher(client::ControllerContext& context, RootCaPublisherOptions options)
      : context_(context),
        certificates_(std::move(options.certificates)),
        namespaces_(context.informers.Of<api::Namespace>()),
        // Of the many maps of a cluster, those of this name alone.
        maps_(context.api,
              {.resource = resource_,
               .choice = {.field_selector = fmt::format("metadata.name={}", kRootCaName)}}),
        queue_(context.api.loop(), {.meter = context.work.For("root_ca_cert_publisher")},
               [this](std::string ns) { return Sync(std::move(ns)); }) {
    namespaces_.OnChange(
        {.added = [this](const api::Namespace& now) { queue_.Add(now.metadata.name); },
         .updated = [this](const api::Namespace&,
                           const api::Namespace& now) { queue_.Add(now.metadata.name); }});
    maps_.OnChange({.updated = [this](const api::Object&, const api::Object& now) { Enqueue(now); },
                    .deleted = [this](const api::Object& last) { Enqueue(last); }});
    maps_.OnSynced([this] { queue_.Start(); });
  }

  void Start() override { tasks_.Start(Run()); }
  bool idle() const override { return skipped_ || (maps_.synced() && queue_.idle()); }

 private:
  void Enqueue(const api::Object& map) { queue_.Add(std::string(client::MarksOf(map).ns)); }
  Task<void> Run();
  Task<void> ReadCertificates();
  Task<Looked> Sync(std::string ns);
  json::Value Wanted(json::Value map) const;
  Looked Ended(const std::string& ns, const Answer<std::string>& answer);

  client::ControllerContext& context_;
  std::string certificates_;
  const client::Resource resource_ = client::ResourceFor("v1", "ConfigMap");
  client::Informer<api::Namespace>& namespaces_;
  client::Informer<api::Object> maps_;
  client::WorkQueue queue_;  // of namespaces
  bool skipped_ = false;
  loop::TaskGroup tasks_;  // last: it uses all of the above
};

Task<void> RootCaPublisher::Run() {
  if (certificates_.empty()) {
    co_await ReadCertificates();
  }
  if (certificates_.empty()) {
    skipped_ = true;
    context_.log(
        "root CA publisher: nobody says by which authority the server is known, so "
        "nothing is published");
  } else {
    maps_.Start();
  }
}

Task<void> RootCaPublisher::ReadCertificates() {
  for (;;) {
    const Answer<std::string> map =
        co_await context_.api.Get(resource_, "kube-system", "extension-apiserver-authentication");
    if (map) {
      const Result<json::Value> tree = json::ParseValue(*map);
      certificates_ = tree ? tree->Get("data").Get("client-ca-file").text() : "";
    }
    if (map || !map.error().unreachable()) {
      co_return;
    }
    co_await loop::Pause(context_.api.loop(), kReadAgain);
  }
}

Task<Looked> RootCaPublisher::Sync(std::string ns) {
  const auto found = namespaces_.Find("", ns);
  if (found == nullptr || found->metadata.deletion_timestamp) {
    co_return Looked::kDone;
  }
  const auto map = maps_.Find(ns, kRootCaName);
  if (map == nullptr) {
    std::string body = json::ToJson(Wanted(EmptyObject()));
    const Answer<std::string> made = co_await context_.api.Create(resource_, ns, std::move(body));
    co_return IsMadeOrUnwanted(made) ? Looked::kDone : Ended(ns, made);
  }
  const Result<json::Value> written = json::ParseValue(api::EncodeJson(*map));
  json::Value wanted = Wanted(*written);
  if (wanted == *written) {
    co_return Looked::kDone;
  }
  std::string body = json::ToJson(wanted);
  const Answer<std::string> kept =
      co_await context_.api.Update(resource_, ns, kRootCaName, std::move(body));
  co_return Ended(ns, kept);
}

// A description that somebody gave it is left alone.
json::Value RootCaPublisher::Wanted(json::Value map) const {
  map.Set("kind", json::Value(std::string("ConfigMap")));
  map.Set("apiVersion", json::Value(std::string("v1")));
  json::Value& metadata = MadeObject(map, "metadata");
  metadata.Set("name", json::Value(std::string(kRootCaName)));
  json::Value& annotations = MadeObject(metadata, "annotations");
  if (annotations.Get(kDescriptionKey).text().empty()) {
    annotations.Set(kDescriptionKey, json::Value(std::string(kDescription)));
  }
  json::Value data = EmptyObject();
  data.Set(kKey, json::Value(certificates_));
  map.Set("data", std::move(data));
  return map;
}

Looked RootCaPublisher::Ended(const std::string& ns, const Answer<std::string>& answer) {
  if (answer) {
    return Looked::kDone;
  }
  context_.log(fmt::format("root CA publisher: {} of namespace {}: {}", kRootCaName, ns,
                           answer.error().message));
  return Looked::kAgain;
}

}  // namespace

std::unique_ptr<client::Controller> MakeRootCaPublisher(client::ControllerContext& context,
                                                        RootCaPublisherOptions options) {
  return std::make_unique<RootCaPublisher>(context, std::move(options));
}

}  // namespace quadra::lifecycle

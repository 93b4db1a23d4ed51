#include "apiserver/bootstrap.h"

#include <algorithm>
#include <array>
#include <variant>

#include <fmt/format.h>

#include "apiserver/core_defaults.h"
#include "apiserver/stored_form.h"
#include "apiserver/strategy.h"
#include "base/check.h"
#include "json/writer.h"
#include "validation/judge.h"

namespace quadra::apiserver {
namespace {

constexpr std::array<std::string_view, 4> kNamespaces = {"default", "kube-system", "kube-public",
                                                         "kube-node-lease"};

std::string NamespaceJson(std::string_view name) {
  return fmt::format(R"({{"apiVersion":"v1","kind":"Namespace","metadata":{{"name":"{}"}}}})",
                     name);
}

std::string PriorityJson(std::string_view name, std::int64_t value, std::string_view description) {
  return fmt::format(
      R"({{"apiVersion":"scheduling.k8s.io/v1","kind":"PriorityClass","metadata":{{"name":"{}"}},"value":{},"description":"{}"}})",
      name, value, description);
}

std::string AuthenticationJson(std::string_view authority) {
  std::string text =
      R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"extension-apiserver-authentication","namespace":"kube-system"},"data":{"client-ca-file":)";
  json::AppendQuoted(text, authority);
  return text + "}}";
}

constexpr std::string_view kServiceJson =
    R"({"apiVersion":"v1","kind":"Service","metadata":{"name":"kubernetes","namespace":"default","labels":{"component":"apiserver","provider":"kubernetes"}},"spec":{"type":"ClusterIP","clusterIP":"10.0.0.1","clusterIPs":["10.0.0.1"],"ports":[{"name":"https","protocol":"TCP","port":443,"targetPort":6443}]}})";

Status CreateOnce(const Backend& backend, std::string_view json) {
  api::Decoded<api::Object> sent = api::DecodeJson(json);
  QUADRA_CHECK(sent.has_value(), "the first objects are well formed");
  const api::ObjectMeta named = MetaOf(*sent);
  const std::string key = KeyOf(*sent->kind, named.ns, named.name);
  if (backend.store.Head().Find(key) != nullptr) {
    return {};
  }
  ApplyCoreDefaults(*sent);
  validation::Judgement judged = validation::Judge({.operation = validation::Operation::kCreate,
                                                    .gates = backend.gates,
                                                    .now = backend.clock.Now()},
                                                   *std::move(sent));
  QUADRA_CHECK(judged.outcome.errors.empty(), "the first objects are valid");
  api::ObjectMeta meta = MetaOf(judged.stored);
  meta.uid = NewUuid(backend.random);
  meta.creation_timestamp = std::chrono::floor<std::chrono::seconds>(backend.clock.Now());
  SetMeta(judged.stored, meta);
  PrepareForCreate(judged.stored);
  const store::Outcome outcome =
      backend.store.Commit({.key = key,
                            .precondition = store::Precondition::Absent(),
                            .draft = DraftOf(std::move(judged.stored))});
  const auto* refused = std::get_if<store::Refused>(&outcome);
  return refused == nullptr ? Status() : Status(quadra::Fail(refused->error));
}

}  // namespace

Status CreateFirstObjects(const Backend& backend, std::string_view authority) {
  std::vector<std::string> objects(kNamespaces.size());
  std::ranges::transform(kNamespaces, objects.begin(), NamespaceJson);
  objects.push_back(PriorityJson("system-cluster-critical", 2'000'000'000,
                                 "For pods without which the cluster does not work; they may move "
                                 "to another node."));
  objects.push_back(PriorityJson("system-node-critical", 2'000'001'000,
                                 "For pods without which their node does not work."));
  objects.emplace_back(kServiceJson);
  objects.push_back(AuthenticationJson(authority));
  for (const std::string& json : objects) {
    QUADRA_RETURN_IF_ERROR(CreateOnce(backend, json));
  }
  return {};
}

}  // namespace quadra::apiserver

// Binding: a pod gets its node, once.
#include <array>

#include <fmt/format.h>

#include "apiserver/body.h"
#include "apiserver/change.h"
#include "apiserver/pending.h"
#include "apiserver/request_options.h"
#include "apiserver/stored_form.h"
#include "apiserver/tree.h"
#include "apiserver/verbs.h"
#include "base/go_text.h"

namespace quadra::apiserver {
namespace {

constexpr ResourceName kPods{.group = "", .plural = "pods"};

const api::KindSchema& PodKind() { return *api::FindKind("v1", "Pod"); }

struct Assignment {
  api::ObjectMeta meta;  // of the binding: what it demands of the pod, and gives it
  std::string node;
};

OrFailure<Assignment> ReadAssignment(Ask& ask, const WriteOptions& options) {
  const OrFailure<Encoding> encoding = EncodingOfBody(ask.Header("content-type"));
  if (!encoding) {
    return Fail(encoding.error());
  }
  OrFailure<Body> body = ReadBody(ask.request.body, *encoding, *api::FindKind("v1", "Binding"),
                                  options.field_validation);
  if (!body) {
    return Fail(std::move(body).error());
  }
  ask.warnings = std::move(body->warnings);
  Assignment assignment{.meta = MetaOf(body->object),
                        .node = TextAt(body->object, {"target", "name"})};
  const bool named = ask.path().plural == "pods";
  if (named && assignment.meta.name != ask.path().name) {
    return Fail(BadRequest("name in URL does not match name in Binding object"));
  }
  const std::string kind = TextAt(body->object, {"target", "kind"});
  if (!kind.empty() && kind != "Node") {
    return Fail(BadRequest(
        fmt::format("target.kind: Unsupported value: {}: supported values: \"Node\", \"<empty>\"",
                    GoQuote(kind))));
  }
  if (assignment.node.empty()) {
    return Fail(BadRequest("target.name: Required value"));
  }
  return assignment;
}

Failure CannotBind(const std::string& pod, std::string_view why) {
  return Conflict({.group = "", .plural = "pods/binding"}, pod, why);
}

OkOrFailure CheckPod(const api::Pod& pod, const Assignment& assignment) {
  const std::string& name = pod.metadata.name;
  const api::ObjectMeta& demanded = assignment.meta;
  if (!demanded.uid.empty() && demanded.uid != pod.metadata.uid) {
    return Fail(Conflict(kPods, name,
                         fmt::format("Precondition failed: UID in precondition: {}, UID in object "
                                     "meta: {}",
                                     demanded.uid, pod.metadata.uid)));
  }
  if (!demanded.resource_version.empty() &&
      demanded.resource_version != pod.metadata.resource_version) {
    return Fail(Conflict(kPods, name,
                         fmt::format("Precondition failed: ResourceVersion in precondition: {}, "
                                     "ResourceVersion in object meta: {}",
                                     demanded.resource_version, pod.metadata.resource_version)));
  }
  if (pod.metadata.deletion_timestamp) {
    return Fail(CannotBind(
        name, fmt::format("pod {} is being deleted, cannot be assigned to a host", name)));
  }
  if (!pod.spec.node_name.empty()) {
    return Fail(CannotBind(name, fmt::format("pod {} is already assigned to node {}", name,
                                             GoQuote(pod.spec.node_name))));
  }
  if (!pod.spec.scheduling_gates.empty()) {
    return Fail(CannotBind(name, fmt::format("pod {} has non-empty .spec.schedulingGates", name)));
  }
  return {};
}

// Its condition PodScheduled says so from now on.
void MarkScheduled(api::Pod& pod, Time now) {
  auto& conditions = pod.status.conditions;
  auto* found = std::ranges::find(conditions, "PodScheduled", &api::PodCondition::type);
  if (found == conditions.end()) {
    conditions.push_back({.type = "PodScheduled"});
    found = conditions.end() - 1;
  }
  if (found->status != "True") {
    found->last_transition_time = std::chrono::floor<std::chrono::seconds>(now);
  }
  found->status = "True";
  found->reason.clear();
  found->message.clear();
}

OrFailure<Plan> Bound(const api::Object& standing, const Assignment& assignment, Time now) {
  auto pod = api::ToTyped<api::Pod>(standing);
  if (OkOrFailure fits = CheckPod(pod, assignment); !fits) {
    return Fail(std::move(fits).error());
  }
  pod.spec.node_name = assignment.node;
  pod.status.nominated_node_name.clear();
  for (const auto& [key, value] : assignment.meta.annotations) {
    pod.metadata.annotations[key] = value;
  }
  for (const auto& [key, value] : assignment.meta.labels) {
    pod.metadata.labels[key] = value;
  }
  MarkScheduled(pod, now);
  api::Object object = standing;
  api::Amend(object, pod);
  return Plan{.action = Plan::Action::kPut, .object = std::move(object)};
}

constexpr std::string_view kSuccess =
    R"({"kind":"Status","apiVersion":"v1","metadata":{},"status":"Success","code":201})";

}  // namespace

void Bind(const Backend& backend, Ask ask, net::Exchange exchange) {
  const OrFailure<WriteOptions> options = ReadWriteOptions(ask.address.query, "CreateOptions");
  const OrFailure<Assignment> assignment =
      options ? ReadAssignment(ask, *options) : OrFailure<Assignment>(Fail(options.error()));
  if (!assignment) {
    exchange.Answer(AnswerWith(assignment.error(), ask));
    return;
  }
  Target target{.kind = &PodKind(),
                .key = KeyOf(PodKind(), ask.path().ns, assignment->meta.name),
                .resource = kPods,
                .name = assignment->meta.name,
                .dry_run = options->dry_run};
  const PendingPtr pending = MakePending(std::move(ask), std::move(exchange));
  ChangeObject(
      backend, std::move(target),
      [&backend, assignment = *assignment](const api::Object& standing) {
        return Bound(standing, assignment, backend.clock.Now());
      },
      [pending](const OrFailure<Changed>& changed) {
        if (!changed) {
          pending->Fail(changed.error());
        } else {
          pending->exchange.Answer(AnswerWithJson(201, std::string(kSuccess), pending->ask));
        }
      });
}

}  // namespace quadra::apiserver

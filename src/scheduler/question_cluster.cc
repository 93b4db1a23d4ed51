#include "scheduler/question_cluster.h"

#include <memory>
#include <utility>

namespace quadra::scheduler {

void QuestionCluster::operator()(api::Pod pod) {
  if (IsTerminal(pod)) {
    return;
  }
  const PodInfoPtr info = PodInfo::Of(std::move(pod), gates_);
  if (!info->pod.spec.node_name.empty()) {
    cache_.PutPod(info);
  } else if (!info->pod.status.nominated_node_name.empty()) {
    nominated_.push_back(info);
  }
}

void QuestionCluster::operator()(api::Node node) {
  devices_.Put(node);
  cache_.PutNode(std::make_shared<const api::Node>(std::move(node)));
}

void QuestionCluster::operator()(const api::Namespace& ns) {
  cache_.PutNamespace(ns.metadata.name, ns.metadata.labels);
}

void QuestionCluster::operator()(api::ResourceClaim claim) {
  devices_.Put(std::make_shared<const api::ResourceClaim>(std::move(claim)));
}

void QuestionCluster::operator()(api::DeviceTaintRule rule) {
  if (gates_.Enabled(api::Gate::kDRADeviceTaintRules)) {
    devices_.Put(std::move(rule));
  }
}

quadra::Status QuestionCluster::Add(std::string_view json) {
  const api::Decoded<api::Header> header = api::ReadHeader(json);
  if (!header) {
    return quadra::Fail(ErrorKind::kInvalid, header.error().message);
  }
  QUADRA_TRY(const bool taken,
             api::ReadObject(
                 {.api_version = header->api_version, .kind = header->kind, .json = json}, *this));
  const api::KindSchema* const kind = api::FindKind(header->api_version, header->kind);
  if (taken || kind == nullptr || !Workloads::Takes(*kind)) {
    return {};
  }
  const api::Decoded<api::Object> object =
      api::DecodeJson(json, {.strictness = api::Strictness::kLenient});
  if (!object) {
    return quadra::Fail(ErrorKind::kInvalid, object.error().message);
  }
  cache_.workloads().Put(*object);
  return {};
}

std::vector<PodInfoPtr> QuestionCluster::Nominated(const std::string& node) const {
  std::vector<PodInfoPtr> pods;
  for (const PodInfoPtr& each : nominated_) {
    if (each->pod.status.nominated_node_name == node) {
      pods.push_back(each);
    }
  }
  return pods;
}

}  // namespace quadra::scheduler

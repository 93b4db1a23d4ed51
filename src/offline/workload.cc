#include "offline/workload.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "api/object.h"
#include "json/value.h"

namespace quadra::offline {
namespace {

using json::Value;

// The number at `key`, within bounds, or `otherwise`.
std::size_t CountAt(const Value& object, std::string_view key, std::size_t otherwise,
                    std::size_t most = kMostReplicas) {
  const Value& value = object.Get(key);
  if (value.kind() != json::Kind::kNumber) {
    return otherwise;
  }
  std::int64_t count = 0;
  const std::string& text = value.number();
  std::from_chars(text.data(), text.data() + text.size(), count);
  return std::min(static_cast<std::size_t>(std::max<std::int64_t>(count, 0)), most);
}

// A Job runs as many at once as parallelism says, and no more than it has to complete; none while it
// is suspended.
std::size_t ReplicasOf(const Value& workload) {
  const Value& spec = workload.Get("spec");
  if (workload.Get("kind").text() != "Job") {
    return CountAt(spec, "replicas", 1);
  }
  if (spec.Get("suspend").kind() == json::Kind::kBool && spec.Get("suspend").boolean()) {
    return 0;
  }
  const std::size_t at_once = CountAt(spec, "parallelism", 1);
  return std::min(at_once, CountAt(spec, "completions", at_once));
}

// The number in the name of the first pod; a StatefulSet may say another than 0.
std::size_t FirstOrdinal(const Value& workload) {
  const Value& ordinals = workload.Get("spec").Get("ordinals");
  return ordinals.kind() == json::Kind::kObject
             ? CountAt(ordinals, "start", 0, std::numeric_limits<std::int32_t>::max())
             : 0;
}

Value PodOf(const Value& workload, std::string name) {
  const Value& meta = workload.Get("metadata");
  Value pod = workload.Get("spec").Get("template");
  pod.Set("apiVersion", Value(std::string("v1")));
  pod.Set("kind", Value(std::string("Pod")));
  if (pod.Get("metadata").kind() != json::Kind::kObject) {
    pod.Set("metadata", Value(Value::Object()));
  }
  Value* const own = pod.Find("metadata");
  own->Set("name", Value(std::move(name)));
  own->Set("namespace", Value(meta.Get("namespace").text()));
  return pod;
}

}  // namespace

bool IsWorkload(std::string_view api_version, std::string_view kind) {
  return (api_version == "apps/v1" &&
          (kind == "Deployment" || kind == "ReplicaSet" || kind == "StatefulSet")) ||
         (api_version == "batch/v1" && kind == "Job");
}

std::vector<std::string> PodsOf(std::string_view workload) {
  std::vector<std::string> pods;
  const Result<Value> read = json::ParseValue(workload);
  const bool makes = read && read->Get("metadata").Get("uid").text().empty() &&
                     read->Get("spec").Get("template").kind() == json::Kind::kObject;
  const std::size_t replicas = makes ? ReplicasOf(*read) : 0;
  const std::size_t first = replicas > 0 ? FirstOrdinal(*read) : 0;
  pods.reserve(replicas);
  for (std::size_t i = first; i < first + replicas; ++i) {
    pods.push_back(
        ToJson(PodOf(*read, fmt::format("{}-{}", read->Get("metadata").Get("name").text(), i))));
  }
  return pods;
}

Result<api::Pod> ModelOf(std::string_view workload) {
  QUADRA_TRY(const Value read, json::ParseValue(workload));
  if (read.Get("spec").Get("template").kind() != json::Kind::kObject) {
    return Fail(ErrorKind::kInvalid, "it has no template for pods");
  }
  api::Pod model;
  QUADRA_RETURN_IF_ERROR(
      api::ReadObject({.api_version = "v1",
                       .kind = "Pod",
                       .json = ToJson(PodOf(read, read.Get("metadata").Get("name").text()))},
                      [&](api::Pod pod) { model = std::move(pod); }));
  if (model.metadata.ns.empty()) {
    model.metadata.ns = "default";
  }
  return model;
}

}  // namespace quadra::offline

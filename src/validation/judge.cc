#include "validation/judge.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "base/check.h"
#include "validation/formats.h"
#include "validation/pod.h"

namespace quadra::validation {
namespace {

std::string ApiVersionOf(const api::KindSchema& kind) {
  return kind.group.empty() ? std::string(kind.version)
                            : fmt::format("{}/{}", kind.group, kind.version);
}

constexpr std::string_view kDra = "resource.k8s.io";

// The object in the version whose shape the engine's structs have, with the defaults of its own
// version.
api::Object InEngineShape(api::Object object, Time now) {
  api::ApplyDefaults(object, now);
  if (object.kind->version == "v1") {
    return object;
  }
  const std::string engine_version = std::string(object.kind->group) + "/v1";
  if (api::FindKind(engine_version, object.kind->kind) == nullptr) {
    return object;
  }
  Result<api::Object> converted = api::Convert(object, engine_version);
  QUADRA_CHECK(converted.has_value(), "every served version converts to v1 where there is one");
  return *std::move(converted);
}

template <typename T>
Outcome JudgeAs(const Request& request, api::Object object, const api::Object* old) {
  T value = api::ToTyped<T>(InEngineShape(std::move(object), request.now));
  std::optional<T> stored;
  if (old != nullptr) {
    stored = api::ToTyped<T>(InEngineShape(*old, request.now));
  }
  return Validate(request, value, stored ? &*stored : nullptr);
}

// The part of an object at `path`, names joined by dots. Empty when the object has none.
template <typename T>
T PartAt(const api::Object& object, std::string_view path) {
  const api::Struct* schema = object.kind->fields;
  const api::Value* value = &object.root;
  for (const std::string_view name : api::Split(path, '.')) {
    std::size_t hint = 0;
    const api::Field* field = api::FindField(*schema, name, hint);
    QUADRA_CHECK(field != nullptr, "paths of workloads are those of their tables");
    value = value == nullptr ? nullptr : value->Member(*field);
    schema = field->type->fields;
  }
  T part;
  if (value != nullptr) {
    api::erased::FromTree(*schema, *value, &part, api::SlotOf<T>::kSlot);
  }
  return part;
}

Workload WorkloadOf(const WorkloadKind& kind, api::Object object, Time now) {
  const api::Object defaulted = InEngineShape(std::move(object), now);
  return {.kind = &kind,
          .metadata = PartAt<api::ObjectMeta>(defaulted, "metadata"),
          .pod_template = PartAt<api::PodTemplateSpec>(defaulted, kind.template_path)};
}

Outcome JudgeWorkload(const Request& request, api::Object object, const api::Object* old) {
  const std::string api_version = ApiVersionOf(*object.kind);
  const WorkloadKind* kind = FindWorkloadKind(api_version, object.kind->kind);
  QUADRA_CHECK(kind != nullptr, "only workloads have this row");
  Workload value = WorkloadOf(*kind, std::move(object), request.now);
  std::optional<Workload> stored;
  if (old != nullptr) {
    stored = WorkloadOf(*kind, *old, request.now);
  }
  return Validate(request, value, stored ? &*stored : nullptr);
}

struct Judged {
  std::string_view group;
  std::string_view kind;
  Coverage coverage;
  Outcome (*judge)(const Request&, api::Object, const api::Object*);
};

constexpr std::array kJudged = {
    Judged{kDra, "DeviceClass", Coverage::kAll, JudgeAs<api::DeviceClass>},
    Judged{kDra, "DeviceTaintRule", Coverage::kAll, JudgeAs<api::DeviceTaintRule>},
    Judged{kDra, "ResourceClaim", Coverage::kAll, JudgeAs<api::ResourceClaim>},
    Judged{kDra, "ResourceClaimTemplate", Coverage::kAll, JudgeAs<api::ResourceClaimTemplate>},
    Judged{kDra, "ResourcePoolStatusRequest", Coverage::kAll,
           JudgeAs<api::ResourcePoolStatusRequest>},
    Judged{kDra, "ResourceSlice", Coverage::kAll, JudgeAs<api::ResourceSlice>},
    Judged{"", "Pod", Coverage::kDraOnly, JudgeAs<api::Pod>},
};

constexpr Judged kWorkload{"", "", Coverage::kDraOnly, JudgeWorkload};

const Judged* FindJudged(const api::KindSchema& kind) {
  const auto found = std::ranges::find_if(kJudged, [&](const Judged& judged) {
    return judged.kind == kind.kind && judged.group == kind.group;
  });
  if (found != kJudged.end()) {
    return &*found;
  }
  return FindWorkloadKind(ApiVersionOf(kind), kind.kind) == nullptr ? nullptr : &kWorkload;
}

}  // namespace

Coverage CoverageOf(const api::KindSchema& kind) {
  const Judged* judged = FindJudged(kind);
  return judged == nullptr ? Coverage::kNone : judged->coverage;
}

bool JudgesStatus(const api::KindSchema& kind) {
  return kind.has_status && (CoverageOf(kind) == Coverage::kAll || kind.kind == "Pod");
}

Outcome Judge(Request request, api::Object object, const api::Object* old) {
  const Judged* judged = FindJudged(*object.kind);
  QUADRA_CHECK(judged != nullptr, "callers ask CoverageOf first");
  QUADRA_CHECK(request.update() == (old != nullptr), "an update has a stored object");
  request.version = object.kind->version;
  return judged->judge(request, std::move(object), old);
}

}  // namespace quadra::validation

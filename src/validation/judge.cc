#include "validation/judge.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "api/vocabulary.h"
#include "base/check.h"
#include "validation/pod.h"
#include "validation/strategy.h"

namespace quadra::validation {
namespace {

constexpr std::string_view kDra = "resource.k8s.io";

// The object in the version that is stored, whose shape the engine's structs have, with the
// defaults of its own version.
api::Object InStoredShape(api::Object object, Time now) {
  api::ApplyDefaults(object, now);
  const api::KindSchema& stored = api::StoredKindOf(*object.kind);
  if (&stored == object.kind) {
    return object;
  }
  Result<api::Object> converted = api::Convert(object, api::ApiVersionOf(stored));
  QUADRA_CHECK(converted.has_value(), "every served version converts to the stored one");
  return *std::move(converted);
}

// One write on its way: both objects in the stored shape.
struct Write {
  const Request& request;
  api::Object object;
  std::optional<api::Object> old;
  bool is_kept = true;  // the object is to be stored if it may
};

// --- What a request may write.

const api::Field& FieldOf(const api::Struct& schema, std::string_view name) {
  std::size_t hint = 0;
  const api::Field* field = api::FindField(schema, name, hint);
  QUADRA_CHECK(field != nullptr, "names of fields are those of the tables");
  return *field;
}

// Moves the member that the stored object has, or none, into the object.
void TakeStored(std::string_view name, api::Object& object, api::Object& old) {
  const api::Field& field = FieldOf(*object.kind->fields, name);
  api::Value* kept = old.root.Member(field);
  if (kept == nullptr) {
    object.root.EraseMember(field);
  } else {
    object.root.AddMember(field) = std::move(*kept);
  }
}

// A status write changes no spec, any other no status; nothing is created with one, except a Node,
// whose kubelet reports it at once.
void KeepOtherHalf(Write& write) {
  if (!write.object.kind->has_status) {
    return;
  }
  if (write.old) {
    TakeStored(write.request.operation == Operation::kStatus ? "spec" : "status", write.object,
               *write.old);
  } else if (write.object.kind->kind != "Node") {
    write.object.root.EraseMember("status");
  }
}

bool IsCounted(const api::Field& field) {
  return field.json != "metadata" && field.json != "status" && field.json != "kind" &&
         field.json != "apiVersion";
}

// --- Metadata alone.

struct Named {
  const api::KindSchema* kind;
  api::ObjectMeta metadata;
};

// What may be the name of an object of the kind; most are domains.
MetaRules RulesOf(const api::KindSchema& kind) {
  MetaRules rules{.namespaced = kind.namespaced};
  if (kind.group == "rbac.authorization.k8s.io") {
    rules.name_problems = api::PathSegmentProblems;
  } else if (kind.group.empty() && (kind.kind == "Namespace" || kind.kind == "Service")) {
    rules.name_problems = api::LabelNameProblems;
  }
  return rules;
}

// Of most kinds a finalizer is a standard one or has a domain; of these it may be any name.
bool TakesAnyFinalizer(const api::KindSchema& kind) {
  return kind.group == "coordination.k8s.io" || kind.group == "rbac.authorization.k8s.io" ||
         kind.group == "admissionregistration.k8s.io";
}

void CheckNamed(const Request&, const Named& object, const Named* old, ErrorList& errors) {
  const Path path("metadata");
  const bool any = TakesAnyFinalizer(*object.kind);
  if (old == nullptr) {
    (any ? CheckMeta : CheckKindMeta)(errors, path, object.metadata, RulesOf(*object.kind));
  } else {
    (any ? CheckMetaUpdate : CheckKindMetaUpdate)(errors, path, object.metadata, old->metadata);
  }
}

std::string ResourceOf(const api::KindSchema& kind) {
  return kind.group.empty() ? std::string(kind.plural)
                            : fmt::format("{}.{}", kind.plural, kind.group);
}

Outcome Validate(const Request& request, Named& object, const Named* old) {
  const std::string resource = ResourceOf(*object.kind);
  return Run(request, object, old,
             Strategy<Named>{
                 .resource = resource, .namespaced = object.kind->namespaced, .check = CheckNamed});
}

// --- Between objects and what the rules read.

// The part of an object at `path`, names joined by dots; null when the object has none.
api::Value* FindPart(api::Object& object, std::string_view path, const api::Struct*& schema) {
  schema = object.kind->fields;
  api::Value* value = &object.root;
  for (const std::string_view name : api::Split(path, '.')) {
    const api::Field& field = FieldOf(*schema, name);
    value = value == nullptr ? nullptr : value->Member(field);
    schema = field.type->fields;
  }
  return value;
}

template <typename T>
T ReadPart(api::Object& object, std::string_view path) {
  T part;
  const api::Struct* schema = nullptr;
  if (const api::Value* value = FindPart(object, path, schema)) {
    api::erased::FromTree(*schema, *value, &part, api::BindingOf<T>);
  }
  return part;
}

// A part that the object does not have stays absent: nothing is prepared in it.
template <typename T>
void AmendPart(api::Object& object, std::string_view path, const T& part) {
  const api::Struct* schema = nullptr;
  if (api::Value* value = FindPart(object, path, schema)) {
    api::erased::Amend(*schema, &part, api::BindingOf<T>, *value);
  }
}

// Read: what the rules see of an object. Write: what they changed, into the object.
template <typename T>
struct WholeObject {
  static T Read(api::Object& object) { return api::ToTyped<T>(object); }
  static void Write(const T& value, api::Object& object) { api::Amend(object, value); }
};

struct WorkloadParts {
  static Workload Read(api::Object& object) {
    const WorkloadKind* kind = FindWorkloadKind(api::ApiVersionOf(*object.kind), object.kind->kind);
    QUADRA_CHECK(kind != nullptr, "only workloads have this row");
    return {.kind = kind,
            .metadata = ReadPart<api::ObjectMeta>(object, "metadata"),
            .pod_template = ReadPart<api::PodTemplateSpec>(object, kind->template_path)};
  }
  static void Write(const Workload& value, api::Object& object) {
    AmendPart(object, "metadata", value.metadata);
    AmendPart(object, value.kind->template_path, value.pod_template);
  }
};

struct MetadataPart {
  static Named Read(api::Object& object) {
    return {.kind = object.kind, .metadata = ReadPart<api::ObjectMeta>(object, "metadata")};
  }
  static void Write(const Named& value, api::Object& object) {
    AmendPart(object, "metadata", value.metadata);
  }
};

// --- The judgement.

// The stored object is read before a half of it goes into the new one.
template <typename Parts>
Outcome JudgeParts(Write& write) {
  using T = decltype(Parts::Read(write.object));
  std::optional<T> old;
  if (write.old) {
    old = Parts::Read(*write.old);
  }
  KeepOtherHalf(write);
  T value = Parts::Read(write.object);
  Outcome outcome = Validate(write.request, value, old ? &*old : nullptr);
  if (write.is_kept) {
    Parts::Write(value, write.object);
  }
  return outcome;
}

// As of every kind that runs pods: one for a new object, one more for every change of its content.
// Rules that see only a part of it cannot tell.
template <typename Parts>
Outcome JudgeAndCount(Write& write) {
  Outcome outcome = JudgeParts<Parts>(write);
  api::ObjectMeta metadata = ReadPart<api::ObjectMeta>(write.object, "metadata");
  if (!write.old) {
    metadata.generation = 1;
  } else if (write.request.operation == Operation::kUpdate &&
             ChangesContent(write.object, *write.old)) {
    metadata.generation = NextGeneration(metadata.generation);
  }
  AmendPart(write.object, "metadata", metadata);
  return outcome;
}

struct Row {
  std::string_view group;
  std::string_view kind;
  Coverage coverage;
  Outcome (*judge)(Write&);
};

constexpr std::array kRows = {
    Row{kDra, "DeviceClass", Coverage::kAll, JudgeParts<WholeObject<api::DeviceClass>>},
    Row{kDra, "DeviceTaintRule", Coverage::kAll, JudgeParts<WholeObject<api::DeviceTaintRule>>},
    Row{kDra, "ResourceClaim", Coverage::kAll, JudgeParts<WholeObject<api::ResourceClaim>>},
    Row{kDra, "ResourceClaimTemplate", Coverage::kAll,
        JudgeParts<WholeObject<api::ResourceClaimTemplate>>},
    Row{kDra, "ResourcePoolStatusRequest", Coverage::kAll,
        JudgeParts<WholeObject<api::ResourcePoolStatusRequest>>},
    Row{kDra, "ResourceSlice", Coverage::kAll, JudgeParts<WholeObject<api::ResourceSlice>>},
    Row{"", "Pod", Coverage::kDraOnly, JudgeAndCount<WholeObject<api::Pod>>},
};

constexpr Row kWorkload{"", "", Coverage::kDraOnly, JudgeAndCount<WorkloadParts>};
constexpr Row kOther{"", "", Coverage::kNone, JudgeParts<MetadataPart>};

const Row& RowOf(const api::KindSchema& kind) {
  const auto found = std::ranges::find_if(
      kRows, [&](const Row& row) { return row.kind == kind.kind && row.group == kind.group; });
  if (found != kRows.end()) {
    return *found;
  }
  return FindWorkloadKind(api::ApiVersionOf(kind), kind.kind) == nullptr ? kOther : kWorkload;
}

Write MakeWrite(const Request& request, api::Object object, std::optional<api::Object> old) {
  QUADRA_CHECK(!object.kind->plural.empty(), "what has no endpoint is not written");
  QUADRA_CHECK(request.update() == old.has_value(), "an update has a stored object");
  Write write{.request = request, .object = InStoredShape(std::move(object), request.now)};
  if (old) {
    write.old = InStoredShape(*std::move(old), request.now);
  }
  write.object.root.AddMember(FieldOf(*write.object.kind->fields, "metadata"));
  return write;
}

}  // namespace

bool ChangesContent(const api::Object& object, const api::Object& old) {
  static const api::Value nil;
  return std::ranges::any_of(object.kind->fields->fields, [&](const api::Field& field) {
    const api::Value* now = object.root.Member(field);
    const api::Value* before = old.root.Member(field);
    return IsCounted(field) &&
           !api::Equal(*field.type, now != nullptr ? *now : nil, before != nullptr ? *before : nil);
  });
}

Coverage CoverageOf(const api::KindSchema& kind) { return RowOf(kind).coverage; }

bool JudgesStatus(const api::KindSchema& kind) {
  return kind.has_status && (CoverageOf(kind) == Coverage::kAll || kind.kind == "Pod");
}

Judgement Judge(Request request, api::Object object, std::optional<api::Object> old) {
  request.version = object.kind->version;
  Write write = MakeWrite(request, std::move(object), std::move(old));
  Outcome outcome = RowOf(*write.object.kind).judge(write);
  return {.outcome = std::move(outcome), .stored = std::move(write.object)};
}

namespace {

// Upstream's declarative rules stand in the place of those that say the same by hand, several times.
std::vector<FieldError> WithoutRepeated(const std::vector<FieldError>& errors) {
  std::vector<FieldError> once;
  std::ranges::copy_if(errors, std::back_inserter(once), [&](const FieldError& each) {
    return std::ranges::find(once, each) == once.end();
  });
  return once;
}

}  // namespace

std::vector<FieldError> JudgeMetadata(const api::ObjectMeta& stored, const api::ObjectMeta* old) {
  const Path path("metadata");
  ErrorList errors;
  if (old == nullptr) {
    CheckKindMeta(errors, path, stored, {.namespaced = true});
  } else {
    CheckMeta(errors, path, stored,
              {.namespaced = true, .name_problems = api::PathSegmentProblems});
    CheckMetaUpdate(errors, path, stored, *old);
    CheckKindMetaUpdate(errors, path, stored, *old);
  }
  return WithoutRepeated(errors.errors());
}

Outcome Assess(Request request, api::Object object, std::optional<api::Object> old) {
  request.version = object.kind->version;
  Write write = MakeWrite(request, std::move(object), std::move(old));
  write.is_kept = false;
  return RowOf(*write.object.kind).judge(write);
}

}  // namespace quadra::validation

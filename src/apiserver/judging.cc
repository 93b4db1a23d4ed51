#include "apiserver/judging.h"

#include <algorithm>

#include "apiserver/object_facts.h"
#include "apiserver/replica_set_rules.h"
#include "apiserver/stored_form.h"

namespace quadra::apiserver {
namespace {

using validation::ErrorType;

// Refusals of the whole request are no causes.
Failure JudgedFailure(const std::vector<validation::FieldError>& errors,
                      const api::KindSchema& kind, const std::string& name) {
  const validation::FieldError& first = errors.front();
  if (std::ranges::find(errors, ErrorType::kConflict, &validation::FieldError::type) !=
      errors.end()) {
    return Modified({.group = kind.group, .plural = kind.plural}, name);
  }
  if (first.type == ErrorType::kUnknown) {
    Failure failure;
    failure.message = first.message;
    return failure;
  }
  return Invalid(kind.group, kind.kind, name, errors);
}

api::Map<std::string> LabelsOfNamespace(const Backend& backend, const std::string& ns) {
  const store::RecordPtr found =
      ns.empty() ? nullptr
                 : backend.store.Head().Find(KeyOf(*api::FindKind("v1", "Namespace"), "", ns));
  return found == nullptr ? api::Map<std::string>() : FactsOf(*found).labels();
}

// With what Judge leaves to others.
void AddMetadataErrors(const std::optional<api::ObjectMeta>& old, validation::Judgement& judged) {
  if (validation::CoverageOf(*judged.stored.kind) == validation::Coverage::kDraOnly) {
    const std::vector<validation::FieldError> more =
        validation::JudgeMetadata(MetaOf(judged.stored), old ? &*old : nullptr);
    judged.outcome.errors.insert(judged.outcome.errors.begin(), more.begin(), more.end());
  }
}

}  // namespace

OrFailure<api::Object> JudgeWrite(const Backend& backend, validation::Operation operation,
                                  api::Object object, std::optional<api::Object> old, Ask& ask,
                                  const std::vector<validation::FieldError>& more) {
  const api::ObjectMeta meta = MetaOf(object);
  const api::Map<std::string> labels = LabelsOfNamespace(backend, meta.ns);
  const api::KindSchema& kind = *object.kind;
  const std::optional<api::ObjectMeta> old_meta = old ? std::optional(MetaOf(*old)) : std::nullopt;
  const std::vector<validation::FieldError> of_set =
      operation == validation::Operation::kStatus ? std::vector<validation::FieldError>()
                                                  : JudgeReplicaSet(object, old ? &*old : nullptr);
  validation::Judgement judged = validation::Judge({.operation = operation,
                                                    .gates = backend.gates,
                                                    .namespace_labels = labels,
                                                    .now = backend.clock.Now()},
                                                   std::move(object), std::move(old));
  judged.outcome.errors.insert(judged.outcome.errors.begin(), of_set.begin(), of_set.end());
  AddMetadataErrors(old_meta, judged);
  judged.outcome.errors.insert(judged.outcome.errors.end(), more.begin(), more.end());
  if (!judged.outcome.errors.empty()) {
    return Fail(JudgedFailure(judged.outcome.errors, kind, MetaOf(judged.stored).name));
  }
  for (std::string& warning : judged.outcome.warnings) {
    ask.warnings.push_back(std::move(warning));
  }
  return std::move(judged.stored);
}

}  // namespace quadra::apiserver

// Strategy: what a kind adds to the common course of a write; Run: that course (upstream's
// rest.BeforeCreate and rest.BeforeUpdate).
//
//   constexpr Strategy<api::DeviceClass> kStrategy{
//       .prepare = Prepare, .check = Check, .declare = Declare};
//   Outcome Validate(const Request& r, api::DeviceClass& o, const api::DeviceClass* old) {
//     return Run(r, o, old, kStrategy);
//   }
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "api/kinds.h"
#include "validation/declarative.h"
#include "validation/field_error.h"
#include "validation/object_meta.h"
#include "validation/path.h"
#include "validation/validate.h"

namespace quadra::validation {

// Where preparation notes what it took out.
class Dropped {
 public:
  void Add(const Path& path) { paths_.push_back(path.ToString()); }
  // Empties an optional, list or map; noted when something was in it.
  template <typename T>
  void Reset(T& member, const Path& path) {
    if (HasContent(member)) {
      Add(path);
    }
    member = T();
  }
  std::vector<std::string> Sorted() && {
    std::ranges::sort(paths_);
    return std::move(paths_);
  }

 private:
  template <typename T>
  static bool HasContent(const T& member) {
    if constexpr (requires { member.has_value(); }) {
      return member.has_value();
    } else {
      return !member.empty();
    }
  }

  std::vector<std::string> paths_;
};

// All functions but `check` may be null.
template <typename T>
struct Strategy {
  std::string_view resource;  // with its group, e.g. deviceclasses.resource.k8s.io
  bool namespaced = false;
  // Whether an update without resourceVersion replaces whatever is stored.
  bool (*unconditional_update)(const Request&) = nullptr;
  // Drops gated fields, resets what the request may not write, counts the generation.
  void (*prepare)(const Request& request, T& object, const T* old, Dropped& dropped) = nullptr;
  // The hand-written rules of the kind, which start with CheckKindMeta or CheckKindMetaUpdate.
  void (*check)(const Request& request, const T& object, const T* old, ErrorList& errors) = nullptr;
  // The declarative rules of the kind. `site.path` is the object itself (it prints nothing).
  void (*declare)(const Site& site, const T& object, const T* old) = nullptr;
  std::vector<std::string> (*warn)(const T& object) = nullptr;
};

// The parts of the course that look at metadata only.
//
// System fields, the name and the namespace of an object to be created.
void PrepareMetaForCreate(api::ObjectMeta& meta, bool namespaced);
// Settles the resourceVersion of an update; reports one that is missing or stale. A stored object
// without resourceVersion matches any.
void AdmitUpdate(api::ObjectMeta& meta, const api::ObjectMeta& old, std::string_view resource,
                 bool unconditional, ErrorList& errors);
void PrepareMetaForUpdate(api::ObjectMeta& meta, const api::ObjectMeta& old, bool namespaced);
// After the kind's own preparation: what stays as stored.
void KeepSystemFields(api::ObjectMeta& meta, const api::ObjectMeta& old);
// For status writes: what they cannot change.
void ResetMetaForStatus(api::ObjectMeta& meta, const api::ObjectMeta& old);

template <typename T>
void Prepare(const Request& request, T& object, const T* old, const Strategy<T>& strategy,
             Dropped& dropped) {
  if (old == nullptr) {
    PrepareMetaForCreate(object.metadata, strategy.namespaced);
  } else {
    PrepareMetaForUpdate(object.metadata, old->metadata, strategy.namespaced);
  }
  if (strategy.prepare != nullptr) {
    strategy.prepare(request, object, old, dropped);
  }
  if (old != nullptr) {
    KeepSystemFields(object.metadata, old->metadata);
  }
}

// On update the rules of every registry come first, on create last and only when the kind found
// nothing.
template <typename T>
void CheckHandWritten(const Request& request, const T& object, const T* old,
                      const Strategy<T>& strategy, ErrorList& errors) {
  const Path metadata("metadata");
  const MetaRules any_name{.namespaced = strategy.namespaced,
                           .name_problems = api::PathSegmentProblems};
  if (old != nullptr) {
    CheckMeta(errors, metadata, object.metadata, any_name);
    CheckMetaUpdate(errors, metadata, object.metadata, old->metadata);
  }
  strategy.check(request, object, old, errors);
  if (old == nullptr && errors.empty()) {
    CheckMeta(errors, metadata, object.metadata, any_name);
  }
}

template <typename T>
std::vector<FieldError> Check(const Request& request, const T& object, const T* old,
                              const Strategy<T>& strategy) {
  ErrorList hand_written;
  CheckHandWritten(request, object, old, strategy, hand_written);
  ErrorList declarative;
  if (strategy.declare != nullptr) {
    const Path root("");
    strategy.declare(Site{request, declarative, root}, object, old);
  }
  return Combine(hand_written, declarative,
                 request.gates.Enabled(Gate::kDeclarativeValidationBeta));
}

template <typename T>
Outcome Run(const Request& request, T& object, const T* old, const Strategy<T>& strategy) {
  Outcome outcome;
  if (old != nullptr) {
    ErrorList refusals;
    const bool unconditional =
        strategy.unconditional_update == nullptr || strategy.unconditional_update(request);
    AdmitUpdate(object.metadata, old->metadata, strategy.resource, unconditional, refusals);
    if (!refusals.empty()) {
      outcome.errors = refusals.errors();
      return outcome;
    }
  }
  Dropped dropped;
  Prepare(request, object, old, strategy, dropped);
  outcome.dropped = std::move(dropped).Sorted();
  outcome.errors = Check(request, object, old, strategy);
  if (outcome.errors.empty() && strategy.warn != nullptr) {
    outcome.warnings = strategy.warn(object);
  }
  return outcome;
}

}  // namespace quadra::validation

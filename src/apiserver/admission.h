// Admission: who may still change or refuse a write after it was decoded and before it is judged.
// Each plug-in is one file; they run in upstream's order.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "apiserver/ask.h"
#include "apiserver/failure.h"

namespace quadra::apiserver {

// A write on its way.
struct Proposal {
  enum class Operation : std::uint8_t { kCreate, kUpdate, kDelete };

  Operation operation = Operation::kCreate;
  const api::KindSchema* kind = nullptr;
  std::string ns;
  std::string name;
  std::string subresource;
  const User* user = nullptr;
  api::Object* object = nullptr;     // of a deletion null
  const api::Object* old = nullptr;  // of a creation null
};

struct AdmissionPlugin {
  std::string_view name;
  OkOrFailure (*admit)(const Backend& backend, const Proposal& proposal);
};

// In the order in which they run.
std::span<const AdmissionPlugin> AdmissionPlugins();

// The first refusal, or none.
OkOrFailure Admit(const Backend& backend, const Proposal& proposal);

// Whether the proposal is about objects of that kind, in any version.
bool Is(const Proposal& proposal, std::string_view group, std::string_view kind);
// What plug-ins answer who refuse: Forbidden, naming the object.
Failure Denied(const Proposal& proposal, std::string_view why);

// --- The plug-ins.

OkOrFailure AdmitNamespaceLifecycle(const Backend& backend, const Proposal& proposal);
OkOrFailure AdmitServiceAccount(const Backend& backend, const Proposal& proposal);
OkOrFailure AdmitTaintNodesByCondition(const Backend& backend, const Proposal& proposal);
OkOrFailure AdmitPriority(const Backend& backend, const Proposal& proposal);
OkOrFailure AdmitDefaultTolerationSeconds(const Backend& backend, const Proposal& proposal);

}  // namespace quadra::apiserver

// Validate: what the API server of Kubernetes 1.37 would say to a write, before it is stored.
//
// The object arrives decoded, defaulted and converted to the v1 shape. Validate first prepares it
// as the server does (name generated, system fields set, gated fields dropped, generation counted),
// then judges it by upstream's hand-written and declarative rules: the same errors (type, path,
// text) in the same order. What is wrong with an object is an answer, not an Error; nothing here
// fails.
//
// Pure: no I/O, no clock, no global state. Any number of threads may validate at once.
//
//   FeatureGates gates;
//   Outcome outcome = Validate({.operation = Operation::kCreate, .version = "v1", .gates = gates},
//                              slice);
//   if (outcome.errors.empty()) store(slice);
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/kinds.h"
#include "api/vocabulary.h"
#include "base/clock.h"
#include "validation/field_error.h"

namespace quadra::validation {

using api::FeatureGates;
using api::Gate;

enum class Operation : std::uint8_t {
  kCreate,
  kUpdate,
  kStatus,  // an update through the status subresource
};

// What compiling a CEL expression says.
struct CelVerdict {
  std::optional<std::string> problem;  // why it is refused, e.g. compilation failed: ...
  bool internal = false;               // the problem is reported as an internal error
  std::uint64_t max_cost = 0;          // of one evaluation, estimated
};

enum class CelUse : std::uint8_t { kSelector, kDerivedAttribute };

// Judges CEL expressions.
class CelCheck {
 public:
  virtual ~CelCheck() = default;
  virtual CelVerdict Compile(std::string_view expression, CelUse use,
                             const FeatureGates& gates) const = 0;
};

// As admission does: new expressions, with the gates in force. Keeps what it compiled last;
// thread-safe.
const CelCheck& AdmissionCel();

const api::Map<std::string>& NoLabels();

struct Request {
  Operation operation = Operation::kCreate;
  std::string_view version = "v1";  // of the request: v1, v1beta2, v1beta1, v1alpha3
  FeatureGates gates = {};
  // The labels of the namespace the request is for; it exists.
  const api::Map<std::string>& namespace_labels = NoLabels();
  Time now = {};
  const CelCheck& cel = AdmissionCel();

  bool update() const { return operation != Operation::kCreate; }
};

struct Outcome {
  std::vector<FieldError> errors;     // empty: accepted
  std::vector<std::string> warnings;  // none when there are errors
  // What a gate or a deallocation took out of spec or status before judging: the topmost paths in
  // the request's version, of a list that got shorter only the list. Sorted.
  std::vector<std::string> dropped;
};

// `object` comes back as it would be stored. `old` is the stored object; REQUIRES: given for
// updates, null for creates. Kinds without a status subresource treat Operation::kStatus as an
// update.
Outcome Validate(const Request& request, api::ResourceSlice& object,
                 const api::ResourceSlice* old = nullptr);
Outcome Validate(const Request& request, api::ResourceClaim& object,
                 const api::ResourceClaim* old = nullptr);
Outcome Validate(const Request& request, api::ResourceClaimTemplate& object,
                 const api::ResourceClaimTemplate* old = nullptr);
Outcome Validate(const Request& request, api::DeviceClass& object,
                 const api::DeviceClass* old = nullptr);
Outcome Validate(const Request& request, api::DeviceTaintRule& object,
                 const api::DeviceTaintRule* old = nullptr);
Outcome Validate(const Request& request, api::ResourcePoolStatusRequest& object,
                 const api::ResourcePoolStatusRequest* old = nullptr);

}  // namespace quadra::validation

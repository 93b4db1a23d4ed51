// Failure: why a request was refused, as clients of Kubernetes read it: an HTTP code, a reason that
// programs branch on, a message for people, and details.
//
//   return Fail(NotFound(resource, "gpu"));           // 404, resourceclaims.resource.k8s.io "gpu" not found
//   exchange.Answer(AnswerOf(failure));               // kind Status, in the wire form
//
// The texts are upstream's: tools look at them. Pure values, thread-safe.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tl/expected.hpp>

#include "validation/validate.h"

namespace quadra::apiserver {

struct Cause {
  std::string reason;  // FieldValueInvalid and the like
  std::string message;
  std::string field;

  friend bool operator==(const Cause&, const Cause&) = default;
};

struct Failure {
  int code = 500;
  std::string reason;  // NotFound; empty where upstream gives none
  std::string message;
  // Details; all of them may be empty.
  std::string name;
  std::string group;
  std::string kind;  // the plural of the resource, or the kind where it is about validity
  std::string uid;
  std::vector<Cause> causes;
  std::int64_t retry_after_seconds = 0;
  std::string continue_token;  // Expired: where a list may go on, inconsistently
  bool has_empty_details = false;
  // The key of an object that somebody makes any moment and without which this failed; not told.
  std::string awaited;

  friend bool operator==(const Failure&, const Failure&) = default;
};

template <typename T>
using OrFailure = tl::expected<T, Failure>;
using OkOrFailure = OrFailure<void>;

inline tl::unexpected<Failure> Fail(Failure failure) {
  return tl::unexpected<Failure>(std::move(failure));
}

// Which resource a failure is about; of core the group is empty.
struct ResourceName {
  std::string_view group;
  std::string_view plural;

  // pods, resourceclaims.resource.k8s.io
  std::string ToString() const;
};

Failure BadRequest(std::string message);
Failure Unauthorized();
Failure Forbidden(const ResourceName& resource, std::string_view name, std::string_view why);
// No such object.
Failure NotFound(const ResourceName& resource, std::string_view name);
// No such resource or subresource.
Failure NoSuchResource();
Failure MethodNotAllowed();
Failure NotAcceptable(std::string_view supported);
// Metadata was asked for under the name of lists where there is one object, or the other way.
// `type` is Go's name of what is there, e.g. *core.PodList.
Failure NotThatMetadata(bool is_list, std::string_view type);
Failure UnsupportedMediaType(std::string_view supported);
Failure AlreadyExists(const ResourceName& resource, std::string_view name);
Failure Conflict(const ResourceName& resource, std::string_view name, std::string_view why);
// Somebody else wrote meanwhile.
Failure Modified(const ResourceName& resource, std::string_view name);
Failure Expired(std::string message);
Failure TooLarge(std::string message);
Failure Invalid(std::string_view group, std::string_view kind, std::string_view name,
                const std::vector<validation::FieldError>& errors);
Failure Internal(std::string_view why);
// The store cannot be written: the disk is full, or the server goes down.
Failure Unavailable(std::string message);
Failure TooManyRequests(std::string message);
// AlreadyExists of a name that was sent with a base for generated ones.
Failure NoUniqueName(Failure taken);
// A resourceVersion that was not reached within the time a server waits for it.
Failure TooLargeVersion(std::uint64_t asked, std::uint64_t current);

// The object of kind Status, v1, in JSON.
std::string EncodeStatus(const Failure& failure);

}  // namespace quadra::apiserver

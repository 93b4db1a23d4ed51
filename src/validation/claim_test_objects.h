// Objects and words for the tests of claims: a row changes a good object and lists what is then
// wrong with it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "api/kinds.h"
#include "validation/expectations.h"
#include "validation/validate.h"

namespace quadra::validation {

// What a good object has; made anew where it has not.
template <typename T>
T& Given(std::optional<T>& value) {
  if (!value) {
    value.emplace();
  }
  return *value;
}

// An ExactDeviceRequest or DeviceSubRequest for one device.
template <typename Request>
Request ForOne(std::string device_class) {
  Request request;
  request.device_class_name = std::move(device_class);
  request.allocation_mode = "ExactCount";
  request.count = 1;
  return request;
}

inline api::ExactDeviceRequest Exactly(std::string device_class = "gpu") {
  return ForOne<api::ExactDeviceRequest>(std::move(device_class));
}

inline api::DeviceSubRequest Alternative(std::string name) {
  auto alternative = ForOne<api::DeviceSubRequest>("gpu");
  alternative.name = std::move(name);
  return alternative;
}

inline api::DeviceRequest Wants(std::string name) {
  api::DeviceRequest request;
  request.name = std::move(name);
  request.exactly = Exactly();
  return request;
}

inline api::DeviceRequest WantsFirstOf(std::string name,
                                       api::List<api::DeviceSubRequest> alternatives) {
  api::DeviceRequest request;
  request.name = std::move(name);
  request.first_available = std::move(alternatives);
  return request;
}

inline api::OpaqueDeviceConfiguration Opaque(std::string driver = "gpu.example.com",
                                             std::string json = "{}") {
  return {std::move(driver), {std::move(json)}};
}

inline api::ObjectMeta Meta(std::string name, std::string ns) {
  api::ObjectMeta meta;
  meta.name = std::move(name);
  meta.ns = std::move(ns);
  meta.uid = "claim-uid";
  meta.resource_version = "1";
  return meta;
}

// One request, `gpu`, for one device of class `gpu`.
inline api::ResourceClaim Claim() {
  api::ResourceClaim claim;
  claim.metadata = Meta("train", "team-a");
  claim.spec.devices.requests = {Wants("gpu")};
  return claim;
}

inline api::DeviceRequestAllocationResult Got(std::string device) {
  api::DeviceRequestAllocationResult result;
  result.request = "gpu";
  result.driver = "gpu.example.com";
  result.pool = "node-1";
  result.device = std::move(device);
  return result;
}

inline api::AllocatedDeviceStatus Reports(std::string device) {
  api::AllocatedDeviceStatus status;
  status.driver = "gpu.example.com";
  status.pool = "node-1";
  status.device = std::move(device);
  return status;
}

// The claim above with device `gpu-0`.
inline api::ResourceClaim AllocatedClaim() {
  api::ResourceClaim claim = Claim();
  claim.status.allocation.emplace().devices.results = {Got("gpu-0")};
  return claim;
}

using Errors = std::vector<std::string>;

// Each error as the server's message shows it: `field: text`.
inline Errors Shown(const Outcome& outcome) { return Texts(outcome.errors); }

inline constexpr std::string_view kBadLabel =
    "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and "
    "must start and end with "
    "an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is "
    "'[a-z0-9]([-a-z0-9]*[a-z0-9])?')";
inline constexpr std::string_view kBadSubdomain =
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or "
    "'.', and must start and "
    "end with an alphanumeric character (e.g. 'example.com', regex used for validation is "
    "'[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
inline constexpr std::string_view kUnknownRequest =
    "must be the name of a request in the claim or the name of a request and a subrequest "
    "separated by '/'";

inline std::string Text(std::initializer_list<std::string_view> parts) {
  std::string text;
  for (const std::string_view part : parts) {
    text += part;
  }
  return text;
}

}  // namespace quadra::validation

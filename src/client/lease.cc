#include "client/lease.h"

#include <charconv>
#include <utility>

namespace quadra::client {
namespace {

std::int64_t CountOf(const json::Value& value) {
  std::int64_t number = 0;
  if (value.kind() == json::Kind::kNumber) {
    const std::string& text = value.number();
    std::from_chars(text.data(), text.data() + text.size(), number);
  }
  return number;
}

json::Value SpecOf(const Lease& lease) {
  json::Value spec{json::Value::Object{}};
  spec.Set("holderIdentity", json::Value(lease.holder));
  spec.Set("leaseDurationSeconds", json::Value::Int(lease.duration_seconds));
  spec.Set("acquireTime", json::Value(lease.acquire_time));
  spec.Set("renewTime", json::Value(lease.renew_time));
  spec.Set("leaseTransitions", json::Value::Int(lease.transitions));
  return spec;
}

}  // namespace

Lease LeaseOf(const json::Value& object) {
  const json::Value& spec = object.Get("spec");
  return {.holder = spec.Get("holderIdentity").text(),
          .duration_seconds = CountOf(spec.Get("leaseDurationSeconds")),
          .acquire_time = spec.Get("acquireTime").text(),
          .renew_time = spec.Get("renewTime").text(),
          .transitions = CountOf(spec.Get("leaseTransitions"))};
}

std::string WithLease(json::Value object, const Lease& lease) {
  object.Set("spec", SpecOf(lease));
  return json::ToJson(object);
}

json::Value NewLeaseObject(std::string_view ns, std::string_view name) {
  json::Value metadata{json::Value::Object{}};
  metadata.Set("name", json::Value(std::string(name)));
  metadata.Set("namespace", json::Value(std::string(ns)));
  json::Value object{json::Value::Object{}};
  object.Set("kind", json::Value(std::string("Lease")));
  object.Set("apiVersion", json::Value(std::string("coordination.k8s.io/v1")));
  object.Set("metadata", std::move(metadata));
  return object;
}

}  // namespace quadra::client

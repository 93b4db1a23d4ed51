// Ask: one request on its way through the chain, and what all requests share.
//
// authenticate → authorize → find the resource → admit → judge → store: each stage is a function of
// an Ask; what a later stage needs is here.
#pragma once

#include <string>
#include <vector>

#include "api/vocabulary.h"
#include "apiserver/address.h"
#include "apiserver/catalog.h"
#include "apiserver/discovery.h"
#include "apiserver/openapi.h"
#include "apiserver/representation.h"
#include "apiserver/scheduler_question.h"
#include "apiserver/watch_pump.h"
#include "base/clock.h"
#include "base/random.h"
#include "net/server.h"
#include "store/store.h"

namespace quadra::apiserver {

struct User {
  std::string name;
  std::vector<std::string> groups;
  std::string uid;
  std::vector<std::pair<std::string, std::vector<std::string>>> extra;
};

struct Telemetry;

// What every request may use; outlives all of them. Thread-safe, all of it.
struct Backend {
  store::Store& store;
  const Catalog& catalog;
  const Discovery& discovery;
  OpenApi& openapi;
  const Clock& clock;
  Random& random;
  const api::FeatureGates& gates;
  WatchPump& pump;
  Telemetry& telemetry;
  // Nobody is given a device that another claim holds for itself; see held_devices.h.
  bool guard_allocations = false;
  AskScheduler ask_scheduler = nullptr;  // null: there is none to ask
};

struct Ask {
  net::Request request;
  Address address;
  User user;
  ResourcePath where;                        // of requests for resources
  const Resource* resource = nullptr;        // of requests for resources, from there on
  const Subresource* subresource = nullptr;  // null: the resource itself
  Representation representation;
  Time now;                           // when it came
  std::vector<std::string> warnings;  // for Warning headers

  const ResourcePath& path() const { return where; }
  const api::KindSchema& kind() const { return *resource->kind; }
  // Of what is sent to the address and read from it.
  const api::KindSchema& shown_kind() const {
    return subresource == nullptr ? *resource->kind : *subresource->kind;
  }
  ResourceName resource_name() const {
    return {.group = resource->kind->group, .plural = resource->kind->plural};
  }
  void AddWarnings(const std::vector<std::string>& more) {
    warnings.insert(warnings.end(), more.begin(), more.end());
  }
  std::string Header(std::string_view name) const {
    return std::string(request.headers.Find(name).value_or(""));
  }
};

}  // namespace quadra::apiserver

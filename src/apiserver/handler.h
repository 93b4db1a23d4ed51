// Handler: the chain that every request goes through: who asks, what for, may they; then the verb
// answers. What is no resource (health, version, discovery, OpenAPI) is answered here.
//
// Threads: called by many at once. Cost: a few microseconds before the verb.
#pragma once

#include "apiserver/ask.h"
#include "apiserver/request_witness.h"

namespace quadra::apiserver {

class ApiHandler {
 public:
  // `backend` must outlive it.
  explicit ApiHandler(const Backend& backend) : backend_(backend) {}

  void operator()(net::Request request, net::Exchange exchange) const;

 private:
  void ServeResource(Ask ask, RequestWitness& witness, net::Exchange exchange) const;
  // Whether the path was one of those that are no resources.
  bool ServePlain(const Ask& ask, RequestWitness& witness, net::Exchange& exchange) const;

  bool ServeOpenApi(std::string_view path, const Ask& ask, net::Exchange& exchange) const;

  const Backend& backend_;
};

}  // namespace quadra::apiserver

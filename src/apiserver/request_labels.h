// RequestLabels: what meters and log say of a request: its verb, resource and scope, in upstream's
// words.
//
// All members view texts that live as long as the server: the tables of kinds and our constants,
// never what a client sent, so that their number is bounded.
#pragma once

#include <string_view>

#include "apiserver/ask.h"

namespace quadra::apiserver {

struct RequestLabels {
  std::string_view verb;     // GET, LIST, WATCH, POST, PUT, PATCH, APPLY, DELETE
  std::string_view dry_run;  // "", All or invalid
  std::string_view group;
  std::string_view version;
  std::string_view resource;
  std::string_view subresource;
  std::string_view scope;      // resource, namespace or cluster
  std::string_view component;  // empty where it is no resource
};

// REQUIRES: the resource was found.
RequestLabels LabelsOf(const Ask& ask, Verb verb);

// Of those other paths that upstream counts, e.g. /readyz; empty labels for the others.
RequestLabels LabelsOfPlain(std::string_view path);

}  // namespace quadra::apiserver

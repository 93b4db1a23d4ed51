// The conditions by which a namespace that is being deleted says what is in the way. Private to
// src/lifecycle.
//
// Types, reasons and messages are upstream's. Pure functions.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "json/value.h"

namespace quadra::lifecycle {

// What came of deleting all that a namespace has.
struct NamespaceFindings {
  // Versions whose kinds are not known, one a line of the message; empty: all are.
  std::vector<std::string> undiscovered;
  std::string discovery_failure;  // why no kinds are known at all
  std::vector<std::string> failures;
  std::map<std::string, std::size_t> left_by_kind;       // pods. is 3: kind and group, as a name
  std::map<std::string, std::size_t> left_by_finalizer;  // example.com/keep is 3

  // Whether everything was tried, and nothing failed.
  bool complete() const {
    return undiscovered.empty() && discovery_failure.empty() && failures.empty();
  }
};

// Brings status.conditions of a namespace up to date; whether that changed anything.
bool UpdateConditions(json::Value& ns, const NamespaceFindings& findings, Time now);

}  // namespace quadra::lifecycle

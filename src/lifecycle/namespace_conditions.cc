#include "lifecycle/namespace_conditions.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace quadra::lifecycle {
namespace {

struct Condition {
  std::string_view type;
  bool holds = false;
  std::string_view reason;
  std::string message;
};

// REQUIRES: an object.
json::Value& Made(json::Value& object, std::string_view key, json::Value empty) {
  json::Value* const found = object.Find(key);
  return found != nullptr && found->kind() == empty.kind() ? *found
                                                           : object.Set(key, std::move(empty));
}

Condition Discovery(const NamespaceFindings& findings) {
  constexpr std::string_view kType = "NamespaceDeletionDiscoveryFailure";
  if (!findings.discovery_failure.empty()) {
    return {.type = kType,
            .holds = true,
            .reason = "DiscoveryFailed",
            .message = findings.discovery_failure};
  }
  if (findings.undiscovered.empty()) {
    return {.type = kType,
            .reason = "ResourcesDiscovered",
            .message = "All resources successfully discovered"};
  }
  std::vector<std::string> stale;
  stale.reserve(findings.undiscovered.size());
  for (const std::string& version : findings.undiscovered) {
    stale.push_back(fmt::format("{0}: stale GroupVersion discovery: {0}", version));
  }
  return {.type = kType,
          .holds = true,
          .reason = "DiscoveryFailed",
          .message = fmt::format("Discovery failed for some groups, {} failing: unable to retrieve "
                                 "the complete list of server APIs: {}",
                                 stale.size(), fmt::join(stale, ", "))};
}

Condition Parsing() {
  return {.type = "NamespaceDeletionGroupVersionParsingFailure",
          .reason = "ParsedGroupVersions",
          .message = "All legacy kube types successfully parsed"};
}

Condition Content(const NamespaceFindings& findings) {
  constexpr std::string_view kType = "NamespaceDeletionContentFailure";
  if (findings.failures.empty()) {
    return {.type = kType,
            .reason = "ContentDeleted",
            .message = "All content successfully deleted, may be waiting on finalization"};
  }
  std::vector<std::string> failures = findings.failures;
  std::ranges::sort(failures);
  return {.type = kType,
          .holds = true,
          .reason = "ContentDeletionFailed",
          .message = fmt::format("Failed to delete all resource types, {} remaining: {}",
                                 failures.size(), fmt::join(failures, ", "))};
}

std::string Counted(const std::map<std::string, std::size_t>& counts, std::string_view verb) {
  std::vector<std::string> lines;
  lines.reserve(counts.size());
  for (const auto& [name, count] : counts) {
    lines.push_back(fmt::format("{} {} {} resource instances", name, verb, count));
  }
  std::ranges::sort(lines);
  return fmt::format("{}", fmt::join(lines, ", "));
}

Condition Remaining(const NamespaceFindings& findings) {
  constexpr std::string_view kType = "NamespaceContentRemaining";
  if (findings.left_by_kind.empty()) {
    return {
        .type = kType, .reason = "ContentRemoved", .message = "All content successfully removed"};
  }
  return {.type = kType,
          .holds = true,
          .reason = "SomeResourcesRemain",
          .message = "Some resources are remaining: " + Counted(findings.left_by_kind, "has")};
}

Condition Finalizers(const NamespaceFindings& findings) {
  constexpr std::string_view kType = "NamespaceFinalizersRemaining";
  if (findings.left_by_finalizer.empty()) {
    return {.type = kType,
            .reason = "ContentHasNoFinalizers",
            .message = "All content-preserving finalizers finished"};
  }
  return {.type = kType,
          .holds = true,
          .reason = "SomeFinalizersRemain",
          .message = "Some content in the namespace has finalizers remaining: " +
                     Counted(findings.left_by_finalizer, "in")};
}

bool Put(json::Value& written, const Condition& condition, Time now) {
  const std::string status = condition.holds ? "True" : "False";
  const bool turned = written.Get("status").text() != status;
  if (!turned && written.Get("reason").text() == condition.reason &&
      written.Get("message").text() == condition.message) {
    return false;
  }
  written.Set("status", json::Value(status));
  if (turned) {
    written.Set("lastTransitionTime", json::Value(FormatSeconds(now)));
  }
  written.Set("reason", json::Value(std::string(condition.reason)));
  written.Set("message", json::Value(condition.message));
  return true;
}

bool PutAmong(json::Value::Array& conditions, const Condition& condition, Time now) {
  for (json::Value& written : conditions) {
    if (written.Get("type").text() == condition.type) {
      return Put(written, condition, now);
    }
  }
  json::Value fresh{json::Value::Object{}};
  fresh.Set("type", json::Value(std::string(condition.type)));
  Put(fresh, condition, now);
  conditions.push_back(std::move(fresh));
  return true;
}

}  // namespace

bool UpdateConditions(json::Value& ns, const NamespaceFindings& findings, Time now) {
  const std::array wanted = {Discovery(findings), Parsing(), Content(findings), Remaining(findings),
                             Finalizers(findings)};
  json::Value& status = Made(ns, "status", json::Value(json::Value::Object{}));
  json::Value& conditions = Made(status, "conditions", json::Value(json::Value::Array{}));
  bool changed = false;
  for (const Condition& condition : wanted) {
    changed = PutAmong(conditions.items(), condition, now) || changed;
  }
  return changed;
}

}  // namespace quadra::lifecycle

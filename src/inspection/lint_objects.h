// LintObjects: what is likely wrong in classes, claims and pods, though an API server accepts it.
//
//   LintObjects objects(language);
//   for (…) objects.Take(manifest, identity);
//   for (const LintFinding& finding : objects.Lint(&devices)) …
//
// docs/lint.md lists the codes. Not thread-safe. Cost: with devices, each selector is asked of every
// device once for itself and once for each behind it.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "api/kinds.h"
#include "api/object.h"
#include "base/result.h"
#include "inspection/device_list.h"
#include "inspection/shape.h"
#include "json/documents.h"
#include "json/value.h"
#include "selector/selector.h"

namespace quadra::inspection {

struct LintFinding {
  std::string file;
  std::size_t line = 0;
  std::string object;  // kind/name, as kubectl prints it
  std::string path;    // the field, in the version of the manifest
  std::string message;
  std::string code;
};

// Takes objects first, since they refer to each other in any order, then lints them all.
class LintObjects {
 public:
  // `language` must outlive this.
  explicit LintObjects(const selector::Language& language) : language_(language) {}

  Status Take(const json::Manifest& manifest, const api::Identity& identity);
  // By file, line and code. `against` may be null; classes of the linted files stand in for those
  // of the dump.
  std::vector<LintFinding> Lint(const DeviceList* against) const;

 private:
  // What holds selectors: a class, or a request of a claim or template.
  struct Subject {
    json::Manifest manifest;
    std::string path;          // of what has the fields `selectors` and `derivedAttributes`
    std::string device_class;  // empty for a class
    std::vector<std::string> selectors;
    std::vector<std::string> derived;
  };
  // An entry of a pod's resourceClaims.
  struct PodClaim {
    json::Manifest manifest;
    std::string path;
    std::string ns;
    std::string name;
    std::string claim;
    std::string claim_template;
    bool used = false;
  };
  using Findings = std::vector<LintFinding>;

  struct Sink;
  void TakeRequests(const json::Manifest& manifest, const api::Identity& identity,
                    const api::DeviceClaim& devices, const std::string& spec);
  void TakeShape(const json::Manifest& manifest, const api::Identity& identity);
  Status TakePods(const json::Manifest& manifest, const api::Identity& identity);

  void LintPodClaim(const PodClaim& claim, Findings& findings) const;
  void LintExpressions(const Subject& subject, bool with_devices, Findings& findings) const;
  void LintAgainst(const Subject& subject, const DeviceList& devices, Findings& findings) const;
  const api::DeviceClass* FindClass(const std::string& name, const DeviceList& devices) const;

  const selector::Language& language_;
  std::vector<Subject> subjects_;
  std::vector<PodClaim> pod_claims_;
  Findings shape_findings_;
  std::set<std::string, std::less<>> claims_;     // namespace/name
  std::set<std::string, std::less<>> templates_;  // namespace/name
  std::map<std::string, api::DeviceClass, std::less<>> classes_;
};

}  // namespace quadra::inspection

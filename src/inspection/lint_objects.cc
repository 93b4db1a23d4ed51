#include "inspection/lint_objects.h"

#include <algorithm>
#include <array>
#include <functional>
#include <iterator>
#include <map>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "api/object.h"
#include "base/nearest.h"
#include "inspection/selection.h"
#include "selector/remarks.h"

namespace quadra::inspection {
namespace {

constexpr std::string_view kOldVersion = "resource.k8s.io/v1beta1";

std::string QualifiedName(const std::string& ns, const std::string& name) {
  return (ns.empty() ? "default" : ns) + "/" + name;
}

LintFinding FindingAt(const json::Manifest& manifest, std::string path, std::string message,
                      std::string code) {
  const std::size_t line = manifest.Locate(path).line;
  const Result<api::Identity> identity = api::ReadIdentity(manifest.json());
  return {.file = manifest.file(),
          .line = line,
          .object = identity ? identity->Title() : "",
          .path = std::move(path),
          .message = std::move(message),
          .code = std::move(code)};
}

// How to name the file to -f.
std::string_view ArgumentFor(const json::Manifest& manifest) {
  return manifest.file() == "standard input" ? "-" : std::string_view(manifest.file());
}

std::vector<std::string> TextsOf(const api::List<api::DeviceSelector>& selectors) {
  std::vector<std::string> texts;
  for (const api::DeviceSelector& selector : selectors) {
    texts.push_back(selector.cel ? selector.cel->expression : "");
  }
  return texts;
}

std::vector<std::string> TextsOf(const api::List<api::DeviceDerivedAttribute>& derived) {
  std::vector<std::string> texts;
  for (const api::DeviceDerivedAttribute& attribute : derived) {
    texts.push_back(attribute.expression);
  }
  return texts;
}

// By file and line; what is found at one place stays in order.
std::vector<LintFinding> ByPlace(std::vector<LintFinding> findings) {
  std::multimap<std::pair<std::string, std::size_t>, LintFinding> sorted;
  for (LintFinding& finding : findings) {
    std::pair place(finding.file, finding.line);
    sorted.emplace(std::move(place), std::move(finding));
  }
  findings.clear();
  for (auto& [place, finding] : sorted) {
    findings.push_back(std::move(finding));
  }
  return findings;
}

// --- Pods, and what makes pods.

const json::Value& Descend(const json::Value& from, std::string_view path) {
  const json::Value* at = &from;
  for (std::size_t start = 0; start < path.size();) {
    const std::size_t end = std::min(path.find('.', start), path.size());
    at = &at->Get(path.substr(start, end - start));
    start = end + 1;
  }
  return *at;
}

// Where objects keep the spec of a pod.
constexpr std::array<std::string_view, 4> kPodSpecs = {
    "spec", "spec.template.spec", "spec.jobTemplate.spec.template.spec", "template.spec"};

std::span<const json::Value> ItemsOf(const json::Value& value, std::string_view key) {
  const json::Value& member = value.Get(key);
  return member.kind() == json::Kind::kArray ? std::span<const json::Value>(member.items())
                                             : std::span<const json::Value>();
}

bool IsUsed(const json::Value& pod_spec, const std::string& name) {
  const auto names_it = [&](const json::Value& container) {
    return std::ranges::any_of(
        ItemsOf(container.Get("resources"), "claims"),
        [&](const json::Value& claim) { return claim.Get("name").text() == name; });
  };
  return std::ranges::any_of(ItemsOf(pod_spec, "containers"), names_it) ||
         std::ranges::any_of(ItemsOf(pod_spec, "initContainers"), names_it);
}

// --- One more selector, asked of the devices that those before it let through.

// Columns that the last selector reads and no device has.
void FindUnknownColumns(const Selection& selection, const DeviceList& devices,
                        const std::function<void(std::string, std::string)>& report) {
  for (const selector::ColumnId column : selection.expressions.back()->program().slots()) {
    if (std::string unknown = UnknownColumn(column, devices); !unknown.empty()) {
      report(std::move(unknown), "AttributeUnknown");
    }
  }
}

void FindEffects(const Selection& before, const Selection& after, const DeviceList& devices,
                 const std::function<void(std::string, std::string)>& report) {
  if (devices.entries().empty()) {
    return;
  }
  FindUnknownColumns(after, devices, report);
  const std::size_t failed = after.failed - before.failed;
  if (failed > 0 && after.first_error.find("no such key") != std::string::npos) {
    report(fmt::format("reads an optional attribute without a presence test; {} of {} devices "
                       "would fail",
                       failed, before.matched),
           "UnguardedAttribute");
  } else if (failed > 0) {
    report(fmt::format("fails on {} of {} devices: {}", failed, before.matched, after.first_error),
           "SelectorError");
  }
  if (before.matched > 0 && after.matched == 0 && failed < before.matched) {
    report(fmt::format("matches none of {} devices", before.matched), "SelectorNoDevice");
  }
}

}  // namespace

// --- Taking objects.

// What is taken of the kinds that hold selectors.
struct LintObjects::Sink {
  LintObjects& objects;
  const json::Manifest& manifest;
  const api::Identity& identity;

  void operator()(api::DeviceClass device_class) {
    objects.subjects_.push_back({.manifest = manifest,
                                 .path = "spec",
                                 .device_class = "",
                                 .selectors = TextsOf(device_class.spec.selectors),
                                 .derived = {}});
    objects.classes_.insert_or_assign(identity.name, std::move(device_class));
  }
  void operator()(const api::ResourceClaim& claim) {
    objects.claims_.insert(QualifiedName(identity.ns, identity.name));
    objects.TakeRequests(manifest, identity, claim.spec.devices, "spec");
  }
  void operator()(const api::ResourceClaimTemplate& made_from) {
    objects.templates_.insert(QualifiedName(identity.ns, identity.name));
    objects.TakeRequests(manifest, identity, made_from.spec.spec.devices, "spec.spec");
  }
};

Status LintObjects::Take(const json::Manifest& manifest, const api::Identity& identity) {
  if (identity.group() != api::kDraGroup) {
    QUADRA_RETURN_IF_ERROR(TakePods(manifest, identity));
    if (!identity.stored) {
      TakeShape(manifest, identity);
    }
    return {};
  }
  QUADRA_RETURN_IF_ERROR(api::ReadObject(
      {.api_version = identity.api_version, .kind = identity.kind, .json = manifest.json()},
      Sink{*this, manifest, identity}));
  TakeShape(manifest, identity);
  if (identity.kind == "ResourceSlice" && identity.api_version == kOldVersion) {
    shape_findings_.push_back(
        FindingAt(manifest, "spec.devices",
                  fmt::format("v1beta1 shape; v1 has no `basic` (quadra convert -f {} --to v1)",
                              ArgumentFor(manifest)),
                  "OldShape"));
  }
  return {};
}

namespace {

constexpr std::string_view kOldMappings =
    "is older than Kubernetes 1.37, whose API server loses it, or refuses the slice; write "
    "nodeAllocatableResources: {cpu: {mapping: {deviceMultiplier: …}}}, or capacityKey and "
    "capacityMultiplier";

}  // namespace

void LintObjects::TakeShape(const json::Manifest& manifest, const api::Identity& identity) {
  const std::vector<api::DecodeError> problems = ShapeProblems(manifest.json());
  const std::string hint = problems.empty() ? "" : FittingVersionHint(manifest.json(), identity);
  for (const api::DecodeError& problem : problems) {
    if (IsOldMapping(problem.exact, identity)) {
      shape_findings_.push_back(
          FindingAt(manifest, problem.exact, std::string(kOldMappings), "OldMappings"));
      continue;
    }
    const bool unknown = problem.message.starts_with("unknown field");
    shape_findings_.push_back(FindingAt(
        manifest, problem.exact,
        fmt::format("{}, which the API server refuses{}", problem.message, unknown ? hint : ""),
        unknown ? "UnknownField" : "DuplicateField"));
  }
  for (const json::DuplicateKey& duplicate : manifest.duplicates()) {
    shape_findings_.push_back(
        FindingAt(manifest, duplicate.path,
                  "stands twice, which the API server refuses; the last counts", "DuplicateField"));
  }
}

void LintObjects::TakeRequests(const json::Manifest& manifest, const api::Identity& identity,
                               const api::DeviceClaim& devices, const std::string& spec) {
  const bool old_shape = identity.api_version == kOldVersion;
  for (std::size_t i = 0; i < devices.requests.size(); ++i) {
    const api::DeviceRequest& request = devices.requests[i];
    const std::string path = fmt::format("{}.devices.requests[{}]", spec, i);
    if (request.exactly) {
      subjects_.push_back({.manifest = manifest,
                           .path = old_shape ? path : path + ".exactly",
                           .device_class = request.exactly->device_class_name,
                           .selectors = TextsOf(request.exactly->selectors),
                           .derived = TextsOf(request.exactly->derived_attributes)});
    }
    if (request.exactly && old_shape) {
      shape_findings_.push_back(FindingAt(
          manifest, path,
          fmt::format("v1beta1 shape; v1 wants requests[{}].exactly (quadra convert -f {} --to v1)",
                      i, ArgumentFor(manifest)),
          "OldShape"));
    }
    for (std::size_t k = 0; k < request.first_available.size(); ++k) {
      const api::DeviceSubRequest& alternative = request.first_available[k];
      subjects_.push_back({.manifest = manifest,
                           .path = fmt::format("{}.firstAvailable[{}]", path, k),
                           .device_class = alternative.device_class_name,
                           .selectors = TextsOf(alternative.selectors),
                           .derived = TextsOf(alternative.derived_attributes)});
    }
  }
}

Status LintObjects::TakePods(const json::Manifest& manifest, const api::Identity& identity) {
  QUADRA_TRY(const json::Value object, json::ParseValue(manifest.json()));
  for (const std::string_view where : kPodSpecs) {
    const json::Value& pod_spec = Descend(object, where);
    const std::span<const json::Value> claims = ItemsOf(pod_spec, "resourceClaims");
    for (std::size_t i = 0; i < claims.size(); ++i) {
      const std::string name = claims[i].Get("name").text();
      pod_claims_.push_back({.manifest = manifest,
                             .path = fmt::format("{}.resourceClaims[{}]", where, i),
                             .ns = identity.ns,
                             .name = name,
                             .claim = claims[i].Get("resourceClaimName").text(),
                             .claim_template = claims[i].Get("resourceClaimTemplateName").text(),
                             .used = IsUsed(pod_spec, name)});
    }
  }
  return {};
}

// --- Linting.

std::vector<LintFinding> LintObjects::Lint(const DeviceList* against) const {
  Findings findings = shape_findings_;
  for (const PodClaim& claim : pod_claims_) {
    LintPodClaim(claim, findings);
  }
  for (const Subject& subject : subjects_) {
    LintExpressions(subject, against != nullptr, findings);
    if (against != nullptr) {
      LintAgainst(subject, *against, findings);
    }
  }
  return ByPlace(std::move(findings));
}

void LintObjects::LintPodClaim(const PodClaim& claim, Findings& findings) const {
  if (!claim.used) {
    findings.push_back(FindingAt(
        claim.manifest, claim.path,
        fmt::format("no container uses claim \"{}\"; name it under resources.claims", claim.name),
        "UnusedClaim"));
  }
  const std::string as_claim = QualifiedName(claim.ns, claim.claim);
  if (!claim.claim.empty() && templates_.contains(as_claim) && !claims_.contains(as_claim)) {
    findings.push_back(
        FindingAt(claim.manifest, claim.path,
                  fmt::format("\"{}\" is a ResourceClaimTemplate; use resourceClaimTemplateName",
                              claim.claim),
                  "TemplateNamedAsClaim"));
  }
  const std::string as_template = QualifiedName(claim.ns, claim.claim_template);
  if (!claim.claim_template.empty() && claims_.contains(as_template) &&
      !templates_.contains(as_template)) {
    findings.push_back(FindingAt(
        claim.manifest, claim.path,
        fmt::format("\"{}\" is a ResourceClaim; use resourceClaimName", claim.claim_template),
        "ClaimNamedAsTemplate"));
  }
}

// Selectors are asked in turn, those of the class first, until one says no: what one of them makes
// sure of need not be tested by those behind it.
void LintObjects::LintExpressions(const Subject& subject, bool with_devices,
                                  Findings& findings) const {
  std::vector<std::string> present;
  const auto pass = [&](const std::string& text) {
    std::ranges::move(selector::PresentAfter(text, language_), std::back_inserter(present));
  };
  const auto lint = [&](const std::string& text, const std::string& path, selector::Use use,
                        std::span<const std::string> known) {
    for (selector::Remark& remark : selector::RemarksOn(text, use, language_, known)) {
      // Devices tell better whether a missing guard matters.
      const bool superseded = with_devices && remark.code == "UnguardedAttribute";
      if (!text.empty() && !superseded) {
        findings.push_back(FindingAt(subject.manifest, subject.path + path,
                                     std::move(remark.message), std::move(remark.code)));
      }
    }
  };
  if (const auto own = classes_.find(subject.device_class); own != classes_.end()) {
    std::ranges::for_each(TextsOf(own->second.spec.selectors), pass);
  }
  for (std::size_t i = 0; i < subject.selectors.size(); ++i) {
    lint(subject.selectors[i], fmt::format(".selectors[{}].cel.expression", i),
         selector::Use::kSelector, present);
    pass(subject.selectors[i]);
  }
  for (std::size_t i = 0; i < subject.derived.size(); ++i) {
    lint(subject.derived[i], fmt::format(".derivedAttributes[{}].expression", i),
         selector::Use::kDerivedAttribute, {});
  }
}

const api::DeviceClass* LintObjects::FindClass(const std::string& name,
                                               const DeviceList& devices) const {
  const auto own = classes_.find(name);
  return own != classes_.end() ? &own->second : devices.FindClass(name);
}

// Asks the selectors one after the other, as the scheduler does, and says what each does to the
// devices that reach it.
void LintObjects::LintAgainst(const Subject& subject, const DeviceList& devices,
                              Findings& findings) const {
  std::vector<NamedSelector> asked;
  if (!subject.device_class.empty()) {
    const api::DeviceClass* device_class = FindClass(subject.device_class, devices);
    if (device_class == nullptr) {
      findings.push_back(
          FindingAt(subject.manifest, subject.path + ".deviceClassName",
                    fmt::format("there is no DeviceClass \"{}\"{}", subject.device_class,
                                DidYouMean(subject.device_class, devices.ClassNames())),
                    "ClassMissing"));
    } else {
      for (const std::string& text : TextsOf(device_class->spec.selectors)) {
        asked.push_back({.title = "class selector", .text = text});
      }
    }
  }
  Result<Selection> before = Select(asked, devices, language_);
  for (std::size_t i = 0; before && i < subject.selectors.size(); ++i) {
    const std::string path = fmt::format("{}.selectors[{}].cel.expression", subject.path, i);
    asked.push_back({.title = "selector", .text = subject.selectors[i]});
    Result<Selection> after = Select(asked, devices, language_);
    if (after) {
      FindEffects(*before, *after, devices, [&](std::string message, std::string code) {
        findings.push_back(FindingAt(subject.manifest, path, std::move(message), std::move(code)));
      });
    }
    before = std::move(after);
  }
}

}  // namespace quadra::inspection

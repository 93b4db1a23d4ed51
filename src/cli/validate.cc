#include <algorithm>
#include <array>
#include <istream>
#include <map>
#include <memory>
#include <optional>
#include <ostream>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "api/object.h"
#include "base/clock.h"
#include "base/go_text.h"
#include "base/in_order.h"
#include "base/nearest.h"
#include "cli/answer_lines.h"
#include "cli/bare_scalar.h"
#include "cli/deprecation.h"
#include "cli/feature_gates.h"
#include "cli/finding.h"
#include "cli/inputs.h"
#include "cli/line.h"
#include "cli/schema_path.h"
#include "cli/unknown_fields.h"
#include "cli/verb.h"
#include "inspection/lint_objects.h"
#include "streams/validation.h"
#include "validation/judge.h"

namespace quadra::cli {
namespace {

using validation::Coverage;
using validation::Operation;

constexpr std::array<std::string_view, 1> kValidateStreamFlags = {"stream"};

constexpr std::array kValidateFlags = {
    kFilenameFlag,
    kRecursiveFlag,
    Flag{.name = "old",
         .value = "FILE",
         .repeated = true,
         .help = "The stored objects, for judging updates: an object of the same kind, namespace "
                 "and name is what the "
                 "server has. Objects without one are creations."},
    Flag{.name = "subresource",
         .value = "NAME",
         .choices = "status",
         .help = "Judge writes through this subresource. Needs --old."},
    kFeatureGatesFlag,
    Flag{.name = "output",
         .letter = 'o',
         .value = "FORMAT",
         .choices = "text json yaml jsonpath= jsonl",
         .help = "How to print: for people (text, the default), one report (json, yaml), or one "
                 "finding a line (jsonl)."},
    Flag{.name = "stream",
         .help = "For programs: read questions from standard input, one JSON object a line, and "
                 "answer each with one "
                 "line."},
};

constexpr std::string_view kAdminAccessLabel = "resource.kubernetes.io/admin-access";

using Namespaces = std::map<std::string, api::Map<std::string>, std::less<>>;  // labels, by name

// What the flags ask for, and what is known so far. Copies share it.
struct ValidateTask {
  api::FeatureGates gates;
  bool status = false;
  Time now;
  std::shared_ptr<const std::map<std::string, json::Manifest, std::less<>>> stored;  // by Key()
  std::shared_ptr<const Namespaces> namespaces = std::make_shared<const Namespaces>();
};

// --- Namespaces, whose labels decide on admin access.

// Whether it is worth reading as one; it is spelled so, or with escapes.
bool MayBeNamespace(std::string_view json) {
  return json.find("Namespace") != std::string_view::npos ||
         json.find("\\u") != std::string_view::npos;
}

// What cannot be read as a Namespace says nothing about one.
void TakeNamespace(const json::Manifest& manifest, ValidateTask& task) {
  const auto keep = [&](api::Namespace read) {
    auto namespaces = std::make_shared<Namespaces>(*task.namespaces);
    namespaces->insert_or_assign(read.metadata.name, std::move(read.metadata.labels));
    task.namespaces = std::move(namespaces);
  };
  if (!MayBeNamespace(manifest.json())) {
    return;
  }
  if (const Result<api::Identity> identity = api::ReadIdentity(manifest.json())) {
    static_cast<void>(api::ReadObject(
        {.api_version = identity->api_version, .kind = identity->kind, .json = manifest.json()},
        keep));
  }
}

std::string NamespaceOrDefault(const api::Identity& identity) {
  return identity.ns.empty() ? "default" : identity.ns;
}

bool IsStored(const api::Object& object) {
  const api::Value* const metadata = object.root.Member("metadata");
  return metadata != nullptr && metadata->Member("uid") != nullptr &&
         metadata->Member("resourceVersion") != nullptr;
}

bool IsAboutAdminAccess(const Problem& problem) {
  return problem.field.ends_with(".adminAccess") &&
         problem.message.find(kAdminAccessLabel) != std::string::npos;
}

// The labels of the object's namespace. An object that a server has stored was granted admin access
// when it was created, so that a dump without namespaces can be checked.
const api::Map<std::string>& LabelsFor(const ValidateTask& task, const api::Identity& identity,
                                       const api::Object& object) {
  static const api::Map<std::string> granted{{std::string(kAdminAccessLabel), "true"}};
  const auto found = task.namespaces->find(NamespaceOrDefault(identity));
  if (found != task.namespaces->end()) {
    return found->second;
  }
  return IsStored(object) ? granted : validation::NoLabels();
}

// --- Reading one object.

Problem FromDecodeError(const api::DecodeError& error, const api::KindSchema* kind,
                        const json::Manifest& manifest) {
  const bool unknown = error.error_class == api::DecodeError::Class::kStrict && kind != nullptr &&
                       error.message.starts_with("unknown field");
  const std::string quotes = BareScalarRemedy(manifest, error.exact, error.message);
  const Result<api::Identity> identity = api::ReadIdentity(manifest.json());
  return {.message = error.message,
          .hint = unknown && identity ? HintFor(error, manifest, *identity)
                  : quotes.empty()    ? ""
                                      : "; " + quotes,
          .line = manifest.Locate(error.exact).line};
}

void AddDuplicates(const json::Manifest& manifest, Finding& finding) {
  for (const json::DuplicateKey& duplicate : manifest.duplicates()) {
    finding.errors.push_back(
        {.message = "duplicate field " + GoQuote(duplicate.path), .line = duplicate.position.line});
  }
}

// Decodes strictly; what stands in the way becomes the finding's errors.
std::optional<api::Object> Decode(const json::Manifest& manifest, const api::KindSchema& kind,
                                  Finding& finding) {
  std::vector<api::DecodeError> strict;
  api::Decoded<api::Object> object = api::DecodeJson(manifest.json(), {.strict_errors = &strict});
  AddDuplicates(manifest, finding);
  if (!object && object.error().error_class != api::DecodeError::Class::kStrict) {
    strict = {object.error()};
  }
  for (const api::DecodeError& error : strict) {
    finding.errors.push_back(FromDecodeError(error, &kind, manifest));
  }
  return finding.errors.empty() && object ? std::optional(*std::move(object)) : std::nullopt;
}

// --- Kinds we do not have.

std::vector<std::string_view> KindsOfGroup(std::string_view group) {
  std::vector<std::string_view> kinds;
  for (const api::KindSchema& kind : api::AllKinds()) {
    if (kind.group == group && !kind.kind.ends_with("List")) {
      kinds.push_back(kind.kind);
    }
  }
  return kinds;
}

std::string VersionsOf(const api::Identity& identity) {
  std::string versions;
  for (const api::KindSchema& kind : api::AllKinds()) {
    if (kind.group == identity.group() && kind.kind == identity.kind) {
      versions += fmt::format("{}{}", versions.empty() ? "" : ", ", kind.version);
    }
  }
  return versions;
}

// Of resource.k8s.io we know every kind, so an unknown one is refused; other groups may have kinds
// of their own.
void FindUnknownKind(Finding& finding) {
  const api::Identity& identity = finding.identity;
  const std::string versions = VersionsOf(identity);
  const std::string hint = versions.empty()
                               ? DidYouMean(identity.kind, KindsOfGroup(identity.group()))
                               : fmt::format("; there is {} in {}", identity.kind, versions);
  if (identity.group() != api::kDraGroup) {
    finding.conclusion = Conclusion::kNotChecked;
    finding.reason =
        fmt::format("{} {} is unknown to quadra{}", identity.api_version, identity.kind, hint);
    return;
  }
  finding.conclusion = Conclusion::kInvalid;
  finding.errors.push_back({.message = fmt::format("no matches for kind \"{}\" in version \"{}\"",
                                                   identity.kind, identity.api_version),
                            .hint = hint,
                            .line = finding.line});
}

// --- Judging.

void Take(const validation::Outcome& outcome, const json::Manifest& manifest,
          const api::KindSchema& kind, Finding& finding) {
  for (const validation::FieldError& error : outcome.errors) {
    finding.errors.push_back({.type = std::string(validation::ErrorTypeName(error.type)),
                              .field = error.field,
                              .message = error.message,
                              .line = manifest.Locate(error.field).line});
  }
  for (const std::string& warning : outcome.warnings) {
    const std::string field = warning.substr(0, warning.find(": "));
    finding.warnings.push_back({.text = warning, .line = manifest.Locate(field).line});
  }
  for (const std::string& path : outcome.dropped) {
    const std::string gate = GateOf(kind, path);
    finding.dropped.push_back(
        {.text = fmt::format("{}: the API server would drop this silently{}", path,
                             gate.empty() ? "" : fmt::format(" (feature gate {})", gate)),
         .line = manifest.Locate(path).line});
  }
}

// A namespace that is not among the files may well have the label.
void HintAtNamespace(const ValidateTask& task, Finding& finding) {
  const std::string ns = NamespaceOrDefault(finding.identity);
  for (Problem& problem : finding.errors) {
    if (IsAboutAdminAccess(problem) && !task.namespaces->contains(ns)) {
      problem.hint = fmt::format("; if namespace {} has it, give the Namespace with -f too", ns);
    }
  }
}

// The stored object that a write of `identity` meets; nullopt after a Finding that it cannot be
// read.
std::optional<api::Object> DecodeStored(const ValidateTask& task, Finding& finding) {
  const json::Manifest& stored = task.stored->find(finding.identity.Key())->second;
  api::Decoded<api::Object> object =
      api::DecodeJson(stored.json(), {.strictness = api::Strictness::kLenient});
  if (!object) {
    finding.conclusion = Conclusion::kNoStored;
    finding.reason = fmt::format("the stored object at {}:{} cannot be read: {}", stored.file(),
                                 stored.start().line, object.error().message);
    return std::nullopt;
  }
  return *std::move(object);
}

void JudgeWrite(const ValidateTask& task, const json::Manifest& manifest, api::Object object,
                Finding& finding) {
  const api::KindSchema& kind = *object.kind;
  std::optional<api::Object> old;
  Operation operation = Operation::kCreate;
  if (task.stored->contains(finding.identity.Key())) {
    operation = task.status ? Operation::kStatus : Operation::kUpdate;
    old = DecodeStored(task, finding);
    if (!old) {
      return;
    }
  }
  const api::Map<std::string>& labels = LabelsFor(task, finding.identity, object);
  const validation::Outcome outcome = validation::Assess(
      {.operation = operation, .gates = task.gates, .namespace_labels = labels, .now = task.now},
      std::move(object), std::move(old));
  Take(outcome, manifest, kind, finding);
  HintAtNamespace(task, finding);
}

// Why an object of this kind is not judged; empty when it is.
std::string WhyNotChecked(const ValidateTask& task, const api::KindSchema& kind) {
  if (validation::CoverageOf(kind) == Coverage::kNone) {
    return fmt::format("quadra does not judge {}", kind.kind);
  }
  if (task.status && !validation::JudgesStatus(kind)) {
    return fmt::format("{} has no status to judge", kind.kind);
  }
  return "";
}

Finding FindKnownKind(const ValidateTask& task, const json::Manifest& manifest,
                      const api::KindSchema& kind, Finding finding) {
  if (const std::string why = WhyNotChecked(task, kind); !why.empty()) {
    finding.conclusion = Conclusion::kNotChecked;
    finding.reason = why;
    return finding;
  }
  if (task.status && !task.stored->contains(finding.identity.Key())) {
    finding.conclusion = Conclusion::kNoStored;
    finding.reason = "--old has no such object";
    return finding;
  }
  if (validation::CoverageOf(kind) == Coverage::kDraOnly) {
    finding.conclusion = Conclusion::kDraFieldsValid;
  }
  if (const std::string warning = DeprecationWarning(kind); !warning.empty()) {
    finding.warnings.push_back({.text = warning, .line = finding.line});
  }
  if (std::optional<api::Object> object = Decode(manifest, kind, finding)) {
    JudgeWrite(task, manifest, *std::move(object), finding);
  }
  if (!finding.errors.empty()) {
    finding.conclusion = Conclusion::kInvalid;
  }
  return finding;
}

Finding Find(const ValidateTask& task, const json::Manifest& manifest, api::Identity identity) {
  Finding finding{
      .file = manifest.file(), .line = manifest.start().line, .identity = std::move(identity)};
  const api::KindSchema* kind = api::FindKind(finding.identity.api_version, finding.identity.kind);
  if (kind == nullptr) {
    FindUnknownKind(finding);
    return finding;
  }
  return FindKnownKind(task, manifest, *kind, std::move(finding));
}

// Of one object: nothing where it has no identity.
struct Looked {
  std::optional<Finding> finding;
  std::string error;                       // instead of it
  std::optional<json::Manifest> manifest;  // where a Namespace further on may change the finding
};

std::string NoIdentity(const json::Manifest& manifest, const Error& error) {
  return fmt::format("error: {}:{}: {}", manifest.file(), manifest.start().line, error.ToString());
}

Looked Look(const ValidateTask& task, const json::Manifest& manifest) {
  Result<api::Identity> identity = api::ReadIdentity(manifest.json());
  if (!identity) {
    return {.error = NoIdentity(manifest, identity.error())};
  }
  Looked looked{.finding = Find(task, manifest, *std::move(identity))};
  if (std::ranges::any_of(looked.finding->errors, IsAboutAdminAccess) &&
      !task.namespaces->contains(NamespaceOrDefault(looked.finding->identity))) {
    looked.manifest = manifest;
  }
  return looked;
}

// Findings in the order of the objects, found by all cores; after the first few by batches, since
// handing one over costs as much as a small object. One that a Namespace further on may change waits
// for the end, and those behind it wait with it.
class FindingQueue {
 public:
  // Both must outlive this.
  FindingQueue(Report& report, Console& console)
      : report_(report),
        console_(console),
        work_([this](std::vector<Looked> batch) { TakeAll(std::move(batch)); }) {}

  void Add(const ValidateTask& task, const json::Manifest& manifest) {
    batch_.push_back(manifest);
    if (added_++ < kAlone || batch_.size() == kBatch) {
      Send(task);
    }
  }

  // The worst of all. To be called once, with what is known after the last.
  ExitCode Finish(const ValidateTask& task) {
    Send(task);
    work_.Finish();
    for (const Waiting& waiting : waiting_) {
      Tell(waiting.manifest ? Find(task, *waiting.manifest, waiting.finding.identity)
                            : waiting.finding);
    }
    return code_;
  }

 private:
  struct Waiting {
    Finding finding;
    std::optional<json::Manifest> manifest;  // where it is to be judged again
  };

  static constexpr std::size_t kAlone = 16;
  static constexpr std::size_t kBatch = 32;

  void Send(const ValidateTask& task) {
    work_.Add([task, batch = std::exchange(batch_, {})] {
      std::vector<Looked> looked;
      looked.reserve(batch.size());
      for (const json::Manifest& manifest : batch) {
        looked.push_back(Look(task, manifest));
      }
      return looked;
    });
  }

  void TakeAll(std::vector<Looked> batch) {
    for (Looked& looked : batch) {
      Take(std::move(looked));
    }
  }

  void Take(Looked looked) {
    if (!looked.finding) {
      PrintLine(console_.err, looked.error);
      code_ = Worst(code_, ExitCode::kUsage);
    } else if (looked.manifest || !waiting_.empty()) {
      waiting_.push_back({*std::move(looked.finding), std::move(looked.manifest)});
    } else {
      Tell(*looked.finding);
    }
  }

  void Tell(const Finding& finding) {
    code_ = Worst(code_, ExitCodeOf(finding.conclusion));
    report_.Add(finding);
  }

  Report& report_;
  Console& console_;
  std::vector<json::Manifest> batch_;
  std::size_t added_ = 0;
  std::vector<Waiting> waiting_;
  ExitCode code_ = ExitCode::kYes;
  InOrder<std::vector<Looked>> work_;
};

// --- The verb.

ExitCode ReadStored(const Invocation& invocation, Console& console, ValidateTask& task) {
  ExitCode code = ExitCode::kYes;
  std::map<std::string, json::Manifest, std::less<>> stored;
  const auto keep = [&](const json::Manifest& manifest) {
    TakeNamespace(manifest, task);
    if (const Result<api::Identity> identity = api::ReadIdentity(manifest.json())) {
      stored.insert_or_assign(identity->Key(), manifest);
    } else {
      PrintLine(console.err, NoIdentity(manifest, identity.error()));
      code = ExitCode::kUsage;
    }
  };
  code = Worst(ReadFiles(invocation.Values("old"), false, console, keep), code);
  task.stored = std::make_shared<const decltype(stored)>(std::move(stored));
  return code;
}

Result<ValidateTask> MakeTask(const Invocation& invocation) {
  ValidateTask task{.status = invocation.Has("subresource"), .now = SystemClock().Now()};
  if (task.status && !invocation.Has("old")) {
    return Fail(ErrorKind::kUsage, "--subresource=status needs the stored objects: --old FILE");
  }
  QUADRA_TRY(task.gates, ReadFeatureGates(invocation));
  return task;
}

ExitCode ValidateFiles(const Invocation& invocation, Console& console) {
  Result<ValidateTask> task = MakeTask(invocation);
  if (!task) {
    return RefuseUsage(task.error(), invocation.program, FindVerb("validate"), console);
  }
  ExitCode code = ReadStored(invocation, console, *task);
  if (code != ExitCode::kYes) {  // judged as creations, updates would look valid
    return code;
  }
  Report report(invocation.Has("output") ? invocation.Value("output") : "text", console);
  FindingQueue findings(report, console);
  code = ReadInputs(invocation, console, [&](const json::Manifest& manifest) {
    TakeNamespace(manifest, *task);
    findings.Add(*task, manifest);
  });
  return report.Finish(Worst(code, findings.Finish(*task)));
}

ExitCode RunValidate(const Invocation& invocation, Console& console) {
  if (!invocation.Has("stream")) {
    return ValidateFiles(invocation, console);
  }
  if (const auto refused =
          RefuseBesideStream(invocation, "validate", kValidateStreamFlags, console)) {
    return *refused;
  }
  const SystemClock clock;
  const auto answer = [&](const std::string& line, std::size_t /*number*/) {
    return ToJson(streams::AnswerValidation(line, clock.Now()));
  };
  const auto refuse = [](std::size_t /*number*/, std::string_view why) {
    return ToJson(streams::Senseless{std::string(why)});
  };
  return AnswerLines(console, {.answer = answer, .refuse = refuse});
}

}  // namespace

const Verb kValidateVerb{
    .name = "validate",
    .synopsis =
        "-f FILE… [--old FILE] [--subresource=status] [--feature-gates=A=true,…] [-R] [-o FORMAT]",
    .summary = "say what the API server would say to manifests",
    .description =
        "Judges every object as the API server of Kubernetes 1.37 would on creation, or on an "
        "update of what --old "
        "holds: unknown and duplicate fields, wrong types, every rule of resource.k8s.io, and the "
        "parts of Pods and "
        "workloads that concern dynamic resource allocation. Prints file, line and object, then "
        "the server's own "
        "words; warnings; and fields that a feature gate would silently drop.\n"
        "Fields that only the server sets (uid, resourceVersion, managedFields, status …) are no "
        "error, so dumps can "
        "be checked. Labels of Namespaces among the files decide on admin access; what a server "
        "has "
        "stored was granted it. Kinds that are not judged are listed as not checked.\n"
        "With --stream each line of standard input is a question:\n"
        "  "
        "{\"operation\":\"create|update|status\",\"object\":{…},\"old\":{…},\"featureGates\":{…},"
        "\"namespaceLabels\":{…}}\n"
        "and each line of standard output its answer, one of:\n"
        "  {\"errors\":[{\"type\":…,\"field\":…,\"message\":…}],\"warnings\":[…],\"dropped\":[…]}\n"
        "  {\"decode\":\"error\",\"path\":…,\"message\":…}\n"
        "  {\"input\":\"why the question makes no sense\"}",
    .examples =
        "  quadra validate -f claim.yaml\n"
        "  quadra validate -R -f manifests/\n"
        "  kubectl get resourceslices,resourceclaims -A -o yaml | quadra validate -f -\n"
        "  quadra validate -f new.yaml --old stored.yaml "
        "--feature-gates=DRAConsumableCapacity=false\n",
    .flags = kValidateFlags,
    .most_arguments = kManyArguments,
    .run = RunValidate,
};

}  // namespace quadra::cli

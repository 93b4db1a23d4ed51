#include <array>
#include <charconv>
#include <optional>
#include <ostream>
#include <set>
#include <string>

#include <fmt/format.h>

#include "api/object.h"
#include "base/nearest.h"
#include "cli/document.h"
#include "cli/dump_input.h"
#include "cli/explain_report.h"
#include "cli/feature_gates.h"
#include "cli/time_zones.h"
#include "cli/verb.h"
#include "offline/diagnose.h"
#include "offline/place.h"

namespace quadra::cli {
namespace {

constexpr std::array kFlags = {
    kDumpFlag,
    kRecursiveFlag,
    Flag{.name = "namespace",
         .letter = 'n',
         .value = "NAMESPACE",
         .help = "Where the pod or claim is. Not needed where the files hold one of that name."},
    Flag{.name = "all-nodes", .help = "List every node, not only those that come nearest."},
    Flag{.name = "node", .value = "NAME", .help = "Only look at this node."},
    Flag{.name = "fix",
         .value = "NUMBER",
         .help = "Print, as YAML, the objects that this fix changes. Read behind the dump, they "
                 "make the pod or claim fit."},
    Flag{.name = "output",
         .letter = 'o',
         .value = "FORMAT",
         .choices = "table wide json yaml jsonpath=",
         .help = "table (the default); wide lists every node; json and yaml print the whole "
                 "explanation, "
                 "jsonpath=TEMPLATE what kubectl's jsonpath template prints of it."},
    Flag{.name = "no-headers", .help = "Print tables without their headings."},
    kFeatureGatesFlag,
};

struct Subject {
  std::string kind;  // pod or claim
  std::string ns;    // empty: any
  std::string name;
};

Result<Subject> ReadSubject(const Invocation& invocation) {
  if (invocation.arguments.empty()) {
    return Fail(Reason::kUsage, "what is to be explained? Give pod/NAME or claim/NAME");
  }
  const std::string& text = invocation.arguments[0];
  const std::size_t slash = text.find('/');
  const std::string kind = text.substr(0, slash);
  const bool pod = kind == "pod" || kind == "pods" || kind == "po";
  const bool claim = kind == "claim" || kind == "resourceclaim" || kind == "resourceclaims";
  if (slash == std::string::npos || (!pod && !claim) || slash + 1 == text.size()) {
    return Fail(Reason::kUsage, fmt::format("\"{}\" is neither pod/NAME nor claim/NAME", text));
  }
  return Subject{.kind = pod ? "pod" : "claim",
                 .ns = invocation.Value("namespace"),
                 .name = text.substr(slash + 1)};
}

// The object of that name. Fails where there is none, or several and no namespace is given.
template <typename T>
Result<const T*> FindNamed(const offline::Shelf<T>& shelf, const Subject& subject) {
  const T* found = nullptr;
  std::vector<std::string_view> names;
  for (const T& object : shelf.all()) {
    names.emplace_back(object.metadata.name);
    if (object.metadata.name != subject.name ||
        (!subject.ns.empty() && object.metadata.ns != subject.ns)) {
      continue;
    }
    if (found != nullptr) {
      return Fail({.reason = Reason::kUsage,
                   .message = fmt::format("{}/{} is in the namespaces {} and {}", subject.kind,
                                          subject.name, found->metadata.ns, object.metadata.ns),
                   .remedy = "say which with -n"});
    }
    found = &object;
  }
  if (found == nullptr) {
    return Fail({.reason = Reason::kNotFound,
                 .message = fmt::format("the files hold no {} {}{}{}", subject.kind, subject.name,
                                        subject.ns.empty() ? "" : " in namespace " + subject.ns,
                                        DidYouMean(subject.name, names))});
  }
  return found;
}

struct Explained {
  offline::Diagnosis diagnosis;
  const api::Pod* pod = nullptr;
  bool partial = false;
  std::set<std::string> remarks;  // see Placer::remarks
};

Result<Explained> Explain(offline::Dump& dump, const Subject& subject, const Invocation& invocation,
                          selector::ExpressionCache& expressions) {
  offline::PlaceOptions options;
  if (invocation.Has("node")) {
    options.node = invocation.Value("node");
  }
  Explained explained;
  if (subject.kind == "pod") {
    QUADRA_TRY(explained.pod, FindNamed(dump.pods(), subject));
    offline::Placer placer(dump, options, expressions);
    explained.diagnosis = offline::DiagnosePod(placer, *explained.pod);
    explained.partial = placer.nodes_are_derived();
    explained.remarks = placer.remarks();
  } else {
    QUADRA_TRY(const api::ResourceClaim* claim, FindNamed(dump.claims(), subject));
    offline::Placer placer(dump, options, expressions);
    explained.diagnosis = offline::DiagnoseClaim(placer, *claim);
    explained.partial = placer.nodes_are_derived();
    explained.remarks = placer.remarks();
  }
  return explained;
}

// --- Fixes.

template <typename T>
void PrintYaml(const std::vector<T>& objects, std::string_view api_version, std::string_view kind,
               std::ostream& out) {
  for (T object : objects) {
    object.type = {.kind = std::string(kind), .api_version = std::string(api_version)};
    out << "---\n" << AsYaml(api::EncodeJson(object));
  }
}

ExitCode PrintFix(const offline::Dump& dump, const Explained& explained, const std::string& wanted,
                  Console& console) {
  const auto& fixes = explained.diagnosis.fixes.found;
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(wanted.data(), wanted.data() + wanted.size(), number);
  if (error != std::errc() || end != wanted.data() + wanted.size() || number == 0 ||
      number > fixes.size()) {
    console.err << fmt::format("error: there is no fix {}: {} found\n", wanted,
                               fixes.empty() ? "none was" : fmt::format("{} were", fixes.size()));
    return ExitCode::kUsage;
  }
  const offline::Repair repair = offline::RepairOf(dump, fixes[number - 1], explained.pod);
  console.out << "# " << fixes[number - 1].text << '\n';
  PrintYaml(repair.templates, "resource.k8s.io/v1", "ResourceClaimTemplate", console.out);
  PrintYaml(repair.claims, "resource.k8s.io/v1", "ResourceClaim", console.out);
  PrintYaml(repair.pods, "v1", "Pod", console.out);
  return ExitCode::kYes;
}

std::string CommandOf(const Invocation& invocation) {
  std::string command = invocation.program + " explain " + invocation.arguments[0];
  if (invocation.Has("namespace")) {
    command += " -n " + invocation.Value("namespace");
  }
  for (const std::string& file : invocation.Values(kDumpFlag.name)) {
    command += " -f " + file;
  }
  return command;
}

ExitCode CodeFor(const Explained& explained) {
  if (explained.partial || explained.diagnosis.key.code == reasons::Code::kNotModelled) {
    return ExitCode::kPartial;
  }
  return explained.diagnosis.verdict == offline::Diagnosis::Verdict::kWouldNot ? ExitCode::kNo
                                                                               : ExitCode::kYes;
}

ExitCode Print(const offline::Dump& dump, const Explained& explained, const Invocation& invocation,
               Console& console) {
  if (invocation.Has("fix")) {
    return PrintFix(dump, explained, invocation.Value("fix"), console);
  }
  const std::string format = invocation.Value("output");
  if (IsDocumentFormat(format)) {
    return PrintDocument(DiagnosisJson(explained.diagnosis), format, CodeFor(explained), console);
  }
  PrintDiagnosis(explained.diagnosis,
                 {.headings = !invocation.Has("no-headers"),
                  .all_nodes = invocation.Has("all-nodes") || format == "wide",
                  .next_prefix = CommandOf(invocation)},
                 console);
  for (const std::string& remark : explained.remarks) {
    console.err << "note: " << remark << '\n';
  }
  if (explained.partial) {
    console.err
        << "note: the files hold no nodes; those that slices name are taken, without labels "
           "and taints\n";
  }
  return CodeFor(explained);
}

ExitCode RunExplain(const Invocation& invocation, Console& console) {
  const auto refuse = [&](const Error& error) {
    return RefuseUsage(error, invocation.program, FindVerb("explain"), console);
  };
  const Result<Subject> subject = ReadSubject(invocation);
  if (!subject) {
    return refuse(subject.error());
  }
  if (!invocation.Has(kDumpFlag.name)) {
    return refuse({.reason = Reason::kUsage, .message = "which cluster? Give a dump with -f FILE"});
  }
  const Result<validation::FeatureGates> gates = ReadFeatureGates(invocation);
  if (!gates) {
    return refuse(gates.error());
  }
  const SystemTimeZones zones;
  const selector::Language language(&zones);
  offline::Dump dump(language, *gates);
  if (const ExitCode read = ReadDump(invocation, console, dump); read != ExitCode::kYes) {
    return read;
  }
  selector::ExpressionCache expressions(language);
  const Result<Explained> explained = Explain(dump, *subject, invocation, expressions);
  if (!explained) {
    console.err << "error: " << explained.error().ToString() << '\n';
    return ExitCode::kUsage;
  }
  return Print(dump, *explained, invocation, console);
}

}  // namespace

const Verb kExplainVerb{
    .name = "explain",
    .synopsis =
        "pod/NAME | claim/NAME -f FILE… [-n NAMESPACE] [--all-nodes] [--fix NUMBER] [-o "
        "FORMAT]",
    .summary = "say why a pod or claim waits for devices, and what would help",
    .description =
        "Asks every node of a dump for the devices of a pod or of a claim, in the state that the "
        "dump shows: pods that wait too are not served first (quadra allocate does that). Prints "
        "the reason that counts, with its code (docs/reasons.md); how many devices, on how many "
        "nodes, are left after each step; the nodes grouped by reason, then those that come "
        "nearest, with who holds what the pod could use; and fixes. A fix is printed only after "
        "the allocator, run on a copy of the cluster with the fix in it, said yes: wait for a "
        "claim, free devices, lower a count, tolerate a taint, replace the constant of a selector "
        "by a published value, drop a selector or a constraint, use another class.\n"
        "--fix NUMBER prints the objects that a fix changes. A claim's spec cannot be changed in a "
        "cluster: delete the claim and create it anew.\n"
        "A pod or claim that has its devices is told which, and why on that node. Exit status 0: "
        "it has or would get its devices; 1: it would not; 2: the input is wrong; 5: the files do "
        "not say enough.",
    .examples =
        "  quadra explain pod/train-7 -n team-a -f dump.yaml\n"
        "  quadra explain claim/train-7-gpu -f dump.yaml --all-nodes\n"
        "  quadra explain pod/train-7 -f dump.yaml --fix 1 > fix.yaml && quadra allocate -f "
        "dump.yaml -f fix.yaml\n",
    .flags = kFlags,
    .most_arguments = 1,
    .run = RunExplain,
};

}  // namespace quadra::cli

#include <array>
#include <charconv>
#include <map>
#include <optional>
#include <ostream>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "api/object.h"
#include "base/check.h"
#include "base/time_zones.h"
#include "cli/columns.h"
#include "cli/document.h"
#include "cli/dump_input.h"
#include "cli/explain_report.h"
#include "cli/explain_subject.h"
#include "cli/feature_gates.h"
#include "cli/line.h"
#include "cli/verb.h"
#include "diagnosis/diagnose.h"
#include "placement/place.h"

namespace quadra::cli {
namespace {

constexpr std::array kFlags = {
    kDumpFlag,
    kRecursiveFlag,
    Flag{.name = "namespace",
         .letter = 'n',
         .value = "NAMESPACE",
         .help = "Where the pods or claims are. Not needed where the files hold one of that name."},
    kAllNamespacesFlag,
    Flag{.name = "selector",
         .letter = 'l',
         .value = "SELECTOR",
         .help = "Explain all pods, or claims, with these labels, as for kubectl: key=value, "
                 "key!=value, key in (a,b), key, !key; with commas between."},
    Flag{.name = "all-nodes", .help = "List every node, not only those that come nearest."},
    Flag{.name = "node", .value = "NAME", .help = "Only look at this node."},
    Flag{.name = "fix",
         .value = "NUMBER",
         .help = "Print the objects that this fix changes, as YAML or as -o says. Read behind the "
                 "dump, they make the pod or claim fit."},
    Flag{.name = "output",
         .letter = 'o',
         .value = "FORMAT",
         .choices = "table wide name json yaml jsonpath= custom-columns=",
         .help = "table (the default); wide lists every node; name prints pod/NAME or claim/NAME "
                 "of those that do not get their devices; json and yaml print the whole "
                 "explanation, jsonpath=TEMPLATE what kubectl's jsonpath template prints of it, "
                 "custom-columns=HEADING:FIELD,… a table of such fields."},
    kSortByFlag,
    kLenientFlag,
    Flag{.name = "no-headers", .help = "Print tables without their headings."},
    kFeatureGatesFlag,
};

struct Explained {
  diagnosis::Diagnosis answer;
  const api::Pod* pod = nullptr;
  bool partial = false;
  std::set<std::string> remarks;  // see Placer::remarks
};

template <typename T, typename Diagnose>
Explained ExplainOne(offline::Dump& dump, const Invocation& invocation,
                     selector::ExpressionCache& expressions, const T& object,
                     const Diagnose& diagnose) {
  placement::PlaceOptions options{.strict = !invocation.Has(kLenientFlag.name)};
  if (invocation.Has("node")) {
    options.node = invocation.Value("node");
  }
  placement::Placer placer(dump.cluster(), options, expressions);
  Explained explained{.answer = diagnose(placer, object), .remarks = placer.remarks()};
  explained.partial = placer.nodes_are_derived();
  return explained;
}

Result<std::vector<Explained>> Explain(offline::Dump& dump, const ExplainSubject& subject,
                                       const Invocation& invocation,
                                       selector::ExpressionCache& expressions) {
  std::vector<Explained> explained;
  if (subject.kind == "pod") {
    QUADRA_TRY(const std::vector<const api::Pod*> pods,
               Choose(dump.cluster().pods().all(), subject));
    for (const api::Pod* pod : pods) {
      explained.push_back(ExplainOne(dump, invocation, expressions, *pod, diagnosis::DiagnosePod));
      explained.back().pod = pod;
    }
    return explained;
  }
  QUADRA_TRY(const std::vector<const api::ResourceClaim*> claims,
             Choose(dump.cluster().claims().all(), subject));
  for (const api::ResourceClaim* claim : claims) {
    explained.push_back(
        ExplainOne(dump, invocation, expressions, *claim, diagnosis::DiagnoseClaim));
  }
  return explained;
}

// --- Fixes.

// The pods and nodes of the dump as they were written, by kind/namespace/name. The dump itself keeps
// of them only what placing looks at.
using Written = std::map<std::string, json::Manifest>;

void Keep(const json::Manifest& manifest, const api::Identity& identity, Written& written) {
  const bool is_pod = identity.kind == "Pod";
  if (identity.api_version == "v1" && (is_pod || identity.kind == "Node")) {
    const std::string ns = is_pod && identity.ns.empty() ? "default" : identity.ns;
    written.insert_or_assign(fmt::format("{}/{}/{}", identity.kind, ns, identity.name), manifest);
  }
}

// The object as it was written, with what the fix changes in it. Nothing for one that was written
// without a name, there is none in the cluster that could be changed, or that cannot be read whole.
template <typename T>
std::optional<std::string> Repaired(const Written& written, std::string_view kind,
                                    const T& object) {
  const auto found =
      written.find(fmt::format("{}/{}/{}", kind, object.metadata.ns, object.metadata.name));
  if (found == written.end()) {
    return std::nullopt;
  }
  api::Decoded<api::Object> whole =
      api::DecodeJson(found->second.json(), {.strictness = api::Strictness::kLenient});
  if (!whole) {
    return std::nullopt;
  }
  api::Amend(*whole, object);
  return api::EncodeJson(*whole);
}

template <typename T>
void AddRepaired(const Written& written, std::string_view kind, const std::vector<T>& from,
                 std::vector<std::string>& objects) {
  for (const T& object : from) {
    if (std::optional<std::string> repaired = Repaired(written, kind, object)) {
      objects.push_back(*std::move(repaired));
    }
  }
}

template <typename T>
void AddObjects(const std::vector<T>& from, std::string_view api_version, std::string_view kind,
                std::vector<std::string>& objects) {
  for (T object : from) {
    object.type = {.kind = std::string(kind), .api_version = std::string(api_version)};
    objects.push_back(api::EncodeJson(object));
  }
}

// As JSON, in the order in which they are to be read.
std::vector<std::string> ObjectsOf(const diagnosis::Repair& repair, const Written& written) {
  std::vector<std::string> objects;
  AddObjects(repair.templates, "resource.k8s.io/v1", "ResourceClaimTemplate", objects);
  AddObjects(repair.claims, "resource.k8s.io/v1", "ResourceClaim", objects);
  AddRepaired(written, "Pod", repair.pods, objects);
  AddRepaired(written, "Node", repair.nodes, objects);
  return objects;
}

// YAML with the fix as its comment, unless another format is asked for.
ExitCode PrintObjects(const std::vector<std::string>& objects, const std::string& fix,
                      const std::string& format, Console& console) {
  if (IsDocumentFormat(format) && format != "yaml") {
    return PrintDocument(DocumentOfObjects(objects), format, ExitCode::kYes, console);
  }
  PrintLine(console.out, "# " + fix);
  for (const std::string& object : objects) {
    console.out << "---\n" << AsYaml(object);
  }
  return ExitCode::kYes;
}

ExitCode PrintFix(const offline::Dump& dump, const Written& written, const Explained& explained,
                  const Invocation& invocation, Console& console) {
  const std::string wanted = invocation.Value("fix");
  const auto& fixes = explained.answer.fixes.found;
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(wanted.data(), wanted.data() + wanted.size(), number);
  if (error != std::errc() || end != wanted.data() + wanted.size() || number == 0 ||
      number > fixes.size()) {
    console.err << fmt::format("error: there is no fix {}: {} found\n", wanted,
                               fixes.empty() ? "none was" : fmt::format("{} were", fixes.size()));
    return ExitCode::kUsage;
  }
  const diagnosis::Repair repair =
      diagnosis::RepairOf(dump.cluster(), fixes[number - 1], explained.pod);
  return PrintObjects(ObjectsOf(repair, written), fixes[number - 1].text,
                      invocation.Value("output"), console);
}

// The command that asks about this subject alone.
std::string CommandOf(const Invocation& invocation, const diagnosis::Diagnosis& diagnosis,
                      bool by_name) {
  std::string command =
      invocation.program + " explain " +
      (by_name ? fmt::format("{}", fmt::join(invocation.arguments, " ")) : diagnosis.subject);
  if (!by_name || invocation.Has("namespace")) {
    command += " -n " + (by_name ? invocation.Value("namespace") : diagnosis.ns);
  }
  for (const std::string& file : invocation.Values(kDumpFlag.name)) {
    command += " -f " + file;
  }
  return command;
}

// Neither yes nor no.
bool IsNotKnown(const diagnosis::Diagnosis& diagnosis) {
  const reasons::Code code = diagnosis.key.code;
  return diagnosis.state == diagnosis::Diagnosis::State::kWouldNot &&
         (code == reasons::Code::kNotModelled || code == reasons::Code::kUndecided);
}

ExitCode CodeFor(const Explained& explained) {
  if (explained.partial || IsNotKnown(explained.answer)) {
    return ExitCode::kPartial;
  }
  return explained.answer.state == diagnosis::Diagnosis::State::kWouldNot ? ExitCode::kNo
                                                                          : ExitCode::kYes;
}

ExitCode WorstOf(const std::vector<Explained>& all) {
  ExitCode code = ExitCode::kYes;
  for (const Explained& explained : all) {
    code = Worst(code, CodeFor(explained));
  }
  return code;
}

std::vector<std::string> ItemsOf(const std::vector<Explained>& all) {
  std::vector<std::string> items;
  items.reserve(all.size());
  for (const Explained& explained : all) {
    items.push_back(DiagnosisJson(explained.answer));
  }
  return items;
}

// One explanation by itself; of many a list, also where the many are one.
std::string DocumentOf(const std::vector<Explained>& all, bool by_name) {
  const std::vector<std::string> items = ItemsOf(all);
  std::string document;
  json::Writer(document, 2).Raw(by_name ? items.front() : ExplanationList(items));
  return document + "\n";
}

Status Sort(std::vector<Explained>& all, const std::string& field) {
  if (field.empty()) {
    return {};
  }
  QUADRA_TRY(const std::vector<std::size_t> order, OrderBy(field, ItemsOf(all)));
  std::vector<Explained> sorted;
  sorted.reserve(all.size());
  for (const std::size_t i : order) {
    sorted.push_back(std::move(all[i]));
  }
  all = std::move(sorted);
  return {};
}

void PrintNames(const std::vector<Explained>& all, std::ostream& out) {
  for (const Explained& explained : all) {
    if (explained.answer.state == diagnosis::Diagnosis::State::kWouldNot) {
      PrintLine(out, explained.answer.subject);
    }
  }
}

// What all of them have in common is said once.
void PrintNotes(const std::vector<Explained>& all, Console& console) {
  std::set<std::string> remarks;
  for (const Explained& explained : all) {
    remarks.insert(explained.remarks.begin(), explained.remarks.end());
  }
  for (const std::string& remark : remarks) {
    PrintLine(console.err, "note: " + remark);
  }
  if (!all.empty() && all.front().partial) {
    console.err
        << "note: the files hold no nodes; those that slices name are taken, without labels "
           "and taints\n";
  }
}

ExitCode Print(const std::vector<Explained>& all, const ExplainSubject& subject,
               const Invocation& invocation, Console& console) {
  const std::string format = invocation.Value("output");
  const bool by_name = !subject.name.empty();
  if (IsDocumentFormat(format)) {
    return PrintDocument(DocumentOf(all, by_name), format, WorstOf(all), console);
  }
  if (format.starts_with(kCustomColumns)) {
    return PrintedOr(PrintColumns(format.substr(kCustomColumns.size()), ItemsOf(all),
                                  !invocation.Has("no-headers"), console.out),
                     WorstOf(all), console);
  }
  if (format == "name") {
    PrintNames(all, console.out);
    return WorstOf(all);
  }
  for (const Explained& explained : all) {
    console.out << (&explained == &all.front() ? "" : "\n");
    PrintDiagnosis(explained.answer,
                   {.headings = !invocation.Has("no-headers"),
                    .all_nodes = invocation.Has("all-nodes") || format == "wide",
                    .next_prefix = CommandOf(invocation, explained.answer, by_name)},
                   console);
  }
  if (all.empty()) {
    console.err << fmt::format("No {}s found.\n", subject.kind);
  }
  PrintNotes(all, console);
  return WorstOf(all);
}

// What is asked for, in the order asked for.
Result<std::vector<Explained>> Answers(offline::Dump& dump, const ExplainSubject& subject,
                                       const Invocation& invocation,
                                       selector::ExpressionCache& expressions) {
  QUADRA_RETURN_IF_ERROR(CheckNode(dump.cluster().Take(), invocation.Value("node")));
  QUADRA_TRY(std::vector<Explained> all, Explain(dump, subject, invocation, expressions));
  QUADRA_RETURN_IF_ERROR(Sort(all, invocation.Value(kSortByFlag.name)));
  return all;
}

ExitCode RunExplain(const Invocation& invocation, Console& console) {
  const auto refuse = [&](const Error& error) {
    return RefuseUsage(error, invocation.program, FindVerb("explain"), console);
  };
  const Result<ExplainSubject> subject = ReadExplainSubject(invocation);
  if (!subject) {
    return refuse(subject.error());
  }
  if (!invocation.Has(kDumpFlag.name)) {
    return refuse(
        {.kind = ErrorKind::kUsage, .message = "which cluster? Give a dump with -f FILE"});
  }
  const Result<api::FeatureGates> gates = ReadFeatureGates(invocation);
  if (!gates) {
    return refuse(gates.error());
  }
  const SystemTimeZones zones;
  const selector::Language language(&zones);
  offline::Dump dump(language, *gates);
  Written written;
  const ExitCode read = ReadDump(invocation, console, dump,
                                 [&](const json::Manifest& manifest, const api::Identity& id) {
                                   if (invocation.Has("fix")) {
                                     Keep(manifest, id, written);
                                   }
                                 });
  if (read == ExitCode::kUsage) {
    return read;
  }
  selector::ExpressionCache expressions(language);
  const Result<std::vector<Explained>> explained = Answers(dump, *subject, invocation, expressions);
  if (!explained) {
    PrintLine(console.err, "error: " + explained.error().ToString());
    return ExitCode::kUsage;
  }
  const ExitCode printed = invocation.Has("fix")
                               ? PrintFix(dump, written, explained->front(), invocation, console)
                               : Print(*explained, *subject, invocation, console);
  return Worst(read, printed);
}

}  // namespace

const Verb kExplainVerb{
    .name = "explain",
    .synopsis =
        "pod/NAME | claim/NAME | pod NAME | claim NAME | pods|claims [-l SELECTOR] -f FILE… [-n "
        "NAMESPACE] [--all-nodes] "
        "[--fix NUMBER] [-o FORMAT]",
    .summary = "say why a pod or claim waits for devices, and what would help",
    .description =
        "Asks every node of a dump for the devices of a pod or of a claim, in the state that the "
        "dump shows: pods that wait too are not served first (quadra allocate does that). Prints "
        "the reason that counts, with its code (docs/reasons.md); how many devices, on how many "
        "nodes, are left after each step; the nodes grouped by reason, then those that come "
        "nearest, with who holds what the pod could use; and fixes. A fix is printed only after "
        "the pod was placed, as allocate does, in a copy of the cluster with the fix in it: wait "
        "for a claim, delete one that is leaked, free devices, lower a count or a capacity, "
        "tolerate a taint, replace the constant of a selector by a published value, drop a "
        "selector "
        "or a constraint, use another class, tolerate a taint of a node, uncordon it, or give up a "
        "label of the pod's nodeSelector.\n"
        "The answer is kube-scheduler's: one device on which a selector fails keeps the pod from "
        "all nodes. --lenient answers as Quadra's own scheduler, which passes over that device. "
        "The "
        "pod's PodScheduled condition is printed beside the answer, and where it contradicts that "
        "is said.\n"
        "--fix NUMBER prints the objects that a fix changes. A claim's spec cannot be changed in a "
        "cluster: delete the claim and create it anew.\n"
        "A pod or claim that has its devices is told which, and why on that node. `pods` or "
        "`claims` without a name explains all of the dump, of a namespace (-n) or with labels "
        "(-l), one after the other; -o name then lists those that do not get their devices. Exit "
        "status 0: they have or would get their devices; 1: one would not; 2: the input is wrong; "
        "5: not known, since the files do not say enough or the search ran out of its budget.",
    .examples =
        "  quadra explain pod/train-7 -n team-a -f dump.yaml\n"
        "  quadra explain claim/train-7-gpu -f dump.yaml --all-nodes\n"
        "  quadra explain pods -l app=train -f dump.yaml -o name\n"
        "  quadra explain pod/train-7 -f dump.yaml --fix 1 > fix.yaml && quadra allocate -f "
        "dump.yaml -f fix.yaml\n",
    .flags = kFlags,
    .argument_choices = "pods claims",
    .most_arguments = 2,
    .run = RunExplain,
};

}  // namespace quadra::cli

#include <array>
#include <charconv>
#include <list>
#include <map>
#include <optional>
#include <ostream>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "api/object.h"
#include "base/check.h"
#include "base/time_zones.h"
#include "cli/apply_fix.h"
#include "cli/columns.h"
#include "cli/document.h"
#include "cli/dump_input.h"
#include "cli/explain_fix.h"
#include "cli/explain_report.h"
#include "cli/explain_subject.h"
#include "cli/feature_gates.h"
#include "cli/last_attempt.h"
#include "cli/line.h"
#include "cli/live.h"
#include "cli/needs.h"
#include "cli/progress.h"
#include "cli/strictness_flags.h"
#include "cli/verb.h"
#include "cli/words.h"
#include "diagnosis/report.h"
#include "placement/place.h"

namespace quadra::cli {
namespace {

constexpr Flag kNodeFlag{.name = "node", .value = "NAME", .help = "Only look at this node."};

constexpr auto kExplainFlags = WithAccessFlags(std::array{
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
    kNodeFlag,
    Flag{.name = "state",
         .value = "VERDICT",
         .choices = "has wouldGet wouldNot notKnown wantsNone passedOver",
         .help = "With pods or claims: only those with this verdict."},
    Flag{.name = "fix",
         .value = "NUMBER",
         .help = "Print the objects that this fix changes, as YAML or as -o says. Read behind the "
                 "dump, they make the pod or claim fit."},
    Flag{.name = "apply",
         .help =
             "With --fix, of a cluster that runs: say what has to be deleted and made anew, ask, "
             "and do it."},
    Flag{.name = "yes", .letter = 'y', .help = "With --apply: do not ask."},
    Flag{.name = "output",
         .letter = 'o',
         .value = "FORMAT",
         .choices = "table wide name json yaml jsonpath= custom-columns=",
         .help = "table (the default); wide lists every node; name prints pod/NAME or claim/NAME "
                 "of those that do not get their devices; json and yaml print the whole "
                 "explanation, jsonpath=TEMPLATE what kubectl's jsonpath template prints of it, "
                 "custom-columns=HEADING:FIELD,… a table of such fields."},
    kSortByFlag,
    kStrictFlag,
    kLenientFlag,
    Flag{.name = "no-headers", .help = "Print tables without their headings."},
    kFeatureGatesFlag,
});

struct Explained {
  diagnosis::Diagnosis answer;
  const api::Pod* pod = nullptr;  // null: a claim
};

struct Explanation {
  std::vector<Explained> all;
  bool partial = false;           // the files hold no nodes
  bool lacks_claims = false;      // see Placer::lacks_claims
  std::set<std::string> remarks;  // see Placer::remarks
};

struct ExplainTask {
  ExplainSubject subject;
  api::FeatureGates gates;
  placement::PlaceOptions place;
};

Result<ExplainTask> ReadExplainTask(const Invocation& invocation) {
  ExplainTask task;
  QUADRA_TRY(task.subject, ReadExplainSubject(invocation));
  QUADRA_TRY(task.gates, ReadFeatureGates(invocation));
  QUADRA_TRY(task.place.strict, ReadStrict(invocation, true));
  if (invocation.Has("node")) {
    task.place.node = invocation.Value("node");
  }
  return task;
}

const api::Pod* AsPod(const api::Pod* pod) { return pod; }
const api::Pod* AsPod(const api::ResourceClaim* /*claim*/) { return nullptr; }

// Empty: all.
bool HasState(const diagnosis::Diagnosis& answer, const std::string& state) {
  return state.empty() || VerdictOf(answer) == state;
}

template <typename T, typename Diagnose>
Result<std::vector<Explained>> ExplainEach(const std::list<T>& objects,
                                           const ExplainSubject& subject,
                                           const Diagnose& diagnose) {
  QUADRA_TRY(const std::vector<const T*> chosen, Choose(objects, subject));
  std::vector<Explained> explained;
  explained.reserve(chosen.size());
  for (const T* object : chosen) {
    if (diagnosis::Diagnosis answer = diagnose(*object); HasState(answer, subject.state)) {
      explained.push_back({.answer = std::move(answer), .pod = AsPod(object)});
    }
  }
  return explained;
}

// Whether something that is printed needs more of the nodes than the nearest few.
bool WantsAllNodes(const Invocation& invocation) {
  const std::string format = invocation.Value("output");
  return invocation.Has("all-nodes") || invocation.Has("fix") || IsDocumentFormat(format) ||
         format == "wide" || format.starts_with(kCustomColumns) || invocation.Has(kSortByFlag.name);
}

Result<std::vector<Explained>> ExplainAll(const placement::Cluster& cluster,
                                          const ExplainSubject& subject, placement::Placer& placer,
                                          bool all_nodes) {
  if (subject.kind == "pod") {
    diagnosis::LikePods pods(placer, all_nodes ? static_cast<std::size_t>(-1) : kFewNodes);
    return ExplainEach(cluster.pods().all(), subject,
                       [&](const api::Pod& pod) { return pods.Diagnose(pod); });
  }
  return ExplainEach(cluster.claims().all(), subject, [&](const api::ResourceClaim& claim) {
    return diagnosis::DiagnoseClaim(placer, claim);
  });
}

// With its value where it has one; empty where it was not given.
std::string GivenFlag(const Invocation& invocation, const Flag& flag) {
  if (!invocation.Has(flag.name)) {
    return "";
  }
  return fmt::format(" --{}{}{}", flag.name, flag.value.empty() ? "" : " ",
                     flag.value.empty() ? "" : ShellWord(invocation.Value(flag.name)));
}

// The command that asks about this subject alone, the same way, for a shell.
std::string CommandOf(const Invocation& invocation, const diagnosis::Diagnosis& diagnosis,
                      bool by_name) {
  std::string command = invocation.program + " explain";
  for (const std::string& word :
       by_name ? invocation.arguments : std::vector<std::string>{diagnosis.subject}) {
    command += " " + ShellWord(word);
  }
  if (!by_name || invocation.Has("namespace")) {
    command += " -n " + ShellWord(by_name ? invocation.Value("namespace") : diagnosis.ns);
  }
  for (const std::string& file : invocation.Values(kDumpFlag.name)) {
    command += " -f " + ShellWord(file);
  }
  for (const Flag& flag :
       {kRecursiveFlag, kNodeFlag, kStrictFlag, kLenientFlag, kFeatureGatesFlag}) {
    command += GivenFlag(invocation, flag);
  }
  for (const Flag& flag : kAccessFlags) {
    command += flag.name == kTokenFlag.name ? "" : GivenFlag(invocation, flag);  // no secrets
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
  if (IsNotKnown(explained.answer)) {
    return ExitCode::kPartial;
  }
  return explained.answer.state == diagnosis::Diagnosis::State::kWouldNot ? ExitCode::kNo
                                                                          : ExitCode::kYes;
}

ExitCode WorstOf(const Explanation& explanation) {
  const bool partial = explanation.partial && !explanation.all.empty();
  ExitCode code = partial ? ExitCode::kPartial : ExitCode::kYes;
  for (const Explained& explained : explanation.all) {
    const bool may_be_held = explanation.lacks_claims &&
                             explained.answer.state == diagnosis::Diagnosis::State::kWouldGet;
    code = Worst(code, may_be_held ? ExitCode::kPartial : CodeFor(explained));
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

Status SortExplained(std::vector<Explained>& all, const std::string& field) {
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

void PrintRefused(const std::vector<Explained>& all, std::ostream& out) {
  for (const Explained& explained : all) {
    if (explained.answer.state == diagnosis::Diagnosis::State::kWouldNot) {
      PrintLine(out, explained.answer.subject);
    }
  }
}

// A claim does, and a pod that has claims or asks for extended resources.
bool WantsDevices(const api::Pod* pod) {
  return pod == nullptr || !pod->spec.resource_claims.empty() || placement::AsksForExtended(*pod);
}

ExitCode PrintExplanation(const Explanation& explanation, const ExplainSubject& subject,
                          const Invocation& invocation, Console& console) {
  const std::vector<Explained>& all = explanation.all;
  const ExitCode code = WorstOf(explanation);
  const std::string format = invocation.Value("output");
  const bool by_name = !subject.name.empty();
  if (IsDocumentFormat(format)) {
    return PrintDocument(DocumentOf(all, by_name), format, code, console);
  }
  if (format.starts_with(kCustomColumns)) {
    return PrintedOr(PrintColumns(format.substr(kCustomColumns.size()), ItemsOf(all),
                                  !invocation.Has("no-headers"), console.out),
                     code, console);
  }
  if (format == "name") {
    PrintRefused(all, console.out);
    return code;
  }
  for (const Explained& explained : all) {
    console.out << (&explained == &all.front() ? "" : "\n");
    PrintDiagnosis(explained.answer,
                   {.headings = !invocation.Has("no-headers"),
                    .all_nodes = invocation.Has("all-nodes") || format == "wide",
                    .next_prefix = CommandOf(invocation, explained.answer, by_name),
                    .wants_devices = WantsDevices(explained.pod)},
                   console);
  }
  if (all.empty()) {
    console.err << fmt::format("No {}s found.\n", subject.kind);
  }
  // What all of them have in common is said once.
  PrintRemarks(explanation.remarks, explanation.partial && !explanation.all.empty(), subject.holds,
               console);
  return code;
}

// What is asked for, in the order asked for.
Result<Explanation> Explain(offline::Dump& dump, const ExplainTask& task,
                            const selector::Language& language, const Invocation& invocation,
                            Console& console) {
  QUADRA_RETURN_IF_ERROR(
      CheckNode(dump.cluster().Take(), invocation.Value("node"), task.subject.holds));
  selector::ExpressionCache expressions(language);
  Progress progress(console, "explaining", {.steps_between_looks = 1});
  placement::PlaceOptions options = task.place;
  options.on_search = [&] { progress.Step("searches"); };
  placement::Placer placer(dump.cluster(), options, expressions);
  Explanation explanation{.all = {},
                          .partial = placer.nodes_are_derived(),
                          .lacks_claims = placer.lacks_claims(),
                          .remarks = {}};
  QUADRA_TRY(explanation.all,
             ExplainAll(dump.cluster(), task.subject, placer, WantsAllNodes(invocation)));
  QUADRA_RETURN_IF_ERROR(SortExplained(explanation.all, invocation.Value(kSortByFlag.name)));
  explanation.remarks = placer.remarks();
  return explanation;
}

bool IsForPeople(std::string_view format) {
  return format.empty() || format == "table" || format == "wide";
}

// Prints the fix, or has it done.
ExitCode Repair(Source& source, const offline::Dump& dump, const Written& written,
                const Explained& explained, const Invocation& invocation, Console& console) {
  const Result<ChosenFix> fix =
      ChooseFix(invocation.Value("fix"), dump.cluster(), explained.answer, explained.pod, written);
  if (!fix) {
    PrintLine(console.err, "error: " + fix.error().ToString());
    return ExitCode::kUsage;
  }
  return invocation.Has("apply")
             ? ApplyFix(*fix, *source.session(), {.asks = !invocation.Has("yes")}, console)
             : PrintFix(*fix, invocation.Value("output"), console);
}

Status CheckApply(const Source& source, const Invocation& invocation) {
  if (!invocation.Has("apply")) {
    return {};
  }
  if (!invocation.Has("fix")) {
    return Fail(Usage("--apply needs --fix NUMBER", "run it without both to see which there are"));
  }
  return source.session() != nullptr && !source.has_files()
             ? Status()
             : Fail(Usage("--apply changes a cluster that runs, not files",
                          "leave out -f, or print the fix without --apply"));
}

// The explanation, and of one pod of a cluster that runs what its scheduler remembers.
ExitCode Tell(Source& source, const Explanation& explanation, const ExplainSubject& subject,
              const Invocation& invocation, Console& console) {
  const ExitCode printed = PrintExplanation(explanation, subject, invocation, console);
  const bool is_one = subject.kind == "pod" && !subject.name.empty() && explanation.all.size() == 1;
  if (is_one && source.live() && !source.has_files() && IsForPeople(invocation.Value("output"))) {
    PrintLastAttempt(*source.session(), explanation.all.front().answer.ns, subject.name, console);
  }
  return printed;
}

Result<ExplainTask> ReadTaskOf(const Source& source, const Invocation& invocation) {
  QUADRA_TRY(ExplainTask task, ReadExplainTask(invocation));
  QUADRA_RETURN_IF_ERROR(CheckApply(source, invocation));
  task.subject.holds = source.holds();
  task.place.whole = source.live();
  return task;
}

ExitCode ExplainFrom(Source& source, const Invocation& invocation, Console& console) {
  const Result<ExplainTask> task = ReadTaskOf(source, invocation);
  if (!task) {
    return RefuseUsage(task.error(), invocation.program, FindVerb("explain"), console);
  }
  const SystemTimeZones zones;
  const selector::Language language(&zones);
  offline::Dump dump(language, task->gates);
  Written written;
  const auto keep = [&](const json::Manifest& manifest, const api::Identity& identity) {
    if (invocation.Has("fix")) {
      KeepWritten(manifest, identity, written);
    }
  };
  const auto asked = [&](const api::Identity& identity) {
    return identity.name == task->subject.name;
  };
  const ExitCode read =
      ReadDump(source, NeedsOfPlacing(), console, dump, {.seen = keep, .asked = asked});
  if (IsNoAnswer(read)) {
    return read;
  }
  const Result<Explanation> explained = Explain(dump, *task, language, invocation, console);
  if (!explained) {
    PrintLine(console.err, "error: " + explained.error().ToString());
    return ExitCode::kUsage;
  }
  return Worst(read,
               invocation.Has("fix")
                   ? Repair(source, dump, written, explained->all.front(), invocation, console)
                   : Tell(source, *explained, task->subject, invocation, console));
}

ExitCode RunExplain(const Invocation& invocation, Console& console) {
  if (const Result<ExplainTask> task = ReadExplainTask(invocation); !task) {
    return RefuseUsage(task.error(), invocation.program, FindVerb("explain"), console);
  }
  Sourced<Source> source = Source::Of(invocation, console);
  return source ? ExplainFrom(*source, source->Complete(invocation), console)
                : RefuseSource(source.error(), console);
}

}  // namespace

const Verb kExplainVerb{
    .name = "explain",
    .synopsis =
        "pod/NAME | claim/NAME | pod NAME | claim NAME | pods|claims [-l SELECTOR] [-f FILE…] [-n "
        "NAMESPACE] [--all-nodes] "
        "[--fix NUMBER [--apply]] [-o FORMAT]",
    .summary = "say why a pod or claim waits for devices, and what would help",
    .description =
        "Asks every node of a cluster, or of a dump, for the devices of a pod or of a claim, in "
        "the state that the "
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
        "--fix NUMBER prints the objects that a fix changes. Specs of claims, templates and pods "
        "cannot be changed in a cluster: with --apply they are deleted and made anew, under the "
        "same names, after saying so and asking. A pod that a controller owns is left alone: its "
        "owner is what to change.\n"
        "A pod or claim that has its devices is told which, and why on that node. `pods` or "
        "`claims` without a name explains all of the dump, of a namespace (-n) or with labels "
        "(-l), one after the other; -o name then lists those that do not get their devices. Exit "
        "status 0: they have or would get their devices; 1: one would not; 2: the input is wrong; "
        "5: not known, since the files do not say enough or the search ran out of its budget.",
    .examples =
        "  quadra explain pod/train-7 -n team-a\n"
        "  quadra explain pod/train-7 -n team-a --fix 1 --apply\n"
        "  quadra explain pod/train-7 -n team-a -f dump.yaml\n"
        "  quadra explain claim/train-7-gpu -f dump.yaml --all-nodes\n"
        "  quadra explain pods -l app=train -f dump.yaml -o name\n"
        "  quadra explain pod/train-7 -f dump.yaml --fix 1 > fix.yaml && quadra allocate -f "
        "dump.yaml -f fix.yaml\n",
    .flags = kExplainFlags,
    .argument_choices = "pods claims",
    .most_arguments = 2,
    .run = RunExplain,
};

}  // namespace quadra::cli

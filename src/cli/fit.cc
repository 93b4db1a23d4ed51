#include <array>
#include <charconv>
#include <list>
#include <optional>
#include <ostream>
#include <string>

#include <fmt/format.h>

#include "base/time_zones.h"
#include "cli/dump_input.h"
#include "cli/explain_subject.h"
#include "cli/feature_gates.h"
#include "cli/fit_report.h"
#include "cli/line.h"
#include "cli/live.h"
#include "cli/needs.h"
#include "cli/placement_flag.h"
#include "cli/progress.h"
#include "cli/strictness_flags.h"
#include "cli/verb.h"
#include "diagnosis/report.h"
#include "offline/workload.h"
#include "placement/place.h"

namespace quadra::cli {
namespace {

constexpr std::size_t kMostReplicas = 100'000;
constexpr std::size_t kMostCounted = 10'000;  // where nobody says how many are wanted

constexpr auto kFitFlags = WithAccessFlags(std::array{
    kDumpFlag,
    kRecursiveFlag,
    Flag{.name = "template",
         .value = "NAME",
         .help = "The ResourceClaimTemplate that pods get one claim from; NAMESPACE/NAME, or NAME "
                 "where the files hold one of that name."},
    Flag{.name = "replicas",
         .value = "NUMBER",
         .help =
             "How many are wanted: exit status 0 if so many fit, 1 if not. Counting stops there; "
             "without it at 10000."},
    Flag{.name = "namespace",
         .letter = 'n',
         .value = "NAMESPACE",
         .help = "Where the model is. Not needed where the files hold one of that name."},
    kAllNamespacesFlag,
    Flag{.name = "node", .value = "NAME", .help = "Only look at this node."},
    Flag{.name = "output",
         .letter = 'o',
         .value = "FORMAT",
         .choices = "table wide name json yaml jsonpath=",
         .help = "table (the default); wide lists also nodes that take none; name prints node/NAME "
                 "of those that take some; json and yaml print the whole answer, jsonpath=TEMPLATE "
                 "what kubectl's jsonpath template prints of it."},
    Flag{.name = "no-headers", .help = "Print tables without their headings."},
    kPlacementFlag,
    kStrictFlag,
    kLenientFlag,
    kFeatureGatesFlag,
});

constexpr std::array kModels = {
    KindWords{"pod", {"pod", "pods", "po"}},
    KindWords{"template",
              {"template", "templates", "resourceclaimtemplate", "resourceclaimtemplates"}},
    KindWords{"deployment", {"deployment", "deployments", "deploy"}},
    KindWords{"replicaset", {"replicaset", "replicasets", "rs"}},
    KindWords{"statefulset", {"statefulset", "statefulsets", "sts"}},
    KindWords{"job", {"job", "jobs"}},
};

struct FitTask {
  ExplainSubject model;
  api::FeatureGates gates;
  placement::PlaceOptions place;
  std::optional<std::size_t> replicas;
};

Result<std::optional<std::size_t>> ReadReplicas(const Invocation& invocation) {
  if (!invocation.Has("replicas")) {
    return std::nullopt;
  }
  const std::string text = invocation.Value("replicas");
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || number == 0 ||
      number > kMostReplicas) {
    return Fail(
        Usage(fmt::format("--replicas: \"{}\" is no number from 1 to {}", text, kMostReplicas)));
  }
  return number;
}

// template/NAME for --template NAME.
Result<std::string> ModelWords(const Invocation& invocation) {
  const bool by_template = invocation.Has("template");
  if (by_template == !invocation.arguments.empty()) {
    return Fail(Usage(by_template ? "give --template or a model like pod/NAME, not both"
                                  : "how many of what? Give --template NAME, pod/NAME or "
                                    "deployment/NAME"));
  }
  return by_template ? "template/" + invocation.Value("template") : SubjectWords(invocation);
}

Result<ExplainSubject> ReadModel(const Invocation& invocation) {
  QUADRA_TRY(const std::string text, ModelWords(invocation));
  const std::size_t slash = text.find('/');
  ExplainSubject model{.kind = KindNamed(std::string_view(text).substr(0, slash), kModels),
                       .name = slash == std::string::npos ? "" : text.substr(slash + 1),
                       .ns = NamespaceOf(invocation),
                       .scope = {}};
  if (model.kind == "template" && model.name.find('/') != std::string::npos) {
    model.ns = model.name.substr(0, model.name.find('/'));
    model.name.erase(0, model.ns.size() + 1);
  }
  if (model.kind.empty() || model.name.empty()) {
    return Fail(Usage(fmt::format(
        "\"{}\" is none of pod/NAME, deployment/NAME, replicaset/NAME, statefulset/NAME, job/NAME "
        "and template/NAME",
        text)));
  }
  model.scope = Scope::Of(model.ns);
  return model;
}

Result<FitTask> ReadFitTask(const Invocation& invocation) {
  FitTask task;
  QUADRA_TRY(task.model, ReadModel(invocation));
  QUADRA_TRY(task.replicas, ReadReplicas(invocation));
  QUADRA_TRY(task.gates, ReadFeatureGates(invocation));
  QUADRA_TRY(task.place.strict, ReadStrict(invocation, true));
  task.place.placement = ReadPlacement(invocation);
  if (invocation.Has("node")) {
    task.place.node = invocation.Value("node");
  }
  return task;
}

// --- The model.

// Workloads of the files, of the model's kind: the dump keeps only the pods they make.
struct Workload {
  json::Manifest manifest;
  std::string name;
};

bool IsOfKind(const api::Identity& identity, const ExplainSubject& model) {
  return offline::IsWorkload(identity.api_version, identity.kind) &&
         identity.Title().starts_with(std::string(model.kind) + "/");
}

// One pod each; what cannot be read matters only where it is asked about.
Result<std::list<api::Pod>> PodsOf(const std::list<Workload>& workloads,
                                   const ExplainSubject& model) {
  std::list<api::Pod> pods;
  for (const auto& [manifest, name] : workloads) {
    Result<api::Pod> pod = offline::ModelOf(manifest.json());
    if (pod) {
      pods.push_back(*std::move(pod));
    } else if (name == model.name) {
      return Fail(
          {.kind = pod.error().kind,
           .message = fmt::format("{}:{}: {}/{}: {}", manifest.file(), manifest.start().line,
                                  model.kind, name, pod.error().ToString())});
    }
  }
  return pods;
}

Result<api::Pod> FindModel(placement::Cluster& cluster, const std::list<Workload>& workloads,
                           const ExplainSubject& model) {
  if (model.kind == "template") {
    QUADRA_TRY(const auto found, Choose(cluster.templates().all(), model));
    return diagnosis::PodWith(*found.front(), cluster.Take().nodes());
  }
  if (model.kind == "pod") {
    QUADRA_TRY(const auto found, Choose(cluster.pods().all(), model));
    return *found.front();
  }
  QUADRA_TRY(const std::list<api::Pod> pods, PodsOf(workloads, model));
  QUADRA_TRY(const auto found, Choose(pods, model));
  return *found.front();
}

// --- The answer.

ExitCode CodeOfFit(const FitAnswer& answer, const placement::Placer& placer) {
  if (placer.nodes_are_derived()) {
    return ExitCode::kPartial;
  }
  const std::optional<diagnosis::Diagnosis>& next = answer.fits.next;
  if (answer.enough() || !next) {
    return placer.lacks_claims() ? ExitCode::kPartial : ExitCode::kYes;
  }
  const reasons::Code code = next->key.code;
  const bool unknown = code == reasons::Code::kNotModelled || code == reasons::Code::kUndecided;
  return unknown ? ExitCode::kPartial : ExitCode::kNo;
}

ExitCode Answer(placement::Cluster& cluster, const FitTask& task, const api::Pod& model,
                const selector::Language& language, const Invocation& invocation,
                Console& console) {
  selector::ExpressionCache expressions(language);
  placement::Placer placer(cluster, task.place, expressions);
  FitAnswer answer{.subject = fmt::format("{}/{}", task.model.kind, task.model.name),
                   .ns = model.metadata.ns,
                   .claims = model.spec.resource_claims.size(),
                   .replicas = task.replicas,
                   .fits = {}};
  {
    Progress progress(console, "placing", {.total = task.replicas.value_or(0)});
    answer.fits = diagnosis::CountFits(placer, model, task.replicas.value_or(kMostCounted),
                                       [&] { progress.Step("done"); });
  }
  const ExitCode code =
      PrintFits(answer,
                {.format = invocation.Has("output") ? invocation.Value("output") : "table",
                 .headings = !invocation.Has("no-headers")},
                CodeOfFit(answer, placer), console);
  PrintRemarks(placer.remarks(), placer.nodes_are_derived(), task.model.holds, console);
  return code;
}

// A workload that is the model is read besides.
std::vector<live::Need> NeedsOfFit(const ExplainSubject& model) {
  struct WorkloadKind {
    std::string_view word;
    std::string_view api_version;
    std::string_view kind;
  };
  constexpr std::array kWorkloads = {WorkloadKind{"deployment", "apps/v1", "Deployment"},
                                     WorkloadKind{"replicaset", "apps/v1", "ReplicaSet"},
                                     WorkloadKind{"statefulset", "apps/v1", "StatefulSet"},
                                     WorkloadKind{"job", "batch/v1", "Job"}};
  std::vector<live::Need> needs = NeedsOfPlacing();
  for (const WorkloadKind& workload : kWorkloads) {
    if (workload.word == model.kind) {
      needs.push_back({.resource = client::ResourceFor(workload.api_version, workload.kind),
                       .choice = ByName(model.ns, model.name),
                       .vital = true});
    }
  }
  return needs;
}

ExitCode FitFrom(Source& source, const Invocation& invocation, Console& console) {
  Result<FitTask> task = ReadFitTask(invocation);
  if (!task) {
    return RefuseUsage(task.error(), invocation.program, FindVerb("fit"), console);
  }
  task->model.holds = source.holds();
  task->place.whole = source.live();
  const SystemTimeZones zones;
  const selector::Language language(&zones);
  offline::Dump dump(language, task->gates);
  std::list<Workload> workloads;
  const auto keep = [&](const json::Manifest& manifest, const api::Identity& identity) {
    if (IsOfKind(identity, task->model)) {
      workloads.push_back({.manifest = manifest, .name = identity.name});
    }
  };
  const auto asked = [&](const api::Identity& identity) {
    return identity.name == task->model.name;
  };
  const ExitCode read =
      ReadDump(source, NeedsOfFit(task->model), console, dump, {.seen = keep, .asked = asked});
  if (IsNoAnswer(read)) {
    return read;
  }
  Result<api::Pod> model = FindModel(dump.cluster(), workloads, task->model);
  if (const Status node =
          CheckNode(dump.cluster().Take(), invocation.Value("node"), source.holds());
      !node) {
    model = Fail(node.error());
  }
  if (!model) {
    PrintLine(console.err, "error: " + model.error().ToString());
    return ExitCode::kUsage;
  }
  return Worst(read, Answer(dump.cluster(), *task, *model, language, invocation, console));
}

ExitCode RunFit(const Invocation& invocation, Console& console) {
  if (const Result<FitTask> task = ReadFitTask(invocation); !task) {
    return RefuseUsage(task.error(), invocation.program, FindVerb("fit"), console);
  }
  Sourced<Source> source = Source::Of(invocation, console);
  return source ? FitFrom(*source, source->Complete(invocation), console)
                : RefuseSource(source.error(), console);
}

}  // namespace

const Verb kFitVerb{
    .name = "fit",
    .synopsis =
        "--template NAME | pod/NAME | deployment/NAME | statefulset/NAME | replicaset/NAME | "
        "job/NAME [-f FILE…] [--replicas NUMBER] [--node NAME] [-n NAMESPACE] [-o FORMAT]",
    .summary = "say how many more pods like this one fit, where, and what limits them",
    .description =
        "Reads a cluster, or a dump of one, and places copies of a pod on it, one after the other, "
        "as "
        "allocate does, until one does not fit: how many do, on which nodes, and for each node and "
        "for the next pod the reason why no more do, with its code (docs/reasons.md). What waits "
        "in "
        "the dump, the model too, is not placed first.\n"
        "The model is a pod of the files, the pod that a Deployment, StatefulSet, ReplicaSet or "
        "Job "
        "makes, or any pod with one claim from a ResourceClaimTemplate: since a template says "
        "nothing about nodes, that pod tolerates their taints, but for those of "
        "node.kubernetes.io (cordoned, not ready). Each copy gets claims of its own from its "
        "templates; a claim that the model names is shared by all.\n"
        "Exit status 0: as many as --replicas says fit, without it one at least; 1: not so many; "
        "2: the input is wrong; 5: not known, since the files do not say enough or the search ran "
        "out of its budget.",
    .examples =
        "  quadra fit --template team-a/one-gpu -f dump.yaml\n"
        "  quadra fit deployment/web -f dump.yaml -f web.yaml --replicas 12\n"
        "  quadra fit pod/train-7 -n team-a -f dump.yaml --node gpu-07 -o jsonpath='{.fits}'\n",
    .flags = kFitFlags,
    .argument_choices = "pod/ template/ deployment/ statefulset/ replicaset/ job/",
    .most_arguments = 2,
    .run = RunFit,
};

}  // namespace quadra::cli

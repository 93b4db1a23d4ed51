#include <array>
#include <cstdint>

#include "base/time_zones.h"
#include "cli/allocate_files.h"
#include "cli/answer_lines.h"
#include "cli/dump_input.h"
#include "cli/live.h"
#include "cli/now_flag.h"
#include "cli/placement_flag.h"
#include "cli/strictness_flags.h"
#include "cli/verb.h"
#include "streams/allocation.h"

namespace quadra::cli {
namespace {

constexpr auto kAllocateFlags = WithAccessFlags(std::array{
    kDumpFlag,
    kRecursiveFlag,
    Flag{.name = "together",
         .help = "Without pods: allocate all claims together on one node, as those of one pod."},
    Flag{.name = "node", .value = "NAME", .help = "Only look at this node."},
    kNamespaceFlag,
    kAllNamespacesFlag,
    kSelectorFlag,
    Flag{.name = "output",
         .letter = 'o',
         .value = "FORMAT",
         .choices = "table wide name json yaml jsonpath=",
         .help =
             "table (the default); wide adds requests, priority, steps of the search and what "
             "nodes said; name prints the names of claims that get devices; json and yaml print "
             "those claims as the scheduler would write them, jsonpath=TEMPLATE what kubectl's "
             "jsonpath template prints of them."},
    Flag{.name = "no-headers", .help = "Print tables without their headings."},
    Flag{.name = kNowFlagName,
         .value = "TIME",
         .help = "Write this time as allocationTimestamp, e.g. 2026-08-01T12:18:00Z. Without it "
                 "allocations have none, so that the same files give the same output."},
    Flag{.name = "seed",
         .value = "NUMBER",
         .help = "Share IDs follow from this number; 1 if not given."},
    kPlacementFlag,
    kStrictFlag,
    kLenientFlag,
    kFeatureGatesFlag,
    Flag{.name = "stream",
         .help = "For programs: read questions from standard input, one line of JSON each, and "
                 "answer each with one line."},
});
constexpr std::array kAllocateStreamFlags = {std::string_view("stream"), kStrictFlag.name,
                                             kLenientFlag.name, kPlacementFlag.name};
constexpr std::uint64_t kDefaultSeed = 1;

ExitCode RunAllocate(const Invocation& invocation, Console& console) {
  if (!invocation.Has("stream")) {
    return AllocateFiles(invocation, console);
  }
  if (const auto refused =
          RefuseBesideStream(invocation, "allocate", kAllocateStreamFlags, console)) {
    return *refused;
  }
  const Result<bool> strict = ReadStrict(invocation, false);
  if (!strict) {
    return RefuseUsage(strict.error(), invocation.program, FindVerb("allocate"), console);
  }
  const SystemTimeZones zones;
  streams::AllocationAnswerer answerer({.zones = &zones,
                                        .seed = kDefaultSeed,
                                        .strict = *strict,
                                        .placement = ReadPlacement(invocation)});
  const auto answer = [&](const std::string& line, std::size_t number) {
    return answerer.Answer(line, number);
  };
  return AnswerLines(console, {.answer = answer, .refuse = answerer.RefuseLine});
}

}  // namespace

const Verb kAllocateVerb{
    .name = "allocate",
    .synopsis =
        "[-f FILE…] [--node NAME] [--together] [-n NAMESPACE] [-l SELECTOR] [-o FORMAT] | --stream "
        "[--strict | --lenient] [--placement ORDER]",
    .summary = "say which devices claims get",
    .description =
        "Reads a cluster, or a dump of one (quadra dump, kubectl get … -o yaml; any version of "
        "resource.k8s.io), and "
        "places its pods that wait for devices one after the other, as the scheduler would as far "
        "as devices go: by priority, then by age, then by name; each sees what those before it "
        "took. Claims are found by name, by the pod's status or by their owner, or made from their "
        "template under the name POD-CLAIM. Of the nodes on which a pod may run and its claims fit "
        "the one with the best alternatives of firstAvailable is taken, then the first by name. "
        "Extended resources that a DeviceClass serves become a claim of their own. Finished, "
        "gated and deleted pods are passed over and counted; claims that wait for a pod on a node "
        "stay so, since no scheduler looks at it. A Deployment, ReplicaSet, StatefulSet or Job "
        "without a uid stands for the pods "
        "NAME-0, NAME-1, … that it would make. cpu, memory and whatever needs other pods is not "
        "modelled.\n"
        "One device on which a selector fails keeps a pod from all nodes, as with kube-scheduler; "
        "--lenient passes over that device, as Quadra's own scheduler does.\n"
        "Without pods each claim that waits stands by itself, in the order of the files. Without "
        "nodes those that slices name are taken.\n"
        "All pods compete, also those that -n and -l do not show; without -n all namespaces are "
        "shown. Exit status 0: all that are shown have their devices; 1: some have not; 2: the "
        "input is wrong; 5: not known, or the files do not say enough (no nodes, a claim that is "
        "missing, PodGroups, broken objects).\n"
        "With --stream each line of standard input is a question:\n"
        "  {\"node\":\"n1\",\"objects\":[…],\"featureGates\":{…}}\n"
        "Objects are a Node, DeviceClasses, ResourceSlices, DeviceTaintRules and ResourceClaims; "
        "other kinds are ignored. Claims with an allocation are in use; the others, in order, are "
        "allocated together for that node. Each line of standard output is the answer, one of:\n"
        "  "
        "{\"result\":\"allocated\",\"claims\":[{\"namespace\":…,\"name\":…,\"allocation\":{…}}],"
        "\"work\":…}\n"
        "  {\"result\":\"unavailable\",\"reasons\":[…],\"work\":…}\n"
        "  {\"result\":\"undecided\",\"reasons\":[…],\"work\":…}\n"
        "  {\"result\":\"error\",\"message\":…,\"fatal\":…}\n"
        "  {\"result\":\"error\",\"line\":…,\"message\":…}",
    .examples =
        "  kubectl get nodes,pods,deviceclasses,resourceslices,resourceclaims,"
        "resourceclaimtemplates -A -o yaml | quadra allocate -f -\n"
        "  quadra allocate -f dump.yaml -n team-a -o wide\n"
        "  quadra allocate -f dump.yaml -f new-pod.yaml -o yaml --now 2026-08-01T12:18:00Z\n"
        "  quadra allocate --stream < questions.jsonl\n",
    .flags = kAllocateFlags,
    .run = RunAllocate,
};

}  // namespace quadra::cli

#include <array>
#include <ostream>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "api/kinds.h"
#include "api/object.h"
#include "cli/line.h"
#include "cli/live.h"
#include "cli/needs.h"
#include "cli/progress.h"
#include "cli/source.h"
#include "cli/verb.h"
#include "json/documents.h"
#include "json/value.h"
#include "offline/redaction.h"

namespace quadra::cli {
namespace {

constexpr auto kDumpFlags = WithAccessFlags(std::array{
    Flag{.name = "anonymize",
         .help =
             "Rename objects, namespaces, nodes, pools, uids, containers and the values of labels, "
             "everywhere alike and in the same order, so that every question has the same "
             "answer under other names."},
    Flag{.name = "output",
         .letter = 'o',
         .value = "FORMAT",
         .choices = "yaml json",
         .help = "yaml (the default), or json, which is written and read several times as fast."},
});

std::vector<live::Need> NeedsOfDump() {
  std::vector<live::Need> needs = NeedsOfPlacing();
  needs.push_back(Helpful<api::PriorityClass>());
  return needs;
}

void Write(const std::vector<json::Value>& objects, bool as_json, Console& console) {
  Progress progress(console, "writing", {.total = objects.size()});
  if (as_json) {
    console.out << R"({"apiVersion":"v1","kind":"List","items":[)";
  }
  for (const json::Value& object : objects) {
    const bool first = &object == &objects.front();
    if (as_json) {
      console.out << (first ? "\n" : ",\n") << ToJson(object);
    } else {
      console.out << (first ? "" : "---\n") << json::ToYaml(object);
    }
    progress.Step("objects");
  }
  console.out << (as_json ? "\n]}\n" : "");
}

ExitCode RunDump(const Invocation& invocation, Console& console) {
  Sourced<Source> source = Source::Of(invocation, {}, console);
  if (!source) {
    return RefuseCluster(source.error(), console);
  }
  std::vector<json::Value> objects;
  const auto take = [&](const json::Manifest& manifest,
                        const api::Identity& /*identity*/) -> Status {
    QUADRA_TRY(json::Value object, json::ParseValue(manifest.json()));
    offline::Redact(object);
    objects.push_back(std::move(object));
    return {};
  };
  const ExitCode read = source->Read(NeedsOfDump(), console, {.take = take});
  if (IsNoAnswer(read)) {
    return read;
  }
  if (invocation.Has("anonymize")) {
    offline::Anonymize(objects);
  }
  Write(objects, invocation.Value("output") == "json", console);
  return read;
}

}  // namespace

const Verb kDumpVerb{
    .name = "dump",
    .synopsis = "[--anonymize] [-o FORMAT] > FILE",
    .summary = "write what the offline commands read of a cluster that runs",
    .description =
        "Writes the ResourceSlices, ResourceClaims, ResourceClaimTemplates, DeviceClasses, "
        "DeviceTaintRules, Pods, Nodes, Namespaces and PriorityClasses of all namespaces, for "
        "allocate, explain, fit, get, select and lint with -f. Secrets and ConfigMaps are not "
        "read; "
        "of containers the environments, commands, arguments, probes and hooks are left out, since "
        "people keep secrets there too, and so are managedFields.\n"
        "With --anonymize names are hidden, too, and messages, reasons, descriptions, annotations, "
        "finalizers and opaque parameters are left out. What stays as it is: keys of labels, "
        "taints and "
        "resources, numbers and booleans, names of drivers, devices and requests, a pod's own "
        "names of its claims, types of conditions, attributes and "
        "capacities of devices, CEL selectors, times. Look at these before you give it away.\n"
        "Exit status 0; 2: no cluster is named; 4: the server does not answer, or denies what "
        "matters; 5: some kinds are missing.",
    .examples =
        "  quadra dump > cluster.yaml && quadra explain pods -f cluster.yaml\n"
        "  quadra dump --anonymize -o json --context prod | gzip > report.json.gz\n",
    .flags = kDumpFlags,
    .run = RunDump,
};

}  // namespace quadra::cli

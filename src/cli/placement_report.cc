#include "cli/placement_report.h"

#include <map>
#include <ostream>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ostream.h>

#include "allocator/node_allocatable.h"
#include "api/object.h"
#include "cli/document.h"
#include "cli/table.h"
#include "json/writer.h"

namespace quadra::cli {
namespace {

using offline::Outcome;
using offline::ServedClaim;
using reasons::Code;

constexpr int kIndent = 4;
constexpr std::string_view kNotModelled =
    "not modelled: cpu, memory, device plugins, ports, volumes, affinity between pods, spreading, "
    "preemption\n";

using Shown = std::vector<const Outcome*>;

Shown Choose(const offline::Report& report, const Scope& scope) {
  Shown shown;
  for (const Outcome& outcome : report.outcomes) {
    const api::ObjectMeta& meta =
        outcome.pod != nullptr ? outcome.pod->metadata : outcome.claims.front().claim.metadata;
    if (scope.Shows(meta)) {
      shown.push_back(&outcome);
    }
  }
  return shown;
}

std::string DevicesOf(const api::ResourceClaim& claim) {
  std::string text;
  if (const auto& allocation = claim.status.allocation) {
    for (const auto& result : allocation->devices.results) {
      text += fmt::format("{}{}/{}/{}", text.empty() ? "" : ",", result.driver, result.pool,
                          result.device);
    }
  }
  return text;
}

std::string ReasonOf(const Outcome& outcome) {
  if (outcome.allocated()) {
    return "";
  }
  return fmt::format("{}: {}", outcome.code ? reasons::NameOf(*outcome.code) : "Error",
                     outcome.reason);
}

std::string NodesOf(const Outcome& outcome) {
  std::string text;
  for (const auto& [code, count] : outcome.nodes) {
    text += fmt::format("{}{}={}", text.empty() ? "" : ",", reasons::NameOf(code), count);
  }
  return text;
}

std::string RequestsOf(const api::ResourceClaim& claim) {
  std::string text;
  if (const auto& allocation = claim.status.allocation) {
    for (const auto& result : allocation->devices.results) {
      text += fmt::format("{}{}", text.empty() ? "" : ",", result.request);
    }
  }
  return text;
}

// What one claim implies of the node's own resources: cpu=4,memory=8Gi.
std::string NodeAllocatableOf(const Outcome& outcome, const api::ResourceClaim& claim) {
  std::string text;
  for (const auto& status : outcome.node_allocatable) {
    if (status.resource_claim_name != claim.metadata.name) {
      continue;
    }
    for (const auto& [resource, amount] : allocator::TotalOf({&status, 1})) {
      text += fmt::format("{}{}={}", text.empty() ? "" : ",", resource, amount.ToString());
    }
  }
  return text;
}

bool CountsNodeResources(const offline::Dump& dump) {
  return dump.gates().Enabled(api::Gate::kDRANodeAllocatableResources);
}

std::vector<std::string> Headings(bool wide, bool node_resources) {
  std::vector<std::string> headings = {"NAMESPACE", "POD", "CLAIM", "NODE", "DEVICES"};
  if (wide) {
    headings.insert(headings.end(), {"REQUESTS", "PRIORITY", "STEPS", "NODES"});
  }
  if (wide && node_resources) {
    headings.emplace_back("NODE-ALLOCATABLE");
  }
  headings.emplace_back("REASON");
  return headings;
}

class TableMaker {
 public:
  TableMaker(const offline::Dump& dump, bool wide)
      : dump_(dump), wide_(wide), table_(Headings(wide, CountsNodeResources(dump))) {}

  void Add(const Outcome& outcome) {
    for (const ServedClaim& served : outcome.claims) {
      AddRow(outcome, served.claim);
    }
    if (outcome.claims.empty()) {
      api::ResourceClaim unknown;
      unknown.metadata.ns = outcome.pod->metadata.ns;
      AddRow(outcome, unknown);
    }
  }

  void Print(std::ostream& out, bool headings) const { table_.Print(out, headings); }

 private:
  void AddRow(const Outcome& outcome, const api::ResourceClaim& claim) {
    std::vector<std::string> cells = {claim.metadata.ns,
                                      outcome.pod == nullptr ? "" : outcome.pod->metadata.name,
                                      claim.metadata.name, outcome.node, DevicesOf(claim)};
    if (wide_) {
      cells.push_back(RequestsOf(claim));
      cells.push_back(
          outcome.pod == nullptr ? "" : fmt::to_string(offline::PriorityOf(*outcome.pod, dump_)));
      cells.push_back(fmt::to_string(outcome.work));
      cells.push_back(NodesOf(outcome));
      if (CountsNodeResources(dump_)) {
        cells.push_back(NodeAllocatableOf(outcome, claim));
      }
    }
    cells.push_back(ReasonOf(outcome));
    table_.Add(std::move(cells));
  }

  const offline::Dump& dump_;
  bool wide_;
  Table table_;
};

// Counts that are not zero, with commas between: "2 finished, 1 gated".
std::string Counted(const std::vector<std::pair<std::size_t, std::string_view>>& counts) {
  std::string text;
  for (const auto& [count, what] : counts) {
    if (count > 0) {
      text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, what);
    }
  }
  return text;
}

std::string PassedOver(const offline::Report& report, std::size_t hidden) {
  const offline::PodQueue& pods = report.pods;
  return report.has_pods ? Counted({{hidden, "not shown"},
                                    {pods.served, "served"},
                                    {pods.without_claims, "without claims"},
                                    {pods.finished, "finished"},
                                    {pods.deleting, "being deleted"},
                                    {pods.gated, "gated"}})
                         : Counted({{hidden, "not shown"},
                                    {report.claims_allocated, "allocated before"},
                                    {report.claims_deleting, "being deleted"}});
}

void PrintSummary(const offline::Report& report, const Shown& shown, std::ostream& out) {
  std::size_t asked = 0;
  std::size_t allocated = 0;
  for (const Outcome* outcome : shown) {
    const std::size_t weight = report.has_pods ? 1 : outcome->claims.size();
    asked += weight;
    allocated += outcome->allocated() ? weight : 0;
  }
  const std::string_view what = report.has_pods ? "pod" : "claim";
  const std::string passed_over = PassedOver(report, report.outcomes.size() - shown.size());
  fmt::print(out, "{} {}{}: {} allocated, {} not{}{}\n", asked, what, asked == 1 ? "" : "s",
             allocated, asked - allocated,
             passed_over.empty() ? "" : "; passed over: ", passed_over);
  if (report.claims_unused > 0) {
    fmt::print(out, "{} claim{} for no pod\n", report.claims_unused,
               report.claims_unused == 1 ? " waits" : "s wait");
  }
  out << kNotModelled;
}

void PrintNotes(const offline::Report& report, Console& console) {
  if (report.nodes_are_derived && !report.outcomes.empty()) {
    console.err << "note: the files hold no nodes; those that slices name were taken, without "
                   "labels, taints and features\n";
  }
  for (const std::string& remark : report.remarks) {
    console.err << "note: " << remark << '\n';
  }
}

// What the scheduler would leave behind: of a claim that several pods use the last state.
std::vector<const api::ResourceClaim*> WrittenBy(const Shown& shown) {
  std::vector<const api::ResourceClaim*> written;
  std::map<std::string, std::size_t> places;
  for (const Outcome* outcome : shown) {
    for (const ServedClaim& served : outcome->claims) {
      const api::ObjectMeta& meta = served.claim.metadata;
      if (!served.written) {
        continue;
      }
      const auto [at, added] = places.try_emplace(meta.ns + "/" + meta.name, written.size());
      if (added) {
        written.push_back(&served.claim);
      } else {
        written[at->second] = &served.claim;
      }
    }
  }
  return written;
}

// What the scheduler would write into the status of a pod, and no more.
std::string PodStatusOf(const Outcome& outcome) {
  std::string text;
  json::Writer writer(text);
  const auto member = [&](std::string_view key, std::string_view value) {
    writer.Key(key);
    writer.String(value);
  };
  writer.BeginObject();
  member("apiVersion", "v1");
  member("kind", "Pod");
  writer.Key("metadata");
  writer.BeginObject();
  member("name", outcome.pod->metadata.name);
  member("namespace", outcome.pod->metadata.ns);
  writer.EndObject();
  writer.Key("status");
  writer.BeginObject();
  writer.Key("nodeAllocatableResourceClaimStatuses");
  writer.BeginArray();
  for (const auto& status : outcome.node_allocatable) {
    writer.Raw(api::EncodeJson(status));
  }
  writer.EndArray();
  writer.EndObject();
  writer.EndObject();
  return text;
}

// Claims, then the pods whose status the scheduler would write too.
std::vector<std::string> ObjectsOf(const Shown& shown) {
  std::vector<std::string> objects;
  for (const api::ResourceClaim* claim : WrittenBy(shown)) {
    objects.push_back(api::EncodeJson(*claim));
  }
  for (const Outcome* outcome : shown) {
    if (outcome->pod != nullptr && !outcome->node_allocatable.empty()) {
      objects.push_back(PodStatusOf(*outcome));
    }
  }
  return objects;
}

// One object by itself, several as a List, as kubectl prints them.
std::string DocumentOf(const std::vector<std::string>& objects) {
  std::string text;
  json::Writer writer(text, kIndent);
  if (objects.size() == 1) {
    writer.Raw(objects[0]);
    return text + "\n";
  }
  writer.BeginObject();
  writer.Key("apiVersion");
  writer.String("v1");
  writer.Key("items");
  writer.BeginArray();
  for (const std::string& object : objects) {
    writer.Raw(object);
  }
  writer.EndArray();
  writer.Key("kind");
  writer.String("List");
  writer.EndObject();
  return text + "\n";
}

void PrintReasons(const Shown& shown, std::ostream& out) {
  for (const Outcome* outcome : shown) {
    if (!outcome->allocated()) {
      const bool is_pod = outcome->pod != nullptr;
      const api::ObjectMeta& meta =
          is_pod ? outcome->pod->metadata : outcome->claims.front().claim.metadata;
      fmt::print(out, "{} {}/{}: {}\n", is_pod ? "pod" : "claim", meta.ns, meta.name,
                 ReasonOf(*outcome));
    }
  }
}

ExitCode CodeOf(const offline::Report& report, const Shown& shown) {
  const bool partial = report.nodes_are_derived && !shown.empty();
  ExitCode code = partial ? ExitCode::kPartial : ExitCode::kYes;
  for (const Outcome* outcome : shown) {
    if (!outcome->allocated()) {
      code = Worst(code, outcome->code == Code::kNotModelled ? ExitCode::kPartial : ExitCode::kNo);
    }
  }
  return code;
}

}  // namespace

ExitCode PrintPlacement(const offline::Report& report, const offline::Dump& dump,
                        const Scope& scope, const PlacementFormat& format, Console& console) {
  const Shown shown = Choose(report, scope);
  const ExitCode code = CodeOf(report, shown);
  PrintNotes(report, console);
  if (format.format == "table" || format.format == "wide") {
    if (!shown.empty()) {
      TableMaker table(dump, format.format == "wide");
      for (const Outcome* outcome : shown) {
        table.Add(*outcome);
      }
      table.Print(console.out, format.headings);
    }
    PrintSummary(report, shown, console.out);
    return code;
  }
  PrintReasons(shown, console.err);
  PrintSummary(report, shown, console.err);
  if (format.format == "name") {
    for (const api::ResourceClaim* claim : WrittenBy(shown)) {
      fmt::print(console.out, "resourceclaim.resource.k8s.io/{}\n", claim->metadata.name);
    }
    return code;
  }
  return PrintDocument(DocumentOf(ObjectsOf(shown)), format.format, code, console);
}

}  // namespace quadra::cli

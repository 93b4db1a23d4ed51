#include "cli/placement_report.h"

#include <map>
#include <ostream>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ostream.h>

#include "api/object.h"
#include "cli/document.h"
#include "cli/dump_input.h"
#include "cli/line.h"
#include "cli/table.h"
#include "json/writer.h"

namespace quadra::cli {
namespace {

using placement::Decision;
using placement::ServedClaim;
using reasons::Code;

using ShownDecisions = std::vector<const Decision*>;

ShownDecisions ChooseDecisions(const diagnosis::Report& report, const Scope& scope) {
  ShownDecisions shown;
  for (const Decision& decision : report.decisions) {
    const api::ObjectMeta& meta =
        decision.pod != nullptr ? decision.pod->metadata : decision.claims.front().claim.metadata;
    if (scope.Shows(meta)) {
      shown.push_back(&decision);
    }
  }
  return shown;
}

std::string DevicesCell(const api::ResourceClaim& claim) {
  std::string text;
  if (const auto& allocation = claim.status.allocation) {
    for (const auto& result : allocation->devices.results) {
      text += fmt::format("{}{}/{}/{}", text.empty() ? "" : ",", result.driver, result.pool,
                          result.device);
    }
  }
  return text;
}

std::string ReasonOf(const Decision& decision) {
  if (!decision.refusal) {
    return "";
  }
  return fmt::format("{}: {}", reasons::NameOf(decision.refusal->code), decision.sentence);
}

std::string NodesOf(const Decision& decision) {
  std::string text;
  for (const auto& [code, count] : decision.nodes) {
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
std::string NodeAllocatableOf(const Decision& decision, const api::ResourceClaim& claim) {
  std::string text;
  for (const auto& status : decision.node_allocatable) {
    if (status.resource_claim_name != claim.metadata.name) {
      continue;
    }
    for (const auto& [resource, amount] : placement::TotalOf({&status, 1})) {
      text += fmt::format("{}{}={}", text.empty() ? "" : ",", resource, amount.ToString());
    }
  }
  return text;
}

bool CountsNodeResources(const placement::Cluster& cluster) {
  return cluster.gates().Enabled(api::Gate::kDRANodeAllocatableResources);
}

std::vector<std::string> PlacementHeadings(bool wide, bool node_resources) {
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
  TableMaker(const placement::Cluster& cluster, bool wide)
      : cluster_(cluster),
        wide_(wide),
        table_(PlacementHeadings(wide, CountsNodeResources(cluster))) {}

  void Add(const Decision& decision) {
    for (const ServedClaim& served : decision.claims) {
      AddRow(decision, served.claim);
    }
    if (decision.claims.empty()) {
      api::ResourceClaim unknown;
      unknown.metadata.ns = decision.pod->metadata.ns;
      AddRow(decision, unknown);
    }
  }

  void Print(std::ostream& out, bool headings) const { table_.Print(out, headings); }

 private:
  void AddRow(const Decision& decision, const api::ResourceClaim& claim) {
    std::vector<std::string> cells = {claim.metadata.ns,
                                      decision.pod == nullptr ? "" : decision.pod->metadata.name,
                                      claim.metadata.name, decision.node, DevicesCell(claim)};
    if (wide_) {
      cells.push_back(RequestsOf(claim));
      cells.push_back(decision.pod == nullptr ? ""
                                              : fmt::to_string(cluster_.PriorityOf(*decision.pod)));
      cells.push_back(fmt::to_string(decision.work));
      cells.push_back(NodesOf(decision));
      if (CountsNodeResources(cluster_)) {
        cells.push_back(NodeAllocatableOf(decision, claim));
      }
    }
    cells.push_back(ReasonOf(decision));
    table_.Add(std::move(cells));
  }

  const placement::Cluster& cluster_;
  bool wide_;
  Table table_;
};

// Counts that are not zero, with commas between: "2 finished, 1 gated".
std::string NonZeroCounts(const std::vector<std::pair<std::size_t, std::string_view>>& counts) {
  std::string text;
  for (const auto& [count, what] : counts) {
    if (count > 0) {
      text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, what);
    }
  }
  return text;
}

std::string PassedOver(const diagnosis::Report& report, std::size_t hidden) {
  const placement::PodQueue& pods = report.pods;
  return report.has_pods ? NonZeroCounts({{hidden, "not shown"},
                                          {pods.served, "served"},
                                          {pods.without_claims, "without claims"},
                                          {pods.finished, "finished"},
                                          {pods.deleting, "being deleted"},
                                          {pods.gated, "gated"}})
                         : NonZeroCounts({{hidden, "not shown"},
                                          {report.claims_allocated, "allocated before"},
                                          {report.claims_deleting, "being deleted"}});
}

void PrintSummary(const diagnosis::Report& report, const ShownDecisions& shown, std::ostream& out) {
  std::size_t asked = 0;
  std::size_t allocated = 0;
  for (const Decision* decision : shown) {
    const std::size_t weight = report.has_pods ? 1 : decision->claims.size();
    asked += weight;
    allocated += decision->allocated() ? weight : 0;
  }
  const std::string_view what = report.has_pods ? "pod" : "claim";
  const std::string passed_over = PassedOver(report, report.decisions.size() - shown.size());
  fmt::print(out, "{} {}{}: {} allocated, {} not{}{}\n", asked, what, asked == 1 ? "" : "s",
             allocated, asked - allocated,
             passed_over.empty() ? "" : "; passed over: ", passed_over);
  if (report.claims_unused > 0) {
    fmt::print(out, "{} claim{} for no pod\n", report.claims_unused,
               report.claims_unused == 1 ? " waits" : "s wait");
  }
  out << kNotModelled;
}

// What the scheduler would leave behind: of a claim that several pods use the last state.
std::vector<const api::ResourceClaim*> WrittenBy(const ShownDecisions& shown) {
  std::vector<const api::ResourceClaim*> written;
  std::map<std::string, std::size_t> places;
  for (const Decision* decision : shown) {
    for (const ServedClaim& served : decision->claims) {
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
std::string PodStatusOf(const Decision& decision) {
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
  member("name", decision.pod->metadata.name);
  member("namespace", decision.pod->metadata.ns);
  writer.EndObject();
  writer.Key("status");
  writer.BeginObject();
  writer.Key("nodeAllocatableResourceClaimStatuses");
  writer.BeginArray();
  for (const auto& status : decision.node_allocatable) {
    writer.Raw(api::EncodeJson(status));
  }
  writer.EndArray();
  writer.EndObject();
  writer.EndObject();
  return text;
}

// Claims, then the pods whose status the scheduler would write too.
std::vector<std::string> PlacedObjects(const ShownDecisions& shown) {
  std::vector<std::string> objects;
  for (const api::ResourceClaim* claim : WrittenBy(shown)) {
    objects.push_back(api::EncodeJson(*claim));
  }
  for (const Decision* decision : shown) {
    if (decision->pod != nullptr && !decision->node_allocatable.empty()) {
      objects.push_back(PodStatusOf(*decision));
    }
  }
  return objects;
}

void PrintReasons(const ShownDecisions& shown, std::ostream& out) {
  for (const Decision* decision : shown) {
    if (!decision->allocated()) {
      const bool is_pod = decision->pod != nullptr;
      const api::ObjectMeta& meta =
          is_pod ? decision->pod->metadata : decision->claims.front().claim.metadata;
      PrintLine(out, fmt::format("{} {}/{}: {}", is_pod ? "pod" : "claim", meta.ns, meta.name,
                                 ReasonOf(*decision)));
    }
  }
}

ExitCode CodeOfPlacement(const diagnosis::Report& report, const ShownDecisions& shown) {
  const bool partial = report.nodes_are_derived && !shown.empty();
  ExitCode code = partial ? ExitCode::kPartial : ExitCode::kYes;
  for (const Decision* decision : shown) {
    if (report.lacks_claims && decision->allocated()) {
      code = Worst(code, ExitCode::kPartial);
    }
    if (decision->refusal) {
      const Code refused = decision->refusal->code;
      const bool unknown = refused == Code::kNotModelled || refused == Code::kUndecided;
      code = Worst(code, unknown ? ExitCode::kPartial : ExitCode::kNo);
    }
  }
  return code;
}

}  // namespace

ExitCode PrintPlacement(const diagnosis::Report& report, const placement::Cluster& cluster,
                        const Scope& scope, const PlacementFormat& format, Console& console) {
  const ShownDecisions shown = ChooseDecisions(report, scope);
  const ExitCode code = CodeOfPlacement(report, shown);
  PrintRemarks(report.remarks, report.nodes_are_derived && !report.decisions.empty(), format.holds,
               console);
  if (format.format == "table" || format.format == "wide") {
    if (!shown.empty()) {
      TableMaker table(cluster, format.format == "wide");
      for (const Decision* decision : shown) {
        table.Add(*decision);
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
      PrintLine(console.out, "resourceclaim.resource.k8s.io/" + claim->metadata.name);
    }
    return code;
  }
  return PrintDocument(DocumentOfObjects(PlacedObjects(shown)), format.format, code, console);
}

}  // namespace quadra::cli

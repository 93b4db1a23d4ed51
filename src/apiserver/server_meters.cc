#include "apiserver/server_meters.h"

#include <algorithm>
#include <set>

#include "apiserver/stored_form.h"

namespace quadra::apiserver {
namespace {

using metrics::Report;

// Of every resource that is kept, once, in whatever versions it is served.
void ReportObjects(const Backend& backend, const Report& report) {
  const store::Snapshot head = backend.store.Head();
  for (const Group& group : backend.catalog.groups()) {
    std::set<std::string_view> seen;
    for (const GroupVersion& version : group.versions) {
      for (const Resource& resource : version.resources) {
        if (resource.verbs.Has(Verb::kList) && seen.insert(resource.kind->plural).second) {
          report({std::string(group.name), std::string(resource.kind->plural)},
                 static_cast<double>(head.Count(PrefixOf(*resource.kind, ""))));
        }
      }
    }
  }
}

void ReportSize(const std::filesystem::path& database, const Report& report) {
  std::error_code error;
  const std::uintmax_t size = std::filesystem::file_size(database, error);
  if (!error) {
    report({"quadra-0"}, static_cast<double>(size));
  }
}

void ReportGates(const api::FeatureGates& gates, const Report& report) {
  for (std::size_t i = 0; i < api::kGateCount; ++i) {
    const auto gate = static_cast<api::Gate>(i);
    report({std::string(api::GateName(gate)), std::string(api::GateStage(gate))},
           gates.Enabled(gate) ? 1 : 0);
  }
}

// The same facts as /version, under the names that metrics have.
void ReportBuild(const Report& report) {
  constexpr std::string_view kFacts[] = {"major",     "minor",        "gitVersion",
                                         "gitCommit", "gitTreeState", "buildDate",
                                         "goVersion", "compiler",     "platform"};
  const VersionFacts facts = FactsOfVersion(kBuild);
  std::vector<std::string> values;
  for (const std::string_view fact : kFacts) {
    values.push_back(std::ranges::find(facts, fact, &VersionFacts::value_type::first)->second);
  }
  report(values, 1);
}

}  // namespace

void AddServerMeters(const Backend& backend, const std::filesystem::path& database,
                     metrics::Registry& registry) {
  registry.Compute({.name = "apiserver_resource_objects",
                    .help = "Objects that are stored.",
                    .labels = {"group", "resource"}},
                   metrics::Kind::kGauge,
                   [&backend](const Report& report) { ReportObjects(backend, report); });
  registry.Compute({.name = "apiserver_storage_size_bytes",
                    .help = "Size of the file that everything is stored in.",
                    .labels = {"storage_cluster_id"}},
                   metrics::Kind::kGauge,
                   [database](const Report& report) { ReportSize(database, report); });
  registry.Compute({.name = "kubernetes_feature_enabled",
                    .help = "1 where the feature is on, 0 where it is off.",
                    .labels = {"name", "stage"}},
                   metrics::Kind::kGauge,
                   [&backend](const Report& report) { ReportGates(backend.gates, report); });
  registry.Compute({.name = "kubernetes_build_info",
                    .help = "The release of Kubernetes whose API this is, and what built it.",
                    .labels = {"major", "minor", "git_version", "git_commit", "git_tree_state",
                               "build_date", "go_version", "compiler", "platform"}},
                   metrics::Kind::kGauge, ReportBuild);
}

}  // namespace quadra::apiserver

#include "cli/explain_fix.h"

#include <algorithm>
#include <charconv>
#include <ostream>
#include <utility>

#include <fmt/format.h>

#include "api/object.h"
#include "cli/document.h"
#include "cli/line.h"
#include "json/value.h"

namespace quadra::cli {
namespace {

std::string KeyIn(std::string_view kind, std::string_view ns, std::string_view name) {
  return fmt::format("{}/{}/{}", kind, ns, name);
}

// The object as it was written, with what the fix changes in it. Nothing for one that was written
// without a name, there is none in the cluster that could be changed, or that cannot be read whole.
template <typename T>
std::optional<std::string> Repaired(const Written& written, std::string_view kind,
                                    const T& object) {
  const auto found = written.find(KeyIn(kind, object.metadata.ns, object.metadata.name));
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

// Whether a node is cordoned is said also where it is not: who applies what is left out changes nothing.
void SayCordon(std::string& node) {
  Result<json::Value> tree = json::ParseValue(node);
  json::Value* const spec = tree ? tree->Find("spec") : nullptr;
  if (spec != nullptr && spec->Find("unschedulable") == nullptr) {
    spec->Set("unschedulable", json::Value(false));
    node = json::ToJson(*tree);
  }
}

// As JSON, in the order in which they are to be read.
std::vector<std::string> RepairedObjects(const diagnosis::Repair& repair, const Written& written) {
  std::vector<std::string> objects;
  AddObjects(repair.templates, "resource.k8s.io/v1", "ResourceClaimTemplate", objects);
  AddObjects(repair.claims, "resource.k8s.io/v1", "ResourceClaim", objects);
  AddRepaired(written, "Pod", repair.pods, objects);
  const std::size_t others = objects.size();
  AddRepaired(written, "Node", repair.nodes, objects);
  std::for_each(objects.begin() + static_cast<std::ptrdiff_t>(others), objects.end(), SayCordon);
  return objects;
}

}  // namespace

// YAML with the fix as its comment, unless another format is asked for.
ExitCode PrintFix(const ChosenFix& fix, const std::string& format, Console& console) {
  if (IsDocumentFormat(format) && format != "yaml") {
    return PrintDocument(DocumentOfObjects(fix.objects), format, ExitCode::kYes, console);
  }
  PrintLine(console.out, "# " + fix.text);
  for (const std::string& object : fix.objects) {
    console.out << "---\n" << AsYaml(object);
  }
  return ExitCode::kYes;
}

void KeepWritten(const json::Manifest& manifest, const api::Identity& identity, Written& written) {
  const bool is_pod = identity.kind == "Pod";
  if (identity.api_version == "v1" && (is_pod || identity.kind == "Node")) {
    const std::string ns = is_pod && identity.ns.empty() ? "default" : identity.ns;
    written.insert_or_assign(KeyIn(identity.kind, ns, identity.name), manifest);
  }
}

Result<ChosenFix> ChooseFix(const std::string& wanted, const placement::Cluster& cluster,
                            const diagnosis::Diagnosis& answer, const api::Pod* pod,
                            const Written& written) {
  const auto& fixes = answer.fixes.found;
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(wanted.data(), wanted.data() + wanted.size(), number);
  if (error != std::errc() || end != wanted.data() + wanted.size() || number == 0 ||
      number > fixes.size()) {
    return Fail(
        Usage(fmt::format("there is no fix {}: {} found", wanted,
                          fixes.empty() ? "none was" : fmt::format("{} were", fixes.size()))));
  }
  const diagnosis::Repair repair = diagnosis::RepairOf(cluster, fixes[number - 1], pod);
  ChosenFix fix{.text = fixes[number - 1].text,
                .objects = RepairedObjects(repair, written),
                .pod = pod,
                .pod_as_written = {}};
  if (pod != nullptr) {
    const auto found = written.find(KeyIn("Pod", pod->metadata.ns, pod->metadata.name));
    fix.pod_as_written = found == written.end() ? "" : std::string(found->second.json());
  }
  return fix;
}

}  // namespace quadra::cli

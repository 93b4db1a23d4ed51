#include "apiserver/object_facts.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "apiserver/held_devices.h"
#include "json/value.h"

namespace quadra::apiserver {
namespace {

constexpr std::array kPodFields = {
    SelectableField{.label = "spec.nodeName", .path = "spec.nodeName", .indexed = true},
    SelectableField{.label = "spec.host", .path = "spec.nodeName"},
    SelectableField{.label = "spec.restartPolicy", .path = "spec.restartPolicy"},
    SelectableField{.label = "spec.schedulerName", .path = "spec.schedulerName"},
    SelectableField{.label = "spec.serviceAccountName", .path = "spec.serviceAccountName"},
    SelectableField{.label = "spec.hostNetwork", .path = "spec.hostNetwork", .absent = "false"},
    SelectableField{.label = "status.phase", .path = "status.phase"},
    SelectableField{.label = "status.podIP", .path = "status.podIP"},
    SelectableField{.label = "status.podIPs", .path = "status.podIP"},
    SelectableField{.label = "status.nominatedNodeName", .path = "status.nominatedNodeName"},
};
constexpr std::array kNodeFields = {
    SelectableField{.label = "spec.unschedulable", .path = "spec.unschedulable", .absent = "false"},
};
constexpr std::array kNamespaceFields = {
    SelectableField{.label = "status.phase", .path = "status.phase"},
    SelectableField{.label = "name", .path = "metadata.name"},
};
constexpr std::array kEventFields = {
    SelectableField{.label = "involvedObject.kind", .path = "involvedObject.kind"},
    SelectableField{.label = "involvedObject.namespace", .path = "involvedObject.namespace"},
    SelectableField{.label = "involvedObject.name", .path = "involvedObject.name"},
    SelectableField{.label = "involvedObject.uid", .path = "involvedObject.uid"},
    SelectableField{.label = "involvedObject.apiVersion", .path = "involvedObject.apiVersion"},
    SelectableField{.label = "involvedObject.resourceVersion",
                    .path = "involvedObject.resourceVersion"},
    SelectableField{.label = "involvedObject.fieldPath", .path = "involvedObject.fieldPath"},
    SelectableField{.label = "reason", .path = "reason"},
    SelectableField{.label = "reportingComponent", .path = "reportingComponent"},
    SelectableField{
        .label = "source", .path = "source.component", .otherwise = "reportingComponent"},
    SelectableField{.label = "type", .path = "type"},
};
// The same as events.k8s.io calls them.
constexpr std::array kEventViewFields = {
    SelectableField{.label = "regarding.kind", .path = "involvedObject.kind"},
    SelectableField{.label = "regarding.namespace", .path = "involvedObject.namespace"},
    SelectableField{.label = "regarding.name", .path = "involvedObject.name"},
    SelectableField{.label = "regarding.uid", .path = "involvedObject.uid"},
    SelectableField{.label = "regarding.apiVersion", .path = "involvedObject.apiVersion"},
    SelectableField{.label = "regarding.resourceVersion", .path = "involvedObject.resourceVersion"},
    SelectableField{.label = "regarding.fieldPath", .path = "involvedObject.fieldPath"},
    SelectableField{.label = "reason", .path = "reason"},
    SelectableField{.label = "reportingController", .path = "reportingComponent"},
    SelectableField{.label = "type", .path = "type"},
};
constexpr std::array kSliceFields = {
    SelectableField{.label = "spec.nodeName", .path = "spec.nodeName", .indexed = true},
    SelectableField{.label = "spec.driver", .path = "spec.driver", .indexed = true},
    SelectableField{.label = "spec.pool.name", .path = "spec.pool.name", .indexed = true},
};
constexpr std::array kSecretFields = {SelectableField{.label = "type", .path = "type"}};
constexpr std::array kReplicaFields = {
    SelectableField{.label = "status.replicas", .path = "status.replicas", .absent = "0"}};
constexpr std::array kJobFields = {
    SelectableField{.label = "status.successful", .path = "status.succeeded", .absent = "0"}};

struct SelectableRow {
  std::string_view group_plural;
  std::span<const SelectableField> fields;
};
constexpr std::array kSelectableRows = {
    SelectableRow{"core/pods", kPodFields},
    SelectableRow{"core/nodes", kNodeFields},
    SelectableRow{"core/namespaces", kNamespaceFields},
    SelectableRow{"core/events", kEventFields},
    SelectableRow{"events.k8s.io/events", kEventViewFields},
    SelectableRow{"core/secrets", kSecretFields},
    SelectableRow{"core/replicationcontrollers", kReplicaFields},
    SelectableRow{"apps/replicasets", kReplicaFields},
    SelectableRow{"batch/jobs", kJobFields},
    SelectableRow{"resource.k8s.io/resourceslices", kSliceFields},
};

// group/plural of a key.
std::string_view CollectionOf(std::string_view key) {
  return key.substr(0, key.find('/', key.find('/') + 1));
}

// Reads what is wanted, by path; numbers and booleans as they are spelled.
class PathReader {
 public:
  PathReader(std::string_view bytes, std::span<const SelectableField> wanted)
      : reader_(bytes), wanted_(wanted) {}

  void Read() { ReadObject(""); }
  api::Map<std::string> TakeLabels() { return std::move(labels_); }
  std::string ValueAt(std::string_view path, std::string_view absent) const {
    const auto found = values_.find(path);
    return std::string(found == values_.end() ? absent : found->second);
  }

 private:
  bool IsOnTheWay(std::string_view path) const {
    if (path == "metadata" || path == "metadata.labels") {
      return true;
    }
    return std::ranges::any_of(wanted_, [&](const SelectableField& field) {
      return field.path.starts_with(path) && field.path.substr(path.size()).starts_with('.');
    });
  }
  bool IsWanted(std::string_view path) const {
    return path == "metadata.name" || path == "metadata.namespace" ||
           std::ranges::find(wanted_, path, &SelectableField::path) != wanted_.end();
  }

  void ReadObject(const std::string& path) {
    std::string_view key;
    for (bool in = reader_.EnterObject(); in && reader_.NextKey(key);) {
      ReadMember(path.empty() ? std::string(key) : fmt::format("{}.{}", path, key), key,
                 path == "metadata.labels");
    }
  }

  void ReadMember(const std::string& path, std::string_view key, bool is_label) {
    const json::Kind kind = reader_.Peek();
    if (is_label && kind == json::Kind::kString) {
      std::string name(key);
      labels_[std::move(name)] = std::string(reader_.String());
    } else if (kind == json::Kind::kObject && IsOnTheWay(path)) {
      ReadObject(path);
    } else if (kind == json::Kind::kString && IsWanted(path)) {
      values_.emplace(path, reader_.String());
    } else if ((kind == json::Kind::kBool || kind == json::Kind::kNumber) && IsWanted(path)) {
      values_.emplace(path, reader_.SkipRaw());
    } else {
      reader_.SkipBrackets();
    }
  }

  json::Reader reader_;
  std::span<const SelectableField> wanted_;
  api::Map<std::string> labels_;
  std::map<std::string, std::string, std::less<>> values_;
};

}  // namespace

std::span<const SelectableField> SelectableFields(std::string_view group_plural) {
  const auto found = std::ranges::find(kSelectableRows, group_plural, &SelectableRow::group_plural);
  return found == kSelectableRows.end() ? std::span<const SelectableField>() : found->fields;
}

std::string TermOf(std::string_view path, std::string_view value) {
  return fmt::format("{}={}", path, value);
}

std::shared_ptr<const store::Facts> ObjectExtractor::Extract(std::string_view key,
                                                             std::string_view bytes) const {
  const std::span<const SelectableField> fields = SelectableFields(CollectionOf(key));
  PathReader reader(bytes, fields);
  reader.Read();
  std::map<std::string, std::string, std::less<>> values;
  values.emplace("metadata.name", reader.ValueAt("metadata.name", ""));
  values.emplace("metadata.namespace", reader.ValueAt("metadata.namespace", ""));
  std::vector<std::string> terms =
      indexes_held_ ? TermsOfHeld(key, bytes) : std::vector<std::string>();
  for (const SelectableField& field : fields) {
    std::string value = reader.ValueAt(field.path, field.absent);
    if (value.empty() && !field.otherwise.empty()) {
      value = reader.ValueAt(field.otherwise, "");
    }
    if (field.indexed) {
      terms.push_back(TermOf(field.path, value));
    }
    values.emplace(field.path, std::move(value));
  }
  return std::make_shared<const ObjectFacts>(reader.TakeLabels(), std::move(values),
                                             std::move(terms));
}

const ObjectFacts& FactsOf(const store::Record& record) {
  return static_cast<const ObjectFacts&>(*record.facts);
}

}  // namespace quadra::apiserver

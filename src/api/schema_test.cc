#include "api/schema.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace quadra::api {
namespace {

const Struct* StructOf(const Type* type) {
  while (type->element != nullptr) {
    type = type->element;
  }
  return type->fields;
}

// The field reached by JSON names from a kind, e.g. "spec.devices.requests"; lists and maps are
// passed through.
const Field* FieldAt(std::string_view api_version, std::string_view kind, std::string_view path) {
  const KindSchema* schema = FindKind(api_version, kind);
  const Struct* at = schema != nullptr ? schema->fields : nullptr;
  const Field* field = nullptr;
  while (at != nullptr && !path.empty()) {
    const std::size_t dot = std::min(path.find('.'), path.size());
    std::size_t hint = 0;
    field = FindField(*at, path.substr(0, dot), hint);
    if (field == nullptr) {
      return nullptr;
    }
    path.remove_prefix(std::min(dot + 1, path.size()));
    at = StructOf(field->type);
  }
  return path.empty() ? field : nullptr;
}

// Every struct reachable from a kind, once.
std::set<const Struct*> AllStructs() {
  std::set<const Struct*> seen;
  std::vector<const Struct*> open;
  for (const KindSchema& kind : AllKinds()) {
    open.push_back(kind.fields);
  }
  while (!open.empty()) {
    const Struct* next = open.back();
    open.pop_back();
    if (next == nullptr || !seen.insert(next).second) {
      continue;
    }
    for (const Field& field : next->fields) {
      open.push_back(StructOf(field.type));
    }
  }
  return seen;
}

TEST(Schema, FindsKinds) {
  struct Row {
    std::string_view api_version, kind, plural;
    bool namespaced, has_status;
  };
  const Row rows[] = {
      {"v1", "Pod", "pods", true, true},
      {"v1", "Node", "nodes", false, true},
      {"v1", "PodList", "", false, false},
      {"v1", "Binding", "bindings", true, false},
      {"v1", "Status", "", false, false},
      {"meta.k8s.io/v1", "Table", "", false, false},
      {"resource.k8s.io/v1", "ResourceSlice", "resourceslices", false, false},
      {"resource.k8s.io/v1", "ResourceClaim", "resourceclaims", true, true},
      {"resource.k8s.io/v1beta2", "ResourceClaimTemplate", "resourceclaimtemplates", true, false},
      {"resource.k8s.io/v1beta1", "DeviceClass", "deviceclasses", false, false},
      {"resource.k8s.io/v1alpha3", "DeviceTaintRule", "devicetaintrules", false, true},
      {"resource.k8s.io/v1alpha3", "ResourcePoolStatusRequest", "resourcepoolstatusrequests", false,
       true},
      {"apps/v1", "Deployment", "deployments", true, true},
      {"authorization.k8s.io/v1", "SubjectAccessReview", "subjectaccessreviews", false, false},
      {"authorization.k8s.io/v1", "LocalSubjectAccessReview", "localsubjectaccessreviews", true,
       false},
      {"apiextensions.k8s.io/v1", "CustomResourceDefinition", "customresourcedefinitions", false,
       true},
  };
  for (const Row& row : rows) {
    SCOPED_TRACE(std::string(row.api_version) + " " + std::string(row.kind));
    const KindSchema* kind = FindKind(row.api_version, row.kind);
    ASSERT_NE(kind, nullptr);
    EXPECT_EQ(kind->kind, row.kind);
    EXPECT_EQ(kind->plural, row.plural);
    EXPECT_EQ(kind->namespaced, row.namespaced);
    EXPECT_EQ(kind->has_status, row.has_status);
  }
}

TEST(Schema, KnowsNoOtherKinds) {
  const std::pair<std::string_view, std::string_view> rows[] = {
      {"resource.k8s.io/v1beta1", "DeviceTaintRule"},
      {"resource.k8s.io/v1alpha3", "ResourceClaim"},
      {"resource.k8s.io/v1", "resourceclaim"},
      {"apps/v9", "DeleteOptions"},
      {"/v1", "Pods"},
      {"", ""},
      {"a/b/c", "Pod"},
  };
  for (const auto& [api_version, kind] : rows) {
    EXPECT_EQ(FindKind(api_version, kind), nullptr) << api_version << " " << kind;
  }
}

TEST(Schema, KnowsDeleteOptionsInTheWordsOfAnyVersion) {
  for (const std::string_view api_version : {"apps/v1", "resource.k8s.io/v1beta1", "v1"}) {
    const KindSchema* kind = FindKind(api_version, "DeleteOptions");
    ASSERT_NE(kind, nullptr) << api_version;
    EXPECT_EQ(kind, FindKind("v1", "DeleteOptions"));
  }
}

TEST(Schema, FindsFieldsInAnyOrder) {
  for (const Struct* type : AllStructs()) {
    std::size_t hint = 0;
    for (const Field& field : type->fields) {
      EXPECT_EQ(FindField(*type, field.json, hint), &field);
    }
    for (std::size_t i = type->fields.size(); i-- > 0;) {
      EXPECT_EQ(FindField(*type, type->fields[i].json, hint), &type->fields[i]);
      EXPECT_EQ(hint, i + 1);
    }
    hint = 1000;
    EXPECT_TRUE(type->fields.empty() ||
                FindField(*type, type->fields[0].json, hint) == &type->fields[0]);
  }
}

TEST(Schema, FindsNoOtherFields) {
  for (const Struct* type : AllStructs()) {
    std::set<std::string, std::less<>> strangers = {"", "a", "xy", "xyz"};
    for (const Field& field : type->fields) {
      std::string name(field.json);
      strangers.insert({name + "s", name.substr(1), name.substr(0, name.size() - 1)});
      name[0] = static_cast<char>(name[0] - 'a' + 'A');
      strangers.insert(name);
    }
    for (const Field& field : type->fields) {
      strangers.erase(std::string(field.json));
    }
    std::size_t hint = 0;
    for (const std::string& name : strangers) {
      EXPECT_EQ(FindField(*type, name, hint), nullptr) << type->openapi << " " << name;
    }
    EXPECT_EQ(hint, 0U);
  }
}

TEST(Schema, KindsAreSorted) {
  const auto key = [](const KindSchema& kind) {
    return std::tuple(kind.group, kind.version, kind.kind);
  };
  EXPECT_EQ(std::ranges::adjacent_find(AllKinds(), std::ranges::greater_equal(), key),
            AllKinds().end());
}

TEST(Schema, StructNamesAreUnique) {
  std::map<std::string_view, const Struct*> names;
  for (const Struct* type : AllStructs()) {
    EXPECT_TRUE(names.emplace(type->openapi, type).second) << type->openapi;
  }
  EXPECT_GT(names.size(), 500U);
}

TEST(Schema, FieldsAreUniqueInTheirStruct) {
  for (const Struct* type : AllStructs()) {
    std::set<std::string_view> names;
    std::set<std::pair<int, int>> numbers;
    for (const Field& field : type->fields) {
      EXPECT_TRUE(names.insert(field.json).second) << type->openapi << " " << field.json;
      EXPECT_TRUE(field.proto == 0 || numbers.emplace(field.proto_inside, field.proto).second)
          << type->openapi << " " << field.json;
      EXPECT_FALSE(numbers.contains({0, field.proto_inside}) && field.proto_inside != 0)
          << type->openapi;
    }
  }
}

TEST(Schema, ProtobufOrderListsNumberedFieldsOnce) {
  for (const Struct* type : AllStructs()) {
    std::vector<std::pair<int, int>> order;
    for (const std::uint8_t at : type->proto_order) {
      const Field& field = type->fields[at];
      order.emplace_back(field.proto_inside != 0 ? field.proto_inside : field.proto, field.proto);
    }
    EXPECT_EQ(std::ranges::adjacent_find(order, std::ranges::greater_equal()), order.end())
        << type->openapi;
    EXPECT_EQ(order.size(), static_cast<std::size_t>(std::ranges::count_if(
                                type->fields, [](const Field& field) { return field.proto != 0; })))
        << type->openapi;
  }
}

TEST(Schema, FindsStructsByOpenApiName) {
  for (const Struct* type : AllStructs()) {
    EXPECT_EQ(FindStruct(type->openapi), type);
  }
  EXPECT_EQ(FindStruct("io.k8s.api.resource.v1.Devic"), nullptr);
  EXPECT_EQ(FindStruct(""), nullptr);
  EXPECT_EQ(FindStruct("zz"), nullptr);
}

TEST(Schema, MapListsNameKeysOfTheirElements) {
  for (const Struct* type : AllStructs()) {
    for (const Field& field : type->fields) {
      EXPECT_EQ(field.list_type == ListType::kMap, !field.list_keys.empty())
          << type->openapi << " " << field.json;
      EXPECT_TRUE(field.list_type == ListType::kAtomic || field.type->kind == TypeKind::kList)
          << type->openapi << " " << field.json;
      for (std::string_view keys = field.list_keys; !keys.empty();) {
        const std::size_t space = std::min(keys.find(' '), keys.size());
        std::size_t hint = 0;
        EXPECT_NE(FindField(*field.type->element->fields, keys.substr(0, space), hint), nullptr)
            << keys;
        keys.remove_prefix(std::min(space + 1, keys.size()));
      }
    }
  }
}

TEST(Schema, TypesSayWhatTheyHold) {
  for (const Struct* type : AllStructs()) {
    for (const Field& field : type->fields) {
      for (const Type* at = field.type; at != nullptr; at = at->element) {
        const bool holds_elements = at->kind == TypeKind::kList || at->kind == TypeKind::kMap;
        const bool holds_fields =
            at->kind == TypeKind::kStruct || at->kind == TypeKind::kSchemaOrArray ||
            at->kind == TypeKind::kSchemaOrBool || at->kind == TypeKind::kSchemaOrStrings;
        EXPECT_EQ(at->element != nullptr, holds_elements) << type->openapi << " " << field.json;
        EXPECT_EQ(at->fields != nullptr, holds_fields) << type->openapi << " " << field.json;
      }
    }
  }
}

// One fact about one field; what a row does not mention is not checked.
struct Fact {
  std::string_view api_version, kind, path;
  TypeKind type;
  std::uint16_t proto;
  std::optional<bool> pointer = {};
  std::optional<bool> omit_empty = {};
  std::optional<std::uint16_t> proto_inside = {};
  std::optional<std::string_view> list_keys = {};
  std::optional<std::string_view> patch_key = {};
  std::optional<std::string_view> default_json = {};
};

TEST(Schema, StatesUpstreamsFacts) {
  constexpr std::string_view kV1 = "resource.k8s.io/v1";
  const Fact facts[] = {
      {kV1, "ResourceSlice", "spec.devices.nodeAllocatableResources", TypeKind::kMap, 14, false,
       true},
      {kV1, "ResourceSlice", "spec.devices.attributes.int", TypeKind::kInt64, 2, true, true},
      {kV1, "ResourceSlice", "spec.devices.capacity.value", TypeKind::kQuantity, 1, false, false},
      {kV1, "ResourceSlice", "spec.nodeName", TypeKind::kString, 3, true, true},
      {"resource.k8s.io/v1beta1", "ResourceSlice", "spec.nodeName", TypeKind::kString, 3, false,
       true},
      {kV1, "ResourceClaim", "kind", TypeKind::kString, 0, false, true},
      {kV1, "ResourceClaim", "metadata", TypeKind::kStruct, 1, false, false},
      {kV1, "ResourceClaim", "spec.devices.requests", TypeKind::kList, 1, false, false},
      {.api_version = kV1,
       .kind = "ResourceClaim",
       .path = "status.reservedFor",
       .type = TypeKind::kList,
       .proto = 2,
       .list_keys = "uid",
       .patch_key = "uid"},
      {.api_version = kV1,
       .kind = "ResourceClaim",
       .path = "status.devices",
       .type = TypeKind::kList,
       .proto = 4,
       .list_keys = "driver device pool shareID"},
      {.api_version = kV1,
       .kind = "ResourceClaim",
       .path = "spec.devices.config.opaque",
       .type = TypeKind::kStruct,
       .proto = 1,
       .pointer = true,
       .proto_inside = 2},
      {.api_version = kV1,
       .kind = "ResourceClaim",
       .path = "spec.devices.requests.exactly.tolerations.operator",
       .type = TypeKind::kString,
       .proto = 2,
       .default_json = R"("Equal")"},
      {.api_version = "v1",
       .kind = "Pod",
       .path = "spec.containers",
       .type = TypeKind::kList,
       .proto = 2,
       .list_keys = "name",
       .patch_key = "name"},
      {.api_version = "v1",
       .kind = "Pod",
       .path = "spec.volumes.secret",
       .type = TypeKind::kStruct,
       .proto = 6,
       .pointer = true,
       .proto_inside = 2},
      {.api_version = "v1",
       .kind = "Pod",
       .path = "spec.containers.livenessProbe.httpGet.port",
       .type = TypeKind::kIntOrString,
       .proto = 2,
       .pointer = false},
      {.api_version = "v1", .kind = "Secret", .path = "data", .type = TypeKind::kMap, .proto = 2},
      {.api_version = "v1",
       .kind = "Pod",
       .path = "metadata.managedFields.fieldsV1",
       .type = TypeKind::kFieldsV1,
       .proto = 7,
       .pointer = true},
      {"coordination.k8s.io/v1", "Lease", "spec.renewTime", TypeKind::kMicroTime, 4, true, true},
      {"apiextensions.k8s.io/v1", "CustomResourceDefinition",
       "spec.versions.schema.openAPIV3Schema.items", TypeKind::kSchemaOrArray, 24, true, true},
  };
  for (const Fact& fact : facts) {
    SCOPED_TRACE(std::string(fact.kind) + "." + std::string(fact.path));
    const Field* field = FieldAt(fact.api_version, fact.kind, fact.path);
    ASSERT_NE(field, nullptr);
    EXPECT_EQ(field->type->kind, fact.type);
    EXPECT_EQ(field->proto, fact.proto);
    EXPECT_EQ(field->pointer, fact.pointer.value_or(field->pointer));
    EXPECT_EQ(field->omit_empty, fact.omit_empty.value_or(field->omit_empty));
    EXPECT_EQ(field->proto_inside, fact.proto_inside.value_or(field->proto_inside));
    EXPECT_EQ(field->list_keys, fact.list_keys.value_or(field->list_keys));
    EXPECT_EQ(field->patch_key, fact.patch_key.value_or(field->patch_key));
    EXPECT_EQ(field->default_json, fact.default_json.value_or(field->default_json));
  }
}

TEST(Schema, StatesOurFacts) {
  struct Row {
    std::string_view api_version, kind, path;
    std::string_view default_json = {}, default_when = {};
    bool immutable = false;
    std::string_view gate = {};
  };
  constexpr std::string_view kV1 = "resource.k8s.io/v1", kV1beta1 = "resource.k8s.io/v1beta1";
  const Row rows[] = {
      {kV1, "ResourceClaim", "spec.devices.requests.exactly.allocationMode", R"("ExactCount")"},
      {kV1, "ResourceClaim", "spec.devices.requests.exactly.count", "1",
       "allocationMode=ExactCount"},
      {kV1beta1, "ResourceClaim", "spec.devices.requests.allocationMode", R"("ExactCount")",
       "deviceClassName"},
      {kV1beta1, "ResourceClaim", "spec.devices.requests.count", "1",
       "deviceClassName allocationMode=ExactCount"},
      {kV1beta1, "ResourceClaim", "spec.devices.requests.firstAvailable.allocationMode",
       R"("ExactCount")"},
      {.api_version = kV1,
       .kind = "ResourceSlice",
       .path = "spec.devices.taints.timeAdded",
       .default_json = "<now>"},
      {.api_version = kV1, .kind = "ResourceClaim", .path = "spec", .immutable = true},
      {.api_version = kV1, .kind = "ResourceSlice", .path = "spec.pool.name", .immutable = true},
      {.api_version = kV1, .kind = "ResourceSlice", .path = "spec.pool.generation"},
      {.api_version = kV1beta1,
       .kind = "ResourceSlice",
       .path = "spec.devices.basic.taints",
       .gate = "DRADeviceTaints"},
      {.api_version = kV1,
       .kind = "ResourceSlice",
       .path = "spec.devices.bindsToNode",
       .gate = "DRADeviceBindingConditions DRAResourceClaimDeviceStatus"},
      {.api_version = kV1,
       .kind = "ResourceClaim",
       .path = "status.allocation.devices.results.tolerations"},
      {.api_version = "v1",
       .kind = "Pod",
       .path = "status.extendedResourceClaimStatus",
       .gate = "DRAExtendedResource"},
      {"resource.k8s.io/v1alpha3", "ResourcePoolStatusRequest", "spec.limit", "100"},
  };
  for (const Row& row : rows) {
    SCOPED_TRACE(std::string(row.kind) + "." + std::string(row.path));
    const Field* field = FieldAt(row.api_version, row.kind, row.path);
    ASSERT_NE(field, nullptr);
    EXPECT_EQ(field->default_json, row.default_json);
    EXPECT_EQ(field->default_when, row.default_when);
    EXPECT_EQ(field->immutable, row.immutable);
    EXPECT_EQ(field->gate, row.gate);
  }
}

TEST(Schema, DescribesEveryFieldOfOurGroup) {
  for (const Struct* type : AllStructs()) {
    if (!type->openapi.starts_with("io.k8s.api.resource.")) {
      continue;
    }
    for (const Field& field : type->fields) {
      EXPECT_FALSE(field.description.empty()) << type->openapi << " " << field.json;
    }
  }
}

TEST(Schema, NamesTableColumns) {
  struct Row {
    std::string_view api_version, kind, columns;
  };
  const Row rows[] = {
      {"resource.k8s.io/v1", "ResourceSlice", "Name Node Driver Pool Age"},
      {"resource.k8s.io/v1beta1", "ResourceClaim", "Name State Age"},
      {"resource.k8s.io/v1", "DeviceTaintRule", "Name Key Value Effect TimeAdded Age"},
      {"v1", "Pod", "Name Ready Status Restarts Age IP+ Node+ Nominated Node+ Readiness Gates+"},
      {"v1", "LimitRange", ""},
  };
  for (const Row& row : rows) {
    std::string columns;
    for (const Column& column : FindKind(row.api_version, row.kind)->columns) {
      columns += (columns.empty() ? "" : " ") + std::string(column.name) + (column.wide ? "+" : "");
    }
    EXPECT_EQ(columns, row.columns) << row.kind;
  }
}

// A path of a column leads to a field; computed ones are words.
TEST(Schema, ColumnsShowFields) {
  for (const KindSchema& kind : AllKinds()) {
    for (const Column& column : kind.columns) {
      if (column.path.starts_with('<')) {
        continue;
      }
      const std::string api_version =
          kind.group.empty() ? std::string(kind.version)
                             : std::string(kind.group) + "/" + std::string(kind.version);
      std::string_view path = column.path.substr(1);
      if (path.ends_with(".capacity.storage")) {
        path.remove_suffix(std::string_view(".storage").size());
      }
      EXPECT_NE(FieldAt(api_version, kind.kind, path), nullptr) << kind.kind << " " << column.path;
    }
  }
}

TEST(Schema, NamedListsThatProtobufWraps) {
  EXPECT_TRUE(FieldAt("v1", "APIResourceList", "resources.verbs")->type->proto_items);
  EXPECT_TRUE(FieldAt("authentication.k8s.io/v1", "TokenReview", "status.user.extra")
                  ->type->element->proto_items);
  EXPECT_FALSE(FieldAt("v1", "Pod", "metadata.finalizers")->type->proto_items);
}

}  // namespace
}  // namespace quadra::api

#include "apiserver/openapi_paths.h"

#include <algorithm>
#include <span>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "apiserver/json_members.h"
#include "apiserver/openapi_parameters.h"
#include "apiserver/words.h"

namespace quadra::apiserver {
namespace {

using json::Writer;

constexpr std::string_view kStatus = "io.k8s.apimachinery.pkg.apis.meta.v1.Status";
constexpr std::string_view kDeleteOptions = "io.k8s.apimachinery.pkg.apis.meta.v1.DeleteOptions";
constexpr std::string_view kApiResourceList =
    "io.k8s.apimachinery.pkg.apis.meta.v1.APIResourceList";
constexpr std::string_view kAnyObject = "io.k8s.apimachinery.pkg.runtime.RawExtension";

constexpr std::string_view kAnyType[] = {"*/*"};
constexpr std::string_view kAnswerTypes[] = {"application/json", "application/yaml",
                                             "application/vnd.kubernetes.protobuf"};
constexpr std::string_view kListTypes[] = {
    "application/json", "application/yaml", "application/vnd.kubernetes.protobuf",
    "application/json;stream=watch", "application/vnd.kubernetes.protobuf;stream=watch"};
constexpr std::string_view kPatchTypes[] = {
    "application/apply-patch+yaml", "application/json-patch+json", "application/merge-patch+json",
    "application/strategic-merge-patch+json"};

// How an operation differs from the others.
struct OperationShape {
  Verb verb;
  std::string_view method;
  std::string_view word;    // begins the operation's name
  std::string_view action;  // for x-kubernetes-action
  ParameterUses parameters;
  std::string_view codes;    // of success, space separated
  std::string_view summary;  // of what it does to the kind behind it
};

// Sorted by method, as upstream writes them.
constexpr OperationShape kOnCollection[] = {
    {Verb::kDeleteCollection, "delete", "delete", "deletecollection", kOfSelect | kOfDelete, "200",
     "delete every selected"},
    {Verb::kList, "get", "list", "list", kOfSelect | kOfList, "200",
     "list or watch objects of kind"},
    {Verb::kCreate, "post", "create", "post", kOfWrite, "200 201 202", "create a"},
};
constexpr OperationShape kOnOne[] = {
    {Verb::kDelete, "delete", "delete", "delete", kOfDelete, "200 202", "delete a"},
    {Verb::kGet, "get", "read", "get", 0, "200", "read the named"},
    {Verb::kPatch, "patch", "patch", "patch", kOfWrite | kOfPatch, "200 201",
     "change parts of the named"},
    {Verb::kUpdate, "put", "replace", "put", kOfWrite, "200 201", "replace the named"},
};

std::string Capitalized(std::string_view word) {
  std::string text(word);
  if (!text.empty() && text[0] >= 'a' && text[0] <= 'z') {
    text[0] = static_cast<char>(text[0] - 'a' + 'A');
  }
  return text;
}

// As operations are named after it: RbacAuthorization for rbac.authorization.k8s.io.
std::string GroupWords(std::string_view group) {
  constexpr std::string_view kOurs = ".k8s.io";
  if (group.ends_with(kOurs)) {
    group.remove_suffix(kOurs.size());
  }
  std::string words;
  for (const std::string_view word : Words(group, '.')) {
    words += Capitalized(word);
  }
  return words.empty() ? "Core" : words;
}

// One path of a resource and what its operations share.
struct Place {
  std::string path;
  const Resource* resource = nullptr;
  const Subresource* part = nullptr;      // null: the resource itself
  const api::KindSchema* list = nullptr;  // the kind of its lists, where it has one
  bool has_namespace = false;             // in the path
  bool has_name = false;                  // in the path
  bool all_namespaces = false;

  const api::KindSchema& kind() const { return part == nullptr ? *resource->kind : *part->kind; }
  Verbs verbs() const { return part == nullptr ? resource->verbs : part->verbs; }
};

class PathWriter {
 public:
  PathWriter(Writer& writer, const GroupVersion& version, OpenApiSchemas& schemas)
      : writer_(writer), version_(version), schemas_(schemas), words_(GroupWords(version.group)) {}

  void WriteVersion() {
    const std::string root =
        fmt::format("{}/{}", version_.group.empty() ? "/api" : "/apis", version_.ApiVersion());
    Object(writer_, [&] {
      WriteResourceList(root + "/");
      for (const Resource& resource : version_.resources) {
        WriteResource(root, resource);
      }
    });
  }

 private:
  void WriteResourceList(std::string_view path) {
    Object(writer_, path, [&] {
      Object(writer_, "get", [&] {
        Text(writer_, "description", "list the resources of this version");
        Text(writer_, "operationId",
             fmt::format("get{}{}APIResources", words_, Capitalized(version_.version)));
        WriteResponses("200", kAnswerTypes, kApiResourceList);
        WriteTags();
      });
    });
  }

  void WriteResource(std::string_view root, const Resource& resource) {
    const api::KindSchema& kind = *resource.kind;
    const auto* const list = api::FindKind(version_.ApiVersion(), fmt::format("{}List", kind.kind));
    if (kind.namespaced && resource.verbs.Has(Verb::kList)) {
      WritePlace({.path = fmt::format("{}/{}", root, kind.plural),
                  .resource = &resource,
                  .list = list,
                  .all_namespaces = true},
                 kOnCollection);
    }
    const std::string path =
        fmt::format("{}/{}{}", root, kind.namespaced ? "namespaces/{namespace}/" : "", kind.plural);
    Place place{
        .path = path, .resource = &resource, .list = list, .has_namespace = kind.namespaced};
    WritePlace(place, kOnCollection);
    place.has_name = true;
    place.path = path + "/{name}";
    WritePlace(place, kOnOne);
    for (const Subresource& part : resource.subresources) {
      place.part = &part;
      place.path = fmt::format("{}/{{name}}/{}", path, part.name);
      WritePlace(place, part.verbs.Has(Verb::kCreate)
                            ? std::span<const OperationShape>(kOnCollection)
                            : std::span<const OperationShape>(kOnOne));
    }
  }

  static bool Exists(const Place& place, const OperationShape& shape) {
    return place.verbs().Has(shape.verb) && (!place.all_namespaces || shape.verb == Verb::kList);
  }

  void WritePlace(const Place& place, std::span<const OperationShape> shapes) {
    const auto exists = [&](const OperationShape& shape) { return Exists(place, shape); };
    if (std::ranges::none_of(shapes, exists)) {
      return;
    }
    Object(writer_, place.path, [&] {
      for (const OperationShape& shape : shapes) {
        if (exists(shape)) {
          Object(writer_, shape.method, [&] { WriteOperation(place, shape); });
        }
      }
      Array(writer_, "parameters", [&] { WriteSharedParameters(place); });
    });
  }

  void WriteSharedParameters(const Place& place) {
    if (place.has_name) {
      WritePathParameter(writer_, "name", fmt::format("name of the {}", place.kind().kind));
    }
    if (place.has_namespace) {
      WritePathParameter(writer_, "namespace", "the namespace that the object is in");
    }
    WriteQueryParameters(writer_, kOfEvery);
  }

  void WriteOperation(const Place& place, const OperationShape& shape) {
    Text(writer_, "description", fmt::format("{} {}", shape.summary, place.kind().kind));
    Text(writer_, "operationId", OperationName(place, shape));
    if (shape.parameters != 0) {
      Array(writer_, "parameters", [&] { WriteQueryParameters(writer_, shape.parameters); });
    }
    WriteBody(place, shape.verb);
    const std::span<const std::string_view> types =
        shape.verb == Verb::kList ? std::span<const std::string_view>(kListTypes) : kAnswerTypes;
    WriteResponses(shape.codes, types, AnswerSchema(place, shape.verb));
    WriteTags();
    Text(writer_, "x-kubernetes-action", shape.action);
    WriteKind(place.kind());
  }

  std::string OperationName(const Place& place, const OperationShape& shape) const {
    return fmt::format("{}{}{}{}{}{}{}{}", shape.word, words_, Capitalized(version_.version),
                       shape.verb == Verb::kDeleteCollection ? "Collection" : "",
                       place.has_namespace ? "Namespaced" : "", place.resource->kind->kind,
                       place.part == nullptr ? "" : Capitalized(place.part->name),
                       place.all_namespaces ? "ForAllNamespaces" : "");
  }

  void WriteBody(const Place& place, Verb verb) {
    switch (verb) {
      case Verb::kCreate:
      case Verb::kUpdate:
        return WriteBody(kAnyType, place.kind().fields->openapi, true);
      case Verb::kPatch:
        return WriteBody(kPatchTypes, kPatchSchema, true);
      case Verb::kDelete:
      case Verb::kDeleteCollection:
        return WriteBody(kAnyType, kDeleteOptions, false);
      case Verb::kGet:
      case Verb::kList:
      case Verb::kWatch:
        return;
    }
  }

  void WriteBody(std::span<const std::string_view> types, std::string_view schema, bool required) {
    Object(writer_, "requestBody", [&] {
      WriteContent(types, schema);
      if (required) {
        Flag(writer_, "required", true);
      }
    });
  }

  static std::string_view AnswerSchema(const Place& place, Verb verb) {
    switch (verb) {
      case Verb::kList:
        return place.list == nullptr ? kAnyObject : place.list->fields->openapi;
      case Verb::kDeleteCollection:
        return kStatus;
      case Verb::kDelete:
        return place.resource->returns_deleted ? place.kind().fields->openapi : kStatus;
      default:
        return place.kind().fields->openapi;
    }
  }

  void WriteResponses(std::string_view codes, std::span<const std::string_view> types,
                      std::string_view schema) {
    Object(writer_, "responses", [&] {
      for (const std::string_view code : Words(codes)) {
        Object(writer_, code, [&] {
          Text(writer_, "description",
               code == "200"   ? "OK"
               : code == "201" ? "Created"
                               : "Accepted");
          WriteContent(types, schema);
        });
      }
      Object(writer_, "401", [&] { Text(writer_, "description", "Unauthorized"); });
    });
  }

  void WriteContent(std::span<const std::string_view> types, std::string_view schema) {
    Object(writer_, "content", [&] {
      for (const std::string_view type : types) {
        Object(writer_, type, [&] {
          writer_.Key("schema");
          schemas_.Ref(writer_, schema);
        });
      }
    });
  }

  void WriteTags() {
    std::string group = words_;
    group[0] = static_cast<char>(group[0] - 'A' + 'a');
    Array(writer_, "tags", [&] { writer_.String(fmt::format("{}_{}", group, version_.version)); });
  }

  void WriteKind(const api::KindSchema& kind) {
    Object(writer_, "x-kubernetes-group-version-kind", [&] {
      Text(writer_, "group", kind.group);
      Text(writer_, "kind", kind.kind);
      Text(writer_, "version", kind.version);
    });
  }

  Writer& writer_;
  const GroupVersion& version_;
  OpenApiSchemas& schemas_;
  std::string words_;  // the group's, capitalized
};

}  // namespace

void WriteOpenApiPaths(Writer& writer, const GroupVersion& version, OpenApiSchemas& schemas) {
  PathWriter(writer, version, schemas).WriteVersion();
}

}  // namespace quadra::apiserver

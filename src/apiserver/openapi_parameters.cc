#include "apiserver/openapi_parameters.h"

#include "apiserver/json_members.h"

namespace quadra::apiserver {
namespace {

using json::Writer;

struct Parameter {
  std::string_view name;
  std::string_view type;
  ParameterUses uses;
  std::string_view description;
};

constexpr Parameter kParameters[] = {
    {"allowWatchBookmarks", "boolean", kOfList,
     "Let a watch send BOOKMARK events, which say how far it has come."},
    {"continue", "string", kOfSelect,
     "Where to go on: metadata.continue of the page before, with the same selectors."},
    {"dryRun", "string", kOfWrite | kOfDelete,
     "All: check and answer as usual, but store nothing. No other value is allowed."},
    {"fieldManager", "string", kOfWrite,
     "Who makes the change, in at most 128 printable characters; required by apply patches."},
    {"fieldSelector", "string", kOfSelect, "Keep only objects with these values of fields."},
    {"fieldValidation", "string", kOfWrite,
     "What to do with unknown and duplicate fields: Ignore, Warn (as default) or Strict, which "
     "refuses them."},
    {"force", "boolean", kOfPatch, "Take fields over from other managers; of apply patches."},
    {"gracePeriodSeconds", "integer", kOfDelete,
     "Seconds until the object is removed; 0 removes it at once. The kind decides if not given."},
    {"ignoreStoreReadErrorWithClusterBreakingPotential", "boolean", kOfDelete,
     "Remove an object that can no longer be read, without asking its finalizers."},
    {"labelSelector", "string", kOfSelect, "Keep only objects with such labels."},
    {"limit", "integer", kOfSelect,
     "The most objects to answer with; if there are more, metadata.continue says where to go on."},
    {"orphanDependents", "boolean", kOfDelete,
     "Older spelling of propagationPolicy: true means Orphan."},
    {"pretty", "string", kOfEvery, "true: indent the answer."},
    {"propagationPolicy", "string", kOfDelete,
     "What becomes of dependents: Orphan keeps them, Background deletes them afterwards, "
     "Foreground before."},
    {"resourceVersion", "string", kOfSelect,
     "The version of the collection to answer from, or from which a watch starts."},
    {"resourceVersionMatch", "string", kOfSelect,
     "How resourceVersion is meant: Exact or NotOlderThan."},
    {"sendInitialEvents", "boolean", kOfSelect,
     "Begin a watch with the objects there are, then a bookmark that says so. Needs "
     "resourceVersionMatch=NotOlderThan."},
    {"shardSelector", "string", kOfSelect, "Keep only objects of a part of the collection."},
    {"timeoutSeconds", "integer", kOfSelect, "Seconds after which the call ends."},
    {"watch", "boolean", kOfList, "Send changes as they happen instead of a list."},
};

template <typename Fill>
void WriteParameter(Writer& writer, std::string_view name, std::string_view type, Fill fill) {
  Object(writer, [&] {
    Text(writer, "name", name);
    fill();
    Object(writer, "schema", [&] {
      Text(writer, "type", type);
      Flag(writer, "uniqueItems", true);
    });
  });
}

}  // namespace

void WriteQueryParameters(Writer& writer, ParameterUses uses) {
  for (const Parameter& parameter : kParameters) {
    if ((parameter.uses & uses) != 0) {
      WriteParameter(writer, parameter.name, parameter.type, [&] {
        Text(writer, "in", "query");
        Text(writer, "description", parameter.description);
      });
    }
  }
}

void WritePathParameter(Writer& writer, std::string_view name, std::string_view description) {
  WriteParameter(writer, name, "string", [&] {
    Text(writer, "in", "path");
    Text(writer, "description", description);
    Flag(writer, "required", true);
  });
}

}  // namespace quadra::apiserver

#include "lifecycle/owner_patches.h"

#include <functional>

#include "json/writer.h"

namespace quadra::lifecycle {
namespace {

using json::Writer;

// {"metadata": { what `members` writes } }
std::string OfMetadata(const std::function<void(Writer&)>& members) {
  std::string body;
  Writer writer(body);
  writer.BeginObject();
  writer.Key("metadata");
  writer.BeginObject();
  members(writer);
  writer.EndObject();
  writer.EndObject();
  return body;
}

void WriteOwner(Writer& writer, const api::OwnerReference& owner, std::optional<bool> blocks) {
  writer.BeginObject();
  writer.Member("apiVersion", owner.api_version);
  writer.Member("kind", owner.kind);
  writer.Member("name", owner.name);
  writer.Member("uid", owner.uid);
  if (owner.controller) {
    writer.Key("controller");
    writer.Bool(*owner.controller);
  }
  if (blocks) {
    writer.Key("blockOwnerDeletion");
    writer.Bool(*blocks);
  }
  writer.EndObject();
}

}  // namespace

std::string WithoutOwners(std::string_view uid, std::span<const std::string> owner_uids) {
  return OfMetadata([&](Writer& writer) {
    writer.Member("uid", uid);
    writer.Key("ownerReferences");
    writer.BeginArray();
    for (const std::string& owner : owner_uids) {
      writer.BeginObject();
      writer.Member("$patch", "delete");
      writer.Member("uid", owner);
      writer.EndObject();
    }
    writer.EndArray();
  });
}

std::string Unblocking(std::string_view uid, std::span<const api::OwnerReference> owners) {
  return OfMetadata([&](Writer& writer) {
    writer.Member("uid", uid);
    writer.Key("ownerReferences");
    writer.BeginArray();
    for (const api::OwnerReference& owner : owners) {
      if (owner.block_owner_deletion.value_or(false)) {
        WriteOwner(writer, owner, false);
      }
    }
    writer.EndArray();
  });
}

std::string WithOwners(const api::ObjectMeta& seen, std::span<const api::OwnerReference> owners) {
  return OfMetadata([&](Writer& writer) {
    writer.Member("resourceVersion", seen.resource_version);
    writer.Key("ownerReferences");
    writer.BeginArray();
    for (const api::OwnerReference& owner : owners) {
      WriteOwner(writer, owner, owner.block_owner_deletion);
    }
    writer.EndArray();
  });
}

std::string WithoutFinalizer(const api::ObjectMeta& seen, std::string_view finalizer) {
  return OfMetadata([&](Writer& writer) {
    writer.Member("resourceVersion", seen.resource_version);
    writer.Key("finalizers");
    writer.BeginArray();
    for (const std::string& kept : seen.finalizers) {
      if (kept != finalizer) {
        writer.String(kept);
      }
    }
    writer.EndArray();
  });
}

}  // namespace quadra::lifecycle

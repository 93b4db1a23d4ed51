#include "client/versions.h"

#include <algorithm>
#include <array>
#include <utility>

#include "json/value.h"

namespace quadra::client {
namespace {

constexpr std::array<std::string_view, 4> kReadable = {"v1", "v1beta2", "v1beta1", "v1alpha3"};

// The items under `list`; none where there is no such list.
json::Value::Array ItemsIn(std::string_view json, std::string_view list) {
  const Result<json::Value> read = json::ParseValue(json);
  if (!read || read->Get(list).kind() != json::Kind::kArray) {
    return {};
  }
  return read->Get(list).items();
}

}  // namespace

void DraVersions::Add(const std::string& version, std::string_view resources) {
  const std::string api_version = std::string(api::kDraGroup) + "/" + version;
  for (const json::Value& item : ItemsIn(resources, "resources")) {
    if (api::FindKind(api_version, item.Get("kind").text()) != nullptr) {
      by_plural_.try_emplace(item.Get("name").text(), version);
    }
  }
}

std::optional<std::string> DraVersions::Of(const Resource& resource) const {
  const auto found = by_plural_.find(resource.plural);
  return resource.group == api::kDraGroup && found != by_plural_.end()
             ? std::optional(found->second)
             : std::nullopt;
}

std::vector<std::string> VersionsIn(std::string_view group) {
  const json::Value::Array served = ItemsIn(group, "versions");
  std::vector<std::string> readable;
  for (const std::string_view version : kReadable) {
    const auto is_it = [&](const json::Value& item) {
      return item.Get("version").text() == version;
    };
    if (std::ranges::any_of(served, is_it)) {
      readable.emplace_back(version);
    }
  }
  return readable;
}

Failure NoDra() {
  return {.code = 404,
          .reason = std::string(refused::kNotFound),
          .message =
              "the server has no version of resource.k8s.io that we can read; use Kubernetes "
              "1.32 or later with DynamicResourceAllocation, and enable the group in "
              "--runtime-config"};
}

}  // namespace quadra::client

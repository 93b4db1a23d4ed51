// Worlds of tests: a Cluster out of YAML.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "api/object.h"
#include "base/check.h"
#include "json/documents.h"
#include "placement/cluster.h"

namespace quadra::placement {

inline const selector::Language& TestLanguage() {
  static const selector::Language language(nullptr);
  return language;
}

// In `default` where no namespace is given.
template <typename T>
void PutInto(Cluster& cluster, T object) {
  object.metadata.ns = object.metadata.ns.empty() ? "default" : object.metadata.ns;
  cluster.Put(std::move(object));
}

inline Cluster ClusterOf(std::string_view yaml, std::string_view gates = "") {
  const Result<api::FeatureGates> parsed = api::FeatureGates::Parse(gates);
  QUADRA_CHECK(parsed.has_value(), "tests name gates that exist");
  Cluster cluster(TestLanguage(), *parsed);
  if (yaml.empty()) {
    return cluster;
  }
  const Status read =
      json::ReadManifestText("world", std::string(yaml), [&](const json::Manifest& manifest) {
        const api::Decoded<api::Header> header = api::ReadHeader(manifest.json());
        const Result<bool> taken =
            api::ReadObject({.api_version = header->api_version,
                             .kind = header->kind,
                             .json = manifest.json(),
                             .defaults = api::Defaults::kFilled},
                            [&](auto object) { PutInto(cluster, std::move(object)); });
        QUADRA_CHECK(taken && *taken, "tests write objects that can be read");
        return Status();
      });
  QUADRA_CHECK(read.has_value(), "tests write YAML that can be read");
  return cluster;
}

inline std::string NodeYaml(std::string_view name, std::string_view more = "") {
  return fmt::format("---\napiVersion: v1\nkind: Node\nmetadata: {{name: {}}}\n{}\n", name, more);
}

// One node's pool of `count` devices named d0, d1, …
inline std::string SliceYaml(std::string_view node, int count) {
  std::string devices;
  for (int i = 0; i < count; ++i) {
    devices += fmt::format("{}{{name: d{}}}", i == 0 ? "" : ", ", i);
  }
  return fmt::format(
      "---\napiVersion: resource.k8s.io/v1\nkind: ResourceSlice\nmetadata: {{name: s-{0}}}\nspec: "
      "{{driver: drv, nodeName: {0}, pool: {{name: {0}, generation: 1, resourceSliceCount: 1}}, "
      "devices: [{1}]}}\n",
      node, devices);
}

}  // namespace quadra::placement

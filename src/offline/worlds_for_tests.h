// Worlds of this folder's tests: a Dump out of YAML.
#pragma once

#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "api/object.h"
#include "json/documents.h"
#include "offline/dump.h"

namespace quadra::offline {

inline const selector::Language& TestLanguage() {
  static const selector::Language language(nullptr);
  return language;
}

inline Dump DumpOf(std::string_view yaml, std::string_view gates = "") {
  const Result<api::FeatureGates> parsed = api::FeatureGates::Parse(gates);
  EXPECT_TRUE(parsed) << parsed.error().ToString();
  Dump dump(TestLanguage(), *parsed);
  const Status read =
      json::ReadManifestText("dump", std::string(yaml), [&](const json::Manifest& manifest) {
        const api::Decoded<api::Header> header = api::ReadHeader(manifest.json());
        return dump.Take(manifest, header->api_version, header->kind);
      });
  EXPECT_TRUE(read) << read.error().ToString();
  return dump;
}

}  // namespace quadra::offline

// What the tests about pods share: pods from JSON, errors as lines of text.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "api/object.h"
#include "validation/pod.h"

namespace quadra::validation {

using Texts = std::vector<std::string>;

inline constexpr std::string_view kPodMetadata =
    R"({"name":"p","namespace":"default","resourceVersion":"1"})";

// A pod of these parts, given as JSON.
inline api::Pod PodOf(std::string_view spec, std::string_view status = "{}",
                      std::string_view metadata = kPodMetadata) {
  const auto pod = api::DecodeJson<api::Pod>(
      fmt::format(R"({{"apiVersion":"v1","kind":"Pod","metadata":{},"spec":{},"status":{}}})",
                  metadata, spec, status));
  EXPECT_TRUE(pod) << spec << status;
  return pod ? *pod : api::Pod();
}

// Each error as `field: message`.
inline Texts TextsOf(const Outcome& outcome) {
  Texts texts;
  for (const FieldError& error : outcome.errors) {
    texts.push_back(error.field + ": " + error.message);
  }
  return texts;
}

}  // namespace quadra::validation

#include "patch/fit.h"

#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "base/check.h"

namespace quadra::patch {
namespace {

json::Value Parsed(std::string_view text) {
  Result<json::Value> value = json::ParseValue(text);
  QUADRA_CHECK(value.has_value(), "tests write JSON");
  return *std::move(value);
}

// The tree, or what does not fit.
std::string Fitted(std::string_view object) {
  json::Value tree = Parsed(object);
  const std::string misfit = FitToSchema(tree, *api::FindKind("apps/v1", "Deployment")->fields);
  return misfit.empty() ? json::ToJson(tree) : misfit;
}

struct Row {
  std::string_view object, fitted;
};

TEST(Fit, TakesNumbersAsUpstreamsConverterDoes) {
  const Row rows[] = {
      {R"({"spec":{"replicas":3.0}})", R"({"spec":{"replicas":3}})"},
      {R"({"spec":{"replicas":4294967297}})", R"({"spec":{"replicas":1}})"},
      {R"({"spec":{"replicas":2147483648}})", R"({"spec":{"replicas":-2147483648}})"},
      {R"({"metadata":{"generation":1e+3}})", R"({"metadata":{"generation":1000}})"},
      {R"({"spec":{"replicas":null,"x":2.5}})", R"({"spec":{"replicas":null,"x":2.5}})"},
      {R"({"spec":{"strategy":{"rollingUpdate":{"maxSurge":2.5}}}})",
       R"({"spec":{"strategy":{"rollingUpdate":{"maxSurge":2.5}}}})"},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(Fitted(row.object), row.fitted);
  }
}

TEST(Fit, ComplainsInItsWords) {
  const Row rows[] = {
      {R"({"spec":{"replicas":2.5}})", "cannot convert float64 to int32"},
      {R"({"spec":{"replicas":"2"}})", "unrecognized type: int32"},
      {R"({"spec":{"paused":1}})", "unrecognized type: bool"},
      {R"({"kind":5})", "cannot convert int64 to string"},
      {R"({"kind":5.5})", "unrecognized type: string"},
      {R"({"kind":{}})", "unrecognized type: string"},
      {R"({"spec":"x"})", "cannot restore struct from: string"},
      {R"({"metadata":{"finalizers":{}}})", "cannot restore slice from map"},
      {R"({"metadata":{"labels":[]}})", "cannot restore map from slice"},
      {R"({"metadata":{"labels":{"a":true}}})", "unrecognized type: string"},
      {R"({"spec":5,"metadata":{"name":[]}})", "unrecognized type: string"},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(Fitted(row.object), row.fitted) << row.object;
  }
}

}  // namespace
}  // namespace quadra::patch

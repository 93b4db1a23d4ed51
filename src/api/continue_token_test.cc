#include "api/continue_token.h"

#include <gtest/gtest.h>

#include "base/base64.h"

namespace quadra::api {
namespace {

constexpr std::string_view kPrefix = "/registry/pods/";

TEST(ContinueToken, IsUpstreams) {
  const std::string key = "/registry/pods/default/a" + std::string(1, '\0');
  const Result<std::string> token = EncodeContinue({key, 42}, kPrefix);
  ASSERT_TRUE(token);
  EXPECT_EQ(*token, "eyJ2IjoibWV0YS5rOHMuaW8vdjEiLCJydiI6NDIsInN0YXJ0IjoiZGVmYXVsdC9hXHUwMDAwIn0");
  const Result<ContinueToken> read = DecodeContinue(*token, kPrefix);
  ASSERT_TRUE(read);
  EXPECT_EQ(read->start_key, key);
  EXPECT_EQ(read->resource_version, 42);
}

TEST(ContinueToken, IsForKeysBelowThePrefix) {
  for (const std::string_view key : {"/registry/nodes/a", "", "/registry/pods"}) {
    EXPECT_EQ(EncodeContinue({std::string(key), 1}, kPrefix).error().message,
              "unable to encode next field: the key and key prefix do not match");
  }
}

std::string Encoded(std::string_view text) {
  std::string token;
  AppendBase64(token, text);
  token.resize(token.find_last_not_of('=') + 1);
  return token;
}

TEST(ContinueToken, RefusesInUpstreamsWords) {
  struct Row {
    std::string token;
    std::string_view why;
  };
  const Row rows[] = {
      {"=", "illegal base64 data at input byte 0"},
      {"abc+", "illegal base64 data at input byte 3"},
      {"abcde", "illegal base64 data at input byte 4"},
      {Encoded("[]"), "json: cannot unmarshal array into Go value of type storage.continueToken"},
      {Encoded("null"), "server does not recognize this encoded version "},
      {Encoded(R"({"v":"v2","rv":1})"), "server does not recognize this encoded version v2"},
      {Encoded(R"({"v":"meta.k8s.io/v1"})"),
       "incorrect encoded start resourceVersion (version meta.k8s.io/v1)"},
      {Encoded(R"({"v":"meta.k8s.io/v1","rv":1})"),
       "encoded start key empty (version meta.k8s.io/v1)"},
      {Encoded(R"({"v":"meta.k8s.io/v1","rv":1.5})"),
       "json: cannot unmarshal number 1.5 into Go struct field continueToken.rv of type int64"},
      {Encoded(R"({"v":"meta.k8s.io/v1","rv":1,"start":"../secrets"})"), "../secrets"},
      {Encoded(R"({"v":"meta.k8s.io/v1","rv":1,"start":"/a/../../b"})"), "/a/../../b"},
      {Encoded(R"({"v":"meta.k8s.io/v1","rv":1,"start":"a//b"})"), "a//b"},
      {Encoded(R"({"v":"meta.k8s.io/v1","rv":1,"start":"a/"})"), "a/"},
      {Encoded(R"({"v":"meta.k8s.io/v1","rv":1,"start":"./a"})"), "./a"},
  };
  for (const Row& row : rows) {
    const Result<ContinueToken> read = DecodeContinue(row.token, kPrefix);
    ASSERT_FALSE(read) << row.why;
    EXPECT_EQ(read.error().message, "continue key is not valid: " + std::string(row.why));
  }
}

TEST(ContinueToken, ReadsAsGoDoes) {
  struct Row {
    std::string_view content, key;
  };
  const Row rows[] = {
      {R"({"v":"meta.k8s.io/v1","rv":1,"start":"/a"})", "/registry/pods/a"},
      {R"({"V":"meta.k8s.io/v1","Rv":1,"START":"a"})", "/registry/pods/a"},
      {R"({"v":"x","rv":null,"start":"/","v":"meta.k8s.io/v1","rv":-1,"z":[]})", "/registry/pods/"},
  };
  for (const Row& row : rows) {
    const Result<ContinueToken> read = DecodeContinue(Encoded(row.content) + "\n", kPrefix);
    ASSERT_TRUE(read) << row.content;
    EXPECT_EQ(read->start_key, row.key);
  }
}

}  // namespace
}  // namespace quadra::api

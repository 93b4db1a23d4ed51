#include "json/value.h"

#include <string>

#include <gtest/gtest.h>

namespace quadra::json {
namespace {

static_assert(sizeof(Value) <= 40);

Value Parsed(std::string_view text) {
  auto value = ParseValue(text);
  EXPECT_TRUE(value) << text;
  return value.value_or(Value());
}

TEST(Value, KeepsWhatWasWritten) {
  const std::string_view rows[] = {
      "null",
      "true",
      "-0",
      "1.50",
      "123456789012345678901234567890",
      R"("a")",
      "[]",
      "{}",
      R"([1,"a",[],{},null,[[]]])",
      R"({"b":{"d":[1,{"c":"d"}]},"a":2,"a":3})",
  };
  for (const std::string_view text : rows) {
    EXPECT_EQ(ToJson(Parsed(text)), text);
    EXPECT_EQ(ToJson(Value(Parsed(text))), text);
  }
}

TEST(Value, RefusesWhatTheReaderRefuses) {
  for (const std::string_view text : {"", "[1,]", R"({"a":1)", "{}{}", "[\"\\x\"]"}) {
    EXPECT_FALSE(ParseValue(text)) << text;
  }
}

TEST(Value, ComparesRegardlessOfTheOrderOfMembers) {
  struct Row {
    std::string_view a, b;
    bool equal;
  };
  const Row rows[] = {
      {R"({"a":1,"b":[2]})", R"({"b":[2],"a":1})", true},
      {R"({"a":1,"a":2})", R"({"a":1,"a":2})", true},
      {R"({"a":1,"a":2})", R"({"a":2,"a":1})", false},
      {R"({"a":1})", R"({"a":1,"b":2})", false},
      {R"({"a":1})", R"({"b":1})", false},
      {"[1,2]", "[2,1]", false},
      {"1", "1.0", false},
      {"1", "\"1\"", false},
      {"[]", "{}", false},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(Parsed(row.a) == Parsed(row.b), row.equal) << row.a << " and " << row.b;
  }
}

TEST(Value, ObjectsCanBeChanged) {
  Value object = Parsed(R"({"a":1,"b":2,"a":3})");
  EXPECT_EQ(object.Get("a").number(), "1");
  EXPECT_TRUE(object.Get("missing").is_null());
  EXPECT_EQ(object.Find("missing"), nullptr);
  EXPECT_EQ(Value("text").Find("a"), nullptr);
  object.Set("b", Value("x"));
  object.Set("c", Value(Value::Array{Value(true), Value::Int(-7)}));
  EXPECT_EQ(ToJson(object), R"({"a":1,"b":"x","a":3,"c":[true,-7]})");
  EXPECT_TRUE(object.Erase("a"));
  EXPECT_FALSE(object.Erase("a"));
  EXPECT_EQ(ToJson(object), R"({"b":"x","c":[true,-7]})");
  object = Value(*object.Find("c"));
  EXPECT_EQ(ToJson(object), "[true,-7]");
  Value nested = Parsed(R"({"a":{"b":[1]}})");
  nested = std::move(*nested.Find("a"));
  EXPECT_EQ(ToJson(nested), R"({"b":[1]})");
}

TEST(Value, FindsTheFirstDuplicateKey) {
  struct Row {
    std::string_view text, path;
  };
  const Row rows[] = {
      {"1", ""},
      {R"({"a":1,"b":[{"a":1},{"c":{}}]})", ""},
      {R"({"a":1,"b":2,"a":3})", "a"},
      {R"({"a":{"x":1},"b":[{},{"c":1,"d":2,"d":3}]})", "b[1].d"},
      {R"([[{"a":1,"a":2}]])", "[0][0].a"},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(FindDuplicateKey(Parsed(row.text)).value_or(""), row.path) << row.text;
  }
}

TEST(Value, DepthCostsNoStack) {
  std::string text;
  for (int i = 0; i < kMaxDepth / 2; ++i) {
    text += R"([{"a":)";
  }
  text += "1";
  for (int i = 0; i < kMaxDepth / 2; ++i) {
    text += "}]";
  }
  const Value value = Parsed(text);
  // The copy itself is what is tested. NOLINTNEXTLINE(performance-unnecessary-copy-initialization)
  const Value copy(value);
  EXPECT_TRUE(copy == value);
  EXPECT_EQ(ToJson(copy), text);
  EXPECT_FALSE(FindDuplicateKey(copy));
}

}  // namespace
}  // namespace quadra::json

#include "patch/patch.h"

#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "base/check.h"

namespace quadra::patch {
namespace {

const api::Struct& SchemaOf(std::string_view api_version, std::string_view kind) {
  const api::KindSchema* found = api::FindKind(api_version, kind);
  QUADRA_CHECK(found != nullptr, "tests name kinds of the tables");
  return *found->fields;
}

json::Value Parsed(std::string_view text) {
  Result<json::Value> value = json::ParseValue(text);
  QUADRA_CHECK(value.has_value(), "tests write JSON");
  return *std::move(value);
}

// The patched object as JSON; of a refusal the code and why.
std::string Apply(Type type, std::string_view object, std::string_view patch,
                  Patch::Options options = {}) {
  const auto read = Patch::Read(type, patch, options);
  const auto patched =
      read ? read->ApplyTo(Parsed(object), SchemaOf("v1", "Pod")) : tl::unexpected(read.error());
  return patched
             ? json::ToJson(patched->object)
             : std::to_string(static_cast<int>(patched.error().status)) + " " + patched.error().why;
}

struct Row {
  std::string_view object, patch, result;
};

template <std::size_t kSize>
void Check(Type type, const Row (&rows)[kSize], Patch::Options options = {}) {
  for (const Row& row : rows) {
    EXPECT_EQ(Apply(type, row.object, row.patch, options), row.result) << row.object << "\n"
                                                                       << row.patch;
  }
}

TEST(JsonPatch, AppliesOneOperationAfterTheOther) {
  Check(
      Type::kJson,
      {
          {R"({"b":1,"a":2})", "[]", R"({"a":2,"b":1})"},
          {R"({"b":1,"a":2})", "null", R"({"a":2,"b":1})"},
          {"{}",
           R"([{"op":"add","path":"/a","value":{"c":1}},{"op":"add","path":"/a/b","value":2}])",
           R"({"a":{"b":2,"c":1}})"},
          {"{}", R"([{"op":"add","path":"/a"}])", R"({"a":null})"},
          {R"({"a":[1,2]})",
           R"([{"op":"add","path":"/a/1","value":9},{"op":"add","path":"/a/-","value":3}])",
           R"({"a":[1,9,2,3]})"},
          {R"({"a":[1,2]})", R"([{"op":"remove","path":"/a/-1"}])", R"({"a":[1]})"},
          {"{}", R"([{"op":"replace","path":"/new","value":1}])", R"({"new":1})"},
          {R"({"a":{"x":1}})", R"([{"op":"copy","from":"/a","path":"/a/y"}])",
           R"({"a":{"x":1,"y":{"x":1}}})"},
          {"{}", R"([{"op":"copy","from":"/none","path":"/a"}])", R"({"a":null})"},
          {R"({"a":{"x":1}})", R"([{"op":"move","from":"/a/x","path":"/b"}])", R"({"a":{},"b":1})"},
          {R"({"a/b":{"~":1}})", R"([{"op":"remove","path":"/a~1b/~0"}])", R"({"a/b":{}})"},
          {R"({"a":1})", R"([{"op":"replace","path":"","value":[2]}])", "[2]"},
          {R"({"a":{"c":1,"b":[2]}})", R"([{"op":"test","path":"/a","value":{"b":[2],"c":1}}])",
           R"({"a":{"b":[2],"c":1}})"},
      });
}

TEST(JsonPatch, LeavesTheOrderOfWhatItDoesNotLookInto) {
  Check(Type::kJson,
        {{R"({"z":{"b":1,"a":2},"y":{"d":{"f":1,"e":2},"c":0}})",
          R"([{"op":"remove","path":"/y/c"}])", R"({"y":{"d":{"f":1,"e":2}},"z":{"b":1,"a":2}})"}});
}

TEST(JsonPatch, SaysInUpstreamsWordsWhatDoesNotApply) {
  const std::string_view object = R"({"a":1,"l":[1,2]})";
  Check(Type::kJson,
        {
            {object, R"([{"op":"test","path":"/a","value":2}])",
             "422 testing value /a failed: test failed"},
            {object, R"([{"op":"test","path":"/a","value":1.0}])",
             "422 testing value /a failed: test failed"},
            {object, R"([{"op":"remove","path":"/b"}])",
             "422 error in remove for path: '/b': Unable to remove nonexistent key: b: missing "
             "value"},
            {object, R"([{"op":"add","path":"/b/c","value":1}])",
             R"(422 add operation does not apply: doc is missing path: "/b/c": missing value)"},
            {object, R"([{"op":"replace","path":"/l/2","value":1}])",
             "422 replace operation does not apply: doc is missing key: /l/2: missing value"},
            {object, R"([{"op":"remove","path":"/l/x"}])",
             R"(422 error in remove for path: '/l/x': strconv.Atoi: parsing "x": invalid syntax)"},
            {object, R"([{"op":"add","path":"/l/-4","value":1}])",
             "422 error in add for path: '/l/-4': Unable to access invalid index: -4: invalid "
             "index referenced"},
            {object, R"([{"op":"go"}])", "422 Unexpected kind: go"},
            {object, R"([{"path":"/a"}])", "422 Unexpected kind: unknown"},
            {object, R"([{"op":"replace","path":"","value":1}])",
             "422 replace operation value must be object or array: %!w(<nil>)"},
            {object, R"({})",
             "400 error decoding patch: json: cannot unmarshal object into Go value of type "
             "[]handlers.jsonPatchOp"},
            {object, R"([{"op":"add","path":7}])",
             "400 error decoding patch: json: cannot unmarshal number into Go struct field "
             "jsonPatchOp.path of type string"},
            {object, "[", "400 invalid JSON patch"},
        });
}

TEST(JsonPatch, IsReadLoosely) {
  Check(Type::kJson,
        {
            {"{}", R"([{"op":"replace","path":7}])",
             "422 replace operation failed to decode path: json: cannot unmarshal number into Go "
             "value of type string"},
            {"{}", "5", "400 json: cannot unmarshal number into Go value of type jsonpatch.Patch"},
            {"{}", "[5]",
             "400 json: cannot unmarshal number into Go value of type jsonpatch.Operation"},
        },
        {.strict = false});
}

// Upstream compares the bytes of strings as they were written, so that these never match.
TEST(JsonPatch, TestsTextsByWhatTheySay) {
  Check(Type::kJson, {{R"({"a":"<b>"})", R"([{"op":"test","path":"/a","value":"\u003cb>"}])",
                       R"({"a":"\u003cb\u003e"})"}});
}

TEST(JsonPatch, ACopiedNullIsNull) {
  Check(
      Type::kJson,
      {{"{}",
        R"([{"op":"add","path":"/a","value":null},{"op":"copy","from":"/a","path":"/b"},{"op":"test","path":"/b","value":null}])",
        R"({"a":null,"b":null})"}});
}

std::string Repeated(std::string_view operation, std::size_t times) {
  std::string patch = "[";
  for (std::size_t i = 0; i < times; ++i) {
    patch += i == 0 ? "" : ",";
    patch += operation;
  }
  return patch + "]";
}

TEST(JsonPatch, HasAtMostTenThousandOperations) {
  const std::string_view test = R"({"op":"test","path":"/a","value":1})";
  EXPECT_EQ(Apply(Type::kJson, R"({"a":1})", Repeated(test, kMaxOperations)), R"({"a":1})");
  const auto patch = Patch::Read(Type::kJson, Repeated(test, kMaxOperations + 1), {});
  const auto refused = patch->ApplyTo(Parsed("{}"), SchemaOf("v1", "Pod"));
  EXPECT_EQ(refused.error().status, StatusClass::kTooLarge);
  EXPECT_EQ(
      refused.error().Message(),
      "Request entity too large: The allowed maximum operations in a JSON patch is 10000, got "
      "10001");
}

TEST(JsonPatch, CopiesABoundedNumberOfBytes) {
  const std::string object = R"({"a":")" + std::string(1'000'000, 'x') + "\"}";
  const std::string_view copy = R"({"op":"copy","from":"/a","path":"/b"})";
  EXPECT_EQ(Apply(Type::kJson, object, Repeated(copy, 3)).size(), 2'000'015);
  EXPECT_EQ(Apply(Type::kJson, object, Repeated(copy, 4)),
            "422 Unable to complete the copy, the accumulated size increase of copy is 4000008, "
            "exceeding the limit 3145728");
}

TEST(MergePatch, MergesAsRfc7386AndAlsoCleansWhatItAdds) {
  Check(Type::kMerge,
        {
            {R"({"a":1,"b":2})", R"({"a":null,"c":3})", R"({"b":2,"c":3})"},
            {R"({"a":{"y":1,"x":2}})", R"({"a":{"x":null,"z":{"q":null,"p":0}}})",
             R"({"a":{"y":1,"z":{"p":0}}})"},
            {R"({"a":[1]})", R"({"a":[null,{"x":null}]})", R"({"a":[null,{}]})"},
            {R"({"a":{}})", R"({"a":[null,{"x":null}]})", R"({"a":[null,{"x":null}]})"},
            {"{}", R"({"a":[{"x":null,"y":1}]})", R"({"a":[{"y":1}]})"},
            {R"({"a":null})", R"({"a":{"b":null}})", R"({"a":{}})"},
            {R"({"b":{"d":1,"c":2},"a":0})", "{}", R"({"a":0,"b":{"d":1,"c":2}})"},
            {"{}", "null", "400 Invalid JSON Patch"},
            {"{}", "[]",
             "400 error decoding patch: json: cannot unmarshal array into Go value of type "
             "map[string]interface {}"},
            {"{}", R"({"a":1e999})",
             "400 error decoding patch: json: cannot unmarshal number 1e999 into Go "
             "value of type float64"},
        });
  Check(Type::kMerge, {{"{}", "[null]", "[null]"}, {"{}", "7", "400 Invalid JSON Patch"}},
        {.strict = false});
}

std::string Nested(std::size_t depth, std::string_view inside) {
  std::string text;
  for (std::size_t i = 0; i < depth; ++i) {
    text += R"({"a":)";
  }
  return text + std::string(inside) + std::string(depth, '}');
}

TEST(MergePatch, DepthCostsNoStack) {
  EXPECT_EQ(Apply(Type::kMerge, Nested(9'000, R"({"x":1})"), Nested(9'000, R"({"y":2})")),
            Nested(9'000, R"({"x":1,"y":2})"));
}

// Every move puts what the ones before have nested below another thousand levels.
TEST(JsonPatch, DepthCostsLittleStack) {
  std::string path;
  for (int i = 0; i < 900; ++i) {
    path += "/a";
  }
  std::string patch = "[";
  for (int i = 0; i < 20; ++i) {
    patch += R"({"op":"add","path":"/b","value":)" + Nested(900, "{}") +
             R"(},{"op":"move","from":"/a","path":"/b)" + path +
             R"("},{"op":"move","from":"/b","path":"/a"},)";
  }
  const auto read = Patch::Read(Type::kJson, patch + R"({"op":"test","path":"/b"}])", {});
  ASSERT_TRUE(read);
  EXPECT_TRUE(read->ApplyTo(Parsed(R"({"a":{}})"), SchemaOf("v1", "Pod")));
  EXPECT_EQ(
      Apply(Type::kJson, Nested(1'500, "{}"), R"([{"op":"remove","path":")" + path + path + "\"}]"),
      R"(422 remove operation does not apply: doc is missing path: ")" + path + path +
          R"(": missing value)");
}

TEST(Patch, RemarksOnItself) {
  struct Remarked {
    Type type;
    std::string_view patch;
    std::vector<std::string> remarks;
  };
  const Remarked rows[] = {
      {Type::kJson,
       R"([{"op":"test","op":"add","path":"/a","value":{"x":1,"x":2},"Path":""}])",
       {R"(json patch duplicate field "[0].op")", R"(json patch duplicate field "[0].value.x")",
        R"(json patch unknown field "[0].Path")"}},
      {Type::kMerge,
       R"({"a":[{"b":1,"b":2}],"a":1})",
       {R"(duplicate field "a[0].b")", R"(duplicate field "a")"}},
      {Type::kStrategicMerge, R"({"kind":"Pod","kind":"Pod"})", {R"(duplicate field "kind")"}},
  };
  for (const Remarked& row : rows) {
    for (const bool strict : {true, false}) {
      const auto patch = Patch::Read(row.type, row.patch, {.strict = strict});
      const auto patched = patch->ApplyTo(Parsed("{}"), SchemaOf("v1", "Pod"));
      ASSERT_TRUE(patched) << row.patch;
      EXPECT_EQ(patched->remarks, strict ? row.remarks : std::vector<std::string>()) << row.patch;
    }
  }
}

TEST(Patch, CanBeAppliedAgain) {
  const auto patch = Patch::Read(Type::kStrategicMerge, R"({"metadata":{"labels":{"a":"b"}}})", {});
  const json::Value object = Parsed(R"({"metadata":{"labels":{"c":"d"}}})");
  const auto once = patch->ApplyTo(object, SchemaOf("v1", "Pod"));
  const auto twice = patch->ApplyTo(once->object, SchemaOf("v1", "Pod"));
  EXPECT_EQ(once->object, Parsed(R"({"metadata":{"labels":{"a":"b","c":"d"}}})"));
  EXPECT_EQ(once->object, twice->object);
}

TEST(Patch, TypesAreNamedByTheirMediaType) {
  EXPECT_EQ(FindType("application/merge-patch+json"), Type::kMerge);
  EXPECT_EQ(FindType("application/json-patch+json; charset=utf-8"), Type::kJson);
  EXPECT_EQ(FindType(MediaType(Type::kStrategicMerge)), Type::kStrategicMerge);
  EXPECT_EQ(FindType("application/json"), std::nullopt);
  EXPECT_EQ(FindType(""), std::nullopt);
  const std::string_view accepted[] = {MediaType(Type::kJson), MediaType(Type::kMerge)};
  EXPECT_EQ(UnsupportedMediaType(accepted),
            (Refused{StatusClass::kUnsupportedMediaType,
                     "the body of the request was in an unknown format - accepted media types "
                     "include: application/json-patch+json, application/merge-patch+json"}));
}

TEST(Refused, KeepsToItselfWhatUpstreamDoes) {
  EXPECT_EQ(Invalid("lists of lists are not supported").Message(),
            "the server rejected our request due to an error in our request");
  EXPECT_EQ(BadRequest("invalid JSON patch").Message(), "invalid JSON patch");
}

}  // namespace
}  // namespace quadra::patch

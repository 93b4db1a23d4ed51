// Rows of a strategic merge patch to a Pod; conformance/patch compares many more, of all kinds.
#include "patch/strategic_merge.h"

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

struct Row {
  std::string_view what, object, patch, result;
};

std::string Merged(std::string_view object, std::string_view patch) {
  json::Value merged = Parsed(object);
  const Complaint refused =
      ApplyStrategicMerge(merged, Parsed(patch), *api::FindKind("v1", "Pod")->fields);
  return refused ? std::to_string(static_cast<int>(refused->status)) + " " + refused->why
                 : json::ToJson(merged);
}

template <std::size_t kSize>
void Check(const Row (&rows)[kSize]) {
  for (const Row& row : rows) {
    EXPECT_EQ(Merged(row.object, row.patch), row.result) << row.what;
  }
}

TEST(StrategicMerge, MergesObjects) {
  Check({
      {"members replace and null removes", R"({"metadata":{"name":"a","uid":"u"}})",
       R"({"metadata":{"name":"b","uid":null,"namespace":null}})", R"({"metadata":{"name":"b"}})"},
      {"what is new loses its nulls", "{}", R"({"metadata":{"labels":{"a":null,"b":"c"}}})",
       R"({"metadata":{"labels":{"b":"c"}}})"},
      {"$patch replace", R"({"metadata":{"labels":{"a":"b"}}})",
       R"({"metadata":{"labels":{"$patch":"replace","c":"d"}}})",
       R"({"metadata":{"labels":{"c":"d"}}})"},
      {"$patch delete", R"({"metadata":{"labels":{"a":"b"}}})",
       R"({"metadata":{"labels":{"$patch":"delete"}}})", R"({"metadata":{"labels":{}}})"},
      {"directives for what is not there go", "{}",
       R"({"metadata":{"labels":{"$patch":"delete"},"name":"a"}})", R"({"metadata":{"name":"a"}})"},
      {"$retainKeys", R"({"spec":{"dnsPolicy":"x","hostname":"y"}})",
       R"({"spec":{"$retainKeys":["hostname","nodeName"],"nodeName":"n"}})",
       R"({"spec":{"hostname":"y","nodeName":"n"}})"},
      {"a patch that is null", R"({"kind":"Pod"})", "null", R"({"kind":"Pod"})"},
  });
}

TEST(StrategicMerge, MergesListsByTheirKeys) {
  Check({
      {"an element merges, others stay, new ones come first",
       R"({"spec":{"containers":[{"name":"a","image":"1"},{"name":"b"}]}})",
       R"({"spec":{"containers":[{"name":"c"},{"name":"a","image":"2"}]}})",
       R"({"spec":{"containers":[{"name":"c"},{"image":"2","name":"a"},{"name":"b"}]}})"},
      {"$patch delete", R"({"spec":{"containers":[{"name":"a"},{"name":"b"},{"name":"a"}]}})",
       R"({"spec":{"containers":[{"name":"a","$patch":"delete"}]}})",
       R"({"spec":{"containers":[{"name":"b"}]}})"},
      {"$patch replace", R"({"spec":{"containers":[{"name":"a"},{"name":"b"}]}})",
       R"({"spec":{"containers":[{"name":"c","x":null},{"$patch":"replace"}]}})",
       R"({"spec":{"containers":[{"name":"c","x":null}]}})"},
      {"numbers are keys too",
       R"({"spec":{"containers":[{"name":"a","ports":[{"containerPort":80},{"containerPort":81}]}]}})",
       R"({"spec":{"containers":[{"name":"a","ports":[{"containerPort":81,"name":"x"}]}]}})",
       R"({"spec":{"containers":[{"name":"a","ports":[{"containerPort":80},{"containerPort":81,"name":"x"}]}]}})"},
      {"atomic lists are replaced", R"({"spec":{"tolerations":[{"key":"a"}]}})",
       R"({"spec":{"tolerations":[{"key":"b"}]}})", R"({"spec":{"tolerations":[{"key":"b"}]}})"},
  });
}

TEST(StrategicMerge, MergesPrimitivesAsSets) {
  Check({
      {"union", R"({"metadata":{"finalizers":["a","b"]}})",
       R"({"metadata":{"finalizers":["c","a"]}})", R"({"metadata":{"finalizers":["c","a","b"]}})"},
      {"$deleteFromPrimitiveList", R"({"metadata":{"finalizers":["a","b","c"]}})",
       R"({"metadata":{"$deleteFromPrimitiveList/finalizers":["a","c"]}})",
       R"({"metadata":{"finalizers":["b"]}})"},
      {"nothing to delete from", R"({"metadata":{}})",
       R"({"metadata":{"$deleteFromPrimitiveList/finalizers":["a"]}})", R"({"metadata":{}})"},
  });
}

TEST(StrategicMerge, PutsElementsInOrder) {
  Check({
      {"the patch's elements as it says, the others where they were",
       R"({"spec":{"containers":[{"name":"a"},{"name":"x"},{"name":"b"}]}})",
       R"({"spec":{"$setElementOrder/containers":[{"name":"b"},{"name":"c"},{"name":"a"}],"containers":[{"name":"c"}]}})",
       R"({"spec":{"containers":[{"name":"x"},{"name":"b"},{"name":"c"},{"name":"a"}]}})"},
      {"primitives", R"({"metadata":{"finalizers":["a","b","c"]}})",
       R"({"metadata":{"$setElementOrder/finalizers":["c","a"]}})",
       R"({"metadata":{"finalizers":["b","c","a"]}})"},
      {"an element deleted and set again is new",
       R"({"spec":{"containers":[{"name":"x"},{"name":"a"},{"name":"y"}]}})",
       R"({"spec":{"$setElementOrder/containers":[{"name":"a"}],"containers":[{"name":"a","$patch":"delete"},{"name":"a","image":"i"}]}})",
       R"({"spec":{"containers":[{"name":"x"},{"name":"y"},{"image":"i","name":"a"}]}})"},
      {"an order of what is nowhere", R"({"spec":{}})",
       R"({"spec":{"$setElementOrder/containers":[{"name":"a"}]}})", R"({"spec":{}})"},
  });
}

TEST(StrategicMerge, SaysInUpstreamsWordsWhatItRefuses) {
  const std::string_view pod =
      R"({"metadata":{"name":"p"},"spec":{"containers":[{"name":"a"}],"tolerations":[{}]}})";
  Check({
      {"", pod, R"({"spec":{"containers":[{"image":"x","z":[1,null,2.5]}]}})",
       "500 map: map[image:x z:[1 <nil> 2.5]] does not contain declared merge key: name"},
      {"", pod, R"({"spec":{"$patch":"merge"}})",
       "500 unknown patch type: merge in map: map[$patch:merge]"},
      {"", pod, R"({"spec":{"$patch":5}})",
       "500 unknown patch type: %!s(int64=5) in map: map[$patch:5]"},
      {"", pod, R"({"spec":{"containers":[{"$patch":"merge"}]}})",
       "500 merging lists cannot yet be specified in the patch"},
      {"", pod, R"({"spec":{"containers":["a"]}})",
       "500 list element types are not identical: [[map[name:a]] [a]]"},
      {"", R"({"spec":{"containers":[]}})", R"({"spec":{"containers":[[]]}})",
       "422 lists of lists are not supported"},
      {"", pod, R"({"spec":{"$retainKeys":["x"],"nodeName":"n"}})",
       "400 invalid patch format of retainKeys"},
      {"", pod, R"({"spec":{"$setElementOrder":[]}})",
       "400 invalid patch format of setElementOrder list"},
      {"", pod, R"({"spec":{"$deleteFromPrimitiveList":[]}})",
       "400 invalid patch format of primitive list"},
      {"", pod, R"({"spec":{"$setElementOrder/containers":"a"}})",
       "500 expected a []interface {}, but received a string"},
      {"", pod,
       R"({"spec":{"$setElementOrder/containers":[{"name":"b"}],"containers":[{"name":"a"}]}})",
       "500 The order in patch list:\n[map[name:a]]\n doesn't match $setElementOrder "
       "list:\n[map[name:b]]\n"},
      {"", pod, R"({"spec":{"$setElementOrder/nodeName":[]}})",
       "500 expected slice or array type, but got: struct"},
      {"", pod, R"({"spec":{"$setElementOrder/none":[]}})",
       R"(500 unable to find api field in struct PodSpec for the json field "none")"},
      {"", pod, R"({"spec":{"$deleteFromPrimitiveList/tolerations":[{}]}})",
       "500 cannot merge lists without merge key for struct"},
      {"", R"({"metadata":{"labels":{"a":{}}}})", R"({"metadata":{"labels":{"a":{}}}})",
       "500 merging an object in json but data type is not struct, instead is: map"},
  });
}

// Upstream crashes where it compares or hashes these.
TEST(StrategicMerge, RefusesOrTakesWhatEndsUpstream) {
  Check({
      {"", R"({"metadata":{"finalizers":["a"]}})", R"({"metadata":{"finalizers":[null]}})",
       "500 list element types are not identical: [[a] [<nil>]]"},
      {"", R"({"metadata":{"finalizers":[]}})", R"({"metadata":{"finalizers":[null]}})",
       "400 a list that is merged has null as element"},
      {"", R"({"spec":{"hostname":"h"}})", R"({"spec":{"$retainKeys":[{}]}})", R"({"spec":{}})"},
      {"", R"({"spec":{"tolerations":[{"key":"a"}]}})",
       R"({"spec":{"$setElementOrder/tolerations":[{"key":"a"}]}})",
       "500 map: map[key:a] does not contain declared merge key: "},
  });
}

TEST(StrategicMerge, SchemasNestAThousandLevels) {
  const auto nested = [](int depth) {
    std::string text;
    for (int i = 0; i < depth; ++i) {
      text += R"({"not":)";
    }
    return text + R"({"type":"string"})" + std::string(static_cast<std::size_t>(depth), '}');
  };
  const api::Struct* schema =
      api::FindStruct("io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaProps");
  ASSERT_NE(schema, nullptr);
  json::Value shallow = Parsed(nested(900));
  EXPECT_EQ(ApplyStrategicMerge(shallow, Parsed(nested(900)), *schema), std::nullopt);
  json::Value deep = Parsed(nested(5'000));
  EXPECT_EQ(ApplyStrategicMerge(deep, Parsed(nested(5'000)), *schema),
            InternalError("the patch nests deeper than 1000 levels"));
}

TEST(StrategicMerge, ManyElementsThatNoOrderNames) {
  const std::string few = R"([{"name":"c"},{"name":"b"}])";
  EXPECT_EQ(Merged(R"({"spec":{"containers":[{"name":"a"}]}})",
                   R"({"spec":{"$setElementOrder/containers":[],"containers":)" + few + "}}"),
            R"({"spec":{"containers":[{"name":"a"},{"name":"b"},{"name":"c"}]}})");
  std::string many;
  for (char name = 'b'; name <= 'z'; ++name) {
    many += std::string(many.empty() ? "" : ",") + R"({"name":")" + name + "\"}";
  }
  EXPECT_EQ(Merged(R"({"spec":{"containers":[{"name":"a"}]}})",
                   R"({"spec":{"$setElementOrder/containers":[],"containers":[)" + many + "]}}"),
            R"({"spec":{"containers":[)" + many + R"(,{"name":"a"}]}})");
}

// The work is linear in the lists: element by element it would be 400 million steps.
TEST(StrategicMerge, ListsAreIndexed) {
  std::string live, patch;
  for (int i = 0; i < 20'000; ++i) {
    const std::string name = std::to_string(i);
    live += std::string(i == 0 ? "" : ",") + R"({"name":")" + name + "\"}";
    patch += std::string(i == 0 ? "" : ",") + R"({"name":")" + name + R"(","$patch":"delete"})";
  }
  EXPECT_EQ(Merged(R"({"spec":{"containers":[)" + live + "]}}",
                   R"({"spec":{"containers":[)" + patch + "]}}"),
            R"({"spec":{"containers":[]}})");
}

}  // namespace
}  // namespace quadra::patch

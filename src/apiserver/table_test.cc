#include "apiserver/table.h"

#include <gtest/gtest.h>

#include "api/vocabulary.h"

namespace quadra::apiserver {
namespace {

const Time kNow = *api::ParseTime("2026-08-01T12:00:00Z");

TableFormat FormatOf(std::string_view api_version, std::string_view kind) {
  return TableFormat(*api::FindKind(api_version, kind));
}

// The cells of the first row.
std::string CellsOf(std::string_view api_version, std::string_view object) {
  const json::Value parsed = *json::ParseValue(object);
  const Result<std::string> table =
      FormatOf(api_version, parsed.Get("kind").string())
          .Single(object, kNow, {.include = IncludeObject::kNone, .headers = false});
  return json::ToJson(json::ParseValue(*table)->Get("rows").items().at(0).Get("cells"));
}

// What every kind shows is compared with upstream's printers (conformance/printers).
TEST(Table, ShowsFieldsAndWhatIsComputed) {
  struct Row {
    std::string_view version, object, cells;
  };
  const Row rows[] = {
      {"resource.k8s.io/v1",
       R"({"kind":"ResourceSlice","metadata":{"name":"s","creationTimestamp":"2026-08-01T11:00:00Z"},
           "spec":{"devices":[{"name":"d"}],"driver":"gpu.example.com","nodeName":"n","pool":{"name":"p"}}})",
       R"(["s","n","gpu.example.com","p","60m"])"},
      {"resource.k8s.io/v1", R"({"kind":"ResourceSlice"})",
       R"(["","","","","\u003cunknown\u003e"])"},
      {"apps/v1", R"({"kind":"Deployment","spec":{"replicas":3},"status":{"updatedReplicas":2}})",
       R"(["","0/3",2,0,"\u003cunknown\u003e","","",""])"},
      {"v1", R"({"kind":"LimitRange","metadata":{"name":"l"}})", R"(["l","0001-01-01T00:00:00Z"])"},
      {"autoscaling/v1",
       R"({"kind":"Scale","metadata":{"name":"web"},"spec":{"replicas":3},"status":{"replicas":2}})",
       R"(["web",3,2,"\u003cunknown\u003e"])"},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(CellsOf(row.version, row.object), row.cells);
  }
}

TEST(Table, HoldsOfTheObjectWhatIsAskedFor) {
  struct Row {
    IncludeObject include;
    std::string_view object, shown;
  };
  constexpr std::string_view kPlain = R"({"kind":"ServiceAccount","metadata":{"name":"a"}})";
  constexpr std::string_view kEnd =
      R"({"metadata":{"annotations":{"k8s.io/initial-events-end":"true"}}})";
  const Row rows[] = {
      {IncludeObject::kNone, kPlain, "null"},
      {IncludeObject::kMetadata, kPlain,
       R"({"kind":"PartialObjectMetadata","apiVersion":"meta.k8s.io/v1","metadata":{"name":"a"}})"},
      {IncludeObject::kObject, kPlain, kPlain},
      {IncludeObject::kNone, kEnd,
       R"({"kind":"PartialObjectMetadata","apiVersion":"meta.k8s.io/v1",)"
       R"("metadata":{"annotations":{"k8s.io/initial-events-end":"true"}}})"},
  };
  for (const Row& row : rows) {
    const std::string table =
        FormatOf("v1", "ServiceAccount").Single(row.object, kNow, {.include = row.include}).value();
    const json::Value parsed = *json::ParseValue(table);
    EXPECT_EQ(json::ToJson(parsed.Get("rows").items().at(0).Get("object")), row.shown);
  }
}

TEST(Table, DefinesColumnsWhereHeadersAreWanted) {
  const TableFormat format = FormatOf("v1", "ServiceAccount");
  EXPECT_EQ(format.List({}, {.resource_version = "7"}, kNow, {}).value(),
            R"({"kind":"Table","apiVersion":"meta.k8s.io/v1","metadata":{"resourceVersion":"7"},)"
            R"("columnDefinitions":[{"name":"Name","type":"string","format":"name",)"
            R"("description":"","priority":0},{"name":"Age","type":"string","format":"",)"
            R"("description":"Time since the object was created.","priority":0}],"rows":[]})");
  EXPECT_EQ(format.List({}, {}, kNow, {.headers = false, .api_version = kMetaV1beta1}).value(),
            R"({"kind":"Table","apiVersion":"meta.k8s.io/v1beta1","metadata":{},)"
            R"("columnDefinitions":null,"rows":[]})");
}

TEST(Table, RefusesWhatIsNoObject) {
  const TableFormat format = FormatOf("v1", "Pod");
  for (const std::string_view text :
       {"", "[]", R"({"metadata":{)", R"({"spec":{"containers":[}})"}) {
    EXPECT_FALSE(format.Single(text, kNow, {}).has_value()) << text;
    EXPECT_FALSE(format.List(std::span(&text, 1), {}, kNow, {}).has_value()) << text;
  }
}

TEST(Table, MarksTheYoungestDefaultClassOfAList) {
  constexpr std::string_view kDefault =
      R"("annotations":{"storageclass.kubernetes.io/is-default-class":"true"})";
  const auto object = [&](std::string_view name, std::string_view created) {
    return std::string(R"({"metadata":{"name":")").append(name) + R"(","creationTimestamp":")" +
           std::string(created) + R"(",)" + std::string(kDefault) + "}}";
  };
  const std::string objects[] = {object("old", "2026-01-01T00:00:00Z"),
                                 object("new-b", "2026-02-01T00:00:00Z"),
                                 object("new-a", "2026-02-01T00:00:00Z")};
  const std::string_view views[] = {objects[0], objects[1], objects[2]};
  const json::Value table = *json::ParseValue(
      FormatOf("storage.k8s.io/v1", "StorageClass").List(views, {}, kNow, {}).value());
  std::vector<std::string> names;
  for (const json::Value& row : table.Get("rows").items()) {
    names.push_back(row.Get("cells").items().at(0).string());
  }
  EXPECT_EQ(names, (std::vector<std::string>{"old", "new-b", "new-a (default)"}));
}

// Every column of every kind has a meaning.
TEST(Table, KnowsTheColumnsOfEveryKind) {
  for (const api::KindSchema& kind : api::AllKinds()) {
    if (!kind.plural.empty()) {
      EXPECT_TRUE(TableFormat(kind).Single("{}", kNow, {}).has_value()) << kind.kind;
    }
  }
}

TEST(Cell, ShowsDurationsAsKubectlDoes) {
  struct Row {
    int seconds;
    std::string_view shown;
  };
  const Row rows[] = {
      {-2, "<invalid>"},
      {-1, "0s"},
      {0, "0s"},
      {119, "119s"},
      {120, "2m"},
      {125, "2m5s"},
      {599, "9m59s"},
      {600, "10m"},
      {3 * 3600 - 1, "179m"},
      {3 * 3600, "3h"},
      {3 * 3600 + 60, "3h1m"},
      {8 * 3600 + 60, "8h"},
      {47 * 3600, "47h"},
      {48 * 3600, "2d"},
      {49 * 3600, "2d1h"},
      {8 * 86400 + 3600, "8d"},
      {729 * 86400, "729d"},
      {730 * 86400, "2y"},
      {731 * 86400, "2y1d"},
      {2921 * 86400, "8y"},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(HumanDuration(std::chrono::seconds(row.seconds)), row.shown) << row.seconds;
  }
}

TEST(Cell, WritesSelectors) {
  struct Row {
    std::string_view selector, text;
  };
  const Row rows[] = {
      {"null", ""},
      {"{}", ""},
      {R"({"matchLabels":{"b":"1","a":"2"}})", "a=2,b=1"},
      {R"({"matchLabels":{"b":""},"matchExpressions":[{"key":"a","operator":"In","values":["y","x"]}]})",
       "a in (x,y),b="},
      {R"({"matchExpressions":[{"key":"a","operator":"Exists"},{"key":"b","operator":"DoesNotExist"}]})",
       "a,!b"},
      {R"({"matchExpressions":[{"key":"a","operator":"NotIn","values":["x"]}]})", "a notin (x)"},
      {R"({"matchExpressions":[{"key":"a","operator":"In"}]})", "(invalid)"},
      {R"({"matchExpressions":[{"key":"a","operator":"Is","values":["x"]}]})", "(invalid)"},
      {R"({"matchLabels":{"-a":"1"}})", "(invalid)"},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(SelectorText(*json::ParseValue(row.selector)).value_or("(invalid)"), row.text);
  }
}

}  // namespace
}  // namespace quadra::apiserver

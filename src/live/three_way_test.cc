#include "live/three_way.h"

#include <array>
#include <string_view>

#include <gtest/gtest.h>

#include "json/value.h"

namespace quadra::live {
namespace {

json::Value Parsed(std::string_view text) { return *json::ParseValue(text); }

struct Row {
  std::string_view title;
  std::string_view applied;
  std::string_view wanted;
  std::string_view current;
  std::string_view patch;
};

constexpr std::array kPods = {
    Row{"what is the same needs nothing", R"({"spec":{"nodeName":"n1"}})",
        R"({"spec":{"nodeName":"n1"}})", R"({"spec":{"nodeName":"n1","priority":0}})", "{}"},
    Row{"what is new is added, what others wrote stays", "{}",
        R"({"metadata":{"labels":{"a":"1"}}})", R"({"metadata":{"labels":{"b":"2"},"uid":"u"}})",
        R"({"metadata":{"labels":{"a":"1"}}})"},
    Row{"what was applied and is not wanted any more goes",
        R"({"metadata":{"labels":{"a":"1","b":"2"}}})", R"({"metadata":{"labels":{"a":"1"}}})",
        R"({"metadata":{"labels":{"a":"1","b":"2","c":"3"}}})",
        R"({"metadata":{"labels":{"b":null}}})"},
    Row{"what was applied and is gone already is left alone",
        R"({"metadata":{"labels":{"b":"2"}}})", R"({"metadata":{}})", R"({"metadata":{}})", "{}"},
    Row{"items are merged by their key, defaults in them stay", "{}",
        R"({"spec":{"containers":[{"name":"c","image":"new"}]}})",
        R"({"spec":{"containers":[{"name":"c","image":"old","imagePullPolicy":"Always"}]}})",
        R"({"spec":{"containers":[{"image":"new","name":"c"}]}})"},
    Row{"an item that was applied and is not wanted any more goes",
        R"({"spec":{"containers":[{"name":"a"},{"name":"b"}]}})",
        R"({"spec":{"containers":[{"name":"a"}]}})",
        R"({"spec":{"containers":[{"name":"a"},{"name":"b"},{"name":"c"}]}})",
        R"({"spec":{"containers":[{"$patch":"delete","name":"b"}]}})"},
    Row{"a list of words that are each there once", R"({"metadata":{"finalizers":["a","b"]}})",
        R"({"metadata":{"finalizers":["a","c"]}})", R"({"metadata":{"finalizers":["a","b","d"]}})",
        R"({"metadata":{"$deleteFromPrimitiveList/finalizers":["b"],"finalizers":["c"]}})"},
    Row{"a list that counts as a whole", "{}",
        R"({"spec":{"containers":[{"name":"c","command":["x"]}]}})",
        R"({"spec":{"containers":[{"name":"c","command":["x","y"]}]}})",
        R"({"spec":{"containers":[{"command":["x"],"name":"c"}]}})"},
    Row{"null takes away", "{}", R"({"spec":{"nodeName":null}})", R"({"spec":{"nodeName":"n"}})",
        R"({"spec":{"nodeName":null}})"},
};

TEST(ThreeWay, ChangesOfPods) {
  const api::Struct* const schema = api::FindKind("v1", "Pod")->fields;
  for (const Row& row : kPods) {
    const json::Value applied = Parsed(row.applied);
    const json::Value wanted = Parsed(row.wanted);
    const json::Value current = Parsed(row.current);
    EXPECT_EQ(ToJson(PatchFor({.applied = applied, .wanted = wanted, .current = current}, schema)),
              row.patch)
        << row.title;
  }
}

TEST(ThreeWay, ListsOfUnknownKindsCountAsAWhole) {
  const json::Value applied = Parsed("{}");
  const json::Value wanted = Parsed(R"({"spec":{"parts":[{"name":"a"}]}})");
  const json::Value current = Parsed(R"({"spec":{"parts":[{"name":"a"},{"name":"b"}],"x":1}})");
  EXPECT_EQ(ToJson(PatchFor({.applied = applied, .wanted = wanted, .current = current}, nullptr)),
            R"({"spec":{"parts":[{"name":"a"}]}})");
}

}  // namespace
}  // namespace quadra::live

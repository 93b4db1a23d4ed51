#include "json/yaml.h"

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "json/timestamp.h"
#include "json/yaml_scalar.h"

namespace quadra::json {
namespace {

struct Row {
  std::string_view yaml;
  std::string_view json;
};

std::string Read(std::string_view yaml) {
  const auto json = YamlToJson(yaml);
  return json ? *json : json.error().ToString();
}

TEST(Yaml, ScalarsMeanWhatYaml11SaysInKubernetes) {
  const Row rows[] = {
      {"", "null"},
      {"~", "null"},
      {"yes", "true"},
      {"OFF", "false"},
      {"'yes'", R"("yes")"},
      {"0755", "493"},
      {"0o17", "15"},
      {"0x1F", "31"},
      {"-0b11", "-3"},
      {"1_000", "1000"},
      {"08", "8"},
      {"18446744073709551615", "18446744073709551615"},
      {"18446744073709551616", "18446744073709552000"},
      {"1e3", "1000"},
      {".5", "0.5"},
      {"1e400", R"("1e400")"},
      {"190:20:30", R"("190:20:30")"},
      {"2001-01-01", R"("2001-01-01")"},
      {"!!str 12", R"("12")"},
      {"!!float 12", "12"},
      {"!!binary SGk=", R"("Hi")"},
      {"!x 12", R"("12")"},
      {"<a&b>", R"("\u003ca\u0026b\u003e")"},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(Read(row.yaml), row.json) << row.yaml;
  }
}

TEST(Yaml, StructuresBecomeJsonWithSortedKeys) {
  const Row rows[] = {
      {"b: 1\na: [x, {c: z}]\n", R"({"a":["x",{"c":"z"}],"b":1})"},
      {"1: a\ntrue: b\n1.5: c\n", R"({"1":"a","1.5":"c","true":"b"})"},
      {"a: &x {k: 1}\nb: {<<: *x, l: 2}\n", R"({"a":{"k":1},"b":{"k":1,"l":2}})"},
      {"a: &x {k: 1}\nb: {<<: [*x, {k: 2, m: 3}]}\n", R"({"a":{"k":1},"b":{"k":1,"m":3}})"},
      {"a: 1\na: 2\n", R"({"a":2})"},
      {"a: |\n  x\n  y\n", R"({"a":"x\ny\n"})"},
      {"a: >-\n  x\n  y\n", R"({"a":"x y"})"},
      {"a: 1\n---\n[", R"({"a":1})"},
      {"{}: x", "{}"},
      {"[a:]", R"(["a:"])"},
      {"\"it\\'s\"", R"("it's")"},
      {"[!a,b c]", R"(["c"])"},
      {"{a: {~: 1}, a: 2}", R"({"a":2})"},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(Read(row.yaml), row.json) << row.yaml;
  }
}

TEST(Yaml, ErrorsNameThePlace) {
  const Row rows[] = {
      {"a: b: c",
       "invalid YAML at line 1, column 5: a second ':' makes this line ambiguous; put quotes "
       "around text that contains "
       "': ', or indent the key under its parent"},
      {"a:\n\t- b",
       "invalid YAML at line 2, column 1: a value cannot start with this character; indent with "
       "spaces instead of tabs, "
       "and put quotes around text that starts with @, ` or %"},
      {"a: *x",
       "invalid YAML at line 1, column 4: no anchor &x stands before this alias; define the anchor "
       "first, or put "
       "quotes around text that starts with *"},
      {"a: &x [*x]", "invalid YAML at line 1, column 8: the value of &x contains itself"},
      {"a: .nan", "invalid YAML at line 1, column 4: JSON has no value .nan"},
      {"~: a", "invalid YAML: JSON has no key like null"},
      {"{a: b}: c",
       "invalid YAML at line 1, column 1: a key must be a single value, not a list or mapping; put "
       "quotes "
       "around templates in braces"},
      {"!!int a",
       "invalid YAML at line 1, column 1: 'a' is no int; correct the value or its !! tag"},
      {"a\x01",
       "invalid YAML at line 1, column 2: a control character stands in the text; remove it, or "
       "write it as an "
       "escape in double quotes"},
      {"\"\\/\"", "invalid YAML at line 1, column 1: YAML 1.1 has no escape \\/; write / alone"},
      {"%YAML 1.2\n---\na",
       "invalid YAML at line 1, column 1: this version of YAML is not known; write %YAML 1.1 or "
       "leave it out"},
      {"[a?b]",
       "invalid YAML at line 1, column 2: a '?' inside [ ] or { } starts a key; put quotes around "
       "the text"},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(Read(row.yaml), row.json) << row.yaml;
  }
}

// Upstream reads the first as {}, the second as "b".
TEST(Yaml, ReadsOddTextsWhereUpstreamSkipsSome) {
  EXPECT_EQ(Read("{}&a%x"),
            "invalid YAML at line 1, column 5: a value cannot start with this character; indent "
            "with spaces instead of tabs, and put quotes around text that starts with @, ` or %");
  EXPECT_EQ(Read("\xEF\xBB\xBF\xEF\xBB\xBF#c\nab"), R"("ab")");
}

TEST(Yaml, StrictRefusesKeysThatStandTwice) {
  EXPECT_TRUE(YamlToJsonStrict("a: 1\nA: 2\n"));
  const Row rows[] = {
      {"a: 1\nb:\n- x: 1\n  y: 2\n  x: 3\n",
       "invalid YAML at line 5, column 3: the key b[0].x stands here again; keep one of them"},
      {"a: &x {k: 1}\nb: {<<: *x, k: 2}\n",
       "invalid YAML at line 2, column 13: the key b.k stands here again; keep one of them"},
  };
  for (const Row& row : rows) {
    const auto json = YamlToJsonStrict(row.yaml);
    ASSERT_FALSE(json);
    EXPECT_EQ(json.error().ToString(), row.json);
  }
}

TEST(Yaml, BombsAndDepthAreRefused) {
  std::string bomb = "a0: &a0 [x]\n";
  for (int i = 1; i < 12; ++i) {
    const std::string last = "*a" + std::to_string(i - 1) + ", ";
    std::string line = "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [";
    for (int j = 0; j < 9; ++j) {
      line += last;
    }
    bomb += line + "x]\n";
  }
  EXPECT_NE(Read(bomb).find("aliases make the document grow too much"), std::string::npos);
  EXPECT_EQ(Read(std::string(9'999, '[') + std::string(9'999, ']')).size(), 2U * 9'999);
  EXPECT_NE(Read(std::string(20'000, '[')).find("nested more than 10000 deep"), std::string::npos);
}

// libyaml's time is depth times length: without a bound some megabytes take hours.
TEST(Yaml, DeepFlowsAreShort) {
  const auto nested = [](std::size_t depth, std::size_t values) {
    std::string text(depth, '[');
    for (std::size_t i = 0; i < values; ++i) {
      text += "1,";
    }
    return text + std::string(depth, ']');
  };
  EXPECT_TRUE(YamlToJson(nested(5'000, 10'000)));
  EXPECT_TRUE(YamlToJson(nested(50, 100'000)));
  EXPECT_NE(Read(nested(5'000, 1'000'000)).find("nested too deep in brackets"), std::string::npos);
}

TEST(Yaml, DepthCountsThroughAliases) {
  const auto nested = [](int depth, const std::string& inside) {
    const auto count = static_cast<std::size_t>(depth);
    return std::string(count, '[') + inside + std::string(count, ']');
  };
  const std::string half = "a: &a " + nested(600, "x") + "\nb: ";
  EXPECT_TRUE(YamlToJson(half + nested(9'300, "*a")));
  EXPECT_FALSE(YamlToJson(half + nested(9'500, "*a")));
}

TEST(Yaml, IsWrittenAsKubectlPrintsIt) {
  const Row rows[] = {
      {"null\n", "null"},
      {"{}\n", "{}"},
      {"a: []\nb:\n- 1\n- - x\n- c: true\n  d: null\n",
       R"({"b":[1,["x"],{"d":null,"c":true}],"a":[]})"},
      {"a: \"yes\"\nb: \"12\"\nc: \"2001-01-01\"\nd: 1:5x\ne: \"1:5\"\nf: \"\"\n",
       R"({"a":"yes","b":"12","c":"2001-01-01","d":"1:5x","e":"1:5","f":""})"},
      {"a: |\n  x\n  y\nb: |-\n  x\n\n  y\n", R"({"a":"x\ny\n","b":"x\n\ny"})"},
      {"a1: 1\na2: 1e+06\na10: 0.5\n", R"({"a10":0.50,"a2":1e6,"a1":1.0})"},
      {"\"<<\": '<<: x'\n", R"({"<<":"<<: x"})"},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(ToYaml(*ParseValue(row.json)), row.yaml) << row.json;
  }
}

// Upstream's order of these keys is a circle: what it writes varies from run to run.
TEST(Yaml, EqualObjectsAreWrittenAlike) {
  std::vector<std::string> keys = {"02000", "0b2", "3", "9x"};
  std::set<std::string> written;
  do {
    Value::Object members;
    for (const std::string& key : keys) {
      members.push_back({key, Value("x")});
    }
    written.insert(ToYaml(Value(members)));
  } while (std::ranges::next_permutation(keys).found);
  EXPECT_EQ(written, std::set<std::string>{"\"3\": x\n9x: x\n\"02000\": x\n0b2: x\n"});
}

TEST(Yaml, WhatIsWrittenReadsBack) {
  for (const std::string_view json :
       {R"({"<<":{"a":1}})", "\"a\x7f\"", "\"\xC2\x85 x\xC2\x85\"", "\"\xEF\xBB\xBFx\"",
        "\"\\u2028x\\u2028\"", R"({" a\n ":"\n  b\n\n"})",
        R"(["\u0000","\t\n","- a","? b","#","%","'\"","\r\n"])"}) {
    const Value value = *ParseValue(json);
    EXPECT_EQ(Read(ToYaml(value)), ToJson(value)) << ToYaml(value);
  }
}

TEST(Yaml, TimestampsAreRecognised) {
  for (const std::string_view text : {"2001-1-1", "2000-02-29", "2001-12-14t21:59:43.10-05:00",
                                      "2001-12-15 2:59:43,5", "2001-12-15T1:2:3+24:60"}) {
    EXPECT_TRUE(IsTimestamp(text)) << text;
  }
  for (const std::string_view text : {"2001-13-01", "2001-02-29", "2001-12-15T24:00:00Z",
                                      "2001-12-15T1:2:3", "2001-12-15 1:2:3Z", "20011-1-1"}) {
    EXPECT_FALSE(IsTimestamp(text)) << text;
  }
}

}  // namespace
}  // namespace quadra::json

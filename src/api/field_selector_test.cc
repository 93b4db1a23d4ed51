#include "api/field_selector.h"

#include <gtest/gtest.h>

namespace quadra::api {
namespace {

TEST(FieldSelector, ChoosesByFields) {
  const auto find = [](std::string_view field) -> std::string_view {
    return field == "spec.nodeName" ? "n1" : field == "odd" ? "a,b=c\\" : "";
  };
  struct Row {
    std::string_view text;
    bool matches;
  };
  const Row rows[] = {
      {"", true},
      {",", true},
      {"=", true},
      {"spec.nodeName=n1", true},
      {"spec.nodeName==n1", true},
      {"spec.nodeName!=n1", false},
      {"spec.nodeName=n1,none!=x", true},
      {"spec.nodeName=n1,spec.nodeName=n2", false},
      {"none=", true},
      {R"(odd=a\,b\=c\\)", true},
  };
  for (const Row& row : rows) {
    const Result<FieldSelector> selector = FieldSelector::Parse(row.text);
    ASSERT_TRUE(selector) << row.text;
    EXPECT_EQ(selector->MatchesBy(find), row.matches) << row.text;
  }
}

TEST(FieldSelector, RefusesInUpstreamsWords) {
  struct Row {
    std::string_view text, message;
  };
  const Row rows[] = {
      {"a", "invalid selector: 'a'; can't understand 'a'"},
      {"b=c,a", "invalid selector: 'b=c,a'; can't understand 'a'"},
      {R"(a=\x)", R"(invalid field selector: invalid escape sequence: \x)"},
      {R"(a=b\)", R"(invalid field selector: invalid escape sequence: \)"},
      {"a=b=c", "invalid field selector: unescaped character in value: 61"},
  };
  for (const Row& row : rows) {
    const Result<FieldSelector> selector = FieldSelector::Parse(row.text);
    ASSERT_FALSE(selector) << row.text;
    EXPECT_EQ(selector.error().message, row.message);
  }
}

}  // namespace
}  // namespace quadra::api

#include "api/label_selector.h"

#include <gtest/gtest.h>

namespace quadra::api {
namespace {

TEST(LabelSelector, ChoosesAsKubectlDoes) {
  const Map<std::string> labels{{"app", "web"}, {"size", "10"}, {"tier", "front"}};
  struct Case {
    std::string_view text;
    bool matches;
  };
  for (const Case& each : {
           Case{"", true},
           Case{"app=web", true},
           Case{"app==web", true},
           Case{"app = web , tier=front", true},
           Case{"app=db", false},
           Case{"app!=db", true},
           Case{"app!=web", false},
           Case{"none!=x", true},
           Case{"app", true},
           Case{"none", false},
           Case{"!none", true},
           Case{"!app", false},
           Case{"app in (db,web)", true},
           Case{"app in (db)", false},
           Case{"tier notin (back, middle),app in (web)", true},
           Case{"app notin (web)", false},
           Case{"none notin (x)", true},
           Case{"app in (,web)", true},
           Case{"app notin ()", true},
           Case{"app=", false},
           Case{"size>9", true},
           Case{"size>10", false},
           Case{"size<11,size>9", true},
           Case{"app>1", false},
           Case{"none<1", false},
           Case{"in notin (in)", true},
       }) {
    const Result<LabelSelector> selector = LabelSelector::Parse(each.text);
    ASSERT_TRUE(selector) << each.text;
    EXPECT_EQ(selector->Matches(labels), each.matches) << each.text;
  }
}

TEST(LabelSelector, RefusesInUpstreamsWords) {
  struct Row {
    std::string_view text, message;
  };
  const Row rows[] = {
      {"=x", "found '=', expected: !, identifier, or 'end of string'"},
      {"a b", "unable to parse requirement: found 'b', expected: in, notin, =, ==, !=, gt, lt"},
      {"a in x", "unable to parse requirement: found 'x' expected: '('"},
      {"a in (b", "unable to parse requirement: found '', expected: ',' or ')'"},
      {"a in (", "unable to parse requirement: found '', expected: ',', ')' or identifier"},
      {"a in (,(", "unable to parse requirement: found '(', expected: ',', or identifier"},
      {"a,,b", "found ',', expected: identifier after ','"},
      {"a=(b)", "unable to parse requirement: found '(', expected: identifier"},
      {"a=b c", "found 'c', expected: ',' or 'end of string'"},
      {"!", "unable to parse requirement: found '', expected: identifier"},
      {"!a=b", "found '=', expected: ',' or 'end of string'"},
      {"a>x",
       "unable to parse requirement: values[0]: Invalid value: \"x\": for 'Gt', 'Lt' operators, "
       "the "
       "value must be an integer"},
  };
  for (const Row& row : rows) {
    const Result<LabelSelector> selector = LabelSelector::Parse(row.text);
    ASSERT_FALSE(selector) << row.text;
    EXPECT_EQ(selector.error().message, row.message);
    EXPECT_EQ(selector.error().kind, ErrorKind::kUsage);
  }
}

}  // namespace
}  // namespace quadra::api

#include "api/label_selector.h"

#include <gtest/gtest.h>

namespace quadra::api {
namespace {

TEST(LabelSelector, ChoosesAsKubectlDoes) {
  const Map<std::string> labels{{"app", "web"}, {"tier", "front"}};
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
       }) {
    const Result<LabelSelector> selector = LabelSelector::Parse(each.text);
    ASSERT_TRUE(selector) << each.text;
    EXPECT_EQ(selector->Matches(labels), each.matches) << each.text;
  }
}

TEST(LabelSelector, RefusesWhatItDoesNotUnderstand) {
  for (const std::string_view text : {"=x", "a b c", "a in x", "a in (b", "a,,b", "a=(b)"}) {
    EXPECT_FALSE(LabelSelector::Parse(text)) << text;
  }
}

}  // namespace
}  // namespace quadra::api

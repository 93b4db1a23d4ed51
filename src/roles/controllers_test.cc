#include "roles/controllers.h"

#include <algorithm>
#include <set>

#include <gtest/gtest.h>

namespace quadra::roles {
namespace {

std::set<std::string_view> NamesOf(const std::vector<const ControllerRow*>& rows) {
  std::set<std::string_view> names;
  for (const ControllerRow* row : rows) {
    names.insert(row->name);
  }
  return names;
}

std::set<std::string_view> Ours() {
  std::set<std::string_view> names;
  for (const ControllerRow& row : AllControllers()) {
    if (row.make != nullptr) {
      names.insert(row.name);
    }
  }
  return names;
}

constexpr std::string_view kClaims = "resourceclaim-controller";
constexpr std::string_view kTaints = "device-taint-eviction-controller";

TEST(ChooseControllers, NamesAndAliases) {
  struct Row {
    std::vector<std::string> words;
    std::set<std::string_view> chosen;
  };
  const Row rows[] = {
      {{std::string(kClaims)}, {kClaims}},
      {{"resource-claim-controller"}, {kClaims}},
      {{std::string(kTaints), std::string(kClaims)}, {kTaints, kClaims}},
      {{std::string(kClaims), "-resourceclaim-controller"}, {kClaims}},
      {{"-resourceclaim-controller", std::string(kClaims)}, {}},
      {{"-endpoints-controller", std::string(kClaims)}, {kClaims}},
      {{}, {}},
      {{"*"}, Ours()},
      {{"*", std::string(kClaims), "-nodeipam"}, Ours()},
  };
  for (const Row& row : rows) {
    const auto chosen = ChooseControllers(row.words);
    ASSERT_TRUE(chosen.has_value()) << chosen.error().ToString();
    EXPECT_EQ(NamesOf(*chosen), row.chosen) << testing::PrintToString(row.words);
  }
}

TEST(ChooseControllers, AMinusTakesOneFromTheStar) {
  for (const std::string_view word : {"-resourceclaim-controller", "-resource-claim-controller"}) {
    for (const std::vector<std::string>& words :
         {std::vector<std::string>{"*", std::string(word)}, {std::string(word), "*"}}) {
      const auto chosen = ChooseControllers(words);
      ASSERT_TRUE(chosen.has_value()) << chosen.error().ToString();
      std::set<std::string_view> rest = Ours();
      rest.erase(kClaims);
      EXPECT_EQ(NamesOf(*chosen), rest) << testing::PrintToString(words);
    }
  }
}

TEST(ChooseControllers, RefusesWhatThereIsNot) {
  struct Row {
    std::string word;
    std::string_view begins;
    std::string_view holds;
  };
  const Row rows[] = {
      {"resourceclaim-controler",
       R"("resourceclaim-controler" is not in the list of known controllers)",
       "did you mean resourceclaim-controller?"},
      {"-nothing", R"("nothing" is not in the list of known controllers)", "name some of "},
      {"", R"("" is not in the list of known controllers)", "name some of "},
      {"**", R"("**" is not in the list of known controllers)", "name some of "},
      {"daemonset", R"("daemonset" is a controller of Kubernetes)", "kube-controller-manager"},
  };
  for (const Row& row : rows) {
    const auto chosen = ChooseControllers({"*", row.word});
    ASSERT_FALSE(chosen.has_value()) << row.word;
    EXPECT_EQ(chosen.error().kind, ErrorKind::kUsage);
    EXPECT_TRUE(chosen.error().message.starts_with(row.begins)) << chosen.error().message;
    EXPECT_NE(chosen.error().ToString().find(row.holds), std::string::npos)
        << chosen.error().ToString();
  }
}

TEST(AllControllers, EveryNameIsSaidOnce) {
  std::set<std::string_view> seen;
  for (const ControllerRow& row : AllControllers()) {
    EXPECT_TRUE(seen.insert(row.name).second) << row.name;
    if (!row.alias.empty()) {
      EXPECT_TRUE(seen.insert(row.alias).second) << row.alias;
    }
    EXPECT_TRUE(row.name.ends_with("-controller")) << row.name;
  }
}

}  // namespace
}  // namespace quadra::roles

#include "allocator/assemble.h"

#include <functional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "allocator/questions_for_tests.h"

namespace quadra::allocator {
namespace {

std::string ClassJson(std::string_view name, std::string_view config) {
  return fmt::format(
      R"({{"apiVersion":"resource.k8s.io/v1","kind":"DeviceClass","metadata":{{"name":"{}"}},"spec":{{"config":[{}]}}}})",
      name, config);
}

std::string ConfigJson(std::string_view driver, std::string_view requests = "") {
  return fmt::format(R"({{"opaque":{{"driver":"{}","parameters":{{}}}}{}{}}})", driver,
                     requests.empty() ? "" : R"(,"requests":)", requests);
}

std::string OfClass(std::string_view name, std::string_view device_class) {
  return fmt::format(
      R"({{"name":"{}","exactly":{{"deviceClassName":"{}","allocationMode":"ExactCount","count":1}}}})",
      name, device_class);
}

constexpr std::string_view kAlternatives =
    R"({"name":"a","firstAvailable":[{"name":"big","deviceClassName":"none","allocationMode":"ExactCount","count":1},{"name":"small","deviceClassName":"any","allocationMode":"ExactCount","count":1}]})";

// What every row has: two devices, a class with configuration, a class that takes nothing.
QuestionBuilder Begin() {
  QuestionBuilder question;
  question.Pool("p", DevicesJson("d", 2))
      .Object(ClassJson("set-up", ConfigJson("first") + "," + ConfigJson("second")))
      .Object(
          R"({"apiVersion":"resource.k8s.io/v1","kind":"DeviceClass","metadata":{"name":"none"},"spec":{"selectors":[{"cel":{"expression":"false"}}]}})");
  return question;
}

// --- Configuration.

struct Configured {
  std::string name;
  std::vector<std::string> requests;
  std::string config;  // of the claim
  std::string told;    // source driver[requests], one after the other
};

void PrintTo(const Configured& row, std::ostream* out) { *out << row.name; }

const std::vector<Configured> kConfigured = {
    {"none", {OfClass("a", "any")}, "", ""},
    {"of the class, for its only request",
     {OfClass("a", "set-up")},
     "",
     "FromClass first[] FromClass second[]"},
    {"of a class that only one request uses",
     {OfClass("a", "any"), OfClass("b", "set-up")},
     "",
     "FromClass first[b] FromClass second[b]"},
    {"of a class that both use, once",
     {OfClass("a", "set-up"), OfClass("b", "set-up")},
     "",
     "FromClass first[] FromClass second[]"},
    {"of the claim, for all", {OfClass("a", "any")}, ConfigJson("mine"), "FromClaim mine[]"},
    {"of the claim, for one of two",
     {OfClass("a", "any"), OfClass("b", "any")},
     ConfigJson("mine", R"(["b"])"),
     "FromClaim mine[b]"},
    {"of the claim, which names all there are",
     {OfClass("a", "any"), OfClass("b", "any")},
     ConfigJson("mine", R"(["b","a"])"),
     "FromClaim mine[]"},
    {"classes before the claim",
     {OfClass("a", "set-up")},
     ConfigJson("mine"),
     "FromClass first[] FromClass second[] FromClaim mine[]"},
    {"of the alternative that was taken",
     {std::string(kAlternatives), OfClass("b", "any")},
     ConfigJson("mine", R"(["a/small"])"),
     "FromClaim mine[a/small]"},
    {"of an alternative that was not taken",
     {std::string(kAlternatives)},
     ConfigJson("mine", R"(["a/big"])"),
     ""},
};

std::string Told(const api::List<api::DeviceAllocationConfiguration>& configs) {
  std::vector<std::string> told;
  for (const api::DeviceAllocationConfiguration& config : configs) {
    told.push_back(fmt::format("{} {}[{}]", config.source,
                               config.opaque ? config.opaque->driver : "nothing",
                               fmt::join(config.requests, ",")));
  }
  return fmt::format("{}", fmt::join(told, " "));
}

class ConfigurationTest : public ::testing::TestWithParam<Configured> {};

TEST_P(ConfigurationTest, IsThatOfClassesThenOfTheClaim) {
  const std::string config = fmt::format(R"("config":[{}])", GetParam().config);
  const Allocation allocation = Answer(Begin().Claim("c", GetParam().requests, config));
  ASSERT_EQ(allocation.claims.size(), 1U);
  EXPECT_EQ(Told(allocation.claims[0].devices.config), GetParam().told);
}

INSTANTIATE_TEST_SUITE_P(Rows, ConfigurationTest, ::testing::ValuesIn(kConfigured));

// --- Nodes.

struct Placed {
  std::string name;
  std::vector<std::string> placements;  // of a pool of one device each, all taken
  std::string told;                     // key op values, comma-separated; or the error
};

void PrintTo(const Placed& row, std::ostream* out) { *out << row.name; }

constexpr std::string_view kInZone =
    R"("nodeSelector":{"nodeSelectorTerms":[{"matchExpressions":[{"key":"zone","operator":"In","values":["a","b"]}]}]})";
constexpr std::string_view kInZoneTurned =
    R"("nodeSelector":{"nodeSelectorTerms":[{"matchExpressions":[{"key":"zone","operator":"In","values":["b","a"]}]}]})";
constexpr std::string_view kOnRack =
    R"("nodeSelector":{"nodeSelectorTerms":[{"matchExpressions":[{"key":"rack","operator":"Exists"}]}]})";
constexpr std::string_view kTwoTerms =
    R"("nodeSelector":{"nodeSelectorTerms":[{"matchExpressions":[{"key":"rack","operator":"Exists"}]},{"matchExpressions":[{"key":"zone","operator":"Exists"}]}]})";
constexpr std::string_view kEverywhere = R"("allNodes":true)";
constexpr std::string_view kHere = R"("nodeName":"n1")";

const std::vector<Placed> kPlaced = {
    {"any node", {std::string(kEverywhere)}, ""},
    {"its own node", {std::string(kHere)}, "metadata.name In n1"},
    {"what is local wins", {std::string(kInZone), std::string(kHere)}, "metadata.name In n1"},
    {"the slice's nodes", {std::string(kInZone), std::string(kEverywhere)}, "zone In a b"},
    {"both must hold", {std::string(kInZone), std::string(kOnRack)}, "zone In a b, rack Exists "},
    {"equal ones once", {std::string(kInZone), std::string(kInZoneTurned)}, "zone In a b"},
    {"two terms cannot be merged",
     {std::string(kTwoTerms)},
     "create NodeSelector for claim c: unsupported ResourceSlice.NodeSelector with 2 terms"},
};

std::string Told(const std::optional<api::NodeSelector>& selector) {
  std::vector<std::string> told;
  for (const api::NodeSelectorTerm& term :
       selector ? selector->node_selector_terms : api::List<api::NodeSelectorTerm>()) {
    for (const auto* list : {&term.match_fields, &term.match_expressions}) {
      for (const api::NodeSelectorRequirement& requirement : *list) {
        told.push_back(fmt::format("{} {} {}", requirement.key, requirement.op,
                                   fmt::join(requirement.values, " ")));
      }
    }
  }
  return fmt::format("{}", fmt::join(told, ", "));
}

class NodesTest : public ::testing::TestWithParam<Placed> {};

TEST_P(NodesTest, AreThoseThatAllDevicesAreFor) {
  QuestionBuilder question;
  question.Object(
      R"({"apiVersion":"v1","kind":"Node","metadata":{"name":"n1","labels":{"zone":"a","rack":"r"}}})");
  for (std::size_t i = 0; i < GetParam().placements.size(); ++i) {
    question.Object(fmt::format(
        R"({{"apiVersion":"resource.k8s.io/v1","kind":"ResourceSlice","metadata":{{"name":"s{0}"}},"spec":{{"driver":"d.example.com",{1},"pool":{{"name":"p{0}","generation":1,"resourceSliceCount":1}},"devices":[{{"name":"d"}}]}}}})",
        i, GetParam().placements[i]));
  }
  const Allocation allocation =
      Answer(question.Claim("c", {RequestJson("r", GetParam().placements.size())}));
  EXPECT_EQ(
      allocation.claims.empty() ? allocation.message : Told(allocation.claims[0].node_selector),
      GetParam().told);
}

INSTANTIATE_TEST_SUITE_P(Rows, NodesTest, ::testing::ValuesIn(kPlaced));

// --- Devices.

TEST(Assembled, EachShareHasAnIdOfItsOwnAndSaysWhatItConsumes) {
  QuestionBuilder question;
  question
      .Pool("p",
            {DeviceJson("d",
                        R"("allowMultipleAllocations":true,"capacity":{"memory":{"value":"8"}})")})
      .Claim("c", {RequestJson("a", 1, R"("capacity":{"requests":{"memory":"3"}})")})
      .Claim("d", {RequestJson("a", 1, R"("capacity":{"requests":{"memory":"5"}})")});
  const Allocation allocation = Answer(question);
  ASSERT_EQ(allocation.claims.size(), 2U);
  const auto& first = allocation.claims[0].devices.results[0];
  const auto& second = allocation.claims[1].devices.results[0];
  EXPECT_TRUE(first.share_id && second.share_id);
  EXPECT_NE(first.share_id, second.share_id);
  EXPECT_EQ(first.consumed_capacity.Find("memory")->ToString(), "3");
  EXPECT_EQ(second.consumed_capacity.Find("memory")->ToString(), "5");
}

TEST(Assembled, ADeviceNamesTheAlternativeThatTookIt) {
  const Allocation allocation = Answer(Begin().Claim("c", {std::string(kAlternatives)}));
  ASSERT_EQ(allocation.claims.size(), 1U);
  EXPECT_EQ(allocation.claims[0].devices.results[0].request, "a/small");
  EXPECT_EQ(allocation.score, 7);
}

}  // namespace
}  // namespace quadra::allocator

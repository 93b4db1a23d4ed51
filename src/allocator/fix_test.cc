#include "allocator/fix.h"

#include <functional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "allocator/allocator.h"
#include "allocator/questions_for_tests.h"

namespace quadra::allocator {
namespace {

struct Row {
  std::string name;
  std::function<void(QuestionBuilder&)> describe;
  std::vector<std::string> found;  // in the order of being offered
  std::vector<std::string> futile;
};

void PrintTo(const Row& row, std::ostream* out) { *out << row.name; }

std::string ModelIs(std::string_view model) {
  return SelectorJson(fmt::format("device.attributes['d.example.com'].model == '{}'", model));
}

constexpr std::string_view kTaint = R"("taints":[{"key":"hot","effect":"NoSchedule"}])";
constexpr std::string_view kSameModel =
    R"("constraints":[{"matchAttribute":"d.example.com/model"}])";

const std::vector<Row> kRows = {
    {"wait for the holder, or ask for fewer",
     [](QuestionBuilder& q) {
       q.Pool("p", DevicesJson("d", 2))
           .Holder("holder", {R"("device":"d-0")"})
           .Claim("c", {RequestJson("r", 2)});
     },
     {"wait for claim ns/holder, which holds 1 device on n1",
      R"(lower the count of request "r" from 2 to 1)"},
     {}},
    {"free what several hold",
     [](QuestionBuilder& q) {
       q.Pool("p", DevicesJson("d", 2))
           .Holder("one", {R"("device":"d-0")"})
           .Holder("two", {R"("device":"d-1")"})
           .Claim("c", {RequestJson("r", 2)});
     },
     {"free the devices on n1 of claim ns/one and claim ns/two"},
     {"wait for any single claim", R"(lower the count of request "r")"}},
    {"fewer, where there are not so many",
     [](QuestionBuilder& q) { q.Pool("p", DevicesJson("d", 2)).Claim("c", {RequestJson("r", 5)}); },
     {R"(lower the count of request "r" from 5 to 2)"},
     {}},
    {"less capacity, the most that there is",
     [](QuestionBuilder& q) {
       q.Pool("p", {DeviceJson("a", R"("capacity":{"memory":{"value":"400G"}})"),
                    DeviceJson("b", R"("capacity":{"memory":{"value":"300G"}})")})
           .Claim("c", {RequestJson("r", 1, R"("capacity":{"requests":{"memory":"401G"}})")});
     },
     {R"(lower capacity memory from 401G to 400G in request "r")"},
     {}},
    {"less capacity, the most that is left and that the policy allows",
     [](QuestionBuilder& q) {
       q.Pool(
            "p",
            {DeviceJson(
                "a",
                R"("allowMultipleAllocations":true,"capacity":{"memory":{"value":"80","requestPolicy":{"default":"4","validRange":{"min":"4","step":"4"}}}})")})
           .Holder("holder", {R"("device":"a","shareID":"1","consumedCapacity":{"memory":"30"})"})
           .Claim("c", {RequestJson("r", 1, R"("capacity":{"requests":{"memory":"61"}})")});
     },
     {"wait for claim ns/holder, which holds 1 device on n1",
      R"(lower capacity memory from 61 to 48 in request "r")"},
     {}},
    {"less capacity for both of two",
     [](QuestionBuilder& q) {
       q.Pool("p", {DeviceJson("a", R"("capacity":{"memory":{"value":"4"}})"),
                    DeviceJson("b", R"("capacity":{"memory":{"value":"8"}})")})
           .Claim("c", {RequestJson("r", 2, R"("capacity":{"requests":{"memory":"9"}})")});
     },
     {R"(lower capacity memory from 9 to 4 in request "r")"},
     {R"(lower the count of request "r")"}},
    {"tolerate the taint",
     [](QuestionBuilder& q) {
       q.Pool("p", DevicesJson("d", 1, kTaint)).Claim("c", {RequestJson("r", 1)});
     },
     {R"(tolerate taint hot:NoSchedule in request "r")"},
     {}},
    {"the published value",
     [](QuestionBuilder& q) {
       q.Pool("p", DevicesJson("d", 1, TextAttributeJson("model", "x")))
           .Claim("c", {RequestJson("r", 1, ModelIs("z"))});
     },
     {R"(replace z by the published x in selector 0 of request "r")",
      R"(drop selector 0 of request "r": device.attributes['d.example.com'].model == 'z')"},
     {}},
    {"without the constraint",
     [](QuestionBuilder& q) {
       q.Pool("p", {DeviceJson("a", TextAttributeJson("model", "x")),
                    DeviceJson("b", TextAttributeJson("model", "y"))})
           .Claim("c", {RequestJson("r", 2)}, kSameModel);
     },
     {R"(lower the count of request "r" from 2 to 1)",
      "drop constraint 0 of claim c: matchAttribute d.example.com/model"},
     {}},
    {"a class that exists",
     [](QuestionBuilder& q) {
       q.Pool("p", DevicesJson("d", 1))
           .Claim(
               "c",
               {R"({"name":"r","exactly":{"deviceClassName":"ani","allocationMode":"ExactCount","count":1}})"});
     },
     {R"(use class any instead of ani in request "r")"},
     {}},
    {"two changes, where no single one suffices",
     [](QuestionBuilder& q) {
       q.Pool("p", {DeviceJson("a", kTaint), DeviceJson("b", kTaint)})
           .Claim("c", {RequestJson("r", 1), RequestJson("s", 1)});
     },
     {R"(tolerate taint hot:NoSchedule in request "r", and tolerate taint hot:NoSchedule in request "s")"},
     {}},
    {"nothing helps",
     [](QuestionBuilder& q) { q.Claim("c", {RequestJson("r", 2, SelectorJson("true"))}); },
     {},
     {R"(lower the count of request "r")", R"(drop selector 0 of request "r")"}},
};

// The claims alone, on the one node.
Judgement JudgementOn(const Fix& fix, const inventory::Snapshot& cluster,
                      std::vector<const api::ResourceClaim*> claims, Verdicts& verdicts) {
  inventory::Inventory fork = cluster.Fork();
  for (const std::string& key : fix.released) {
    fork.Release(key);
  }
  if (fix.claim && fix.changed) {
    claims[*fix.claim] = &*fix.changed;
  }
  for (const Fix::Change& other : fix.others) {
    claims[other.claim] = &other.changed;
  }
  const inventory::Snapshot trial = fork.Take();
  const inventory::NodeView& node = **trial.views().begin();
  const bool fits = Allocator(trial, claims, verdicts, {}).Try(node) == Allocator::Fit::kFits;
  return {.answer = fits ? Judgement::Answer::kFits : Judgement::Answer::kDoesNotFit,
          .node = node.node->metadata.name};
}

Fixes FixesOf(const QuestionBuilder& question) {
  const selector::Language language;
  selector::ExpressionCache expressions(language);
  Verdicts verdicts(expressions);
  QuestionWorld world = WorldOf(question, language);
  const inventory::Snapshot cluster = world.inventory.Take();
  const std::vector<const api::ResourceClaim*> claims = {&world.pending.front()};
  SeededRandom random(1);
  const inventory::NodeView& node = **cluster.views().begin();
  Allocation allocation = Allocator(cluster, claims, verdicts, {}).Allocate(node, random);
  const std::vector<Failure> failures = {{.node = &node, .reasons = std::move(allocation.reasons)}};
  const Judge judge = [&](const Fix& fix) { return JudgementOn(fix, cluster, claims, verdicts); };
  return FindFixes(cluster, claims, failures, {}, verdicts, judge);
}

class FixTest : public ::testing::TestWithParam<Row> {};

TEST_P(FixTest, OffersWhatWasConfirmed) {
  QuestionBuilder question;
  GetParam().describe(question);
  const Fixes fixes = FixesOf(question);
  std::vector<std::string> found;
  for (const Fix& fix : fixes.found) {
    found.push_back(fix.text);
    EXPECT_EQ(fix.node, "n1") << fix.text;
  }
  EXPECT_EQ(found, GetParam().found);
  EXPECT_EQ(fixes.futile, GetParam().futile);
}

// Every fix of a world in which a count and a selector could be changed, judged alike.
Fixes FixesIfAllAre(Judgement::Answer answer) {
  QuestionBuilder question;
  question.Claim("c", {RequestJson("r", 2, SelectorJson("true"))});
  const selector::Language language;
  selector::ExpressionCache expressions(language);
  Verdicts verdicts(expressions);
  QuestionWorld world = WorldOf(question, language);
  const inventory::Snapshot cluster = world.inventory.Take();
  const std::vector<const api::ResourceClaim*> claims = {&world.pending.front()};
  const std::vector<Failure> failures = {{.node = &**cluster.views().begin(), .reasons = {}}};
  return FindFixes(cluster, claims, failures, {}, verdicts,
                   [&](const Fix&) { return Judgement{.answer = answer, .node = ""}; });
}

TEST(FixBudget, WhatWasNotTriedIsNotCalledFutile) {
  const Fixes fixes = FixesIfAllAre(Judgement::Answer::kNotTried);
  EXPECT_TRUE(fixes.found.empty());
  EXPECT_TRUE(fixes.undecided.empty());
  EXPECT_TRUE(fixes.futile.empty());
  EXPECT_EQ(fixes.untried, 2U);
}

TEST(FixBudget, WhatIsNotKnownIsNeitherFoundNorFutile) {
  const Fixes fixes = FixesIfAllAre(Judgement::Answer::kNotKnown);
  EXPECT_TRUE(fixes.found.empty());
  EXPECT_TRUE(fixes.futile.empty());
  EXPECT_EQ(fixes.untried, 0U);
  ASSERT_EQ(fixes.undecided.size(), 2U);
  EXPECT_EQ(fixes.undecided[0].text, "lower the count of request \"r\" from 2 to 1");
  EXPECT_EQ(fixes.undecided[0].node, "");
  EXPECT_EQ(fixes.undecided[1].text, "drop selector 0 of request \"r\": true");
}

INSTANTIATE_TEST_SUITE_P(Rows, FixTest, ::testing::ValuesIn(kRows));

}  // namespace
}  // namespace quadra::allocator

#include "allocator/constraint.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace quadra::allocator {
namespace {

using Values = std::vector<std::string>;

AttributeValues ValuesFrom(const Values& values, bool is_list, ValueNumbers& numbers) {
  api::DeviceAttribute attribute;
  if (!is_list) {
    attribute.string_value = values[0];
  }
  for (std::size_t i = 0; is_list && i < values.size(); ++i) {
    attribute.string_values.push_back(values[i]);
  }
  AttributeValues numbered;
  numbered.Assign(attribute, numbers);
  return numbered;
}

struct Row {
  std::string name;
  const ConstraintKind& kind;
  bool lists_in_force;
  std::vector<Values> devices;  // a scalar has one value
  std::vector<bool> joined;
  bool has_lists = false;
};

void PrintTo(const Row& row, std::ostream* out) { *out << row.name; }

const std::vector<Row> kRows = {
    {"matching scalars", MatchAttribute(), false, {{"a"}, {"a"}, {"b"}}, {true, true, false}},
    {"different scalars", DistinctAttribute(), false, {{"a"}, {"a"}, {"b"}}, {true, false, true}},
    {"lists that share",
     MatchAttribute(),
     true,
     {{"a", "b"}, {"b", "c"}, {"a", "c"}},
     {true, true, false},
     true},
    {"lists that do not",
     DistinctAttribute(),
     true,
     {{"a", "b"}, {"b", "c"}, {"c", "d"}},
     {true, false, true},
     true},
    {"lists where they are not in force, matching",
     MatchAttribute(),
     false,
     {{"a"}, {"a"}},
     {true, false},
     true},
    {"lists where they are not in force, different",
     DistinctAttribute(),
     false,
     {{"a"}, {"b"}},
     {true, false},
     true},
};

class ConstraintTest : public ::testing::TestWithParam<Row> {};

TEST_P(ConstraintTest, AdmitsDevicesOneAfterTheOther) {
  const Row& row = GetParam();
  ValueNumbers numbers;
  std::vector<AttributeValues> devices;
  devices.reserve(row.devices.size());
  for (const Values& values : row.devices) {
    devices.push_back(ValuesFrom(values, row.has_lists, numbers));
  }
  const std::unique_ptr<Constraint> constraint = row.kind.Make(row.lists_in_force);
  // Twice, since leaving must restore what was.
  for (int round = 0; round < 2; ++round) {
    std::vector<bool> joined;
    joined.reserve(devices.size());
    for (const AttributeValues& device : devices) {
      joined.push_back(constraint->Add(&device));
    }
    EXPECT_EQ(joined, row.joined);
    constraint->Clear();
  }
  EXPECT_FALSE(constraint->Add(nullptr)) << "a device without the attribute";
}

INSTANTIATE_TEST_SUITE_P(Rows, ConstraintTest, ::testing::ValuesIn(kRows));

TEST(ConstraintKinds, AreRecognisedByTheirField) {
  api::DeviceConstraint constraint;
  EXPECT_EQ(KindOf(constraint), nullptr);
  constraint.distinct_attribute = "a";
  EXPECT_EQ(KindOf(constraint), &DistinctAttribute());
  constraint.match_attribute = "b";
  EXPECT_EQ(KindOf(constraint), &MatchAttribute());
}

TEST(MatchedDevices, WithoutAValueThatServesAllAreStruckOut) {
  ValueNumbers numbers;
  const AttributeValues a = ValuesFrom({"a"}, false, numbers);
  const AttributeValues b = ValuesFrom({"b"}, false, numbers);
  const auto could_match = [](Outlook::Condition) { return true; };
  Outlook outlook{.requests = {{.count = 1, .devices = {&a, &b}}, {.count = 1, .devices = {&b}}},
                  .could_match = could_match};
  EXPECT_TRUE(MatchAttribute().Make(false)->CouldMeet(outlook));
  EXPECT_EQ(outlook.requests[0].devices, (std::vector<const AttributeValues*>{nullptr, &b}));
}

TEST(Constraints, HaveNoHopeWhereNoValuesServeAll) {
  ValueNumbers numbers;
  const AttributeValues a = ValuesFrom({"a"}, false, numbers);
  const AttributeValues b = ValuesFrom({"b"}, false, numbers);
  const auto could_match = [](Outlook::Condition) { return true; };
  Outlook two{.requests = {{.count = 2, .devices = {&a, &b}}}, .could_match = could_match};
  EXPECT_TRUE(DistinctAttribute().Make(false)->CouldMeet(two));
  EXPECT_FALSE(MatchAttribute().Make(false)->CouldMeet(two));
  Outlook alike{.requests = {{.count = 2, .devices = {&a, &a}}}, .could_match = could_match};
  EXPECT_FALSE(DistinctAttribute().Make(false)->CouldMeet(alike));
  EXPECT_TRUE(MatchAttribute().Make(false)->CouldMeet(alike));
}

}  // namespace
}  // namespace quadra::allocator

#include "allocator/capacity.h"

#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "fixtures/devices.h"

namespace quadra::allocator {
namespace {

using fixtures::Amount;

struct Policy {
  std::string min;
  std::string max;
  std::string step;
  std::vector<std::string> values;
  std::string by_default;
};

struct Row {
  std::string name;
  std::string whole;
  std::optional<Policy> policy;
  std::string wanted;    // empty: the capacity is not named
  std::string held;      // empty: nobody holds any
  std::string consumed;  // empty: an error
  bool fits = false;
};

void PrintTo(const Row& row, std::ostream* out) { *out << row.name; }

const std::vector<Row> kRows = {
    {"what is asked for", "8", std::nullopt, "3", "", "3", true},
    {"all of it where nothing is asked for", "8", std::nullopt, "", "", "8", true},
    {"the default of the policy", "8", Policy{.by_default = "2"}, "", "", "2", true},
    {"up to the least", "8", Policy{.min = "2", .by_default = "2"}, "1", "", "2", true},
    {"up to the next step", "8", Policy{.min = "2", .step = "3", .by_default = "2"}, "4", "", "5",
     true},
    {"above the most", "8", Policy{.min = "1", .max = "4", .by_default = "1"}, "5", "", "5", false},
    {"up to the next value", "8", Policy{.values = {"1", "4"}, .by_default = "1"}, "2", "", "4",
     true},
    {"above all values", "8", Policy{.values = {"1", "4"}, .by_default = "1"}, "5", "", "5", false},
    {"what others leave", "8", std::nullopt, "3", "5", "3", true},
    {"more than others leave", "8", std::nullopt, "4", "5", "4", false},
    {"beyond the range of the arithmetic", "8", Policy{.min = "1", .step = "1", .by_default = "1"},
     "10E", "", "", false},
};

api::DeviceCapacity CapacityOf(const Row& row) {
  const auto amount = [](const std::string& text) {
    return text.empty() ? std::nullopt : std::optional(Amount(text));
  };
  api::DeviceCapacity capacity;
  capacity.value = Amount(row.whole);
  if (row.policy) {
    auto& policy = capacity.request_policy.emplace();
    policy.default_value = amount(row.policy->by_default);
    if (!row.policy->min.empty()) {
      policy.valid_range = {.min = amount(row.policy->min),
                            .max = amount(row.policy->max),
                            .step = amount(row.policy->step)};
    }
    for (const std::string& value : row.policy->values) {
      policy.valid_values.push_back(Amount(value));
    }
  }
  return capacity;
}

class PortionTest : public ::testing::TestWithParam<Row> {};

TEST_P(PortionTest, IsRoundedAsThePolicySaysAndComparedWithWhatIsLeft) {
  const Row& row = GetParam();
  const api::Map<api::DeviceCapacity> capacity = {{"memory", CapacityOf(row)}};
  api::Map<quantity::Quantity> wanted;
  if (!row.wanted.empty()) {
    wanted["memory"] = Amount(row.wanted);
  }
  const Result<Portion> portion = Portion::Of(&wanted, capacity, false);
  ASSERT_EQ(portion.has_value(), !row.consumed.empty());
  if (!portion) {
    return;
  }
  ASSERT_EQ(portion->amounts().size(), 1U);
  EXPECT_EQ(portion->amounts()[0].consumed.ToString(), row.consumed);
  Amounts held;
  if (!row.held.empty()) {
    held["memory"] = Amount(row.held);
  }
  EXPECT_EQ(portion->FitsBeside(held, {}), row.fits);
  const std::vector<quantity::Quantity> taking = {row.held.empty() ? Amount("0")
                                                                   : Amount(row.held)};
  EXPECT_EQ(portion->FitsBeside({}, taking), row.fits);
}

INSTANTIATE_TEST_SUITE_P(Rows, PortionTest, ::testing::ValuesIn(kRows));

TEST(Portion, DoesNotFitADeviceThatLacksTheCapacity) {
  const api::Map<quantity::Quantity> wanted = {{"bandwidth", Amount("1")}};
  const api::Map<api::DeviceCapacity> capacity = {{"memory", {.value = Amount("8")}}};
  EXPECT_FALSE(Portion::Of(&wanted, capacity, false)->FitsAlone());
}

}  // namespace
}  // namespace quadra::allocator

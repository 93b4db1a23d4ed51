#include "validation/slice_test_objects.h"

namespace quadra::validation {
namespace {

TEST(ResourceSlice, JudgesRequestPolicies) {
  struct PolicyRow {
    std::string what;
    std::vector<const char*> values;
    const char *default_value, *min, *max, *step;
    std::vector<std::string> expected;  // below ...capacity[memory].requestPolicy
  };
  const PolicyRow rows[] = {
      {"good values", {"1Gi", "2Gi"}, "1Gi", nullptr, nullptr, nullptr, {}},
      {"no default",
       {"1Gi"},
       nullptr,
       nullptr,
       nullptr,
       nullptr,
       {".default: Required value: required when validValues is defined"}},
      {"unsorted, repeated, too large",
       {"2Gi", "1Gi", "1Gi", "81Gi"},
       "3Gi",
       nullptr,
       nullptr,
       nullptr,
       {".validValues: Invalid value: \"3Gi\": default value is not valid according to the "
        "requestPolicy",
        ".validValues[1]: Invalid value: \"1Gi\": values must be sorted in ascending order",
        ".validValues[2]: Duplicate value: \"1073741824\"",
        ".validValues[3]: Invalid value: \"81Gi\": option is larger than capacity value: 80Gi"}},
      {"both kinds",
       {"1Gi"},
       "1Gi",
       "1Gi",
       nullptr,
       nullptr,
       {": Forbidden: exactly one policy can be specified, cannot specify \"validValues\" and "
        "\"validRange\" at the same "
        "time"}},
      {"good range", {}, "2Gi", "1Gi", "4Gi", "1Gi", {}},
      {"default outside",
       {},
       "5Gi",
       "1Gi",
       "4Gi",
       nullptr,
       {".validRange.default: Invalid value: \"5Gi\": default is more than max: 4Gi"}},
      {"off the steps",
       {},
       "2Gi",
       "1Gi",
       "4Gi",
       "2Gi",
       {".validRange.step: Invalid value: \"2Gi\": value is not a multiple of a given step (2Gi) "
        "from (1Gi)",
        ".validRange.step: Invalid value: \"4Gi\": value is not a multiple of a given step (2Gi) "
        "from (1Gi)"}},
      {"no step at all",
       {},
       "2Gi",
       "1Gi",
       nullptr,
       "0",
       {".validRange.step: Invalid value: \"0\": must be greater than zero"}},
      {"not even thousandths",
       {},
       "1",
       "1",
       nullptr,
       "0.5m",
       {".validRange.step: Invalid value: \"500u\": value cannot be represented as a milli value"}},
  };
  const auto set = [](std::optional<Quantity>& to, const char* text) {
    if (text != nullptr) {
      to = *Quantity::Parse(text);
    }
  };
  for (const PolicyRow& row : rows) {
    ResourceSlice slice = Good();
    First(slice).allow_multiple_allocations = true;
    api::CapacityRequestPolicy policy;
    set(policy.default_value, row.default_value);
    for (const char* value : row.values) {
      policy.valid_values.push_back(*Quantity::Parse(value));
    }
    if (row.min != nullptr) {
      api::CapacityRequestPolicyRange& range = policy.valid_range.emplace();
      set(range.min, row.min);
      set(range.max, row.max);
      set(range.step, row.step);
    }
    First(slice).capacity["memory"].request_policy = policy;
    std::vector<std::string> expected = row.expected;
    for (std::string& text : expected) {
      text.insert(0, "spec.devices[0].capacity[memory].requestPolicy");
    }
    EXPECT_EQ(Texts(Validate({.gates = AllGates()}, slice).errors), expected) << row.what;
  }
}

}  // namespace
}  // namespace quadra::validation

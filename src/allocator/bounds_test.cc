// What the bounds cut: questions without an answer, and the steps of the search they may take.
// Each row is one bound; without it the steps grow with the number of ways to choose.
#include <functional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "allocator/questions_for_tests.h"

namespace quadra::allocator {
namespace {

using enum Allocation::Result;

struct Row {
  std::string name;
  std::function<void(QuestionBuilder&)> describe;
  Allocation::Result result;
  std::uint64_t most;  // steps
};

void PrintTo(const Row& row, std::ostream* out) { *out << row.name; }

std::string WhereKind(std::string_view kind) {
  return SelectorJson(fmt::format("device.attributes['d.example.com'].kind == '{}'", kind));
}

// Half of them of kind even, each alone on its root; or two on a root.
std::vector<std::string> Devices(std::size_t count, std::size_t on_root) {
  std::vector<std::string> devices;
  devices.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    devices.push_back(DeviceJson(
        fmt::format("d{}", i),
        fmt::format(R"("attributes":{{"kind":{{"string":"{}"}},"root":{{"string":"{}"}}}})",
                    i % 2 == 0 ? "even" : "odd", i / on_root)));
  }
  return devices;
}

constexpr std::string_view kSameRoot = R"("constraints":[{"matchAttribute":"d.example.com/root"}])";
constexpr std::string_view kOtherRoots =
    R"("constraints":[{"distinctAttribute":"d.example.com/root"}])";

const std::vector<Row> kRows = {
    {"the count: more of a kind than there are",
     [](QuestionBuilder& q) {
       q.Pool("p", Devices(24, 1)).Claim("c", {RequestJson("r", 13, WhereKind("even"))});
     },
     kUnavailable, 100},
    {"the matching: two requests want what one leaves",
     [](QuestionBuilder& q) {
       q.Pool("p", Devices(24, 1))
           .Claim("c", {RequestJson("a", 12), RequestJson("b", 8, WhereKind("even")),
                        RequestJson("c", 6, WhereKind("even"))});
     },
     kUnavailable, 200},
    {"the matching: the first gives way to the second",
     [](QuestionBuilder& q) {
       q.Pool("p", Devices(24, 1))
           .Claim("c", {RequestJson("a", 12), RequestJson("b", 12, WhereKind("even"))});
     },
     kAllocated, 600},
    {"one value: no root has three",
     [](QuestionBuilder& q) {
       q.Pool("p", Devices(24, 2)).Claim("c", {RequestJson("r", 3)}, kSameRoot);
     },
     kUnavailable, 300},
    {"one value for two requests: no root has two of a kind",
     [](QuestionBuilder& q) {
       q.Pool("p", Devices(24, 2))
           .Claim("c",
                  {RequestJson("a", 1, WhereKind("even")), RequestJson("b", 1, WhereKind("even"))},
                  kSameRoot);
     },
     kUnavailable, 300},
    {"other values: fewer roots than devices wanted",
     [](QuestionBuilder& q) {
       q.Pool("p", Devices(24, 2)).Claim("c", {RequestJson("r", 13)}, kOtherRoots);
     },
     kUnavailable, 300},
    {"a later claim: nothing is left for it",
     [](QuestionBuilder& q) {
       q.Pool("p", Devices(24, 1))
           .Claim("c", {RequestJson("a", 12)})
           .Claim("d", {RequestJson("b", 12)})
           .Claim("e", {RequestJson("c", 1)});
     },
     kUnavailable, 200},
    {"an alternative that fits is found behind those that do not",
     [](QuestionBuilder& q) {
       q.Pool("p", Devices(24, 1))
           .Claim(
               "c",
               {RequestJson("a", 12),
                R"({"name":"b","firstAvailable":[{"name":"x","deviceClassName":"any","allocationMode":"ExactCount","count":13},{"name":"y","deviceClassName":"any","allocationMode":"ExactCount","count":12}]})"});
     },
     kAllocated, 400},
};

class BoundsTest : public ::testing::TestWithParam<Row> {};

TEST_P(BoundsTest, KeepTheSearchShort) {
  QuestionBuilder question;
  GetParam().describe(question);
  const Told told = Ask(question);
  EXPECT_EQ(told.result, GetParam().result);
  EXPECT_LT(told.work, GetParam().most);
}

INSTANTIATE_TEST_SUITE_P(Rows, BoundsTest, ::testing::ValuesIn(kRows));

}  // namespace
}  // namespace quadra::allocator

#include "placement/refusals.h"

#include <algorithm>
#include <array>
#include <functional>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace quadra::placement {
namespace {

using reasons::Code;
using reasons::Refusal;

Refusal Of(std::string_view request, Code code) {
  return {.code = code, .claim = "ns/c", .request = std::string(request), .message = "words"};
}
Refusal OfNobody(Code code) { return {.code = code, .message = "words"}; }

TEST(KeyReason, IsTheFarthestRequestsNearestAlternative) {
  struct Row {
    std::string_view what;
    std::vector<Refusal> refusals;
    Code key;
  };
  for (const Row& row : {
           Row{"one", {Of("a", Code::kTainted)}, Code::kTainted},
           Row{"of two requests the farther: the other could be met and it would still be no",
               {Of("a", Code::kDevicesBusy), Of("b", Code::kNoSlices)},
               Code::kNoSlices},
           Row{"of two alternatives the nearer: it is what is asked for first",
               {Of("a/x", Code::kNoSlices), Of("a/y", Code::kDevicesBusy)},
               Code::kDevicesBusy},
           Row{"both",
               {Of("a/x", Code::kNoSlices), Of("a/y", Code::kDevicesBusy),
                Of("b", Code::kSelectorNoDevice)},
               Code::kSelectorNoDevice},
           Row{"pools that cannot be used are remarks where a request is to blame",
               {Of("a", Code::kDevicesBusy), OfNobody(Code::kPoolInvalid)},
               Code::kDevicesBusy},
           Row{"and the reason where none is", {OfNobody(Code::kPoolInvalid)}, Code::kPoolInvalid},
       }) {
    EXPECT_EQ(reasons::NameOf(KeyReason(row.refusals).code), reasons::NameOf(row.key)) << row.what;
  }
}

TEST(SentenceOf, NamesWhatIsNeeded) {
  Refusal refusal = Of("gpu", Code::kSelectorError);
  refusal.message = "a selector fails\n | at this place";
  EXPECT_EQ(SentenceOf(refusal, 1), "request gpu: a selector fails");
  EXPECT_EQ(SentenceOf(refusal, 2), "claim ns/c, request gpu: a selector fails");
  EXPECT_EQ(SentenceOf(OfNobody(Code::kNodeRejects), 2), "words");
}

TEST(Refusals, RememberTheFirstOfTheNearestAndCountTheRest) {
  Refusals refusals;
  EXPECT_EQ(refusals.nearest().code, Code::kNoSlices);
  for (const Code code : {Code::kNodeRejects, Code::kDevicesBusy, Code::kTainted,
                          Code::kDevicesBusy, Code::kNodeRejects, Code::kCapacityBusy}) {
    const Refusal refusal{.code = code, .message = fmt::format("{}", refusals.total())};
    refusals.Add(refusal, NearnessOf(refusal, refusal, false));
  }
  EXPECT_EQ(refusals.nearest().message, "5");
  EXPECT_EQ(refusals.total(), 6U);
  const CodeCounts expected = {{Code::kDevicesBusy, 2},
                               {Code::kNodeRejects, 2},
                               {Code::kCapacityBusy, 1},
                               {Code::kTainted, 1}};
  EXPECT_EQ(refusals.CodesByNodes(), expected);
}

TEST(Nearness, GoesByWhatIsInTheWay) {
  const Refusal rejects = OfNobody(Code::kNodeRejects);
  const Refusal busy = Of("gpu", Code::kDevicesBusy);
  const Refusal none = Of("gpu", Code::kNoSlices);
  const Refusal unknown = OfNobody(Code::kUndecided);
  const Nearness farthest_first[] = {
      NearnessOf(rejects, rejects, false), NearnessOf(rejects, none, false),
      NearnessOf(none, none, false),       NearnessOf(rejects, busy, false),
      NearnessOf(busy, busy, false),       NearnessOf(rejects, rejects, true),
      NearnessOf(unknown, unknown, false),
  };
  EXPECT_TRUE(std::ranges::is_sorted(farthest_first, std::ranges::less_equal()));
}

TEST(SharedRefusal, NamesTheClaimInItsPlace) {
  const std::array<std::string, 2> first = {"ns/b", "ns/c"};
  const std::array<std::string, 2> second = {"ns/x", "ns/y"};
  EXPECT_EQ(SharedRefusal(Of("gpu", Code::kTainted), first).For(second).claim, "ns/y");
  EXPECT_EQ(SharedRefusal(OfNobody(Code::kTainted), first).For(second).claim, "");
}

}  // namespace
}  // namespace quadra::placement

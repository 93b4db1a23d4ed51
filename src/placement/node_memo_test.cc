#include "placement/node_memo.h"

#include <array>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace quadra::placement {
namespace {

constexpr std::size_t kNodes = 3;
constexpr NodeMemo::Answer kFits{.fits = true, .score = 8};
constexpr NodeMemo::Answer kNever{.fits = false};
constexpr NodeMemo::Answer kNotYet{.fits = false, .score = 0, .certain = false};

const reasons::Refusal kBusy{.code = reasons::Code::kDevicesBusy,
                             .claim = "ns/b",
                             .request = "gpu",
                             .message = "1 device wanted, 0 of 2 that match are free",
                             .wanted = 1};
const std::array<std::string, 2> kNames = {"ns/a", "ns/b"};

// What is known of node 1 after something was taken.
TEST(NodeMemo, KnowsWhatStillHolds) {
  enum class Taken : std::uint8_t { kNothing, kHere, kElsewhere, kAnywhere };
  struct Row {
    std::string_view what;
    NodeMemo::Answer answer;
    Taken taken;
    bool known;
    bool why_known;
  };
  for (const Row& row : {
           Row{"nothing happened", kFits, Taken::kNothing, true, true},
           Row{"what fits may fit worse, or not, by what is taken there", kFits, Taken::kHere,
               false, false},
           Row{"what others lose is nothing to it", kFits, Taken::kElsewhere, true, true},
           Row{"a pool that all see may be its pool", kFits, Taken::kAnywhere, false, false},
           Row{"what never fits stays so, why may change", kNever, Taken::kHere, true, false},
           Row{"so also if anybody took it", kNever, Taken::kAnywhere, true, false},
           Row{"what was not decided may be", kNotYet, Taken::kHere, false, false},
       }) {
    NodeMemo memo(kNodes);
    const auto page = memo.PageOf("question");
    page->Keep(1, row.answer);
    page->KeepWhy(1, kBusy, kNames);
    if (row.taken == Taken::kAnywhere) {
      memo.TouchAll();
    } else if (row.taken != Taken::kNothing) {
      memo.Touch(row.taken == Taken::kHere ? 1 : 2);
    }
    EXPECT_EQ(page->Find(1) != nullptr, row.known) << row.what;
    EXPECT_EQ(page->FindWhy(1, kNames).has_value(), row.why_known) << row.what;
    EXPECT_EQ(page->Find(0), nullptr) << row.what;
  }
}

TEST(NodeMemo, NamesTheClaimsOfWhoAsks) {
  NodeMemo memo(kNodes);
  const auto page = memo.PageOf("question");
  page->KeepWhy(0, kBusy, kNames);
  const std::array<std::string, 2> others = {"ns/c", "ns/d"};
  const auto found = page->FindWhy(0, others);
  ASSERT_TRUE(found);
  const reasons::Refusal why = found.value_or(reasons::Refusal());
  EXPECT_EQ(why.claim, "ns/d");
  EXPECT_EQ(why.code, kBusy.code);
  EXPECT_EQ(why.request, kBusy.request);
  EXPECT_EQ(why.message, kBusy.message);
}

TEST(NodeMemo, TheFirstNodeWorthAskingIsTheFirstThatMayDo) {
  struct Row {
    std::vector<NodeMemo::Answer> answers;  // by node
    std::size_t first;
  };
  for (const Row& row : {
           Row{{}, 0},
           Row{{kFits}, 0},
           Row{{kNever}, 1},
           Row{{kNever, kNotYet, kNever}, 1},
           Row{{kNever, kNever, kFits}, 2},
           Row{{kNever, kNever, kNever}, 3},
       }) {
    NodeMemo memo(kNodes);
    const auto page = memo.PageOf("question");
    for (std::size_t i = 0; i < row.answers.size(); ++i) {
      page->Keep(i, row.answers[i]);
    }
    EXPECT_EQ(page->FirstOpen(), row.first);
    memo.TouchAll();
    EXPECT_EQ(page->FirstOpen(), row.first) << "what never fits stays so";
  }
}

// A thousand questions are kept at most: the one asked again stays, the oldest goes.
TEST(NodeMemo, ForgetsWhatWasAskedLeastRecently) {
  NodeMemo memo(kNodes);
  memo.PageOf("oldest")->Keep(0, kNever);
  memo.PageOf("kept")->Keep(0, kNever);
  for (int i = 0; i < 999; ++i) {
    memo.PageOf(fmt::format("{}", i));
    memo.PageOf("kept");
  }
  EXPECT_NE(memo.PageOf("kept")->Find(0), nullptr);
  EXPECT_EQ(memo.PageOf("oldest")->Find(0), nullptr);
}

}  // namespace
}  // namespace quadra::placement

#include "scheduler/attempt_log.h"

#include <gtest/gtest.h>

#include "json/value.h"

namespace quadra::scheduler {
namespace {

LastAttempt Of(std::string pod, std::string uid, std::string result = "waiting") {
  return {.ns = "team", .pod = std::move(pod), .uid = std::move(uid), .result = std::move(result)};
}

TEST(AttemptLog, TheLastAttemptOfAPodCounts) {
  AttemptLog log;
  log.Put(Of("train", "1", "unschedulable"));
  log.Put(Of("train", "1", "scheduled"));
  const std::optional<LastAttempt> last = log.Find("team", "train");
  ASSERT_TRUE(last);
  EXPECT_EQ(last->result, "scheduled");
  EXPECT_FALSE(log.Find("other", "train"));
}

TEST(AttemptLog, APodThatIsGoneIsForgottenButNotAnotherOfItsName) {
  AttemptLog log;
  log.Put(Of("train", "2"));
  log.Remove("team", "train", "1");
  EXPECT_TRUE(log.Find("team", "train"));
  log.Remove("team", "train", "2");
  EXPECT_FALSE(log.Find("team", "train"));
}

TEST(AttemptLog, ForgetsThoseLongestUntouched) {
  AttemptLog log(2);
  log.Put(Of("a", "1"));
  log.Put(Of("b", "2"));
  log.Put(Of("a", "1"));
  log.Put(Of("c", "3"));
  EXPECT_TRUE(log.Find("team", "a"));
  EXPECT_FALSE(log.Find("team", "b"));
  EXPECT_TRUE(log.Find("team", "c"));
}

TEST(AttemptLog, IsPrintedWithWhatRefusedTheNodes) {
  LastAttempt attempt = Of("train", "1", "unschedulable");
  attempt.took = std::chrono::microseconds(1500);
  attempt.nodes = 8;
  attempt.evaluations = 16;
  attempt.steps = 7;
  attempt.refused = {{.plugin = "NodeName",
                      .code = "UnschedulableAndUnresolvable",
                      .reason = "node(s) didn't match the requested node name",
                      .nodes = 8,
                      .example = "n1"}};
  const Result<json::Value> printed = json::ParseValue(ToJson(attempt));
  ASSERT_TRUE(printed);
  EXPECT_EQ(printed->Get("milliseconds").number(), "1.5");
  EXPECT_EQ(printed->Get("refused").items().at(0).Get("nodes").number(), "8");
  EXPECT_EQ(printed->Get("evaluations").number(), "16");
  EXPECT_EQ(printed->Get("steps").number(), "7");
  EXPECT_EQ(printed->Find("node"), nullptr);
  EXPECT_EQ(printed->Find("devices"), nullptr);
}

}  // namespace
}  // namespace quadra::scheduler

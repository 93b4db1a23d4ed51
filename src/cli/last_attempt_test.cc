#include "cli/last_attempt.h"

#include <gtest/gtest.h>

#include "api/vocabulary.h"

namespace quadra::cli {
namespace {

const Time kNow = *api::ParseTime("2026-01-01T00:10:00Z");

TEST(LastAttempt, SaysWhatCameOfIt) {
  EXPECT_EQ(LastAttemptText(R"({
    "namespace": "team-a", "pod": "train", "uid": "u", "result": "unschedulable",
    "message": "0/3 nodes are available: 2 cannot allocate all claims, 1 Insufficient cpu.",
    "attempt": 4, "at": "2026-01-01T00:05:48Z", "milliseconds": 1.5, "nodes": 3, "evaluated": 3, "feasible": 0,
    "evaluations": 16, "steps": 7, "nominatedNode": "node-1",
    "refused": [
      {"plugin": "DynamicResources", "code": "Unschedulable", "reason": "cannot allocate all claims",
       "why": "DevicesBusy", "nodes": 2, "example": "node-2"},
      {"plugin": "NodeResourcesFit", "code": "Unschedulable", "reason": "Insufficient cpu", "nodes": 1}]})",
                            kNow),
            "Last attempt of the scheduler (attempt 4), 4m12s ago: unschedulable\n"
            "  0/3 nodes are available: 2 cannot allocate all claims, 1 Insufficient cpu.\n"
            "  nominated: node-1\n"
            "  nodes 3, looked at 3, fit 0, selectors evaluated 16, steps 7, milliseconds 1.5\n"
            "  2 DynamicResources: cannot allocate all claims [DevicesBusy] (e.g. node-2)\n"
            "  1 NodeResourcesFit: Insufficient cpu\n");
}

TEST(LastAttempt, LeavesOutWhatIsNotSaid) {
  EXPECT_EQ(LastAttemptText(R"({"result":"scheduled","node":"node-1","devices":["d/p/a","d/p/b"]})",
                            kNow),
            "Last attempt of the scheduler: scheduled\n"
            "  node: node-1\n"
            "  devices: d/p/a, d/p/b\n");
  EXPECT_EQ(LastAttemptText(R"({"result":7,"refused":"all","devices":{},"at":"now"})", kNow),
            "Last attempt of the scheduler: \n");
  EXPECT_EQ(LastAttemptText("no JSON", kNow), "");
}

TEST(LastAttempt, ShowsTheFirstFewReasons) {
  std::string refused;
  for (int i = 0; i < 8; ++i) {
    refused += std::string(i == 0 ? "" : ",") + R"({"nodes":1,"plugin":"P","reason":"r"})";
  }
  const std::string text =
      LastAttemptText(R"({"result":"error","refused":[)" + refused + "]}", kNow);
  EXPECT_NE(text.find("  and 3 more reasons\n"), std::string::npos) << text;
}

}  // namespace
}  // namespace quadra::cli

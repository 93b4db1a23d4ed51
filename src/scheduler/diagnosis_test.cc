#include "scheduler/diagnosis.h"

#include <gtest/gtest.h>

namespace quadra::scheduler {
namespace {

Status Refusal(std::string reason, reasons::Code code) {
  return Status(Code::kUnschedulable, std::move(reason)).Because({.code = code});
}

Diagnosis EightNodes() {
  Diagnosis diagnosis{.nodes = 8};
  for (int i = 0; i < 5; ++i) {
    diagnosis.statuses.nodes["n" + std::to_string(i)] =
        Refusal("cannot allocate all claims", reasons::Code::kDevicesBusy);
  }
  diagnosis.statuses.nodes["n5"] = Status(Code::kUnschedulable, std::string("Insufficient cpu"));
  diagnosis.statuses.nodes["n6"] =
      Refusal("cannot allocate all claims", reasons::Code::kClassMissing);
  diagnosis.statuses.absent =
      Status(Code::kUnschedulableAndUnresolvable, std::string("node(s) were unschedulable"));
  return diagnosis;
}

TEST(Diagnosis, CountsReasonsInUpstreamsWordsAndOrder) {
  EXPECT_EQ(TextOf(EightNodes()),
            "0/8 nodes are available: 1 Insufficient cpu, 1 node(s) were unschedulable, "
            "6 cannot allocate all claims.");
  EXPECT_EQ(TextOf({.nodes = 0, .pre_filter = "no nodes at all"}),
            "0/0 nodes are available: no nodes at all.");
  Diagnosis preempted = EightNodes();
  preempted.post_filter = "preemption: 0/8 nodes are available.";
  EXPECT_TRUE(TextOf(preempted).ends_with("claims. preemption: 0/8 nodes are available."));
}

TEST(Diagnosis, GoesOnWithOurCodesAndTheNextCommand) {
  api::Pod pod;
  pod.metadata.ns = "team-a";
  pod.metadata.name = "train";
  EXPECT_EQ(
      AccountOf(EightNodes(), pod),
      "[DevicesBusy on 5 nodes, ClassMissing on 1; next: quadra explain pod/train -n team-a]");
  EXPECT_EQ(AccountOf({.nodes = 1}, pod), "[next: quadra explain pod/train -n team-a]");
}

}  // namespace
}  // namespace quadra::scheduler

#include "scheduler/devices/claim_copies.h"

#include <string>

#include <gtest/gtest.h>

#include "scheduler/framework/revision.h"

namespace quadra::scheduler {
namespace {

using Told = ClaimCopies::Told;

// `device` empty: not allocated.
ClaimPtr At(int revision, std::string_view device = "", std::string_view uid = "u") {
  auto claim = std::make_shared<api::ResourceClaim>();
  claim->metadata.ns = "ns";
  claim->metadata.name = "c";
  claim->metadata.uid = uid;
  claim->metadata.resource_version = std::to_string(revision);
  if (!device.empty()) {
    claim->status.allocation.emplace().devices.results.push_back(
        {.request = "r", .driver = "d", .pool = "p", .device = std::string(device)});
  }
  return claim;
}

std::uint64_t Newest(const ClaimCopies& copies) {
  const ClaimPtr claim = copies.Find("ns", "c");
  return claim == nullptr ? 0 : RevisionOf(claim->metadata);
}

TEST(ClaimCopiesTest, OurOwnWriteHoldsUntilTheServersCopyIsAsNew) {
  ClaimCopies copies;
  copies.Put(At(1), Told::kByWatch);
  copies.Assume(At(3, "a"));
  EXPECT_EQ(Newest(copies), 3);
  copies.Put(At(2), Told::kByWatch);
  EXPECT_EQ(Newest(copies), 3);
  EXPECT_FALSE(copies.IsShown(*At(3, "a")));
  copies.Put(At(4, "a"), Told::kByWatch);
  EXPECT_EQ(Newest(copies), 4);
  EXPECT_TRUE(copies.IsShown(*At(3, "a")));
  copies.Assume(At(3, "a"));  // an answer that comes late
  EXPECT_EQ(Newest(copies), 4);
}

TEST(ClaimCopiesTest, ForgettingGoesBackToTheServersCopy) {
  ClaimCopies copies;
  copies.Put(At(1), Told::kByWatch);
  copies.Assume(At(2, "a"));
  copies.Forget("ns", "c");
  EXPECT_EQ(Newest(copies), 1);
  copies.Remove(*At(1));
  EXPECT_EQ(Newest(copies), 0);
  copies.Assume(At(2, "a"));  // created by us, and not shown yet
  EXPECT_EQ(Newest(copies), 2);
  copies.Forget("ns", "c");
  EXPECT_EQ(Newest(copies), 0);
}

TEST(ClaimCopiesTest, AClaimOfTheSameNameIsAnother) {
  ClaimCopies copies;
  copies.Put(At(1, "a"), Told::kByWatch);
  copies.Assume(At(5, "a"));
  copies.Put(At(3, "", "other"), Told::kByWatch);
  EXPECT_EQ(Newest(copies), 3);
  EXPECT_EQ(copies.HolderOf("u"), nullptr);
  EXPECT_EQ(copies.FindShown("u"), nullptr);
  EXPECT_NE(copies.FindShown("other"), nullptr);
}

TEST(ClaimCopiesTest, AnAllocationInFlightHoldsUntilAllItsPodsHaveEnded) {
  ClaimCopies copies;
  copies.Put(At(1), Told::kByWatch);
  copies.Begin(At(1, "a"));
  copies.Begin(At(1, "a"));
  copies.Put(At(2), Told::kByWatch);
  EXPECT_NE(copies.HolderOf("u"), nullptr);
  copies.End(*At(1));
  EXPECT_NE(copies.InFlight(*At(1)), nullptr);
  copies.Put(At(3, "b"), Told::kByWatch);
  const ClaimPtr holder = copies.HolderOf("u");
  ASSERT_TRUE(holder != nullptr && holder->status.allocation);
  EXPECT_EQ(holder->status.allocation->devices.results[0].device, "b");
  copies.Put(At(4), Told::kByWatch);
  copies.End(*At(1));
  EXPECT_EQ(copies.HolderOf("u"), nullptr);
}

TEST(ClaimCopiesTest, RemembersWhichRevisionShowedThePresentAllocationFirst) {
  struct Event {
    ClaimPtr claim;
    Told told;
    std::uint64_t first;
  };
  const std::vector<Event> events = {
      {At(1), Told::kByWatch, 0},       {At(2, "a"), Told::kByWatch, 2},
      {At(3, "a"), Told::kByWatch, 2},  {At(4), Told::kByWatch, 0},
      {At(5, "a"), Told::kByWatch, 5},  {At(6, "b"), Told::kByWatch, 6},
      {At(9, "b"), Told::kByList, 0},   {At(10, "b"), Told::kByWatch, 0},
      {At(11, "c"), Told::kByWatch, 11}};
  ClaimCopies copies;
  for (const Event& event : events) {
    copies.Put(event.claim, event.told);
    EXPECT_EQ(copies.FirstShown("u"), event.first)
        << "at revision " << event.claim->metadata.resource_version;
  }
}

TEST(ClaimCopiesTest, TellsOnceWhoWaits) {
  ClaimCopies copies;
  int told = 0;
  copies.OnTold("u", [&] { ++told; });
  copies.Put(At(1), Told::kByWatch);
  copies.Put(At(2), Told::kByWatch);
  EXPECT_EQ(told, 1);
  copies.OnTold("u", [&] { ++told; });
  copies.Remove(*At(2));
  EXPECT_EQ(told, 2);
}

}  // namespace
}  // namespace quadra::scheduler

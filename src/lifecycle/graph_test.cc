#include "lifecycle/graph.h"

#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace quadra::lifecycle {
namespace {

using Lines = std::vector<std::string>;

Identity Set(std::string name, std::string uid, std::string ns = "a") {
  return {.api_version = "apps/v1",
          .kind = "ReplicaSet",
          .ns = std::move(ns),
          .name = std::move(name),
          .uid = std::move(uid)};
}
Identity Pod(std::string name, std::string uid, std::string ns = "a") {
  return {.api_version = "v1",
          .kind = "Pod",
          .ns = std::move(ns),
          .name = std::move(name),
          .uid = std::move(uid)};
}
api::OwnerReference Ref(const Identity& owner, bool blocks = false) {
  return {.api_version = owner.api_version,
          .kind = owner.kind,
          .name = owner.name,
          .uid = owner.uid,
          .controller = std::nullopt,
          .block_owner_deletion = blocks};
}

class GraphTest : public testing::Test {
 protected:
  // What was to be done since the last call.
  Lines Take() { return std::exchange(calls_, {}); }
  void Observe(Identity identity, OwnerReferences owners = {}) {
    graph.Observe(nullptr, {.identity = std::move(identity), .owners = std::move(owners)});
  }

  Graph graph{{.look = [this](const std::string& uid) { calls_.push_back("look " + uid); },
               .orphan = [this](const std::string& uid) { calls_.push_back("orphan " + uid); },
               .misplaced_owner =
                   [this](const Graph::Node& dependent, const api::OwnerReference& owner) {
                     calls_.push_back("misplaced " + dependent.identity.uid + " of " + owner.uid);
                   }}};

 private:
  Lines calls_;
};

TEST_F(GraphTest, NothingIsLookedAtWhereOwnersAreKnown) {
  Observe(Set("s", "S"));
  Observe(Pod("p", "P"), {Ref(Set("s", "S"))});
  EXPECT_EQ(Take(), Lines());
  EXPECT_EQ(graph.Find("S")->Dependents().size(), 1);
}

TEST_F(GraphTest, AnOwnerThatNobodyHasSeenIsLookedAtOnce) {
  Observe(Pod("p", "P"), {Ref(Set("s", "S"))});
  Observe(Pod("q", "Q"), {Ref(Set("s", "S"))});
  EXPECT_EQ(Take(), Lines{"look S"});
  EXPECT_TRUE(graph.Find("S")->is_virtual);
  Observe(Set("s", "S"));
  EXPECT_FALSE(graph.Find("S")->is_virtual);
  EXPECT_EQ(Take(), Lines());
}

TEST_F(GraphTest, DependentsAreLookedAtWhenTheirOwnerGoes) {
  Observe(Set("s", "S"));
  Observe(Pod("p", "P"), {Ref(Set("s", "S"))});
  Observe(Pod("q", "Q"), {Ref(Set("s", "S"))});
  graph.Forget(Set("s", "S"));
  EXPECT_EQ(Take(), (Lines{"look P", "look Q"}));
  EXPECT_TRUE(graph.absent_owners().Has(Set("s", "S")));
  EXPECT_EQ(graph.Find("S"), nullptr);
}

TEST_F(GraphTest, AVirtualOwnerThatIsNotThereIsForgotten) {
  Observe(Pod("p", "P"), {Ref(Set("s", "S"))});
  Take();
  EXPECT_FALSE(graph.ForgetAbsent(Set("s", "S")));
  EXPECT_EQ(Take(), Lines{"look P"});
  EXPECT_EQ(graph.Find("S"), nullptr);
}

TEST_F(GraphTest, EveryStoryOfAnOwnerIsTried) {
  Observe(Pod("p", "P", "a"), {Ref(Set("s", "S"))});
  Observe(Pod("q", "Q", "b"), {Ref(Set("s", "S"))});
  EXPECT_EQ(Take(), (Lines{"look S", "look Q"}));
  EXPECT_TRUE(graph.ForgetAbsent(Set("s", "S", "a")));
  EXPECT_EQ(graph.Find("S")->identity, Set("s", "S", "b"));
  EXPECT_EQ(Take(), Lines{"look P"});
  EXPECT_TRUE(graph.absent_owners().Has(Set("s", "S", "a")));
  EXPECT_FALSE(graph.absent_owners().Has(Set("s", "S", "b")));
}

TEST_F(GraphTest, WhoNamesAnOwnerOfAnotherNamespaceIsTold) {
  const Identity owner = Set("s", "S", "a");
  Observe(owner);
  Observe(Pod("p", "P", "b"), {Ref(owner)});
  EXPECT_EQ(Take(), (Lines{"misplaced P of S", "look P"}));
  // The other order: first the dependent.
  Observe(Pod("q", "Q", "b"), {Ref(Set("t", "T"))});
  Take();
  Observe(Set("t", "T", "a"));
  EXPECT_EQ(Take(), (Lines{"misplaced Q of T", "look Q"}));
}

TEST_F(GraphTest, AbsenceElsewhereDoesNotForgetWhatWasSeen) {
  Observe(Set("s", "S", "a"));
  Observe(Pod("p", "P", "b"), {Ref(Set("s", "S"))});
  Take();
  EXPECT_FALSE(graph.ForgetAbsent(Set("s", "S", "b")));
  EXPECT_NE(graph.Find("S"), nullptr);
  EXPECT_EQ(Take(), Lines{"look P"});
}

TEST_F(GraphTest, TransitionsAreToldOnce) {
  struct Case {
    std::string_view what;
    Sighting before;
    Sighting now;
    Lines calls;
  };
  const Identity set = Set("s", "S");
  const Sighting alive{.identity = set};
  const Sighting orphaning{.identity = set, .being_deleted = true, .orphans_dependents = true};
  const Sighting foreground{.identity = set, .being_deleted = true, .deletes_dependents = true};
  const Sighting finalizer_only{.identity = set, .deletes_dependents = true};
  const std::vector<Case> cases = {
      {"orphan", alive, orphaning, {"orphan S"}},
      {"orphan, told again", orphaning, orphaning, {}},
      {"foreground", alive, foreground, {"look P", "look S"}},
      {"the finalizer was there before", finalizer_only, foreground, {"look P", "look S"}},
      {"foreground, told again", foreground, foreground, {}},
      {"not being deleted", alive, finalizer_only, {}},
      {"background", alive, {.identity = set, .being_deleted = true}, {}},
  };
  for (const Case& c : cases) {
    Lines calls;
    Graph own({.look = [&](const std::string& uid) { calls.push_back("look " + uid); },
               .orphan = [&](const std::string& uid) { calls.push_back("orphan " + uid); },
               .misplaced_owner = [](const Graph::Node&, const api::OwnerReference&) {}});
    own.Observe(nullptr, alive);
    own.Observe(nullptr, {.identity = Pod("p", "P"), .owners = {Ref(set, true)}});
    calls.clear();
    own.Observe(&c.before, c.now);
    EXPECT_EQ(calls, c.calls) << c.what;
  }
}

TEST_F(GraphTest, AnOwnerIsLookedAtWhenADependentNoLongerHoldsItUp) {
  const Identity set = Set("s", "S");
  Observe(set);
  Observe(Pod("p", "P"), {Ref(set, true)});
  EXPECT_EQ(graph.Find("S")->BlockingDependents().size(), 1);
  Observe(Pod("p", "P"), {Ref(set, false)});
  EXPECT_EQ(Take(), Lines{"look S"});
  EXPECT_TRUE(graph.Find("S")->BlockingDependents().empty());
  Observe(Pod("p", "P"), {});
  EXPECT_TRUE(graph.Find("S")->dependents.empty());
  EXPECT_EQ(Take(), Lines());
}

TEST_F(GraphTest, AnOwnerThatWaitsIsLookedAtWhenADependentGoes) {
  const Identity set = Set("s", "S");
  graph.Observe(nullptr, {.identity = set, .being_deleted = true, .deletes_dependents = true});
  Observe(Pod("p", "P"), {Ref(set, true)});
  Take();
  graph.Forget(Pod("p", "P"));
  EXPECT_EQ(Take(), Lines{"look S"});
}

TEST_F(GraphTest, CirclesAndOwnersOfThemselvesEnd) {
  const Identity one = Set("one", "1");
  const Identity two = Set("two", "2");
  Observe(one, {Ref(two), Ref(one)});
  Observe(two, {Ref(one)});
  EXPECT_EQ(graph.size(), 2);
  graph.Forget(one);
  graph.Forget(two);
  EXPECT_EQ(graph.size(), 0);
}

TEST(AbsentOwners, RemembersThoseThatWereUsedLast) {
  AbsentOwners absent;
  const Identity kept = Set("kept", "kept");
  absent.Add(kept);
  for (std::size_t i = 0; i < AbsentOwners::kMost; ++i) {
    EXPECT_TRUE(absent.Has(kept));
    absent.Add(Set("s", std::to_string(i)));
  }
  EXPECT_EQ(absent.size(), AbsentOwners::kMost);
  EXPECT_FALSE(absent.Has(Set("s", "0")));
  EXPECT_FALSE(absent.Has(Set("kept", "kept", "elsewhere")));
}

}  // namespace
}  // namespace quadra::lifecycle

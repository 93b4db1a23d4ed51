// A question kept over time says what asking every node says, and asks only those that changed.
#include "allocator/standing_question.h"

#include <functional>
#include <string>
#include <thread>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/mutex.h"
#include "inventory/histories_for_tests.h"

namespace quadra::allocator {
namespace {

using inventory::History;
using inventory::Inventory;
using inventory::Snapshot;
using Fit = Allocator::Fit;

api::ResourceClaim ClaimFor(const std::vector<std::string>& classes) {
  api::ResourceClaim claim;
  claim.metadata.ns = "ns";
  claim.metadata.name = "asked";
  api::DeviceRequest& request = claim.spec.devices.requests.emplace_back();
  request.name = "r";
  if (classes.size() == 1) {
    request.exactly.emplace();
    request.exactly->device_class_name = classes[0];
    request.exactly->allocation_mode = "ExactCount";
    request.exactly->count = 1;
  }
  for (std::size_t i = 0; classes.size() > 1 && i < classes.size(); ++i) {
    api::DeviceSubRequest& alternative = request.first_available.emplace_back();
    alternative.name = fmt::format("s{}", i);
    alternative.device_class_name = classes[i];
    alternative.allocation_mode = "ExactCount";
    alternative.count = static_cast<std::int64_t>(i == 0 ? 2 : 1);
  }
  return claim;
}

struct Asker {
  selector::Language language;
  selector::ExpressionCache expressions{language};
  Verdicts verdicts{expressions};
};

// The best node, found by asking them all; with its score.
std::string BestOf(const Snapshot& cluster, const api::ResourceClaim& claim, Verdicts& verdicts) {
  const std::vector<const api::ResourceClaim*> claims = {&claim};
  Allocator allocator(cluster, claims, verdicts, {});
  std::string best = "none";
  std::int64_t score = -1;
  for (const auto& view : cluster.views()) {
    if (allocator.Try(*view) == Fit::kFits && allocator.score() > score) {
      score = allocator.score();
      best = fmt::format("{} {}", view->node->metadata.name, score);
    }
  }
  return best;
}

std::string BestOf(const StandingQuestion& standing) {
  const std::optional<StandingQuestion::Best> best = standing.best();
  return best ? fmt::format("{} {}", best->node, best->score) : "none";
}

TEST(StandingQuestion, SaysWhatAskingEveryNodeSays) {
  Asker asker;
  const std::vector<api::ResourceClaim> claims = {ClaimFor({"any"}), ClaimFor({"a"}),
                                                  ClaimFor({"a", "any"})};
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    SeededRandom random(seed);
    History history(asker.language, random, false);
    std::vector<StandingQuestion> standing;
    standing.reserve(claims.size());
    for (const api::ResourceClaim& claim : claims) {
      standing.emplace_back(std::vector{&claim}, Allocator::Options{});
    }
    std::vector<Snapshot> taken;
    for (int step = 0; step < 40; ++step) {
      history.Step();
      taken.push_back(history.inventory().Take());
      // Mostly the newest; now and then an older one, or a fork.
      Snapshot cluster = inventory::Choose(random, 4) == 0
                             ? taken[inventory::Choose(random, taken.size())]
                             : taken.back();
      if (inventory::Choose(random, 4) == 0) {
        Inventory fork = cluster.Fork();
        fork.RemoveSlice("p0-devices");
        cluster = fork.Take();
      }
      for (std::size_t i = 0; i < claims.size(); ++i) {
        standing[i].Ask(cluster, asker.verdicts);
        ASSERT_EQ(BestOf(standing[i]), BestOf(cluster, claims[i], asker.verdicts))
            << "seed " << seed << ", step " << step << ", claim " << i;
      }
    }
  }
}

// --- Counted work.

constexpr std::size_t kNodes = 50;

std::string NodeName(std::size_t n) { return fmt::format("n{:02}", n); }

api::ResourceSlice SliceOf(std::size_t n, std::size_t devices, bool for_all = false) {
  api::ResourceSlice slice;
  slice.metadata.name = NodeName(n) + (for_all ? "-all" : "");
  slice.spec.driver = "d.example.com";
  slice.spec.pool = {.name = slice.metadata.name, .generation = 1, .resource_slice_count = 1};
  if (for_all) {
    slice.spec.all_nodes = true;
  } else {
    slice.spec.node_name = NodeName(n);
  }
  for (std::size_t i = 0; i < devices; ++i) {
    slice.spec.devices.emplace_back().name = fmt::format("d{}", i);
  }
  return slice;
}

api::Node NodeNumber(std::size_t n) {
  api::Node node;
  node.metadata.name = NodeName(n);
  return node;
}

api::ResourceClaim HolderOf(std::size_t n, const std::string& device) {
  api::ResourceClaim claim = ClaimFor({"any"});
  claim.metadata.name = "holder";
  auto& result = claim.status.allocation.emplace().devices.results.emplace_back();
  result.driver = "d.example.com";
  result.pool = NodeName(n);
  result.device = device;
  return claim;
}

struct Step {
  std::string name;
  std::function<void(Inventory&)> event;
  std::size_t asked;  // nodes, because of it
  std::string best;   // afterwards
};

TEST(StandingQuestion, AsksTheNodesThatChanged) {
  const std::vector<Step> steps = {
      {"nothing", [](Inventory&) {}, 0, "n00 0"},
      {"a slice", [](Inventory& i) { i.SetSlice(SliceOf(7, 3)); }, 1, "n00 0"},
      {"a claim takes a device", [](Inventory& i) { i.SetClaim(HolderOf(0, "d0")); }, 1, "n00 0"},
      {"and lets it go", [](Inventory& i) { i.RemoveClaim(HolderOf(0, "d0")); }, 1, "n00 0"},
      {"a node loses its devices", [](Inventory& i) { i.SetSlice(SliceOf(0, 0)); }, 1, "n01 0"},
      {"two nodes at once",
       [](Inventory& i) {
         i.RemoveSlice(NodeName(1));
         i.SetSlice(SliceOf(2, 5));
       },
       2, "n02 0"},
      {"a node goes", [](Inventory& i) { i.RemoveNode(NodeName(2)); }, 0, "n03 0"},
      {"a node comes", [](Inventory& i) { i.SetNode(NodeNumber(2)); }, 1, "n02 0"},
      {"another class", [](Inventory& i) { i.SetClass(inventory::ClassWith("other", "")); }, 0,
       "n02 0"},
      {"the class", [](Inventory& i) { i.SetClass(inventory::ClassWith("any", "true")); }, kNodes,
       "n02 0"},
      {"devices for all nodes", [](Inventory& i) { i.SetSlice(SliceOf(0, 1, true)); }, kNodes,
       "n00 0"},
  };
  Asker asker;
  Inventory inventory(asker.language, {});
  inventory.SetClass(inventory::ClassWith("any", ""));
  for (std::size_t n = 0; n < kNodes; ++n) {
    inventory.SetNode(NodeNumber(n));
    inventory.SetSlice(SliceOf(n, 4));
  }
  const api::ResourceClaim claim = ClaimFor({"any"});
  StandingQuestion standing(std::vector{&claim}, {});
  standing.Ask(inventory.Take(), asker.verdicts);
  EXPECT_EQ(standing.asked(), kNodes);
  EXPECT_EQ(standing.fitting(), kNodes);
  for (const Step& step : steps) {
    step.event(inventory);
    const std::uint64_t before = standing.asked();
    standing.Ask(inventory.Take(), asker.verdicts);
    EXPECT_EQ(standing.asked() - before, step.asked) << step.name;
    EXPECT_EQ(BestOf(standing), step.best) << step.name;
  }
  EXPECT_EQ(standing.AnswerOf(NodeName(7))->fit, Fit::kFits);
  EXPECT_EQ(standing.AnswerOf("nowhere"), nullptr);
}

// --- Threads.

// The newest snapshot, handed from the writer to readers.
class Board {
 public:
  void Post(Snapshot snapshot) QUADRA_EXCLUDES(mutex_) {
    const MutexLock lock(mutex_);
    newest_ = std::move(snapshot);
  }
  std::optional<Snapshot> Get() const QUADRA_EXCLUDES(mutex_) {
    const MutexLock lock(mutex_);
    return newest_;
  }

 private:
  mutable Mutex mutex_;
  std::optional<Snapshot> newest_ QUADRA_GUARDED_BY(mutex_);
};

// Readers copy, ask, fork and drop snapshots while the writer goes on. Under TSan it shows that
// they share nothing that is written.
TEST(Readers, AskWhileTheWriterGoesOn) {
  selector::Language language;
  selector::ExpressionCache expressions(language);
  SeededRandom random(3);
  History history(language, random, false);
  Board board;
  board.Post(history.inventory().Take());
  const api::ResourceClaim claim = ClaimFor({"a", "any"});
  const auto read = [&] {
    Verdicts verdicts(expressions);
    StandingQuestion standing(std::vector{&claim}, {});
    for (int round = 0; round < 100; ++round) {
      const std::optional<Snapshot> cluster = board.Get();
      standing.Ask(*cluster, verdicts);
      const inventory::Reader reader(*cluster);
      Inventory fork = cluster->Fork();
      fork.RemoveSlice("p1-devices");
      fork.SetClaim(HolderOf(0, "d0"));
      fork.Take();
      EXPECT_EQ(BestOf(standing), BestOf(*cluster, claim, verdicts));
      EXPECT_TRUE(reader.SeesTheSame());
    }
  };
  std::vector<std::thread> readers;
  readers.reserve(3);
  for (int i = 0; i < 3; ++i) {
    readers.emplace_back(read);
  }
  for (int step = 0; step < 400; ++step) {
    history.Step();
    board.Post(history.inventory().Take());
  }
  for (std::thread& reader : readers) {
    reader.join();
  }
}

}  // namespace
}  // namespace quadra::allocator

// A store against a plain model of it: random operations, watchers that mirror what they are told,
// restarts in between.
//
//   QUADRA_MODEL_SEQUENCES=2000 store_test --gtest_filter='*Model*'
#include <array>
#include <map>
#include <set>
#include <tuple>

#include <gtest/gtest.h>

#include "base/random.h"
#include "store/desk_for_tests.h"

namespace quadra::store {
namespace {

using std::chrono::seconds;
using State = std::map<std::string, std::string>;  // by key, what Say says of the record

constexpr int kOperations = 300;
constexpr std::size_t kWatchers = 8;
constexpr std::size_t kLeastEvents = 20;
constexpr std::size_t kMostEvents = 60;

State OfPrefix(const State& all, const std::string& prefix) {
  State some;
  for (const auto& [key, record] : all) {
    if (key.starts_with(prefix)) {
      some.emplace(key, record);
    }
  }
  return some;
}

State StateOf(const Snapshot& snapshot, const std::string& prefix = "") {
  State state;
  snapshot.Scan(prefix, "", [&](const RecordPtr& record) {
    state[record->key.text()] = Say(*record);
    return true;
  });
  return state;
}

// What a store is, said in the plainest way.
class Model {
 public:
  Revision head() const { return states_.rbegin()->first; }
  const State& At(Revision revision) const {
    return std::prev(states_.upper_bound(revision))->second;
  }
  const State& Head() const { return states_.rbegin()->second; }
  Revision ModifiedOf(const std::string& key) const {
    const auto found = modified_.find(key);
    return found == modified_.end() ? 0 : found->second;
  }

  // What a write is answered, if `wanted` (absent: anything) must be the revision that stands.
  std::string Put(const std::string& key, const std::string& text, std::optional<Revision> wanted,
                  std::optional<Time> expires) {
    if (wanted && *wanted != ModifiedOf(key)) {
      return Conflict(key);
    }
    const Revision revision = head() + 1;
    Drop(key);
    State next = Head();
    next[key] = key + "@" + std::to_string(revision) + "=" + text;
    states_[revision] = std::move(next);
    modified_[key] = revision;
    if (expires) {
      expiring_.emplace(*expires, revision, key);
    }
    return "committed " + std::to_string(revision);
  }
  std::string Delete(const std::string& key, std::optional<Revision> wanted) {
    if (ModifiedOf(key) == 0 || (wanted && *wanted != ModifiedOf(key))) {
      return Conflict(key);
    }
    const Revision revision = head() + 1;
    Drop(key);
    State next = Head();
    next.erase(key);
    states_[revision] = std::move(next);
    modified_.erase(key);
    return "committed " + std::to_string(revision);
  }
  void Expire(Time now) {
    while (!expiring_.empty() && std::get<Time>(*expiring_.begin()) <= now) {
      Delete(std::string(std::get<std::string>(*expiring_.begin())), std::nullopt);
    }
  }

 private:
  std::string Conflict(const std::string& key) const {
    const auto found = Head().find(key);
    return "conflict with " + (found == Head().end() ? "nothing" : found->second);
  }
  void Drop(const std::string& key) {
    std::erase_if(expiring_, [&](const auto& one) { return std::get<std::string>(one) == key; });
  }

  std::map<Revision, State> states_ = {{kFirstRevision, {}}};
  std::map<std::string, Revision> modified_;
  std::set<std::tuple<Time, Revision, std::string>> expiring_;
};

// Lists, watches, and mirrors what it is told.
class Mirror {
 public:
  Mirror(Desk& desk, std::string prefix) : prefix_(std::move(prefix)) { List(desk); }

  // Takes a little, or all; what it has then must be what was there.
  void Follow(Desk& desk, const Model& model, std::size_t most, bool all) {
    Delivery delivery;
    do {
      delivery = watch_->Take(most);
      for (const EventPtr& event : delivery.events) {
        Apply(*event);
      }
      ASSERT_GE(delivery.through, through_);
      through_ = delivery.through;
      ASSERT_EQ(state_, OfPrefix(model.At(through_), prefix_)) << "through " << through_;
      if (delivery.ended) {
        Resume(desk);
      }
    } while (all && (delivery.more || delivery.ended));
  }
  void Resume(Desk& desk) {
    if (auto watch = desk->Watch({.prefix = prefix_, .after = through_, .most_waiting = 5})) {
      watch_ = *std::move(watch);
    } else {
      List(desk);
    }
  }
  Revision through() const { return through_; }

 private:
  void List(Desk& desk) {
    const Snapshot head = desk->Head();
    state_ = StateOf(head, prefix_);
    through_ = head.revision();
    Resume(desk);
  }
  void Apply(const Event& event) {
    ASSERT_GT(event.revision(), through_) << "none twice, none out of order";
    through_ = event.revision();
    const std::string& key = event.record->key.text();
    ASSERT_EQ(event.previous == nullptr ? "" : Say(*event.previous), state_[key]);
    if (event.type == Event::Type::kDeleted) {
      state_.erase(key);
    } else {
      state_[key] = Say(*event.record);
    }
  }

  std::string prefix_;
  State state_;
  Revision through_ = 0;
  std::unique_ptr<Watch> watch_;
};

// Reads a list in pages, each from the state at which the first was read.
class Pager {
 public:
  void Turn(Desk& desk, const Model& model) {
    const IfRetained<Snapshot> state = at_ == 0 ? desk->Head() : desk->At(at_);
    if (!state) {
      ASSERT_TRUE(state.error().expired());
      *this = Pager();
      return;
    }
    at_ = state->revision();
    std::size_t left = 3;
    std::string next;
    state->Scan("", from_, [&](const RecordPtr& record) {
      if (left == 0) {
        next = record->key.text();
        return false;
      }
      read_[record->key.text()] = Say(*record);
      --left;
      return true;
    });
    ASSERT_EQ(state->Count("", from_) > 3, !next.empty());
    from_ = next;
    if (from_.empty()) {
      ASSERT_EQ(read_, model.At(at_));
      *this = Pager();
    }
  }

 private:
  Revision at_ = 0;
  std::string from_;
  State read_;
};

// One random sequence of operations.
class Sequence {
 public:
  Sequence(const char* medium, std::uint64_t seed)
      : random_(seed),
        desk_(medium, {.retention = {.least_events = kLeastEvents,
                                     .least_age = seconds(10),
                                     .most_events = kMostEvents,
                                     .between_milestones = 9},
                       .writer = {.compaction_step = 7}}) {
    while (mirrors_.size() < kWatchers) {
      mirrors_.emplace_back(desk_, Prefix());
    }
  }

  void Run() {
    for (int at = 0; at < kOperations && !testing::Test::HasFatalFailure(); ++at) {
      Step();
    }
    for (Mirror& mirror : mirrors_) {
      mirror.Follow(desk_, model_, 3, true);
      EXPECT_EQ(mirror.through(), model_.head());
    }
  }

 private:
  std::string Prefix() { return std::string("pn").substr(random_.Below(2), random_.Below(2)); }
  std::string Key() {
    return std::string(1, "pn"[random_.Below(2)]) + std::to_string(random_.Below(6));
  }
  // Nothing, absent, what stands, or something else.
  std::optional<Revision> Wanted(const std::string& key) {
    const Revision choices[] = {0, model_.ModifiedOf(key), random_.Below(model_.head() + 2)};
    const std::uint64_t choice = random_.Below(4);
    return choice == 3 ? std::nullopt : std::optional(choices[choice]);
  }
  static Precondition Demand(std::optional<Revision> wanted) {
    if (!wanted) {
      return Precondition::None();
    }
    return *wanted == 0 ? Precondition::Absent() : Precondition::ModifiedAt(*wanted);
  }

  void Step() {
    const std::uint64_t dice = random_.Below(100);
    if (dice < 40) {
      Put();
    } else if (dice < 55) {
      Delete();
    } else if (dice < 60) {
      pagers_[random_.Below(pagers_.size())].Turn(desk_, model_);
    } else if (dice < 80) {
      mirrors_[random_.Below(mirrors_.size())].Follow(desk_, model_, 1 + random_.Below(4), false);
    } else if (dice < 90) {
      LookBack();
    } else if (dice < 95) {
      PassTime();
    } else if (dice < 98) {
      mirrors_[random_.Below(mirrors_.size())] = Mirror(desk_, Prefix());
    } else {
      Restart();
    }
  }

  void Put() {
    const std::string key = Key();
    const std::optional<Revision> wanted = Wanted(key);
    const std::string text = std::to_string(random_.Below(1000));
    std::optional<seconds> ttl;
    if (random_.Below(4) == 0) {
      ttl = seconds(random_.Below(10));
    }
    const std::string answer = Say(desk_->Commit(
        {.key = key, .precondition = Demand(wanted), .draft = DraftOf(text), .ttl = ttl}));
    const auto expires = ttl ? std::optional(desk_.clock().Now() + *ttl) : std::nullopt;
    ASSERT_EQ(answer, model_.Put(key, text, wanted, expires));
  }

  void Delete() {
    const std::string key = Key();
    const std::optional<Revision> wanted = Wanted(key);
    // A deletion that demands absence has nothing to delete, and conflicts.
    ASSERT_EQ(desk_.Delete(key, Demand(wanted)), model_.Delete(key, wanted));
  }

  void PassTime() {
    desk_.clock().Advance(seconds(random_.Below(8)));
    desk_->Maintain();
    model_.Expire(desk_.clock().Now());
    ASSERT_EQ(StateOf(desk_->Head()), model_.Head());
  }

  void LookBack() {
    const Revision revision = random_.Below(model_.head() + 2);
    const IfRetained<Snapshot> past = desk_->At(revision);
    if (past) {
      ASSERT_EQ(StateOf(*past), model_.At(revision));
      ASSERT_GE(revision, oldest_);
      return;
    }
    ASSERT_EQ(past.error().head, model_.head());
    ASSERT_GE(past.error().oldest, oldest_) << "what was forgotten stays forgotten";
    oldest_ = past.error().oldest;
    const Revision must = model_.head() - std::min(model_.head() - 1, Revision{kLeastEvents});
    ASSERT_LE(oldest_, must);
    ASSERT_LE(model_.head(), oldest_ + kMostEvents);
  }

  void Restart() {
    desk_.Restart();
    ASSERT_EQ(desk_->Head().revision(), model_.head());
    ASSERT_EQ(StateOf(desk_->Head()), model_.Head());
  }

  SeededRandom random_;
  Desk desk_;
  Model model_;
  std::vector<Mirror> mirrors_;
  std::array<Pager, 3> pagers_;
  Revision oldest_ = 0;
};

class ModelTest : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Logs, ModelTest, testing::Values("memory", "sqlite"),
                         [](const auto& log) { return std::string(log.param); });

TEST_P(ModelTest, AgreesWithTheStore) {
  const int sequences = SizeOf("QUADRA_MODEL_SEQUENCES", 20);
  for (int seed = 1; seed <= sequences && !HasFailure(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Sequence(GetParam(), static_cast<std::uint64_t>(seed)).Run();
  }
}

}  // namespace
}  // namespace quadra::store

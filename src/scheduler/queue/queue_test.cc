#include "scheduler/queue/queue.h"

#include <gtest/gtest.h>

#include "scheduler/framework/worlds_for_tests.h"

namespace quadra::scheduler {
namespace {

using std::chrono::milliseconds;
using std::chrono::minutes;
using std::chrono::seconds;

constexpr ClusterEvent kNodeAdded{EventResource::kNode, action::kAdd, {}};
constexpr ClusterEvent kPodGone{EventResource::kAssignedPod, action::kDelete, {}};

// Refuses nobody by itself; waits for events, and keeps out whom a test names.
class Waiter final : public Plugin, public PreEnqueuePlugin {
 public:
  explicit Waiter(std::string_view name, std::vector<EventHint> events)
      : name_(name), events_(std::move(events)) {}

  std::string_view name() const override { return name_; }
  std::vector<EventHint> EventsToRegister() const override { return events_; }
  Status PreEnqueue(const PodInfo& pod) const override {
    return gated.contains(pod.pod.metadata.name)
               ? Status(Code::kUnschedulableAndUnresolvable, "not yet")
               : Status();
  }

  std::set<std::string> gated;  // by name

 private:
  std::string_view name_;
  std::vector<EventHint> events_;
};

PodInfoPtr Pod(std::string_view name, int priority = 0, std::string_view status = "{}") {
  const std::string spec =
      fmt::format("{{schedulerName: default-scheduler, priority: {}}}", priority);
  return PodOf({.name = name, .spec = spec, .status = status});
}

// A queue above two plugins: "fit" waits for pods to go, "label" for nodes that its hint likes.
struct World {
  explicit World(QueueOptions options = {})
      : queue(loop, {QueueRules("default-scheduler", plugins)}, std::move(options)) {}

  // Names of those that can be popped now, in order; they are in flight then.
  std::string PopAll() {
    std::string names;
    while (std::optional<QueuedPod> next = queue.Pop()) {
      names += (names.empty() ? "" : " ") + next->pod->pod.metadata.name;
      popped.insert_or_assign(next->pod->uid(), *next);
    }
    return names;
  }
  void Refuse(const std::string& name, Rejection rejection) {
    queue.AddUnschedulable(popped.at(name), std::move(rejection));
    popped.erase(name);
  }
  // Whether it waits active, in backoff, …; - where it is not there.
  std::string PlaceOf(const std::string& uid) const {
    static constexpr std::array<std::string_view, 5> kNames = {"active", "backoff", "unschedulable",
                                                               "gated", "in flight"};
    const std::optional<QueuePlace> place = queue.PlaceOf(uid);
    return place ? std::string(kNames.at(static_cast<std::size_t>(*place))) : "-";
  }
  void Tell(const ClusterEvent& event) { queue.Move({.event = event}); }

  loop::ManualLoop loop{Time(std::chrono::hours(24 * 365 * 50))};
  std::string liked;  // label's hint says yes to pods of this name; empty: to all
  Waiter fit{"fit", {{kPodGone, nullptr}}};
  Waiter label{"label",
               {{kNodeAdded,
                 [this](const PodInfo& pod, const EventObjects& /*objects*/) {
                   return liked.empty() || pod.pod.metadata.name == liked;
                 }},
                {{EventResource::kTargetPod, action::kUpdatePodLabel, {}}, nullptr}}};
  std::vector<const Plugin*> plugins{&fit, &label};
  std::map<std::string, QueuedPod> popped;  // by uid
  Queue queue;
};

const Rejection kByFit{.unschedulable = {"fit"}, .pending = {}};
const Rejection kByLabel{.unschedulable = {"label"}, .pending = {}};

TEST(Queue, GivesTheHighestPriorityThenWhoCameFirst) {
  World world;
  world.queue.Add(Pod("a"));
  world.loop.Advance(milliseconds(1));
  world.queue.Add(Pod("b", 5));
  world.loop.Advance(milliseconds(1));
  world.queue.Add(Pod("c"));
  world.loop.Advance(milliseconds(1));
  world.queue.Add(Pod("d", 5));
  EXPECT_EQ(world.PopAll(), "b d a c");
  EXPECT_EQ(world.queue.depths(), (QueueDepths{.in_flight = 4}));
}

TEST(Queue, KeepsAPodInOnePlaceUntilItIsDone) {
  World world;
  world.queue.Add(Pod("a"));
  EXPECT_EQ(world.PlaceOf("a"), "active");
  EXPECT_EQ(world.PopAll(), "a");
  EXPECT_EQ(world.PlaceOf("a"), "in flight");
  world.queue.Add(Pod("a"));  // told again by the server
  EXPECT_EQ(world.PopAll(), "");
  world.Refuse("a", kByFit);
  EXPECT_EQ(world.PlaceOf("a"), "unschedulable");
  world.queue.Remove(*Pod("a"));
  EXPECT_EQ(world.PlaceOf("a"), "-");

  world.queue.Add(Pod("b"));
  world.PopAll();
  world.queue.Done("b");
  EXPECT_EQ(world.PlaceOf("b"), "-");
}

TEST(Queue, DropsWhoWasRemovedInFlight) {
  World world;
  world.queue.Add(Pod("a"));
  world.PopAll();
  world.queue.Remove(*Pod("a"));
  world.Refuse("a", {});
  EXPECT_EQ(world.PlaceOf("a"), "-");
  EXPECT_EQ(world.queue.depths(), QueueDepths());
}

// How long it takes from each refusal until the pod can be popped again.
std::vector<std::int64_t> Backoffs(const Rejection& rejection, int refusals, QueueOptions options) {
  World world(std::move(options));
  world.queue.Add(Pod("a"));
  world.PopAll();
  std::vector<std::int64_t> seconds_waited;
  for (int i = 0; i < refusals; ++i) {
    const Time refused = world.loop.Now();
    world.Refuse("a", rejection);
    world.Tell(kPodGone);
    while (world.PopAll().empty()) {
      world.loop.Advance(milliseconds(100));
    }
    seconds_waited.push_back(
        std::chrono::duration_cast<seconds>(world.loop.Now() - refused).count());
  }
  return seconds_waited;
}

TEST(Queue, BacksOffTwiceAsLongEachTime) {
  const std::vector<std::int64_t> doubling = {1, 2, 4, 8, 10, 10};
  EXPECT_EQ(Backoffs(kByFit, 6, {.pop_from_backoff = false}), doubling);
  EXPECT_EQ(Backoffs({}, 6, {.pop_from_backoff = false}), doubling);
  EXPECT_EQ(
      Backoffs(
          kByFit, 3,
          {.initial_backoff = seconds(3), .max_backoff = seconds(5), .pop_from_backoff = false}),
      (std::vector<std::int64_t>{3, 5, 5}));
  EXPECT_EQ(Backoffs(kByFit, 3, {.max_backoff = seconds(0)}), (std::vector<std::int64_t>{0, 0, 0}));
}

TEST(Queue, GivesWhoBacksOffWhereNobodyElseWaits) {
  // After errors nobody is popped early.
  EXPECT_EQ(Backoffs(kByFit, 3, {}), (std::vector<std::int64_t>{0, 0, 0}));
  EXPECT_EQ(Backoffs({}, 3, {}), (std::vector<std::int64_t>{2, 3, 5}));

  World world;
  for (const std::string name : {"a", "b"}) {
    world.queue.Add(Pod(name));
  }
  world.PopAll();
  world.Refuse("a", kByFit);
  world.Tell(kPodGone);
  EXPECT_EQ(world.PlaceOf("a"), "backoff");
  world.queue.Add(Pod("c"));
  EXPECT_EQ(world.PopAll(), "c a");
}

TEST(Queue, CountsErrorsApart) {
  World world({.pop_from_backoff = false});
  world.queue.Add(Pod("a"));
  world.PopAll();
  world.Refuse("a", {});
  world.loop.Advance(seconds(3));
  ASSERT_EQ(world.PopAll(), "a");
  world.Refuse("a", {});
  world.loop.Advance(seconds(3));
  ASSERT_EQ(world.PopAll(), "a");
  world.Refuse("a", kByFit);  // the first refusal
  world.Tell(kPodGone);
  world.loop.Advance(milliseconds(1100));
  EXPECT_EQ(world.PopAll(), "a");
}

TEST(Queue, WakesThoseAloneWhomAnEventMayHelp) {
  struct Row {
    std::string_view what;
    ClusterEvent event;
    std::string_view liked;
    std::string_view woken;
  };
  const Row rows[] = {
      {"nobody waits for it", {EventResource::kNode, action::kUpdateNodeTaint, {}}, "", ""},
      {"one plugin waits for it", kPodGone, "", "a"},
      {"the other one", kNodeAdded, "", "b c"},
      {"whom its hint likes", kNodeAdded, "c", "c"},
      {"whatever it was", {}, "", "a b c"},
  };
  for (const Row& row : rows) {
    SCOPED_TRACE(row.what);
    World world;
    world.liked = row.liked;
    for (const auto& [name, rejection] :
         {std::pair(std::string("a"), kByFit), {"b", kByLabel}, {"c", kByLabel}}) {
      world.queue.Add(Pod(name));
      world.PopAll();
      world.Refuse(name, rejection);
      EXPECT_EQ(world.PlaceOf(name), "unschedulable");
    }
    world.loop.Advance(seconds(20));
    world.Tell(row.event);
    EXPECT_EQ(world.PopAll(), row.woken);
  }
}

TEST(Queue, WakesByTheObjectsOfTheEventsThatConcernsAllow) {
  World world;
  for (const std::string name : {"a", "b"}) {
    world.queue.Add(Pod(name));
    world.PopAll();
    world.Refuse(name, kByFit);
  }
  world.loop.Advance(seconds(20));
  world.queue.Move({.event = kPodGone},
                   [](const PodInfo& pod) { return pod.pod.metadata.name == "b"; });
  EXPECT_EQ(world.PopAll(), "b");
}

TEST(Queue, RemembersWhatHappensWhileAPodIsInFlight) {
  World world;
  for (const std::string name : {"a", "b"}) {
    world.queue.Add(Pod(name));
  }
  world.PopAll();
  world.Tell(kPodGone);
  world.Refuse("a", kByFit);    // what it waits for has happened meanwhile
  world.Refuse("b", kByLabel);  // what it waits for has not
  EXPECT_EQ(world.PlaceOf("a"), "backoff");
  EXPECT_EQ(world.PlaceOf("b"), "unschedulable");

  // What happened before a pod was popped is no news to it.
  World other;
  other.queue.Add(Pod("a"));
  other.Tell(kPodGone);
  other.PopAll();
  other.Refuse("a", kByFit);
  EXPECT_EQ(other.PlaceOf("a"), "unschedulable");
}

TEST(Queue, TriesTheNewestVersionOfThePod) {
  World world;
  world.queue.Add(Pod("a"));
  world.PopAll();
  world.queue.Update(Pod("a"), Pod("a", 7));
  world.Refuse("a", {});
  EXPECT_EQ(world.queue.Find("a")->pod->priority, 7);
}

TEST(Queue, WakesAPodByItsOwnChange) {
  World world;
  const PodInfoPtr before = Pod("a");
  world.queue.Add(before);
  world.PopAll();
  world.Refuse("a", kByLabel);
  world.loop.Advance(seconds(20));
  const PodInfoPtr same = Pod("a", 0, "{message: told}");
  world.queue.Update(before, same);
  EXPECT_EQ(world.PlaceOf("a"), "unschedulable");
  const PodInfoPtr labelled = PodOf(
      {.name = "a", .labels = "{x: z}", .spec = "{schedulerName: default-scheduler, priority: 0}"});
  world.queue.Update(same, labelled);
  EXPECT_EQ(world.PlaceOf("a"), "active");
}

TEST(Queue, TriesAgainWhoWaitedForLong) {
  World world;
  world.queue.Add(Pod("a"));
  world.PopAll();
  world.Refuse("a", kByFit);
  world.loop.Advance(minutes(5) - seconds(1));
  EXPECT_EQ(world.PopAll(), "");
  world.loop.Advance(seconds(2));
  EXPECT_EQ(world.PopAll(), "a");
  EXPECT_TRUE(world.popped.at("a").was_flushed);
}

TEST(Queue, SkipsTheBackoffOfWhoWaitsForSomethingElse) {
  World world({.pop_from_backoff = false});
  world.queue.Add(Pod("a"));
  world.PopAll();
  world.Refuse("a", {.unschedulable = {}, .pending = {"fit"}});
  world.Tell(kPodGone);
  EXPECT_EQ(world.PopAll(), "a");
}

TEST(Queue, KeepsGatedPodsUntilTheirGateOpens) {
  World world;
  world.label.gated = {"a"};
  world.queue.Add(Pod("a"));
  EXPECT_EQ(world.PlaceOf("a"), "gated");
  EXPECT_EQ(world.queue.depths(), (QueueDepths{.gated = 1}));
  EXPECT_EQ(world.queue.RejectedBy("label"), 1U);
  world.Tell(kNodeAdded);  // what the plugin waits for; it says no again
  EXPECT_EQ(world.PlaceOf("a"), "gated");
  world.label.gated.clear();
  world.Tell(kPodGone);  // none of its business
  EXPECT_EQ(world.PlaceOf("a"), "gated");
  world.Tell(kNodeAdded);
  EXPECT_EQ(world.PopAll(), "a");
  EXPECT_EQ(world.queue.depths(), (QueueDepths{.in_flight = 1}));
}

TEST(Queue, GatesWhoIsToBeTriedAgain) {
  World world;
  world.queue.Add(Pod("a"));
  world.PopAll();
  world.label.gated = {"a"};
  world.Refuse("a", {});
  world.loop.Advance(seconds(20));
  EXPECT_EQ(world.PlaceOf("a"), "gated");
}

TEST(Queue, MakesActiveWhomItIsTold) {
  World world;
  for (const std::string name : {"a", "b", "c"}) {
    world.queue.Add(Pod(name));
    world.PopAll();
    world.Refuse(name, kByFit);
  }
  const std::vector<PodInfoPtr> some = {Pod("b")};
  world.queue.Activate(some);
  EXPECT_EQ(world.PopAll(), "b");
  world.label.gated = {"c"};
  world.queue.WakeAll();
  EXPECT_EQ(world.PopAll(), "a");
  EXPECT_EQ(world.PlaceOf("c"), "gated");
}

TEST(Queue, TellsWhenThereIsSomethingToPop) {
  int ready = 0;
  World world({.pop_from_backoff = false, .ready = [&] { ++ready; }});
  world.queue.Add(Pod("a"));
  EXPECT_EQ(ready, 1);
  world.PopAll();
  world.Refuse("a", kByFit);
  EXPECT_EQ(ready, 1);
  world.Tell(kPodGone);  // into backoff
  EXPECT_EQ(ready, 1);
  world.loop.Advance(seconds(5));
  EXPECT_EQ(ready, 2);
}

TEST(Queue, TellsWhichEventBroughtPodsWhere) {
  std::vector<std::string> incoming;
  World world({.incoming = [&](std::string_view queue, std::string_view event) {
    incoming.push_back(fmt::format("{} {}", queue, event));
  }});
  world.queue.Add(Pod("a"));
  world.PopAll();
  world.Refuse("a", kByFit);
  world.Tell(kPodGone);
  world.PopAll();
  EXPECT_EQ(incoming, (std::vector<std::string>{
                          "active UnscheduledPodAdd", "unschedulable ScheduleAttemptFailure",
                          "backoff AssignedPodDelete", "active PopFromBackoffQ"}));
}

TEST(Queue, KnowsWhoIsNominatedWhere) {
  World world;
  world.queue.Add(Pod("a", 0, "{nominatedNodeName: n1}"));
  world.queue.Add(Pod("b"));
  const auto names_on = [&](std::string_view node) {
    std::string names;
    for (const PodInfoPtr& pod : world.queue.Nominated(node)) {
      names += pod->pod.metadata.name;
    }
    return names;
  };
  EXPECT_EQ(names_on("n1"), "a");
  world.queue.AddNominated(Pod("b"), "n1");
  EXPECT_EQ(names_on("n1"), "ab");
  world.queue.AddNominated(Pod("gone"), "n1");  // nobody waits for it
  EXPECT_EQ(names_on("n1"), "ab");
  world.queue.AddNominated(Pod("b"), "n2");
  EXPECT_EQ(names_on("n1") + "|" + names_on("n2"), "a|b");
  // What the server does not know yet stays.
  world.queue.Update(Pod("b"), Pod("b", 3));
  EXPECT_EQ(names_on("n2"), "b");
  world.queue.Update(Pod("b", 3), Pod("b", 3, "{nominatedNodeName: n3}"));
  EXPECT_EQ(names_on("n2") + "|" + names_on("n3"), "|b");
  world.queue.Remove(*Pod("a"));
  world.queue.DeleteNominated(*Pod("b"));
  EXPECT_EQ(names_on("n1") + names_on("n3"), "");
}

// Nothing is kept of pods that have gone, nor of what happened while nobody was in flight.
TEST(Queue, ForgetsWhatIsOver) {
  World world;
  for (int i = 0; i < 1000; ++i) {
    const std::string name = fmt::format("p{}", i);
    world.queue.Add(Pod(name, 0, "{nominatedNodeName: node}"));
    world.PopAll();
    world.Tell(kPodGone);
    world.Refuse(name, i % 2 == 0 ? kByFit : Rejection());
    world.queue.Remove(*Pod(name));
  }
  EXPECT_EQ(world.queue.depths(), QueueDepths());
  EXPECT_TRUE(world.queue.Waiting().empty());
  EXPECT_EQ(world.queue.RejectedBy("fit"), 0U);
  EXPECT_TRUE(world.queue.Nominated("node").empty());
}

TEST(InFlight, KeepsEventsAsLongAsSomebodyMayAsk) {
  InFlight in_flight;
  in_flight.Tell({.event = kPodGone});
  EXPECT_EQ(in_flight.events(), 0U);
  in_flight.Begin(Pod("a"));
  in_flight.Tell({.event = kPodGone});
  in_flight.Begin(Pod("b"));
  in_flight.Tell({.event = kNodeAdded});
  EXPECT_FALSE(in_flight.Begin(Pod("b")));
  EXPECT_EQ(in_flight.Since("a").size(), 2U);
  ASSERT_EQ(in_flight.Since("b").size(), 1U);
  EXPECT_EQ(in_flight.Since("b").front()->event.resource, EventResource::kNode);
  in_flight.End("a");
  EXPECT_EQ(in_flight.events(), 1U);  // b began after the other one
  in_flight.End("b");
  EXPECT_EQ(in_flight.events(), 0U);
  in_flight.End("b");
  EXPECT_EQ(in_flight.size(), 0U);
}

}  // namespace
}  // namespace quadra::scheduler

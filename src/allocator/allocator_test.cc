#include <functional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "allocator/questions_for_tests.h"

namespace quadra::allocator {
namespace {

using enum Allocation::Result;

// --- What upstream needs exponentially many steps for.

struct Hard {
  std::string name;
  std::function<void(QuestionBuilder&)> describe;
  Allocation::Result result;
};

void PrintTo(const Hard& hard, std::ostream* out) { *out << hard.name; }

std::vector<std::string> Requests(std::size_t count) {
  std::vector<std::string> requests;
  requests.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    requests.push_back(RequestJson(fmt::format("r{}", i), 1));
  }
  return requests;
}

std::vector<std::string> Grouped(std::size_t groups, std::size_t each) {
  std::vector<std::string> devices;
  devices.reserve(groups * each);
  for (std::size_t i = 0; i < groups * each; ++i) {
    devices.push_back(
        DeviceJson(fmt::format("d{}", i), TextAttributeJson("group", std::to_string(i / each))));
  }
  return devices;
}

constexpr std::string_view kSameGroup =
    R"("constraints":[{"matchAttribute":"d.example.com/group"}])";

// GPUs 0-7 then NICs 0-7, one of each on a root; four of the NICs are taken.
void PairWithNics(QuestionBuilder& question, std::size_t pairs) {
  std::vector<std::string> devices;
  for (const std::string_view kind : {"gpu", "nic"}) {
    for (std::size_t i = 0; i < 8; ++i) {
      devices.push_back(DeviceJson(
          fmt::format("{}-{}", kind, i),
          fmt::format(R"("attributes":{{"kind":{{"string":"{}"}},"root":{{"string":"{}"}}}})", kind,
                      i)));
    }
  }
  question.Pool("p", devices);
  question.Holder("holder", {R"("device":"nic-0")", R"("device":"nic-1")", R"("device":"nic-2")",
                             R"("device":"nic-3")"});
  std::vector<std::string> requests;
  std::vector<std::string> constraints;
  for (std::size_t i = 0; i < pairs; ++i) {
    for (const std::string_view kind : {"gpu", "nic"}) {
      requests.push_back(RequestJson(
          fmt::format("{}{}", kind, i), 1,
          SelectorJson(fmt::format("device.attributes['d.example.com'].kind == '{}'", kind))));
    }
    constraints.push_back(fmt::format(
        R"({{"requests":["gpu{0}","nic{0}"],"matchAttribute":"d.example.com/root"}})", i));
  }
  question.Claim("c", requests, fmt::format(R"("constraints":[{}])", fmt::join(constraints, ",")));
}

constexpr std::size_t kPartitions = 30;

// A partition that draws on counters of a card, or the card itself that has them.
std::string AmountsJson(std::size_t memory, std::size_t compute) {
  return fmt::format(R"("counters":{{"memory":{{"value":"{}"}},"compute":{{"value":"{}"}}}})",
                     memory, compute);
}

void PublishCards(QuestionBuilder& question, const std::vector<std::string>& cards,
                  const std::vector<std::string>& partitions, std::size_t wanted) {
  constexpr std::string_view kSlice =
      R"({{"apiVersion":"resource.k8s.io/v1","kind":"ResourceSlice","metadata":{{"name":"{0}"}},"spec":{{"driver":"d.example.com","nodeName":"n1","pool":{{"name":"p","generation":1,"resourceSliceCount":2}},"{0}":[{1}]}}}})";
  question.Object(fmt::format(fmt::runtime(kSlice), "sharedCounters", fmt::join(cards, ",")))
      .Object(fmt::format(fmt::runtime(kSlice), "devices", fmt::join(partitions, ",")))
      .Claim("c", {RequestJson("r", wanted)});
}

struct Amounts {
  std::size_t memory;
  std::size_t compute;
};

// Partitions of these sizes in turn, spread over cards of so much each.
void Cards(QuestionBuilder& question, std::size_t cards, Amounts each,
           const std::vector<Amounts>& sizes, std::size_t wanted) {
  std::vector<std::string> sets;
  sets.reserve(cards);
  for (std::size_t i = 0; i < cards; ++i) {
    sets.push_back(
        fmt::format(R"({{"name":"card-{}",{}}})", i, AmountsJson(each.memory, each.compute)));
  }
  std::vector<std::string> partitions;
  partitions.reserve(kPartitions);
  for (std::size_t i = 0; i < kPartitions; ++i) {
    const Amounts& size = sizes[i % sizes.size()];
    partitions.push_back(
        DeviceJson(fmt::format("part-{}", i),
                   fmt::format(R"("consumesCounters":[{{"counterSet":"card-{}",{}}}])", i % cards,
                               AmountsJson(size.memory, size.compute))));
  }
  PublishCards(question, sets, partitions, wanted);
}

const std::vector<Hard> kHard = {
    {"one more than there are, 31",
     [](QuestionBuilder& q) {
       q.Pool("p", DevicesJson("d", 31)).Claim("c", {RequestJson("r", 32)});
     },
     kUnavailable},
    {"eleven requests, ten devices",
     [](QuestionBuilder& q) { q.Pool("p", DevicesJson("d", 10)).Claim("c", Requests(11)); },
     kUnavailable},
    {"thirty-two requests, thirty-two devices",
     [](QuestionBuilder& q) { q.Pool("p", DevicesJson("d", 32)).Claim("c", Requests(32)); },
     kAllocated},
    {"ten claims, nine devices",
     [](QuestionBuilder& q) {
       q.Pool("p", DevicesJson("d", 9));
       for (std::size_t i = 0; i < 10; ++i) {
         q.Claim(fmt::format("c{}", i), Requests(1));
       }
     },
     kUnavailable},
    {"six and six of sixteen, then what nothing matches",
     [](QuestionBuilder& q) {
       q.Pool("p", DevicesJson("d", 16))
           .Claim("c", {RequestJson("a", 6), RequestJson("b", 6),
                        RequestJson("z", 1, SelectorJson("device.driver == 'other'"))});
     },
     kUnavailable},
    {"nine of one group, groups of eight",
     [](QuestionBuilder& q) { q.Pool("p", Grouped(2, 8)).Claim("c", Requests(9), kSameGroup); },
     kUnavailable},
    {"eight of one group, the second of two",
     [](QuestionBuilder& q) {
       q.Pool("p", Grouped(2, 8))
           .Claim("c", Requests(8), kSameGroup)
           .Holder("holder", {R"("device":"d0")"});
     },
     kAllocated},
    {"four pairs, four NICs free", [](QuestionBuilder& q) { PairWithNics(q, 4); }, kAllocated},
    {"five pairs, four NICs free", [](QuestionBuilder& q) { PairWithNics(q, 5); }, kUnavailable},
    {"fifteen of three in 45", [](QuestionBuilder& q) { Cards(q, 1, {45, 0}, {{3, 0}}, 15); },
     kAllocated},
    {"fifteen of three in 44", [](QuestionBuilder& q) { Cards(q, 1, {44, 0}, {{3, 0}}, 15); },
     kUnavailable},
    {"fifteen of three in 22 and 22",
     [](QuestionBuilder& q) { Cards(q, 2, {22, 0}, {{3, 0}}, 15); }, kUnavailable},
    {"fifteen of (3,1) and (1,3) in (31,29)",
     [](QuestionBuilder& q) { Cards(q, 1, {31, 29}, {{3, 1}, {1, 3}}, 15); }, kAllocated},
    {"fifteen of (3,1) and (1,3) in (30,30)",
     [](QuestionBuilder& q) { Cards(q, 1, {30, 30}, {{3, 1}, {1, 3}}, 15); }, kUnavailable},
    {"fifteen of (3,1), (1,3) and (2,2) in (29,30)",
     [](QuestionBuilder& q) { Cards(q, 1, {29, 30}, {{3, 1}, {1, 3}, {2, 2}}, 15); }, kUnavailable},
    {"fifteen of (3,1) in (45,14)", [](QuestionBuilder& q) { Cards(q, 1, {45, 14}, {{3, 1}}, 15); },
     kUnavailable},
    {"odd sizes, two cards",
     [](QuestionBuilder& q) { Cards(q, 2, {17, 19}, {{5, 3}, {3, 5}, {7, 1}, {3, 7}}, 7); },
     kUnavailable},
    {"odd sizes, two cards with room",
     [](QuestionBuilder& q) { Cards(q, 2, {17, 19}, {{5, 3}, {3, 5}, {7, 1}, {3, 7}}, 6); },
     kAllocated},
    {"bytes beside slices",
     [](QuestionBuilder& q) {
       Cards(q, 1, {79ULL << 30U, 14}, {{5ULL << 30U, 2}, {10ULL << 30U, 1}}, 10);
     },
     kUnavailable},
    {"large amounts that no choice uses up",
     [](QuestionBuilder& q) {
       Cards(q, 1, {22692717, 22307283}, {{1480090, 1519910}, {1519910, 1480090}}, 15);
     },
     kUnavailable},
};

class HardTest : public ::testing::TestWithParam<Hard> {};

TEST_P(HardTest, IsAnsweredInFewSteps) {
  for (const bool strict : {false, true}) {
    QuestionBuilder question;
    GetParam().describe(question);
    const Told told = Ask(question, strict);
    EXPECT_EQ(told.result, GetParam().result);
    EXPECT_LT(told.work, 10'000U);
  }
}

INSTANTIATE_TEST_SUITE_P(Rows, HardTest, ::testing::ValuesIn(kHard));

// --- Reasons.

struct Refusal {
  std::string code;
  std::function<void(QuestionBuilder&)> describe;
  std::string message;
};

void PrintTo(const Refusal& refusal, std::ostream* out) { *out << refusal.code; }

std::string PartitionJson(std::string_view name, int slices) {
  return DeviceJson(
      name,
      fmt::format(
          R"("consumesCounters":[{{"counterSet":"gpu","counters":{{"slices":{{"value":"{}"}}}}}}])",
          slices));
}

constexpr std::string_view kTaint = R"("taints":[{"key":"hot","effect":"NoSchedule"}])";

const std::vector<Refusal> kRefusals = {
    {"NoSlices", [](QuestionBuilder& q) { q.Claim("c", {RequestJson("r", 1)}); },
     "no devices are published for the node"},
    {"PoolIncomplete",
     [](QuestionBuilder& q) {
       q.Object(
            R"({"apiVersion":"resource.k8s.io/v1","kind":"ResourceSlice","metadata":{"name":"s"},"spec":{"driver":"d.example.com","nodeName":"n1","pool":{"name":"p","generation":1,"resourceSliceCount":2},"devices":[{"name":"a"}]}})")
           .Claim("c", {RequestJson("r", 1)});
     },
     "pool d.example.com/p is incomplete: 1 of 2 slices"},
    {"PoolInvalid",
     [](QuestionBuilder& q) {
       q.Pool("p", {DeviceJson("a"), DeviceJson("a")}).Claim("c", {RequestJson("r", 1)});
     },
     "pool d.example.com/p is invalid: duplicate device name a"},
    {"SelectorNoDevice",
     [](QuestionBuilder& q) {
       q.Pool("p", DevicesJson("d", 2))
           .Claim("c", {RequestJson("r", 1, SelectorJson("device.driver == 'other'"))});
     },
     "the selectors of the request match none of 2 devices"},
    {"SelectorError",
     [](QuestionBuilder& q) {
       q.Pool("p", {DeviceJson("a", TextAttributeJson("model", "x")), DeviceJson("b")})
           .Claim("c",
                  {RequestJson("r", 1,
                               SelectorJson("device.attributes['d.example.com'].model == 'y'"))});
     },
     "a selector fails on 1 of 2 devices: claim ns/c: selector #0 on device d.example.com/p/b: CEL "
     "runtime error: no such key: model. consider using CEL optional chaining (.? followed by "
     "orValue()) or guarding the check with has() for optional fields"},
    {"AttributeUnknown",
     [](QuestionBuilder& q) {
       q.Pool("p", DevicesJson("d", 2))
           .Claim("c",
                  {RequestJson("r", 1,
                               SelectorJson("device.attributes['d.example.com'].model == 'y'"))});
     },
     "a selector reads attribute d.example.com/model, which no device of the cluster has"},
    {"DevicesBusy",
     [](QuestionBuilder& q) {
       q.Pool("p", {DeviceJson("a"), DeviceJson("b")})
           .Holder("holder", {R"("device":"a")"})
           .Claim("c", {RequestJson("r", 2)});
     },
     "2 devices wanted, 1 of 2 that match are free"},
    {"CountersBusy",
     [](QuestionBuilder& q) {
       q.Object(
            R"({"apiVersion":"resource.k8s.io/v1","kind":"ResourceSlice","metadata":{"name":"k"},"spec":{"driver":"d.example.com","nodeName":"n1","pool":{"name":"p","generation":1,"resourceSliceCount":2},"sharedCounters":[{"name":"gpu","counters":{"slices":{"value":"4"}}}]}})")
           .Object(fmt::format(
               R"({{"apiVersion":"resource.k8s.io/v1","kind":"ResourceSlice","metadata":{{"name":"s"}},"spec":{{"driver":"d.example.com","nodeName":"n1","pool":{{"name":"p","generation":1,"resourceSliceCount":2}},"devices":[{},{}]}}}})",
               PartitionJson("whole", 4), PartitionJson("half", 2)))
           .Holder("holder", {R"("device":"half")"})
           .Claim("c", {RequestJson("r", 1)});
     },
     "1 device wanted, shared counters are left for 0 of 1; nearest is d.example.com/p/whole: 4 of "
     "counter slices in set gpu wanted, 2 of 4 left"},
    {"CapacityBusy",
     [](QuestionBuilder& q) {
       q.Pool("p",
              {DeviceJson(
                  "a", R"("allowMultipleAllocations":true,"capacity":{"memory":{"value":"8"}})")})
           .Holder("holder", {R"("device":"a","shareID":"1","consumedCapacity":{"memory":"6"})"})
           .Claim("c", {RequestJson("r", 1, R"("capacity":{"requests":{"memory":"4"}})")});
     },
     "1 device wanted, capacity is left on 0 of 1; nearest is d.example.com/p/a: memory 4 wanted, "
     "2 "
     "of 8 left"},
    {"TooLarge",
     [](QuestionBuilder& q) {
       q.Pool("p", {DeviceJson("a", R"("capacity":{"memory":{"value":"8"}})"),
                    DeviceJson("b", R"("capacity":{"memory":{"value":"16"}})"), DeviceJson("c")})
           .Holder("holder", {R"("device":"b")"})
           .Claim("c", {RequestJson("r", 1, R"("capacity":{"requests":{"memory":"17"}})")});
     },
     "1 device wanted, 0 of 3 that match are large enough; nearest is d.example.com/p/b: memory 17 "
     "wanted, 16 in all"},
    {"CountPerNode",
     [](QuestionBuilder& q) { q.Pool("p", DevicesJson("d", 2)).Claim("c", {RequestJson("r", 3)}); },
     "3 devices wanted, 2 of 2 match"},
    {"ConstraintUnmet",
     [](QuestionBuilder& q) {
       q.Pool("p", Grouped(2, 1)).Claim("c", {RequestJson("r", 2)}, kSameGroup);
     },
     "2 devices wanted, at most 1 agree; values of d.example.com/group are \"0\", \"1\""},
    {"Tainted",
     [](QuestionBuilder& q) {
       q.Pool("p", DevicesJson("d", 2, kTaint)).Claim("c", {RequestJson("r", 1)});
     },
     "1 device wanted, 2 of 2 that match are tainted"},
    {"NodeRejects",
     [](QuestionBuilder& q) {
       q.Pool("p", DevicesJson("d", 1), R"("skipNodeOperations":["*"])")
           .Claim("c", {RequestJson("r", 1)})
           .With(&inventory::Features::optional_node_operations);
     },
     "1 device wanted, 1 need a feature the node lacks"},
};

class RefusalTest : public ::testing::TestWithParam<Refusal> {};

TEST_P(RefusalTest, SaysWhy) {
  QuestionBuilder question;
  GetParam().describe(question);
  const Told told = Ask(question);
  EXPECT_EQ(told.result, kUnavailable);
  EXPECT_EQ(told.code, GetParam().code);
  EXPECT_EQ(told.message, GetParam().message);
}

INSTANTIATE_TEST_SUITE_P(Codes, RefusalTest, ::testing::ValuesIn(kRefusals));

// Each of two requests could have the one device.
TEST(Reasons, TellWhatRequestsLackTogether) {
  QuestionBuilder question;
  question.Pool("p", DevicesJson("d", 1)).Claim("c", Requests(2));
  EXPECT_EQ(Ask(question).message, "all requests together want 2 devices, too few suit them");
}

TEST(Reasons, TellThatATaintIsWhatRequestsLackTogether) {
  QuestionBuilder question;
  question
      .Pool("p",
            {DeviceJson("a"), DeviceJson("b", R"("taints":[{"key":"k","effect":"NoSchedule"}])")})
      .Claim("c", Requests(2));
  const Told told = Ask(question);
  EXPECT_EQ(told.code, "Tainted");
  EXPECT_EQ(told.message,
            "all requests together want 2 devices, too few that suit them are untainted");
}

// --- Where we are kinder than upstream.

TEST(Strictness, OneBadDeviceFailsThePodOnlyAsUpstreamDoes) {
  QuestionBuilder question;
  question.Pool("p", {DeviceJson("a"), DeviceJson("b", TextAttributeJson("model", "y"))})
      .Claim("c", {RequestJson("r", 1,
                               SelectorJson("device.attributes['d.example.com'].model == 'y'"))});
  EXPECT_EQ(Ask(question).devices, "b");
  EXPECT_EQ(Ask(question, true).result, kError);
}

TEST(Strictness, AnUnreadableNodeSelectorFailsThePodOnlyAsUpstreamDoes) {
  QuestionBuilder question;
  question.Pool("p", DevicesJson("d", 1))
      .Object(
          R"({"apiVersion":"resource.k8s.io/v1","kind":"ResourceSlice","metadata":{"name":"odd"},"spec":{"driver":"other","nodeSelector":{"nodeSelectorTerms":[{"matchExpressions":[{"key":"zone","operator":"In"}]}]},"pool":{"name":"q","generation":1,"resourceSliceCount":1},"devices":[{"name":"x"}]}})")
      .Claim("c", {RequestJson("r", 1)});
  EXPECT_EQ(Ask(question).devices, "d-0");
  EXPECT_EQ(Ask(question, true).message,
            "gather pool information: failed to perform node selection for slice odd: failed to "
            "parse node selector");
}

TEST(Strictness, AllDevicesThatDoNotAgreeFailThePodOnlyAsUpstreamDoes) {
  QuestionBuilder question;
  question.Pool("p", Grouped(2, 1))
      .Claim("c", {R"({"name":"r","exactly":{"deviceClassName":"any","allocationMode":"All"}})"},
             kSameGroup);
  EXPECT_EQ(Ask(question).code, "ConstraintUnmet");
  EXPECT_EQ(Ask(question, true).message,
            "claim ns/c, request r: cannot add device d.example.com/p/d1 because a claim "
            "constraint would not be satisfied");
}

TEST(Strictness, AllDevicesOfAnUnfinishedPoolFailThePodOnlyAsUpstreamDoes) {
  QuestionBuilder question;
  question
      .Object(
          R"({"apiVersion":"resource.k8s.io/v1","kind":"ResourceSlice","metadata":{"name":"s"},"spec":{"driver":"d.example.com","nodeName":"n1","pool":{"name":"p","generation":1,"resourceSliceCount":2},"devices":[{"name":"a"}]}})")
      .Claim("c", {R"({"name":"r","exactly":{"deviceClassName":"any","allocationMode":"All"}})"});
  EXPECT_EQ(Ask(question).code, "PoolIncomplete");
  EXPECT_EQ(Ask(question, true).message,
            "claim ns/c, request r: asks for all devices, but resource pool d.example.com/p is "
            "currently being updated");
}

TEST(Strictness, AllDevicesOfALargeNodeFailThePodOnlyAsUpstreamDoes) {
  QuestionBuilder question;
  question.Pool("p", DevicesJson("d", 33))
      .Claim("c", {R"({"name":"r","exactly":{"deviceClassName":"any","allocationMode":"All"}})"});
  EXPECT_EQ(Ask(question).code, "TooManyDevices");
  EXPECT_EQ(Ask(question, true).result, kError);
}

// --- What nobody can know.

constexpr std::string_view kCounterSlice =
    R"({"apiVersion":"resource.k8s.io/v1","kind":"ResourceSlice","metadata":{"name":"counters"},"spec":{"driver":"d.example.com","nodeName":"n1","pool":{"name":"p","generation":1,"resourceSliceCount":2},"sharedCounters":[{"name":"set","counters":{"memory":{"value":"8"}}}]}})";
constexpr std::string_view kPartitionSlice =
    R"({"apiVersion":"resource.k8s.io/v1","kind":"ResourceSlice","metadata":{"name":"devices"},"spec":{"driver":"d.example.com","nodeName":"n1","pool":{"name":"p","generation":1,"resourceSliceCount":2},"devices":[{"name":"a","consumesCounters":[{"counterSet":"set","counters":{"memory":{"value":"8"}}}]}]}})";

TEST(Unpublished, AHolderThatNobodyPublishesIsRemarkedOn) {
  QuestionBuilder question;
  question.Object(std::string(kCounterSlice))
      .Object(std::string(kPartitionSlice))
      .Holder("holder", {R"("device":"gone")"})
      .Claim("c", {RequestJson("r", 1)});
  const Allocation allocation = Answer(question);
  EXPECT_EQ(DevicesOf(allocation), "a");
  ASSERT_EQ(allocation.remarks.size(), 1U);
  EXPECT_EQ(allocation.remarks[0].code, reasons::Code::kHolderUnpublished);
}

TEST(Strictness, AStepOfZeroIsNoCrash) {
  QuestionBuilder question;
  question
      .Pool(
          "p",
          {DeviceJson(
              "a",
              R"("allowMultipleAllocations":true,"capacity":{"memory":{"value":"8","requestPolicy":{"default":"1","validRange":{"min":"1","step":"0"}}}})")})
      .Claim("c", {RequestJson("r", 1, R"("capacity":{"requests":{"memory":"4"}})")});
  EXPECT_EQ(Ask(question).code, "TooLarge");
  EXPECT_EQ(Ask(question, true).result, kError);
}

TEST(Strictness, NegativeCountsMakeRoomOnlyInTheFirstCheckAsUpstreams) {
  QuestionBuilder question;
  question.Claim(
      "c",
      {R"({"name":"a","exactly":{"deviceClassName":"any","allocationMode":"ExactCount","count":-1}})",
       RequestJson("b", 33)});
  EXPECT_EQ(Ask(question).result, kUnavailable);
  EXPECT_EQ(Ask(question, true).message, "allocation max size exceeded");
}

}  // namespace
}  // namespace quadra::allocator

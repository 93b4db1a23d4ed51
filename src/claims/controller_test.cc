#include "claims/controller.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "claims/claim_names.h"
#include "claims/cluster_for_tests.h"

namespace quadra::claims {
namespace {

using Lines = std::vector<std::string>;

std::unique_ptr<client::Controller> MakeClaims(client::ControllerContext& context) {
  return MakeClaimController(context);
}

class ClaimControllerTest : public testing::Test {
 protected:
  void SetUp() override {
    cluster.AddController(MakeClaims);
    cluster.Run();
  }
  // A pod with one claim from a template, which is made.
  void HaveTrain(std::string_view node = "") {
    cluster.Create(kTemplates, TemplateJson("gpus"));
    cluster.Create(kPods, PodJson("train", FromTemplate("gpu", "gpus"), node));
    cluster.Run();
    claim =
        cluster.Pick(At(kPods, "train"), "{.status.resourceClaimStatuses[0].resourceClaimName}");
    ASSERT_TRUE(claim.starts_with("train-gpu-"));
  }
  std::string Claim(std::string_view what) { return cluster.Pick(At(kClaims, claim), what); }
  std::string ReservedFor(const std::string& name) {
    return cluster.Pick(At(kClaims, name), "{.status.reservedFor[*].name}");
  }
  std::size_t Writes() {
    const Lines asked = cluster.TakeAsked();
    return static_cast<std::size_t>(std::ranges::count_if(
        asked, [](const std::string& line) { return !line.starts_with("GET "); }));
  }

  TestCluster cluster;
  std::string claim;
};

// --- Claims from templates.

TEST_F(ClaimControllerTest, MakesAClaimAsTheTemplateSays) {
  cluster.Create(kTemplates,
                 TemplateJson("gpus", R"({"labels":{"a":"b"},"annotations":{"c":"d"}})"));
  cluster.Create(kPods, PodJson("train", FromTemplate("gpu", "gpus")));
  cluster.TakeAsked();
  cluster.Run();
  claim = cluster.Pick(At(kPods, "train"), "{.status.resourceClaimStatuses[0].resourceClaimName}");
  EXPECT_EQ(claim.size(), std::string("train-gpu-").size() + 5);
  EXPECT_EQ(cluster.Names(kClaims), claim + " ");
  EXPECT_EQ(Claim("{.metadata.generateName} {.metadata.labels.a} {.metadata.annotations.c}"),
            "train-gpu- b d");
  EXPECT_EQ(Claim(R"({.metadata.annotations.resource\.kubernetes\.io/pod-claim-name})"), "gpu");
  EXPECT_EQ(Claim("{range .metadata.ownerReferences[*]}{.apiVersion} {.kind} {.name} "
                  "{.controller}{end}"),
            "v1 Pod train true");
  EXPECT_EQ(Claim("{.metadata.ownerReferences[0].uid}"), cluster.Uid(At(kPods, "train")));
  EXPECT_EQ(Claim("{.spec.devices.requests[0].name}"), "one");
  EXPECT_EQ(Writes(), 2) << "one for the claim, one for the pod's status";
}

TEST_F(ClaimControllerTest, NamesAllClaimsOfAPodInTheOrderOfTheirNames) {
  cluster.Create(kTemplates, TemplateJson("gpus"));
  cluster.Create(kPods, PodJson("train", FromTemplate("z", "gpus") + "," + Given("b", "shared") +
                                             "," + FromTemplate("a", "gpus")));
  cluster.Run();
  EXPECT_EQ(cluster.Pick(At(kPods, "train"), "{.status.resourceClaimStatuses[*].name}"), "a z");
}

TEST_F(ClaimControllerTest, TellsThePodWhatIsMissingAndMakesTheClaimWhenItComes) {
  cluster.Create(kPods, PodJson("train", FromTemplate("gpu", "gpus")));
  cluster.Run();
  EXPECT_EQ(cluster.Events().substr(0, cluster.Events().find('\n')),
            "Warning FailedResourceClaimCreation PodResourceClaim gpu: resource claim template "
            "\"gpus\": resourceclaimtemplate.resource.k8s.io \"gpus\" not found");
  EXPECT_LT(cluster.TakeLog().size(), 20) << "retries follow the backoff";
  cluster.Create(kTemplates, TemplateJson("gpus"));
  cluster.Run(std::chrono::seconds(1));
  EXPECT_TRUE(cluster.Names(kClaims).starts_with("train-gpu-"));
}

TEST_F(ClaimControllerTest, MakesAnewWhatSomebodyDeleted) {
  HaveTrain();
  const std::string uid = Claim("{.metadata.uid}");
  cluster.Delete(At(kClaims, claim));
  cluster.Run();
  EXPECT_EQ(cluster.Names(kClaims), claim + " ");
  EXPECT_NE(Claim("{.metadata.uid}"), uid);
}

TEST_F(ClaimControllerTest, TakesAnotherNameWhereSomebodyHasTakenIts) {
  cluster.Create(kPods, PodJson("train", FromTemplate("gpu", "gpus")));
  api::Pod pod;
  pod.metadata.name = "train";
  pod.metadata.uid = cluster.Uid(At(kPods, "train"));
  const std::string taken = NameOfClaim(pod, "gpu");
  cluster.Create(kClaims, ClaimJson(taken));
  cluster.Create(kTemplates, TemplateJson("gpus"));
  cluster.Run();
  EXPECT_EQ(
      cluster.Pick(At(kPods, "train"), "{.status.resourceClaimStatuses[0].resourceClaimName}"),
      NameOfClaim(pod, "gpu", 1));
  EXPECT_EQ(cluster.Pick(At(kClaims, taken), "{.metadata.ownerReferences}"), "");
}

TEST_F(ClaimControllerTest, TwoControllersMakeOneClaim) {
  cluster.AddController(MakeClaims);
  cluster.Run();
  HaveTrain();
  EXPECT_EQ(cluster.Names(kClaims), claim + " ");
}

TEST(ClaimNames, FollowFromTheNeedAndFitIntoANameOfTheServer) {
  api::Pod pod;
  pod.metadata.name = std::string(63, 'a');
  pod.metadata.uid = "u";
  const std::string name = NameOfClaim(pod, std::string(63, 'b'));
  EXPECT_EQ(name.size(), 62);
  EXPECT_EQ(name, NameOfClaim(pod, std::string(63, 'b')));
  EXPECT_NE(name, NameOfClaim(pod, std::string(63, 'b'), 1));
  pod.metadata.uid = "v";
  EXPECT_NE(name, NameOfClaim(pod, std::string(63, 'b')));
}

// --- What is no longer used.

TEST_F(ClaimControllerTest, FreesAndDeletesTheClaimOfAPodThatHasEnded) {
  for (const std::string_view phase : {"Succeeded", "Failed"}) {
    SCOPED_TRACE(phase);
    HaveTrain("node");
    Allocate(cluster, claim, {{"train", cluster.Uid(At(kPods, "train"))}});
    cluster.TakeAsked();
    SetPhase(cluster, "train", phase);
    cluster.Run();
    EXPECT_EQ(cluster.Names(kClaims), "");
    EXPECT_EQ(Writes(), 3) << "status, finalizer, deletion; and nothing is made anew";
    cluster.Delete(At(kPods, "train"));
    cluster.Delete(At(kTemplates, "gpus"));
    cluster.Run();
  }
}

TEST_F(ClaimControllerTest, DeletesTheClaimOfAPodThatWasDeletedBeforeItHadANode) {
  HaveTrain();
  cluster.Patch(At(kPods, "train"), R"({"metadata":{"finalizers":["example.com/wait"]}})");
  cluster.DeleteSlowly(At(kPods, "train"));
  cluster.Run();
  EXPECT_EQ(cluster.Names(kClaims), "");
}

TEST_F(ClaimControllerTest, APodThatIsDeletedAndMayStillRunKeepsItsClaim) {
  HaveTrain("node");
  Allocate(cluster, claim, {{"train", cluster.Uid(At(kPods, "train"))}});
  cluster.DeleteSlowly(At(kPods, "train"));
  cluster.Run(std::chrono::minutes(10));
  EXPECT_EQ(ReservedFor(claim), "train");
  SetPhase(cluster, "train", "Failed");
  cluster.Run();
  EXPECT_EQ(cluster.Names(kClaims), "");
}

TEST_F(ClaimControllerTest, LeavesTheClaimOfAPodThatIsGoneToTheGarbageCollectorButFreesIt) {
  HaveTrain("node");
  Allocate(cluster, claim, {{"train", cluster.Uid(At(kPods, "train"))}});
  cluster.Delete(At(kPods, "train"));
  cluster.Run();
  EXPECT_EQ(Claim("{.status}{.metadata.finalizers}"), "{}");
  EXPECT_NE(cluster.Names(kClaims), "");
}

TEST_F(ClaimControllerTest, FreesASharedClaimWithItsLastConsumer) {
  cluster.Create(kClaims, ClaimJson("shared"));
  std::vector<std::pair<std::string, std::string>> pods;
  for (const std::string name : {"a", "b"}) {
    cluster.Create(kPods, PodJson(name, Given("gpu", "shared"), "node"));
    pods.emplace_back(name, cluster.Uid(At(kPods, name)));
  }
  Allocate(cluster, "shared", pods);
  cluster.Run();
  SetPhase(cluster, "a", "Succeeded");
  cluster.TakeAsked();
  cluster.Run();
  EXPECT_EQ(ReservedFor("shared"), "b");
  EXPECT_EQ(Writes(), 1) << "who has ended is not reserved for again";
  EXPECT_NE(cluster.Pick(At(kClaims, "shared"), "{.status.allocation}"), "");
  cluster.Delete(At(kPods, "b"));
  cluster.Run();
  EXPECT_EQ(cluster.Pick(At(kClaims, "shared"), "{.status}{.metadata.finalizers}"), "{}");
  EXPECT_EQ(cluster.Names(kClaims), "shared ");
}

TEST_F(ClaimControllerTest, KeepsConsumersThatItDoesNotKnow) {
  cluster.Create(kClaims, ClaimJson("shared"));
  Allocate(cluster, "shared", {{"gone", "some-uid"}});
  cluster.Patch(At(kClaims, "shared", "/status"),
                R"({"status":{"reservedFor":[
                     {"apiGroup":"example.com","resource":"jobs","name":"j","uid":"1"},
                     {"resource":"pods","name":"gone","uid":"2"}]}})");
  cluster.Run();
  EXPECT_EQ(ReservedFor("shared"), "j");
  EXPECT_NE(cluster.Pick(At(kClaims, "shared"), "{.status.allocation}"), "");
}

TEST_F(ClaimControllerTest, AClaimThatIsAllocatedAndWasNeverUsedStaysSo) {
  cluster.Create(kClaims, ClaimJson("shared"));
  Allocate(cluster, "shared", {});
  cluster.Run(std::chrono::minutes(5));
  EXPECT_NE(cluster.Pick(At(kClaims, "shared"), "{.status.allocation}"), "");
  cluster.DeleteSlowly(At(kClaims, "shared"));
  cluster.Run();
  EXPECT_EQ(cluster.Names(kClaims), "");
}

TEST_F(ClaimControllerTest, AClaimThatIsDeletedStaysWhileItIsUsed) {
  HaveTrain("node");
  Allocate(cluster, claim, {{"train", cluster.Uid(At(kPods, "train"))}});
  cluster.DeleteSlowly(At(kClaims, claim));
  cluster.Run();
  EXPECT_EQ(ReservedFor(claim), "train");
  SetPhase(cluster, "train", "Succeeded");
  cluster.Run();
  EXPECT_EQ(cluster.Names(kClaims), "");
}

TEST_F(ClaimControllerTest, FreesTheClaimForExtendedResources) {
  cluster.Create(kPods, ExtendedPodJson("train"));
  AllocateExtended(cluster, "train");
  cluster.Run();
  EXPECT_EQ(ReservedFor("extended"), "train");
  SetPhase(cluster, "train", "Failed");
  cluster.Run();
  EXPECT_EQ(cluster.Names(kClaims), "");
}

TEST_F(ClaimControllerTest, AStrayFinalizerGoesWhenNothingHasChangedForAWhile) {
  cluster.Create(kClaims, ClaimJson("shared"));
  cluster.Patch(At(kClaims, "shared"),
                R"({"metadata":{"finalizers":["resource.kubernetes.io/delete-protection"]}})");
  cluster.Run(std::chrono::seconds(9));
  EXPECT_NE(cluster.Pick(At(kClaims, "shared"), "{.metadata.finalizers}"), "");
  cluster.Run(std::chrono::seconds(3));
  EXPECT_EQ(cluster.Pick(At(kClaims, "shared"), "{.metadata.finalizers}"), "");
}

// --- Pods that were given a node without the scheduler.

TEST_F(ClaimControllerTest, ReservesWhatIsAllocatedForAPodWithANodeAndNeverAllocates) {
  cluster.Create(kClaims, ClaimJson("shared"));
  cluster.Create(kPods, PodJson("train", Given("gpu", "shared"), "node"));
  cluster.TakeAsked();
  cluster.Run();
  EXPECT_EQ(cluster.Pick(At(kClaims, "shared"), "{.status}"), "{}");
  EXPECT_EQ(cluster.TakeAsked(), Lines());
  Allocate(cluster, "shared", {});
  cluster.Run();
  EXPECT_EQ(ReservedFor("shared"), "train");
}

TEST_F(ClaimControllerTest, ReservesForNobodyElse) {
  const struct {
    std::string_view what;
    std::string_view node;
    std::string_view phase;
  } rows[] = {{"the scheduler reserves for pods without a node", "", "Pending"},
              {"who has succeeded needs nothing", "node", "Succeeded"},
              {"who has failed needs nothing", "node", "Failed"}};
  for (const auto& row : rows) {
    SCOPED_TRACE(row.what);
    cluster.Create(kClaims, ClaimJson("shared"));
    cluster.Create(kPods, PodJson("train", Given("gpu", "shared"), row.node));
    SetPhase(cluster, "train", row.phase);
    Allocate(cluster, "shared", {});
    cluster.Run();
    EXPECT_EQ(ReservedFor("shared"), "");
    cluster.Delete(At(kPods, "train"));
    cluster.DeleteSlowly(At(kClaims, "shared"));
    cluster.Run();
  }
}

// --- Whatever goes wrong.

struct Fault {
  std::string_view what;
  net::Fate::Loss loss;
  int refusal;
};
constexpr std::array kFaults = {
    Fault{"never arrives", net::Fate::Loss::kRequest, 0},
    Fault{"is served, and nobody is told", net::Fate::Loss::kAnswer, 0},
    Fault{"is refused for a conflict", net::Fate::Loss::kNone, 409},
    Fault{"fails in the server", net::Fate::Loss::kNone, 500},
};

// What happens to one request, the `at`th.
class Disturbance {
 public:
  Disturbance(TestCluster& cluster, std::size_t at, const Fault& fault) : at_(at) {
    if (fault.refusal == 0) {
      cluster.fate = [this, &fault](const net::Request& request) {
        return net::Fate{.loss = Hits(request) ? fault.loss : net::Fate::Loss::kNone};
      };
    } else {
      cluster.refuse = [this, &fault](const net::Request& request) {
        return Hits(request) ? fault.refusal : 0;
      };
    }
  }
  std::size_t asked() const { return asked_; }

 private:
  bool Hits(const net::Request& request) { return !IsBackground(request) && asked_++ == at_; }

  const std::size_t at_;
  std::size_t asked_ = 0;
};

// The garbage collector: claims whose pod is gone.
void Collect(TestCluster& cluster) {
  const std::string pods = cluster.Pick(kPods, "{range .items[*]}{.metadata.uid} {end}");
  const std::string claims = cluster.Pick(
      kClaims, "{range .items[*]}{.metadata.name}={.metadata.ownerReferences[*].uid} {end}");
  for (std::size_t at = 0; at < claims.size();) {
    const std::size_t equals = claims.find('=', at);
    const std::size_t end = claims.find(' ', at);
    const std::string owner = claims.substr(equals + 1, end - equals - 1);
    if (!owner.empty() && pods.find(owner) == std::string::npos) {
      cluster.DeleteSlowly(At(kClaims, claims.substr(at, equals - at)));
    }
    at = end + 1;
  }
}

enum class Presence : std::uint8_t {
  kAlways,
  kNever,  // while others act: it is started when they have, and killed again
};

using PodIds = std::vector<std::pair<std::string, std::string>>;  // names and uids

// Two pods with a claim each from a template and one that they share.
PodIds CreateTwo(TestCluster& cluster) {
  PodIds pods;
  cluster.Create(kTemplates, TemplateJson("gpus"));
  cluster.Create(kClaims, ClaimJson("shared"));
  for (const std::string name : {"a", "b"}) {
    cluster.Create(
        kPods, PodJson(name, FromTemplate("own", "gpus") + "," + Given("both", "shared"), "node"));
    pods.emplace_back(name, cluster.Uid(At(kPods, name)));
  }
  return pods;
}

void AllocateAll(TestCluster& cluster, const PodIds& pods) {
  EXPECT_EQ(cluster.Pick(kClaims, "{.items[*].spec.devices.requests[0].name}"), "one one one")
      << "no claim is made twice";
  for (const auto& pod : pods) {
    const std::string own =
        cluster.Pick(At(kPods, pod.first), "{.status.resourceClaimStatuses[0].resourceClaimName}");
    ASSERT_NE(own, "");
    Allocate(cluster, own, {pod});
  }
  Allocate(cluster, "shared", {});
}

// Their life.
void Live(TestCluster& cluster, Presence presence) {
  const auto pass = [&] {
    cluster.Start();
    cluster.Run();
    if (presence == Presence::kNever) {
      cluster.Stop();
    }
  };
  const PodIds pods = CreateTwo(cluster);
  pass();
  AllocateAll(cluster, pods);
  pass();
  const std::string both = cluster.Pick(At(kClaims, "shared"), "{.status.reservedFor[*].name}");
  EXPECT_TRUE(both == "a b" || both == "b a") << both;
  SetPhase(cluster, "a", "Succeeded");
  cluster.Delete(At(kPods, "b"));
  pass();
  Collect(cluster);
  pass();
  EXPECT_EQ(cluster.Names(kClaims), "shared ");
  EXPECT_EQ(cluster.Pick(At(kClaims, "shared"), "{.status}{.metadata.finalizers}"), "{}");
}

TEST(ClaimControllerFaults, EveryRequestMayFailOnceInEveryWay) {
  for (const Fault& fault : kFaults) {
    std::size_t requests = 1;
    for (std::size_t at = 0; at < requests; ++at) {
      SCOPED_TRACE(fmt::format("request {} {}", at, fault.what));
      TestCluster cluster;
      cluster.AddController(MakeClaims);
      cluster.Run();
      const Disturbance disturbance(cluster, at, fault);
      Live(cluster, Presence::kAlways);
      requests = disturbance.asked();
    }
    EXPECT_GT(requests, 12);
  }
}

TEST(ClaimControllerFaults, WhatHappenedWhileItWasAwayIsMadeUpFor) {
  TestCluster cluster;
  cluster.AddController(MakeClaims);
  cluster.Stop();
  Live(cluster, Presence::kNever);
}

// Killed before the request is sent, and after it was served but before it was answered.
TEST(ClaimControllerFaults, KilledAtAnyRequestItComesToTheSame) {
  for (const Fault& fault : {kFaults[0], kFaults[1]}) {
    std::size_t requests = 1;
    for (std::size_t at = 0; at < requests; ++at) {
      SCOPED_TRACE(fmt::format("killed at request {}, which {}", at, fault.what));
      TestCluster cluster;
      cluster.AddController(MakeClaims);
      cluster.Run();
      std::size_t asked = 0;
      cluster.fate = [&](const net::Request& request) {
        const bool hit = !IsBackground(request) && asked++ == at;
        if (hit) {
          const bool served = fault.loss == net::Fate::Loss::kAnswer;
          cluster.loop.PostAfter(std::chrono::microseconds(served ? 1 : 0), [&] {
            cluster.Stop();
            cluster.Start();
          });
        }
        return net::Fate{.loss = hit ? fault.loss : net::Fate::Loss::kNone};
      };
      Live(cluster, Presence::kAlways);
      requests = asked;
    }
    EXPECT_GT(requests, 12);
  }
}

TEST(ClaimControllerFaults, DeletionInEveryOrderLeavesNothing) {
  std::array<std::string_view, 4> order = {"claim", "finish", "pod", "template"};
  do {
    SCOPED_TRACE(fmt::format("{} {} {} {}", order[0], order[1], order[2], order[3]));
    TestCluster cluster;
    cluster.AddController(MakeClaims);
    cluster.Create(kTemplates, TemplateJson("gpus"));
    cluster.Create(kPods, PodJson("train", FromTemplate("gpu", "gpus"), "node"));
    cluster.Run();
    const std::string uid = cluster.Uid(At(kPods, "train"));
    const std::string claim =
        cluster.Pick(At(kPods, "train"), "{.status.resourceClaimStatuses[0].resourceClaimName}");
    Allocate(cluster, claim, {{"train", uid}});
    for (const std::string_view what : order) {
      if (what == "claim") {
        cluster.DeleteSlowly(At(kClaims, claim));
      } else if (what == "template") {
        cluster.Delete(At(kTemplates, "gpus"));
      } else if (what == "pod") {
        cluster.Delete(At(kPods, "train"));
      } else if (!cluster.Uid(At(kPods, "train")).empty()) {
        SetPhase(cluster, "train", "Succeeded");
      }
      cluster.Run();
    }
    Collect(cluster);
    cluster.Run();
    EXPECT_EQ(cluster.Names(kClaims), "");
  } while (std::ranges::next_permutation(order).found);
}

// The controller starts anew and is told of what there is now, one object, and of nothing later.
class BlindTest : public ClaimControllerTest {
 protected:
  void BlindTo(const std::string& collection) {
    cluster.fate = [this, collection](const net::Request& request) {
      net::Fate fate;
      if (request.target.starts_with(collection + "?")) {
        fate.loss = watches_++ == 0 ? net::Fate::Loss::kNone : net::Fate::Loss::kRequest;
        fate.lines = 2;  // the object, and that there is no other
      }
      return fate;
    };
    cluster.Stop();
    cluster.Start();
    cluster.Run(std::chrono::seconds(1));
  }

 private:
  int watches_ = 0;
};

TEST_F(BlindTest, NothingIsFreedByAnOldCopyOfAPod) {
  HaveTrain("node");
  const std::string old_uid = cluster.Uid(At(kPods, "train"));
  BlindTo("/api/v1/pods");
  cluster.Create(kClaims, ClaimJson("shared"));
  cluster.Delete(At(kPods, "train"));
  cluster.Create(kPods, PodJson("train", Given("gpu", "shared"), "node"));
  const std::string uid = cluster.Uid(At(kPods, "train"));
  ASSERT_NE(uid, old_uid);
  Allocate(cluster, "shared", {{"train", uid}});
  cluster.Run(std::chrono::minutes(1));
  EXPECT_EQ(ReservedFor("shared"), "train");
}

TEST_F(BlindTest, NothingIsFreedByAnOldCopyOfAClaim) {
  cluster.Create(kClaims, ClaimJson("shared"));
  std::vector<std::pair<std::string, std::string>> pods;
  for (const std::string name : {"a", "b"}) {
    cluster.Create(kPods, PodJson(name, Given("gpu", "shared")));
    pods.emplace_back(name, cluster.Uid(At(kPods, name)));
  }
  Allocate(cluster, "shared", {pods[0]});
  BlindTo("/apis/resource.k8s.io/v1/resourceclaims");
  Allocate(cluster, "shared", pods);
  SetPhase(cluster, "a", "Succeeded");
  cluster.Run(std::chrono::minutes(1));
  EXPECT_EQ(ReservedFor("shared"), "a b");
  EXPECT_NE(cluster.Pick(At(kClaims, "shared"), "{.status.allocation}"), "");
}

TEST_F(ClaimControllerTest, IdleWritesNothing) {
  HaveTrain("node");
  Allocate(cluster, claim, {{"train", cluster.Uid(At(kPods, "train"))}});
  cluster.Run();
  cluster.TakeAsked();
  cluster.Run(std::chrono::minutes(10));
  EXPECT_EQ(cluster.TakeAsked(), Lines());
}

// --- Numbers.

TEST_F(ClaimControllerTest, CountsAsKubernetesDoes) {
  HaveTrain();
  cluster.Create(kClaims, ClaimJson("shared"));
  Allocate(cluster, "shared", {});
  cluster.Run();
  const std::string text = cluster.Metrics();
  for (const std::string_view line :
       {"dynamic_resource_allocation_resourceclaim_creates_total{status=\"success\","
        "admin_access=\"false\",owner_api_group=\"\",owner_api_kind=\"Pod\","
        "prioritized_list=\"false\"} 1",
        "dynamic_resource_allocation_resource_claims{allocated=\"false\",admin_access=\"false\","
        "source=\"resource_claim_template\",prioritized_list=\"false\"} 1",
        "dynamic_resource_allocation_resource_claims{allocated=\"true\",admin_access=\"false\","
        "source=\"\",prioritized_list=\"false\"} 1",
        "workqueue_depth{name=\"resource_claim\"} 0"}) {
    EXPECT_NE(text.find(line), std::string::npos) << line << "\nin\n" << text;
  }
}

TEST(ClaimControllerNames, AreThoseOfTheSeedOnDemand) {
  TestCluster cluster;
  cluster.AddController([](client::ControllerContext& context) {
    return MakeClaimController(context, {.metrics_names = MetricsNames::kSeed});
  });
  cluster.Create(kTemplates, TemplateJson("gpus"));
  cluster.Create(kPods, PodJson("train", FromTemplate("gpu", "gpus")));
  cluster.Run();
  const std::string text = cluster.Metrics();
  for (const std::string_view line :
       {"\nresourceclaim_controller_create_total 1", "\nresourceclaim_controller_resource_claims 1",
        "\nresourceclaim_controller_allocated_resource_claims 0"}) {
    EXPECT_NE(text.find(line), std::string::npos) << line << "\nin\n" << text;
  }
}

}  // namespace
}  // namespace quadra::claims

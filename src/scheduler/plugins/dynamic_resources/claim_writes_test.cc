#include "scheduler/plugins/dynamic_resources/claim_writes.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "api/object.h"
#include "base/check.h"
#include "client/client_for_tests.h"
#include "net/client.h"

namespace quadra::scheduler {
namespace {

// A server with one claim, which loses answers as it is told: before it serves a write, or after.
class Losing {
 public:
  enum class Loss : std::uint8_t { kNone, kBefore, kAfter };

  Losing() {
    claim.type = {.kind = "ResourceClaim", .api_version = "resource.k8s.io/v1"};
    claim.metadata.ns = "ns";
    claim.metadata.name = "c";
    claim.metadata.uid = "u";
    claim.metadata.resource_version = "1";
  }

  net::Response Serve(const net::Request& request) {
    const bool writes = request.method == "PUT";
    const Loss loss = writes && turn_ < losses.size() ? losses[turn_] : Loss::kNone;
    turn_ += writes ? 1 : 0;
    if (loss == Loss::kBefore) {
      return client::Json(500, client::StatusJson(500, "InternalError", "lost"));
    }
    net::Response answer = writes ? Write(request) : client::Json(200, api::EncodeJson(claim));
    return loss == Loss::kAfter
               ? client::Json(500, client::StatusJson(500, "InternalError", "lost"))
               : answer;
  }

  // What comes of binding the claim to pod p with device d.
  std::string Bind() {
    auto decided = std::make_shared<api::ResourceClaim>(claim);
    decided->status.allocation.emplace().devices.results.push_back(
        {.request = "r", .driver = "d", .pool = "p", .device = "d"});
    api::Pod pod;
    pod.metadata.ns = "ns";
    pod.metadata.name = "p";
    pod.metadata.uid = "p";
    ClaimBinding binding{.claim = std::make_shared<const api::ResourceClaim>(claim),
                         .decided = decided,
                         .pod = PodInfo::Of(pod, {}),
                         .insists = insists};
    client::Scripted scripted([this](const net::Request& request, net::Exchange exchange) {
      exchange.Answer(Serve(request));
    });
    const WrittenClaim written = scripted.Run(WriteBinding(scripted.api, std::move(binding)));
    return written ? "written" : written.error();
  }

  api::ResourceClaim claim;
  std::vector<Loss> losses;  // of writes, in order
  bool insists = true;

 private:
  net::Response Write(const net::Request& request) {
    const auto read = api::DecodeJson<api::ResourceClaim>(request.body);
    QUADRA_CHECK(read.has_value(), "we write what can be read");
    if (read->metadata.resource_version != claim.metadata.resource_version) {
      return client::Json(409, client::StatusJson(409, "Conflict", "it has changed"));
    }
    if (request.target.find("/status") != std::string::npos) {
      claim.status = read->status;
    } else {
      claim.metadata.finalizers = read->metadata.finalizers;
    }
    claim.metadata.resource_version = std::to_string(++revision_);
    return client::Json(200, api::EncodeJson(claim));
  }

  std::size_t turn_ = 0;
  int revision_ = 1;
};

TEST(ClaimWritesTest, ALostAnswerIsFoundOut) {
  using enum Losing::Loss;
  const std::vector<std::vector<Losing::Loss>> all = {{},
                                                      {kBefore},
                                                      {kAfter},
                                                      {kNone, kBefore},
                                                      {kNone, kAfter},
                                                      {kBefore, kAfter, kBefore, kAfter},
                                                      {kAfter, kBefore, kBefore, kBefore, kAfter}};
  for (const auto& losses : all) {
    Losing server;
    server.losses = losses;
    EXPECT_EQ(server.Bind(), "written");
    ASSERT_TRUE(server.claim.status.allocation.has_value());
    EXPECT_EQ(server.claim.status.reserved_for.size(), 1);
    EXPECT_EQ(server.claim.metadata.finalizers.size(), 1);
  }
}

TEST(ClaimWritesTest, UpstreamsRulesFailAtOnce) {
  Losing server;
  server.insists = false;
  server.losses = {Losing::Loss::kNone, Losing::Loss::kAfter};
  EXPECT_EQ(server.Bind(), "add allocation and reservation to claim ns/c: lost");
}

TEST(ClaimWritesTest, GivesUpWhereSomebodyElseWasFaster) {
  Losing server;
  server.claim.status.allocation.emplace();
  EXPECT_EQ(server.Bind(), "claim ns/c got allocated elsewhere in the meantime");
  Losing deleting;
  deleting.claim.metadata.deletion_timestamp = Time();
  EXPECT_EQ(deleting.Bind(), "claim ns/c got deleted in the meantime");
}

}  // namespace
}  // namespace quadra::scheduler

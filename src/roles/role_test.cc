#include "roles/role.h"

#include <atomic>
#include <future>
#include <string>

#include <gtest/gtest.h>

namespace quadra::roles {
namespace {

using client::Controller;
using client::ControllerContext;

// What became of the controllers of one test.
struct Fates {
  std::atomic<int> made = 0;
  std::atomic<int> started = 0;
  std::atomic<int> dropped = 0;
} fates;

class Counted final : public Controller {
 public:
  Counted() { ++fates.made; }
  ~Counted() override { ++fates.dropped; }
  void Start() override { ++fates.started; }
  bool idle() const override { return true; }
};

constexpr ControllerRow kCounted{
    "counted-controller", "",
    [](ControllerContext&, const ControllerSettings&) -> std::unique_ptr<Controller> {
      return std::make_unique<Counted>();
    }};

net::Response Json(int status, std::string body) {
  return {.status = status,
          .headers = {{"content-type", "application/json"}},
          .body = net::Share(std::move(body))};
}

// Of a server that has one version of resource.k8s.io, and nothing else.
net::Response Discovery(std::string_view target) {
  if (target == "/apis/resource.k8s.io") {
    return Json(200, R"({"kind":"APIGroup","versions":[{"version":"v1"}]})");
  }
  if (target == "/apis/resource.k8s.io/v1") {
    return Json(200, R"({"resources":[{"name":"resourceclaims","kind":"ResourceClaim"}]})");
  }
  return Json(404, R"({"kind":"Status","code":404,"reason":"NotFound","message":"nothing here"})");
}

RoleOptions TwoOf(const ControllerRow& row) {
  RoleOptions options;
  options.name = "counted";
  options.makers = MakersOf({&row, &row}, {});
  return options;
}

class RoleTest : public testing::Test {
 protected:
  void SetUp() override { fates.made = fates.started = fates.dropped = 0; }
};

TEST_F(RoleTest, WorksOnceTheServerIsKnownAndDropsAllWhenItStops) {
  const auto client = net::Client::Inside(
      [](const net::Request& request, net::Exchange exchange) {
        exchange.Answer(Discovery(request.target));
      },
      {});
  Role role(*client, TwoOf(kCounted));
  EXPECT_FALSE(role.ready());
  std::promise<void> ready;
  role.Start({.ready = [&] { ready.set_value(); }});
  ready.get_future().wait();
  EXPECT_TRUE(role.ready());
  EXPECT_EQ(fates.started, 2);
  EXPECT_EQ(fates.dropped, 0);
  role.Stop();
  EXPECT_FALSE(role.ready());
  EXPECT_EQ(fates.dropped, 2);
  role.Stop();  // again does nothing
  EXPECT_EQ(fates.made, 2);
}

TEST_F(RoleTest, SaysWhyItWaitsAndMakesNothing) {
  const auto client = net::Client::Inside(
      [](const net::Request&, net::Exchange exchange) {
        exchange.Answer(Json(403, R"({"kind":"Status","code":403,"reason":"Forbidden",)"
                                  R"("message":"no entry"})"));
      },
      {});
  std::promise<std::string> told;
  RoleOptions options = TwoOf(kCounted);
  options.log = [&](std::string_view line) { told.set_value(std::string(line)); };
  Role role(*client, std::move(options));
  role.Start({});
  EXPECT_EQ(told.get_future().get(), "cannot ask the server for its versions: no entry");
  role.Stop();
  EXPECT_EQ(fates.made, 0);
}

}  // namespace
}  // namespace quadra::roles

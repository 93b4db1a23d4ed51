// /quadra/explain/NAMESPACE/POD: what the scheduler says of a pod, through the server.
#include <thread>

#include <gtest/gtest.h>

#include "apiserver/server_for_tests.h"

namespace quadra::apiserver {
namespace {

// A scheduler that has tried to place team/train, and cannot be asked about team/slow.
void Scheduler(const PodName& pod, std::function<void(LastAttemptJson)> tell) {
  if (pod.ns == "team" && pod.name == "train") {
    // From a thread of its own, as one would that is asked over a network.
    std::thread([tell = std::move(tell)] { tell(R"({"result":"unschedulable"})"); }).detach();
  } else if (pod.name == "slow") {
    tell(tl::unexpected(Error{.kind = ErrorKind::kUnreadable, .message = "no route"}));
  } else {
    tell(std::nullopt);
  }
}

TEST(Explain, PassesOnWhatTheSchedulerSays) {
  ApiServerOptions options;
  options.ask_scheduler = Scheduler;
  TestServer server(std::move(options));
  const struct {
    const char* why;
    std::string_view method;
    std::string path;
    int status;
    std::string said;
  } rows[] = {
      {"it remembers", "GET", "team/train", 200, R"({"result":"unschedulable"})"},
      {"it does not", "GET", "team/other", 404,
       R"(the scheduler remembers no attempt on pod \"team/other\")"},
      {"it is away", "GET", "team/slow", 503, "the scheduler does not answer: no route"},
      {"nothing is written there", "PUT", "team/train", 405, "MethodNotAllowed"},
      {"a pod has a namespace", "GET", "train", 404, "404 page not found"},
      {"and a name of pods", "GET", "team/train%2Fx", 404, "404 page not found"},
  };
  for (const auto& row : rows) {
    const net::Response answer = server.Ask(row.method, "/quadra/explain/" + row.path);
    EXPECT_EQ(answer.status, row.status) << row.why;
    EXPECT_NE(answer.body->find(row.said), std::string::npos) << row.why << ": " << *answer.body;
  }
}

TEST(Explain, IsNotForStrangersNorWithoutAScheduler) {
  ApiServerOptions options;
  options.ask_scheduler = Scheduler;
  TestServer server(std::move(options));
  const Result<net::Response> stranger =
      server.Stranger()->Fetch({.method = "GET", .target = "/quadra/explain/team/train"});
  ASSERT_TRUE(stranger);
  EXPECT_EQ(stranger->status, 401);
  server.Restart(ApiServerOptions());
  EXPECT_EQ(server.Ask("GET", "/quadra/explain/team/train").status, 404);
}

}  // namespace
}  // namespace quadra::apiserver

#include "scheduler/plugins/default_binder/default_binder.h"

#include <gtest/gtest.h>

#include "client/client_for_tests.h"
#include "scheduler/framework/worlds_for_tests.h"

namespace quadra::scheduler {
namespace {

TEST(DefaultBinder, PostsTheBindingOfThePod) {
  std::string body;
  client::Scripted server([&](const net::Request& request, net::Exchange exchange) {
    body = request.body;
    exchange.Answer(client::Json(201, R"({"kind":"Status","status":"Success"})"));
  });
  const Trial trial({.plugin = "DefaultBinder", .api = &server.api});
  CycleState state;
  const Status bound = server.Run(trial.profile().RunBind(state, PodOf({}), "n1"));
  EXPECT_EQ(TextOf(bound), "Success");
  EXPECT_EQ(server.asked(),
            std::vector<std::string>(
                {"POST /api/v1/namespaces/default/pods/p/binding?fieldManager=quadra"}));
  EXPECT_EQ(body,
            R"({"apiVersion":"v1","kind":"Binding","metadata":{"name":"p","namespace":"default",)"
            R"("uid":"p"},"target":{"kind":"Node","name":"n1"}})");
}

TEST(DefaultBinder, TellsWhatTheServerSays) {
  client::Scripted server([](const net::Request& /*request*/, net::Exchange exchange) {
    exchange.Answer(client::Json(409, client::StatusJson(409, "Conflict", "p is on n2 already")));
  });
  const Trial trial({.plugin = "DefaultBinder", .api = &server.api});
  CycleState state;
  EXPECT_EQ(TextOf(server.Run(trial.profile().RunBind(state, PodOf({}), "n1"))),
            "Error: running Bind plugin \"DefaultBinder\": p is on n2 already");
}

struct LostAnswer {
  std::string name;
  bool strict = false;
  std::string stands;  // the pod's node afterwards
  std::string result;
};

TEST(DefaultBinder, FindsOutWhatCameOfABindingWhoseAnswerWasLost) {
  const std::string failed = "Error: running Bind plugin \"DefaultBinder\": lost";
  const std::vector<LostAnswer> rows = {
      {.name = "was served", .stands = "n1", .result = "Success"},
      {.name = "was not served", .result = failed},
      {.name = "somebody else was quicker", .stands = "n2", .result = failed},
      {.name = "as upstream", .strict = true, .stands = "n1", .result = failed},
  };
  for (const LostAnswer& row : rows) {
    client::Scripted server([&](const net::Request& request, net::Exchange exchange) {
      if (request.method == "GET") {
        const std::string spec = row.stands.empty() ? "" : R"("nodeName":")" + row.stands + '"';
        return exchange.Answer(client::Json(
            200, R"({"kind":"Pod","apiVersion":"v1","metadata":{"name":"p","namespace":"default",)"
                 R"("uid":"p"},"spec":{)" +
                     spec + "}}"));
      }
      exchange.Answer(client::Json(500, client::StatusJson(500, "InternalError", "lost")));
    });
    const Trial trial({.plugin = "DefaultBinder", .strict = row.strict, .api = &server.api});
    CycleState state;
    EXPECT_EQ(TextOf(server.Run(trial.profile().RunBind(state, PodOf({}), "n1"))), row.result)
        << row.name;
  }
}

}  // namespace
}  // namespace quadra::scheduler

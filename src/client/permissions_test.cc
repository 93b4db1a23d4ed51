#include "client/permissions.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "client/client_for_tests.h"

namespace quadra::client {
namespace {

TEST(Permissions, AreSaidAsServersSayThem) {
  struct Row {
    Permission permission;
    std::string sentence;
  };
  const std::vector<Row> rows = {
      {{.verb = "list", .group = "resource.k8s.io", .resource = "resourceclaims"},
       R"(cannot list resource "resourceclaims" in API group "resource.k8s.io" at the cluster scope)"},
      {{.verb = "get", .resource = "pods", .ns = "team-a"},
       R"(cannot get resource "pods" in API group "" in the namespace "team-a")"},
      {{.verb = "patch", .resource = "pods", .subresource = "status"},
       R"(cannot patch resource "pods/status" in API group "" at the cluster scope)"},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(Sentence(row.permission), row.sentence);
  }
}

TEST(Permissions, BecomeRulesOfOneLineEach) {
  const std::vector<Permission> permissions = {
      {.verb = "list", .group = "resource.k8s.io", .resource = "resourceclaims"},
      {.verb = "patch", .resource = "pods", .subresource = "status"},
      {.verb = "watch", .group = "resource.k8s.io", .resource = "resourceclaims"},
  };
  EXPECT_EQ(RulesFor(permissions),
            R"(- {apiGroups: [""], resources: ["pods/status"], verbs: ["patch"]}
- {apiGroups: ["resource.k8s.io"], resources: ["resourceclaims"], verbs: ["list", "watch"]}
)");
}

const std::vector<Permission> kNeeded = {
    {.verb = "list", .group = "resource.k8s.io", .resource = "resourceclaims"},
    {.verb = "patch", .resource = "pods", .subresource = "status", .ns = "team-a"},
    {.verb = "watch", .resource = "pods"},
};

TEST(Permissions, TellsWhatIsMissing) {
  std::vector<std::string> bodies;
  Scripted world([&](const net::Request& request, net::Exchange exchange) {
    bodies.push_back(request.body);
    const bool allowed = request.body.find(R"("verb":"list")") != std::string::npos;
    exchange.Answer(Json(201, allowed ? R"({"status":{"allowed":true}})"
                                      : R"({"status":{"allowed":false,"reason":"no rule"}})"));
  });
  const auto missing = world.Run(FindMissing(world.api, kNeeded));
  ASSERT_TRUE(missing) << missing.error().message;
  EXPECT_EQ(*missing, (std::vector<Permission>{kNeeded[1], kNeeded[2]}));
  EXPECT_EQ(world.asked(), std::vector<std::string>(
                               3, "POST /apis/authorization.k8s.io/v1/selfsubjectaccessreviews"));
  EXPECT_EQ(bodies[1],
            R"({"kind":"SelfSubjectAccessReview","apiVersion":"authorization.k8s.io/v1","spec":)"
            R"({"resourceAttributes":{"namespace":"team-a","verb":"patch","group":"",)"
            R"("resource":"pods","subresource":"status"}}})");
}

TEST(Permissions, AServerThatCannotTellIsAFailure) {
  Scripted world([&](const net::Request&, net::Exchange exchange) {
    exchange.Answer(Json(401, StatusJson(401, "Unauthorized", "Unauthorized")));
  });
  const auto missing = world.Run(FindMissing(world.api, kNeeded));
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code, 401);
}

}  // namespace
}  // namespace quadra::client

#include "live/lists.h"

#include <map>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "live/objects.h"
#include "net/client.h"

namespace quadra::live {
namespace {

constexpr std::string_view kGroup =
    R"({"kind":"APIGroup","apiVersion":"v1","name":"resource.k8s.io","versions":[
        {"groupVersion":"resource.k8s.io/v1beta1","version":"v1beta1"}],
        "preferredVersion":{"groupVersion":"resource.k8s.io/v1beta1","version":"v1beta1"}})";
constexpr std::string_view kResources =
    R"({"kind":"APIResourceList","apiVersion":"v1","groupVersion":"resource.k8s.io/v1beta1",
        "resources":[{"name":"resourceslices","kind":"ResourceSlice","namespaced":false}]})";

// A server whose answers are in a table, by their paths without queries; 404 for all else.
class Server {
 public:
  struct Answer {
    int status = 200;
    std::string body;
  };

  explicit Server(std::map<std::string, Answer> answers) : answers_(std::move(answers)) {}

  client::Connection Connect() {
    return {.client = net::Client::Inside(
                [this](net::Request request, net::Exchange exchange) {
                  Serve(request, std::move(exchange));
                },
                {}),
            .server = "https://cluster"};
  }

 private:
  void Serve(const net::Request& request, net::Exchange exchange) {
    const auto found = answers_.find(request.target.substr(0, request.target.find('?')));
    const bool known = found != answers_.end();
    exchange.Answer(
        {.status = known ? found->second.status : 404,
         .headers = {{"content-type", "application/json"}},
         .body = net::Share(
             known ? found->second.body
                   : R"({"kind":"Status","code":404,"reason":"NotFound","message":"none"})")});
  }

  const std::map<std::string, Answer> answers_;
};

std::string ListOf(std::string_view items) {
  return R"({"kind":"List","apiVersion":"v1","metadata":{"resourceVersion":"7"},"items":[)" +
         std::string(items) + "]}";
}

constexpr std::string_view kForbidden =
    R"({"kind":"Status","code":403,"reason":"Forbidden","message":"pods is forbidden"})";

TEST(Lists, OldServersAreAskedInTheirVersion) {
  Server server({{"/apis/resource.k8s.io", {200, std::string(kGroup)}},
                 {"/apis/resource.k8s.io/v1beta1", {200, std::string(kResources)}},
                 {"/apis/resource.k8s.io/v1beta1/resourceslices",
                  {200, ListOf(R"({"metadata":{"name":"s"}})")}}});
  Session session(server.Connect(), {});
  const std::vector<Got> got =
      ReadAll(session,
              {{.resource = client::ResourceOf<api::ResourceSlice>(), .vital = true},
               {.resource = client::ResourceOf<api::DeviceTaintRule>()}},
              nullptr);
  ASSERT_TRUE(got[0].page.has_value()) << got[0].page.error().message;
  EXPECT_EQ(
      got[0].page->items,
      std::vector<std::string>{
          R"({"kind":"ResourceSlice","apiVersion":"resource.k8s.io/v1beta1","metadata":{"name":"s"}})"});
  // A kind that the server does not have yet has no objects.
  ASSERT_TRUE(got[1].page.has_value());
  EXPECT_TRUE(got[1].page->items.empty());
}

TEST(Lists, WhoMayNotReadAllNamespacesReadsTheirOwn) {
  Server server({{"/api/v1/pods", {403, std::string(kForbidden)}},
                 {"/api/v1/namespaces/team-a/pods", {200, ListOf(R"({"metadata":{"name":"p"}})")}},
                 {"/api/v1/nodes", {403, std::string(kForbidden)}}});
  Session session(server.Connect(), {});
  std::size_t objects = 0;
  const std::vector<Got> got =
      ReadAll(session,
              {{.resource = client::ResourceOf<api::Pod>(), .fallback_ns = "team-a"},
               {.resource = client::ResourceOf<api::Node>(), .fallback_ns = "team-a"}},
              [&](std::size_t more) { objects += more; });
  ASSERT_TRUE(got[0].page.has_value());
  EXPECT_EQ(got[0].page->items.size(), 1U);
  EXPECT_EQ(objects, 1U);
  EXPECT_EQ(got[0].narrowed_to, "team-a");
  EXPECT_EQ(got[0].denied.message, "pods is forbidden");
  // Nodes are of no namespace.
  ASSERT_FALSE(got[1].page.has_value());
  EXPECT_EQ(got[1].page.error().reason, client::refused::kForbidden);
}

TEST(Objects, KindsThatNobodyKnowsAreLookedUp) {
  Server server({{"/apis/example.com/v1",
                  {200,
                   R"({"resources":[{"name":"widgets/status","kind":"Widget","namespaced":true},
                       {"name":"widgets","kind":"Widget","namespaced":true}]})"}}});
  Session session(server.Connect(), {});
  const auto widget = FindResource(session, "example.com/v1", "Widget");
  ASSERT_TRUE(widget.has_value());
  EXPECT_EQ(widget->Path("team-a", "w"), "/apis/example.com/v1/namespaces/team-a/widgets/w");
  const auto gadget = FindResource(session, "example.com/v1", "Gadget");
  ASSERT_FALSE(gadget.has_value());
  EXPECT_TRUE(gadget.error().Is(client::refused::kNotFound));
}

}  // namespace
}  // namespace quadra::live

// The garbage collector on a server whose kinds nobody here knows, which appear when they like and
// take no strategic merge patches.
#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/mutex.h"
#include "client/client_for_tests.h"
#include "client/role.h"
#include "lifecycle/lifecycle.h"

namespace quadra::lifecycle {
namespace {

using Lines = std::vector<std::string>;

constexpr std::string_view kWidgets = "/apis/example.com/v1/namespaces/a/widgets";
constexpr std::string_view kParts = "/apis/example.com/v1/namespaces/a/parts";

std::string Object(std::string_view kind, std::string_view name, std::string_view more = "") {
  return fmt::format(R"({{"kind":"{0}","apiVersion":"example.com/v1","metadata":{{"name":"{1}",)"
                     R"("namespace":"a","uid":"uid-{1}","resourceVersion":"7"{2}}}}})",
                     kind, name, more);
}
std::string OwnedBy(std::string_view name) {
  return fmt::format(R"(,"ownerReferences":[{{"apiVersion":"example.com/v1","kind":"Widget",)"
                     R"("name":"{0}","uid":"uid-{0}","blockOwnerDeletion":true}}])",
                     name);
}

// What a server says of its kinds.
enum class Told : std::uint8_t { kAll, kNone, kRefused };

// Widgets and parts of one namespace. Patches are noted, and change nothing.
class WidgetServer {
 public:
  void Serve(const net::Request& request, net::Exchange exchange) {
    MutexLock lock(mutex_);
    const std::string path = request.target.substr(0, request.target.find('?'));
    if (path == "/apis" && told_ != Told::kAll) {
      return exchange.Answer(told_ == Told::kNone
                                 ? client::Json(200, Groups(""))
                                 : client::Json(503, client::StatusJson(503, "", "not now")));
    }
    if (path == "/api" || path == "/apis") {
      return exchange.Answer(client::Json(200, path == "/api" ? Groups("") : Groups(Kinds())));
    }
    if (hides_widgets_ && path.ends_with("/widgets")) {
      return exchange.Answer(client::Json(403, client::StatusJson(403, "Forbidden", "not yours")));
    }
    if (request.target.find("watch=") != std::string::npos) {
      return Watch(path, std::move(exchange));
    }
    if (request.method == "PATCH") {
      return Patch(path, request, std::move(exchange));
    }
    const auto found = objects_.find(path);
    if (request.method == "DELETE" && found != objects_.end()) {
      gone_.push_back(path + " " + request.body);
    }
    exchange.Answer(found == objects_.end()
                        ? client::Json(404, client::StatusJson(404, "NotFound", "none"))
                        : client::Json(200, found->second));
  }

  void Put(std::string_view collection, std::string_view name, std::string object) {
    MutexLock lock(mutex_);
    objects_[fmt::format("{}/{}", collection, name)] = std::move(object);
  }
  void ServeWidgets() {
    MutexLock lock(mutex_);
    widgets_ = true;
  }
  void HideWidgets() {
    MutexLock lock(mutex_);
    hides_widgets_ = true;
  }
  void Tell(Told told) {
    MutexLock lock(mutex_);
    told_ = told;
  }
  Lines patches() const {
    MutexLock lock(mutex_);
    return patches_;
  }
  Lines gone() const {
    MutexLock lock(mutex_);
    return gone_;
  }

 private:
  static std::string Groups(const std::string& kinds) {
    return R"({"kind":"APIGroupDiscoveryList","items":[)" + kinds + "]}";
  }
  static std::string KindEntry(std::string_view plural, std::string_view kind) {
    return fmt::format(R"({{"resource":"{}","responseKind":{{"kind":"{}"}},"scope":"Namespaced",)"
                       R"("verbs":["delete","get","list","patch","watch"]}})",
                       plural, kind);
  }
  std::string Kinds() const QUADRA_REQUIRES(mutex_) {
    return fmt::format(
        R"({{"metadata":{{"name":"example.com"}},"versions":[{{"version":"v1","freshness":"Current",)"
        R"("resources":[{}{}]}}]}})",
        KindEntry("parts", "Part"), widgets_ ? "," + KindEntry("widgets", "Widget") : "");
  }
  void Watch(const std::string& path, net::Exchange exchange) QUADRA_REQUIRES(mutex_) {
    exchange.Begin(200, {{"content-type", "application/json"}});
    const std::string plural = path.substr(path.rfind('/') + 1);
    for (const auto& [name, object] : objects_) {
      if (name.find("/" + plural + "/") != std::string::npos) {
        exchange.Write(net::Share(R"({"type":"ADDED","object":)" + object + "}\n"));
      }
    }
    exchange.Write(net::Share(
        R"({"type":"BOOKMARK","object":{"kind":"Part","apiVersion":"example.com/v1","metadata":)"
        R"({"resourceVersion":"9","annotations":{"k8s.io/initial-events-end":"true"}}}})"
        "\n"));
    streams_.push_back(std::make_unique<net::Exchange>(std::move(exchange)));
  }
  void Patch(const std::string& path, const net::Request& request, net::Exchange exchange)
      QUADRA_REQUIRES(mutex_) {
    if (request.headers.Find("content-type") != "application/merge-patch+json") {
      return exchange.Answer(
          client::Json(415, client::StatusJson(415, "UnsupportedMediaType", "no")));
    }
    patches_.push_back(path.substr(path.rfind('/') + 1) + " " + request.body);
    exchange.Answer(client::Json(200, objects_[path]));
  }

  mutable Mutex mutex_;
  Told told_ QUADRA_GUARDED_BY(mutex_) = Told::kAll;
  bool widgets_ QUADRA_GUARDED_BY(mutex_) = false;
  bool hides_widgets_ QUADRA_GUARDED_BY(mutex_) = false;
  std::map<std::string, std::string> objects_ QUADRA_GUARDED_BY(mutex_);  // by path
  std::vector<std::unique_ptr<net::Exchange>> streams_ QUADRA_GUARDED_BY(mutex_);
  Lines patches_ QUADRA_GUARDED_BY(mutex_);
  Lines gone_ QUADRA_GUARDED_BY(mutex_);
};

class ForeignKindsTest : public testing::Test {
 protected:
  void Begin() {
    collector = MakeGarbageCollector(context);
    informers.Start([this] { collector->Start(); });
    world.Advance(std::chrono::seconds(1));
    ASSERT_TRUE(collector->idle());
  }

  WidgetServer server;
  client::Scripted world{[this](const net::Request& request, net::Exchange exchange) {
    server.Serve(request, std::move(exchange));
  }};
  client::Informers informers{world.api};
  api::FeatureGates gates;
  metrics::Registry metrics;
  client::WorkMeters work{metrics, world.loop};
  SeededRandom random{7};
  client::ControllerContext context{
      .api = world.api,
      .informers = informers,
      .gates = gates,
      .metrics = metrics,
      .work = work,
      .random = random,
      .log = [this](std::string_view line) { lines.emplace_back(line); }};
  Lines lines;
  std::unique_ptr<client::Controller> collector;
};

TEST_F(ForeignKindsTest, OrphansAreReleasedByWholeLists) {
  server.ServeWidgets();
  server.Put(
      kWidgets, "owner",
      Object("Widget", "owner",
             R"(,"deletionTimestamp":"2026-01-01T00:00:00Z","finalizers":["orphan","x/y"])"));
  server.Put(kParts, "part", Object("Part", "part", OwnedBy("owner")));
  Begin();
  EXPECT_EQ(server.patches(),
            (Lines{R"(part {"metadata":{"resourceVersion":"7","ownerReferences":[]}})",
                   R"(owner {"metadata":{"resourceVersion":"7","finalizers":["x/y"]}})"}));
}

TEST_F(ForeignKindsTest, AKindThatAppearsLaterIsFollowed) {
  server.Put(kParts, "kept", Object("Part", "kept", OwnedBy("owner")));
  server.Put(kParts, "lost", Object("Part", "lost", OwnedBy("nobody")));
  Begin();
  EXPECT_EQ(server.gone(), Lines());
  server.Put(kWidgets, "owner", Object("Widget", "owner"));
  server.ServeWidgets();
  world.Advance(std::chrono::minutes(10));
  ASSERT_EQ(server.gone().size(), 1);
  EXPECT_EQ(server.gone()[0],
            std::string(kParts) +
                R"(/lost {"kind":"DeleteOptions","apiVersion":"v1","preconditions":)"
                R"({"uid":"uid-lost","resourceVersion":"7"},"propagationPolicy":"Background"})");
  const Lines asked = world.asked();
  EXPECT_TRUE(std::ranges::any_of(asked, [](const std::string& line) {
    return line.starts_with("GET /apis/example.com/v1/widgets?");
  }));
}

TEST_F(ForeignKindsTest, KindsThatAreNotToldAreCountedAndFollowedAsBefore) {
  server.ServeWidgets();
  Begin();
  const auto errors = [&](int count) {
    return metrics.Print().find(fmt::format(
               "\ngarbagecollector_controller_resources_sync_error_total {}\n", count)) !=
           std::string::npos;
  };
  EXPECT_TRUE(errors(0)) << metrics.Print();
  server.Tell(Told::kNone);
  world.Advance(std::chrono::seconds(30));
  EXPECT_TRUE(errors(1)) << metrics.Print();
  server.Tell(Told::kRefused);
  world.Advance(std::chrono::seconds(60));
  EXPECT_TRUE(errors(3)) << metrics.Print();
  server.Tell(Told::kAll);
  const std::size_t asked = world.asked().size();
  world.Advance(std::chrono::seconds(60));
  EXPECT_TRUE(errors(3)) << metrics.Print();
  const Lines all = world.asked();
  EXPECT_FALSE(std::any_of(all.begin() + static_cast<std::ptrdiff_t>(asked), all.end(),
                           [](const std::string& line) {
                             return line.starts_with("GET /apis/example.com/v1/widgets?");
                           }))
      << "they are not listed anew";
}

TEST_F(ForeignKindsTest, KindsThatItMayNotSeeAreNamedOnce) {
  server.ServeWidgets();
  server.HideWidgets();
  collector = MakeGarbageCollector(context);
  informers.Start([this] { collector->Start(); });
  world.Advance(std::chrono::minutes(5));
  const auto tells = [](const std::string& line) {
    return line.starts_with(
        "garbage collector: widgets are not collected: not yours; grant it the ClusterRole "
        "quadra-controller-collector");
  };
  EXPECT_EQ(std::ranges::count_if(lines, tells), 1) << testing::PrintToString(lines);
}

TEST_F(ForeignKindsTest, CirclesEndByWholeLists) {
  server.ServeWidgets();
  const std::string going =
      R"(,"deletionTimestamp":"2026-01-01T00:00:00Z","finalizers":["foregroundDeletion"])";
  server.Put(kWidgets, "first", Object("Widget", "first", going + OwnedBy("second")));
  server.Put(kWidgets, "second", Object("Widget", "second", OwnedBy("first")));
  Begin();
  ASSERT_FALSE(server.patches().empty());
  EXPECT_EQ(server.patches()[0],
            R"(second {"metadata":{"resourceVersion":"7","ownerReferences":[)"
            R"({"apiVersion":"example.com/v1","kind":"Widget","name":"first","uid":"uid-first",)"
            R"("blockOwnerDeletion":false}]}})");
  ASSERT_FALSE(server.gone().empty());
  EXPECT_NE(server.gone()[0].find("Foreground"), std::string::npos);
}

}  // namespace
}  // namespace quadra::lifecycle

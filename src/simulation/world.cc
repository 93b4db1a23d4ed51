#include "simulation/world.h"

#include <utility>

#include <fmt/format.h>

#include "base/check.h"

namespace quadra::simulation {
namespace {

constexpr Time kStart(std::chrono::hours(24 * 365 * 57));
// A server that remembers little answers 410 to whoever was away for long, and starts quickly.
constexpr store::Retention kRetention{.least_events = 500, .least_age = std::chrono::minutes(1)};
constexpr std::uint64_t kMostLines = 40;  // of a watch that breaks

net::Peer Admin() {
  return {.address = "inside",
          .identity = net::Identity{"simulation", {"system:masters"}},
          .distrust = ""};
}

bool IsWatch(const net::Request& request) {
  return request.target.find("watch=") != std::string::npos;
}

}  // namespace

// A process with one controller.
struct World::Role {
  Role(World& world, MakeController make_controller, std::uint64_t seed)
      : make(std::move(make_controller)),
        random(seed),
        client(net::Client::Simulated(*world.network_)),
        api(*client, world.loop_, {.random = &random}),
        informers(api),
        work(metrics, world.loop_),
        context{.api = api,
                .informers = informers,
                .gates = gates,
                .metrics = metrics,
                .work = work,
                .random = random},
        controller(make(context)) {
    informers.Start([this] { controller->Start(); });
  }
  ~Role() { controller.reset(); }
  Role(const Role&) = delete;
  Role& operator=(const Role&) = delete;

  const MakeController make;
  SeededRandom random;
  const std::unique_ptr<net::Client> client;
  client::Api api;
  client::Informers informers;
  const api::FeatureGates gates;
  metrics::Registry metrics;
  client::WorkMeters work;
  client::ControllerContext context;
  std::unique_ptr<client::Controller> controller;
};

World::World(std::uint64_t seed, const Weather& weather, Tampering tampering)
    : dice_(seed),
      names_(seed + 1),
      weather_(weather),
      tampering_(std::move(tampering)),
      loop_(kStart),
      disk_(std::make_shared<store::MemoryDisk>()) {
  Open();
  network_ = std::make_unique<net::SimulatedNetwork>(net::SimulatedNetwork::Options{
      .handler = [this](net::Request request,
                        net::Exchange exchange) { Serve(std::move(request), std::move(exchange)); },
      .peer = Admin(),
      .clock = loop_,
      .after = [this](std::chrono::microseconds delay,
                      std::function<void()> work) { loop_.PostAfter(delay, std::move(work)); },
      .fate = [this](const net::Request& request) { return DrawFate(request); },
      .settle = [this] { server_->Settle(); },
      .tamper = tampering_.answer});
}

World::~World() = default;

void World::Open() {
  server_ = std::make_unique<apiserver::MemoryServer>(apiserver::MemoryServer::Options{
      .clock = loop_, .random = names_, .gates = {}, .disk = disk_, .retention = kRetention});
  inside_ = net::Client::Inside(server_->handler(), Admin());
}

void World::AddRole(MakeController make) {
  roles_.push_back(std::make_unique<Role>(*this, std::move(make), dice_.Next()));
}

void World::RestartRole(std::size_t role) {
  MakeController make = roles_[role]->make;
  roles_[role].reset();
  roles_[role] = std::make_unique<Role>(*this, std::move(make), dice_.Next());
}

void World::RestartServer() {
  network_->BreakAll();
  inside_.reset();
  server_.reset();
  Open();
}

net::Fate World::DrawFate(const net::Request& request) {
  const auto happens = [this](std::uint64_t chance) { return dice_.Below(1000) < chance; };
  const auto delay = [this] {
    return std::chrono::microseconds(
        dice_.Below(static_cast<std::uint64_t>(weather_.longest.count()) + 1));
  };
  net::Fate fate{.there = delay(), .back = delay()};
  if (happens(weather_.lost)) {
    fate.loss = net::Fate::Loss::kRequest;
  } else if (happens(weather_.unanswered)) {
    fate.loss = net::Fate::Loss::kAnswer;
  }
  if (IsWatch(request) && happens(weather_.broken)) {
    fate.lines = 1 + dice_.Below(kMostLines);
  }
  fate.repeats = IsWatch(request) && happens(weather_.repeated);
  return fate;
}

void World::Serve(net::Request request, net::Exchange exchange) {
  writes_ += request.method == "GET" ? 0 : 1;
  tampering_.request(request);
  server_->handler()(std::move(request), std::move(exchange));
}

World::Answer World::Ask(std::string method, std::string target, const std::string& body) {
  writes_ += method == "GET" ? 0 : 1;
  net::Headers headers;
  const bool patches = method == "PATCH";
  headers.Add("content-type", patches ? "application/merge-patch+json" : "application/json");
  Result<net::Response> answer = inside_->Fetch({.method = std::move(method),
                                                 .target = std::move(target),
                                                 .headers = std::move(headers),
                                                 .body = body});
  QUADRA_CHECK(answer.has_value(), "a server in this process answers");
  network_->Deliver();
  Result<json::Value> tree = json::ParseValue(*answer->body);
  QUADRA_CHECK(tree.has_value(), "servers answer in JSON");
  return {.status = answer->status, .body = *std::move(tree)};
}

std::vector<json::Value> World::Items(const std::string& collection) {
  Answer answer = Ask("GET", collection);
  QUADRA_CHECK(answer.status == 200, "collections can be listed");
  json::Value* const items = answer.body.Find("items");
  return items == nullptr || items->is_null() ? std::vector<json::Value>()
                                              : std::move(items->items());
}

}  // namespace quadra::simulation

// Random conversations against a plain model of what a server is: names and their data, a revision
// that only grows, watchers who see every change once, pages that show one state.
#include <cstdlib>
#include <map>
#include <set>

#include <gtest/gtest.h>

#include "apiserver/server_for_tests.h"
#include "base/random.h"

namespace quadra::apiserver {
namespace {

constexpr std::string_view kList = "/api/v1/namespaces/default/configmaps";
constexpr int kOperations = 300;
constexpr std::size_t kWatchers = 8;
constexpr std::uint64_t kShards = 8;  // tests, which may run beside each other

std::uint64_t SequencesWanted() {
  const char* wanted = std::getenv("QUADRA_SEQUENCES");  // NOLINT(concurrency-mt-unsafe)
  return wanted == nullptr ? 2 * kShards : std::strtoull(wanted, nullptr, 10);
}

std::uint64_t RevisionOf(const std::string& json) {
  return std::strtoull(Pick(json, ".metadata.resourceVersion").c_str(), nullptr, 10);
}

// What stands under each name: revision and data.
using State = std::map<std::string, std::pair<std::uint64_t, std::string>>;

State StateIn(const std::string& list) {
  State state;
  const Result<json::Value> value = json::ParseValue(list);
  for (const json::Value& item : value->Get("items").items()) {
    const std::string json = json::ToJson(item);
    state[Pick(json, ".metadata.name")] = {RevisionOf(json), Pick(json, ".data.x")};
  }
  return state;
}

// Applies what a watcher was told.
State Replay(const std::vector<std::string>& events) {
  State state;
  std::uint64_t last = 0;
  for (const std::string& event : events) {
    const std::string type = Pick(event, ".type");
    const std::string object = json::ToJson(json::ParseValue(event)->Get("object"));
    const std::string name = Pick(object, ".metadata.name");
    const std::uint64_t revision = RevisionOf(object);
    if (type == "MODIFIED" || type == "DELETED") {
      EXPECT_GT(revision, last) << event;
    }
    last = std::max(last, revision);
    if (type == "DELETED") {
      EXPECT_EQ(state.erase(name), 1) << event;
    } else {
      EXPECT_EQ(state.contains(name), type == "MODIFIED") << event;
      state[name] = {revision, Pick(object, ".data.x")};
    }
  }
  return state;
}

class Sequence {
 public:
  explicit Sequence(std::uint64_t seed) : random_(seed), restarts_(seed % 3 == 0) {}

  void Run() {
    for (std::size_t i = 0; i < kWatchers; ++i) {
      watches_.push_back(server_.Watch(std::string(kList) + "?watch=1"));
    }
    for (int i = 0; i < kOperations && !testing::Test::HasFailure(); ++i) {
      Step();
      if (restarts_ && i == kOperations / 2) {
        Restart();
      }
    }
    CheckEnd();
  }

 private:
  std::string DrawName() { return std::string(1, static_cast<char>('a' + random_.Below(6))); }

  void Step() {
    const std::string name = DrawName();
    switch (random_.Below(6)) {
      case 0:
      case 1:
        return Create(name);
      case 2:
        return Patch(name);
      case 3:
        return Replace(name);
      case 4:
        return Delete(name);
      default:
        return CheckPages();
    }
  }

  std::string DrawData() { return std::to_string(random_.Below(4)); }
  static std::string Body(const std::string& name, const std::string& data,
                          const std::string& revision) {
    return fmt::format(
        R"({{"metadata":{{"name":"{}","resourceVersion":"{}"}},"data":{{"x":"{}"}}}})", name,
        revision, data);
  }

  // A revision is given once.
  void Note(const std::string& name, const std::string& json, const std::string& data) {
    const std::uint64_t revision = RevisionOf(json);
    EXPECT_GT(revision, head_);
    head_ = revision;
    ++changes_;
    model_[name] = {revision, data};
  }

  void Create(const std::string& name) {
    const std::string data = DrawData();
    const net::Response answer = server_.Ask("POST", std::string(kList), Body(name, data, ""));
    ASSERT_EQ(answer.status, model_.contains(name) ? 409 : 201);
    if (answer.status == 201) {
      Note(name, *answer.body, data);
    }
  }

  void Patch(const std::string& name) {
    const std::string data = DrawData();
    Take(name, data,
         server_.Ask("PATCH merge", fmt::format("{}/{}", kList, name),
                     fmt::format(R"({{"data":{{"x":"{}"}}}})", data)),
         404);
  }

  // With the revision that stands there, an older one, or none.
  void Replace(const std::string& name) {
    const std::string data = DrawData();
    const auto standing = model_.find(name);
    const std::uint64_t draw = random_.Below(3);
    const bool stale = draw == 0 && standing != model_.end();
    const std::string revision = standing == model_.end() || draw == 1 ? ""
                                 : stale ? std::to_string(standing->second.first - 1)
                                         : std::to_string(standing->second.first);
    const net::Response answer =
        server_.Ask("PUT", fmt::format("{}/{}", kList, name), Body(name, data, revision));
    if (stale) {
      ASSERT_EQ(answer.status, 409) << *answer.body;
    } else {
      Take(name, data, answer, 404);
    }
  }

  // What changes nothing costs no revision.
  void Take(const std::string& name, const std::string& data, const net::Response& answer,
            int absent) {
    const auto standing = model_.find(name);
    ASSERT_EQ(answer.status, standing == model_.end() ? absent : 200) << *answer.body;
    if (standing == model_.end()) {
      return;
    }
    if (standing->second.second == data) {
      EXPECT_EQ(RevisionOf(*answer.body), standing->second.first);
    } else {
      Note(name, *answer.body, data);
    }
  }

  void Delete(const std::string& name) {
    const net::Response answer = server_.Ask("DELETE", fmt::format("{}/{}", kList, name));
    ASSERT_EQ(answer.status, model_.contains(name) ? 200 : 404);
    changes_ += model_.erase(name);
  }

  // Changes between two pages do not show.
  void CheckPages() {
    const State before = model_;
    std::string page = *server_.Ask("GET", fmt::format("{}?limit=2", kList)).body;
    State seen = StateIn(page);
    if (random_.Below(2) == 0) {
      Create(DrawName());
    }
    for (std::string next = Pick(page, ".metadata.continue"); !next.empty();
         next = Pick(page, ".metadata.continue")) {
      page = *server_.Ask("GET", fmt::format("{}?limit=2&continue={}", kList, next)).body;
      seen.merge(StateIn(page));
    }
    EXPECT_EQ(seen, before);
  }

  // Watches end with the server; new ones begin with what is there.
  void Restart() {
    server_.Restart();
    EXPECT_EQ(StateIn(*server_.Ask("GET", std::string(kList)).body), model_);
    changes_ = model_.size();
    watches_.clear();
    for (std::size_t i = 0; i < kWatchers; ++i) {
      watches_.push_back(server_.Watch(std::string(kList) + "?watch=1"));
    }
  }

  void CheckEnd() {
    EXPECT_EQ(StateIn(*server_.Ask("GET", std::string(kList)).body), model_);
    for (const std::shared_ptr<WatchLog>& log : watches_) {
      EXPECT_EQ(Replay(log->WaitFor(changes_)), model_);
    }
  }

  SeededRandom random_;
  const bool restarts_;
  TestServer server_;
  State model_;
  std::uint64_t head_ = 0;
  std::size_t changes_ = 0;  // that watchers are told of
  std::vector<std::shared_ptr<WatchLog>> watches_;
};

class Model : public testing::TestWithParam<std::uint64_t> {};
INSTANTIATE_TEST_SUITE_P(Shards, Model, testing::Range<std::uint64_t>(1, kShards + 1));

TEST_P(Model, ServerAgreesWithIt) {
  for (std::uint64_t seed = GetParam(); seed <= SequencesWanted() && !HasFailure();
       seed += kShards) {
    SCOPED_TRACE(seed);
    Sequence(seed).Run();
  }
}

}  // namespace
}  // namespace quadra::apiserver

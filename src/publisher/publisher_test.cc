#include "publisher/publisher.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "claims/cluster_for_tests.h"

namespace quadra::publisher {
namespace {

using claims::At;
using claims::kSlices;

// A driver: publishes what it is told.
class Driver final : public client::Controller {
 public:
  explicit Driver(client::ControllerContext& context) : publisher(context) {}
  void Start() override { publisher.Start(); }
  bool idle() const override { return publisher.idle(); }

  Publisher publisher;
};

class PublisherTest : public ::testing::Test {
 protected:
  PublisherTest() {
    cluster_.AddController([this](client::ControllerContext& context) {
      auto driver = std::make_unique<Driver>(context);
      driver_ = driver.get();
      return driver;
    });
    cluster_.Run(std::chrono::seconds(1));
    cluster_.TakeAsked();
  }

  // A slice for each list of devices.
  void Put(const std::vector<std::vector<std::string>>& slices) {
    Pool pool{.driver = "d.example.com", .name = "n1", .owner = {}, .slices = {}};
    for (const auto& devices : slices) {
      api::ResourceSliceSpec spec;
      spec.node_name = "n1";
      for (const std::string& name : devices) {
        spec.devices.emplace_back().name = name;
      }
      pool.slices.push_back(std::move(spec));
    }
    driver_->publisher.Put(std::move(pool));
    cluster_.Run(std::chrono::seconds(2));
  }

  // Of each slice generation, count and devices, sorted.
  std::vector<std::string> Published() {
    std::istringstream lines(
        cluster_.Pick(kSlices,
                      "{range .items[*]}{.spec.pool.generation}/{.spec.pool.resourceSliceCount}: "
                      "{.spec.devices[*].name}\n{end}"));
    std::vector<std::string> all;
    for (std::string line; std::getline(lines, line);) {
      all.push_back(line);
    }
    std::ranges::sort(all);
    return all;
  }
  std::size_t Writes() { return cluster_.TakeAsked().size(); }

  claims::TestCluster cluster_;
  Driver* driver_ = nullptr;
};

using Lines = std::vector<std::string>;

TEST_F(PublisherTest, MakesSlices) {
  Put({{"gpu-0", "gpu-1"}, {"gpu-2"}});
  EXPECT_EQ(Published(), (Lines{"1/2: gpu-0 gpu-1", "1/2: gpu-2"}));
  EXPECT_EQ(Writes(), 2);
}

TEST_F(PublisherTest, WritesNothingWhereAllIsAsWanted) {
  Put({{"gpu-0"}});
  Writes();
  Put({{"gpu-0"}});
  EXPECT_EQ(Writes(), 0);
}

TEST_F(PublisherTest, ChangesAPoolUnderANewGeneration) {
  Put({{"gpu-0"}, {"gpu-1"}});
  const std::string names = cluster_.Names(kSlices);
  Put({{"gpu-0"}, {"gpu-1", "gpu-2"}});
  EXPECT_EQ(Published(), (Lines{"2/2: gpu-0", "2/2: gpu-1 gpu-2"}));
  EXPECT_EQ(cluster_.Names(kSlices), names) << "in place";
}

TEST_F(PublisherTest, DeletesWhatIsLeftOver) {
  Put({{"gpu-0"}, {"gpu-1"}});
  Put({{"gpu-1"}});
  EXPECT_EQ(Published(), Lines{"2/1: gpu-1"});
  driver_->publisher.Remove("d.example.com", "n1");
  cluster_.Run(std::chrono::seconds(2));
  EXPECT_EQ(Published(), Lines{});
}

TEST_F(PublisherTest, MendsWhatOthersDo) {
  Put({{"gpu-0"}});
  const std::string name = cluster_.Pick(kSlices, "{.items[0].metadata.name}");
  cluster_.Patch(At(kSlices, name), R"({"spec":{"devices":[{"name":"mine"}]}})");
  cluster_.Run(std::chrono::seconds(2));
  EXPECT_EQ(Published(), Lines{"2/1: gpu-0"});
  cluster_.Delete(At(kSlices, name));
  cluster_.Run(std::chrono::seconds(2));
  EXPECT_EQ(Published(), Lines{"1/1: gpu-0"}) << "a pool that is gone begins anew";
}

TEST_F(PublisherTest, TriesAgainWhatFails) {
  int refusals = 3;
  cluster_.refuse = [&](const net::Request& request) {
    return request.method == "POST" && refusals-- > 0 ? 500 : 0;
  };
  Put({{"gpu-0"}});
  EXPECT_EQ(Published(), Lines{"1/1: gpu-0"});
  EXPECT_EQ(cluster_.TakeLog().size(), 3);
}

}  // namespace
}  // namespace quadra::publisher

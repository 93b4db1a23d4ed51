// The end of a server: what runs may finish, what is new goes elsewhere.
#include <thread>

#include <gtest/gtest.h>

#include "net/net_for_tests.h"

namespace quadra::net {
namespace {

class Drain : public testing::TestWithParam<Protocols> {
 protected:
  // A request that is begun, and a server that drains meanwhile.
  void SetUp() override {
    server_ = StartServer([this](const Request& /*request*/, Exchange exchange) {
      exchange.Begin(200, {});
      begun_.Set(std::make_shared<Exchange>(std::move(exchange)));
    });
    client_ = MakeClient(*server_, {.protocols = GetParam()});
    client_->Start({.method = "GET", .target = "/"},
                   {.head = [](int, const Headers&) {},
                    .data = [this](std::string_view piece) { read_.append(piece); },
                    .end = [this](const Status& how) { end_.Set(Told(how)); }});
    exchange_ = begun_.Get().value_or(nullptr);
    ASSERT_TRUE(exchange_);
  }

  Awaited<std::shared_ptr<Exchange>> begun_;
  Awaited<std::string> end_;
  std::string read_;
  std::shared_ptr<Exchange> exchange_;
  std::unique_ptr<Server> server_;
  std::unique_ptr<Client> client_;
};
INSTANTIATE_TEST_SUITE_P(Server, Drain, testing::Values(Protocols::kHttp2, Protocols::kHttp1),
                         [](const auto& row) {
                           return row.param == Protocols::kHttp2 ? "Http2" : "Http1";
                         });

TEST_P(Drain, WaitsForTheLastAnswer) {
  Awaited<bool> drained;
  std::thread draining([&] { drained.Set(server_->Drain(kPatience)); });
  exchange_->Write(Share("last words"));
  exchange_->End();
  EXPECT_EQ(end_.Get(), "");
  EXPECT_EQ(read_, "last words");
  EXPECT_EQ(drained.Get(), true);
  draining.join();
  EXPECT_EQ(server_->counts().open, 0U);
  EXPECT_FALSE(client_->Fetch({.method = "GET", .target = "/"})) << "nobody listens any more";
}

TEST_P(Drain, EndsWhatDoesNotEndInTime) {
  EXPECT_FALSE(server_->Drain(std::chrono::milliseconds(20)));
  EXPECT_NE(end_.Get().value_or(""), "");
}

TEST_P(Drain, ClosesWhatIsIdle) {
  exchange_->End();
  EXPECT_EQ(end_.Get(), "");
  EXPECT_TRUE(server_->Drain(kPatience));
}

TEST_P(Drain, HappensByItselfWhenTheServerIsDestroyed) {
  server_.reset();
  EXPECT_NE(end_.Get().value_or(""), "");
  EXPECT_TRUE(exchange_->Gone());
}

}  // namespace
}  // namespace quadra::net

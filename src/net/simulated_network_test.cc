#include "net/simulated_network.h"

#include <map>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "net/client.h"

namespace quadra::net {
namespace {

using std::chrono::milliseconds;

// A time of its own, and one network in it whose server counts what it serves.
class World : public Clock {
 public:
  Time Now() const override { return now_; }

  // All that happens until nothing more does, a line each with the time in ms.
  std::vector<std::string> Ask(const std::string& target, Fate fate) {
    fate_ = fate;
    client_->Start({.method = "GET", .target = target},
                   {.head = [this](int status, const Headers&) { Note(fmt::format("{}", status)); },
                    .data = [this](std::string_view piece) { Note(std::string(piece)); },
                    .end = [this](const Status& how) { Note(how ? "end" : how.error().message); }});
    Run();
    return std::exchange(notes_, {});
  }
  void Run() {
    while (!agenda_.empty()) {
      const auto node = agenda_.extract(agenda_.begin());
      now_ = node.key();
      node.mapped()();
    }
  }
  void Tell(const std::string& line) {
    watch_->Write(Share(line));
    network_.Deliver();
    Run();
  }
  std::vector<std::string> TakeNotes() { return std::exchange(notes_, {}); }
  SimulatedNetwork& network() { return network_; }
  int served() const { return served_; }

 private:
  void Note(const std::string& what) {
    notes_.push_back(fmt::format(
        "{} {}", std::chrono::duration_cast<milliseconds>(now_.time_since_epoch()).count(), what));
  }
  void Serve(const Request& request, Exchange exchange) {
    ++served_;
    if (request.target != "/watch") {
      return exchange.Answer({.status = 200, .body = Share("whole")});
    }
    exchange.Begin(200, {});
    exchange.Write(Share("one\ntw"));
    exchange.Write(Share("o\n"));
    watch_.emplace(std::move(exchange));
  }

  Time now_;
  std::multimap<Time, std::function<void()>> agenda_;
  std::vector<std::string> notes_;
  std::optional<Exchange> watch_;
  int served_ = 0;
  Fate fate_;
  SimulatedNetwork network_{
      {.handler = [this](Request request,
                         Exchange exchange) { Serve(request, std::move(exchange)); },
       .peer = {},
       .clock = *this,
       .after = [this](
                    std::chrono::microseconds delay,
                    std::function<void()> work) { agenda_.emplace(now_ + delay, std::move(work)); },
       .fate = [this](const Request&) { return fate_; }}};
  std::unique_ptr<Client> client_ = Client::Simulated(network_);
};

using Notes = std::vector<std::string>;

TEST(SimulatedNetwork, BringsAnswersWhenTheirFateSays) {
  World world;
  EXPECT_EQ(world.Ask("/a", {.there = milliseconds(2), .back = milliseconds(3)}),
            (Notes{"5 200", "5 whole", "5 end"}));
}

TEST(SimulatedNetwork, LosesRequestsBeforeOrAfterTheyWereServed) {
  World world;
  EXPECT_EQ(world.Ask("/a", {.loss = Fate::Loss::kRequest, .there = milliseconds(4)}),
            Notes{"4 the connection broke (simulated)"});
  EXPECT_EQ(world.served(), 0);
  EXPECT_EQ(world.Ask("/a", {.loss = Fate::Loss::kAnswer, .back = milliseconds(1)}),
            Notes{"5 the connection broke (simulated)"});
  EXPECT_EQ(world.served(), 1);
}

TEST(SimulatedNetwork, BringsStreamsLineByLineInOrder) {
  World world;
  EXPECT_EQ(world.Ask("/watch", {.back = milliseconds(3)}), (Notes{"3 200", "3 one\n", "3 two\n"}));
  world.Tell("three\nfo");
  EXPECT_EQ(world.TakeNotes(), Notes{"6 three\n"});
  world.network().BreakAll();
  EXPECT_EQ(world.TakeNotes(), Notes{"6 the connection broke (simulated)"});
}

TEST(SimulatedNetwork, BreaksStreamsAndRepeatsTheirLines) {
  World world;
  EXPECT_EQ(world.Ask("/watch", {.lines = 1, .repeats = true}),
            (Notes{"0 200", "0 one\n", "0 one\n", "0 the connection broke (simulated)"}));
}

}  // namespace
}  // namespace quadra::net

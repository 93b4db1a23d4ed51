// The queue between a handler and its connection, without a connection.
#include "net/reply.h"

#include <gtest/gtest.h>

namespace quadra::net {
namespace {

struct Opened {
  ~Opened() { mailbox->Close(); }

  int wakes = 0;
  std::shared_ptr<Mailbox> mailbox = std::make_shared<Mailbox>([this] { ++wakes; });
  std::shared_ptr<Reply> reply = std::make_shared<Reply>(mailbox, 7);
};

std::string TakeAll(Reply& reply, std::size_t at_once) {
  std::string out;
  for (Reply::Stock stock = reply.Peek(at_once); stock.bytes > 0; stock = reply.Peek(at_once)) {
    reply.Take(stock.bytes, out);
  }
  return out;
}

TEST(Reply, WholeAnswerHasItsLength) {
  Opened opened;
  Exchange(opened.reply).Answer({.status = 201, .headers = {{"A", "b"}}, .body = Share("hello")});
  const Reply::Head head = opened.reply->TakeHead().value_or(Reply::Head());
  EXPECT_EQ(head.status, 201);
  EXPECT_EQ(head.headers, Headers({{"a", "b"}}));
  EXPECT_EQ(head.length, 5U);
  EXPECT_EQ(opened.reply->Peek(100).ending, Reply::Ending::kEnded);
  EXPECT_EQ(TakeAll(*opened.reply, 100), "hello");
  EXPECT_FALSE(opened.reply->TakeHead()) << "a head is taken once";
}

TEST(Reply, PiecesComeInAnyPortions) {
  for (const std::size_t at_once : {1U, 2U, 3U, 100U}) {
    Opened opened;
    Exchange exchange(opened.reply);
    exchange.Begin(200, {});
    std::string written;
    for (int i = 0; i < 300; ++i) {
      written += std::to_string(i);
      exchange.Write(Share(std::to_string(i)));
    }
    EXPECT_EQ(exchange.Unsent(), written.size());
    EXPECT_EQ(TakeAll(*opened.reply, at_once), written);
    EXPECT_EQ(exchange.Unsent(), 0U);
    EXPECT_EQ(opened.reply->Peek(at_once).ending, Reply::Ending::kOpen);
    exchange.End();
    EXPECT_EQ(opened.reply->Peek(at_once).ending, Reply::Ending::kEnded);
  }
}

TEST(Reply, AnswersWithPartsOfWhatOthersHold) {
  for (const std::size_t at_once : {1U, 2U, 3U, 100U}) {
    Opened opened;
    const Bytes digits = Share("0123456789");
    std::vector<Piece> body;
    std::string expected;
    for (std::size_t i = 0; i < 300; ++i) {
      body.push_back({.bytes = std::string_view(*digits).substr(i % 10, i % 4), .holder = digits});
      body.push_back({.bytes = ",", .holder = nullptr});
      expected.append(*digits, i % 10, i % 4).append(",");
    }
    Exchange(opened.reply).Answer(200, {}, std::move(body));
    EXPECT_EQ(opened.reply->TakeHead().value_or(Reply::Head()).length, expected.size());
    EXPECT_EQ(TakeAll(*opened.reply, at_once), expected);
    EXPECT_EQ(digits.use_count(), 1) << "what has left is not held any more";
    EXPECT_EQ(opened.reply->Peek(at_once).ending, Reply::Ending::kEnded);
  }
}

TEST(Reply, EndsAreToldApart) {
  Opened whole;
  Opened broken;
  Opened dropped;
  {
    Exchange(whole.reply).Answer({});
    Exchange(broken.reply).Begin(200, {});
    const Exchange unanswered(dropped.reply);
  }
  EXPECT_EQ(whole.reply->Peek(1).ending, Reply::Ending::kEnded);
  EXPECT_EQ(broken.reply->Peek(1).ending, Reply::Ending::kBroken);
  EXPECT_EQ(dropped.reply->TakeHead().value_or(Reply::Head()).status, 500);
}

TEST(Reply, WakesOnceForAllThatHappensUntilItIsCollected) {
  Opened opened;
  Exchange exchange(opened.reply);
  exchange.Begin(200, {});
  exchange.Write(Share("a"));
  Exchange other(std::make_shared<Reply>(opened.mailbox, 9));
  other.Begin(200, {});
  EXPECT_EQ(opened.wakes, 1);
  EXPECT_EQ(opened.mailbox->Collect().size(), 2U) << "each reply once";
  EXPECT_TRUE(opened.mailbox->Collect().empty());
  exchange.Write(Share("b"));
  EXPECT_EQ(opened.wakes, 2);
  opened.mailbox->Collect();
  opened.mailbox->Hold();
  exchange.Write(Share("c"));
  EXPECT_EQ(opened.wakes, 2) << "the holder collects anyway";
  EXPECT_EQ(opened.mailbox->Collect().size(), 1U);
  opened.mailbox->Close();
  exchange.End();
  EXPECT_EQ(opened.wakes, 2);
}

TEST(Reply, SaysWhenItIsWritableAgain) {
  Opened opened;
  Exchange exchange(opened.reply);
  int writable = 0;
  exchange.Begin(200, {});
  exchange.Notify({.writable = [&] { ++writable; }, .writable_below = 10});
  std::string out;
  struct Row {
    std::size_t written, taken;
    int notices;
  };
  const Row rows[] = {{5, 5, 0},   {9, 9, 0}, {10, 1, 1}, {1, 1, 2},
                      {20, 19, 2}, {0, 1, 3}, {0, 9, 3}};
  for (const Row& row : rows) {
    exchange.Write(Share(std::string(row.written, 'x')));
    opened.reply->Take(row.taken, out);
    EXPECT_EQ(writable, row.notices) << "after " << out.size() << " bytes";
  }
}

TEST(Reply, SaysOnceThatThePeerHasGone) {
  struct Row {
    const char* name;
    bool notified_before, ended;
    int notices;
  };
  const Row rows[] = {
      {"in the middle", true, false, 1},
      {"before the producer asked", false, false, 1},
      {"after the end", true, true, 0},
  };
  for (const Row& row : rows) {
    SCOPED_TRACE(row.name);
    Opened opened;
    Exchange exchange(opened.reply);
    int gone = 0;
    const auto notify = [&] { exchange.Notify({.gone = [&] { ++gone; }}); };
    exchange.Begin(200, {});
    if (row.notified_before) {
      notify();
    }
    exchange.Write(Share("unsent"));
    if (row.ended) {
      exchange.End();
    }
    opened.reply->Close();
    opened.reply->Close();
    if (!row.notified_before) {
      notify();
    }
    EXPECT_EQ(gone, row.notices);
    EXPECT_TRUE(exchange.Gone());
    EXPECT_EQ(exchange.Unsent(), 0U);
  }
}

// Writes down what it is told.
class Notes final : public Witness {
 public:
  explicit Notes(std::string& notes) : notes_(notes) {}
  void Begins(int status, Headers& headers) override {
    notes_ += std::to_string(status);
    headers.Add("seen", "yes");
  }
  void Ends(std::size_t bytes) override { notes_ += " " + std::to_string(bytes); }

 private:
  std::string& notes_;
};

TEST(Exchange, TellsItsWitnessWhatBecameOfIt) {
  struct Row {
    std::string_view name;
    void (*use)(Exchange& exchange);
    std::string_view told;
  };
  const Row rows[] = {
      {"a whole answer", [](Exchange& e) { e.Answer({.status = 201, .body = Share("abc")}); },
       "201 3"},
      {"a stream",
       [](Exchange& e) {
         e.Begin(200, {});
         e.Write(Share("ab"));
         e.Write(Share("cde"));
         e.End();
       },
       "200 5"},
      {"a stream that is dropped",
       [](Exchange& e) {
         e.Begin(200, {});
         e.Write(Share("ab"));
       },
       "200 2"},
      {"dropped unanswered", [](Exchange&) {}, "500 42"},
      {"given to another holder",
       [](Exchange& e) { Exchange(std::move(e)).Answer({.status = 204}); }, "204 0"},
  };
  for (const Row& row : rows) {
    Opened opened;
    std::string notes;
    {
      Exchange exchange(opened.reply);
      exchange.Attend(std::make_unique<Notes>(notes));
      row.use(exchange);
    }
    EXPECT_EQ(notes, row.told) << row.name;
    const Reply::Head head = opened.reply->TakeHead().value_or(Reply::Head());
    EXPECT_EQ(head.headers.Find("seen"), "yes") << row.name;
  }
}

}  // namespace
}  // namespace quadra::net

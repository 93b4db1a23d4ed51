// What an h2 client makes of what a server may send, fed by hand.
#include "net/h2_client.h"

#include <gtest/gtest.h>

#include "net/h2_frames_for_tests.h"

namespace quadra::net {
namespace {

// One call on a connection, and what became of it.
class OneCall {
 public:
  OneCall()
      : client_(options_, {.retry = [this](const auto&) { seen_ += "retried"; }, .room = [] {}},
                Instant()) {
    Feed(H2Settings());
    call_->request = {.method = "GET", .target = "/"};
    call_->receiver = {
        .head = [this](int status, const Headers&) { seen_ += std::to_string(status) + " "; },
        .data = [this](std::string_view piece) { seen_ += piece; },
        .end = [this](const Status& how) { seen_ += how ? "." : "! " + how.error().message; }};
  }

  Call& call() { return *call_; }

  std::string After(const std::string& frames) {
    client_.Submit(call_);
    Feed(frames);
    return seen_;
  }

  std::string AfterLosing() {
    client_.Lose({.message = "lost"});
    return seen_;
  }

 private:
  void Feed(const std::string& frames) {
    std::string sent;
    client_.Send(sent, 1 << 20, Instant());
    client_.Receive(frames, Instant());
    client_.Send(sent, 1 << 20, Instant());
  }

  const ClientOptions options_;
  std::string seen_;
  std::shared_ptr<Call> call_ = std::make_shared<Call>();
  H2Client client_;
};

const std::string kOk = "\x88";  // :status 200
const std::string kContinue =
    "\x48\x03"
    "100";  // :status 100

TEST(H2Client, TellsEveryEndOfACall) {
  const std::string goaway = Frame(NGHTTP2_GOAWAY, 0, 0, Number(0) + Number(NGHTTP2_NO_ERROR));
  struct Row {
    const char* name;
    std::string frames;
    const char* seen;
  };
  const Row rows[] = {
      {"a head alone", Frame(NGHTTP2_HEADERS, kEnd, 1, kOk), "200 ."},
      {"a body",
       Frame(NGHTTP2_HEADERS, kEndHeaders, 1, kOk) + Frame(NGHTTP2_DATA, 0, 1, "a") +
           Frame(NGHTTP2_DATA, NGHTTP2_FLAG_END_STREAM, 1, "b"),
       "200 ab."},
      {"something before the answer",
       Frame(NGHTTP2_HEADERS, kEndHeaders, 1, kContinue) + Frame(NGHTTP2_HEADERS, kEnd, 1, kOk),
       "200 ."},
      {"broken off",
       Frame(NGHTTP2_HEADERS, kEndHeaders, 1, kOk) + H2Reset(1, NGHTTP2_INTERNAL_ERROR),
       "200 ! the server ended the request: INTERNAL_ERROR"},
      {"refused before it was begun", H2Reset(1, NGHTTP2_REFUSED_STREAM), "retried"},
      {"a server that goes away and did not see it", goaway, "retried"},
      {"nothing yet", Frame(NGHTTP2_HEADERS, kEndHeaders, 1, kOk), "200 "},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(OneCall().After(row.frames), row.seen) << row.name;
  }
}

TEST(H2Client, RetriesOnce) {
  OneCall one;
  one.call().retried = true;
  EXPECT_EQ(one.After(H2Reset(1, NGHTTP2_REFUSED_STREAM)),
            "! the server ended the request: REFUSED_STREAM");
}

TEST(H2Client, LosesWhatIsRunning) {
  OneCall one;
  EXPECT_EQ(one.After(Frame(NGHTTP2_HEADERS, kEndHeaders, 1, kOk)), "200 ");
  EXPECT_EQ(one.AfterLosing(), "200 ! lost");
}

}  // namespace
}  // namespace quadra::net

// Messages of HTTP/1.1 as they are read, whole and byte by byte.
#include "net/h1_reader.h"

#include <gtest/gtest.h>

namespace quadra::net {
namespace {

// Writes down what it is told.
class Notes : public H1Sink {
 public:
  std::string text;

 private:
  void OnHead(H1Head head) override {
    text += head.method + head.target + (head.status > 0 ? std::to_string(head.status) : "");
    for (const Header& header : head.headers) {
      text += " " + header.name + "=" + header.value;
    }
    text += head.keeps_alive ? " keeps:" : " closes:";
  }
  void OnBody(std::string_view piece) override { text += piece; }
};

std::string ReadIn(H1Reader::Kind kind, const std::string& bytes, std::size_t piece) {
  Notes notes;
  H1Reader reader(kind, {.header_bytes = 100, .body_bytes = 10}, notes);
  std::string arrived;
  for (std::size_t at = 0; at < bytes.size(); at += piece) {
    arrived += bytes.substr(at, piece);
    std::string_view left = arrived;
    H1Progress progress = H1Progress::kDone;
    while (!left.empty() && progress == H1Progress::kDone) {
      progress = reader.Read(left);
      notes.text += progress == H1Progress::kDone ? "|" : "";
    }
    if (progress > H1Progress::kDone) {
      constexpr const char* kNames[] = {"", "", "malformed", "header too large", "body too large"};
      return notes.text + kNames[static_cast<int>(progress)];
    }
    arrived = left;
  }
  return notes.text;
}

TEST(H1Reader, ReadsMessagesInAnyPieces) {
  using Kind = H1Reader::Kind;
  struct Row {
    const char* name;
    Kind kind;
    std::string bytes;
    const char* seen;
  };
  const Row rows[] = {
      {"no body", Kind::kRequest, "GET /a HTTP/1.1\r\nHost: h\r\n\r\n", "GET/a host=h keeps:|"},
      {"a length", Kind::kRequest, "PUT / HTTP/1.1\r\ncontent-length: 3\r\n\r\nabc",
       "PUT/ keeps:abc|"},
      {"no length at all", Kind::kRequest, "PUT / HTTP/1.1\r\ncontent-length: 0\r\n\r\n",
       "PUT/ keeps:|"},
      {"two in a row", Kind::kRequest,
       "PUT / HTTP/1.1\r\ncontent-length: 3\r\n\r\nabcGET /b HTTP/1.1\r\nconnection: close\r\n\r\n",
       "PUT/ keeps:abc|GET/b closes:|"},
      {"chunks", Kind::kRequest,
       "PUT / HTTP/1.1\r\ntransfer-encoding: chunked\r\n\r\n3;x=y\r\nabc\r\n02\r\nde\r\n0\r\na: "
       "b\r\n\r\n",
       "PUT/ keeps:abcde|"},
      {"version 1.0", Kind::kRequest, "GET / HTTP/1.0\r\n\r\n", "GET/ closes:|"},
      {"as large as allowed", Kind::kRequest,
       "PUT / HTTP/1.1\r\ntransfer-encoding: chunked\r\n\r\na\r\n0123456789\r\n0\r\n\r\n",
       "PUT/ keeps:0123456789|"},
      {"a length that is too large", Kind::kRequest,
       "PUT / HTTP/1.1\r\ncontent-length: 11\r\n\r\n0123456789a", "PUT/ keeps:body too large"},
      {"chunks that are too large", Kind::kRequest,
       "PUT / HTTP/1.1\r\ntransfer-encoding: chunked\r\n\r\n9\r\n012345678\r\n2\r\n9a\r\n",
       "PUT/ keeps:012345678body too large"},
      {"headers that are too large", Kind::kRequest,
       "GET / HTTP/1.1\r\nx: " + std::string(100, 'x') + "\r\n\r\n", "header too large"},
      {"a chunk of a size beyond numbers", Kind::kRequest,
       "PUT / HTTP/1.1\r\ntransfer-encoding: chunked\r\n\r\n10000000000000000\r\n",
       "PUT/ keeps:malformed"},
      {"a lone line feed", Kind::kRequest,
       "PUT / HTTP/1.1\r\ntransfer-encoding: chunked\r\n\r\n1\na\r\n", "PUT/ keeps:malformed"},
      {"an answer", Kind::kResponse, "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok",
       "200 keeps:ok|"},
      {"an answer that cannot have a body", Kind::kResponse,
       "HTTP/1.1 304 Not Modified\r\ncontent-length: 2\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: "
       "0\r\n\r\n",
       "304 keeps:|200 keeps:|"},
      {"what precedes an answer", Kind::kResponse,
       "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok",
       "100 keeps:|200 keeps:ok|"},
      {"until the end", Kind::kResponse, "HTTP/1.0 200 OK\r\n\r\nall of it",
       "200 closes:all of it"},
      {"no HTTP", Kind::kResponse, "220 mail.example.org ESMTP\r\n\r\n", "malformed"},
  };
  for (const Row& row : rows) {
    for (const std::size_t piece : {std::size_t{1}, std::size_t{7}, row.bytes.size()}) {
      EXPECT_EQ(ReadIn(row.kind, row.bytes, piece), row.seen) << row.name << " by " << piece;
    }
  }
}

}  // namespace
}  // namespace quadra::net

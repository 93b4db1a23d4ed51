// Peers that send nonsense, too much, too slowly, or nothing: each is refused, and the server goes
// on serving the others.
#include <chrono>
#include <string>
#include <thread>

#include <gtest/gtest.h>

#include "net/h2_frames_for_tests.h"
#include "net/h2_server.h"
#include "net/net_for_tests.h"

namespace quadra::net {
namespace {

using std::chrono::milliseconds;

void Ok(const Request& request, Exchange exchange) {
  exchange.Answer(PlainText(200, request.method + " " + request.target));
}

bool StillServes(const Server& server) {
  const Result<Response> answer = MakeClient(server)->Fetch({.method = "GET", .target = "/"});
  return answer && answer->status == 200;
}

std::string FirstLine(const std::string& text) { return text.substr(0, text.find("\r\n")); }

TEST(Hostile, NonsenseInHttp1IsAnsweredAndTheConnectionClosed) {
  struct Row {
    const char* name;
    std::string bytes;
    const char* answer;  // first line; empty: none
  };
  const std::string bad = "HTTP/1.1 400 Bad Request";
  const Row rows[] = {
      {"no HTTP at all", "hello\r\n\r\n", bad.c_str()},
      {"a line without target", "GET HTTP/1.1\r\n\r\n", bad.c_str()},
      {"an unknown version", "GET / HTTP/3.7\r\nhost: h\r\n\r\n", bad.c_str()},
      {"no host", "GET / HTTP/1.1\r\n\r\n", bad.c_str()},
      {"a header without colon", "GET / HTTP/1.1\r\nhost h\r\n\r\n", bad.c_str()},
      {"a space before the colon", "GET / HTTP/1.1\r\nhost : h\r\n\r\n", bad.c_str()},
      {"a NUL", std::string("GET / HTTP/1.1\r\nhost: \0\r\n\r\n", 27), bad.c_str()},
      {"two lengths",
       "POST / HTTP/1.1\r\nhost: h\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nx",
       bad.c_str()},
      {"a length and chunks",
       "POST / HTTP/1.1\r\nhost: h\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n",
       bad.c_str()},
      {"a negative length", "POST / HTTP/1.1\r\nhost: h\r\ncontent-length: -1\r\n\r\n",
       bad.c_str()},
      {"a chunk of no size",
       "POST / HTTP/1.1\r\nhost: h\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n", bad.c_str()},
      {"a chunk of a signed size",
       "POST / HTTP/1.1\r\nhost: h\r\ntransfer-encoding: chunked\r\n\r\n-1\r\n", bad.c_str()},
      {"a chunk that is longer than it says",
       "POST / HTTP/1.1\r\nhost: h\r\ntransfer-encoding: chunked\r\n\r\n1\r\nabc\r\n", bad.c_str()},
      {"a trailer without end",
       "POST / HTTP/1.1\r\nhost: h\r\ntransfer-encoding: chunked\r\n\r\n0\r\n" +
           std::string(5000, 't'),
       bad.c_str()},
      {"an encoding that hides the end",
       "POST / HTTP/1.1\r\nhost: h\r\ntransfer-encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
       bad.c_str()},
      {"h2's beginning", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", bad.c_str()},
      {"a header that does not end", "GET / HTTP/1.1\r\nhost: h\r\nx: " + std::string(5000, 'x'),
       "HTTP/1.1 431 Request Header Fields Too Large"},
      {"a body that is announced too large",
       "POST / HTTP/1.1\r\nhost: h\r\ncontent-length: 99999999\r\n\r\n",
       "HTTP/1.1 413 Request Entity Too Large"},
      {"chunks that grow too large",
       "POST / HTTP/1.1\r\nhost: h\r\ntransfer-encoding: chunked\r\n\r\n7d0\r\n" +
           std::string(2000, 'b') + "\r\n",
       "HTTP/1.1 413 Request Entity Too Large"},
  };
  const auto server = StartServer(Ok, {.limits = {.header_bytes = 4096, .body_bytes = 1000}});
  for (const Row& row : rows) {
    SCOPED_TRACE(row.name);
    RawPeer peer(server->port());
    peer.Send(row.bytes);
    const std::string answer = peer.ReceiveAll();
    EXPECT_EQ(FirstLine(answer), row.answer);
    EXPECT_NE(answer.find("connection: close\r\n"), std::string::npos);
  }
  EXPECT_EQ(server->counts().requests, 0U);
  EXPECT_TRUE(StillServes(*server));
}

TEST(Hostile, NonsenseInH2ClosesTheConnection) {
  struct Row {
    const char* name;
    std::string bytes;
  };
  const Row rows[] = {
      {"HTTP/1.1", "GET / HTTP/1.1\r\nhost: h\r\n\r\n"},
      {"a frame that is too large", H2Preface() + FrameHead(0xffffff, NGHTTP2_DATA, 0, 1)},
      {"data on a stream that is not open", H2Preface() + Frame(NGHTTP2_DATA, 0, 5, "x")},
      {"headers that are no HPACK", H2Preface() + Frame(NGHTTP2_HEADERS, kEnd, 1, "\xff\xff\xff")},
      {"settings of a wrong length", H2Preface() + Frame(NGHTTP2_SETTINGS, 0, 0, "abcde")},
      {"headers on an even stream", H2Preface() + H2Get(2)},
      {"a window that overflows",
       H2Preface() + Frame(NGHTTP2_WINDOW_UPDATE, 0, 0, Number(0x7fffffff))},
  };
  const auto server = StartServer(Ok);
  for (const Row& row : rows) {
    SCOPED_TRACE(row.name);
    RawPeer peer(server->port(), "h2");
    peer.Send(row.bytes);
    peer.ReceiveAll();  // ends, or the test waits in vain
  }
  EXPECT_EQ(server->counts().requests, 0U);
  EXPECT_TRUE(StillServes(*server));
}

TEST(Hostile, PlainHttpIsToldSo) {
  const auto server = StartServer(Ok);
  RawSocket socket(server->port());
  socket.Send("GET / HTTP/1.1\r\nhost: h\r\n\r\n");
  EXPECT_EQ(socket.ReceiveAll(),
            "HTTP/1.0 400 Bad Request\r\n\r\nClient sent an HTTP request to an HTTPS server.\n");
  RawSocket noise(server->port());
  noise.Send(std::string(100, '\x16'));
  noise.ReceiveAll();
  EXPECT_TRUE(StillServes(*server));
  EXPECT_EQ(server->counts().failed_handshakes, 2U);
}

TEST(Hostile, WhoeverIsSilentIsClosed) {
  struct Row {
    const char* name;
    Limits limits;
    std::string protocol;  // of TLS; empty: plain bytes
    std::string bytes;
  };
  const milliseconds soon(30);
  const Row rows[] = {
      {"a half-open connection", {.header = soon}, "", ""},
      {"half a handshake", {.header = soon}, "", "\x16\x03\x01"},
      {"no request", {.header = soon}, "http/1.1", ""},
      {"half a header", {.header = soon}, "http/1.1", "GET / HTTP/1.1\r\nhos"},
      {"half a body",
       {.body = soon},
       "http/1.1",
       "POST / HTTP/1.1\r\nhost: h\r\ncontent-length: 9\r\n\r\nhalf"},
      {"idle after a request", {.idle = soon}, "http/1.1", "GET / HTTP/1.1\r\nhost: h\r\n\r\n"},
      {"idle h2", {.idle = soon}, "h2", H2Preface()},
      {"half a body of h2, then idle",
       {.idle = soon, .body = soon},
       "h2",
       H2Preface() + H2PostBegun(1)},
  };
  for (const Row& row : rows) {
    SCOPED_TRACE(row.name);
    const auto server = StartServer(Ok, {.limits = row.limits});
    if (row.protocol.empty()) {
      RawSocket socket(server->port());
      socket.Send(row.bytes);
      socket.ReceiveAll();
    } else {
      RawPeer peer(server->port(), row.protocol);
      peer.Send(row.bytes);
      peer.ReceiveAll();
    }
    EXPECT_LE(server->counts().requests, 1U);
  }
}

TEST(Hostile, WhoeverTakesNothingIsClosed) {
  for (const char* protocol : {"http/1.1", "h2"}) {
    SCOPED_TRACE(protocol);
    Awaited<bool> gone;
    const auto server = StartServer(
        [&](const Request& /*request*/, Exchange exchange) {
          exchange.Notify({.gone = [gone]() mutable { gone.Set(true); }});
          exchange.Begin(200, {});
          exchange.Write(Share(std::string(std::size_t{24} << 20, 'x')));
          std::thread([held = std::make_shared<Exchange>(std::move(exchange)), gone]() mutable {
            gone.Get();
          }).detach();
        },
        {.limits = {.stall = milliseconds(50)}});
    RawPeer peer(server->port(), protocol);
    // GET / by either protocol; nothing of the answer is read.
    peer.Send(std::string_view(protocol) == "h2" ? H2Preface() + H2Get(1)
                                                 : "GET / HTTP/1.1\r\nhost: h\r\n\r\n");
    EXPECT_TRUE(gone.Get());
  }
}

// A client that opens streams and resets them at once makes the server work for nothing. Fed by
// hand, so that the count does not depend on how the bytes arrive.
TEST(Hostile, FloodsOfResetsEndTheConnection) {
  Service service;
  int handled = 0;
  service.handler = [&](const Request&, Exchange exchange) {
    ++handled;
    exchange.Answer({});
  };
  const Instant now;
  H2Server server(service, std::make_shared<Peer>(), std::make_shared<Mailbox>([] {}), now);
  std::string sent;
  server.Receive(H2Preface(), now);
  int resets = 0;
  for (std::uint32_t id = 1; id < 200'000 && !server.Finished(); id += 2, ++resets) {
    server.Receive(H2PostBegun(id) + H2Reset(id, NGHTTP2_CANCEL), now);
    server.Send(sent, sent.size() + 1000, now);
  }
  EXPECT_TRUE(server.Finished());
  EXPECT_LT(resets, 6000);
  EXPECT_EQ(handled, 0);
}

TEST(Hostile, FloodsOfPingsEndTheConnection) {
  Service service;
  service.handler = Ok;
  const Instant now;
  H2Server server(service, std::make_shared<Peer>(), std::make_shared<Mailbox>([] {}), now);
  server.Receive(H2Preface(), now);
  int pings = 0;
  for (; pings < 200'000 && !server.Finished(); ++pings) {  // and takes none of the answers
    server.Receive(Frame(NGHTTP2_PING, 0, 0, "abcdefgh"), now);
  }
  EXPECT_LT(pings, 2000);
}

}  // namespace
}  // namespace quadra::net

// How a client reaches its server: through a proxy, below a path, without judging it, and with
// another certificate than at first.
#include <array>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/mutex.h"
#include "net/net_for_tests.h"

namespace quadra::net {
namespace {

// Answers with the path that was asked for and who asked.
void Echo(const Request& request, Exchange exchange) {
  const std::string who = request.peer->identity ? request.peer->identity->common_name : "nobody";
  exchange.Answer(PlainText(200, request.target + " " + who));
}

std::string Fetched(Client& client, std::string target = "/x") {
  const auto answer = client.Fetch({.method = "GET", .target = std::move(target)});
  return answer ? *answer->body : answer.error().message;
}

// Serves one connection: reads a head, gives its answer, and then, where it is told a port, passes
// bytes both ways until one side ends.
class OneProxy {
 public:
  explicit OneProxy(std::string answer, std::uint16_t onwards = 0)
      : listener_(::socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in address{.sin_family = AF_INET};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof(address);
    auto* const any = reinterpret_cast<sockaddr*>(&address);
    QUADRA_CHECK(bind(listener_, any, size) == 0 && listen(listener_, 1) == 0 &&
                     getsockname(listener_, any, &size) == 0,
                 "there is a free port");
    port_ = ntohs(address.sin_port);
    thread_ = std::thread([this, answer = std::move(answer), onwards] { Serve(answer, onwards); });
  }
  ~OneProxy() {
    ::shutdown(listener_, SHUT_RDWR);
    thread_.join();
    ::close(listener_);
  }
  OneProxy(const OneProxy&) = delete;
  OneProxy& operator=(const OneProxy&) = delete;

  Proxy address() const { return {.host = "127.0.0.1", .port = port_}; }
  std::string head() const {
    MutexLock lock(mutex_);
    return head_;
  }

 private:
  void Serve(const std::string& answer, std::uint16_t onwards) {
    const int peer = ::accept(listener_, nullptr, nullptr);
    if (peer < 0) {
      return;
    }
    ReadHead(peer);
    static_cast<void>(::send(peer, answer.data(), answer.size(), MSG_NOSIGNAL));
    if (onwards != 0) {
      Pass(peer, onwards);
    }
    ::close(peer);
  }

  void ReadHead(int peer) {
    char byte = 0;
    std::string head;
    while (!head.ends_with("\r\n\r\n") && ::recv(peer, &byte, 1, 0) == 1) {
      head += byte;
    }
    MutexLock lock(mutex_);
    head_ = head;
  }

  static void Pass(int peer, std::uint16_t onwards) {
    const int target = ::socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address{.sin_family = AF_INET, .sin_port = htons(onwards)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    QUADRA_CHECK(connect(target, reinterpret_cast<sockaddr*>(&address), sizeof(address)) == 0,
                 "the server listens");
    std::array<pollfd, 2> both = {pollfd{.fd = peer, .events = POLLIN, .revents = 0},
                                  pollfd{.fd = target, .events = POLLIN, .revents = 0}};
    for (bool open = true; open && poll(both.data(), both.size(), -1) > 0;) {
      open = (both[0].revents == 0 || Copy(peer, target)) &&
             (both[1].revents == 0 || Copy(target, peer));
    }
    ::close(target);
  }

  static bool Copy(int from, int to) {
    std::array<char, 16 << 10> part{};
    const ssize_t got = ::recv(from, part.data(), part.size(), 0);
    return got > 0 && ::send(to, part.data(), static_cast<std::size_t>(got), MSG_NOSIGNAL) == got;
  }

  const int listener_;
  std::uint16_t port_ = 0;
  mutable Mutex mutex_;
  std::string head_ QUADRA_GUARDED_BY(mutex_);
  std::thread thread_;
};

TEST(Reach, GoesThroughAProxy) {
  for (const Protocols protocols : {Protocols::kHttp2, Protocols::kHttp1}) {
    const auto server = StartServer(Echo);
    const OneProxy proxy("HTTP/1.1 200 Connection established\r\nVia: x\r\n\r\n", server->port());
    auto client = MakeClient(*server, {.proxy = proxy.address(), .protocols = protocols});
    EXPECT_EQ(Fetched(*client), "/x nobody\n");
    const std::string authority = "127.0.0.1:" + std::to_string(server->port());
    EXPECT_EQ(proxy.head(),
              "CONNECT " + authority + " HTTP/1.1\r\nHost: " + authority + "\r\n\r\n");
    client.reset();
  }
}

TEST(Reach, SaysWhatAProxyRefused) {
  struct Row {
    std::string answer;
    std::string message;
  };
  const std::vector<Row> rows = {
      {"HTTP/1.1 407 Proxy Authentication Required\r\n\r\n",
       "the proxy refused: 407 Proxy Authentication Required"},
      {"SSH-2.0-OpenSSH\r\n\r\n", "the proxy does not speak HTTP"},
      {"HTTP/1.1 200 OK\r\n\r\nextra", "the proxy said more than it should"},
      {"", "the proxy: End of file"},
      {std::string(20'000, 'x'), "the proxy: Element not found"},
  };
  for (const Row& row : rows) {
    const auto server = StartServer(Echo);
    const OneProxy proxy(row.answer);
    const auto client = MakeClient(*server, {.proxy = proxy.address()});
    EXPECT_EQ(Fetched(*client),
              "cannot reach 127.0.0.1:" + std::to_string(server->port()) + ": " + row.message);
  }
}

TEST(Reach, NamesAProxyThatIsNotThere) {
  const auto server = StartServer(Echo);
  const auto client = MakeClient(*server, {.proxy = Proxy{.host = "127.0.0.1", .port = 1}});
  EXPECT_EQ(Fetched(*client), "cannot reach 127.0.0.1:" + std::to_string(server->port()) +
                                  ": the proxy 127.0.0.1:1: Connection refused");
}

TEST(Reach, PutsItsPathBeforeTargets) {
  const auto server = StartServer(Echo);
  const auto client = MakeClient(*server, {.path = "/clusters/a"});
  EXPECT_EQ(Fetched(*client, "/api?x=1"), "/clusters/a/api?x=1 nobody\n");
}

TEST(Reach, BelievesAnybodyWhereItIsToldTo) {
  const auto server = StartServer(Echo);
  const auto client = Client::Make({.port = server->port(), .server_name = "x", .insecure = true});
  ASSERT_TRUE(client) << client.error().ToString();
  EXPECT_EQ(Fetched(**client), "/x nobody\n");
}

TEST(Reach, TheMachinesAuthoritiesDoNotVouchForOurs) {
  const auto server = StartServer(Echo);
  const auto client = Client::Make({.port = server->port(), .system_authorities = true});
  ASSERT_TRUE(client) << client.error().ToString();
  EXPECT_NE(Fetched(**client).find("certificate verify failed"), std::string::npos);
}

TEST(Reach, ShowsAnotherCertificateFromNowOn) {
  const Credential eve = *IssueClient(Pki::Shared().authority, {"eve", {}}, SystemClock().Now());
  for (const Protocols protocols : {Protocols::kHttp2, Protocols::kHttp1}) {
    Awaited<std::shared_ptr<Exchange>> begun;
    const auto server = StartServer([&](const Request& request, Exchange exchange) {
      if (request.target == "/watch") {
        exchange.Begin(200, {});
        begun.Set(std::make_shared<Exchange>(std::move(exchange)));
      } else {
        Echo(request, std::move(exchange));
      }
    });
    const auto client =
        MakeClient(*server, {.credential = Pki::Shared().admin, .protocols = protocols});
    EXPECT_EQ(Fetched(*client), "/x admin\n");
    Awaited<std::string> end;
    client->Start({.method = "GET", .target = "/watch"},
                  {.head = [](int, const Headers&) {},
                   .data = [](std::string_view) {},
                   .end = [&](const Status& how) { end.Set(Told(how)); }});
    const std::shared_ptr<Exchange> watch = begun.Get().value_or(nullptr);
    ASSERT_TRUE(watch);
    EXPECT_FALSE(client->Use({.certificate = "x", .key = "y"}));
    EXPECT_EQ(Fetched(*client), "/x admin\n");
    EXPECT_TRUE(client->Use(eve));
    EXPECT_EQ(Fetched(*client), "/x eve\n");
    watch->End();
    EXPECT_EQ(end.Get(), "") << "what was under way goes on";
    EXPECT_EQ(Fetched(*client), "/x eve\n");
  }
}

}  // namespace
}  // namespace quadra::net

#include "net/tunnel.h"

#include <string_view>
#include <utility>

#include <boost/asio/buffer.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/write.hpp>
#include <fmt/format.h>

namespace quadra::net {
namespace {

using boost::system::error_code;

constexpr std::size_t kMostHead = 16 << 10;
constexpr std::string_view kEndOfHead = "\r\n\r\n";

struct Asking {
  std::string request;
  std::string answer;
  std::function<void(const Status&)> done;
};

Status Refused(std::string why) { return Fail(ErrorKind::kUnreadable, std::move(why)); }

// "HTTP/1.1 200 Connection established"; whatever may follow is none of ours.
Status Judge(std::string_view answer, std::size_t head) {
  const std::string_view line = answer.substr(0, answer.find('\r'));
  const std::size_t space = line.find(' ');
  if (!line.starts_with("HTTP/1.") || space == std::string_view::npos) {
    return Refused("the proxy does not speak HTTP");
  }
  if (line.substr(space + 1, 1) != "2") {
    return Refused(fmt::format("the proxy refused: {}", line.substr(space + 1)));
  }
  return answer.size() > head ? Refused("the proxy said more than it should") : Status();
}

}  // namespace

void OpenTunnel(boost::asio::ip::tcp::socket& socket, const std::string& authority,
                std::function<void(const Status&)> done) {
  const auto asking = std::make_shared<Asking>(
      Asking{.request = fmt::format("CONNECT {0} HTTP/1.1\r\nHost: {0}\r\n\r\n", authority),
             .answer = {},
             .done = std::move(done)});
  const auto answered = [asking](const error_code& error, std::size_t head) {
    asking->done(error ? Refused(fmt::format("the proxy: {}", error.message()))
                       : Judge(asking->answer, head));
  };
  const auto asked = [asking, answered, &socket](const error_code& error, std::size_t /*sent*/) {
    if (error) {
      return answered(error, 0);
    }
    boost::asio::async_read_until(socket, boost::asio::dynamic_buffer(asking->answer, kMostHead),
                                  kEndOfHead, answered);
  };
  boost::asio::async_write(socket, boost::asio::buffer(asking->request), asked);
}

}  // namespace quadra::net

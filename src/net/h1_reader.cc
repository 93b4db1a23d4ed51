#include "net/h1_reader.h"

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <utility>

#include <boost/asio/buffer.hpp>
#include <boost/beast/http/basic_parser.hpp>
#include <boost/beast/http/error.hpp>

namespace quadra::net {
namespace {

namespace http = boost::beast::http;
using boost::beast::string_view;
using boost::system::error_code;

constexpr std::string_view kHeadEnd = "\r\n\r\n";

constexpr auto kFramingFields =
    std::to_array({http::field::connection, http::field::content_length, http::field::expect,
                   http::field::keep_alive, http::field::proxy_connection,
                   http::field::transfer_encoding, http::field::upgrade});

// Beast's parser, for one head that has arrived as a whole.
template <bool kIsRequest>
class HeadParser final : private http::basic_parser<kIsRequest> {
 public:
  // Nothing where it is no head.
  std::optional<H1Head> Parse(std::string_view bytes) {
    this->skip(true);  // the body is not its business
    this->header_limit(std::numeric_limits<std::uint32_t>::max());
    error_code error;
    this->put(boost::asio::buffer(bytes.data(), bytes.size()), error);
    if (error || !this->is_done()) {
      return std::nullopt;
    }
    head_.keeps_alive = this->keep_alive();
    SetFraming();
    return std::move(head_);
  }

 private:
  void SetFraming() {
    if (this->chunked()) {
      head_.framing = H1Framing::kChunked;
    } else if (const auto length = this->content_length()) {
      head_.framing = H1Framing::kLength;
      head_.length = *length;
    } else {
      head_.framing = kIsRequest ? H1Framing::kNone : H1Framing::kClose;
    }
  }

  void on_request_impl(http::verb /*verb*/, string_view method, string_view target, int version,
                       error_code& /*error*/) override {
    head_.method = std::string(method);
    head_.target = std::string(target);
    head_.http10 = version < 11;
  }

  void on_response_impl(int status, string_view /*reason*/, int version,
                        error_code& /*error*/) override {
    head_.status = status;
    head_.http10 = version < 11;
  }

  // An encoding other than chunks would hide where the body ends.
  void on_field_impl(http::field field, string_view name, string_view value,
                     error_code& error) override {
    if (field == http::field::transfer_encoding && !boost::beast::iequals(value, "chunked")) {
      error = http::error::bad_transfer_encoding;
    } else if (field == http::field::expect) {
      head_.expects_continue = boost::beast::iequals(value, "100-continue");
    }
    if (std::ranges::find(kFramingFields, field) == kFramingFields.end()) {
      head_.headers.Add(std::string(name), std::string(value));
    }
  }

  void on_header_impl(error_code& /*error*/) override {}
  void on_body_init_impl(const boost::optional<std::uint64_t>& /*length*/,
                         error_code& /*error*/) override {}
  std::size_t on_body_impl(string_view piece, error_code& /*error*/) override {
    return piece.size();
  }
  void on_chunk_header_impl(std::uint64_t /*size*/, string_view /*extensions*/,
                            error_code& /*error*/) override {}
  std::size_t on_chunk_body_impl(std::uint64_t /*left*/, string_view piece,
                                 error_code& /*error*/) override {
    return piece.size();
  }
  void on_finish_impl(error_code& /*error*/) override {}

  H1Head head_;
};

std::optional<H1Head> ParseHead(H1Reader::Kind kind, std::string_view bytes) {
  return kind == H1Reader::Kind::kRequest ? HeadParser<true>().Parse(bytes)
                                          : HeadParser<false>().Parse(bytes);
}

}  // namespace

H1Progress H1Reader::Read(std::string_view& bytes) {
  H1Progress progress = in_body_ ? H1Progress::kDone : ReadHead(bytes);
  if (progress == H1Progress::kDone) {
    progress = body_.Read(bytes, sink_);
    in_body_ = progress != H1Progress::kDone;
  }
  return progress;
}

H1Progress H1Reader::ReadHead(std::string_view& bytes) {
  const std::size_t end = bytes.find(kHeadEnd, searched_);
  const bool whole = end != std::string_view::npos;
  const std::size_t size = whole ? end + kHeadEnd.size() : bytes.size();
  searched_ = whole ? 0 : size - std::min(size, kHeadEnd.size() - 1);
  if (size > bounds_.header_bytes) {
    return H1Progress::kHeaderTooLarge;
  }
  if (!whole) {
    return H1Progress::kNeedsMore;
  }
  std::optional<H1Head> head = ParseHead(kind_, bytes.substr(0, size));
  if (!head) {
    return H1Progress::kMalformed;
  }
  bytes.remove_prefix(size);
  return Begin(*std::move(head));
}

H1Progress H1Reader::Begin(H1Head head) {
  if (kind_ == Kind::kResponse && !HasBody(expects_body_ ? "GET" : "HEAD", head.status)) {
    head.framing = H1Framing::kNone;
    expects_body_ = expects_body_ || head.status >= 200;  // what precedes an answer is none
  }
  const bool too_large = head.framing == H1Framing::kLength && head.length > bounds_.body_bytes;
  body_ = H1Body(head.framing, head.length, bounds_.body_bytes);
  sink_.OnHead(std::move(head));
  return too_large ? H1Progress::kBodyTooLarge : H1Progress::kDone;
}

}  // namespace quadra::net

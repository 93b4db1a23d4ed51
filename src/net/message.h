// The nouns of HTTP as both protocols, both roles and calls inside the process see them.
//
// What differs between h2 and HTTP/1.1 is levelled out below: names of headers are lower case, the
// host is the header `host`, a body has no chunks, and framing headers are neither seen nor set.
//
//   Request get{.method = "GET", .target = "/healthz"};
//   Response ok{.status = 200, .headers = {{"content-type", "text/plain"}}, .body = Share("ok")};
#pragma once

#include <cstddef>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace quadra::net {

// Bytes that many may send at once: never changed, and freed after the last has sent them.
using Bytes = std::shared_ptr<const std::string>;
Bytes Share(std::string text);

// A part of an answer: bytes that others may hold as well, and what keeps them.
struct Piece {
  std::string_view bytes;
  std::shared_ptr<const void> holder;  // null: they are never freed
};
// All of them; nothing where they are null.
Piece Whole(Bytes bytes);

struct Header {
  std::string name;
  std::string value;

  friend bool operator==(const Header&, const Header&) = default;
};

// Headers in the order in which they were added; a name may occur more than once. Messages have
// few, so finding one is a scan.
class Headers {
 public:
  Headers() = default;
  Headers(std::initializer_list<Header> headers);

  // The name is stored in lower case. Line breaks and NUL in a value become spaces, so that no
  // value can end its line and forge the next one.
  void Add(std::string name, std::string value);

  // The first value of that name, which must be in lower case.
  std::optional<std::string_view> Find(std::string_view name) const;

  std::size_t size() const { return headers_.size(); }
  bool empty() const { return headers_.empty(); }
  auto begin() const { return headers_.begin(); }
  auto end() const { return headers_.end(); }

  friend bool operator==(const Headers&, const Headers&) = default;

 private:
  std::vector<Header> headers_;
};

// Whom a certificate names: its last common name and all its organisations, in their order.
struct Identity {
  std::string common_name;
  std::vector<std::string> organizations;

  friend bool operator==(const Identity&, const Identity&) = default;
};

// The other end of a connection. A client certificate that our authorities do not vouch for does
// not end the connection: as in kube-apiserver, it is for the handler to refuse its requests.
struct Peer {
  std::string address;               // 127.0.0.1:40312
  std::optional<Identity> identity;  // of a certificate that was verified
  std::string distrust;              // why the certificate that was shown is not trusted
  std::string fingerprint = {};      // of the certificate of `identity`: SHA-256 in hexadecimal
};

struct Request {
  std::string method;
  std::string target;  // path and query as they were sent
  Headers headers;
  std::string body;
  std::shared_ptr<const Peer> peer;  // never null in a handler
};

struct Response {
  int status = 200;
  Headers headers;
  Bytes body;  // null: empty
};

// What a message of ours that is no object of anyone's API looks like: one line of plain text.
Response PlainText(int status, std::string_view text);

// For a request that finds no room, with the advice to come back in a second; kube-apiserver's words.
Response TooManyRequests();

// "Not Found" for 404; "status 499" for a number that nobody has named.
std::string ReasonPhrase(int status);

// Whether an answer to this method with this status has a body at all.
bool HasBody(std::string_view method, int status);

}  // namespace quadra::net

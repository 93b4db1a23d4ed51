// H1Reader: one message of HTTP/1.1 after the other out of bytes that arrive in any pieces.
//
// Beast judges heads, H1Body reads bodies. Both are strict: what they refuse ends the connection,
// since nobody knows where the next message would begin. A head is judged when all of it has
// arrived, so that it does not matter in which pieces it does.
//
//   H1Reader reader(H1Reader::Kind::kRequest, bounds, sink);
//   switch (reader.Read(bytes)) { ... }      // takes from the front of `bytes` what it could use
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "net/h1_body.h"
#include "net/message.h"

namespace quadra::net {

// What precedes a body. Headers that say how the message travels are left out: it ends here.
struct H1Head {
  std::string method;  // of a request
  std::string target;
  int status = 0;  // of a response
  Headers headers;
  bool http10 = false;
  bool keeps_alive = false;       // the connection is meant to serve another message
  bool expects_continue = false;  // the body comes after a 100
  H1Framing framing = H1Framing::kNone;
  std::uint64_t length = 0;  // for kLength
};

class H1Sink {
 public:
  virtual ~H1Sink() = default;
  virtual void OnHead(H1Head head) = 0;
  virtual void OnBody(std::string_view piece) = 0;
};

class H1Reader {
 public:
  enum class Kind { kRequest, kResponse };
  struct Bounds {
    std::size_t header_bytes;
    std::size_t body_bytes;
  };
  // `sink` must outlive it.
  H1Reader(Kind kind, Bounds bounds, H1Sink& sink) : kind_(kind), bounds_(bounds), sink_(sink) {}

  // Reads up to the end of a message. After kDone the next call begins another message; after an
  // error there is none. What is not taken must be brought again, with more behind it.
  H1Progress Read(std::string_view& bytes);

  // The next message has no body, whatever its headers say: it answers a HEAD.
  void ExpectNoBody() { expects_body_ = false; }

  // Whether only the end of the connection ends the message that is read now.
  bool EndsWithConnection() const { return in_body_ && body_.framing() == H1Framing::kClose; }

 private:
  H1Progress ReadHead(std::string_view& bytes);
  H1Progress Begin(H1Head head);

  const Kind kind_;
  const Bounds bounds_;
  H1Sink& sink_;
  bool expects_body_ = true;
  std::size_t searched_ = 0;  // bytes in which the head does not end
  bool in_body_ = false;      // the head was read
  H1Body body_;
};

}  // namespace quadra::net

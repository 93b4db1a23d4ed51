// H1Body: the body of one message of HTTP/1.1 out of bytes that arrive in any pieces.
//
// Ours instead of Beast's, whose reader of chunks has an assertion that a peer can fail (1.81). As
// strict as it can be: lines end with CR LF, sizes are bare digits, and whatever could be read in
// two ways is refused, since a proxy before us may read it the other way.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace quadra::net {

class H1Sink;

enum class H1Progress { kNeedsMore, kDone, kMalformed, kHeaderTooLarge, kBodyTooLarge };

// How a reader learns where a body ends.
enum class H1Framing {
  kNone,     // there is no body
  kLength,   // content-length
  kChunked,  // the last chunk
  kClose,    // the end of the connection
};

class H1Body {
 public:
  H1Body() = default;  // ended
  // `length` is for kLength, `most_bytes` for kChunked.
  H1Body(H1Framing framing, std::uint64_t length, std::uint64_t most_bytes);

  H1Framing framing() const { return framing_; }

  // Takes from the front of `bytes` what it could use; what is left must be brought again.
  H1Progress Read(std::string_view& bytes, H1Sink& sink);

 private:
  // What comes next: bytes of the body, one of the lines of chunks, or nothing.
  enum class Step { kData, kSize, kDataEnd, kTrailer, kEnded };

  void TakeData(std::string_view& bytes, H1Sink& sink);
  H1Progress TakeLine(std::string_view& bytes);
  H1Progress OnLine(std::string_view line);
  H1Progress OnSize(std::string_view line);

  H1Framing framing_ = H1Framing::kNone;
  Step step_ = Step::kEnded;
  std::uint64_t left_ = 0;  // of the body, or of the chunk
  std::uint64_t most_bytes_ = 0;
  std::size_t trailer_bytes_ = 0;
};

}  // namespace quadra::net

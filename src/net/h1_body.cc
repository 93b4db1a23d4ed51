#include "net/h1_body.h"

#include <algorithm>
#include <charconv>
#include <limits>

#include "net/h1_reader.h"

namespace quadra::net {
namespace {

constexpr std::size_t kMostLine = 4096;
constexpr std::size_t kMostTrailers = 4096;
constexpr std::string_view kLineEnd = "\r\n";

}  // namespace

H1Body::H1Body(H1Framing framing, std::uint64_t length, std::uint64_t most_bytes)
    : framing_(framing), most_bytes_(most_bytes) {
  if (framing == H1Framing::kChunked) {
    step_ = Step::kSize;
  } else if (framing == H1Framing::kClose || (framing == H1Framing::kLength && length > 0)) {
    step_ = Step::kData;
    left_ = framing == H1Framing::kClose ? std::numeric_limits<std::uint64_t>::max() : length;
  }
}

H1Progress H1Body::Read(std::string_view& bytes, H1Sink& sink) {
  H1Progress progress = H1Progress::kDone;
  while (step_ != Step::kEnded && progress == H1Progress::kDone) {
    if (bytes.empty()) {
      return H1Progress::kNeedsMore;
    }
    if (step_ == Step::kData) {
      TakeData(bytes, sink);
    } else {
      progress = TakeLine(bytes);
    }
  }
  return progress;
}

void H1Body::TakeData(std::string_view& bytes, H1Sink& sink) {
  const std::size_t part = std::min<std::uint64_t>(left_, bytes.size());
  sink.OnBody(bytes.substr(0, part));
  bytes.remove_prefix(part);
  left_ -= part;
  if (left_ == 0) {
    step_ = framing_ == H1Framing::kChunked ? Step::kDataEnd : Step::kEnded;
  }
}

H1Progress H1Body::TakeLine(std::string_view& bytes) {
  const std::size_t end = bytes.find(kLineEnd);
  if (end == std::string_view::npos && bytes.size() <= kMostLine + 1) {
    return H1Progress::kNeedsMore;
  }
  const std::string_view line = bytes.substr(0, std::min(end, bytes.size()));
  if (line.size() > kMostLine || line.find_first_of(kLineEnd) != std::string_view::npos) {
    return H1Progress::kMalformed;
  }
  bytes.remove_prefix(line.size() + kLineEnd.size());
  return OnLine(line);
}

H1Progress H1Body::OnLine(std::string_view line) {
  if (step_ == Step::kSize) {
    return OnSize(line);
  }
  if (step_ == Step::kDataEnd) {
    step_ = Step::kSize;
    return line.empty() ? H1Progress::kDone : H1Progress::kMalformed;
  }
  trailer_bytes_ += line.size();
  step_ = line.empty() ? Step::kEnded : Step::kTrailer;
  return trailer_bytes_ <= kMostTrailers ? H1Progress::kDone : H1Progress::kMalformed;
}

// "1f" or "1f;extension"; extensions mean nothing to us.
H1Progress H1Body::OnSize(std::string_view line) {
  const char* const begin = line.data();
  const char* const end = begin + std::min(line.find(';'), line.size());
  const auto [parsed, error] = std::from_chars(begin, end, left_, 16);
  if (error != std::errc() || parsed != end) {
    return H1Progress::kMalformed;
  }
  if (left_ > most_bytes_) {
    return H1Progress::kBodyTooLarge;
  }
  most_bytes_ -= left_;
  step_ = left_ == 0 ? Step::kTrailer : Step::kData;
  return H1Progress::kDone;
}

}  // namespace quadra::net

#include "api/proto_encode.h"

#include <bit>

namespace quadra::api {
namespace {

constexpr std::size_t kFirstRoom = 4096;

}  // namespace

void BackBuffer::PutLongVarint(std::uint64_t number) {
  start_ -= static_cast<std::size_t>(std::bit_width(number) + 6) / 7;
  char* at = buffer_.get() + start_;
  for (; number >= 0x80; number >>= 7) {
    *at++ = static_cast<char>(number | 0x80);
  }
  *at = static_cast<char>(number);
}

// Doubles at least, so that every byte is moved once on average.
void BackBuffer::Grow(std::size_t bytes) {
  const std::size_t used = size();
  const std::size_t room = std::max(used + bytes, kFirstRoom);
  auto larger = std::make_unique_for_overwrite<char[]>(used + room);
  if (used > 0) {
    std::memcpy(larger.get() + room, buffer_.get() + start_, used);
  }
  buffer_ = std::move(larger);
  capacity_ = used + room;
  start_ = room;
}

}  // namespace quadra::api

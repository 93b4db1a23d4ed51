#include "api/proto_encode.h"

namespace quadra::api {

void BackBuffer::Varint(std::uint64_t number) {
  char bytes[10];
  std::size_t count = 0;
  for (; number >= 0x80; number >>= 7) {
    bytes[count++] = static_cast<char>(number | 0x80);
  }
  bytes[count++] = static_cast<char>(number);
  Bytes({bytes, count});
}

void BackBuffer::Grow(std::size_t bytes) {
  const std::size_t used = size();
  const std::size_t room = std::max<std::size_t>(used + bytes, 4096);
  std::string larger(used + room, '\0');
  std::memcpy(larger.data() + room, buffer_.data() + start_, used);
  buffer_ = std::move(larger);
  start_ = room;
}

}  // namespace quadra::api

// What gzip has packed, unpacked.
#pragma once

#include <string>
#include <string_view>

#include <gtest/gtest.h>
#include <zlib.h>

#include "apiserver/gzip.h"

namespace quadra::apiserver {

// REQUIRES: it is not longer than `size`.
inline std::string Unzip(std::string_view packed, std::size_t size) {
  std::string text(size, '\0');
  z_stream stream{};
  EXPECT_EQ(inflateInit2(&stream, 15 + 16), Z_OK);
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
  stream.avail_in = static_cast<uInt>(packed.size());
  stream.next_out = reinterpret_cast<Bytef*>(text.data());
  stream.avail_out = static_cast<uInt>(text.size());
  EXPECT_EQ(inflate(&stream, Z_FINISH), Z_STREAM_END);
  inflateEnd(&stream);
  return text;
}

}  // namespace quadra::apiserver

#include "apiserver/gzip.h"

#include <zlib.h>

#include "base/check.h"

namespace quadra::apiserver {
namespace {

constexpr int kLevel = 4;
constexpr int kGzipWindow = 15 + 16;  // the largest window, in gzip's frame
constexpr int kMemory = 8;            // zlib's default

}  // namespace

std::string Gzip(std::string_view bytes) {
  z_stream stream{};
  QUADRA_CHECK(
      deflateInit2(&stream, kLevel, Z_DEFLATED, kGzipWindow, kMemory, Z_DEFAULT_STRATEGY) == Z_OK,
      "the settings are valid");
  std::string packed(deflateBound(&stream, bytes.size()), '\0');
  // zlib only reads what next_in points to.
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  QUADRA_CHECK(deflate(&stream, Z_FINISH) == Z_STREAM_END, "the bound leaves room for all");
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}

}  // namespace quadra::apiserver

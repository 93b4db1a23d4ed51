#include "apiserver/gzip.h"

#include <zlib.h>

#include "base/check.h"

namespace quadra::apiserver {
namespace {

constexpr int kLevel = 4;
constexpr int kGzipWindow = 15 + 16;  // the largest window, in gzip's frame
constexpr int kMemory = 8;            // zlib's default

// Packs `bytes` behind what is packed already; `packed` has room for all of it.
void Deflate(z_stream& stream, std::string_view bytes, int flush, std::string& packed) {
  // zlib only reads what next_in points to.
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data()) + stream.total_out;
  stream.avail_out = static_cast<uInt>(packed.size() - stream.total_out);
  QUADRA_CHECK(deflate(&stream, flush) == (flush == Z_FINISH ? Z_STREAM_END : Z_OK),
               "the bound leaves room for all");
}

}  // namespace

std::string Gzip(std::span<const net::Piece> pieces) {
  std::size_t size = 0;
  for (const net::Piece& piece : pieces) {
    size += piece.bytes.size();
  }
  z_stream stream{};
  QUADRA_CHECK(
      deflateInit2(&stream, kLevel, Z_DEFLATED, kGzipWindow, kMemory, Z_DEFAULT_STRATEGY) == Z_OK,
      "the settings are valid");
  std::string packed(deflateBound(&stream, size), '\0');
  for (const net::Piece& piece : pieces) {
    if (!piece.bytes.empty()) {
      Deflate(stream, piece.bytes, Z_NO_FLUSH, packed);
    }
  }
  Deflate(stream, {}, Z_FINISH, packed);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}

std::string Gzip(std::string_view bytes) {
  const net::Piece piece{.bytes = bytes, .holder = nullptr};
  return Gzip(std::span(&piece, 1));
}

}  // namespace quadra::apiserver

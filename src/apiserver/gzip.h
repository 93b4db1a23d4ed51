// Gzip: bytes as Content-Encoding gzip has them.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "net/server.h"

namespace quadra::apiserver {

// Quick rather than small (level 4: about 100 MB/s, JSON to a tenth). Any input is good.
std::string Gzip(std::span<const net::Piece> pieces);
std::string Gzip(std::string_view bytes);

}  // namespace quadra::apiserver

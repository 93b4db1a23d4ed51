// ProtoParts: protobuf messages put together from parts that are encoded already.
//
//   std::vector<net::Piece> list = JoinList(api::EncodeProto(empty_list), std::move(items));
//
// Pure, thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "net/server.h"

namespace quadra::apiserver {

// A field that holds a message, a text or bytes; and what stands before its bytes. REQUIRES: number <
// 16.
void AppendField(std::string& out, std::uint32_t number, std::string_view bytes);
void AppendFieldHead(std::string& out, std::uint32_t number, std::size_t size);
std::size_t FieldHeadSize(std::size_t size);

// A list without items in its envelope, with these items, each in an envelope of its own: bytes of
// the items are shared. REQUIRES: all of them come from api::EncodeProto.
std::vector<net::Piece> JoinList(std::string_view empty_list, std::vector<net::Bytes> items);

}  // namespace quadra::apiserver

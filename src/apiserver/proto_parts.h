// ProtoParts: protobuf messages put together from parts that are encoded already.
//
//   std::string list = JoinList(api::EncodeProto(empty_list), items);
//
// Pure, thread-safe. Cost: one copy of the bytes.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "net/server.h"

namespace quadra::apiserver {

// A field that holds a message, a text or bytes. REQUIRES: number < 16.
void AppendField(std::string& out, std::uint32_t number, std::string_view bytes);

// A list without items in its envelope, with these items, each in an envelope of its own. REQUIRES:
// all of them come from api::EncodeProto.
std::string JoinList(std::string_view empty_list, std::span<const net::Bytes> items);

}  // namespace quadra::apiserver

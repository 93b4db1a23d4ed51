// ListBody: a collection in the form that a client asked for, as the body of an answer.
//
//   exchange.Answer(200, headers, ListBody(std::move(page), ask));
//
// JSON of the stored version is stored bytes around a head, and protobuf is what is kept of each
// object: neither is copied before it is sent. All else is encoded for the one who asked.
//
// Pure, thread-safe. Cost: two pieces an object in JSON, one in protobuf; what must be encoded is by
// several threads where it is much.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "apiserver/ask.h"

namespace quadra::apiserver {

// A collection, with what its metadata says.
struct Page {
  std::vector<store::RecordPtr> records;
  store::Revision revision = 0;
  std::string continue_token;
  std::optional<std::size_t> remaining;
};

std::vector<net::Piece> ListBody(Page page, const Ask& ask);

}  // namespace quadra::apiserver

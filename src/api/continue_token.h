// Continue tokens: where the next page of a list begins, in upstream's encoding, so that a token
// says the same here and there. Clients treat it as opaque; what they send back may be anything.
//
// Pure.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

namespace quadra::api {

struct ContinueToken {
  // The first key of the next page, under the prefix of the list.
  std::string start_key;
  // The snapshot to read; negative: the newest.
  std::int64_t resource_version = 0;
};

// The key is below `key_prefix` whatever the token says: one that leads out, by .. or the like, is
// refused. The error is ErrorKind::kInvalid with upstream's sentence, except that what is no JSON at
// all is named in words of our own.
Result<ContinueToken> DecodeContinue(std::string_view token, std::string_view key_prefix);

// Fails with ErrorKind::kInvalid when `next.start_key` is not below `key_prefix`.
Result<std::string> EncodeContinue(const ContinueToken& next, std::string_view key_prefix);

}  // namespace quadra::api

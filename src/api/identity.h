// Identity: which object a manifest is about, read without decoding it, so that broken objects have
// a name too.
//
// Pure functions. Cost: one pass over the bytes; values that do not matter are skipped, not read.
//
//   QUADRA_TRY(const Identity identity, ReadIdentity(manifest.json()));
//   fmt::print("{}", identity.Title());  // resourceclaim/gpu
#pragma once

#include <string>
#include <string_view>

#include "api/decode_error.h"
#include "base/result.h"

namespace quadra::api {

inline constexpr std::string_view kDraGroup = "resource.k8s.io";

// apiVersion and kind of a JSON object, as upstream finds them before it decodes. Both are
// non-empty.
struct Header {
  std::string api_version;
  std::string kind;
};

// Fails, in upstream's classes, when the text is no JSON or one of the two is missing or no string.
Decoded<Header> ReadHeader(std::string_view json);

struct Identity : Header {
  std::string ns;       // namespace
  std::string name;     // with generateName: what the server would make of it, ending in xxxxx
  bool stored = false;  // a server has stored it: it has a uid

  // The part of api_version before the slash; empty for core.
  std::string_view group() const;
  // kind/name in lower case, as kubectl prints it: resourceclaim/gpu.
  std::string Title() const;
  // Equal for two versions of one object.
  std::string Key() const;
};

// Fails when apiVersion or kind are missing or no strings: the text is no object of Kubernetes. A
// namespace or name that is no string counts as absent.
// REQUIRES: valid JSON.
Result<Identity> ReadIdentity(std::string_view json);

}  // namespace quadra::api

// Identity: which object a manifest is about, read without decoding it, so that broken objects have
// a name too.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace quadra::cli {

inline constexpr std::string_view kDraGroup = "resource.k8s.io";

struct Identity {
  std::string api_version;
  std::string kind;
  std::string ns;    // namespace
  std::string name;  // with generateName: what the server would make of it, ending in xxxxx

  // The part of api_version before the slash; empty for core.
  std::string_view group() const;
  // kind/name in lower case, as kubectl prints it: resourceclaim/gpu.
  std::string Title() const;
  // Equal for two versions of one object.
  std::string Key() const;
};

// Fails when apiVersion or kind are missing or no strings: the text is no object of Kubernetes.
// REQUIRES: valid JSON.
Result<Identity> ReadIdentity(std::string_view json);

}  // namespace quadra::cli

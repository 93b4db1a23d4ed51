#pragma once

#include <string>

namespace quadra::json {

struct ManifestSource {
  std::string file;
  std::string text;
};

}  // namespace quadra::json

// ZoneFiles: the machine's time zones (tzdata) for answerers that evaluate CEL.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "cel/program.h"

namespace quadra::answers {

// Not thread-safe. Keeps what it has read.
class ZoneFiles final : public cel::TimeZoneSource {
 public:
  static const ZoneFiles& Instance();
  std::optional<std::string_view> Find(std::string_view name) const override;

 private:
  mutable std::map<std::string, std::string, std::less<>> zones_;
};

}  // namespace quadra::answers

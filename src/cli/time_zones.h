// SystemTimeZones: the time zones of this machine (tzdata), read when an expression names one.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "base/mutex.h"
#include "cel/program.h"

namespace quadra::cli {

// Thread-safe. Holds every zone it has read, of which there are some 600 small ones.
class SystemTimeZones : public cel::TimeZoneSource {
 public:
  std::optional<std::string_view> Find(std::string_view name) const override
      QUADRA_EXCLUDES(mutex_);

 private:
  mutable Mutex mutex_;
  mutable std::map<std::string, std::string, std::less<>> zones_ QUADRA_GUARDED_BY(mutex_);
};

}  // namespace quadra::cli

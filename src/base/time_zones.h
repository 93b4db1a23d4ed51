// TimeZones: the only way to learn the rules of a time zone, so that simulations and tests own them
// as they own the clock.
//
// A zone is the bytes of its TZif file (RFC 8536); whoever needs offsets parses them. Names come
// from users, so every string is a valid question and none of them may end the process:
//
//   const SystemTimeZones zones;
//   zones.Find("Europe/Berlin");   // TZif…
//   zones.Find("Europe");          // Error: is a directory
//   zones.Find("Middle/Earth");    // Error: unknown time zone Middle/Earth
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "base/mutex.h"
#include "base/result.h"

namespace quadra {

class TimeZones {
 public:
  virtual ~TimeZones() = default;
  // The bytes live as long as this. Errors are worded as Go words them, because Kubernetes reports
  // them word for word. Neither empty names nor "UTC" and "Local" mean anything here.
  virtual Result<std::string_view> Find(std::string_view name) const = 0;
};

// The zones of this machine (tzdata), each read when it is first named and kept from then on, of
// which there are some 600 small ones. Names that fail are not kept, so that strangers cannot fill
// the memory. Thread-safe; the first look at a zone reads a file under the lock.
class SystemTimeZones final : public TimeZones {
 public:
  Result<std::string_view> Find(std::string_view name) const override QUADRA_EXCLUDES(mutex_);

 private:
  mutable Mutex mutex_;
  mutable std::map<std::string, std::string, std::less<>> zones_ QUADRA_GUARDED_BY(mutex_);
};

}  // namespace quadra

#include "store/key.h"

namespace quadra::store {

std::string BehindPrefix(std::string_view prefix) {
  std::string behind(prefix.substr(0, prefix.find_last_not_of('\xff') + 1));
  if (!behind.empty()) {
    behind.back() = static_cast<char>(static_cast<unsigned char>(behind.back()) + 1);
  }
  return behind;
}

}  // namespace quadra::store

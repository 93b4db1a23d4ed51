#include "validation/formats.h"

#include <gtest/gtest.h>

namespace quadra::validation {
namespace {

TEST(Formats, LongKeysLoseTheirMiddle) {
  EXPECT_EQ(ShortenedKey("short", 16), "short");
  EXPECT_EQ(ShortenedKey("abcdefghijklmnopqrstuvwxyz", 16), "abcdefg...uvwxyz");
}

}  // namespace
}  // namespace quadra::validation

#include "apiserver/gzip.h"

#include <gtest/gtest.h>

#include "apiserver/gzip_for_tests.h"

namespace quadra::apiserver {
namespace {

TEST(Gzip, GivesBackAnyBytes) {
  for (const std::string& text :
       {std::string(), std::string("a"), std::string(100'000, 'x'), std::string("\0\1\2\xff", 4)}) {
    EXPECT_EQ(Unzip(Gzip(text), text.size() + 1).substr(0, text.size()), text);
  }
}

TEST(Gzip, PacksPiecesAsTheWholeOfThem) {
  const std::vector<net::Piece> pieces = {{.bytes = "", .holder = nullptr},
                                          {.bytes = "one ", .holder = nullptr},
                                          {.bytes = "", .holder = nullptr},
                                          {.bytes = "whole", .holder = nullptr}};
  EXPECT_EQ(Unzip(Gzip(pieces), 9), "one whole");
  EXPECT_EQ(Gzip(std::span<const net::Piece>()), Gzip(""));
}

}  // namespace
}  // namespace quadra::apiserver

#include "base/go_text.h"

#include <gtest/gtest.h>

namespace quadra {
namespace {

TEST(GoQuote, EscapesAsGoDoes) {
  struct Row {
    std::string_view text, quoted;
  };
  const Row rows[] = {
      {"plain", R"("plain")"},
      {"a\"b\\c", R"("a\"b\\c")"},
      {"tab\tnul\x01", R"("tab\tnul\x01")"},
      {"é 日本 🎉", R"("é 日本 🎉")"},
      {"\xff", R"("\xff")"},
      {"\u200b\u00a0", R"("\u200b\u00a0")"},
      {"<&>", R"("<&>")"},
      {"\U000e0001", R"("\U000e0001")"},
      {"\x7f", R"("\x7f")"},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(GoQuote(row.text), row.quoted);
  }
}

}  // namespace
}  // namespace quadra

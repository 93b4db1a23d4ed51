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

TEST(GoFloat, HasAnExponentWhereGoHasOne) {
  struct Row {
    double number;
    std::string_view text;
  };
  const Row rows[] = {{0, "0"},           {1.5, "1.5"},    {-100000, "-100000"}, {1e6, "1e+06"},
                      {0.0001, "0.0001"}, {1e-5, "1e-05"}, {1.25e21, "1.25e+21"}};
  for (const Row& row : rows) {
    EXPECT_EQ(GoFloat(row.number), row.text);
  }
}

}  // namespace
}  // namespace quadra

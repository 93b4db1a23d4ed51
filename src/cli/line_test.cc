#include "cli/line.h"

#include <algorithm>
#include <sstream>

#include <gtest/gtest.h>

#include "base/random.h"
#include "cli/table.h"

namespace quadra::cli {
namespace {

struct Shown {
  std::string_view text, line;
};

constexpr Shown kShown[] = {
    {"plain, with \"quotes\" and a \\", "plain, with \"quotes\" and a \\"},
    {"a\nb", "a\\nb"},
    {"\x1b[2J", "\\x1b[2J"},
    {"\r\t\x7f", "\\r\\t\\x7f"},
    {"\u202eabc", "\\u202eabc"},
    {"\u00fcber \u4e2d", "\u00fcber \u4e2d"},
    {"\xff", "\\xff"},
};

TEST(Line, EscapesWhatIsNotPrintable) {
  for (const Shown& shown : kShown) {
    EXPECT_EQ(OneLine(shown.text), shown.line);
  }
}

TEST(Line, LinesOfOursStayLines) {
  std::ostringstream out;
  PrintLines(out, "error: a\x1b\n | b\n");
  EXPECT_EQ(out.str(), "error: a\\x1b\n | b\n");
}

// Whatever cells hold, a table has a line a row and nothing that a terminal would act on.
TEST(Table, CellsCannotForgeRows) {
  SeededRandom random(1);
  for (int round = 0; round < 500; ++round) {
    Table table({"A", "B"});
    const auto cell = [&] {
      std::string text(random.Below(8), ' ');
      for (char& c : text) {
        c = static_cast<char>(random.Below(256));
      }
      return text;
    };
    table.Add({cell(), cell()});
    table.Add({cell(), cell()});
    std::ostringstream out;
    table.Print(out, true);
    const std::string text = out.str();
    EXPECT_EQ(std::ranges::count(text, '\n'), 3);
    EXPECT_TRUE(std::ranges::none_of(text, [](unsigned char c) {
      return (c < ' ' && c != '\n') || c == 0x7f;
    })) << text;
  }
}

}  // namespace
}  // namespace quadra::cli

#include "reasons/code.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace quadra::reasons {
namespace {

const std::filesystem::path kRoot = QUADRA_SOURCE_DIR;

// As docs/reasons.md has it.
std::string MarkdownOf(const Row& row) {
  std::string line;
  for (const std::string_view cell : {row.name, NameOf(row.stage), row.sentence, row.remedy}) {
    line += "| " + std::string(cell) + " ";
  }
  return line + "|";
}

std::vector<std::string> TableOf(const std::filesystem::path& page) {
  std::vector<std::string> rows;
  std::ifstream file(page);
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("| ")) {
      rows.push_back(line);
    }
  }
  rows.erase(rows.begin(), rows.begin() + (rows.empty() ? 0 : 1));  // headings
  return rows;
}

TEST(Codes, ThePageHasTheRowsOfTheTable) {
  std::vector<std::string> rows;
  for (const Row& row : Rows()) {
    rows.push_back(MarkdownOf(row));
  }
  EXPECT_EQ(TableOf(kRoot / "docs" / "reasons.md"), rows);
}

TEST(Codes, EachHasANameOfItsOwnAndAScenario) {
  std::set<std::string_view> names;
  for (const Row& row : Rows()) {
    EXPECT_TRUE(names.insert(row.name).second) << row.name;
    EXPECT_EQ(NameOf(row.code), row.name);
    const std::string scenario = "reason_" + std::string(row.name) + ".txt";
    EXPECT_TRUE(std::filesystem::exists(kRoot / "tests" / "scenarios" / scenario)) << scenario;
  }
}

// A row is read as "why: what to do".
TEST(Codes, SentencesStandInTables) {
  for (const Row& row : Rows()) {
    for (const std::string_view text : {row.sentence, row.remedy}) {
      EXPECT_FALSE(text.empty()) << row.name;
      EXPECT_FALSE(text.ends_with('.')) << row.name;
      EXPECT_EQ(text.find('|'), std::string_view::npos) << row.name;
    }
  }
}

}  // namespace
}  // namespace quadra::reasons

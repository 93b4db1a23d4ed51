#include "allocator/published_names.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace quadra::allocator {
namespace {

TEST(PublishedNames, ReplacesNamesThatStandAlone) {
  struct Row {
    std::string text;
    std::string replaced;
  };
  const std::vector<Row> rows = {
      {"", ""},
      {"a.modle", "a.model"},
      {"modle == modle2 || a['modle']", "model == modle2 || a['model']"},
      {"_modle", "_modle"},
      {"modlemodle.modle", "modlemodle.model"},
      {"modle", "model"},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(WithName(row.text, "modle", "model"), row.replaced) << row.text;
  }
}

}  // namespace
}  // namespace quadra::allocator

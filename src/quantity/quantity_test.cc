#include "quantity/quantity.h"

#include <gtest/gtest.h>

namespace quadra::quantity {
namespace {

Quantity Q(std::string_view text) {
  auto parsed = Quantity::Parse(text);
  EXPECT_TRUE(parsed) << text;
  return parsed ? *parsed : Quantity();
}

TEST(Parse, PrintsCanonicallyOrAsWritten) {
  struct Row {
    std::string_view text, printed;
  };
  constexpr Row kRows[] = {
      {"0", "0"},
      {"80Gi", "80Gi"},
      {"100m", "100m"},
      {"1500Mi", "1500Mi"},
      {"1024Ki", "1Mi"},
      {"1.5Gi", "1536Mi"},
      {"1.5Ki", "1536"},
      {"0.5Ki", "512"},
      {"1.1Ki", "1126400m"},
      {"1000", "1k"},
      {"1.5", "1500m"},
      {"-1.5", "-1500m"},
      {"12e5", "1200e3"},
      {"1e1", "10"},
      {"1e-1", "100e-3"},
      {"+1", "+1"},
      {"012", "012"},
      {"1.500", "1.500"},
      {"1.250k", "1.250k"},
      {"1.", "1."},
      {"+1Ki", "+1Ki"},
      {"0012Ki", "0012Ki"},
      {"1E3", "1E3"},
      {"1e+3", "1e+3"},
      {"1e0", "1e0"},
      {"1000E", "1"},
      {"1000000000000000000000", "1"},
      {"8Ei", "9223372036854775807"},
      {"-9Ei", "-9223372036854775807"},
      {"100Ti", "100Ti"},
      {"0.1n", "1n"},
      {"-0.1n", "-1n"},
      {"3.001n", "4n"},
      {"1e4294967296", "1e4294967296"},
      {".", "0"},
      {"-", "0"},
      {"Ki", "0"},
      {"m", "0"},
      {".5", "500m"},
  };
  for (const Row& row : kRows) {
    EXPECT_EQ(Q(row.text).ToString(), row.printed) << row.text;
  }
}

}  // namespace
}  // namespace quadra::quantity

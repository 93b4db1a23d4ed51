#include "quantity/quantity.h"

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

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
  const Row rows[] = {
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
  for (const Row& row : rows) {
    EXPECT_EQ(Q(row.text).ToString(), row.printed) << row.text;
  }
}

TEST(Parse, RefusesWithUpstreamsText) {
  const std::string_view shape =
      "quantities must match the regular expression "
      "'^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
  const std::string_view suffix = "unable to parse quantity's suffix";
  const std::string_view number = "unable to parse numeric part of quantity";
  struct Row {
    std::string_view text, message;
  };
  const Row rows[] = {
      {"", shape},      {" 1", shape},
      {"1 ", shape},    {"1.2.3", shape},
      {"--1", suffix},  {"1e1.5", shape},
      {"1\x80", shape}, {"abc", shape},
      {"1K", suffix},   {"1i", suffix},
      {"1Zi", shape},   {"1e", suffix},
      {"1ki", suffix},  {"1E+", suffix},
      {"1Ki2", suffix}, {"1-5", suffix},
      {"1mm", suffix},  {"1ee5", suffix},
      {"Pi", number},   {"-.Ei", number},
      {"e-20", number}, {"1e99999999999999999999", suffix},
  };
  for (const Row& row : rows) {
    const auto parsed = Quantity::Parse(row.text);
    ASSERT_FALSE(parsed) << row.text;
    EXPECT_EQ(parsed.error().message, row.message) << row.text;
    EXPECT_EQ(parsed.error().kind, ErrorKind::kInvalid) << row.text;
  }
}

// Upstream takes these and computes for minutes, or for ever.
TEST(Parse, RefusesHugeExponents) {
  for (const std::string_view text :
       {"1e2147483648", "1e2147483647", "1.5e2147483648", "1e-2147483648", "1e100001", "0e100001",
        "1E-100001", "123456789012345678901e1000000"}) {
    const auto parsed = Quantity::Parse(text);
    ASSERT_FALSE(parsed) << text;
    EXPECT_EQ(parsed.error().kind, ErrorKind::kTooLarge) << text;
  }
}

TEST(Parse, TakesTheLargestExponentsAndLongDigits) {
  Quantity large = Q("1e100000");
  EXPECT_EQ(large.ToString(), "10e99999");
  EXPECT_GT(large, Q("9e99999"));
  EXPECT_EQ(Q("123456789012345678901e-100000").ToString(), "1e-9");
  large.Add(Q("1e-9"));
  EXPECT_EQ(large.ToString(), "1" + std::string(100'008, '0') + "1e-9");
  const std::string digits(1'000'000, '7');
  EXPECT_EQ(Q(digits).ToString(), digits);
}

TEST(ParseJson, TakesStringsNumbersAndNull) {
  struct Row {
    std::string_view value, printed;  // empty: refused
  };
  const Row rows[] = {
      {R"("80Gi")", "80Gi"},
      {R"(" 80Gi	")", "80Gi"},
      {"\"\u00a0\u20031\u3000\"", "1"},
      {"1.5", "1500m"},
      {" 1e3 ", "1e3"},
      {"null", "0"},
      {"-0", "0"},
      {"\"\u200b1\"", ""},
      {R"("null")", ""},
      {R"("\u0031")", ""},
      {R"("")", ""},
      {R"(")", ""},
      {"", ""},
      {"true", ""},
      {"[1]", ""},
      {"{}", ""},
  };
  for (const Row& row : rows) {
    const auto parsed = Quantity::ParseJson(row.value);
    EXPECT_EQ(parsed ? parsed->ToString() : "", row.printed) << row.value;
  }
}

// The same value in two spellings may be in two forms, and the forms answer differently.
TEST(Form, ShowsInTheIntegers) {
  struct Row {
    std::string_view text;
    bool decimal;
    std::optional<std::int64_t> integer;
    std::int64_t value, milli;
  };
  const Row rows[] = {
      {"1536Mi", false, 1610612736, 1610612736, 1610612736000},
      {"1.5Gi", true, std::nullopt, 1610612736, 1610612736000},
      {"16Ti", false, 17592186044416, 17592186044416, 17592186044416000},
      {"100Ti", true, std::nullopt, 109951162777600, 109951162777600000},
      {"8Ei", true, std::nullopt, 9223372036854775807, -1000},
      {"1000m", false, std::nullopt, 1, 1000},
      {"1.0", false, std::nullopt, 1, 1000},
      {"1E", false, 1'000'000'000'000'000'000, 1'000'000'000'000'000'000, 0},
      {"100E", false, std::nullopt, 0, 0},
      {"-1.5", false, std::nullopt, -2, -1500},
      {"-1.5000000000000000000", true, std::nullopt, 0, -1500},
      {"1.0000000001", true, std::nullopt, 2, 1001},
      {"999999999999999999", false, 999999999999999999, 999999999999999999, 3875820019684211736},
  };
  for (const Row& row : rows) {
    const Quantity quantity = Q(row.text);
    EXPECT_EQ(quantity.IsDecimal(), row.decimal) << row.text;
    EXPECT_EQ(quantity.AsInt64(), row.integer) << row.text;
    EXPECT_EQ(quantity.Value(), row.value) << row.text;
    EXPECT_EQ(quantity.MilliValue(), row.milli) << row.text;
  }
}

TEST(Form, ToDecimalKeepsValueAndText) {
  for (const std::string_view text : {"80Gi", "+1", "1.500", "1.5Gi", "0"}) {
    Quantity quantity = Q(text);
    const std::string before = quantity.ToString();
    quantity.ToDecimal();
    EXPECT_TRUE(quantity.IsDecimal());
    EXPECT_EQ(quantity.AsInt64(), std::nullopt);
    EXPECT_EQ(quantity.ToString(), before);
    EXPECT_EQ(quantity, Q(text));
  }
}

TEST(Cmp, LooksAtTheValueAlone) {
  struct Row {
    std::string_view less, more;
  };
  const Row unequal[] = {
      {"-1", "0"},
      {"100m", "2"},
      {"1k", "1Ki"},
      {"999999999999999999E", "1e37"},
      {"-1e30", "-1"},
      {"1n", "1"},
      {"9223372036854775807", "9223372036854775808"},
      {"1e-9", "1e9"},
      {"-9Ei", "-8191Pi"},
      {"1e99999", "1e100000"},
  };
  for (const auto& [less, more] : unequal) {
    EXPECT_EQ(Q(less).Cmp(Q(more)), -1) << less << " " << more;
    EXPECT_EQ(Q(more).Cmp(Q(less)), 1) << less << " " << more;
    EXPECT_LT(Q(less), Q(more));
  }
  const Row equal[] = {
      {"1", "1000m"},    {"1.5Gi", "1536Mi"}, {"9Ei", "8Ei"},
      {"0.1n", "1n"},    {"+1", "01"},        {"0", "-0"},
      {"1e21", "1000E"}, {"0e100000", "."},   {"1e30", "1000000000000000000000000000000"},
  };
  for (const auto& [a, b] : equal) {
    EXPECT_EQ(Q(a), Q(b)) << a << " " << b;
  }
  EXPECT_EQ(Q("1500m").CmpInt64(1), 1);
  EXPECT_EQ(Q("8Ei").CmpInt64(std::numeric_limits<std::int64_t>::max()), 0);
  EXPECT_EQ(Q("-1e30").CmpInt64(std::numeric_limits<std::int64_t>::min()), -1);
}

TEST(Arithmetic, AddsAndSubtracts) {
  struct Row {
    std::string_view a, b, sum, difference;
  };
  const Row rows[] = {
      {"80Gi", "1Gi", "81Gi", "79Gi"},
      {"1", "100m", "1100m", "900m"},
      {"0", "1Gi", "1Gi", "-1Gi"},  // a zero takes the other's format
      {"1", "1Gi", "1073741825", "-1073741823"},
      {"+1", "0", "1", "1"},  // arithmetic drops the spelling
      {"1.5Gi", "512Mi", "2Gi", "1Gi"},
      {"9223372036854775807", "1", "9223372036854775808", "9223372036854775806"},
      {"8Ei", "1Ki", "9223372036854776831", "9223372036854774783"},
      {"1e20", "1n", "100000000000000000000000000001e-9", "99999999999999999999999999999e-9"},
      {"100Ti", "100Ti", "200Ti", "0"},
  };
  for (const Row& row : rows) {
    Quantity sum = Q(row.a);
    sum.Add(Q(row.b));
    EXPECT_EQ(sum.ToString(), row.sum) << row.a << " + " << row.b;
    Quantity difference = Q(row.a);
    difference.Sub(Q(row.b));
    EXPECT_EQ(difference.ToString(), row.difference) << row.a << " - " << row.b;
  }
}

TEST(Arithmetic, MultipliesAndNegates) {
  struct Row {
    std::string_view a;
    std::int64_t factor;
    bool exact;
    std::string_view product;
  };
  const Row rows[] = {
      {"80Gi", 2, true, "160Gi"},   {"1500m", 3, true, "4500m"},
      {"1E", 1000, true, "1"},      {"1.5Gi", -2, true, "-3Gi"},
      {"100Ti", 3, false, "300Ti"}, {"999999999999999999", 1000, false, "999999999999999999k"},
      {"+5", 0, true, "0"},
  };
  for (const Row& row : rows) {
    Quantity product = Q(row.a);
    EXPECT_EQ(product.Mul(row.factor), row.exact) << row.a;
    EXPECT_EQ(product.ToString(), row.product) << row.a;
  }
  for (const std::string_view text : {"1", "+1", "1.5Gi", "123456789012345678901234567891"}) {
    Quantity negated = Q(text);
    negated.Neg();
    EXPECT_EQ(negated.Sign(), -1);
    negated.Add(Q(text));
    EXPECT_TRUE(negated.IsZero()) << text;
  }
}

TEST(Arithmetic, MultipliesQuantitiesExactly) {
  struct Row {
    std::string_view a, b, product;
  };
  const Row rows[] = {
      {"4Gi", "1500m", "6Gi"}, {"7", "1.5", "10500m"},
      {"2Gi", "1Ki", "2Ti"},   {"3", "0", "0"},
      {"-2", "500m", "-1"},    {"9223372036854775807", "2", "18446744073709551614"},
  };
  for (const Row& row : rows) {
    Quantity product = Q(row.a);
    product.MulExactly(Q(row.b));
    EXPECT_EQ(product.ToString(), row.product) << row.a << " * " << row.b;
  }
}

// As upstream's: it has no negative.
TEST(Arithmetic, WrapsAtTheSmallestInt64) {
  const Quantity smallest = Quantity::Of(std::numeric_limits<std::int64_t>::min());
  Quantity negated = smallest;
  negated.Neg();
  EXPECT_EQ(negated, smallest);
  Quantity difference = Q("0");
  difference.Sub(smallest);
  EXPECT_EQ(difference, smallest);
  Quantity exact = Q("0.1");  // not a fast form
  exact.Sub(smallest);
  EXPECT_EQ(exact.ToString(), "9223372036854775808100m");
}

TEST(Arithmetic, PrintsTheSmallestInt64WithASuffix) {
  const auto binary = Quantity::Of(std::numeric_limits<std::int64_t>::min(), Format::kBinarySi);
  EXPECT_EQ(binary.ToString(), "-8Ei");
}

TEST(RoundUp, GoesAwayFromZero) {
  struct Row {
    std::string_view text;
    std::int32_t scale;
    bool exact;
    std::string_view rounded;
  };
  const Row rows[] = {
      {"1100m", 0, false, "2"},       {"-1100m", 0, false, "-2"},  {"+1", 0, true, "+1"},
      {"11", 1, false, "20"},         {"1.1Ki", 0, false, "1127"}, {"1.5Gi", 0, true, "1536Mi"},
      {"1.5Gi", -12, true, "1536Mi"}, {"1n", 20, false, "100E"},
  };
  for (const Row& row : rows) {
    Quantity rounded = Q(row.text);
    EXPECT_EQ(rounded.RoundUp(row.scale), row.exact) << row.text;
    EXPECT_EQ(rounded.ToString(), row.rounded) << row.text;
  }
}

TEST(Value, IsCopiedDeeplyAndMoved) {
  for (const std::string_view text : {"80Gi", "+1", "123456789012345678901234567891"}) {
    Quantity original = Q(text);
    Quantity copy = original;
    copy.Add(Q("1"));
    EXPECT_EQ(original.ToString(), text);
    Quantity assigned;
    assigned = original;
    EXPECT_EQ(assigned.ToString(), text);
    const Quantity moved = std::move(original);
    EXPECT_EQ(moved.ToString(), text);
    assigned = *&assigned;
    EXPECT_EQ(assigned.ToString(), text);
  }
}

TEST(Value, ApproximatesAsADouble) {
  EXPECT_EQ(Q("1500m").AsApproximateDouble(), 1.5);
  EXPECT_EQ(Q("100Ti").AsApproximateDouble(), 109951162777600.0);
  EXPECT_EQ(Q("-1e400").AsApproximateDouble(), -std::numeric_limits<double>::infinity());
}

TEST(Value, DefaultIsZeroWithoutAFormat) {
  Quantity zero;
  EXPECT_EQ(zero.ToString(), "0");
  EXPECT_EQ(zero.format(), Format::kUnset);
  EXPECT_EQ(Quantity::Of(5, Format::kUnset, 3).ToString(), "5e3");
}

// Every pair of small numbers at all small scales, against integers of a common scale.
TEST(Arithmetic, AgreesWithIntegersOnAllSmallNumbers) {
  const std::int64_t units[] = {1, 10, 100, 1000};  // 10^scale in thousandths
  for (std::int64_t a = -12; a <= 12; ++a) {
    for (std::int64_t b = -12; b <= 12; ++b) {
      for (int scales = 0; scales < 16; ++scales) {
        const int x = scales / 4, y = scales % 4;
        const std::int64_t left = a * units[x], right = b * units[y];
        Quantity quantity = Quantity::Of(a, Format::kDecimalSi, x - 3);
        const Quantity other = Quantity::Of(b, Format::kDecimalSi, y - 3);
        ASSERT_EQ(quantity < other, left < right);
        ASSERT_EQ(quantity == other, left == right);
        quantity.Add(other);
        ASSERT_EQ(quantity.MilliValue(), left + right);
        quantity.Sub(other);
        quantity.Sub(other);
        ASSERT_EQ(quantity.MilliValue(), left - right);
        ASSERT_EQ(Q(quantity.ToString()), quantity);
      }
    }
  }
}

TEST(Quantity, AllPlacesKeepsWhatWasWritten) {
  struct Row {
    std::string text, places;
  };
  const Row rows[] = {
      {"0", "0"},        {"1k", "1000"},   {"1.5", "1.5"},  {"1500m", "1.500"},
      {"-5m", "-0.005"}, {"0.10", "0.10"}, {"1Ki", "1024"}, {"1e30", "1" + std::string(30, '0')}};
  for (const auto& [text, places] : rows) {
    EXPECT_EQ(Quantity::Parse(text)->AllPlaces(), places) << text;
  }
}

}  // namespace
}  // namespace quadra::quantity

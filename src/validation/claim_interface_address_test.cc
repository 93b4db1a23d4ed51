#include "validation/claim_interface_address.h"

#include <gtest/gtest.h>

namespace quadra::validation {
namespace {

struct Row {
  std::string_view text;
  std::optional<std::string> canonical;
};

const Row kRows[] = {
    {"10.9.8.7/24", "10.9.8.7/24"},
    {"010.9.8.7/024", "10.9.8.7/24"},
    {"0.0.0.0/0", "0.0.0.0/0"},
    {"2001:db8::1/64", "2001:db8::1/64"},
    {"2001:0DB8:0:0:0:0:0:1/64", "2001:db8::1/64"},
    {"1:0:0:2:0:0:0:3/1", "1:0:0:2::3/1"},
    {"1:0:2:3:4:5:6:7/128", "1:0:2:3:4:5:6:7/128"},
    {"1:2:3:4:5:6:7::/128", "1:2:3:4:5:6:7:0/128"},
    {"::/0", "::/0"},
    {"1::/16", "1::/16"},
    {"::1.2.3.4/96", "::102:304/96"},
    {"::ffff:192.168.0.1/120", "192.168.0.1/24"},
    {"::ffff:192.168.0.1/20", "192.168.0.1/20"},
    {"1:2:3:4:5:6:1.2.3.4/8", "1:2:3:4:5:6:102:304/8"},
    {"", std::nullopt},
    {"/24", std::nullopt},
    {"10.9.8.7", std::nullopt},
    {"10.9.8.7/", std::nullopt},
    {"10.9.8.7/33", std::nullopt},
    {"10.9.8.7/-1", std::nullopt},
    {"10.9.8.7/+1", std::nullopt},
    {"10.9.8/24", std::nullopt},
    {"10.9.8.256/24", std::nullopt},
    {"10.9.8.7.6/24", std::nullopt},
    {"2001:db8::1/129", std::nullopt},
    {"2001:db8::1%eth0/64", std::nullopt},
    {"1::2::3/64", std::nullopt},
    {":::/64", std::nullopt},
    {"1:/64", std::nullopt},
    {":1/64", std::nullopt},
    {"1:2:3:4:5:6:7:8::/64", std::nullopt},
    {"1:2:3:4:5:6:7/64", std::nullopt},
    {"1.2.3.4::/64", std::nullopt},
    {"12345::/64", std::nullopt},
    {"1.2.3.4:5::/64", std::nullopt},
    {"10.9.8.7/24/24", std::nullopt},
};

TEST(InterfaceAddress, IsCanonicalOrNothing) {
  for (const Row& row : kRows) {
    EXPECT_EQ(CanonicalInterfaceAddress(row.text), row.canonical) << row.text;
  }
}

}  // namespace
}  // namespace quadra::validation

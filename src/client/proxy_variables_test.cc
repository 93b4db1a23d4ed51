#include "client/proxy_variables.h"

#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace quadra::client {
namespace {

TEST(ProxyVariables, AreReadAsGoReadsThem) {
  struct Row {
    std::string server;
    std::string without;
    std::string proxy;
  };
  const std::string proxy = "http://p:3128";
  const std::vector<Row> rows = {
      {"https://a.example.com", "", proxy},
      {"https://localhost:6443", "", ""},
      {"https://127.0.0.1:6443", "", ""},
      {"https://127.1.2.3", "", ""},
      {"https://[::1]:6443", "", ""},
      {"https://a.example.com", "*", ""},
      {"https://a.example.com", "example.com", ""},
      {"https://A.Example.com", "EXAMPLE.com", ""},
      {"https://example.com", "example.com", ""},
      {"https://example.com", ".example.com", proxy},
      {"https://a.example.com", ".example.com", ""},
      {"https://bexample.com", "example.com", proxy},
      {"https://a.example.com", "x, y ,a.example.com", ""},
      {"https://a.example.com:6443", "a.example.com:443", proxy},
      {"https://a.example.com:6443", "a.example.com:6443", ""},
      {"https://10.1.2.3", "10.0.0.0/8", ""},
      {"https://10.1.2.3", "10.1.2.3", ""},
      {"https://10.1.2.3:6443", "10.1.2.3:443", proxy},
      {"https://11.1.2.3", "10.0.0.0/8", proxy},
      {"https://10.1.2.3", "10.0.0.0/40", proxy},
      {"https://10.1.2.3", "10.0.0.0/x", proxy},
      {"https://[fd00::1]", "fd00::/8", ""},
      {"https://[fd00::1]", "fd00::1", ""},
      {"https://[fd00::1]", "10.0.0.0/8", proxy},
      {"https://a.example.com", ",,a@b", proxy},
  };
  for (const Row& row : rows) {
    const std::map<std::string, std::string> variables = {{"https_proxy", "p:3128"},
                                                          {"NO_PROXY", row.without}};
    const ProcessEnvironment environment{
        .variable =
            [&](const std::string& name) {
              const auto found = variables.find(name);
              return found == variables.end() ? std::nullopt : std::optional(found->second);
            },
        .read_file = {}};
    EXPECT_EQ(ProxyFromVariables(*ParseServer(row.server), environment), row.proxy)
        << row.server << " without " << row.without;
  }
}

}  // namespace
}  // namespace quadra::client

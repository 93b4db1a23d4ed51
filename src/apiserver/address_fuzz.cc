// Any text as the target of a request: path, query, and what verbs read from the query. Nothing
// crashes, and no name or namespace that is found has a slash.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "apiserver/address.h"
#include "apiserver/choice.h"
#include "apiserver/request_options.h"
#include "base/check.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace quadra::
      apiserver;  // NOLINT(google-build-using-namespace): a fuzzer is one function
  const Address address = ParseAddress(std::string_view(reinterpret_cast<const char*>(data), size));
  if (address.resource) {
    QUADRA_CHECK(address.resource->name.find('/') == std::string::npos, "a name is one part");
    QUADRA_CHECK(address.resource->ns.find('/') == std::string::npos, "a namespace is one part");
  }
  const auto written = ReadWriteOptions(address.query, "CreateOptions");
  const auto listed = ReadListOptions(address.query);
  if (written && listed) {
    const auto choice = Choice::Make(*quadra::api::FindKind("v1", "Pod"), *listed, "name");
    QUADRA_CHECK(!choice || !choice->empty(), "a name chooses");
  }
  return 0;
}

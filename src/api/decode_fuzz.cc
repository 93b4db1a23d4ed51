// Any text: decoding never crashes, and an object that decodes prints as text that decodes to the
// same.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "api/object.h"
#include "base/check.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace quadra::api;  // NOLINT(google-build-using-namespace): a fuzzer is one function
  if (size == 0) {
    return 0;
  }
  const auto kinds = AllKinds();
  const KindSchema& kind = kinds[data[0] % kinds.size()];
  const std::string_view text(reinterpret_cast<const char*>(data + 1), size - 1);
  const auto object = DecodeJson(text, {.strictness = Strictness::kLenient, .assumed = &kind});
  if (!object) {
    return 0;
  }
  const std::string printed = EncodeJson(*object);
  const auto again = DecodeJson(printed, {.assumed = object->kind});
  QUADRA_CHECK(again.has_value(), "what we print we accept strictly");
  QUADRA_CHECK(EncodeJson(*again) == printed, "printing settles at once");
  QUADRA_CHECK(kind.kind == "WatchEvent" ||  // which has no header
                   ProtoOfJson(*again->kind, printed) == EncodeProto(*again),
               "both ways are one");
  return 0;
}

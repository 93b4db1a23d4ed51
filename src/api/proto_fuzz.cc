// Any bytes: decoding never crashes, and what decodes encodes to bytes that decode to an equal
// object.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "api/object.h"
#include "base/check.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using quadra::api::DecodeProto;
  using quadra::api::EncodeProto;
  // The first byte picks a kind, so that the fuzzer need not guess the envelope.
  const auto kinds = quadra::api::AllKinds();
  if (size == 0) {
    return 0;
  }
  const auto& kind = kinds[data[0] % kinds.size()];
  const std::string_view message(reinterpret_cast<const char*>(data + 1), size - 1);
  std::string bytes("k8s\0", 4);
  bytes += {0x12, static_cast<char>((message.size() & 0x7f) | 0x80),
            static_cast<char>(message.size() >> 7)};
  bytes += message;
  const auto object = DecodeProto(bytes, &kind);
  if (!object) {
    return 0;
  }
  const std::string encoded = EncodeProto(*object);
  const auto again = DecodeProto(encoded, &kind);
  QUADRA_CHECK(again.has_value(), "what we write we can read");
  QUADRA_CHECK(EncodeProto(*again) == encoded, "reading changes nothing");
  return 0;
}

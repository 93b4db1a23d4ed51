// What the fuzzers of the patch types share.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/check.h"
#include "patch/patch.h"

namespace quadra::patch {

// Any object and any patch, with a line break between, read as the first byte says: applying never
// crashes, what comes out is JSON, and asked again it is the same.
inline void ApplyAnything(Type type, const std::uint8_t* data, std::size_t size) {
  if (size == 0) {
    return;
  }
  const std::string_view text(reinterpret_cast<const char*>(data + 1), size - 1);
  const std::size_t end = text.find('\n');
  const Result<json::Value> object = json::ParseValue(text.substr(0, end));
  const auto kinds = api::AllKinds();
  const api::KindSchema& kind = kinds[(data[0] >> 1U) % kinds.size()];
  if (end == std::string_view::npos || !object || object->kind() != json::Kind::kObject) {
    return;
  }
  const auto patch = Patch::Read(type, text.substr(end + 1), {.strict = (data[0] & 1U) != 0});
  if (!patch) {
    return;
  }
  const auto once = patch->ApplyTo(*object, *kind.fields);
  const auto again = patch->ApplyTo(*object, *kind.fields);
  QUADRA_CHECK(once.has_value() == again.has_value(), "a patch has no memory");
  if (once) {
    QUADRA_CHECK(once->object == again->object, "a patch has no memory");
    QUADRA_CHECK(json::ParseValue(json::ToJson(once->object)).has_value(), "trees are JSON");
  } else {
    QUADRA_CHECK(!once.error().Message().empty(), "a refusal says something");
  }
}

}  // namespace quadra::patch

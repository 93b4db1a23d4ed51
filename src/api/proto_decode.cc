#include "api/proto_decode.h"

#include <string>

#include "json/value.h"

namespace quadra::api {
namespace {

constexpr std::uint32_t kStartGroup = 3, kEndGroup = 4;
constexpr int kMaxGroupDepth = 1000;

std::uint64_t LittleEndian(std::string_view bytes) {
  std::uint64_t number = 0;
  std::memcpy(&number, bytes.data(), bytes.size());
  return number;
}

// More levels than any kind has above a raw value.
constexpr std::size_t kLevelsAround = 100;

}  // namespace

bool IsJson(std::string_view text) {
  const std::string around =
      std::string(kLevelsAround, '[') + std::string(text) + std::string(kLevelsAround, ']');
  json::Reader reader(around);
  reader.Skip();
  return reader.Finish().has_value();
}

bool ProtoFields::TakeVarint(std::string_view& text, std::uint64_t& number) {
  number = 0;
  for (unsigned shift = 0; shift < 64 && !text.empty(); shift += 7) {
    const auto byte = static_cast<unsigned char>(text.front());
    text.remove_prefix(1);
    number |= std::uint64_t{byte & 0x7fU} << shift;
    if (byte < 0x80) {
      return true;
    }
  }
  return false;
}

bool ProtoFields::NextAny() {
  while (ok_ && !rest_.empty()) {
    std::uint64_t tag = 0;
    ok_ = TakeVarint(rest_, tag) && (tag >> 3) > 0 && (tag >> 3) <= 0x1fffffff;
    number_ = static_cast<std::uint32_t>(tag >> 3);
    const auto wire = static_cast<std::uint32_t>(tag & 7);
    if (ok_ && wire == kStartGroup) {
      ok_ = SkipGroup(0);
      continue;
    }
    wire_ = static_cast<Wire>(wire);
    if (ok_ && TakeContent()) {
      return true;
    }
    ok_ = false;
  }
  rest_ = {};
  return false;
}

bool ProtoFields::TakeContent() {
  const auto take = [this](std::uint64_t count) {
    if (count > rest_.size()) {
      return false;
    }
    bytes_ = rest_.substr(0, count);
    rest_.remove_prefix(count);
    return true;
  };
  bytes_ = {};
  scalar_ = 0;
  switch (wire_) {
    case Wire::kVarint:
      return TakeVarint(rest_, scalar_);
    case Wire::kFixed64:
    case Wire::kFixed32:
      if (!take(wire_ == Wire::kFixed64 ? 8 : 4)) {
        return false;
      }
      scalar_ = LittleEndian(bytes_);
      return true;
    case Wire::kBytes: {
      std::uint64_t length = 0;
      return TakeVarint(rest_, length) && take(length);
    }
  }
  return false;  // a wire type that does not exist
}

bool ProtoFields::SkipGroup(int depth) {
  while (depth < kMaxGroupDepth && !rest_.empty()) {
    std::uint64_t tag = 0;
    if (!TakeVarint(rest_, tag)) {
      return false;
    }
    const auto wire = static_cast<std::uint32_t>(tag & 7);
    if (wire == kEndGroup) {
      return true;
    }
    wire_ = static_cast<Wire>(wire);
    if (wire == kStartGroup ? !SkipGroup(depth + 1) : !TakeContent()) {
      return false;
    }
  }
  return false;
}

}  // namespace quadra::api

#include "apiserver/proto_parts.h"

#include <bit>
#include <vector>

#include "base/check.h"

namespace quadra::apiserver {
namespace {

constexpr std::string_view kMagic{"k8s\0", 4};
constexpr std::uint32_t kTypeField = 1;   // of the envelope
constexpr std::uint32_t kRawField = 2;    // of the envelope: the message
constexpr std::uint32_t kItemsField = 2;  // of every list
static_assert(kRawField == kItemsField, "a message stands in a list as it does in its envelope");
constexpr std::size_t kLow = 0x7f;

char TagOf(std::uint32_t number) { return static_cast<char>(number << 3U | 2U); }

// Takes the content of the field that comes next.
std::string_view TakeField(std::string_view& left, std::uint32_t number) {
  QUADRA_CHECK(!left.empty() && left.front() == TagOf(number), "we encoded it");
  std::size_t size = 0;
  std::size_t at = 1;
  for (unsigned shift = 0;; shift += 7) {
    const auto byte = static_cast<unsigned char>(left[at++]);
    size |= (byte & kLow) << shift;
    if (byte <= kLow) {
      break;
    }
  }
  const std::string_view content = left.substr(at, size);
  left.remove_prefix(at + size);
  return content;
}

struct Envelope {
  std::string_view before;
  std::string_view field;    // the message, with what stands before it
  std::string_view message;  // in the field
  std::string_view after;
};

Envelope Open(std::string_view bytes) {
  std::string_view left = bytes.substr(kMagic.size());
  TakeField(left, kTypeField);
  const std::string_view before = bytes.substr(0, bytes.size() - left.size());
  const std::string_view field_on = left;
  const std::string_view message = TakeField(left, kRawField);
  return {.before = before,
          .field = field_on.substr(0, field_on.size() - left.size()),
          .message = message,
          .after = left};
}

}  // namespace

void AppendFieldHead(std::string& out, std::uint32_t number, std::size_t size) {
  out += TagOf(number);
  for (; size > kLow; size >>= 7U) {
    out += static_cast<char>((size & kLow) | 0x80U);
  }
  out += static_cast<char>(size);
}

std::size_t FieldHeadSize(std::size_t size) {
  return 1 + (static_cast<std::size_t>(std::bit_width(size | 1U)) + 6) / 7;
}

void AppendField(std::string& out, std::uint32_t number, std::string_view bytes) {
  AppendFieldHead(out, number, bytes.size());
  out += bytes;
}

std::vector<net::Piece> JoinList(std::string_view empty_list, std::vector<net::Bytes> items) {
  const Envelope list = Open(empty_list);
  std::size_t size = list.message.size();
  std::vector<net::Piece> joined(1);
  joined.reserve(items.size() + 2);
  for (net::Bytes& item : items) {
    const std::string_view field = Open(*item).field;
    size += field.size();
    joined.push_back({.bytes = field, .holder = std::move(item)});
  }
  std::string head(list.before);
  AppendFieldHead(head, kRawField, size);
  head += list.message;
  joined.front() = net::Whole(net::Share(std::move(head)));
  joined.push_back(net::Whole(net::Share(std::string(list.after))));
  return joined;
}

}  // namespace quadra::apiserver

#include "apiserver/list_body.h"

#include <algorithm>
#include <future>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "api/kinds.h"
#include "apiserver/encode.h"
#include "apiserver/partial_metadata.h"
#include "apiserver/proto_parts.h"
#include "apiserver/stored_form.h"

namespace quadra::apiserver {
namespace {

constexpr std::size_t kWorthAThread = 1000;  // objects to encode
constexpr std::size_t kMostThreadsOfAList = 4;

using Pieces = std::vector<net::Piece>;
using Records = std::span<const store::RecordPtr>;

// What `encode` makes of each. By several threads where there are many: of a list that nobody asked
// for yet, none is kept.
template <typename Encode>
std::vector<net::Bytes> EncodeEach(Records records, Encode encode) {
  std::vector<net::Bytes> encoded(records.size());
  const std::size_t parts =
      std::clamp<std::size_t>(records.size() / kWorthAThread, 1, kMostThreadsOfAList);
  const auto encode_part = [&](std::size_t part) {
    for (std::size_t at = part; at < records.size(); at += parts) {
      encoded[at] = encode(*records[at]);
    }
  };
  std::vector<std::future<void>> others;  // done by us if no thread can be had
  for (std::size_t part = 1; part < parts; ++part) {
    others.push_back(std::async(std::launch::async | std::launch::deferred, encode_part, part));
  }
  encode_part(0);
  std::ranges::for_each(others, &std::future<void>::get);
  return encoded;
}

std::string ListHead(const Page& page, const api::KindSchema& kind) {
  std::string head =
      fmt::format(R"({{"kind":"{}List","apiVersion":"{}","metadata":{{"resourceVersion":"{}")",
                  kind.kind, api::ApiVersionOf(kind), page.revision);
  if (!page.continue_token.empty()) {
    head += fmt::format(R"(,"continue":"{}")", page.continue_token);
  }
  if (page.remaining) {
    head += fmt::format(R"(,"remainingItemCount":{})", *page.remaining);
  }
  return head + R"(},"items":[)";
}

// Each object in the version that was asked for.
Pieces JsonItems(std::vector<store::RecordPtr> records, const api::KindSchema& kind) {
  Pieces items;
  items.reserve(records.size());
  if (IsStored(kind)) {
    for (store::RecordPtr& record : records) {
      items.push_back({.bytes = record->bytes, .holder = std::move(record)});
    }
    return items;
  }
  const auto convert = [&](const store::Record& record) {
    return net::Share(JsonOf(record, kind));
  };
  for (net::Bytes& converted : EncodeEach(records, convert)) {
    items.push_back(net::Whole(std::move(converted)));
  }
  return items;
}

// Items of a typed list do not name their type.
Pieces JsonList(const Page& page, Pieces items, const api::KindSchema& kind) {
  const std::string type =
      fmt::format(R"({{"kind":"{}","apiVersion":"{}",)", kind.kind, api::ApiVersionOf(kind));
  Pieces list;
  list.reserve(2 * items.size() + 3);
  list.push_back(net::Whole(net::Share(ListHead(page, kind))));
  std::string_view before = "{";
  for (net::Piece& item : items) {
    item.bytes.remove_prefix(item.bytes.starts_with(type) ? type.size() : 1);
    list.push_back({.bytes = std::exchange(before, ",{"), .holder = nullptr});
    list.push_back(std::move(item));
  }
  list.push_back({.bytes = "]}", .holder = nullptr});
  return list;
}

// A table, or the metadata alone.
std::string ShapedList(const Page& page, const Pieces& items, const Ask& ask) {
  std::vector<std::string_view> objects(items.size());
  std::ranges::transform(items, objects.begin(), &net::Piece::bytes);
  const std::string revision = std::to_string(page.revision);
  const ListMeta meta{
      .resource_version = revision,
      .continue_token = page.continue_token,
      .remaining_items = page.remaining ? std::optional(static_cast<std::int64_t>(*page.remaining))
                                        : std::nullopt};
  return InShape(objects, meta, ask);
}

Pieces ProtoList(const Page& page, const Ask& ask) {
  return JoinList(Encoded(ListHead(page, ask.kind()) + "]}", Encoding::kProtobuf),
                  EncodeEach(page.records, [&](const store::Record& record) {
                    return EncodeRecord(record, ask);
                  }));
}

std::string Flattened(const Pieces& pieces) {
  std::string bytes;
  for (const net::Piece& piece : pieces) {
    bytes += piece.bytes;
  }
  return bytes;
}

}  // namespace

Pieces ListBody(Page page, const Ask& ask) {
  const api::KindSchema& kind = ask.kind();
  const Encoding encoding = ask.representation.encoding;
  const bool whole = ask.representation.shape == Representation::Shape::kObject;
  if (whole && encoding == Encoding::kProtobuf) {
    return ProtoList(page, ask);
  }
  Pieces items = JsonItems(std::move(page.records), kind);
  if (!whole) {
    return {net::Whole(net::Share(Encoded(ShapedList(page, items, ask), encoding)))};
  }
  Pieces list = JsonList(page, std::move(items), kind);
  if (encoding != Encoding::kJson) {
    return {net::Whole(net::Share(Encoded(Flattened(list), encoding)))};
  }
  list.push_back({.bytes = "\n", .holder = nullptr});
  return list;
}

}  // namespace quadra::apiserver

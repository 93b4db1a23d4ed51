#include "apiserver/watch_frame.h"

#include <fmt/format.h>

#include "apiserver/encode.h"
#include "apiserver/proto_parts.h"
#include "apiserver/stored_form.h"

namespace quadra::apiserver {
namespace {

// --- JSON.

Frame JsonFrame(std::string_view type, net::Bytes object) {
  static const net::Bytes end = net::Share("}\n");
  return {net::Share(fmt::format(R"({{"type":"{}","object":)", type)), std::move(object), end};
}

net::Bytes BytesOf(const store::RecordPtr& record) {
  return std::shared_ptr<const std::string>(record, &record->bytes);
}

// --- Protobuf: WatchEvent{1: type, 2: RawExtension{1: object in its envelope}}.

Frame ProtoFrame(std::string_view type, net::Bytes object) {
  const std::size_t size = object->size();
  std::string event;
  AppendField(event, 1, type);
  AppendFieldHead(event, 2, FieldHeadSize(size) + size);
  AppendFieldHead(event, 1, size);
  std::string length;
  for (const unsigned shift : {24U, 16U, 8U, 0U}) {
    length += static_cast<char>(((event.size() + size) >> shift) & 0xffU);
  }
  return {net::Share(length + event), std::move(object)};
}

net::Bytes ProtoOfShape(std::string json) {
  return net::Share(Encoded(std::move(json), Encoding::kProtobuf));
}

}  // namespace

Frame FrameOf(std::string_view type, const store::RecordPtr& record, const Ask& ask, bool first) {
  const bool plain = ask.representation.shape == Representation::Shape::kObject;
  if (ask.representation.encoding == Encoding::kProtobuf) {
    return ProtoFrame(
        type, plain ? EncodeRecord(*record, ask) : ProtoOfShape(ShapedJson(*record, ask, first)));
  }
  const bool stored = plain && IsStored(ask.kind());
  return JsonFrame(type, stored ? BytesOf(record) : net::Share(ShapedJson(*record, ask, first)));
}

Frame FrameOf(std::string_view type, std::string json, const Ask& ask) {
  return ask.representation.encoding == Encoding::kProtobuf
             ? ProtoFrame(type, ProtoOfShape(std::move(json)))
             : JsonFrame(type, net::Share(std::move(json)));
}

std::string ContentTypeOf(const Ask& ask) {
  return ask.representation.encoding == Encoding::kProtobuf
             ? fmt::format("{};stream=watch", MediaTypeOf(Encoding::kProtobuf))
             : std::string(MediaTypeOf(Encoding::kJson));
}

}  // namespace quadra::apiserver

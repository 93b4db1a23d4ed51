#include "apiserver/encode.h"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include "api/kinds.h"
#include "api/vocabulary.h"
#include "apiserver/gzip.h"
#include "apiserver/object_facts.h"
#include "apiserver/proto_parts.h"
#include "apiserver/stored_form.h"
#include "apiserver/subresource.h"
#include "apiserver/table.h"
#include "base/check.h"
#include "base/go_text.h"
#include "json/documents.h"
#include "json/writer.h"

namespace quadra::apiserver {
namespace {

// As upstream: what is smaller is not worth it.
constexpr std::size_t kLeastToZip = std::size_t{128} << 10;

std::string InEncoding(std::string json, Encoding encoding) {
  if (encoding != Encoding::kYaml) {
    json += '\n';
    return json;
  }
  const Result<json::Value> value = json::ParseValue(json);
  QUADRA_CHECK(value.has_value(), "what we encode is JSON");
  return json::ToYaml(*value);
}

using Shape = Representation::Shape;

std::string Taken(Result<std::string> text) {
  QUADRA_CHECK(text.has_value(), "what is stored can be read");
  return *std::move(text);
}

std::string_view MetaVersionOf(const Ask& ask) {
  return ask.representation.shape_version == "v1" ? kMetaV1 : kMetaV1beta1;
}

TableOptions OptionsOf(const Ask& ask, bool headers) {
  const std::string_view include = ask.address.query.Get("includeObject");
  return {.include = include == "None"     ? IncludeObject::kNone
                     : include == "Object" ? IncludeObject::kObject
                                           : IncludeObject::kMetadata,
          .headers = headers,
          .api_version = MetaVersionOf(ask)};
}

bool IsPlainProto(const Ask& ask) {
  return ask.representation.shape == Shape::kObject &&
         ask.representation.encoding == Encoding::kProtobuf;
}

// What a dry run imagines has no facts, and is not kept.
net::Bytes ProtoOf(const store::Record& record, const api::KindSchema& kind) {
  const auto encode = [&] { return net::Share(api::ProtoOfJson(kind, record.bytes)); };
  if (record.facts == nullptr) {
    return encode();
  }
  KeptForm& form = FactsOf(record).proto();
  net::Bytes kept = form.Find(record.modified);
  return kept != nullptr ? kept : form.Keep(record.modified, encode());
}

// Upstream sends no warning that has control characters, such as the line breaks of YAML's errors.
bool IsHeaderText(const std::string& text) {
  return std::ranges::none_of(text, [](unsigned char byte) { return std::iscntrl(byte) != 0; });
}

// Each is sent once.
void AddWarnings(const Ask& ask, net::Headers& headers) {
  for (auto each = ask.warnings.begin(); each != ask.warnings.end(); ++each) {
    if (IsHeaderText(*each) && std::find(ask.warnings.begin(), each, *each) == each) {
      headers.Add("warning", fmt::format("299 - {}", GoQuote(*each)));
    }
  }
}

net::Headers HeadersOf(Encoding encoding, const Ask& ask) {
  net::Headers headers{{"content-type", std::string(MediaTypeOf(encoding))},
                       {"cache-control", "no-cache, private"}};
  AddWarnings(ask, headers);
  return headers;
}

bool IsWorthZipping(std::size_t bytes, const Ask& ask) {
  return bytes > kLeastToZip && TakesGzip(ask);
}

std::size_t SizeOf(const std::vector<net::Piece>& body) {
  std::size_t size = 0;
  for (const net::Piece& piece : body) {
    size += piece.bytes.size();
  }
  return size;
}

// Of what cannot be told in the form that was asked for: JSON, without a line break as upstream.
net::Response AnswerWithPlain(const Failure& failure) {
  net::Response response{.status = failure.code};
  response.headers.Add("content-type", "application/json");
  response.headers.Add("cache-control", "no-cache, private");
  response.body = net::Share(EncodeStatus(failure));
  return response;
}

}  // namespace

std::string Encoded(std::string json, Encoding encoding) {
  if (encoding != Encoding::kProtobuf) {
    return InEncoding(std::move(json), encoding);
  }
  const api::Decoded<api::Object> object =
      api::DecodeJson(json, {.strictness = api::Strictness::kLenient});
  QUADRA_CHECK(object.has_value(), "what we encode can be read");
  return api::EncodeProto(*object);
}

std::string EncodeObject(const api::Object& object, Encoding encoding) {
  return encoding == Encoding::kProtobuf ? api::EncodeProto(object)
                                         : InEncoding(api::EncodeJson(object), encoding);
}

std::string JsonOf(const store::Record& record, const api::KindSchema& kind) {
  return IsStored(kind) ? record.bytes : api::EncodeJson(InVersion(ObjectOf(kind, record), kind));
}

std::string InShape(std::string json, const Ask& ask, bool headers) {
  switch (ask.representation.shape) {
    case Shape::kObject:
      return json;
    case Shape::kTable:
      return Taken(TableFormat(ask.shown_kind()).Single(json, ask.now, OptionsOf(ask, headers)));
    case Shape::kPartialMetadata:
      return Taken(PartialMetadata(json, MetaVersionOf(ask)));
  }
  return json;
}

std::string ShapedJson(const store::Record& record, const Ask& ask, bool headers) {
  return InShape(&ask.shown_kind() == &ask.kind()
                     ? JsonOf(record, ask.kind())
                     : api::EncodeJson(ViewOf(ask, ObjectOf(ask.kind(), record))),
                 ask, headers);
}

std::string InShape(std::span<const std::string_view> objects, const ListMeta& meta,
                    const Ask& ask) {
  return Taken(ask.representation.shape == Shape::kTable
                   ? TableFormat(ask.kind()).List(objects, meta, ask.now, OptionsOf(ask, true))
                   : PartialMetadataList(objects, meta, MetaVersionOf(ask)));
}

net::Bytes EncodeRecord(const store::Record& record, const Ask& ask) {
  if (!IsPlainProto(ask)) {
    return net::Share(Encoded(ShapedJson(record, ask), ask.representation.encoding));
  }
  const bool whole = &ask.shown_kind() == &ask.kind() && IsStored(ask.kind());
  return whole ? ProtoOf(record, ask.kind())
               : net::Share(api::EncodeProto(ViewOf(ask, ObjectOf(ask.kind(), record))));
}

net::Response AnswerWith(int status, const store::Record& record, const Ask& ask) {
  return ask.representation.IsMetadataOf(/*list=*/true)
             ? AnswerWithPlain(NotThatMetadata(/*is_list=*/false, "*" + GoTypeOf(ask.shown_kind())))
             : AnswerWith(status, EncodeRecord(record, ask), ask);
}

// As upstream: the bare word, without a weight.
bool TakesGzip(const Ask& ask) {
  const std::string accepted(ask.Header("accept-encoding"));
  return std::ranges::any_of(api::Split(accepted, ','), [](std::string_view each) {
    each.remove_prefix(std::min(each.find_first_not_of(" \t"), each.size()));
    return each.substr(0, each.find_last_not_of(" \t") + 1) == "gzip";
  });
}

net::Response AnswerWith(int status, net::Bytes body, const Ask& ask) {
  net::Response response{.status = status,
                         .headers = HeadersOf(ask.representation.encoding, ask),
                         .body = std::move(body)};
  if (IsWorthZipping(response.body->size(), ask)) {
    response.headers.Add("content-encoding", "gzip");
    response.headers.Add("vary", "Accept-Encoding");
    response.body = net::Share(Gzip(*response.body));
  }
  return response;
}

net::Response AnswerWith(int status, std::string body, const Ask& ask) {
  return AnswerWith(status, net::Share(std::move(body)), ask);
}

void Answer(net::Exchange& exchange, Page page, const Ask& ask) {
  if (ask.representation.IsMetadataOf(/*list=*/false)) {
    exchange.Answer(AnswerWithPlain(
        NotThatMetadata(/*is_list=*/true, fmt::format("*{}List", GoTypeOf(ask.kind())))));
    return;
  }
  net::Headers headers = HeadersOf(ask.representation.encoding, ask);
  std::vector<net::Piece> body = ListBody(std::move(page), ask);
  if (IsWorthZipping(SizeOf(body), ask)) {
    headers.Add("content-encoding", "gzip");
    body = {net::Whole(net::Share(Gzip(body)))};
  }
  exchange.Answer(200, std::move(headers), std::move(body));
}

net::Response AnswerWithJson(int status, std::string json, const Ask& ask) {
  return AnswerWith(status, Encoded(std::move(json), ask.representation.encoding), ask);
}

net::Response AnswerWith(const Failure& failure, const Ask& ask) {
  const OrFailure<Representation> accepted = Negotiate(ask.Header("accept"));
  if (!accepted || failure.code == 406) {
    return AnswerWithPlain(failure);
  }
  const Encoding encoding = accepted->encoding;
  net::Response response{.status = failure.code, .headers = HeadersOf(encoding, ask)};
  if (failure.retry_after_seconds > 0) {
    response.headers.Add("retry-after", std::to_string(failure.retry_after_seconds));
  }
  response.body = net::Share(Encoded(EncodeStatus(failure), encoding));
  return response;
}

std::string EncodeSuccess(const Ask& ask, const api::ObjectMeta& deleted) {
  std::string text;
  json::Writer writer(text);
  writer.BeginObject();
  const auto member = [&](std::string_view key, std::string_view value) {
    writer.Key(key);
    writer.String(value);
  };
  member("kind", "Status");
  member("apiVersion", "v1");
  writer.Key("metadata");
  writer.BeginObject();
  writer.EndObject();
  member("status", "Success");
  writer.Key("details");
  writer.BeginObject();
  member("name", deleted.name);
  if (!ask.kind().group.empty()) {
    member("group", ask.kind().group);
  }
  member("kind", ask.kind().plural);
  member("uid", deleted.uid);
  writer.EndObject();
  writer.EndObject();
  return text;
}

}  // namespace quadra::apiserver

#include "apiserver/encode.h"

#include <algorithm>
#include <cctype>
#include <future>
#include <span>

#include <fmt/format.h>

#include "api/kinds.h"
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
constexpr std::size_t kWorthAThread = 1000;  // objects to encode
constexpr std::size_t kMostThreadsOfAList = 4;

std::string InEncoding(std::string json, Encoding encoding) {
  if (encoding != Encoding::kYaml) {
    json += '\n';
    return json;
  }
  const Result<json::Value> value = json::ParseValue(json);
  QUADRA_CHECK(value.has_value(), "what we encode is JSON");
  return json::ToYaml(*value);
}

// Items of a typed list do not name their type.
std::string_view WithoutType(std::string_view json, const api::KindSchema& kind) {
  const std::string type =
      fmt::format(R"({{"kind":"{}","apiVersion":"{}",)", kind.kind, api::ApiVersionOf(kind));
  return json.starts_with(type) ? json.substr(type.size()) : json.substr(1);
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

std::string JsonList(const Page& page, const api::KindSchema& kind) {
  std::string list = ListHead(page, kind);
  std::size_t bytes = list.size() + 2;
  for (const store::RecordPtr& record : page.records) {
    bytes += record->bytes.size() + 1;
  }
  list.reserve(bytes);
  for (const store::RecordPtr& record : page.records) {
    list += &record == page.records.data() ? "{" : ",{";
    if (IsStored(kind)) {
      list += WithoutType(record->bytes, kind);
    } else {
      list += WithoutType(JsonOf(*record, kind), kind);
    }
  }
  return list + "]}";
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

std::string ShapedList(const Page& page, const Ask& ask) {
  const api::KindSchema& kind = ask.kind();
  if (ask.representation.shape == Shape::kObject) {
    return JsonList(page, kind);
  }
  std::vector<std::string> converted;
  std::vector<std::string_view> objects;
  converted.reserve(page.records.size());
  objects.reserve(page.records.size());
  for (const store::RecordPtr& record : page.records) {
    objects.push_back(IsStored(kind) ? std::string_view(record->bytes)
                                     : converted.emplace_back(JsonOf(*record, kind)));
  }
  const std::string revision = std::to_string(page.revision);
  const ListMeta meta{
      .resource_version = revision,
      .continue_token = page.continue_token,
      .remaining_items = page.remaining ? std::optional(static_cast<std::int64_t>(*page.remaining))
                                        : std::nullopt};
  return Taken(ask.representation.shape == Shape::kTable
                   ? TableFormat(kind).List(objects, meta, ask.now, OptionsOf(ask, true))
                   : PartialMetadataList(objects, meta, MetaVersionOf(ask)));
}

bool IsPlainProto(const Ask& ask) {
  return ask.representation.shape == Shape::kObject &&
         ask.representation.encoding == Encoding::kProtobuf;
}

// Encoded once a version; what a dry run imagines has no facts, and is not kept.
net::Bytes RecordProto(const store::Record& record, const api::KindSchema& kind) {
  const auto encode = [&] { return net::Share(api::ProtoOfJson(kind, record.bytes)); };
  if (record.facts == nullptr) {
    return encode();
  }
  KeptForm& form = FactsOf(record).proto();
  net::Bytes kept = form.Find(record.modified);
  return kept != nullptr ? kept : form.Keep(record.modified, encode());
}

// By several threads where there are many: of a list that nobody asked for yet, none is kept.
std::vector<net::Bytes> ProtosOf(std::span<const store::RecordPtr> records,
                                 const api::KindSchema& kind) {
  std::vector<net::Bytes> protos(records.size());
  const std::size_t parts =
      std::clamp<std::size_t>(records.size() / kWorthAThread, 1, kMostThreadsOfAList);
  const auto encode = [&](std::size_t part) {
    for (std::size_t at = part; at < records.size(); at += parts) {
      protos[at] = RecordProto(*records[at], kind);
    }
  };
  std::vector<std::future<void>> others;  // done by us if no thread can be had
  for (std::size_t part = 1; part < parts; ++part) {
    others.push_back(std::async(std::launch::async | std::launch::deferred, encode, part));
  }
  encode(0);
  std::ranges::for_each(others, &std::future<void>::get);
  return protos;
}

std::string ProtoList(const Page& page, const api::KindSchema& kind) {
  const std::vector<net::Bytes> items = ProtosOf(page.records, kind);
  return JoinList(Encoded(ListHead(page, kind) + "]}", Encoding::kProtobuf), items);
}

std::string EncodeList(const Page& page, const Ask& ask) {
  return IsPlainProto(ask) && IsStored(ask.kind())
             ? ProtoList(page, ask.kind())
             : Encoded(ShapedList(page, ask), ask.representation.encoding);
}

// Upstream sends no warning that has control characters, such as the line breaks of YAML's errors.
bool IsHeaderText(const std::string& text) {
  return std::ranges::none_of(text, [](unsigned char byte) { return std::iscntrl(byte) != 0; });
}

// Each is sent once.
void AddWarnings(const Ask& ask, net::Response& response) {
  for (auto each = ask.warnings.begin(); each != ask.warnings.end(); ++each) {
    if (IsHeaderText(*each) && std::find(ask.warnings.begin(), each, *each) == each) {
      response.headers.Add("warning", fmt::format("299 - {}", GoQuote(*each)));
    }
  }
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

std::string EncodeRecord(const store::Record& record, const Ask& ask) {
  if (!IsPlainProto(ask)) {
    return Encoded(ShapedJson(record, ask), ask.representation.encoding);
  }
  const bool whole = &ask.shown_kind() == &ask.kind() && IsStored(ask.kind());
  return whole ? *RecordProto(record, ask.kind())
               : api::EncodeProto(ViewOf(ask, ObjectOf(ask.kind(), record)));
}

net::Response AnswerWith(int status, const store::Record& record, const Ask& ask) {
  return ask.representation.IsMetadataOf(/*list=*/true)
             ? AnswerWithPlain(NotThatMetadata(/*is_list=*/false, "*" + GoTypeOf(ask.shown_kind())))
             : AnswerWith(status, EncodeRecord(record, ask), ask);
}

net::Response AnswerWith(const Page& page, const Ask& ask) {
  return ask.representation.IsMetadataOf(/*list=*/false)
             ? AnswerWithPlain(
                   NotThatMetadata(/*is_list=*/true, fmt::format("*{}List", GoTypeOf(ask.kind()))))
             : AnswerWith(200, EncodeList(page, ask), ask);
}

bool TakesGzip(const Ask& ask) {
  return ask.Header("accept-encoding").find("gzip") != std::string::npos;
}

net::Response AnswerWith(int status, std::string body, const Ask& ask) {
  net::Response response{.status = status};
  response.headers.Add("content-type", std::string(MediaTypeOf(ask.representation.encoding)));
  response.headers.Add("cache-control", "no-cache, private");
  AddWarnings(ask, response);
  if (body.size() > kLeastToZip && TakesGzip(ask)) {
    response.headers.Add("content-encoding", "gzip");
    body = Gzip(body);
  }
  response.body = net::Share(std::move(body));
  return response;
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
  net::Response response{.status = failure.code};
  response.headers.Add("content-type", std::string(MediaTypeOf(encoding)));
  response.headers.Add("cache-control", "no-cache, private");
  AddWarnings(ask, response);
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

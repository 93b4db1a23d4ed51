// Encode: stored objects in the form a client asked for, and the answers that carry them.
//
// What is asked for in JSON of the stored version is the stored bytes, not encoded again; in protobuf
// it is encoded once and kept.
// Pure, thread-safe.
#pragma once

#include <span>
#include <string>

#include "apiserver/ask.h"
#include "apiserver/failure.h"
#include "apiserver/list_body.h"
#include "apiserver/partial_metadata.h"

namespace quadra::apiserver {

// In JSON of that version, without a line break at its end.
std::string JsonOf(const store::Record& record, const api::KindSchema& kind);

// An object's JSON in the shape that was asked for: a table names its columns where `headers` is set.
std::string InShape(std::string json, const Ask& ask, bool headers = true);
std::string ShapedJson(const store::Record& record, const Ask& ask, bool headers = true);

// An object that we made ourselves, of a kind that the tables know, from JSON.
std::string Encoded(std::string json, Encoding encoding);
std::string EncodeObject(const api::Object& object, Encoding encoding);

// A list's; REQUIRES: a shape other than the whole object was asked for.
std::string InShape(std::span<const std::string_view> objects, const ListMeta& meta,
                    const Ask& ask);

// One object. In protobuf of the stored version it is encoded once.
net::Bytes EncodeRecord(const store::Record& record, const Ask& ask);

// --- Answers.

// One object; NotAcceptable where the metadata of a list was asked for.
net::Response AnswerWith(int status, const store::Record& record, const Ask& ask);
// A collection; NotAcceptable where the metadata of one object was asked for.
void Answer(net::Exchange& exchange, Page page, const Ask& ask);

// Whether the client reads Content-Encoding gzip.
bool TakesGzip(const Ask& ask);
net::Response AnswerWith(int status, net::Bytes body, const Ask& ask);
net::Response AnswerWith(int status, std::string body, const Ask& ask);
// With JSON that is a Status, or another kind of the tables.
net::Response AnswerWithJson(int status, std::string json, const Ask& ask);
// In the encoding that the client accepts, where we have it.
net::Response AnswerWith(const Failure& failure, const Ask& ask);
// Of a deletion that left nothing behind: kind Status, Success, with what was deleted.
std::string EncodeSuccess(const Ask& ask, const api::ObjectMeta& deleted);

}  // namespace quadra::apiserver

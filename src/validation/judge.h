// Judge: the API server's answer to one write of an object of any kind: what is wrong with it, and
// if nothing is, the object as it would be stored.
//
// The one place where defaults, conversion to the stored version, preparation and validation meet;
// files, streams and servers all come through here. Preparation acts on the generic object: the
// plain structs that the rules read may keep only a part of it (api/partial.h), and what they
// change is written back field by field. So whatever no rule knows arrives in the store as it was
// sent, byte for byte.
//
//   api::Decoded<api::Object> sent = api::DecodeJson(body, {.strict_errors = &problems});
//   Judgement judged = Judge({.operation = Operation::kUpdate, .gates = gates, .now = now},
//                            *std::move(sent), std::move(current));
//   if (!judged.outcome.errors.empty()) return Invalid(judged.outcome.errors);
//   store.Put(key, api::EncodeJson(judged.stored));
//
// A patch is judged as an update with the patched object. The caller owns what needs more than the
// two objects: uid, creation time, managed fields, whether the name is free, quota, authorization.
//
// Pure, thread-safe. Cost beside the rules: objects are moved in and changed in place; the rules
// read one plain copy of each, and another version than the stored one is one more.
#pragma once

#include <cstdint>
#include <optional>

#include "api/object.h"
#include "validation/validate.h"

namespace quadra::validation {

// How much of a kind we judge.
enum class Coverage : std::uint8_t {
  kNone,     // what all kinds share: metadata
  kDraOnly,  // fields of dynamic resource allocation, in Pods and what makes Pods
  kAll,
};
Coverage CoverageOf(const api::KindSchema& kind);
// Whether writes through the status subresource of a covered kind are judged.
bool JudgesStatus(const api::KindSchema& kind);

struct Judgement {
  Outcome outcome;
  // Without errors: in v1, or the version itself where its group has no v1 of the kind; with the
  // defaults of the version it was sent in, a name and a namespace; without what the request may
  // not write (the status, or in a status write all else, is the stored one's) and without
  // `outcome.dropped`; with the generation counted for kinds that have one. Other fields are as
  // sent. With errors: as far as it came; not to be stored.
  api::Object stored;
};

// `request.version` is ignored: it is that of `object`, which is decoded but neither defaulted nor
// converted. `old` is the stored object, in any version, defaulted or not. REQUIRES: the kind has
// an endpoint of its own (KindSchema::plural); `old` is given for updates only and has the same
// kind; a status write is of a kind with a status.
Judgement Judge(Request request, api::Object object, std::optional<api::Object> old = std::nullopt);
// The same where nothing is going to be stored, for a sixth less.
Outcome Assess(Request request, api::Object object, std::optional<api::Object> old = std::nullopt);

// Whether an update changed anything that counts as a new generation: all but metadata and status.
// REQUIRES: of one kind and version.
bool ChangesContent(const api::Object& object, const api::Object& old);

// What is wrong with the metadata of a write, which Judge does not say of kinds of which it judges
// only DRA fields. `stored` is Judge's; `old` is given for updates only.
std::vector<FieldError> JudgeMetadata(const api::ObjectMeta& stored, const api::ObjectMeta* old);

}  // namespace quadra::validation

// Patch: what a PATCH request asks for, applied to the JSON tree of an object exactly as
// kube-apiserver v1.37 applies it.
//
// Three types: JSON patch (RFC 6902 as json-patch v4 reads it), merge patch (RFC 7386) and strategic
// merge patch, for which the schema tables say which lists are merged by which key. A Patch is read
// once and can be applied to one version of an object after the other, as a write does that meets a
// conflict.
//
// What comes out is a tree, not yet an object: whoever asks decodes it, strictly or not. Objects the
// patch has looked into come out with their members in the order of their names, as from Go's maps;
// all others are as they were.
//
// Pure and thread-safe. Cost: linear in object and patch, apart from operations of a JSON patch on
// lists, which move the elements behind. Lists that are merged are indexed, not searched.
//
//   QUADRA_CHECK(type, "the handler answers UnsupportedMediaType to others");
//   auto patch = Patch::Read(*type, body, {.strict = validation != FieldValidation::kIgnore});
//   if (!patch) return Answer(patch.error());
//   auto patched = patch->ApplyTo(*std::move(current), *kind.fields);
//   if (!patched) return Answer(patched.error());
//   … of a strategic merge patch FitToSchema (fit.h); then decode patched->object, whose remarks
//   come behind patched->remarks …
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <tl/expected.hpp>

#include "api/object.h"
#include "json/value.h"
#include "patch/fit.h"  // IWYU pragma: export
#include "patch/refused.h"

namespace quadra::patch {

enum class Type : std::uint8_t { kJson, kMerge, kStrategicMerge };

std::string_view MediaType(Type type);

// The type that a Content-Type names; parameters (`; charset=utf-8`) do not matter.
std::optional<Type> FindType(std::string_view content_type);

// The answer where a request's Content-Type is none of these.
Refused UnsupportedMediaType(std::span<const std::string_view> accepted);

inline constexpr std::size_t kMaxOperations = 10'000;  // of one JSON patch
inline constexpr std::size_t kMaxCopiedBytes =
    std::size_t{3} * 1024 * 1024;  // by its copy operations in all

struct Patched {
  json::Value object;
  // Fields of the patch itself that are unknown or given twice, in upstream's words. They are
  // warnings (fieldValidation=Warn) or reasons to refuse (Strict).
  std::vector<std::string> remarks;
};

class Patch {
 public:
  struct Options {
    // fieldValidation is Warn, the default, or Strict: the patch itself is read strictly first, which
    // also finds wrong types that upstream passes over otherwise.
    bool strict = true;
  };

  // Refuses what is no JSON; upstream does so before it looks for the object.
  static tl::expected<Patch, Refused> Read(Type type, std::string_view text, Options options);

  Type type() const { return type_; }

  // `current` is the object as encoded in the version of the request, `type` the schema of that
  // version.
  tl::expected<Patched, Refused> ApplyTo(json::Value current, const api::Struct& type) const;

 private:
  Patch(Type type, json::Value content, Options options);
  Complaint Apply(json::Value& object, const api::Struct& type) const;

  Type type_;
  json::Value content_;
  Options options_;
};

}  // namespace quadra::patch

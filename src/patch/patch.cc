#include "patch/patch.h"

#include <array>
#include <utility>

#include <fmt/format.h>

#include "patch/json_patch.h"
#include "patch/merge_patch.h"
#include "patch/strategic_merge.h"
#include "patch/strict_read.h"

namespace quadra::patch {
namespace {

constexpr std::array kTypes = {Type::kJson, Type::kMerge, Type::kStrategicMerge};

// What upstream's decoder says before a patch of this type is applied. A patch that is not read
// strictly is read by what applies it, except that strategic merge reads it itself.
tl::expected<std::vector<std::string>, Refused> ReadFirst(Type type, const json::Value& patch,
                                                          bool strict) {
  if (!strict && type != Type::kStrategicMerge) {
    return std::vector<std::string>();
  }
  Findings found = type == Type::kJson ? ReadOperations(patch) : ReadObject(patch);
  if (!found.error.empty()) {
    const std::string before = type == Type::kStrategicMerge ? "" : "error decoding patch: ";
    return tl::unexpected(BadRequest(before + found.error));
  }
  if (!strict) {
    found.remarks.clear();
  }
  for (std::string& remark : found.remarks) {
    remark.insert(0, type == Type::kJson ? "json patch " : "");
  }
  return std::move(found.remarks);
}

}  // namespace

std::string_view MediaType(Type type) {
  switch (type) {
    case Type::kJson:
      return "application/json-patch+json";
    case Type::kMerge:
      return "application/merge-patch+json";
    case Type::kStrategicMerge:
      return "application/strategic-merge-patch+json";
  }
  return "";
}

std::optional<Type> FindType(std::string_view content_type) {
  const std::string_view media_type = content_type.substr(0, content_type.find(';', 1));
  for (const Type type : kTypes) {
    if (MediaType(type) == media_type) {
      return type;
    }
  }
  return {};
}

Refused UnsupportedMediaType(std::span<const std::string_view> accepted) {
  return {StatusClass::kUnsupportedMediaType,
          fmt::format("the body of the request was in an unknown format - accepted media types "
                      "include: {}",
                      fmt::join(accepted, ", "))};
}

Patch::Patch(Type type, json::Value content, Options options)
    : type_(type), content_(std::move(content)), options_(options) {}

tl::expected<Patch, Refused> Patch::Read(Type type, std::string_view text, Options options) {
  Result<json::Value> content = json::ParseValue(text);
  if (!content) {
    return tl::unexpected(BadRequest("invalid JSON patch"));
  }
  return Patch(type, *std::move(content), options);
}

Complaint Patch::Apply(json::Value& object, const api::Struct& type) const {
  switch (type_) {
    case Type::kJson:
      return ApplyJsonPatch(object, content_);
    case Type::kMerge:
      return ApplyMergePatch(object, content_);
    case Type::kStrategicMerge:
      return ApplyStrategicMerge(object, content_, type);
  }
  return {};
}

tl::expected<Patched, Refused> Patch::ApplyTo(json::Value current, const api::Struct& type) const {
  auto remarks = ReadFirst(type_, content_, options_.strict);
  if (!remarks) {
    return tl::unexpected(std::move(remarks).error());
  }
  if (Complaint refused = Apply(current, type)) {
    return tl::unexpected(*std::move(refused));
  }
  return Patched{std::move(current), *std::move(remarks)};
}

}  // namespace quadra::patch

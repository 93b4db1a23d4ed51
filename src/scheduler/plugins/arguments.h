// Arguments: what pluginConfig says to one plugin, read member by member, or a part of it.
//
//   QUADRA_TRY(const Arguments args, Arguments::Of(json, "NodeResourcesFitArgs", {"ignoredResources"}));
//   QUADRA_TRY(const auto ignored, args.Texts("ignoredResources"));
//
// Nothing is passed over: a member that the plugin does not know is refused, as is one of another
// type. Errors name the field, from the arguments' top.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "json/value.h"

namespace quadra::scheduler {

class Arguments {
 public:
  using Members = std::initializer_list<std::string_view>;
  struct Range {
    std::int64_t least = 0;
    std::int64_t most = 0;
  };

  // All that a plugin is told; null is as if nothing were. `from` must outlive it, and its parts.
  static Result<Arguments> Of(const json::Value& from, std::string_view kind, Members members);

  const json::Value& Get(std::string_view member) const { return from_->Get(member); }
  std::string PathOf(std::string_view member) const;

  // Absent where there is none.
  Result<std::optional<std::int64_t>> Int(std::string_view member, Range range) const;
  Result<std::optional<bool>> Bool(std::string_view member) const;
  Result<std::string> Text(std::string_view member) const;
  Result<std::optional<Arguments>> Part(std::string_view member, Members members) const;
  // Empty where there is none.
  Result<std::vector<std::string>> Texts(std::string_view member) const;
  Result<std::vector<Arguments>> Parts(std::string_view member, Members members) const;

  // `member` has a value that is no good.
  Error Wrong(std::string_view member, std::string message, std::string remedy = {}) const;

 private:
  Arguments(const json::Value& from, std::string path) : from_(&from), path_(std::move(path)) {}
  quadra::Status Check(std::span<const std::string_view> members) const;

  const json::Value* from_;
  std::string path_;  // with a dot behind it; empty: the top
};

// Of a plugin that takes none.
quadra::Status RefuseArguments(const json::Value& args);

}  // namespace quadra::scheduler

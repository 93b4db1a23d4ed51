#include "scheduler/plugins/arguments.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include <fmt/format.h>

#include "base/nearest.h"

namespace quadra::scheduler {
namespace {

constexpr std::string_view kArgumentsVersion = "kubescheduler.config.k8s.io/v1";

Error WrongArgument(std::string field, const json::Value& value, std::string message,
                    std::string remedy = {}) {
  return {.kind = ErrorKind::kInvalid,
          .message = std::move(message),
          .field = std::move(field),
          .value = json::ToJson(value),
          .remedy = std::move(remedy)};
}

std::optional<std::int64_t> WholeNumber(const json::Value& value) {
  if (value.kind() != json::Kind::kNumber) {
    return std::nullopt;
  }
  const std::string& text = value.number();
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool is_whole = error == std::errc() && end == text.data() + text.size();
  return is_whole ? std::optional(number) : std::nullopt;
}

// What stands beside the arguments themselves.
quadra::Status CheckHeader(const json::Value& from, std::string_view kind) {
  const json::Value& version = from.Get("apiVersion");
  if (!version.is_null() && version.text() != kArgumentsVersion) {
    return Fail(WrongArgument("apiVersion", version,
                              fmt::format("is not {}, the version read here", kArgumentsVersion)));
  }
  const json::Value& said = from.Get("kind");
  if (!said.is_null() && (kind.empty() || said.text() != kind)) {
    return Fail(WrongArgument(
        "kind", said,
        kind.empty() ? "the plugin takes no arguments" : fmt::format("must be {}", kind)));
  }
  return {};
}

}  // namespace

Result<Arguments> Arguments::Of(const json::Value& from, std::string_view kind, Members members) {
  Arguments args(from, "");
  QUADRA_RETURN_IF_ERROR(CheckHeader(from, kind));
  std::vector<std::string_view> known = {"apiVersion", "kind"};
  known.insert(known.end(), members.begin(), members.end());
  QUADRA_RETURN_IF_ERROR(args.Check(known));
  return args;
}

quadra::Status Arguments::Check(std::span<const std::string_view> members) const {
  if (from_->is_null()) {
    return {};
  }
  if (from_->kind() != json::Kind::kObject) {
    return Fail(WrongArgument(path_.substr(0, path_.empty() ? 0 : path_.size() - 1), *from_,
                              "must be an object"));
  }
  for (const json::Value::Member& each : from_->members()) {
    if (std::ranges::find(members, each.key) == members.end()) {
      return Fail(Wrong(each.key, "there is no such argument" + DidYouMean(each.key, members)));
    }
  }
  return {};
}

std::string Arguments::PathOf(std::string_view member) const {
  return fmt::format("{}{}", path_, member);
}

Error Arguments::Wrong(std::string_view member, std::string message, std::string remedy) const {
  return WrongArgument(PathOf(member), Get(member), std::move(message), std::move(remedy));
}

Result<std::optional<std::int64_t>> Arguments::Int(std::string_view member, Range range) const {
  const json::Value& value = Get(member);
  if (value.is_null()) {
    return std::nullopt;
  }
  const std::optional<std::int64_t> number = WholeNumber(value);
  if (!number || *number < range.least || *number > range.most) {
    return Fail(Wrong(
        member, fmt::format("must be a whole number from {} to {}", range.least, range.most)));
  }
  return number;
}

Result<std::optional<bool>> Arguments::Bool(std::string_view member) const {
  const json::Value& value = Get(member);
  if (value.is_null()) {
    return std::nullopt;
  }
  if (value.kind() != json::Kind::kBool) {
    return Fail(Wrong(member, "must be true or false"));
  }
  return value.boolean();
}

Result<std::string> Arguments::Text(std::string_view member) const {
  const json::Value& value = Get(member);
  if (!value.is_null() && value.kind() != json::Kind::kString) {
    return Fail(Wrong(member, "must be a string"));
  }
  return value.text();
}

Result<std::optional<Arguments>> Arguments::Part(std::string_view member, Members members) const {
  if (Get(member).is_null()) {
    return std::nullopt;
  }
  Arguments part(Get(member), PathOf(member) + ".");
  QUADRA_RETURN_IF_ERROR(part.Check(std::vector(members)));
  return part;
}

Result<std::vector<std::string>> Arguments::Texts(std::string_view member) const {
  std::vector<std::string> texts;
  const json::Value& list = Get(member);
  if (list.is_null()) {
    return texts;
  }
  if (list.kind() != json::Kind::kArray ||
      !std::ranges::all_of(list.items(), [](const json::Value& each) {
        return each.kind() == json::Kind::kString;
      })) {
    return Fail(Wrong(member, "must be a list of strings"));
  }
  for (const json::Value& each : list.items()) {
    texts.push_back(each.string());
  }
  return texts;
}

Result<std::vector<Arguments>> Arguments::Parts(std::string_view member, Members members) const {
  std::vector<Arguments> parts;
  const json::Value& list = Get(member);
  if (list.is_null()) {
    return parts;
  }
  if (list.kind() != json::Kind::kArray) {
    return Fail(Wrong(member, "must be a list"));
  }
  for (std::size_t i = 0; i < list.items().size(); ++i) {
    parts.push_back(Arguments(list.items()[i], fmt::format("{}[{}].", PathOf(member), i)));
    QUADRA_RETURN_IF_ERROR(parts.back().Check(std::vector(members)));
  }
  return parts;
}

quadra::Status RefuseArguments(const json::Value& args) {
  QUADRA_RETURN_IF_ERROR(Arguments::Of(args, "", {}));
  return {};
}

}  // namespace quadra::scheduler

#include "apiserver/runtime_config.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <iterator>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "api/vocabulary.h"
#include "apiserver/words.h"
#include "base/go_text.h"

namespace quadra::apiserver {
namespace {

constexpr std::string_view kAllApis = "api/all";

bool IsNumber(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

// v1beta2 for "beta", v1 for "".
bool IsOfStage(std::string_view version, std::string_view stage) {
  if (!version.starts_with('v')) {
    return false;
  }
  version.remove_prefix(1);
  const std::size_t at = stage.empty() ? version.size() : version.find(stage);
  return at != std::string_view::npos && IsNumber(version.substr(0, at)) &&
         (stage.empty() || IsNumber(version.substr(at + stage.size())));
}

// In the order in which they are heeded.
struct Wide {
  std::string_view key;
  bool (*speaks_of)(std::string_view version);
};
constexpr std::array kWide = {
    Wide{kAllApis, [](std::string_view) { return true; }},
    Wide{"api/ga", [](std::string_view version) { return IsOfStage(version, ""); }},
    Wide{"api/beta", [](std::string_view version) { return IsOfStage(version, "beta"); }},
    Wide{"api/alpha", [](std::string_view version) { return IsOfStage(version, "alpha"); }},
};

using Settings = std::map<std::string, std::string, std::less<>>;  // as they were written

tl::unexpected<Error> Refuse(std::string message) {
  return Fail(ErrorKind::kUsage, std::move(message));
}

std::string Trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t");
  return first == std::string_view::npos
             ? ""
             : std::string(text.substr(first, text.find_last_not_of(" \t") - first + 1));
}

// Old spellings of core are still taken, with whatever resource behind them.
std::string InNewSpelling(std::string key) {
  constexpr std::string_view kCore = "v1";
  std::string_view rest = key;
  rest.remove_prefix(rest.starts_with("api/") ? 4 : 0);
  const bool is_core = rest == kCore || rest.starts_with("v1/");
  return is_core ? "/v1" : std::move(key);
}

Settings ReadSettings(std::string_view text) {
  Settings settings;
  for (const std::string_view one : Words(text, ',')) {
    const std::size_t equals = std::min(one.find('='), one.size());
    if (!one.empty()) {
      settings[InNewSpelling(Trimmed(one.substr(0, equals)))] =
          Trimmed(one.substr(std::min(equals + 1, one.size())));
    }
  }
  settings.erase("api/legacy");  // means nothing any more
  return settings;
}

bool IsWide(std::string_view key) {
  return std::ranges::find(kWide, key, &Wide::key) != kWide.end();
}

bool Exists(std::string_view group, std::optional<std::string_view> version) {
  return std::ranges::any_of(api::Registry().All(), [&](const api::KindSchema* kind) {
    return kind->group == group && (!version || kind->version == *version) && !kind->plural.empty();
  });
}

std::string GroupVersionOf(const std::vector<std::string_view>& parts) {
  return parts[0].empty() ? std::string(parts[1]) : fmt::format("{}/{}", parts[0], parts[1]);
}

// Upstream looks at all groups before anything else.
Status CheckGroups(const Settings& settings) {
  std::set<std::string> unknown;
  for (const auto& [key, value] : settings) {
    const std::vector<std::string_view> parts = api::Split(key, '/');
    if (IsWide(key)) {
      continue;
    }
    if (parts.size() != 2 && parts.size() != 3) {
      return Refuse(fmt::format("runtime-config invalid key {}", key));
    }
    if (!Exists(parts[0], std::nullopt)) {
      unknown.insert(GroupVersionOf(parts));
    }
  }
  return unknown.empty() ? Status()
                         : Refuse(fmt::format("unknown api groups {}", fmt::join(unknown, ",")));
}

Result<bool> ReadWide(const std::string& key, const std::string& value) {
  if (value != "true" && value != "false") {
    return Refuse(fmt::format("invalid value {}={}", key, value));
  }
  return value == "true";
}

// Of one version, or of one resource.
Result<bool> ReadNarrow(const std::string& key, const std::string& value) {
  const std::vector<std::string_view> parts = api::Split(key, '/');
  if (!Exists(parts[0], parts[1])) {
    return Refuse(
        fmt::format("group version {} that has not been registered", GroupVersionOf(parts)));
  }
  const std::optional<bool> on = value.empty() ? std::optional(true) : api::ParseBool(value);
  if (!on) {
    return Refuse(
        fmt::format("invalid value of {}: {}, err: strconv.ParseBool: parsing {}: "
                    "invalid syntax",
                    key, value, GoQuote(value)));
  }
  if (parts.size() == 3 && api::ToLower(parts[2]) != parts[2]) {
    return Refuse(fmt::format(
        "invalid key {}: group/version/resource and resource is always lowercase plural, not {}",
        key, GoQuote(parts[2])));
  }
  return *on;
}

}  // namespace

Result<RuntimeConfig> RuntimeConfig::Parse(std::string_view text) {
  const Settings settings = ReadSettings(text);
  if (settings == Settings{{std::string(kAllApis), "false"}}) {
    return Refuse("invalid runtime-config with only api/all=false");
  }
  QUADRA_RETURN_IF_ERROR(CheckGroups(settings));
  RuntimeConfig config;
  for (const auto& [key, value] : settings) {
    QUADRA_TRY(const bool on, IsWide(key) ? ReadWide(key, value) : ReadNarrow(key, value));
    config.switches_[key] = on;
  }
  return config;
}

std::optional<bool> RuntimeConfig::Said(const std::string& key) const {
  const auto at = switches_.find(key);
  return at == switches_.end() ? std::nullopt : std::optional(at->second);
}

bool RuntimeConfig::Serves(const api::KindSchema& kind) const {
  bool serves = true;
  for (const Wide& wide : kWide) {
    if (wide.speaks_of(kind.version)) {
      serves = Said(std::string(wide.key)).value_or(serves);
    }
  }
  const std::string version = fmt::format("{}/{}", kind.group, kind.version);
  serves = Said(version).value_or(serves);
  return Said(fmt::format("{}/{}", version, kind.plural)).value_or(serves);
}

std::vector<const api::KindSchema*> RuntimeConfig::ServedOf(
    std::span<const api::KindSchema* const> kinds) const {
  std::vector<const api::KindSchema*> served;
  std::ranges::copy_if(kinds, std::back_inserter(served),
                       [&](const api::KindSchema* kind) { return Serves(*kind); });
  return served;
}

}  // namespace quadra::apiserver

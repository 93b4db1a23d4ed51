#include "api/gates.h"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "api/gate_row.h"

namespace quadra::api {
namespace {

std::string_view Trimmed(std::string_view text) {
  constexpr std::string_view kSpace = " \t\n\v\f\r";
  const std::size_t first = text.find_first_not_of(kSpace);
  return first == text.npos ? std::string_view()
                            : text.substr(first, text.find_last_not_of(kSpace) - first + 1);
}

std::optional<Stage> StageNamed(std::string_view name) {
  if (name == "AllAlpha") {
    return Stage::kAlpha;
  }
  return name == "AllBeta" ? std::optional(Stage::kBeta) : std::nullopt;
}

using Setting = std::pair<std::string_view, bool>;

Result<Setting> ParseSetting(std::string_view text) {
  const std::size_t equals = text.find('=');
  const std::string_view name = Trimmed(text.substr(0, equals));
  if (equals == text.npos) {
    return Fail(ErrorKind::kUsage, fmt::format("missing bool value for {}", name));
  }
  const std::string_view value = Trimmed(text.substr(equals + 1));
  const std::optional<bool> on = ParseBool(value);
  if (!on) {
    return Fail(
        ErrorKind::kUsage,
        fmt::format(
            "invalid value of {}={}, err: strconv.ParseBool: parsing \"{}\": invalid syntax", name,
            value, value));
  }
  return Setting(name, *on);
}

Result<std::vector<Setting>> ParseSettings(std::string_view text) {
  std::vector<Setting> settings;
  while (!text.empty()) {
    const std::string_view one = text.substr(0, text.find(','));
    text.remove_prefix(std::min(text.size(), one.size() + 1));
    if (!one.empty()) {
      QUADRA_TRY(const Setting setting, ParseSetting(one));
      settings.push_back(setting);
    }
  }
  return settings;
}

std::bitset<kGateCount> Defaults() {
  std::bitset<kGateCount> enabled;
  for (std::size_t i = 0; i < kGateCount; ++i) {
    enabled.set(i, kGateRows[i].on);
  }
  return enabled;
}

}  // namespace

std::optional<bool> ParseBool(std::string_view text) {
  constexpr std::string_view kTrue[] = {"1", "t", "T", "true", "TRUE", "True"};
  constexpr std::string_view kFalse[] = {"0", "f", "F", "false", "FALSE", "False"};
  if (std::ranges::find(kTrue, text) != std::end(kTrue)) {
    return true;
  }
  return std::ranges::find(kFalse, text) != std::end(kFalse) ? std::optional(false) : std::nullopt;
}

std::string_view GateName(Gate gate) { return kGateRows[static_cast<std::size_t>(gate)].name; }

std::string_view GateStage(Gate gate) {
  switch (kGateRows[static_cast<std::size_t>(gate)].stage) {
    case Stage::kAlpha:
      return "ALPHA";
    case Stage::kBeta:
      return "BETA";
    case Stage::kGa:
      return "";
    case Stage::kDeprecated:
      return "DEPRECATED";
  }
  return {};
}

FeatureGates::FeatureGates() {
  static const std::bitset<kGateCount> defaults = Defaults();
  enabled_ = defaults;
}

Status FeatureGates::Set(std::string_view name, bool on) {
  const auto* row = std::ranges::find(kGateRows, name, &GateRow::name);
  if (row == kGateRows.end()) {
    return Fail(ErrorKind::kUsage, fmt::format("unrecognized feature gate: {}", name));
  }
  if (row->locked && row->on != on) {
    return Fail(ErrorKind::kUsage,
                fmt::format("cannot set feature gate {} to {}, feature is locked to {}", name, on,
                            row->on));
  }
  enabled_.set(static_cast<std::size_t>(row - kGateRows.begin()), on);
  return {};
}

std::string FeatureGates::MissingFor(const GateRow& row) const {
  std::string missing;
  for (const std::optional<Gate> need : row.needs) {
    if (need && !Enabled(*need)) {
      missing += fmt::format("{}{}", missing.empty() ? "" : " ", GateName(*need));
    }
  }
  return missing;
}

Status FeatureGates::CheckDependencies() const {
  std::vector<std::string> problems;
  for (std::size_t i = 0; i < kGateCount; ++i) {
    const std::string missing = enabled_.test(i) ? MissingFor(kGateRows[i]) : "";
    if (!missing.empty()) {
      problems.push_back(
          fmt::format("{} is enabled, but depends on features that are disabled: [{}]",
                      kGateRows[i].name, missing));
    }
  }
  if (problems.empty()) {
    return {};
  }
  const bool several = problems.size() > 1;  // upstream puts them in brackets
  return Fail(ErrorKind::kUsage, fmt::format("{}{}{}", several ? "[" : "",
                                             fmt::join(problems, ", "), several ? "]" : ""));
}

Result<FeatureGates> FeatureGates::Parse(std::string_view text) {
  QUADRA_TRY(const std::vector<Setting> settings, ParseSettings(text));
  FeatureGates gates;
  for (const auto& [name, on] : settings) {
    if (const std::optional<Stage> stage = StageNamed(name)) {
      for (std::size_t i = 0; i < kGateCount; ++i) {
        gates.enabled_.set(i, kGateRows[i].stage == *stage ? on : gates.enabled_.test(i));
      }
    }
  }
  for (const auto& [name, on] : settings) {
    if (!StageNamed(name)) {
      QUADRA_RETURN_IF_ERROR(gates.Set(name, on));
    }
  }
  QUADRA_RETURN_IF_ERROR(gates.CheckDependencies());
  return gates;
}

}  // namespace quadra::api

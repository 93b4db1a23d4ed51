#include "validation/gates.h"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace quadra::validation {
namespace {

enum class Stage : std::uint8_t { kAlpha, kBeta, kGa, kLocked };

struct Row {
  std::string_view name;
  Stage stage;
  bool on;  // by default
  std::array<std::optional<Gate>, 3> needs = {};
};

constexpr Gate kBase = Gate::kDynamicResourceAllocation;

// In the order of Gate.
constexpr std::array<Row, kGateCount> kGates = {{
    {"DRAAdminAccess", Stage::kLocked, true, {kBase}},
    {"DRAConsumableCapacity", Stage::kBeta, true, {kBase}},
    {"DRADerivedAttributes", Stage::kAlpha, false, {kBase}},
    {"DRADeviceBindingConditions",
     Stage::kBeta,
     true,
     {kBase, Gate::kDRAResourceClaimDeviceStatus}},
    {"DRADeviceCompatibilityGroups", Stage::kAlpha, false, {kBase, Gate::kDRAPartitionableDevices}},
    {"DRADeviceTaintRules", Stage::kGa, true, {Gate::kDRADeviceTaints}},
    {"DRADeviceTaints", Stage::kGa, true, {kBase}},
    {"DRAExtendedResource", Stage::kLocked, true, {kBase}},
    {"DRAFractionalCapacityRange", Stage::kBeta, false, {Gate::kDRAConsumableCapacity}},
    {"DRAListTypeAttributes", Stage::kAlpha, false, {kBase}},
    {"DRANodeAllocatableResources", Stage::kAlpha, false, {kBase}},
    {"DRAOptionalNodeOperations", Stage::kAlpha, false, {kBase, Gate::kNodeDeclaredFeatures}},
    {"DRAPartitionableDevices", Stage::kBeta, true, {kBase}},
    {"DRAPartitionableDevicesType",
     Stage::kAlpha,
     false,
     {kBase, Gate::kDRAPartitionableDevices, Gate::kDRAResourcePoolStatus}},
    {"DRAPrioritizedList", Stage::kLocked, true, {kBase}},
    {"DRAResourceClaimDeviceStatus", Stage::kLocked, true},
    {"DRAResourceClaimGranularStatusAuthorization",
     Stage::kBeta,
     true,
     {kBase, Gate::kDRAResourceClaimDeviceStatus}},
    {"DRAResourcePoolStatus", Stage::kAlpha, false, {kBase}},
    {"DRASchedulerFilterTimeout", Stage::kBeta, true, {kBase}},
    {"DRAWorkloadResourceClaims", Stage::kBeta, false, {kBase, Gate::kGenericWorkload}},
    {"DeclarativeValidation", Stage::kLocked, true},
    {"DeclarativeValidationBeta", Stage::kBeta, true, {Gate::kDeclarativeValidation}},
    {"DynamicResourceAllocation", Stage::kLocked, true},
    {"GenericWorkload", Stage::kBeta, false},
    {"InPlacePodVerticalScaling", Stage::kLocked, true},
    {"KubeletPodResourcesDynamicResources", Stage::kLocked, true},
    {"NodeDeclaredFeatures", Stage::kLocked, true},
    {"PodLevelResources", Stage::kBeta, true},
    {"ResourceHealthStatus", Stage::kBeta, true, {kBase}},
    {"ResourceHealthStatusMessage", Stage::kBeta, true, {Gate::kResourceHealthStatus}},
}};

const Row& RowOf(Gate gate) { return kGates[static_cast<std::size_t>(gate)]; }

std::string_view Trimmed(std::string_view text) {
  constexpr std::string_view kSpace = " \t\n\v\f\r";
  const std::size_t first = text.find_first_not_of(kSpace);
  return first == text.npos ? std::string_view()
                            : text.substr(first, text.find_last_not_of(kSpace) - first + 1);
}

// strconv.ParseBool's spellings.
std::optional<bool> ParseBool(std::string_view text) {
  constexpr std::string_view kTrue[] = {"1", "t", "T", "true", "TRUE", "True"};
  constexpr std::string_view kFalse[] = {"0", "f", "F", "false", "FALSE", "False"};
  if (std::ranges::find(kTrue, text) != std::end(kTrue)) {
    return true;
  }
  return std::ranges::find(kFalse, text) != std::end(kFalse) ? std::optional(false) : std::nullopt;
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
    return Fail(Reason::kUsage, fmt::format("missing bool value for {}", name));
  }
  const std::string_view value = Trimmed(text.substr(equals + 1));
  const std::optional<bool> on = ParseBool(value);
  if (!on) {
    return Fail(
        Reason::kUsage,
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

}  // namespace

std::string_view GateName(Gate gate) { return RowOf(gate).name; }

FeatureGates::FeatureGates() {
  for (std::size_t i = 0; i < kGateCount; ++i) {
    enabled_.set(i, kGates[i].on);
  }
}

Status FeatureGates::Set(std::string_view name, bool on) {
  const auto* row = std::ranges::find(kGates, name, &Row::name);
  if (row == kGates.end()) {
    return Fail(Reason::kUsage, fmt::format("unrecognized feature gate: {}", name));
  }
  if (row->stage == Stage::kLocked && row->on != on) {
    return Fail(Reason::kUsage,
                fmt::format("cannot set feature gate {} to {}, feature is locked to {}", name, on,
                            row->on));
  }
  enabled_.set(static_cast<std::size_t>(row - kGates.begin()), on);
  return {};
}

Status FeatureGates::CheckDependencies() const {
  for (std::size_t i = 0; i < kGateCount; ++i) {
    std::string missing;
    for (const std::optional<Gate> need : kGates[i].needs) {
      if (enabled_.test(i) && need && !Enabled(*need)) {
        missing += missing.empty() ? "" : " ";
        missing += GateName(*need);
      }
    }
    if (!missing.empty()) {
      return Fail(Reason::kUsage,
                  fmt::format("{} is enabled, but depends on features that are disabled: [{}]",
                              kGates[i].name, missing));
    }
  }
  return {};
}

Result<FeatureGates> FeatureGates::Parse(std::string_view text) {
  QUADRA_TRY(const std::vector<Setting> settings, ParseSettings(text));
  FeatureGates gates;
  for (const auto& [name, on] : settings) {
    if (const std::optional<Stage> stage = StageNamed(name)) {
      for (std::size_t i = 0; i < kGateCount; ++i) {
        gates.enabled_.set(i, kGates[i].stage == *stage ? on : gates.enabled_.test(i));
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

}  // namespace quadra::validation

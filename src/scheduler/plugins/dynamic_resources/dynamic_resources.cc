#include "scheduler/plugins/dynamic_resources/dynamic_resources.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <optional>
#include <utility>

#include <fmt/format.h>

namespace quadra::scheduler {
namespace {

using std::chrono::microseconds;

constexpr double kStepsASecond = 10'000;

// Of a Go duration, e.g. 1m30s or 1.5h, in seconds.
std::optional<double> SecondsIn(std::string_view text) {
  static constexpr std::array<std::pair<std::string_view, double>, 6> kUnits = {
      {{"ms", 1e-3}, {"us", 1e-6}, {"ns", 1e-9}, {"h", 3600}, {"m", 60}, {"s", 1}}};
  double seconds = 0;
  bool any = text == "0";
  for (text = any ? "" : text; !text.empty();) {
    double amount = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), amount);
    text.remove_prefix(static_cast<std::size_t>(read.ptr - text.data()));
    const auto* const unit = std::ranges::find_if(
        kUnits, [&](const auto& each) { return text.starts_with(each.first); });
    if (read.ec != std::errc() || amount < 0 || unit == kUnits.end()) {
      return std::nullopt;
    }
    seconds += amount * unit->second;
    text.remove_prefix(unit->first.size());
    any = true;
  }
  return any ? std::optional(seconds) : std::nullopt;
}

// As it is given, else `otherwise`; in seconds.
Result<double> ReadSeconds(const json::Value& args, std::string_view field, double otherwise,
                           double least) {
  const json::Value& given = args.Get(field);
  if (given.is_null()) {
    return otherwise;
  }
  const std::optional<double> seconds = SecondsIn(given.text());
  if (!seconds || *seconds < least) {
    return Fail(Error{.message = "no duration that can be used",
                      .field = std::string(field),
                      .value = given.text(),
                      .remedy = fmt::format("give one like 30s, of {} s at least", least)});
  }
  return *seconds;
}

}  // namespace

Result<DynamicResourcesArgs> ReadDynamicResourcesArgs(const json::Value& args,
                                                      const api::FeatureGates& gates) {
  constexpr double kFilterSeconds = 10;
  constexpr double kBindingSeconds = 600;
  QUADRA_TRY(const double filter, ReadSeconds(args, "filterTimeout", kFilterSeconds, 0));
  QUADRA_TRY(const double binding, ReadSeconds(args, "bindingTimeout", kBindingSeconds, 1));
  const bool ends = filter > 0 && gates.Enabled(api::Gate::kDRASchedulerFilterTimeout);
  return DynamicResourcesArgs{
      .steps = ends ? static_cast<std::uint64_t>(std::max(filter * kStepsASecond, 1.0))
                    : std::numeric_limits<std::uint64_t>::max(),
      .binding_timeout = microseconds(static_cast<std::int64_t>(binding * 1e6))};
}

Status Unresolvable(std::string reason) {
  return {Code::kUnschedulableAndUnresolvable, std::move(reason)};
}

DynamicResources::DynamicResources(Handle& handle, const DynamicResourcesArgs& args)
    : handle_(handle), devices_(handle.devices), args_(args) {}

Result<std::unique_ptr<Plugin>> DynamicResources::Make(Handle& handle, const json::Value& args) {
  QUADRA_TRY(const DynamicResourcesArgs read, ReadDynamicResourcesArgs(args, handle.gates));
  return std::make_unique<DynamicResources>(handle, read);
}

}  // namespace quadra::scheduler

#include "offline/dump.h"

#include <algorithm>
#include <type_traits>
#include <utility>

#include <fmt/format.h>

#include "api/object.h"
#include "offline/salvage.h"
#include "offline/workload.h"

namespace quadra::offline {
namespace {

// "1 Service", "3 Deployments", "2 NetworkPolicies".
std::string Counted(std::size_t count, std::string_view kind) {
  std::string text = fmt::format("{} {}", count, kind);
  if (count == 1) {
    return text;
  }
  if (text.ends_with('y')) {
    text.pop_back();
    return text + "ies";
  }
  return text + (text.ends_with('s') ? "es" : "s");
}

// ResourceSlice is resourceslice in messages, as kubectl has it.
std::string Lowered(std::string_view kind) {
  std::string text(kind);
  std::ranges::transform(text, text.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return text;
}

template <typename T, typename... Others>
constexpr bool kIsOneOf = (std::is_same_v<T, Others> || ...);

}  // namespace

Status Dump::Take(const json::Manifest& manifest, std::string_view api_version,
                  std::string_view kind) {
  return IsWorkload(api_version, kind) ? TakeWorkload(manifest, kind)
                                       : TakeJson(manifest, api_version, kind, manifest.json());
}

// What is wrong with the template is wrong with every pod, so nothing is taken then.
Status Dump::TakeWorkload(const json::Manifest& manifest, std::string_view kind) {
  const std::vector<std::string> pods = PodsOf(manifest.json());
  if (pods.empty()) {
    ++unused_[std::string(kind)];
  }
  for (const std::string& pod : pods) {
    if (Status taken = TakeJson(manifest, "v1", "Pod", pod); !taken) {
      Error error = taken.error();
      error.field = "spec.template." + error.field;
      error.message = "spec.template: " + error.message;
      return Fail(std::move(error));
    }
  }
  return {};
}

Dump::Salvaged Dump::Salvage(const json::Manifest& manifest, std::string_view api_version,
                             std::string_view kind) {
  const auto takes = [&](const std::string& json) {
    return !json.empty() && TakeJson(manifest, api_version, kind, json);
  };
  if (IsWorkload(api_version, kind)) {
    return Salvaged::kNothing;
  }
  if (takes(DecidingPartOf(manifest.json(), kind))) {
    return Salvaged::kDeciding;
  }
  return takes(HoldingsOf(manifest.json(), kind)) ? Salvaged::kHoldings : Salvaged::kNothing;
}

Status Dump::TakeJson(const json::Manifest& manifest, std::string_view api_version,
                      std::string_view kind, std::string_view json) {
  QUADRA_TRY(const bool taken,
             api::ReadObject({.api_version = api_version,
                              .kind = kind,
                              .json = json,
                              .defaults = api::Defaults::kFilled},
                             [&](auto object) { Keep(std::move(object), manifest, kind); }));
  if (!taken) {
    ++unused_[std::string(kind)];
  }
  return {};
}

template <typename T>
void Dump::Keep(T object, const json::Manifest& manifest, std::string_view kind) {
  constexpr bool kNamespaced =
      kIsOneOf<T, api::ResourceClaim, api::ResourceClaimTemplate, api::Pod>;
  if (std::is_same_v<T, api::DeviceTaintRule> &&
      !cluster_.gates().Enabled(api::Gate::kDRADeviceTaintRules)) {
    ++unused_[std::string(kind)];
    return;
  }
  Complete(object.metadata, kNamespaced);
  const std::string name =
      kNamespaced ? api::FullNameOf(object) : std::string(object.metadata.name);
  if (!cluster_.Put(std::move(object))) {
    notes_.push_back(fmt::format("{}:{}: {} {} is given twice; this one counts", manifest.file(),
                                 manifest.start().line, Lowered(kind), name));
  }
}

void Dump::Complete(api::ObjectMeta& meta, bool namespaced) {
  if (namespaced && meta.ns.empty()) {
    meta.ns = "default";
  }
  if (meta.name.empty()) {
    meta.name = fmt::format("{}{:05}", meta.generate_name.empty() ? "unnamed-" : meta.generate_name,
                            ++generated_names_);
  }
}

std::string Dump::UnusedText() const {
  std::string text;
  for (const auto& [kind, count] : unused_) {
    text += (text.empty() ? "" : ", ") + Counted(count, kind);
  }
  return text;
}

}  // namespace quadra::offline

#include "cli/unknown_fields.h"

#include <algorithm>
#include <array>
#include <string_view>

#include <fmt/format.h>

#include "cli/schema_path.h"
#include "inspection/lint_objects.h"

namespace quadra::cli {
namespace {

// What people write by hand to get devices.
bool IsOfInterest(const api::Identity& identity) {
  constexpr std::array<std::string_view, 4> kGroups = {"", "apps", "batch", api::kDraGroup};
  return !identity.stored && std::ranges::find(kGroups, identity.group()) != kGroups.end();
}

}  // namespace

std::string HintFor(const api::DecodeError& unknown, const json::Manifest& manifest,
                    const api::Identity& identity) {
  const api::KindSchema* const kind = api::FindKind(identity.api_version, identity.kind);
  std::string hint = kind == nullptr ? "" : UnknownFieldHint(*kind, unknown.exact);
  return hint.empty() ? inspection::FittingVersionHint(manifest.json(), identity) : hint;
}

std::vector<std::string> UnknownFields(const json::Manifest& manifest,
                                       const api::Identity& identity) {
  std::vector<std::string> notes;
  if (!IsOfInterest(identity)) {
    return notes;
  }
  for (const api::DecodeError& problem : inspection::ShapeProblems(manifest.json())) {
    if (problem.message.starts_with("unknown field") &&
        !inspection::IsOldMapping(problem.exact, identity)) {
      notes.push_back(fmt::format("{}:{}: {}: {} is not read{}", manifest.file(),
                                  manifest.Locate(problem.exact).line, identity.Title(),
                                  problem.message, HintFor(problem, manifest, identity)));
    }
  }
  return notes;
}

}  // namespace quadra::cli

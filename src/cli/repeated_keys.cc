#include "cli/repeated_keys.h"

#include <cstddef>
#include <string_view>

#include <fmt/format.h>

#include "inspection/lint_objects.h"

namespace quadra::cli {
namespace {

constexpr std::string_view kDuplicate = "duplicate field";

}  // namespace

void RepeatedKeys::Note(const json::Manifest& manifest, const api::Identity& identity) {
  const auto note = [&](std::string_view path, std::size_t line) {
    notes_.Add(fmt::format("{}:{}: {}: {} stands twice, and only what is here is read; drop one",
                           manifest.file(), line, identity.Title(), path));
  };
  for (const json::DuplicateKey& duplicate : manifest.duplicates()) {
    note(duplicate.path, duplicate.position.line);
  }
  // Out of YAML there are none left by now.
  for (const api::DecodeError& problem : inspection::ShapeProblems(manifest.json())) {
    if (problem.message.starts_with(kDuplicate)) {
      note(problem.exact, manifest.Locate(problem.exact).line);
    }
  }
}

ExitCode RepeatedKeys::Finish() {
  notes_.Finish();
  return notes_.count() > 0 ? ExitCode::kPartial : ExitCode::kYes;
}

}  // namespace quadra::cli

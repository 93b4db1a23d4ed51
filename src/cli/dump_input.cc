#include "cli/dump_input.h"

#include <algorithm>
#include <ostream>

#include <fmt/format.h>

#include "cli/progress.h"

namespace quadra::cli {
namespace {

constexpr std::size_t kMostNotes = 20;

void PrintNotes(const offline::Dump& dump, Console& console) {
  const std::vector<std::string>& notes = dump.notes();
  for (std::size_t i = 0; i < std::min(notes.size(), kMostNotes); ++i) {
    console.err << "note: " << notes[i] << '\n';
  }
  if (notes.size() > kMostNotes) {
    console.err << fmt::format("note: and {} more objects are given twice\n",
                               notes.size() - kMostNotes);
  }
  if (const std::string unused = dump.UnusedText(); !unused.empty()) {
    console.err << "unused: " << unused << '\n';
  }
}

}  // namespace

ExitCode ReadDump(const Invocation& invocation, Console& console, offline::Dump& dump,
                  const std::function<void(const json::Manifest&, const api::Identity&)>& seen) {
  ExitCode code = ExitCode::kYes;
  {
    Progress progress(console, "reading");
    code = ReadObjects(invocation.Values(kDumpFlag.name), invocation.Has(kRecursiveFlag.name),
                       console, [&](const json::Manifest& manifest, const api::Identity& identity) {
                         progress.Step("objects");
                         Status taken = dump.Take(manifest, identity.api_version, identity.kind);
                         if (taken && seen) {
                           seen(manifest, identity);
                         }
                         return taken;
                       });
  }
  PrintNotes(dump, console);
  return code;
}

Result<Scope> Scope::Of(const Invocation& invocation) {
  Scope scope;
  if (!invocation.Has(kAllNamespacesFlag.name)) {
    scope.ns_ = invocation.Value(kNamespaceFlag.name);
  }
  Result<api::LabelSelector> labels =
      api::LabelSelector::Parse(invocation.Value(kSelectorFlag.name));
  if (!labels) {
    return Fail(ErrorKind::kUsage, "-l: " + labels.error().ToString());
  }
  scope.labels_ = *std::move(labels);
  return scope;
}

}  // namespace quadra::cli

#include <array>
#include <optional>
#include <ostream>

#include <fmt/format.h>
#include <fmt/ostream.h>

#include "api/object.h"
#include "base/time_zones.h"
#include "cli/document.h"
#include "cli/dump_input.h"
#include "cli/inputs.h"
#include "cli/line.h"
#include "cli/live.h"
#include "cli/needs.h"
#include "cli/source.h"
#include "cli/verb.h"
#include "inspection/lint_objects.h"
#include "json/writer.h"

namespace quadra::cli {
namespace {

using inspection::LintFinding;

constexpr auto kLintFlags = WithAccessFlags(std::array{
    kFilenameFlag,
    kRecursiveFlag,
    Flag{.name = "against",
         .value = "DUMP",
         .repeated = true,
         .help = "A dump of the cluster's ResourceSlices and DeviceClasses: also say what the "
                 "selectors reach there."},
    Flag{.name = "output",
         .letter = 'o',
         .value = "FORMAT",
         .choices = "text json yaml jsonpath=",
         .help =
             "How to print: for people (text, the default), or one report (json, yaml, or what a "
             "jsonpath template prints of it)."},
    kNamespaceFlag,
    kAllNamespacesFlag,
});

std::string LintDocument(const std::vector<LintFinding>& findings) {
  std::string text;
  json::Writer writer(text, 2);
  const auto member = [&](std::string_view key, std::string_view value) {
    writer.Key(key);
    writer.String(value);
  };
  writer.BeginObject();
  member("apiVersion", kDocumentVersion);
  member("kind", "LintReport");
  writer.Key("items");
  writer.BeginArray();
  for (const LintFinding& finding : findings) {
    writer.BeginObject();
    member("file", finding.file);
    writer.Key("line");
    writer.Int(static_cast<std::int64_t>(finding.line));
    member("object", finding.object);
    member("path", finding.path);
    member("message", finding.message);
    member("code", finding.code);
    writer.EndObject();
  }
  writer.EndArray();
  writer.EndObject();
  return text + "\n";
}

ExitCode PrintFindings(const std::vector<LintFinding>& findings, const std::string& format,
                       ExitCode code, Console& console) {
  if (IsDocumentFormat(format)) {
    return PrintDocument(LintDocument(findings), format, code, console);
  }
  for (const LintFinding& finding : findings) {
    PrintLine(console.out,
              fmt::format("{}:{}: {} {}  {}  [{}]", finding.file, finding.line, finding.object,
                          finding.path, finding.message, finding.code));
  }
  return code;
}

Status TakeDevices(inspection::DeviceReader& reader, const json::Manifest& manifest,
                   const api::Identity& identity) {
  QUADRA_RETURN_IF_ERROR(api::ReadObject(
      {.api_version = identity.api_version, .kind = identity.kind, .json = manifest.json()},
      reader));
  return {};
}

// The devices of --against; nothing where a file could not be read, since half a dump would make
// findings that are none. `code` becomes the worse of itself and what reading met.
std::optional<inspection::DeviceList> ReadAgainst(const Invocation& invocation,
                                                  const selector::Language& language,
                                                  Console& console, ExitCode& code) {
  inspection::DeviceReader reader(language);
  const auto take = [&](const json::Manifest& manifest, const api::Identity& identity) {
    return TakeDevices(reader, manifest, identity);
  };
  const ExitCode read = ReadObjects(invocation.Values("against"), invocation.Has("recursive"),
                                    console, {.take = take});
  code = Worst(code, read);
  if (read == ExitCode::kUsage) {
    return std::nullopt;
  }
  std::optional<inspection::DeviceList> devices(std::in_place, reader.Take(),
                                                inspection::DeviceList::Options());
  if (devices->entries().empty()) {
    console.err << "note: the dump holds no devices, so no selector was tried on any\n";
  }
  return devices;
}

// Of a cluster: what is written in it, of the namespace asked for.
std::vector<live::Need> NeedsOfLint(const Invocation& invocation) {
  const std::string ns =
      invocation.Has(kAllNamespacesFlag.name) ? "" : invocation.Value(kNamespaceFlag.name);
  return {Vital<api::ResourceClaim>({.ns = ns}), Vital<api::ResourceClaimTemplate>({.ns = ns}),
          Helpful<api::Pod>({.ns = ns})};
}

// What a cluster has is both looked at and what selectors are tried on. With files they alone are
// looked at.
ExitCode LintCluster(Source& source, const Invocation& invocation, Console& console) {
  const SystemTimeZones zones;
  const selector::Language language(&zones);
  inspection::LintObjects objects(language);
  inspection::DeviceReader reader(language);
  std::vector<live::Need> needs = {Vital<api::DeviceClass>(), Vital<api::ResourceSlice>()};
  if (!source.has_files()) {
    const std::vector<live::Need> written = NeedsOfLint(invocation);
    needs.insert(needs.end(), written.begin(), written.end());
  }
  const auto take = [&](const json::Manifest& manifest, const api::Identity& identity) -> Status {
    QUADRA_RETURN_IF_ERROR(TakeDevices(reader, manifest, identity));
    const bool only_tried_on = source.has_files() && Source::IsOfCluster(manifest);
    return only_tried_on ? Status() : objects.Take(manifest, identity);
  };
  const ExitCode read = source.Read(needs, console, {.take = take});
  if (IsNoAnswer(read)) {
    return read;
  }
  const inspection::DeviceList devices(reader.Take(), inspection::DeviceList::Options());
  const std::vector<LintFinding> findings = objects.Lint(&devices);
  return PrintFindings(findings, invocation.Value("output"),
                       Worst(read, findings.empty() ? ExitCode::kYes : ExitCode::kNo), console);
}

std::vector<std::string> FilesOf(const Invocation& invocation) {
  std::vector<std::string> paths = invocation.Values("filename");
  paths.insert(paths.end(), invocation.arguments.begin(), invocation.arguments.end());
  return paths;
}

ExitCode RunLint(const Invocation& invocation, Console& console) {
  const std::vector<std::string> paths = FilesOf(invocation);
  if ((paths.empty() || NamesCluster(invocation)) && !invocation.Has("against")) {
    Sourced<Source> source = Source::Of(invocation, paths, console);
    return source ? LintCluster(*source, source->Complete(invocation), console)
                  : RefuseSource(source.error(), console);
  }
  if (paths.empty()) {
    return RefuseUsage({.kind = ErrorKind::kUsage, .message = "which files? -f FILE"},
                       invocation.program, FindVerb("lint"), console);
  }
  const SystemTimeZones zones;
  const selector::Language language(&zones);
  inspection::LintObjects objects(language);
  ExitCode code =
      ReadObjects(paths, invocation.Has("recursive"), console,
                  {.take = [&](const json::Manifest& manifest, const api::Identity& identity) {
                    return objects.Take(manifest, identity);
                  }});
  std::optional<inspection::DeviceList> against;
  if (invocation.Has("against")) {
    against = ReadAgainst(invocation, language, console, code);
    if (!against) {
      return code;
    }
  }
  const std::vector<LintFinding> findings = objects.Lint(against ? &*against : nullptr);
  return PrintFindings(findings, invocation.Value("output"),
                       Worst(code, findings.empty() ? ExitCode::kYes : ExitCode::kNo), console);
}

}  // namespace

const Verb kLintVerb{
    .name = "lint",
    .synopsis = "[-f FILE… [--against DUMP] [-R]] [-o FORMAT]",
    .summary = "find what is likely wrong in classes, claims and pods",
    .description =
        "Looks for what the API server accepts, or a scheduler accepts, and yet is hardly meant: "
        "selectors that read an optional attribute without a presence test, that always or never "
        "match, or that only stored objects may have; claims no container uses; templates named as "
        "claims and the reverse; old shapes of the API. With --against it also asks the devices of "
        "a dump: attributes that no device has, selectors that reach nothing, classes that are "
        "missing.\n"
        "Without files it looks at the claims, templates and pods of a cluster that runs, and at "
        "its "
        "classes, and tries the selectors on its devices; with files and --context, or another "
        "flag "
        "that names a cluster, it tries theirs there.\n"
        "Each finding has file, line, object, field and a code; docs/lint.md lists the codes with "
        "their "
        "remedies. Exit status 0: no findings; 1: findings; 2: something could not be read.",
    .examples =
        "  quadra lint\n"
        "  quadra lint -f claim.yaml\n"
        "  quadra lint -f claim.yaml --context prod\n"
        "  quadra lint -R -f manifests/ --against dump.yaml\n",
    .flags = kLintFlags,
    .most_arguments = kManyArguments,
    .run = RunLint,
};

}  // namespace quadra::cli

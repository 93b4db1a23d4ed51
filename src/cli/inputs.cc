#include "cli/inputs.h"

#include <ostream>

#include <fmt/format.h>

#include "cli/bare_scalar.h"
#include "cli/capped_notes.h"
#include "cli/line.h"
#include "validation/judge.h"

namespace quadra::cli {
namespace {

constexpr std::string_view kStandardInput = "-";

using ManifestVisitor = std::function<void(const json::Manifest&)>;

Status ReadOne(const std::string& path, Console& console, const json::ManifestSink& sink) {
  if (path != kStandardInput) {
    return json::ReadManifests(path, sink);
  }
  return json::ReadManifests(console.in, "standard input", sink);
}

// One file; a file without objects is as unreadable as a broken one.
Status ReadFile(const std::string& path, Console& console,
                const std::function<void(const json::Manifest&)>& visit) {
  bool any = false;
  QUADRA_RETURN_IF_ERROR(ReadOne(path, console, [&](const json::Manifest& manifest) -> Status {
    any = true;
    visit(manifest);
    return {};
  }));
  if (any) {
    return {};
  }
  return Fail({.kind = ErrorKind::kUnreadable,
               .message = (path == kStandardInput ? "standard input" : path) + ": no objects found",
               .remedy = "give it at least one object with apiVersion and kind"});
}

Result<std::vector<std::string>> Expand(const std::string& path, bool recursive) {
  if (path == kStandardInput) {
    return std::vector<std::string>{path};
  }
  return json::FindManifestFiles(path, {.recursive = recursive});
}

void Complain(Error error, Console& console) {
  if (error.kind == ErrorKind::kSyntax && error.remedy.empty()) {
    error.remedy = "correct the text there, or check that the file is complete";
  }
  PrintLine(console.err, "error: " + error.ToString());
}

// What `quadra validate` would say of the kind beside what is known already.
bool IsJudged(const api::Identity& identity) {
  const api::KindSchema* const kind = api::FindKind(identity.api_version, identity.kind);
  return kind != nullptr && validation::CoverageOf(*kind) != validation::Coverage::kNone;
}

std::string RemedyFor(const json::Manifest& manifest, const Error& error, bool is_judged) {
  if (!error.remedy.empty()) {
    return error.remedy;
  }
  if (std::string quotes = BareScalarRemedy(manifest, error.field, error.message);
      !quotes.empty()) {
    return quotes;
  }
  return is_judged
             ? fmt::format("quadra validate -f {} says more",
                           manifest.file() == "standard input" ? kStandardInput : manifest.file())
             : "correct the object";
}

// Upstream's words mostly, but not always, begin with the field.
std::string WordsOfError(const Error& error) {
  const std::string_view top = std::string_view(error.field).substr(0, error.field.find('.'));
  return error.field.empty() || error.message.starts_with(top)
             ? error.message
             : fmt::format("{}: {}", error.field, error.message);
}

std::string ComplaintAbout(const json::Manifest& manifest, const Error& error,
                           std::string_view fate, bool is_judged) {
  return fmt::format("{}:{}: {}: {}; {}", manifest.file(), manifest.Locate(error.field).line, fate,
                     WordsOfError(error), RemedyFor(manifest, error, is_judged));
}

// node/gpu-08 is left out.
std::string FateOf(const ObjectSink& sink, const json::Manifest& manifest,
                   const api::Identity& identity) {
  const std::string had = sink.salvage ? sink.salvage(manifest, identity) : "";
  return fmt::format("{} {}", identity.Title(), had.empty() ? "is left out" : had);
}

// Which remedies make sense: where there are files `quadra validate` can read them again.
enum class From : std::uint8_t { kFiles, kCluster };

void TakeObject(const json::Manifest& manifest, From from, const ObjectSink& sink,
                CappedNotes& broken) {
  const Result<api::Identity> identity = api::ReadIdentity(manifest.json());
  if (!identity) {
    broken.Add(ComplaintAbout(manifest, identity.error(), "left out", false));
  } else if (const Status taken = sink.take(manifest, *identity); !taken) {
    broken.Add(ComplaintAbout(manifest, taken.error(), FateOf(sink, manifest, *identity),
                              from == From::kFiles && IsJudged(*identity)));
  }
}

// All that `read` passes on; what it answers, or worse.
ExitCode TakeObjects(From from, Console& console, const ObjectSink& sink,
                     const std::function<ExitCode(const ManifestVisitor&)>& read) {
  CappedNotes broken(console, "objects have something that cannot be read");
  const ExitCode code =
      read([&](const json::Manifest& manifest) { TakeObject(manifest, from, sink, broken); });
  broken.Finish();
  return Worst(code, broken.count() > 0 ? ExitCode::kPartial : ExitCode::kYes);
}

ExitCode ReadText(ObjectText text, Console& console, const ManifestVisitor& visit) {
  const Status read = json::ReadManifestText(std::move(text.name), std::move(text.text),
                                             [&](const json::Manifest& manifest) -> Status {
                                               visit(manifest);
                                               return {};
                                             });
  if (!read) {
    Complain(read.error(), console);
  }
  return read ? ExitCode::kYes : ExitCode::kPartial;
}

Status ReadPath(const std::string& path, bool recursive, Console& console,
                const std::function<void(const json::Manifest&)>& visit, ExitCode& code) {
  QUADRA_TRY(const std::vector<std::string> files, Expand(path, recursive));
  for (const std::string& file : files) {
    if (const Status read = ReadFile(file, console, visit); !read) {
      Complain(read.error(), console);
      code = ExitCode::kUsage;
    }
  }
  return {};
}

}  // namespace

ExitCode ReadFiles(const std::vector<std::string>& paths, bool recursive, Console& console,
                   const std::function<void(const json::Manifest&)>& visit) {
  ExitCode code = ExitCode::kYes;
  for (const std::string& path : paths) {
    if (const Status read = ReadPath(path, recursive, console, visit, code); !read) {
      Complain(read.error(), console);
      code = ExitCode::kUsage;
    }
  }
  return code;
}

ExitCode ReadInputs(const Invocation& invocation, Console& console,
                    const std::function<void(const json::Manifest&)>& visit) {
  std::vector<std::string> paths = invocation.Values(kFilenameFlag.name);
  paths.insert(paths.end(), invocation.arguments.begin(), invocation.arguments.end());
  if (paths.empty()) {
    console.err << "error: no files; name them with -f FILE, or -f - for standard input\n";
    return ExitCode::kUsage;
  }
  return ReadFiles(paths, invocation.Has(kRecursiveFlag.name), console, visit);
}

ExitCode ReadObjects(const std::vector<std::string>& paths, bool recursive, Console& console,
                     const ObjectSink& sink) {
  return TakeObjects(From::kFiles, console, sink, [&](const ManifestVisitor& visit) {
    return ReadFiles(paths, recursive, console, visit);
  });
}

ExitCode ReadObjectTexts(std::vector<ObjectText> texts, Console& console, const ObjectSink& sink) {
  return TakeObjects(From::kCluster, console, sink, [&](const ManifestVisitor& visit) {
    ExitCode code = ExitCode::kYes;
    for (ObjectText& text : texts) {
      code = Worst(code, ReadText(std::move(text), console, visit));
    }
    return code;
  });
}

}  // namespace quadra::cli

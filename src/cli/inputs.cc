#include "cli/inputs.h"

#include <ostream>

#include <fmt/format.h>

namespace quadra::cli {
namespace {

constexpr std::string_view kStandardInput = "-";

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
  console.err << "error: " << error.ToString() << '\n';
}

// What is wrong with an object; file and line stand for the field.
void ComplainAt(const json::Manifest& manifest, const Error& error, Console& console) {
  const std::string_view argument =
      manifest.file() == "standard input" ? kStandardInput : std::string_view(manifest.file());
  console.err << fmt::format("error: {}:{}: {}; ", manifest.file(),
                             manifest.Locate(error.field).line, error.message)
              << (error.remedy.empty() ? fmt::format("quadra validate -f {} says more", argument)
                                       : error.remedy)
              << '\n';
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

ExitCode ReadObjects(
    const std::vector<std::string>& paths, bool recursive, Console& console,
    const std::function<Status(const json::Manifest&, const api::Identity&)>& take) {
  ExitCode code = ExitCode::kYes;
  const ExitCode read = ReadFiles(paths, recursive, console, [&](const json::Manifest& manifest) {
    const Result<api::Identity> identity = api::ReadIdentity(manifest.json());
    const Status taken = identity ? take(manifest, *identity) : Status(Fail(identity.error()));
    if (!taken) {
      ComplainAt(manifest, taken.error(), console);
      code = ExitCode::kUsage;
    }
  });
  return Worst(read, code);
}

}  // namespace quadra::cli

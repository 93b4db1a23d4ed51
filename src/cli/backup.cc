#include <array>
#include <ostream>

#include <fmt/format.h>

#include "apiserver/server.h"
#include "cli/data_directory.h"
#include "cli/line.h"
#include "cli/verb.h"

namespace quadra::cli {
namespace {

constexpr std::array kBackupFlags = {kDataDirFlag};

ExitCode Tell(const Status& done, const std::string& what, Console& console) {
  if (!done) {
    PrintLine(console.err, "error: " + done.error().ToString());
    return ExitCode::kNo;
  }
  PrintLine(console.out, what);
  return ExitCode::kYes;
}

// The one argument; empty after a complaint.
std::string FileOf(const Invocation& invocation, Console& console) {
  if (invocation.arguments.size() != 1) {
    PrintLine(console.err, "error: one file is needed; see --help");
    return "";
  }
  return invocation.arguments.front();
}

// Its Error was printed.
Result<std::filesystem::path> DirectoryOf(const Invocation& invocation, Console& console) {
  Result<std::filesystem::path> directory = DataDirectoryOf(invocation);
  if (!directory) {
    PrintLine(console.err, "error: " + directory.error().ToString());
  }
  return directory;
}

ExitCode BackUp(const Invocation& invocation, Console& console) {
  const std::string file = FileOf(invocation, console);
  const Result<std::filesystem::path> directory = DirectoryOf(invocation, console);
  return file.empty() || !directory
             ? ExitCode::kUsage
             : Tell(apiserver::BackUp(*directory, file),
                    fmt::format("{} backed up to {}", directory->string(), file), console);
}

ExitCode Restore(const Invocation& invocation, Console& console) {
  const std::string file = FileOf(invocation, console);
  const Result<std::filesystem::path> directory = DirectoryOf(invocation, console);
  return file.empty() || !directory
             ? ExitCode::kUsage
             : Tell(apiserver::Restore(file, *directory),
                    fmt::format("{} restored to {}", file, directory->string()), console);
}

}  // namespace

const Verb kBackupVerb{
    .name = "backup",
    .synopsis = "FILE [--data-dir DIR]",
    .summary = "copy everything that an API server keeps to a file",
    .description =
        "The server may be running: the copy is the state of one moment, and nobody waits for it. "
        "The file must not exist yet. Keys and certificates are not in it.",
    .examples = "  quadra backup monday.db --data-dir ./state\n",
    .flags = kBackupFlags,
    .argument_choices = "",
    .most_arguments = 1,
    .run = BackUp,
};

const Verb kRestoreVerb{
    .name = "restore",
    .synopsis = "FILE [--data-dir DIR]",
    .summary = "make the directory of an API server from a backup",
    .description =
        "The directory must not have a database yet. Revisions go on so much later that clients "
        "who watched the old server are told to list anew.",
    .examples = "  quadra restore monday.db --data-dir ./state\n",
    .flags = kBackupFlags,
    .argument_choices = "",
    .most_arguments = 1,
    .run = Restore,
};

}  // namespace quadra::cli

#include "cli/data_directory.h"

#include <cstdlib>

namespace quadra::cli {
namespace {

std::string Variable(const char* name) {
  const char* value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): nobody sets any
  return value == nullptr ? "" : value;
}

Result<std::filesystem::path> StateFolder() {
  if (const std::string state = Variable("XDG_STATE_HOME"); !state.empty()) {
    return std::filesystem::path(state);
  }
  const std::string home = Variable("HOME");
  if (home.empty()) {
    return Fail(Usage("there is no home directory to keep it in",
                      "name one with --data-dir, or set HOME or XDG_STATE_HOME"));
  }
  return std::filesystem::path(home) / ".local/state";
}

}  // namespace

Result<std::filesystem::path> DataDirectoryOf(const Invocation& invocation, std::string_view kept) {
  if (invocation.Has(kDataDirFlag.name)) {
    return invocation.Value(kDataDirFlag.name);
  }
  QUADRA_TRY(const std::filesystem::path folder, StateFolder());
  return folder / kept;
}

}  // namespace quadra::cli

#include "cli/data_directory.h"

#include <cstdlib>

namespace quadra::cli {
namespace {

std::string Variable(const char* name) {
  const char* value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): nobody sets any
  return value == nullptr ? "" : value;
}

}  // namespace

std::filesystem::path DataDirectoryOf(const Invocation& invocation) {
  if (invocation.Has(kDataDirFlag.name)) {
    return invocation.Value(kDataDirFlag.name);
  }
  const std::string state = Variable("XDG_STATE_HOME");
  return state.empty() ? std::filesystem::path(Variable("HOME")) / ".local/state/quadra"
                       : std::filesystem::path(state) / "quadra";
}

}  // namespace quadra::cli

#include "cli/server_options.h"

#include <memory>
#include <mutex>
#include <ostream>

#include <fmt/format.h>

#include "cli/listen_address.h"
#include "cli/whole_number.h"

namespace quadra::cli {
namespace {

Status TakeListen(const std::string& text, apiserver::ApiServerOptions& options) {
  QUADRA_TRY(const ListenAddress address, ReadListenAddress("listen", text));
  options.address = address.host.value_or(options.address);
  options.port = address.port;
  return {};
}

Result<apiserver::RuntimeConfig> ReadRuntimeConfig(const Invocation& invocation) {
  return apiserver::RuntimeConfig::Parse(invocation.Value("runtime-config"))
      .map_error([](const Error& error) {
        return Error{.kind = ErrorKind::kUsage, .message = "--runtime-config: " + error.message};
      });
}

// Lines of many threads, whole ones.
std::function<void(std::string_view)> LinesTo(std::ostream& out) {
  return [&out, mutex = std::make_shared<std::mutex>()](std::string_view line) {
    const std::lock_guard lock(*mutex);
    out << line << std::flush;
  };
}

}  // namespace

Result<apiserver::ApiServerOptions> ReadServerOptions(const Invocation& invocation,
                                                      Console& console, bool guards_by_default) {
  apiserver::ApiServerOptions options;
  options.guard_allocations = invocation.Has("guard-allocations")
                                  ? invocation.Value("guard-allocations") == "true"
                                  : guards_by_default;
  QUADRA_TRY(options.directory, DataDirectoryOf(invocation));
  QUADRA_TRY(options.gates, ReadFeatureGates(invocation));
  QUADRA_RETURN_IF_ERROR(TakeListen(invocation.Value("listen"), options));
  QUADRA_TRY(options.runtime_config, ReadRuntimeConfig(invocation));
  QUADRA_RETURN_IF_ERROR(
      TakeWholeNumber(invocation, "max-requests-inflight", options.in_flight.reading));
  QUADRA_RETURN_IF_ERROR(
      TakeWholeNumber(invocation, "max-mutating-requests-inflight", options.in_flight.writing));
  QUADRA_RETURN_IF_ERROR(TakeWholeNumber(invocation, "v", options.log.verbosity));
  options.log.write = LinesTo(console.err);
  return options;
}

}  // namespace quadra::cli

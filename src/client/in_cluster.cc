#include "client/in_cluster.h"

#include <string>

#include <fmt/format.h>

#include "absl/strings/ascii.h"

namespace quadra::client {
namespace {

// Where kubelets put it.
constexpr std::string_view kFolder = "/var/run/secrets/kubernetes.io/serviceaccount/";
constexpr std::string_view kName = "in-cluster";

std::string PathOf(std::string_view name) { return fmt::format("{}{}", kFolder, name); }

std::string ServerAt(const std::string& host, const std::string& port) {
  const bool v6 = host.find(':') != std::string::npos;
  return fmt::format(fmt::runtime(v6 ? "https://[{}]:{}" : "https://{}:{}"), host, port);
}

// An authority that cannot be read leaves those of the machine, as in client-go.
KubeCluster PodsCluster(std::string server, const ProcessEnvironment& environment) {
  const std::string authority = PathOf("ca.crt");
  return {.server = std::move(server),
          .authority = {.file = environment.read_file(authority) ? authority : ""}};
}

KubeContext PodsContext(const ProcessEnvironment& environment) {
  const Result<std::string> ns = environment.read_file(PathOf("namespace"));
  return {.cluster = std::string(kName),
          .user = std::string(kName),
          .ns = ns ? std::string(absl::StripAsciiWhitespace(*ns)) : ""};
}

template <typename T>
std::vector<Named<T>> One(T value) {
  std::vector<Named<T>> entries;
  entries.push_back(
      {.name = std::string(kName), .file = std::string(kFolder), .value = std::move(value)});
  return entries;
}

}  // namespace

std::optional<Kubeconfig> KubeconfigOfPod(const ProcessEnvironment& environment) {
  const std::string host = environment.variable("KUBERNETES_SERVICE_HOST").value_or("");
  const std::string port = environment.variable("KUBERNETES_SERVICE_PORT").value_or("");
  const std::string token = PathOf("token");
  if (host.empty() || port.empty() || !environment.read_file(token)) {
    return std::nullopt;
  }
  KubeUser user;
  user.token_file = token;
  return Kubeconfig{.current_context = std::string(kName),
                    .clusters = One(PodsCluster(ServerAt(host, port), environment)),
                    .users = One(std::move(user)),
                    .contexts = One(PodsContext(environment))};
}

}  // namespace quadra::client

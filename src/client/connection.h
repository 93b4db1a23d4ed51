// Connection: how to reach a cluster and who we are there. A door of this folder.
//
//   QUADRA_TRY(const ClusterAccess access, FindAccess({.kubeconfig = flag, .context = "prod"},
//                                                     SystemEnvironment()));
//   QUADRA_TRY(Connection connection, Connect(access));
//   Api api(*connection.client, loop, {.headers = connection.headers, .renew = connection.renew});
//
// As client-go: --kubeconfig, else the files of $KUBECONFIG (merged, the first definition counts),
// else ~/.kube/config, else the account of the pod that we run in. Relative paths are relative to
// their file. Tokens and client certificates in files are read again every minute; exec plugins are
// asked again shortly before what they gave expires, and when it is refused.
// A cluster without proxy-url is reached as $HTTPS_PROXY and $NO_PROXY say.
// Not as client-go: plain http, user names with passwords and auth providers are refused.
// Threads: plain data; Connection's client as net/client.h says, its functions one loop's.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "client/answer.h"
#include "net/client.h"

namespace quadra::client {

// What a command line says; empty: nothing. Named after kubectl's flags.
struct AccessFlags {
  std::string kubeconfig;
  std::string context;
  std::string cluster;
  std::string user;
  std::string server;
  std::string tls_server_name;
  std::string certificate_authority;  // a file, as the next two
  std::string client_certificate;
  std::string client_key;
  bool insecure_skip_tls_verify = false;
  std::string token;
  std::string as;
  std::string as_uid;
  std::vector<std::string> as_groups;
};

// A program that tells who we are: client.authentication.k8s.io/v1 or v1beta1.
struct ExecPlugin {
  enum class Interactive : std::uint8_t { kNever, kIfAvailable, kAlways };

  std::string api_version;
  std::string command;
  std::vector<std::string> arguments;
  std::vector<std::pair<std::string, std::string>> environment;  // besides our own
  std::string install_hint;
  bool provide_cluster_info = false;
  std::string cluster_config;  // JSON that the cluster's entry has for plugins; may be empty
  Interactive interactive = Interactive::kIfAvailable;
  // A plugin that takes longer is ended. Long enough for people who log in with a browser.
  std::chrono::milliseconds patience = std::chrono::minutes(2);
};

struct ClusterAccess {
  std::string server;       // https://host:port/path
  std::string ns;           // of the context; empty: default
  std::string authorities;  // PEM; empty: those of this machine
  std::string server_name;
  bool insecure = false;
  std::string proxy;  // http://host:port; empty: none
  std::optional<net::Credential> credential;
  std::string certificate_file;  // where the credential was read; empty: not in files
  std::string key_file;
  std::string token;
  std::string token_file;  // counts where there is no token
  std::optional<ExecPlugin> exec;
  std::string as;
  std::string as_uid;
  std::vector<std::string> as_groups;
  std::map<std::string, std::vector<std::string>> as_extra;
  std::string source;  // for messages: which file and context said so
};

// What a process is given: variables and files; for tests.
struct ProcessEnvironment {
  std::function<std::optional<std::string>(const std::string& name)> variable;
  // kNotFound where there is no such file.
  std::function<Result<std::string>(const std::string& path)> read_file;
};
ProcessEnvironment SystemEnvironment();

// Errors name the file, the entry and the remedy.
Result<ClusterAccess> FindAccess(const AccessFlags& flags, const ProcessEnvironment& environment);

struct Connection {
  std::unique_ptr<net::Client> client;
  // For ApiOptions: authorization and impersonation.
  std::function<net::Headers()> headers;
  // For ApiOptions: asks for other credentials; whether there are any.
  std::function<bool()> renew;
  std::string ns;  // default where nothing is said
  std::string server;
};

// Connects to nothing yet, but asks an exec plugin, so that it may wait, and fail, as long as that
// takes. Errors name what cannot be used.
Result<Connection> Connect(const ClusterAccess& access);

}  // namespace quadra::client

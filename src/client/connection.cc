#include "client/connection.h"

#include <array>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "base/clock.h"
#include "client/address.h"
#include "client/credentials.h"
#include "client/exec_plugin.h"
#include "client/impersonation.h"
#include "client/plugin_credentials.h"

namespace quadra::client {
namespace {

// Beyond what any kubeconfig, certificate or token has; devices without an end stop here.
constexpr std::size_t kMostBytes = 16 << 20;

Error Unreadable(const std::string& path, int why) {
  return {.kind = why == ENOENT || why == ENOTDIR ? ErrorKind::kNotFound : ErrorKind::kUnreadable,
          .message = fmt::format("cannot read {}: {}", path, std::generic_category().message(why))};
}

Result<std::string> ReadAll(std::FILE* file, const std::string& path) {
  std::string text;
  std::array<char, 16 << 10> part{};
  for (std::size_t got = 1; got > 0 && text.size() < kMostBytes;) {
    got = std::fread(part.data(), 1, part.size(), file);
    text.append(part.data(), got);
  }
  if (std::ferror(file) != 0) {
    return Fail(Unreadable(path, errno));
  }
  return text;
}

Result<std::string> ReadFile(const std::string& path) {
  std::FILE* const file = std::fopen(path.c_str(), "re");
  if (file == nullptr) {
    return Fail(Unreadable(path, errno));
  }
  Result<std::string> text = ReadAll(file, path);
  std::fclose(file);
  return text;
}

std::optional<std::string> Variable(const std::string& name) {
  // Nobody sets any. NOLINTNEXTLINE(concurrency-mt-unsafe)
  const char* const value = std::getenv(name.c_str());
  return value != nullptr ? std::optional<std::string>(value) : std::nullopt;
}

const SystemClock& WallClock() {
  static const SystemClock clock;
  return clock;
}

Error From(const ClusterAccess& access, Error error) {
  if (!access.source.empty()) {
    error.message = fmt::format("{}: {}", access.source, error.message);
  }
  return error;
}

// HTTP is what most proxies speak; the others are named.
Result<std::optional<net::Proxy>> ProxyOf(const ClusterAccess& access) {
  if (access.proxy.empty()) {
    return std::nullopt;
  }
  QUADRA_TRY(Address proxy, ParseAddress(access.proxy));
  if (proxy.scheme != "http") {
    return Fail({.kind = ErrorKind::kUnsupported,
                 .message = "proxies are asked by http alone",
                 .field = "proxy-url",
                 .value = access.proxy,
                 .remedy = "write it as http://host:port"});
  }
  return net::Proxy{.host = std::move(proxy.host), .port = proxy.port};
}

Result<net::ClientOptions> OptionsFor(const ClusterAccess& access) {
  QUADRA_TRY(Address server, ParseServer(access.server));
  QUADRA_TRY(std::optional<net::Proxy> proxy, ProxyOf(access));
  return net::ClientOptions{.host = std::move(server.host),
                            .port = server.port,
                            .server_name = access.server_name,
                            .authorities = access.authorities,
                            .system_authorities = access.authorities.empty(),
                            .insecure = access.insecure,
                            .credential = access.credential,
                            .path = std::move(server.path),
                            .proxy = std::move(proxy)};
}

// What was said at the beginning, where an exec plugin was asked.
Result<std::optional<PluginAnswer>> FirstAnswer(const ClusterAccess& access) {
  if (!access.exec) {
    return std::nullopt;
  }
  const std::atomic<bool> never = false;
  Result<PluginAnswer> answer = AskPlugin(*access.exec, access, never);
  if (!answer) {
    answer.error().message.insert(0, "getting credentials: ");
    return Fail(std::move(answer).error());
  }
  return *std::move(answer);
}

// Where another certificate goes. Clients outlive what shows them theirs.
std::function<void(const net::Credential&)> UseIn(net::Client& client) {
  return [&client](const net::Credential& credential) {
    static_cast<void>(client.Use(credential));  // it was checked when it was read
  };
}

std::shared_ptr<Credentials> CredentialsOf(const ClusterAccess& access,
                                           std::optional<PluginAnswer> first, net::Client& client) {
  if (first) {
    return std::make_shared<PluginCredentials>(
        *std::move(first),
        [access, plugin = access.exec.value_or(ExecPlugin())](const std::atomic<bool>& cancelled) {
          return AskPlugin(plugin, access, cancelled);
        },
        UseIn(client), WallClock());
  }
  if (!access.token_file.empty()) {
    return std::make_shared<TokenFile>(access.token_file, ReadFile, WallClock(), access.token);
  }
  return std::make_shared<FixedToken>(access.token);
}

// Null where the certificate is in no files.
std::shared_ptr<CertificateFiles> FilesOf(const ClusterAccess& access, net::Client& client) {
  if (access.certificate_file.empty() || !access.credential) {
    return nullptr;
  }
  return std::make_shared<CertificateFiles>(access.certificate_file, access.key_file,
                                            *access.credential, ReadFile, UseIn(client),
                                            WallClock());
}

std::function<net::Headers()> HeadersOf(const ClusterAccess& access,
                                        std::shared_ptr<Credentials> credentials,
                                        std::shared_ptr<CertificateFiles> files) {
  return [credentials = std::move(credentials), files = std::move(files),
          impersonation = ImpersonationOf(access)] {
    if (files) {
      files->Look();
    }
    net::Headers headers = impersonation;
    const std::string token = credentials->Token();
    if (!token.empty()) {
      headers.Add("authorization", "Bearer " + token);
    }
    return headers;
  };
}

Result<Connection> Made(const ClusterAccess& access) {
  QUADRA_TRY(net::ClientOptions options, OptionsFor(access));
  QUADRA_TRY(std::optional<PluginAnswer> first, FirstAnswer(access));
  if (first && first->certificate) {
    options.credential = first->certificate;
  }
  QUADRA_TRY(std::unique_ptr<net::Client> client, net::Client::Make(std::move(options)));
  const std::shared_ptr<Credentials> credentials = CredentialsOf(access, std::move(first), *client);
  std::function<net::Headers()> headers = HeadersOf(access, credentials, FilesOf(access, *client));
  return Connection{.client = std::move(client),
                    .headers = std::move(headers),
                    .renew = [credentials] { return credentials->Renew(); },
                    .ns = access.ns.empty() ? "default" : access.ns,
                    .server = access.server};
}

}  // namespace

ProcessEnvironment SystemEnvironment() { return {.variable = Variable, .read_file = ReadFile}; }

Result<Connection> Connect(const ClusterAccess& access) {
  Result<Connection> made = Made(access);
  return made ? std::move(made) : Fail(From(access, std::move(made).error()));
}

}  // namespace quadra::client

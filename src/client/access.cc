// FindAccess: which kubeconfig files count, which of their entries, and what flags change in them.
#include <algorithm>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "absl/strings/str_split.h"
#include "base/go_text.h"
#include "base/nearest.h"
#include "client/address.h"
#include "client/connection.h"
#include "client/in_cluster.h"
#include "client/kubeconfig.h"
#include "client/proxy_variables.h"

namespace quadra::client {
namespace {

// What a context leads to, before files are read that it names.
struct Chosen {
  std::string context_name;
  std::string cluster_name;
  std::string user_name;
  std::string file;  // of the context
  KubeCluster cluster;
  KubeUser user;
  std::string ns;
};

bool IsEmpty(const Kubeconfig& config) {
  return config.current_context.empty() && config.clusters.empty() && config.users.empty() &&
         config.contexts.empty();
}

// ---- Files.

std::vector<std::string> FilesToRead(const ProcessEnvironment& environment) {
  const std::optional<std::string> named = environment.variable("KUBECONFIG");
  if (!named || named->empty()) {
    const std::optional<std::string> home = environment.variable("HOME");
    return home && !home->empty() ? std::vector{*home + "/.kube/config"}
                                  : std::vector<std::string>();
  }
  std::vector<std::string> files;
  const std::vector<std::string> listed = absl::StrSplit(*named, ':', absl::SkipEmpty());
  for (const std::string& file : listed) {
    if (std::ranges::find(files, file) == files.end()) {
      files.push_back(file);
    }
  }
  return files;
}

// Files that are absent are passed over, as in kubectl.
Result<Kubeconfig> ReadAll(const std::vector<std::string>& files,
                           const ProcessEnvironment& environment) {
  Kubeconfig merged;
  for (const std::string& file : files) {
    const Result<std::string> text = environment.read_file(file);
    if (!text && text.error().kind == ErrorKind::kNotFound) {
      continue;
    }
    if (!text) {
      return Fail(text.error());
    }
    QUADRA_TRY(Kubeconfig read, ReadKubeconfig(*text, file));
    Merge(merged, std::move(read));
  }
  return merged;
}

Result<Kubeconfig> ReadOne(const std::string& file, const ProcessEnvironment& environment) {
  QUADRA_TRY(const std::string text, environment.read_file(file));
  return ReadKubeconfig(text, file);
}

tl::unexpected<Error> NoKubeconfig(const std::vector<std::string>& files) {
  return Fail({.kind = ErrorKind::kNotFound,
               .message = fmt::format(
                   "no configuration has been provided: there is nothing in {}, and this is no pod",
                   files.empty() ? "$KUBECONFIG" : fmt::format("{}", fmt::join(files, ", "))),
               .remedy = "name a file with --kubeconfig or in $KUBECONFIG"});
}

Result<Kubeconfig> Load(const AccessFlags& flags, const ProcessEnvironment& environment) {
  if (!flags.kubeconfig.empty()) {
    return ReadOne(flags.kubeconfig, environment);
  }
  const std::vector<std::string> files = FilesToRead(environment);
  QUADRA_TRY(Kubeconfig config, ReadAll(files, environment));
  if (!IsEmpty(config)) {
    return config;
  }
  if (std::optional<Kubeconfig> pods = KubeconfigOfPod(environment)) {
    return *std::move(pods);
  }
  return flags.server.empty() ? Result<Kubeconfig>(NoKubeconfig(files)) : config;
}

// ---- Entries.

template <typename T>
std::string OneOf(std::string_view name, const std::vector<Named<T>>& entries) {
  if (entries.empty()) {
    return "the configuration has none";
  }
  std::vector<std::string_view> names;
  names.reserve(entries.size());
  for (const Named<T>& entry : entries) {
    names.push_back(entry.name);
  }
  const std::string_view near = name.empty() ? "" : Nearest(name, names);
  return near.empty() ? fmt::format("name one of {}", fmt::join(names, ", "))
                      : fmt::format("did you mean {}?", near);
}

// The entry of that name, which a flag asks for or, `absent` says otherwise, another entry.
template <typename T>
Result<const Named<T>*> Wanted(const std::vector<Named<T>>& entries, std::string_view name,
                               const std::string& absent) {
  const Named<T>* const found = FindNamed(entries, name);
  if (found == nullptr) {
    return Fail({.kind = ErrorKind::kNotFound, .message = absent, .remedy = OneOf(name, entries)});
  }
  return found;
}

// kubectl's words where a flag asks for something that is not there.
std::string DoesNotExist(std::string_view what, std::string_view name) {
  return fmt::format("{} {} does not exist", what, GoQuote(name));
}

std::string NotFoundForContext(std::string_view what, std::string_view name,
                               std::string_view context) {
  return fmt::format("{} {} was not found for context {}", what, GoQuote(name), GoQuote(context));
}

Status ChooseContext(const Kubeconfig& config, const AccessFlags& flags, Chosen& chosen) {
  const bool asked = !flags.context.empty();
  chosen.context_name = asked ? flags.context : config.current_context;
  if (chosen.context_name.empty()) {
    return {};
  }
  QUADRA_TRY(const Named<KubeContext>* const found,
             Wanted(config.contexts, chosen.context_name,
                    asked ? DoesNotExist("context", chosen.context_name)
                          : fmt::format("context was not found for specified context: {}",
                                        chosen.context_name)));
  chosen.file = found->file;
  chosen.cluster_name = found->value.cluster;
  chosen.user_name = found->value.user;
  chosen.ns = found->value.ns;
  return {};
}

Status ChooseCluster(const Kubeconfig& config, const AccessFlags& flags, Chosen& chosen) {
  const bool asked = !flags.cluster.empty();
  if (asked) {
    chosen.cluster_name = flags.cluster;
  }
  if (chosen.cluster_name.empty()) {
    return {};
  }
  const std::string& name = chosen.cluster_name;
  QUADRA_TRY(const Named<KubeCluster>* const found,
             Wanted(config.clusters, name,
                    asked ? DoesNotExist("cluster", name)
                          : NotFoundForContext("cluster", name, chosen.context_name)));
  chosen.cluster = found->value;
  return {};
}

Status ChooseUser(const Kubeconfig& config, const AccessFlags& flags, Chosen& chosen) {
  const bool asked = !flags.user.empty();
  if (asked) {
    chosen.user_name = flags.user;
  }
  if (chosen.user_name.empty()) {
    return {};
  }
  const std::string& name = chosen.user_name;
  QUADRA_TRY(const Named<KubeUser>* const found,
             Wanted(config.users, name,
                    asked ? DoesNotExist("auth info", name)
                          : NotFoundForContext("user", name, chosen.context_name)));
  chosen.user = found->value;
  return {};
}

// ---- Flags.

void ChangeCluster(const AccessFlags& flags, KubeCluster& cluster) {
  if (!flags.server.empty() || !flags.tls_server_name.empty()) {
    cluster.tls_server_name = flags.tls_server_name;
  }
  if (!flags.server.empty()) {
    cluster.server = flags.server;
  }
  if (flags.insecure_skip_tls_verify || !flags.certificate_authority.empty()) {
    cluster.insecure = flags.insecure_skip_tls_verify;
    cluster.authority = {.file = flags.certificate_authority, .data = {}};
  }
}

void ChangeUser(const AccessFlags& flags, KubeUser& user) {
  if (!flags.token.empty()) {
    user.token = flags.token;
    user.token_file.clear();
  }
  if (!flags.client_certificate.empty()) {
    user.certificate = {.file = flags.client_certificate, .data = {}};
  }
  if (!flags.client_key.empty()) {
    user.key = {.file = flags.client_key, .data = {}};
  }
  if (!flags.as.empty()) {
    user.as = flags.as;
  }
  if (!flags.as_uid.empty()) {
    user.as_uid = flags.as_uid;
  }
  if (!flags.as_groups.empty()) {
    user.as_groups = flags.as_groups;
  }
}

// ---- What makes no sense together.

Error OfUser(const Chosen& chosen, std::string_view message, std::string_view remedy = {},
             ErrorKind kind = ErrorKind::kInvalid) {
  return {.kind = kind,
          .message = fmt::format("user {} {}", GoQuote(chosen.user_name), message),
          .remedy = std::string(remedy)};
}

Status CheckUser(const Chosen& chosen) {
  const KubeUser& user = chosen.user;
  if (!user.username.empty() || !user.password.empty()) {
    return Fail(OfUser(chosen, "has a user name and a password, which API servers no longer take",
                       "give it a token, a client certificate or an exec plugin",
                       ErrorKind::kUnsupported));
  }
  if (!user.auth_provider.empty()) {
    return Fail(OfUser(
        chosen, fmt::format("has the auth provider {}, which is not supported", user.auth_provider),
        "give it an exec plugin", ErrorKind::kUnsupported));
  }
  if (user.certificate.empty() != user.key.empty()) {
    return Fail(OfUser(chosen, user.key.empty() ? "has a client certificate without its key"
                                                : "has a client key without its certificate"));
  }
  if (user.as.empty() &&
      !(user.as_uid.empty() && user.as_groups.empty() && user.as_extra.empty())) {
    return Fail(OfUser(chosen, "requests uid, groups or user-extra without impersonating a user",
                       "name the user with --as"));
  }
  return {};
}

Status CheckCluster(const Kubeconfig& config, const Chosen& chosen) {
  if (chosen.cluster.server.empty()) {
    return Fail(
        {.kind = ErrorKind::kNotFound,
         .message = chosen.context_name.empty() ? "no context chosen"
                                                : fmt::format("no server found for cluster {}",
                                                              GoQuote(chosen.cluster_name)),
         .remedy = chosen.context_name.empty()
                       ? fmt::format("choose with --context: {}", OneOf("", config.contexts))
                       : ""});
  }
  if (chosen.cluster.insecure && !chosen.cluster.authority.empty()) {
    return Fail(ErrorKind::kInvalid,
                fmt::format("cluster {} has a certificate authority and insecure-skip-tls-verify; "
                            "only one of them can count",
                            GoQuote(chosen.cluster_name)));
  }
  return {};
}

// ---- Together.

Result<std::string> ReadPem(const PemSource& source, std::string_view what,
                            const std::string& whose, const ProcessEnvironment& environment) {
  if (!source.data.empty() || source.file.empty()) {
    return source.data;
  }
  Result<std::string> text = environment.read_file(source.file);
  if (!text) {
    return Fail({.kind = ErrorKind::kUnreadable,
                 .message = fmt::format("unable to read {} {} for {}: {}", what, source.file, whose,
                                        text.error().message)});
  }
  return text;
}

std::string SourceOf(const Chosen& chosen) {
  return chosen.context_name.empty()
             ? "the command line"
             : fmt::format("context {} of {}", GoQuote(chosen.context_name), chosen.file);
}

Status ReadCredential(const Chosen& chosen, const ProcessEnvironment& environment,
                      ClusterAccess& access) {
  const KubeUser& user = chosen.user;
  if (user.certificate.empty()) {
    return {};
  }
  QUADRA_TRY(std::string certificate,
             ReadPem(user.certificate, "client-cert", chosen.user_name, environment));
  QUADRA_TRY(std::string key, ReadPem(user.key, "client-key", chosen.user_name, environment));
  access.credential = net::Credential{.certificate = std::move(certificate), .key = std::move(key)};
  if (user.certificate.data.empty() && user.key.data.empty()) {
    access.certificate_file = user.certificate.file;
    access.key_file = user.key.file;
  }
  return {};
}

// Tokens and certificates that are there make plugins unneeded, as in client-go.
std::optional<ExecPlugin> PluginOf(const Chosen& chosen) {
  const KubeUser& user = chosen.user;
  if (!user.exec || !user.token.empty() || !user.token_file.empty() || !user.certificate.empty()) {
    return std::nullopt;
  }
  ExecPlugin plugin = *user.exec;
  plugin.cluster_config = chosen.cluster.exec_config;
  return plugin;
}

std::string ProxyOf(const KubeCluster& cluster, const ProcessEnvironment& environment) {
  const Result<Address> server = ParseServer(cluster.server);
  return cluster.proxy_url.empty() && server ? ProxyFromVariables(*server, environment)
                                             : cluster.proxy_url;
}

Result<ClusterAccess> AccessOf(const Chosen& chosen, const ProcessEnvironment& environment) {
  QUADRA_TRY(std::string authorities, ReadPem(chosen.cluster.authority, "certificate-authority",
                                              chosen.cluster_name, environment));
  ClusterAccess access{.server = chosen.cluster.server,
                       .ns = chosen.ns,
                       .authorities = std::move(authorities),
                       .server_name = chosen.cluster.tls_server_name,
                       .insecure = chosen.cluster.insecure,
                       .proxy = ProxyOf(chosen.cluster, environment),
                       .token = chosen.user.token,
                       .token_file = chosen.user.token_file,
                       .exec = PluginOf(chosen),
                       .as = chosen.user.as,
                       .as_uid = chosen.user.as_uid,
                       .as_groups = chosen.user.as_groups,
                       .as_extra = chosen.user.as_extra,
                       .source = SourceOf(chosen)};
  QUADRA_RETURN_IF_ERROR(ReadCredential(chosen, environment, access));
  return access;
}

}  // namespace

Result<ClusterAccess> FindAccess(const AccessFlags& flags, const ProcessEnvironment& environment) {
  QUADRA_TRY(const Kubeconfig config, Load(flags, environment));
  Chosen chosen;
  QUADRA_RETURN_IF_ERROR(ChooseContext(config, flags, chosen));
  QUADRA_RETURN_IF_ERROR(ChooseCluster(config, flags, chosen));
  QUADRA_RETURN_IF_ERROR(ChooseUser(config, flags, chosen));
  ChangeCluster(flags, chosen.cluster);
  ChangeUser(flags, chosen.user);
  QUADRA_RETURN_IF_ERROR(CheckCluster(config, chosen));
  QUADRA_RETURN_IF_ERROR(CheckUser(chosen));
  return AccessOf(chosen, environment);
}

}  // namespace quadra::client

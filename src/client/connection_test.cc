#include "client/connection.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "base/clock.h"
#include "net/certificates.h"
#include "net/server.h"

namespace quadra::client {
namespace {

// A process with these files and variables.
class Process {
 public:
  Process& File(const std::string& path, std::string text) {
    files_[path] = std::move(text);
    return *this;
  }
  Process& Variable(const std::string& name, std::string value) {
    variables_[name] = std::move(value);
    return *this;
  }

  Result<ClusterAccess> Find(const AccessFlags& flags = {}) const {
    return FindAccess(flags, {.variable =
                                  [this](const std::string& name) {
                                    const auto found = variables_.find(name);
                                    return found == variables_.end() ? std::nullopt
                                                                     : std::optional(found->second);
                                  },
                              .read_file = [this](const std::string& path) { return Read(path); }});
  }

 private:
  Result<std::string> Read(const std::string& path) const {
    const auto found = files_.find(path);
    if (found == files_.end()) {
      return Fail(ErrorKind::kNotFound, "cannot read " + path + ": No such file or directory");
    }
    return found->second;
  }

  std::map<std::string, std::string> files_;
  std::map<std::string, std::string> variables_;
};

// One cluster, user and context of this name.
std::string Config(const std::string& name, const std::string& server, const std::string& token) {
  return "apiVersion: v1\nkind: Config\ncurrent-context: " + name + "\nclusters:\n- name: " + name +
         "\n  cluster: {server: '" + server + "'}\nusers:\n- name: " + name +
         "\n  user: {token: " + token + "}\ncontexts:\n- name: " + name +
         "\n  context: {cluster: " + name + ", user: " + name + ", namespace: " + name + "-ns}\n";
}

TEST(Access, ComesFromTheFirstPlaceThatHasOne) {
  const Process process = Process()
                              .Variable("HOME", "/home/ann")
                              .File("/home/ann/.kube/config", Config("home", "https://h", "th"))
                              .File("/a", Config("a", "https://a", "ta"))
                              .File("/b", Config("b", "https://b", "tb"));
  const Process with_variable = Process(process).Variable("KUBECONFIG", "/absent:/a:/b:/a");
  const Process bare;
  struct Row {
    const Process& process;
    AccessFlags flags;
    std::string server;
    std::string token;
    std::string ns;
    std::string source;
  };
  const std::vector<Row> rows = {
      {process, {}, "https://h", "th", "home-ns", R"(context "home" of /home/ann/.kube/config)"},
      {with_variable, {}, "https://a", "ta", "a-ns", R"(context "a" of /a)"},
      {with_variable, {.context = "b"}, "https://b", "tb", "b-ns", R"(context "b" of /b)"},
      {with_variable, {.kubeconfig = "/b"}, "https://b", "tb", "b-ns", R"(context "b" of /b)"},
      {with_variable, {.cluster = "b"}, "https://b", "ta", "a-ns", R"(context "a" of /a)"},
      {with_variable, {.user = "b"}, "https://a", "tb", "a-ns", R"(context "a" of /a)"},
      {with_variable,
       {.server = "https://s", .token = "t"},
       "https://s",
       "t",
       "a-ns",
       R"(context "a" of /a)"},
      {bare, {.server = "https://s"}, "https://s", "", "", "the command line"},
  };
  for (const Row& row : rows) {
    const auto access = row.process.Find(row.flags);
    ASSERT_TRUE(access) << access.error().ToString();
    EXPECT_EQ(access->server, row.server);
    EXPECT_EQ(access->token, row.token);
    EXPECT_EQ(access->ns, row.ns);
    EXPECT_EQ(access->source, row.source);
  }
}

constexpr std::string_view kWhole = R"(
apiVersion: v1
kind: Config
current-context: prod
clusters:
- name: c
  cluster:
    server: https://c.example:6443
    certificate-authority: pki/ca.crt
    tls-server-name: kubernetes
    proxy-url: http://proxy:3128
    extensions:
    - name: client.authentication.k8s.io/exec
      extension: {audience: a}
- name: lax
  cluster: {server: https://lax, insecure-skip-tls-verify: true}
- name: both
  cluster: {server: https://both, insecure-skip-tls-verify: true, certificate-authority-data: cGVt}
- name: nowhere
  cluster: {}
users:
- name: ann
  user: {client-certificate-data: Y2VydA==, client-key: ../ann.key}
- name: files
  user: {client-certificate: ann.crt, client-key: /abs/ann.key, tokenFile: t}
- name: plugin
  user:
    exec:
      apiVersion: client.authentication.k8s.io/v1
      command: ./bin/login
      args: [a, b]
      env: [{name: GIVEN, value: v}]
      installHint: hint
      provideClusterInfo: true
      interactiveMode: Never
- name: acting
  user: {token: t, as: bob, as-uid: u, as-groups: [g, h], as-user-extra: {k: [v, w]}}
- name: basic
  user: {username: u, password: p}
- name: oidc
  user: {auth-provider: {name: oidc}}
- name: half
  user: {client-certificate-data: Y2VydA==}
- name: groups
  user: {as-groups: [g]}
contexts:
- {name: prod, context: {cluster: c, user: ann, namespace: team-a}}
- {name: lost, context: {cluster: gone, user: ann}}
- {name: nobody, context: {cluster: c, user: gone}}
- {name: anonymous, context: {cluster: c}}
)";

Process WithWhole() {
  return Process()
      .File("/home/ann/.kube/config", std::string(kWhole))
      .File("/home/ann/.kube/pki/ca.crt", "authority")
      .File("/home/ann/ann.key", "key")
      .File("/home/ann/.kube/ann.crt", "certificate")
      .File("/abs/ann.key", "key")
      .Variable("HOME", "/home/ann");
}

TEST(Access, HasAllThatAContextLeadsTo) {
  const auto access = WithWhole().Find();
  ASSERT_TRUE(access) << access.error().ToString();
  EXPECT_EQ(access->server, "https://c.example:6443");
  EXPECT_EQ(access->authorities, "authority");
  EXPECT_EQ(access->server_name, "kubernetes");
  EXPECT_EQ(access->proxy, "http://proxy:3128");
  EXPECT_EQ(access->ns, "team-a");
  const net::Credential credential = access->credential.value_or(net::Credential());
  EXPECT_EQ(credential.certificate, "cert");
  EXPECT_EQ(credential.key, "key");
  EXPECT_EQ(access->certificate_file, "") << "not all of it is in files";
}

TEST(Access, PathsAreRelativeToTheirFile) {
  const auto access = WithWhole().Find({.user = "files"});
  ASSERT_TRUE(access) << access.error().ToString();
  EXPECT_EQ(access->certificate_file, "/home/ann/.kube/ann.crt");
  EXPECT_EQ(access->key_file, "/abs/ann.key");
  EXPECT_EQ(access->token_file, "/home/ann/.kube/t");
}

TEST(Access, DescribesPluginsAndWhoIsImpersonated) {
  const auto plugin = WithWhole().Find({.user = "plugin"});
  ASSERT_TRUE(plugin) << plugin.error().ToString();
  const ExecPlugin exec = plugin->exec.value_or(ExecPlugin());
  EXPECT_EQ(exec.command, "/home/ann/.kube/bin/login");
  EXPECT_EQ(exec.arguments, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(exec.environment, (std::vector<std::pair<std::string, std::string>>{{"GIVEN", "v"}}));
  EXPECT_EQ(exec.install_hint, "hint");
  EXPECT_TRUE(exec.provide_cluster_info);
  EXPECT_EQ(exec.cluster_config, R"({"audience":"a"})");
  EXPECT_EQ(exec.interactive, ExecPlugin::Interactive::kNever);
  EXPECT_FALSE(WithWhole().Find({.user = "plugin", .token = "t"})->exec) << "the token suffices";

  const auto acting = WithWhole().Find({.user = "acting"});
  ASSERT_TRUE(acting) << acting.error().ToString();
  EXPECT_EQ(acting->as, "bob");
  EXPECT_EQ(acting->as_uid, "u");
  EXPECT_EQ(acting->as_groups, (std::vector<std::string>{"g", "h"}));
  EXPECT_EQ(acting->as_extra.at("k"), (std::vector<std::string>{"v", "w"}));
}

TEST(Access, FlagsChangeWhatFilesSay) {
  const auto access = WithWhole().Find({.server = "https://other",
                                        .client_certificate = "/home/ann/.kube/ann.crt",
                                        .client_key = "/abs/ann.key",
                                        .insecure_skip_tls_verify = true,
                                        .as = "eve",
                                        .as_groups = {"x"}});
  ASSERT_TRUE(access) << access.error().ToString();
  EXPECT_EQ(access->server, "https://other");
  EXPECT_EQ(access->server_name, "") << "that was another server's";
  EXPECT_TRUE(access->insecure);
  EXPECT_EQ(access->authorities, "");
  EXPECT_EQ(access->credential.value_or(net::Credential()).certificate, "certificate");
  EXPECT_EQ(access->as, "eve");
  EXPECT_EQ(access->as_groups, std::vector<std::string>{"x"});
}

TEST(Access, IsThePodsOwnWhereThereIsNoFile) {
  const std::string folder = "/var/run/secrets/kubernetes.io/serviceaccount/";
  const Process pod = Process()
                          .Variable("KUBERNETES_SERVICE_HOST", "fd00::1")
                          .Variable("KUBERNETES_SERVICE_PORT", "443")
                          .File(folder + "token", "t")
                          .File(folder + "namespace", "team-a\n")
                          .File(folder + "ca.crt", "authority");
  const auto access = pod.Find();
  ASSERT_TRUE(access) << access.error().ToString();
  EXPECT_EQ(access->server, "https://[fd00::1]:443");
  EXPECT_EQ(access->token_file, folder + "token");
  EXPECT_EQ(access->authorities, "authority");
  EXPECT_EQ(access->ns, "team-a");
  EXPECT_EQ(
      Process(pod).File("/k", Config("k", "https://k", "tk")).Find({.kubeconfig = "/k"})->token,
      "tk");
}

TEST(Access, SaysWhatIsMissingOrMakesNoSense) {
  const Process whole = WithWhole();
  struct Row {
    Process process;
    AccessFlags flags;
    std::string message;
  };
  const std::vector<Row> rows = {
      {Process(),
       {},
       "no configuration has been provided: there is nothing in $KUBECONFIG, and this is no pod; "
       "name a file with --kubeconfig or in $KUBECONFIG"},
      {Process().Variable("HOME", "/h"),
       {},
       "no configuration has been provided: there is nothing in /h/.kube/config, and this is no "
       "pod; name a file with --kubeconfig or in $KUBECONFIG"},
      {whole, {.kubeconfig = "/no"}, "cannot read /no: No such file or directory"},
      {whole, {.context = "prd"}, R"(context "prd" does not exist; did you mean prod?)"},
      {whole,
       {.cluster = "zzzzzz"},
       R"(cluster "zzzzzz" does not exist; name one of c, lax, both, nowhere)"},
      {whole, {.user = "an"}, R"(auth info "an" does not exist; did you mean ann?)"},
      {whole,
       {.context = "lost"},
       R"(cluster "gone" was not found for context "lost"; name one of c, lax, both, nowhere)"},
      {whole,
       {.cluster = "both"},
       R"(cluster "both" has a certificate authority and insecure-skip-tls-verify; only one of )"
       "them can count"},
      {whole, {.cluster = "nowhere"}, R"(no server found for cluster "nowhere")"},
      {whole,
       {.user = "basic"},
       R"(user "basic" has a user name and a password, which API servers no longer take; give it )"
       "a token, a client certificate or an exec plugin"},
      {whole,
       {.user = "oidc"},
       R"(user "oidc" has the auth provider oidc, which is not supported; give it an exec plugin)"},
      {whole, {.user = "half"}, R"(user "half" has a client certificate without its key)"},
      {whole,
       {.user = "groups"},
       R"(user "groups" requests uid, groups or user-extra without impersonating a user; name the )"
       "user with --as"},
      {Process().File("/k", "current-context: x\n"),
       {.kubeconfig = "/k"},
       "context was not found for specified context: x; the configuration has none"},
      {Process().File("/k", "contexts: [{name: a, context: {cluster: c}}]"),
       {.kubeconfig = "/k"},
       "no context chosen; choose with --context: name one of a"},
      {Process().File("/k", "clusters: [{name: a, cluster: {server: 5}}]"),
       {.kubeconfig = "/k"},
       R"(error loading config file "/k": clusters[0].cluster.server is number where string )"
       "belongs"},
      {Process().File("/k", "users: [{name: a, user: {client-key-data: '%%'}}]"),
       {.kubeconfig = "/k"},
       R"(error loading config file "/k": users[0].user.client-key-data is no base64; write it as )"
       "the API server gave it, on one line"},
      {Process().File("/k", "kind: Pod\napiVersion: v1\n"),
       {.kubeconfig = "/k"},
       R"(error loading config file "/k": holds a Pod of v1, no Config of v1; name a kubeconfig )"
       "file"},
      {Process().File("/k", "hello"),
       {.kubeconfig = "/k"},
       R"(error loading config file "/k": the file is string where object belongs)"},
  };
  for (const Row& row : rows) {
    const auto access = row.process.Find(row.flags);
    ASSERT_FALSE(access) << row.message;
    EXPECT_EQ(access.error().ToString(), row.message);
  }
}

TEST(Access, NamesAFileThatIsNoYaml) {
  const auto access = Process().File("/k", "clusters: [").Find({.kubeconfig = "/k"});
  ASSERT_FALSE(access);
  EXPECT_TRUE(access.error().message.starts_with(R"(error loading config file "/k": )"))
      << access.error().message;
}

// ---- Connecting, over TLS.

// A server that says what it was asked and by whom.
class TlsServer {
 public:
  TlsServer()
      : now_(SystemClock().Now()),
        authority_(*net::MakeAuthority("test", now_)),
        server_(*net::Server::Start(
            {.credential = *net::IssueServer(authority_, {"s", {"localhost"}, {}}, now_),
             .client_authorities = authority_.certificate},
            [](const net::Request& request, net::Exchange exchange) {
              exchange.Answer(net::PlainText(200, Said(request)));
            })) {}

  ClusterAccess Access() const {
    return {.server = "https://localhost:" + std::to_string(server_->port()),
            .authorities = authority_.certificate};
  }
  net::Credential Client(const std::string& name) const {
    return *net::IssueClient(authority_, {name, {}}, now_);
  }
  std::uint16_t port() const { return server_->port(); }

 private:
  static std::string Said(const net::Request& request) {
    std::string said = request.target;
    for (const net::Header& header : request.headers) {
      if (header.name == "authorization" || header.name.starts_with("impersonate-")) {
        said += " " + header.name + "=" + header.value;
      }
    }
    return request.peer->identity ? said + " " + request.peer->identity->common_name : said;
  }

  const Time now_;
  const net::Credential authority_;
  const std::unique_ptr<net::Server> server_;
};

// What the server said, or why there was no answer.
std::string Ask(Connection& connection) {
  const auto answer = connection.client->Fetch(
      {.method = "GET", .target = "/version", .headers = connection.headers()});
  return answer ? *answer->body : answer.error().message + "\n";
}

std::string Told(const ClusterAccess& access) {
  auto connection = Connect(access);
  return connection ? Ask(*connection) : connection.error().ToString() + "\n";
}

TEST(Connection, ShowsWhoWeAre) {
  const TlsServer server;
  struct Row {
    std::string said;
    std::function<void(ClusterAccess&)> change;
  };
  const std::vector<Row> rows = {
      {"/version", [](ClusterAccess&) {}},
      {"/version authorization=Bearer secret", [](ClusterAccess& a) { a.token = "secret"; }},
      {"/version ann", [&](ClusterAccess& a) { a.credential = server.Client("ann"); }},
      {"/c/1/version", [](ClusterAccess& a) { a.server += "/c/1/"; }},
      {"/version",
       [](ClusterAccess& a) {
         a.authorities.clear();
         a.insecure = true;
       }},
      {"/version impersonate-user=bob impersonate-uid=u impersonate-group=g impersonate-group=h "
       "impersonate-extra-a%2fb=v",
       [](ClusterAccess& a) {
         a.as = "bob";
         a.as_uid = "u";
         a.as_groups = {"g", "h"};
         a.as_extra = {{"a/b", {"v"}}};
       }},
      {"/version authorization=Bearer t",
       [](ClusterAccess& a) {
         a.exec = ExecPlugin{
             .api_version = "client.authentication.k8s.io/v1",
             .command = "echo",
             .arguments = {R"({"kind":"ExecCredential","apiVersion":)"
                           R"("client.authentication.k8s.io/v1","status":{"token":"t"}})"}};
       }},
  };
  for (const Row& row : rows) {
    ClusterAccess access = server.Access();
    row.change(access);
    EXPECT_EQ(Told(access), row.said + "\n");
  }
}

TEST(Connection, SaysWhyItCannotBe) {
  const TlsServer server;
  struct Row {
    std::string said;
    std::function<void(ClusterAccess&)> change;
  };
  const std::vector<Row> rows = {
      {"servers are reached by https alone, not by http: http://s; write it as https://host:port",
       [](ClusterAccess& a) { a.server = "http://s"; }},
      {"is no address: https://s:port; write it as https://host:port",
       [](ClusterAccess& a) { a.server = "https://s:port"; }},
      {"an address with a user name or a password is not supported",
       [](ClusterAccess& a) { a.server = "https://u:p@s"; }},
      {"proxy-url: proxies are asked by http alone: socks5://p:1; write it as http://host:port",
       [](ClusterAccess& a) { a.proxy = "socks5://p:1"; }},
      {R"(context "x" of /k: getting credentials: exec: executable no-such-plugin not found; )"
       "install it, or put it into $PATH",
       [](ClusterAccess& a) {
         a.source = R"(context "x" of /k)";
         a.exec = ExecPlugin{.api_version = "client.authentication.k8s.io/v1",
                             .command = "no-such-plugin"};
       }},
      {"the certificate is no PEM certificate",
       [](ClusterAccess& a) { a.credential = net::Credential{.certificate = "c", .key = "k"}; }},
  };
  for (const Row& row : rows) {
    ClusterAccess access = server.Access();
    row.change(access);
    EXPECT_TRUE(Told(access).starts_with(row.said)) << Told(access);
  }
}

TEST(Connection, RefusesAServerThatNobodyVouchesFor) {
  const TlsServer server;
  const TlsServer other;
  ClusterAccess access = server.Access();
  access.authorities = other.Access().authorities;
  EXPECT_NE(Told(access).find("certificate verify failed"), std::string::npos) << Told(access);
  access = server.Access();
  access.server_name = "kubernetes";
  EXPECT_NE(Told(access).find("hostname mismatch"), std::string::npos) << Told(access);
}

TEST(Connection, ATokenThatIsRefusedIsAskedForAgain) {
  const TlsServer server;
  ClusterAccess access = server.Access();
  access.exec = ExecPlugin{
      .api_version = "client.authentication.k8s.io/v1",
      .command = "sh",
      .arguments = {"-c", R"(printf '{"kind":"ExecCredential","apiVersion":)"
                          R"("client.authentication.k8s.io/v1","status":{"token":"%s"}}' $$)"}};
  auto connection = Connect(access);
  ASSERT_TRUE(connection) << connection.error().ToString();
  const std::string first = Ask(*connection);
  EXPECT_EQ(Ask(*connection), first);
  EXPECT_TRUE(connection->renew());
  EXPECT_NE(Ask(*connection), first);
}

}  // namespace
}  // namespace quadra::client

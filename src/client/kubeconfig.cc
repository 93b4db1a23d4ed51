#include "client/kubeconfig.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <utility>

#include <fmt/format.h>

#include "base/base64.h"
#include "base/go_text.h"
#include "json/documents.h"
#include "json/value.h"

namespace quadra::client {
namespace {

constexpr std::string_view kExecExtension = "client.authentication.k8s.io/exec";

// The members of one object. What is absent or null reads as empty; the first that is of another
// type is kept in `problem`.
class Members {
 public:
  Members(const json::Value& object, std::string path, std::optional<Error>& problem)
      : object_(object), path_(std::move(path)), problem_(problem) {
    Expect(object, json::Kind::kObject, path_);
  }

  std::string Text(std::string_view key) const {
    const json::Value* value = Find(key, json::Kind::kString);
    return value != nullptr ? value->string() : "";
  }

  bool Flag(std::string_view key) const {
    const json::Value* value = Find(key, json::Kind::kBool);
    return value != nullptr && value->boolean();
  }

  std::vector<std::string> Texts(std::string_view key) const {
    std::vector<std::string> texts;
    if (const json::Value* list = Find(key, json::Kind::kArray)) {
      for (const json::Value& item : list->items()) {
        if (Expect(item, json::Kind::kString, PathOf(key))) {
          texts.push_back(item.string());
        }
      }
    }
    return texts;
  }

  // Bytes that are written in base64.
  std::string Decoded(std::string_view key) const {
    std::optional<std::string> bytes = DecodeBase64(Text(key));
    if (!bytes) {
      Complain({.message = "is no base64",
                .field = PathOf(key),
                .remedy = "write it as the API server gave it, on one line"});
    }
    return std::move(bytes).value_or("");
  }

  Members Object(std::string_view key) const {
    const json::Value* object = Find(key, json::Kind::kObject);
    return {object != nullptr ? *object : Nothing(), PathOf(key), problem_};
  }

  bool Has(std::string_view key) const { return !object_.Get(key).is_null(); }
  const json::Value& Raw(std::string_view key) const { return object_.Get(key); }

  // Calls `each` with the members of every item of a list of objects.
  template <typename Each>
  void ForEach(std::string_view key, Each each) const {
    if (const json::Value* list = Find(key, json::Kind::kArray)) {
      for (std::size_t i = 0; i < list->items().size(); ++i) {
        each(Members(list->items()[i], fmt::format("{}[{}]", PathOf(key), i), problem_));
      }
    }
  }

  // Keys and lists of texts.
  std::map<std::string, std::vector<std::string>> Lists(std::string_view key) const {
    std::map<std::string, std::vector<std::string>> lists;
    const Members members = Object(key);
    if (members.object_.kind() == json::Kind::kObject) {
      for (const auto& member : members.object_.members()) {
        lists[member.key] = members.Texts(member.key);
      }
    }
    return lists;
  }

  std::string PathOf(std::string_view key) const {
    return path_.empty() ? std::string(key) : fmt::format("{}.{}", path_, key);
  }

  void Complain(Error error) const {
    if (!problem_) {
      problem_ = std::move(error);
    }
  }

 private:
  static const json::Value& Nothing() {
    static const json::Value nothing;
    return nothing;
  }

  const json::Value* Find(std::string_view key, json::Kind kind) const {
    const json::Value* value = object_.Find(key);
    return value != nullptr && !value->is_null() && Expect(*value, kind, PathOf(key)) ? value
                                                                                      : nullptr;
  }

  bool Expect(const json::Value& value, json::Kind kind, const std::string& path) const {
    if (value.kind() != kind && !value.is_null()) {
      Complain({.message = fmt::format("is {} where {} belongs", json::KindName(value.kind()),
                                       json::KindName(kind)),
                .field = path.empty() ? "the file" : path});
    }
    return value.kind() == kind;
  }

  const json::Value& object_;
  const std::string path_;
  std::optional<Error>& problem_;
};

// A path in a kubeconfig, seen from where we run.
std::string Resolved(const std::string& path, const std::string& kubeconfig) {
  if (path.empty() || std::filesystem::path(path).is_absolute()) {
    return path;
  }
  return (std::filesystem::path(kubeconfig).parent_path() / path).lexically_normal().string();
}

PemSource ReadPem(const Members& members, const std::string& key, const std::string& file) {
  return {.file = Resolved(members.Text(key), file), .data = members.Decoded(key + "-data")};
}

std::string ExecConfigOf(const Members& cluster) {
  std::string config;
  cluster.ForEach("extensions", [&](const Members& extension) {
    if (extension.Text("name") == kExecExtension) {
      config = json::ToJson(extension.Raw("extension"));
    }
  });
  return config;
}

KubeCluster ReadCluster(const Members& members, const std::string& file) {
  return {.server = members.Text("server"),
          .tls_server_name = members.Text("tls-server-name"),
          .insecure = members.Flag("insecure-skip-tls-verify"),
          .authority = ReadPem(members, "certificate-authority", file),
          .proxy_url = members.Text("proxy-url"),
          .exec_config = ExecConfigOf(members)};
}

ExecPlugin::Interactive ReadInteractive(const Members& exec) {
  using Interactive = ExecPlugin::Interactive;
  constexpr std::array<std::pair<std::string_view, Interactive>, 4> kModes = {
      {{"", Interactive::kIfAvailable},
       {"Never", Interactive::kNever},
       {"IfAvailable", Interactive::kIfAvailable},
       {"Always", Interactive::kAlways}}};
  const std::string mode = exec.Text("interactiveMode");
  const auto* found =
      std::ranges::find(kModes, mode, &std::pair<std::string_view, Interactive>::first);
  if (found == kModes.end()) {
    exec.Complain({.message = "is unknown",
                   .field = exec.PathOf("interactiveMode"),
                   .value = mode,
                   .remedy = "write Never, IfAvailable or Always"});
    return Interactive::kNever;
  }
  return found->second;
}

// A command with a slash is a path; others are looked for in $PATH.
std::string ReadCommand(const Members& exec, const std::string& file) {
  std::string command = exec.Text("command");
  return command.find('/') == std::string::npos ? command : Resolved(command, file);
}

std::optional<ExecPlugin> ReadExec(const Members& user, const std::string& file) {
  if (!user.Has("exec")) {
    return std::nullopt;
  }
  const Members exec = user.Object("exec");
  ExecPlugin plugin{.api_version = exec.Text("apiVersion"),
                    .command = ReadCommand(exec, file),
                    .arguments = exec.Texts("args"),
                    .environment = {},
                    .install_hint = exec.Text("installHint"),
                    .provide_cluster_info = exec.Flag("provideClusterInfo"),
                    .cluster_config = {},
                    .interactive = ReadInteractive(exec)};
  exec.ForEach("env", [&](const Members& variable) {
    plugin.environment.emplace_back(variable.Text("name"), variable.Text("value"));
  });
  return plugin;
}

KubeUser ReadUser(const Members& members, const std::string& file) {
  return {.certificate = ReadPem(members, "client-certificate", file),
          .key = ReadPem(members, "client-key", file),
          .token = members.Text("token"),
          .token_file = Resolved(members.Text("tokenFile"), file),
          .username = members.Text("username"),
          .password = members.Text("password"),
          .auth_provider = members.Object("auth-provider").Text("name"),
          .exec = ReadExec(members, file),
          .as = members.Text("as"),
          .as_uid = members.Text("as-uid"),
          .as_groups = members.Texts("as-groups"),
          .as_extra = members.Lists("as-user-extra")};
}

KubeContext ReadContext(const Members& members, const std::string& /*file*/) {
  return {.cluster = members.Text("cluster"),
          .user = members.Text("user"),
          .ns = members.Text("namespace")};
}

// `clusters: [{name: …, cluster: …}]`, and likewise.
template <typename T>
std::vector<Named<T>> ReadNamed(const Members& root, std::string_view list, std::string_view key,
                                const std::string& file,
                                T (*read)(const Members&, const std::string&)) {
  std::vector<Named<T>> entries;
  root.ForEach(list, [&](const Members& entry) {
    Named<T> made{.name = entry.Text("name"), .file = file, .value = read(entry.Object(key), file)};
    std::erase_if(entries, [&](const Named<T>& other) { return other.name == made.name; });
    entries.push_back(std::move(made));
  });
  return entries;
}

void CheckKind(const Members& root) {
  const std::string kind = root.Text("kind");
  const std::string version = root.Text("apiVersion");
  if ((!kind.empty() && kind != "Config") || (!version.empty() && version != "v1")) {
    root.Complain({.kind = ErrorKind::kUnsupported,
                   .message = fmt::format("holds a {} of {}, no Config of v1", kind, version),
                   .remedy = "name a kubeconfig file"});
  }
}

Error About(const std::string& file, Error error) {
  error.message = fmt::format(
      "error loading config file {}: {}", GoQuote(file),
      error.field.empty() ? error.message
                          : fmt::format("{} {}", std::exchange(error.field, {}), error.message));
  return error;
}

template <typename T>
void Append(std::vector<Named<T>>& into, std::vector<Named<T>> lower) {
  for (Named<T>& entry : lower) {
    if (FindNamed(into, entry.name) == nullptr) {
      into.push_back(std::move(entry));
    }
  }
}

}  // namespace

Result<Kubeconfig> ReadKubeconfig(std::string_view text, const std::string& file) {
  const Result<std::string> json = json::YamlToJson(text);
  if (!json) {
    return Fail(About(file, json.error()));
  }
  const Result<json::Value> value = json::ParseValue(*json);
  if (!value) {
    return Fail(About(file, value.error()));
  }
  std::optional<Error> problem;
  const Members root(*value, "", problem);
  CheckKind(root);
  Kubeconfig config{
      .current_context = root.Text("current-context"),
      .clusters = ReadNamed<KubeCluster>(root, "clusters", "cluster", file, ReadCluster),
      .users = ReadNamed<KubeUser>(root, "users", "user", file, ReadUser),
      .contexts = ReadNamed<KubeContext>(root, "contexts", "context", file, ReadContext)};
  if (problem) {
    return Fail(About(file, *std::move(problem)));
  }
  return config;
}

void Merge(Kubeconfig& into, Kubeconfig lower) {
  if (into.current_context.empty()) {
    into.current_context = std::move(lower.current_context);
  }
  Append(into.clusters, std::move(lower.clusters));
  Append(into.users, std::move(lower.users));
  Append(into.contexts, std::move(lower.contexts));
}

}  // namespace quadra::client

// Kubeconfig: what the files of kubectl say: clusters, users, contexts, and which context counts.
// Private to src/client.
//
//   QUADRA_TRY(Kubeconfig config, ReadKubeconfig(text, "/home/ann/.kube/config"));
//   Merge(config, second);                                  // the first definition counts
//   const Named<KubeUser>* ann = FindNamed(config.users, "ann");
//
// Unknown fields are passed over, as kubectl does. Of two entries with one name in one file the last
// counts, as in client-go; of two files the first, with all that it says and does not say.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "client/connection.h"

namespace quadra::client {

// PEM, in the file itself or in another one.
struct PemSource {
  std::string file;  // absolute, or relative to where we run if that is how its kubeconfig is named
  std::string data;  // counts first

  bool empty() const { return file.empty() && data.empty(); }
};

struct KubeCluster {
  std::string server;
  std::string tls_server_name;
  bool insecure = false;
  PemSource authority;
  std::string proxy_url;
  std::string exec_config;  // JSON: the extension client.authentication.k8s.io/exec
};

struct KubeUser {
  PemSource certificate;
  PemSource key;
  std::string token;
  std::string token_file;
  std::string username;
  std::string password;
  std::string auth_provider;  // its name
  std::optional<ExecPlugin> exec;
  std::string as;
  std::string as_uid;
  std::vector<std::string> as_groups;
  std::map<std::string, std::vector<std::string>> as_extra;
};

struct KubeContext {
  std::string cluster;
  std::string user;
  std::string ns;
};

template <typename T>
struct Named {
  std::string name;
  std::string file;  // that defines it
  T value;
};

struct Kubeconfig {
  std::string current_context;
  std::vector<Named<KubeCluster>> clusters;
  std::vector<Named<KubeUser>> users;
  std::vector<Named<KubeContext>> contexts;
};

// `file` is for messages, and for the paths in it. An empty text is an empty configuration.
Result<Kubeconfig> ReadKubeconfig(std::string_view text, const std::string& file);

// Adds what `into` does not define.
void Merge(Kubeconfig& into, Kubeconfig lower);

// Null where there is none.
template <typename T>
const Named<T>* FindNamed(const std::vector<Named<T>>& entries, std::string_view name) {
  for (const Named<T>& entry : entries) {
    if (entry.name == name) {
      return &entry;
    }
  }
  return nullptr;
}

}  // namespace quadra::client

#include <array>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "cli/verb.h"
#include "cli/words.h"

namespace quadra::cli {
namespace {

constexpr std::string_view kDefaultNamespace = "quadra-system";

// Lists are space separated; the group of core is "core". What begins with / is no resource, but a path.
struct Rule {
  std::string_view group;
  std::string_view resources;
  std::string_view verbs;
  std::string_view why = {};  // where the name does not say it
};

constexpr std::string_view kRead = "get list watch";
constexpr std::string_view kFollow = "list watch";
constexpr std::string_view kChange = "patch update";
constexpr std::string_view kDra = "resource.k8s.io";

constexpr std::array kViewer = {
    Rule{"core", "pods nodes namespaces", kRead},
    Rule{kDra,
         "resourceclaims resourceclaimtemplates resourceslices deviceclasses devicetaintrules",
         kRead},
    Rule{"scheduling.k8s.io", "priorityclasses", kRead},
    Rule{"apps", "deployments replicasets statefulsets", kRead, "quadra fit deployment/NAME"},
    Rule{"batch", "jobs", kRead, "quadra fit job/NAME"},
    Rule{"", "/quadra/explain/*", "get", "what Quadra's scheduler tried last; others answer 404"},
};

constexpr std::array kController = {
    Rule{"core", "pods", "create delete get list patch watch"},
    Rule{"core", "pods/status", "patch"},
    Rule{"core", "nodes", "get list patch watch"},
    Rule{"core", "nodes/status", "patch"},
    Rule{"core", "namespaces replicationcontrollers", kFollow},
    Rule{"core", "serviceaccounts", "create list watch"},
    Rule{"core", "configmaps", "create get list update watch", "kube-root-ca.crt"},
    Rule{kDra, "resourceclaims", "create delete get list patch watch"},
    Rule{kDra, "resourceclaims/status", "patch"},
    Rule{kDra, "resourceclaims/binding", "patch",
         "asked for by servers that check who changes allocations"},
    Rule{kDra, "resourceclaimtemplates resourceslices devicetaintrules", kFollow},
    Rule{kDra, "devicetaintrules/status", "patch"},
    Rule{"apps", "replicasets", kRead},
    Rule{"apps", "replicasets/status", "patch"},
    Rule{"apps", "replicasets/finalizers", "update", "their pods may keep them from going"},
    Rule{"apps", "deployments statefulsets", kFollow},
    Rule{"policy", "poddisruptionbudgets", kFollow},
    Rule{"policy", "poddisruptionbudgets/status", "patch"},
    Rule{"*", "*/scale", "get", "how many pods there are to be, for disruption budgets"},
    Rule{"coordination.k8s.io", "leases", "create get list update watch",
         "of nodes, and who leads"},
    Rule{"core", "events", "create patch"},
};

constexpr std::array kCollector = {
    Rule{"*", "*", "delete deletecollection get list patch update watch",
         "what loses its owners, or its namespace, may be of any kind"},
};

constexpr std::array kScheduler = {
    Rule{"core", "pods", "delete get list watch", "who has less priority may have to go"},
    Rule{"core", "pods/binding", "create"},
    Rule{"core", "pods/status", kChange},
    Rule{"core", "pods/finalizers", "update",
         "claims that the scheduler makes may keep their pods from going"},
    Rule{"core", "nodes namespaces replicationcontrollers services", kRead},
    Rule{"core", "persistentvolumes persistentvolumeclaims", kRead},
    Rule{kDra, "resourceclaims", "create delete get list patch update watch",
         "claims for extended resources are the scheduler's own"},
    Rule{kDra, "resourceclaims/status", kChange},
    Rule{kDra, "resourceclaims/binding", kChange,
         "asked for by servers that check who changes allocations"},
    Rule{kDra, "resourceslices deviceclasses devicetaintrules", kRead},
    Rule{"apps", "replicasets statefulsets", kRead},
    Rule{"policy", "poddisruptionbudgets", kRead},
    Rule{"scheduling.k8s.io", "priorityclasses", kRead},
    Rule{"storage.k8s.io",
         "csidrivers csinodes csistoragecapacities storageclasses volumeattachments", kRead},
    Rule{"coordination.k8s.io", "leases", "create get list patch update watch"},
    Rule{"core", "events", "create patch update"},
    Rule{"events.k8s.io", "events", "create patch update"},
};

constexpr std::array kNode = {
    Rule{"core", "nodes", "create get list patch update watch"},
    Rule{"core", "nodes/status", kChange},
    Rule{"core", "pods", "delete get list watch"},
    Rule{"core", "pods/status", kChange},
    Rule{kDra, "resourceclaims", kRead},
    Rule{kDra, "resourceslices", "delete deletecollection get list watch",
         "those of drivers that are gone are taken away"},
    Rule{"coordination.k8s.io", "leases", "create get patch update"},
    Rule{"core", "events", "create patch update"},
    Rule{"events.k8s.io", "events", "create patch update"},
};

constexpr std::array kDriver = {
    Rule{kDra, "resourceclaims", "get"},
    Rule{kDra, "resourceclaims/status", kChange},
    Rule{kDra, "resourceclaims/driver", "associated-node:patch associated-node:update",
         "asked for by servers that check who writes the status of devices"},
    Rule{kDra, "resourceslices", "create delete get list patch update watch"},
    Rule{"core", "nodes", "get"},
};

struct RolePart {
  std::string_view suffix;  // behind the role's name
  std::string_view note;
  std::span<const Rule> rules;
};
struct Role {
  std::string_view name;
  std::vector<RolePart> parts;
};

std::vector<Role> Roles() {
  return {
      {"controller",
       {{"", "the claim controller, taint eviction and the housekeeping of a cluster", kController},
        {"-collector",
         "only for garbage-collector-controller and namespace-controller; leave it out with "
         "--controllers=*,-garbage-collector-controller,-namespace-controller",
         kCollector}}},
      {"scheduler", {{"", "quadra scheduler", kScheduler}}},
      {"node", {{"", "quadra node, the agent on a node", kNode}}},
      {"viewer",
       {{"", "get, explain, select, lint, allocate, fit and dump; reads, no secrets", kViewer}}},
      {"driver", {{"", "a driver that publishes the devices of nodes", kDriver}}}};
}

constexpr std::array kRbacFlags = {
    Flag{.name = "role",
         .value = "ROLE",
         .choices = "controller scheduler node viewer driver",
         .help = "For whom."},
    Flag{.name = "namespace",
         .letter = 'n',
         .value = "NAMESPACE",
         .help = "Where its service account is; quadra-system if not given."},
};

std::string Quoted(std::string_view words) {
  std::string text;
  for (const std::string_view word : SplitWords(words)) {
    text += fmt::format("{}\"{}\"", text.empty() ? "" : ", ", word == "core" ? "" : word);
  }
  return text;
}

std::string RuleText(const Rule& rule) {
  const std::string why = rule.why.empty() ? "" : fmt::format("  # {}\n", rule.why);
  if (rule.resources.starts_with('/')) {
    return fmt::format("{}  - nonResourceURLs: [{}]\n    verbs: [{}]\n", why,
                       Quoted(rule.resources), Quoted(rule.verbs));
  }
  return fmt::format("{}  - apiGroups: [{}]\n    resources: [{}]\n    verbs: [{}]\n", why,
                     Quoted(rule.group), Quoted(rule.resources), Quoted(rule.verbs));
}

void PrintPart(const Role& role, const RolePart& part, std::string_view ns, std::ostream& out) {
  const std::string name = fmt::format("quadra-{}{}", role.name, part.suffix);
  out << "---\n# " << part.note << "\napiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\n"
      << "metadata:\n  name: " << name << "\nrules:\n";
  for (const Rule& rule : part.rules) {
    out << RuleText(rule);
  }
  out << fmt::format(
      "---\napiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRoleBinding\nmetadata:\n"
      "  name: {0}\nroleRef:\n  apiGroup: rbac.authorization.k8s.io\n  kind: ClusterRole\n"
      "  name: {0}\nsubjects:\n  - kind: ServiceAccount\n    name: quadra-{1}\n    namespace: "
      "{2}\n",
      name, role.name, ns);
}

ExitCode PrintRole(const Role& role, const std::string& ns, Console& console) {
  console.out << fmt::format(
      "apiVersion: v1\nkind: Namespace\nmetadata:\n  name: {1}\n---\napiVersion: v1\n"
      "kind: ServiceAccount\nmetadata:\n  name: quadra-{0}\n  namespace: {1}\n",
      role.name, ns);
  for (const RolePart& part : role.parts) {
    PrintPart(role, part, ns, console.out);
  }
  return ExitCode::kYes;
}

// A name that can stand in YAML as it is.
bool IsName(std::string_view text) {
  return !text.empty() && text.size() <= 63 &&
         text.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-") ==
             std::string_view::npos &&
         text.front() != '-' && text.back() != '-';
}

ExitCode RunRbac(const Invocation& invocation, Console& console) {
  const auto refuse = [&](std::string message) {
    return RefuseUsage({.kind = ErrorKind::kUsage, .message = std::move(message)},
                       invocation.program, FindVerb("rbac"), console);
  };
  const std::string ns =
      invocation.Has("namespace") ? invocation.Value("namespace") : std::string(kDefaultNamespace);
  if (!IsName(ns)) {
    return refuse(fmt::format("--namespace: \"{}\" is no name of a namespace", ns));
  }
  const std::vector<Role> roles = Roles();
  const std::string wanted = invocation.Value("role");
  for (const Role& role : roles) {
    if (role.name == wanted) {
      return PrintRole(role, ns, console);
    }
  }
  return refuse("for whom? Give --role controller, scheduler, node, viewer or driver");
}

}  // namespace

const Verb kRbacVerb{
    .name = "rbac",
    .synopsis = "--role controller|scheduler|node|viewer|driver [-n NAMESPACE]",
    .summary = "print the least permissions that a role needs, as manifests",
    .description =
        "Prints a Namespace, a ServiceAccount, and a ClusterRole with its binding, to be read and "
        "applied by whoever may grant permissions. `viewer` is what the commands need that look "
        "into "
        "a cluster: get, list and watch of nine kinds, Secrets not among them.",
    .examples =
        "  quadra rbac --role viewer | kubectl apply -f -\n"
        "  quadra rbac --role controller -n kube-system > controller.yaml\n",
    .flags = kRbacFlags,
    .run = RunRbac,
};

}  // namespace quadra::cli

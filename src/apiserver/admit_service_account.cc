// ServiceAccount: a pod runs as an account that exists, and finds that account's token where programs
// look for it.
#include <algorithm>
#include <array>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "apiserver/admission.h"
#include "apiserver/generated_name.h"
#include "apiserver/stored_form.h"
#include "apiserver/tree.h"

namespace quadra::apiserver {
namespace {

constexpr std::string_view kDefaultAccount = "default";
constexpr std::string_view kVolumePrefix = "kube-api-access-";
constexpr std::string_view kMountPath = "/var/run/secrets/kubernetes.io/serviceaccount";
constexpr std::string_view kMirror = "kubernetes.io/config.mirror";
constexpr std::string_view kEnforceMountable = "kubernetes.io/enforce-mountable-secrets";

const api::KindSchema& AccountKind() { return *api::FindKind("v1", "ServiceAccount"); }

// What is added to pods, under the name "?".
const api::Value& Additions() {
  static const api::Object pod = *api::DecodeJson(R"({"apiVersion":"v1","kind":"Pod","spec":{
        "containers":[{"volumeMounts":[{"name":"?","readOnly":true,
          "mountPath":"/var/run/secrets/kubernetes.io/serviceaccount"}]}],
        "volumes":[{"name":"?","projected":{"defaultMode":420,"sources":[
          {"serviceAccountToken":{"expirationSeconds":3607,"path":"token"}},
          {"configMap":{"name":"kube-root-ca.crt","items":[{"key":"ca.crt","path":"ca.crt"}]}},
          {"downwardAPI":{"items":[{"path":"namespace",
            "fieldRef":{"apiVersion":"v1","fieldPath":"metadata.namespace"}}]}}]}}]}})");
  return *pod.root.Member("spec");
}

// Appends to the list `name` of `to` what stands there in `from`, under another name.
void AddNamed(api::Value& to, const api::Value& from, std::string_view list,
              const std::string& name) {
  for (const auto& [field, items] : *from.As<api::Value::Members>()) {
    if (field->json == list) {
      api::Value item = items.As<api::Value::Items>()->front();
      item.Member("name")->Set(name);
      to.AddMember(*field).Make<api::Value::Items>().push_back(std::move(item));
    }
  }
}

// --- The token.

std::optional<bool> FlagAt(const api::Object& object, Path path) {
  const api::Value* value = Look(object, path);
  const bool* flag = value == nullptr ? nullptr : value->As<bool>();
  return flag == nullptr ? std::nullopt : std::optional(*flag);
}

// The pod's word goes before its account's.
bool WantsToken(const api::Object& pod, const api::Object& account) {
  const auto of_account = FlagAt(account, {"automountServiceAccountToken"});
  return FlagAt(pod, {"spec", "automountServiceAccountToken"}).value_or(of_account.value_or(true));
}

bool HasMount(const api::Value& container) {
  return std::ranges::any_of(ItemsAt(container, {"volumeMounts"}), [](const api::Value& mount) {
    return TextAt(mount, {"mountPath"}) == kMountPath;
  });
}

// Whether any container had none yet.
bool MountIn(api::Value* containers, const std::string& volume) {
  const api::Value& pattern = ItemsAt(Additions(), {"containers"}).front();
  auto* items = containers == nullptr ? nullptr : containers->As<api::Value::Items>();
  bool mounted = false;
  for (std::size_t i = 0; items != nullptr && i < items->size(); ++i) {
    if (!HasMount((*items)[i])) {
      AddNamed((*items)[i], pattern, "volumeMounts", volume);
      mounted = true;
    }
  }
  return mounted;
}

void MountToken(api::Object& pod, Random& random) {
  const auto volumes = ItemsAt(pod.root, {"spec", "volumes"});
  const auto standing = std::ranges::find_if(volumes, [](const api::Value& volume) {
    return TextAt(volume, {"name"}).starts_with(kVolumePrefix);
  });
  const bool stands = standing != volumes.end();
  const std::string name =
      stands ? TextAt(*standing, {"name"}) : GeneratedName(kVolumePrefix, random);
  api::Value& spec = Reach(pod, {"spec"});
  const bool in_init = MountIn(spec.Member("initContainers"), name);
  const bool mounted = MountIn(spec.Member("containers"), name) || in_init;
  if (mounted && !stands) {
    AddNamed(spec, Additions(), "volumes", name);
  }
}

// --- The secrets that an account may be limited to.

using NameSet = std::set<std::string, std::less<>>;

NameSet NamesAt(const api::Object& account, std::string_view list) {
  NameSet names;
  for (const api::Value& each : ItemsAt(account.root, {list})) {
    names.insert(TextAt(each, {"name"}));
  }
  return names;
}

bool IsLimited(const api::Object& account) {
  constexpr std::array<std::string_view, 6> kTrue = {"1", "t", "T", "true", "TRUE", "True"};
  const api::ObjectMeta meta = MetaOf(account);
  const std::string* word = meta.annotations.Find(kEnforceMountable);
  return word != nullptr && std::ranges::find(kTrue, *word) != kTrue.end();
}

// What a container, called `what` in the message, takes from secrets that are not among these.
std::optional<std::string> ForeignSecret(const api::Value& container, std::string_view what,
                                         const NameSet& allowed) {
  for (const api::Value& variable : ItemsAt(container, {"env"})) {
    const api::Value* key = Look(variable, {"valueFrom", "secretKeyRef"});
    if (key != nullptr && !allowed.contains(TextAt(*key, {"name"}))) {
      return fmt::format("{} {} with envVar {} referencing secret.secretName=\"{}\"", what,
                         TextAt(container, {"name"}), TextAt(variable, {"name"}),
                         TextAt(*key, {"name"}));
    }
  }
  for (const api::Value& source : ItemsAt(container, {"envFrom"})) {
    const api::Value* secret = Look(source, {"secretRef"});
    if (secret != nullptr && !allowed.contains(TextAt(*secret, {"name"}))) {
      return fmt::format("{} {} with envFrom referencing secret.secretName=\"{}\"", what,
                         TextAt(container, {"name"}), TextAt(*secret, {"name"}));
    }
  }
  return std::nullopt;
}

std::optional<std::string> ForeignVolume(const api::Object& pod, const NameSet& allowed) {
  for (const api::Value& volume : ItemsAt(pod.root, {"spec", "volumes"})) {
    const api::Value* secret = Look(volume, {"secret"});
    if (secret != nullptr && !allowed.contains(TextAt(*secret, {"secretName"}))) {
      return fmt::format("volume with secret.secretName=\"{}\"", TextAt(*secret, {"secretName"}));
    }
  }
  return std::nullopt;
}

std::optional<std::string> ForeignSecretOf(const api::Object& pod, const NameSet& allowed,
                                           std::string_view list, std::string_view what) {
  for (const api::Value& container : ItemsAt(pod.root, {"spec", list})) {
    if (auto found = ForeignSecret(container, what, allowed)) {
      return found;
    }
  }
  return std::nullopt;
}

std::optional<std::string> ForeignPullSecret(const api::Object& pod, const api::Object& account) {
  const NameSet allowed = NamesAt(account, "imagePullSecrets");
  std::size_t index = 0;
  for (const api::Value& secret : ItemsAt(pod.root, {"spec", "imagePullSecrets"})) {
    if (!allowed.contains(TextAt(secret, {"name"}))) {
      return fmt::format("imagePullSecrets[{}].name=\"{}\"", index, TextAt(secret, {"name"}));
    }
    ++index;
  }
  return std::nullopt;
}

Failure NotAllowed(const Proposal& proposal, const api::Object& account, std::string_view what,
                   std::string_view kind) {
  return Denied(
      proposal,
      fmt::format("{} is not allowed because service account {} does not reference that {}", what,
                  MetaOf(account).name, kind));
}

OkOrFailure CheckSecrets(const Proposal& proposal, const api::Object& account) {
  if (!IsLimited(account)) {
    return {};
  }
  const api::Object& pod = *proposal.object;
  const NameSet allowed = NamesAt(account, "secrets");
  std::optional<std::string> foreign = ForeignVolume(pod, allowed);
  foreign = foreign ? foreign : ForeignSecretOf(pod, allowed, "initContainers", "init container");
  foreign = foreign ? foreign : ForeignSecretOf(pod, allowed, "containers", "container");
  if (foreign) {
    return Fail(NotAllowed(proposal, account, *foreign, "secret"));
  }
  if (const auto foreign_puller = ForeignPullSecret(pod, account)) {
    return Fail(NotAllowed(proposal, account, *foreign_puller, "imagePullSecret"));
  }
  return {};
}

// --- Pods.

// A pod that a node runs by itself and only shows.
bool IsMirror(const api::Object& pod) { return MetaOf(pod).annotations.contains(kMirror); }

bool HasTokenProjection(const api::Object& pod) {
  return std::ranges::any_of(ItemsAt(pod.root, {"spec", "volumes"}), [](const api::Value& volume) {
    return std::ranges::any_of(
        ItemsAt(volume, {"projected", "sources"}),
        [](const api::Value& source) { return Look(source, {"serviceAccountToken"}) != nullptr; });
  });
}

OkOrFailure CheckMirror(const Proposal& proposal) {
  const api::Object& pod = *proposal.object;
  if (!TextAt(pod, {"spec", "serviceAccountName"}).empty()) {
    return Fail(Denied(proposal, "a mirror pod may not reference service accounts"));
  }
  const bool secrets = ForeignVolume(pod, {}) || ForeignPullSecret(pod, pod) ||
                       ForeignSecretOf(pod, {}, "initContainers", "") ||
                       ForeignSecretOf(pod, {}, "containers", "");
  if (secrets) {
    return Fail(Denied(proposal, "a mirror pod may not reference secrets"));
  }
  return HasTokenProjection(pod)
             ? OkOrFailure(Fail(Denied(
                   proposal, "a mirror pod may not use ServiceAccountToken volume projections")))
             : OkOrFailure();
}

OrFailure<api::Object> AccountOf(const Backend& backend, const Proposal& proposal) {
  const std::string name = TextAt(*proposal.object, {"spec", "serviceAccountName"});
  const std::string key = KeyOf(AccountKind(), proposal.ns, name);
  if (const store::RecordPtr found = backend.store.Head().Find(key)) {
    return ObjectOf(AccountKind(), *found);
  }
  Failure failure = Denied(proposal, fmt::format("error looking up service account {}/{}: "
                                                 "serviceaccount \"{}\" not found",
                                                 proposal.ns, name, name));
  failure.awaited = name == kDefaultAccount ? key : "";
  return Fail(std::move(failure));
}

void TakePullSecrets(api::Object& pod, const api::Object& account) {
  if (!ItemsAt(pod.root, {"spec", "imagePullSecrets"}).empty()) {
    return;
  }
  for (const api::Value& secret : ItemsAt(account.root, {"imagePullSecrets"})) {
    AddItem(pod, {"spec", "imagePullSecrets"},
            [&](const Member& member) { member("name").Set(TextAt(secret, {"name"})); });
  }
}

OkOrFailure AdmitPodOfAccount(const Backend& backend, const Proposal& proposal) {
  api::Object& pod = *proposal.object;
  if (IsMirror(pod)) {
    return CheckMirror(proposal);
  }
  if (TextAt(pod, {"spec", "serviceAccountName"}).empty()) {
    Reach(pod, {"spec", "serviceAccountName"}).Set(std::string(kDefaultAccount));
    Reach(pod, {"spec", "serviceAccount"}).Set(std::string(kDefaultAccount));
  }
  const OrFailure<api::Object> account = AccountOf(backend, proposal);
  if (!account) {
    return Fail(account.error());
  }
  if (WantsToken(pod, *account)) {
    MountToken(pod, backend.random);
  }
  TakePullSecrets(pod, *account);
  return CheckSecrets(proposal, *account);
}

OkOrFailure AdmitEphemeralContainers(const Backend& backend, const Proposal& proposal) {
  const api::Object& pod = *proposal.object;
  if (TextAt(pod, {"spec", "serviceAccountName"}).empty()) {
    return Fail(Denied(proposal, fmt::format("no service account specified for pod {}/{}",
                                             proposal.ns, proposal.name)));
  }
  const OrFailure<api::Object> account = AccountOf(backend, proposal);
  if (!account) {
    return Fail(account.error());
  }
  const std::optional<std::string> foreign =
      IsLimited(*account) ? ForeignSecretOf(pod, NamesAt(*account, "secrets"),
                                            "ephemeralContainers", "ephemeral container")
                          : std::nullopt;
  return foreign ? OkOrFailure(Fail(NotAllowed(proposal, *account, *foreign, "secret")))
                 : OkOrFailure();
}

}  // namespace

OkOrFailure AdmitServiceAccount(const Backend& backend, const Proposal& proposal) {
  if (!Is(proposal, "", "Pod")) {
    return {};
  }
  if (proposal.operation == Proposal::Operation::kCreate && proposal.subresource.empty()) {
    return AdmitPodOfAccount(backend, proposal);
  }
  const bool debugging = proposal.operation == Proposal::Operation::kUpdate &&
                         proposal.subresource == "ephemeralcontainers";
  return debugging ? AdmitEphemeralContainers(backend, proposal) : OkOrFailure();
}

}  // namespace quadra::apiserver

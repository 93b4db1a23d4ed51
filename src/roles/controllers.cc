#include "roles/controllers.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/nearest.h"

namespace quadra::roles {
namespace {

using client::Controller;
using client::ControllerContext;
using Made = std::unique_ptr<Controller>;
using Settings = ControllerSettings;

constexpr std::array kControllers = {
    ControllerRow{"serviceaccount-controller", "serviceaccount",
                  [](ControllerContext& context, const Settings&) -> Made {
                    return lifecycle::MakeServiceAccounts(context);
                  }},
    ControllerRow{"root-ca-certificate-publisher-controller", "root-ca-cert-publisher",
                  [](ControllerContext& context, const Settings& settings) -> Made {
                    return lifecycle::MakeRootCaPublisher(context, settings.root_ca);
                  }},
    ControllerRow{"namespace-controller", "namespace",
                  [](ControllerContext& context, const Settings&) -> Made {
                    return lifecycle::MakeNamespaceDeletion(context);
                  }},
    ControllerRow{"garbage-collector-controller", "garbagecollector",
                  [](ControllerContext& context, const Settings&) -> Made {
                    return lifecycle::MakeGarbageCollector(context);
                  }},
    ControllerRow{"resourceclaim-controller", "resource-claim-controller",
                  [](ControllerContext& context, const Settings& settings) -> Made {
                    return claims::MakeClaimController(context, settings.claims);
                  }},
    ControllerRow{"device-taint-eviction-controller", "",
                  [](ControllerContext& context, const Settings&) -> Made {
                    return claims::MakeTaintEviction(context);
                  }},
    ControllerRow{"pod-garbage-collector-controller", "podgc",
                  [](ControllerContext& context, const Settings& settings) -> Made {
                    return lifecycle::MakePodCollection(context, settings.pods);
                  }},
    ControllerRow{"node-lifecycle-controller", "nodelifecycle",
                  [](ControllerContext& context, const Settings& settings) -> Made {
                    return lifecycle::MakeNodeLifecycle(context, settings.nodes);
                  }},
    ControllerRow{"taint-eviction-controller", "",
                  [](ControllerContext& context, const Settings&) -> Made {
                    return lifecycle::MakeTaintEviction(context);
                  }},
    ControllerRow{"disruption-controller", "disruption",
                  [](ControllerContext& context, const Settings&) -> Made {
                    return lifecycle::MakeDisruption(context);
                  }},
    ControllerRow{"replicaset-controller", "replicaset",
                  [](ControllerContext& context, const Settings&) -> Made {
                    return lifecycle::MakeReplicaSets(context);
                  }},
    ControllerRow{"serviceaccount-token-controller", "serviceaccount-token"},
    ControllerRow{"endpoints-controller", "endpoint"},
    ControllerRow{"endpointslice-controller", "endpointslice"},
    ControllerRow{"endpointslice-mirroring-controller", "endpointslicemirroring"},
    ControllerRow{"replicationcontroller-controller", "replicationcontroller"},
    ControllerRow{"resourcequota-controller", "resourcequota"},
    ControllerRow{"daemonset-controller", "daemonset"},
    ControllerRow{"job-controller", "job"},
    ControllerRow{"deployment-controller", "deployment"},
    ControllerRow{"horizontal-pod-autoscaler-controller", "horizontalpodautoscaling"},
    ControllerRow{"statefulset-controller", "statefulset"},
    ControllerRow{"cronjob-controller", "cronjob"},
    ControllerRow{"certificatesigningrequest-signing-controller", "csrsigning"},
    ControllerRow{"certificatesigningrequest-approving-controller", "csrapproving"},
    ControllerRow{"certificatesigningrequest-cleaner-controller", "csrcleaner"},
    ControllerRow{"podcertificaterequest-cleaner-controller", ""},
    ControllerRow{"ttl-controller", "ttl"},
    ControllerRow{"bootstrap-signer-controller", "bootstrapsigner"},
    ControllerRow{"token-cleaner-controller", "tokencleaner"},
    ControllerRow{"node-ipam-controller", "nodeipam"},
    ControllerRow{"persistentvolume-binder-controller", "persistentvolume-binder"},
    ControllerRow{"persistentvolume-attach-detach-controller", "attachdetach"},
    ControllerRow{"persistentvolume-expander-controller", "persistentvolume-expander"},
    ControllerRow{"clusterrole-aggregation-controller", "clusterrole-aggregation"},
    ControllerRow{"persistentvolumeclaim-protection-controller", "pvc-protection"},
    ControllerRow{"persistentvolume-protection-controller", "pv-protection"},
    ControllerRow{"podgroup-protection-controller", ""},
    ControllerRow{"ttl-after-finished-controller", "ttl-after-finished"},
    ControllerRow{"kube-apiserver-serving-clustertrustbundle-publisher-controller", ""},
    ControllerRow{"ephemeral-volume-controller", "ephemeral-volume"},
    ControllerRow{"storageversion-garbage-collector-controller", "storage-version-gc"},
    ControllerRow{"resourcepoolstatusrequest-controller", ""},
    ControllerRow{"legacy-serviceaccount-token-cleaner-controller",
                  "legacy-service-account-token-cleaner"},
    ControllerRow{"validatingadmissionpolicy-status-controller", ""},
    ControllerRow{"volumeattributesclass-protection-controller", ""},
    ControllerRow{"service-cidr-controller", ""},
    ControllerRow{"storage-version-migrator-controller", "svm"},
    ControllerRow{"selinux-warning-controller", ""},
};

const ControllerRow* Find(std::string_view name) {
  const auto row = std::ranges::find_if(kControllers, [&](const ControllerRow& candidate) {
    return candidate.name == name || (!candidate.alias.empty() && candidate.alias == name);
  });
  return row == kControllers.end() ? nullptr : &*row;
}

std::string_view WithoutMinus(std::string_view word) {
  return word.substr(word.starts_with('-') ? 1 : 0);
}

Error Unknown(std::string_view name) {
  std::vector<std::string_view> ours;
  for (const ControllerRow& row : kControllers) {
    if (row.make != nullptr) {
      ours.push_back(row.name);
    }
  }
  const std::string meant = DidYouMean(name, ours);
  return {.kind = ErrorKind::kUsage,
          .message = fmt::format("\"{}\" is not in the list of known controllers{}", name, meant),
          .remedy = meant.empty() ? fmt::format("name some of {}", fmt::join(ours, ", ")) : ""};
}

Status Check(const std::vector<std::string>& words) {
  for (const std::string& word : words) {
    const ControllerRow* const row = word == "*" ? nullptr : Find(WithoutMinus(word));
    if (word != "*" && row == nullptr) {
      return Fail(Unknown(WithoutMinus(word)));
    }
    if (row != nullptr && row->make == nullptr && !word.starts_with('-')) {
      return Fail(Error{.kind = ErrorKind::kUsage,
                        .message = fmt::format("\"{}\" is a controller of Kubernetes that is not "
                                               "here yet",
                                               word),
                        .remedy = "leave it to kube-controller-manager"});
    }
  }
  return {};
}

bool IsWanted(const ControllerRow& row, const std::vector<std::string>& words) {
  for (const std::string& word : words) {
    if (word != "*" && Find(WithoutMinus(word)) == &row) {
      return !word.starts_with('-');
    }
  }
  return std::ranges::find(words, "*") != words.end();
}

}  // namespace

std::span<const ControllerRow> AllControllers() { return kControllers; }

Result<std::vector<const ControllerRow*>> ChooseControllers(const std::vector<std::string>& words) {
  QUADRA_RETURN_IF_ERROR(Check(words));
  std::vector<const ControllerRow*> chosen;
  for (const ControllerRow& row : kControllers) {
    if (row.make != nullptr && IsWanted(row, words)) {
      chosen.push_back(&row);
    }
  }
  return chosen;
}

std::vector<ControllerMaker> MakersOf(const std::vector<const ControllerRow*>& rows,
                                      const ControllerSettings& settings) {
  std::vector<ControllerMaker> makers;
  makers.reserve(rows.size());
  for (const ControllerRow* row : rows) {
    makers.emplace_back(
        [row, settings](ControllerContext& context) { return row->make(context, settings); });
  }
  return makers;
}

}  // namespace quadra::roles

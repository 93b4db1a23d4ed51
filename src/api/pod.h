// Pod: what dynamic resource allocation and the scheduler read and write of core/v1 Pod.
//
// Left out on purpose, since nothing of ours decides by them: volumes, probes, security contexts,
// environment, DNS, host names and aliases, image pulling, pod affinity and topology spread (the
// scheduler reads those from the stored bytes), addresses, container states. Strict decode still
// checks them against the schema table; they are just not stored here, so a Pod must never be
// encoded back as the whole object: patch the stored bytes instead.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "api/meta.h"
#include "quantity/quantity.h"

namespace quadra::api {

using quantity::Quantity;

// Amounts by resource name: cpu, memory, example.com/gpu, deviceclass.resource.kubernetes.io/NAME.
using ResourceList = Map<Quantity>;

// An entry of a container's resources.claims. Upstream calls the type ResourceClaim, a name the
// kind has here.
struct ContainerResourceClaim {
  std::string name;     // of an entry in spec.resourceClaims
  std::string request;  // empty: all requests of the claim
  friend bool operator==(const ContainerResourceClaim&, const ContainerResourceClaim&) = default;
};

struct ResourceRequirements {
  ResourceList limits;
  ResourceList requests;
  List<ContainerResourceClaim> claims;
  friend bool operator==(const ResourceRequirements&, const ResourceRequirements&) = default;
};

struct ContainerPort {
  std::string name;
  std::int32_t host_port = 0;
  std::int32_t container_port = 0;
  std::string protocol;  // TCP (the default), UDP, SCTP
  std::string host_ip;
  friend bool operator==(const ContainerPort&, const ContainerPort&) = default;
};

// Serves init, regular and ephemeral containers; the last may have neither ports nor resources.
struct Container {
  std::string name;
  std::string image;
  List<ContainerPort> ports;
  ResourceRequirements resources;
  std::optional<std::string> restart_policy;  // Always makes an init container a sidecar
  friend bool operator==(const Container&, const Container&) = default;
};

// One of the two object names is given.
struct PodResourceClaim {
  std::string name;
  std::optional<std::string> resource_claim_name;
  std::optional<std::string> resource_claim_template_name;
  friend bool operator==(const PodResourceClaim&, const PodResourceClaim&) = default;
};

struct Toleration {
  std::string key;
  std::string op;  // Equal (the default), Exists, Lt, Gt
  std::string value;
  std::string effect;  // empty tolerates all effects
  std::optional<std::int64_t> toleration_seconds;
  friend bool operator==(const Toleration&, const Toleration&) = default;
};

struct PreferredSchedulingTerm {
  std::int32_t weight = 0;
  NodeSelectorTerm preference;
  friend bool operator==(const PreferredSchedulingTerm&, const PreferredSchedulingTerm&) = default;
};

// JSON: requiredDuringSchedulingIgnoredDuringExecution and
// preferredDuringSchedulingIgnoredDuringExecution.
struct NodeAffinity {
  std::optional<NodeSelector> required;
  List<PreferredSchedulingTerm> preferred;
  friend bool operator==(const NodeAffinity&, const NodeAffinity&) = default;
};

struct Affinity {
  std::optional<NodeAffinity> node_affinity;
  friend bool operator==(const Affinity&, const Affinity&) = default;
};

struct PodSchedulingGate {
  std::string name;
  friend bool operator==(const PodSchedulingGate&, const PodSchedulingGate&) = default;
};

struct PodSchedulingGroup {
  std::optional<std::string> pod_group_name;
  friend bool operator==(const PodSchedulingGroup&, const PodSchedulingGroup&) = default;
};

struct PodSpec {
  List<Container> init_containers;
  List<Container> containers;
  List<Container> ephemeral_containers;
  std::string restart_policy;  // Always (the default), OnFailure, Never
  std::optional<std::int64_t> termination_grace_period_seconds;
  std::optional<std::int64_t> active_deadline_seconds;
  Map<std::string> node_selector;
  std::string service_account_name;
  std::string node_name;
  bool host_network = false;
  std::optional<Affinity> affinity;
  std::string scheduler_name;
  List<Toleration> tolerations;
  std::string priority_class_name;
  std::optional<std::int32_t> priority;
  std::optional<std::string> runtime_class_name;
  std::optional<std::string> preemption_policy;  // PreemptLowerPriority (the default) or Never
  ResourceList overhead;
  List<PodSchedulingGate> scheduling_gates;
  List<PodResourceClaim> resource_claims;
  std::optional<ResourceRequirements> resources;  // of the whole pod
  std::optional<PodSchedulingGroup> scheduling_group;
  friend bool operator==(const PodSpec&, const PodSpec&) = default;
};

struct PodCondition {
  std::string type;
  std::int64_t observed_generation = 0;
  std::string status;  // True, False, Unknown
  std::optional<Time> last_probe_time;
  std::optional<Time> last_transition_time;
  std::string reason;
  std::string message;
  friend bool operator==(const PodCondition&, const PodCondition&) = default;
};

struct ResourceHealth {
  std::string resource_id;  // JSON: resourceID
  std::string health;       // Healthy, Unhealthy, Unknown
  std::optional<std::string> message;
  friend bool operator==(const ResourceHealth&, const ResourceHealth&) = default;
};

// Health of what a container holds. `name` is a resource name or claim:CLAIM[/REQUEST].
struct ResourceStatus {
  std::string name;
  List<ResourceHealth> resources;
  friend bool operator==(const ResourceStatus&, const ResourceStatus&) = default;
};

struct ContainerStatus {
  std::string name;
  bool ready = false;
  std::int32_t restart_count = 0;
  std::string image;
  std::string image_id;      // JSON: imageID
  std::string container_id;  // JSON: containerID
  std::optional<bool> started;
  ResourceList allocated_resources;
  List<ResourceStatus> allocated_resources_status;
  friend bool operator==(const ContainerStatus&, const ContainerStatus&) = default;
};

// `resource_claim_name` is absent when no claim was needed.
struct PodResourceClaimStatus {
  std::string name;
  std::optional<std::string> resource_claim_name;
  friend bool operator==(const PodResourceClaimStatus&, const PodResourceClaimStatus&) = default;
};

struct ContainerExtendedResourceRequest {
  std::string container_name;
  std::string resource_name;
  std::string request_name;
  friend bool operator==(const ContainerExtendedResourceRequest&,
                         const ContainerExtendedResourceRequest&) = default;
};

// The claim the scheduler made for extended resources, and which of its requests serves which
// container.
struct PodExtendedResourceClaimStatus {
  List<ContainerExtendedResourceRequest> request_mappings;
  std::string resource_claim_name;
  friend bool operator==(const PodExtendedResourceClaimStatus&,
                         const PodExtendedResourceClaimStatus&) = default;
};

struct NodeAllocatableMappedResources {
  std::string name;
  std::optional<Quantity> quantity;
  friend bool operator==(const NodeAllocatableMappedResources&,
                         const NodeAllocatableMappedResources&) = default;
};

struct NodeAllocatableOverheadResources {
  std::string name;
  std::optional<Quantity> per_pod;
  std::optional<Quantity> per_container;
  friend bool operator==(const NodeAllocatableOverheadResources&,
                         const NodeAllocatableOverheadResources&) = default;
};

// What a claim's devices take from the node's cpu, memory and huge pages on behalf of this pod.
struct NodeAllocatableResourceClaimStatus {
  std::string resource_claim_name;
  List<std::string> containers;
  List<NodeAllocatableMappedResources> mapping;
  List<NodeAllocatableOverheadResources> overhead;
  friend bool operator==(const NodeAllocatableResourceClaimStatus&,
                         const NodeAllocatableResourceClaimStatus&) = default;
};

struct PodStatus {
  std::int64_t observed_generation = 0;
  std::string phase;  // Pending, Running, Succeeded, Failed, Unknown
  List<PodCondition> conditions;
  std::string message;
  std::string reason;
  std::string nominated_node_name;
  std::optional<Time> start_time;
  List<ContainerStatus> init_container_statuses;
  List<ContainerStatus> container_statuses;
  std::string qos_class;  // JSON: qosClass
  List<ContainerStatus> ephemeral_container_statuses;
  List<PodResourceClaimStatus> resource_claim_statuses;
  std::optional<PodExtendedResourceClaimStatus> extended_resource_claim_status;
  List<NodeAllocatableResourceClaimStatus> node_allocatable_resource_claim_statuses;
  friend bool operator==(const PodStatus&, const PodStatus&) = default;
};

struct Pod {
  TypeMeta type;
  ObjectMeta metadata;
  PodSpec spec;
  PodStatus status;
  friend bool operator==(const Pod&, const Pod&) = default;
};

// The pod inside Deployment, Job, StatefulSet and the like, and of PodTemplate.
struct PodTemplateSpec {
  ObjectMeta metadata;
  PodSpec spec;
  friend bool operator==(const PodTemplateSpec&, const PodTemplateSpec&) = default;
};

}  // namespace quadra::api

#include "api/pod.h"

#include "api/bindings.h"

namespace quadra::api {

QUADRA_BIND(ContainerResourceClaim, QUADRA_CORE("ResourceClaim"), QUADRA_AT(name, "name"),
            QUADRA_AT(request, "request"))

QUADRA_BIND(ResourceRequirements, QUADRA_CORE("ResourceRequirements"), QUADRA_AT(limits, "limits"),
            QUADRA_AT(requests, "requests"), QUADRA_AT(claims, "claims"))

QUADRA_BIND(ContainerPort, QUADRA_CORE("ContainerPort"), QUADRA_AT(name, "name"),
            QUADRA_AT(host_port, "hostPort"), QUADRA_AT(container_port, "containerPort"),
            QUADRA_AT(protocol, "protocol"), QUADRA_AT(host_ip, "hostIP"))

QUADRA_BIND(Container, QUADRA_CORE("Container") " " QUADRA_CORE("EphemeralContainer"),
            QUADRA_AT(name, "name"), QUADRA_AT(image, "image"), QUADRA_AT(ports, "ports"),
            QUADRA_AT(resources, "resources"), QUADRA_AT(restart_policy, "restartPolicy"))

QUADRA_BIND(PodResourceClaim, QUADRA_CORE("PodResourceClaim"), QUADRA_AT(name, "name"),
            QUADRA_AT(resource_claim_name, "resourceClaimName"),
            QUADRA_AT(resource_claim_template_name, "resourceClaimTemplateName"))

QUADRA_BIND(Toleration, QUADRA_CORE("Toleration"), QUADRA_AT(key, "key"), QUADRA_AT(op, "operator"),
            QUADRA_AT(value, "value"), QUADRA_AT(effect, "effect"),
            QUADRA_AT(toleration_seconds, "tolerationSeconds"))

QUADRA_BIND(PreferredSchedulingTerm, QUADRA_CORE("PreferredSchedulingTerm"),
            QUADRA_AT(weight, "weight"), QUADRA_AT(preference, "preference"))

QUADRA_BIND(NodeAffinity, QUADRA_CORE("NodeAffinity"),
            QUADRA_AT(required, "requiredDuringSchedulingIgnoredDuringExecution"),
            QUADRA_AT(preferred, "preferredDuringSchedulingIgnoredDuringExecution"))

QUADRA_BIND(Affinity, QUADRA_CORE("Affinity"), QUADRA_AT(node_affinity, "nodeAffinity"))

QUADRA_BIND(PodSchedulingGate, QUADRA_CORE("PodSchedulingGate"), QUADRA_AT(name, "name"))

QUADRA_BIND(PodSchedulingGroup, QUADRA_CORE("PodSchedulingGroup"),
            QUADRA_AT(pod_group_name, "podGroupName"))

QUADRA_BIND(PodSpec, QUADRA_CORE("PodSpec"), QUADRA_AT(init_containers, "initContainers"),
            QUADRA_AT(containers, "containers"),
            QUADRA_AT(ephemeral_containers, "ephemeralContainers"),
            QUADRA_AT(restart_policy, "restartPolicy"),
            QUADRA_AT(termination_grace_period_seconds, "terminationGracePeriodSeconds"),
            QUADRA_AT(active_deadline_seconds, "activeDeadlineSeconds"),
            QUADRA_AT(node_selector, "nodeSelector"),
            QUADRA_AT(service_account_name, "serviceAccountName"), QUADRA_AT(node_name, "nodeName"),
            QUADRA_AT(host_network, "hostNetwork"), QUADRA_AT(affinity, "affinity"),
            QUADRA_AT(scheduler_name, "schedulerName"), QUADRA_AT(tolerations, "tolerations"),
            QUADRA_AT(priority_class_name, "priorityClassName"), QUADRA_AT(priority, "priority"),
            QUADRA_AT(runtime_class_name, "runtimeClassName"),
            QUADRA_AT(preemption_policy, "preemptionPolicy"), QUADRA_AT(overhead, "overhead"),
            QUADRA_AT(scheduling_gates, "schedulingGates"),
            QUADRA_AT(resource_claims, "resourceClaims"), QUADRA_AT(resources, "resources"),
            QUADRA_AT(scheduling_group, "schedulingGroup"))

QUADRA_BIND(PodCondition, QUADRA_CORE("PodCondition"), QUADRA_AT(type, "type"),
            QUADRA_AT(observed_generation, "observedGeneration"), QUADRA_AT(status, "status"),
            QUADRA_AT(last_probe_time, "lastProbeTime"),
            QUADRA_AT(last_transition_time, "lastTransitionTime"), QUADRA_AT(reason, "reason"),
            QUADRA_AT(message, "message"))

QUADRA_BIND(ResourceHealth, QUADRA_CORE("ResourceHealth"), QUADRA_AT(resource_id, "resourceID"),
            QUADRA_AT(health, "health"), QUADRA_AT(message, "message"))

QUADRA_BIND(ResourceStatus, QUADRA_CORE("ResourceStatus"), QUADRA_AT(name, "name"),
            QUADRA_AT(resources, "resources"))

QUADRA_BIND(ContainerStatus, QUADRA_CORE("ContainerStatus"), QUADRA_AT(name, "name"),
            QUADRA_AT(ready, "ready"), QUADRA_AT(restart_count, "restartCount"),
            QUADRA_AT(image, "image"), QUADRA_AT(image_id, "imageID"),
            QUADRA_AT(container_id, "containerID"), QUADRA_AT(started, "started"),
            QUADRA_AT(allocated_resources, "allocatedResources"),
            QUADRA_AT(allocated_resources_status, "allocatedResourcesStatus"))

QUADRA_BIND(PodResourceClaimStatus, QUADRA_CORE("PodResourceClaimStatus"), QUADRA_AT(name, "name"),
            QUADRA_AT(resource_claim_name, "resourceClaimName"))

QUADRA_BIND(ContainerExtendedResourceRequest, QUADRA_CORE("ContainerExtendedResourceRequest"),
            QUADRA_AT(container_name, "containerName"), QUADRA_AT(resource_name, "resourceName"),
            QUADRA_AT(request_name, "requestName"))

QUADRA_BIND(PodExtendedResourceClaimStatus, QUADRA_CORE("PodExtendedResourceClaimStatus"),
            QUADRA_AT(request_mappings, "requestMappings"),
            QUADRA_AT(resource_claim_name, "resourceClaimName"))

QUADRA_BIND(NodeAllocatableMappedResources, QUADRA_CORE("NodeAllocatableMappedResources"),
            QUADRA_AT(name, "name"), QUADRA_AT(quantity, "quantity"))

QUADRA_BIND(NodeAllocatableOverheadResources, QUADRA_CORE("NodeAllocatableOverheadResources"),
            QUADRA_AT(name, "name"), QUADRA_AT(per_pod, "perPod"),
            QUADRA_AT(per_container, "perContainer"))

QUADRA_BIND(NodeAllocatableResourceClaimStatus, QUADRA_CORE("NodeAllocatableResourceClaimStatus"),
            QUADRA_AT(resource_claim_name, "resourceClaimName"),
            QUADRA_AT(containers, "containers"), QUADRA_AT(mapping, "mapping"),
            QUADRA_AT(overhead, "overhead"))

QUADRA_BIND(
    PodStatus, QUADRA_CORE("PodStatus"), QUADRA_AT(observed_generation, "observedGeneration"),
    QUADRA_AT(phase, "phase"), QUADRA_AT(conditions, "conditions"), QUADRA_AT(message, "message"),
    QUADRA_AT(reason, "reason"), QUADRA_AT(nominated_node_name, "nominatedNodeName"),
    QUADRA_AT(start_time, "startTime"), QUADRA_AT(init_container_statuses, "initContainerStatuses"),
    QUADRA_AT(container_statuses, "containerStatuses"), QUADRA_AT(qos_class, "qosClass"),
    QUADRA_AT(ephemeral_container_statuses, "ephemeralContainerStatuses"),
    QUADRA_AT(resource_claim_statuses, "resourceClaimStatuses"),
    QUADRA_AT(extended_resource_claim_status, "extendedResourceClaimStatus"),
    QUADRA_AT(node_allocatable_resource_claim_statuses, "nodeAllocatableResourceClaimStatuses"))

QUADRA_BIND(Pod, QUADRA_CORE("Pod"), QUADRA_AT(type.kind, "kind"),
            QUADRA_AT(type.api_version, "apiVersion"), QUADRA_AT(metadata, "metadata"),
            QUADRA_AT(spec, "spec"), QUADRA_AT(status, "status"))

QUADRA_BIND(PodTemplateSpec, QUADRA_CORE("PodTemplateSpec"), QUADRA_AT(metadata, "metadata"),
            QUADRA_AT(spec, "spec"))

}  // namespace quadra::api

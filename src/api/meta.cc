#include "api/meta.h"

#include "api/bindings.h"

namespace quadra::api {

QUADRA_BIND(OwnerReference, QUADRA_META("OwnerReference"), QUADRA_AT(api_version, "apiVersion"),
            QUADRA_AT(kind, "kind"), QUADRA_AT(name, "name"), QUADRA_AT(uid, "uid"),
            QUADRA_AT(controller, "controller"),
            QUADRA_AT(block_owner_deletion, "blockOwnerDeletion"))

QUADRA_BIND(ManagedFieldsEntry, QUADRA_META("ManagedFieldsEntry"), QUADRA_AT(manager, "manager"),
            QUADRA_AT(operation, "operation"), QUADRA_AT(api_version, "apiVersion"),
            QUADRA_AT(time, "time"), QUADRA_AT(fields_type, "fieldsType"),
            QUADRA_AT(fields_v1, "fieldsV1"), QUADRA_AT(subresource, "subresource"))

QUADRA_BIND(ObjectMeta, QUADRA_META("ObjectMeta"), QUADRA_AT(name, "name"),
            QUADRA_AT(generate_name, "generateName"), QUADRA_AT(ns, "namespace"),
            QUADRA_AT(self_link, "selfLink"), QUADRA_AT(uid, "uid"),
            QUADRA_AT(resource_version, "resourceVersion"), QUADRA_AT(generation, "generation"),
            QUADRA_AT(creation_timestamp, "creationTimestamp"),
            QUADRA_AT(deletion_timestamp, "deletionTimestamp"),
            QUADRA_AT(deletion_grace_period_seconds, "deletionGracePeriodSeconds"),
            QUADRA_AT(labels, "labels"), QUADRA_AT(annotations, "annotations"),
            QUADRA_AT(owner_references, "ownerReferences"), QUADRA_AT(finalizers, "finalizers"),
            QUADRA_AT(managed_fields, "managedFields"))

QUADRA_BIND(Condition, QUADRA_META("Condition"), QUADRA_AT(type, "type"),
            QUADRA_AT(status, "status"), QUADRA_AT(observed_generation, "observedGeneration"),
            QUADRA_AT(last_transition_time, "lastTransitionTime"), QUADRA_AT(reason, "reason"),
            QUADRA_AT(message, "message"))

QUADRA_BIND(NodeSelectorRequirement, QUADRA_CORE("NodeSelectorRequirement"), QUADRA_AT(key, "key"),
            QUADRA_AT(op, "operator"), QUADRA_AT(values, "values"))

QUADRA_BIND(NodeSelectorTerm, QUADRA_CORE("NodeSelectorTerm"),
            QUADRA_AT(match_expressions, "matchExpressions"),
            QUADRA_AT(match_fields, "matchFields"))

QUADRA_BIND(NodeSelector, QUADRA_CORE("NodeSelector"),
            QUADRA_AT(node_selector_terms, "nodeSelectorTerms"))

}  // namespace quadra::api

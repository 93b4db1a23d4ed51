#include "api/node.h"

#include "api/bindings.h"

namespace quadra::api {

QUADRA_BIND(Taint, QUADRA_CORE("Taint"), QUADRA_AT(key, "key"), QUADRA_AT(value, "value"),
            QUADRA_AT(effect, "effect"), QUADRA_AT(time_added, "timeAdded"))

QUADRA_BIND(NodeSpec, QUADRA_CORE("NodeSpec"), QUADRA_AT(unschedulable, "unschedulable"),
            QUADRA_AT(taints, "taints"))

QUADRA_BIND(NodeCondition, QUADRA_CORE("NodeCondition"), QUADRA_AT(type, "type"),
            QUADRA_AT(status, "status"), QUADRA_AT(last_heartbeat_time, "lastHeartbeatTime"),
            QUADRA_AT(last_transition_time, "lastTransitionTime"), QUADRA_AT(reason, "reason"),
            QUADRA_AT(message, "message"))

QUADRA_BIND(NodeStatus, QUADRA_CORE("NodeStatus"), QUADRA_AT(capacity, "capacity"),
            QUADRA_AT(allocatable, "allocatable"), QUADRA_AT(conditions, "conditions"),
            QUADRA_AT(declared_features, "declaredFeatures"))

QUADRA_BIND(Node, QUADRA_CORE("Node"), QUADRA_AT(type.kind, "kind"),
            QUADRA_AT(type.api_version, "apiVersion"), QUADRA_AT(metadata, "metadata"),
            QUADRA_AT(spec, "spec"), QUADRA_AT(status, "status"))

}  // namespace quadra::api

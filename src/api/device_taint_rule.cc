#include "api/device_taint_rule.h"

#include "api/bindings.h"

namespace quadra::api {

QUADRA_BIND(DeviceTaint,
            QUADRA_RESOURCE_V1("DeviceTaint") " " QUADRA_RESOURCE("v1alpha3", "DeviceTaint"),
            QUADRA_AT(key, "key"), QUADRA_AT(value, "value"), QUADRA_AT(effect, "effect"),
            QUADRA_AT(time_added, "timeAdded"))

QUADRA_BIND(DeviceTaintSelector,
            QUADRA_RESOURCE_V1("DeviceTaintSelector") " " QUADRA_RESOURCE("v1alpha3",
                                                                          "DeviceTaintSelector"),
            QUADRA_AT(driver, "driver"), QUADRA_AT(pool, "pool"), QUADRA_AT(device, "device"))

QUADRA_BIND(DeviceTaintRuleSpec,
            QUADRA_RESOURCE_V1("DeviceTaintRuleSpec") " " QUADRA_RESOURCE("v1alpha3",
                                                                          "DeviceTaintRuleSpec"),
            QUADRA_AT(device_selector, "deviceSelector"), QUADRA_AT(taint, "taint"))

QUADRA_BIND(DeviceTaintRuleStatus,
            QUADRA_RESOURCE_V1("DeviceTaintRuleStatus") " " QUADRA_RESOURCE(
                "v1alpha3", "DeviceTaintRuleStatus"),
            QUADRA_AT(conditions, "conditions"))

QUADRA_BIND(DeviceTaintRule,
            QUADRA_RESOURCE_V1("DeviceTaintRule") " " QUADRA_RESOURCE("v1alpha3",
                                                                      "DeviceTaintRule"),
            QUADRA_AT(type.kind, "kind"), QUADRA_AT(type.api_version, "apiVersion"),
            QUADRA_AT(metadata, "metadata"), QUADRA_AT(spec, "spec"), QUADRA_AT(status, "status"))

}  // namespace quadra::api

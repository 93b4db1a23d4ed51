#include "api/device_class.h"

#include "api/bindings.h"

namespace quadra::api {

QUADRA_BIND(CelDeviceSelector, QUADRA_RESOURCE_V1("CELDeviceSelector"),
            QUADRA_AT(expression, "expression"))

QUADRA_BIND(DeviceSelector, QUADRA_RESOURCE_V1("DeviceSelector"), QUADRA_AT(cel, "cel"))

QUADRA_BIND(OpaqueDeviceConfiguration, QUADRA_RESOURCE_V1("OpaqueDeviceConfiguration"),
            QUADRA_AT(driver, "driver"), QUADRA_AT(parameters, "parameters"))

QUADRA_BIND(DeviceClassConfiguration, QUADRA_RESOURCE_V1("DeviceClassConfiguration"),
            QUADRA_AT(opaque, "opaque"))

QUADRA_BIND(DeviceClassSpec, QUADRA_RESOURCE_V1("DeviceClassSpec"),
            QUADRA_AT(selectors, "selectors"), QUADRA_AT(config, "config"),
            QUADRA_AT(extended_resource_name, "extendedResourceName"))

QUADRA_BIND(DeviceClass, QUADRA_RESOURCE_V1("DeviceClass"), QUADRA_AT(type.kind, "kind"),
            QUADRA_AT(type.api_version, "apiVersion"), QUADRA_AT(metadata, "metadata"),
            QUADRA_AT(spec, "spec"))

}  // namespace quadra::api

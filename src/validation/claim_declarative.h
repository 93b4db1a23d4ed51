// Declarative rules of claims, templates and classes: upstream's tags on the versioned types.
#pragma once

#include "api/kinds.h"
#include "validation/declarative.h"

namespace quadra::validation {

// `site.path` is the object itself; `old` is null on create.
void DeclareClaim(const Site& site, const api::ResourceClaim& claim, const api::ResourceClaim* old);
void DeclareTemplate(const Site& site, const api::ResourceClaimTemplate& claim_template,
                     const api::ResourceClaimTemplate* old);
void DeclareClass(const Site& site, const api::DeviceClass& device_class,
                  const api::DeviceClass* old);

}  // namespace quadra::validation

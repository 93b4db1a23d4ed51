#include "cli/needs.h"

#include "api/kinds.h"
#include "api/object.h"

namespace quadra::cli {

std::vector<live::Need> NeedsOfPlacing() {
  return {Vital<api::ResourceSlice>(),
          Vital<api::ResourceClaim>(),
          Vital<api::DeviceClass>(),
          Vital<api::Pod>(),
          Vital<api::Node>(),
          Helpful<api::ResourceClaimTemplate>(),
          Helpful<api::DeviceTaintRule>(),
          Helpful<api::Namespace>()};
}

std::vector<live::Need> NeedsOfStock() {
  return {Vital<api::ResourceSlice>(), Vital<api::ResourceClaim>(), Helpful<api::Pod>(),
          Helpful<api::DeviceTaintRule>()};
}

}  // namespace quadra::cli

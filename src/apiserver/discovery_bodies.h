// The bodies that Discovery hands out, each made from a part of a catalog. Members stand in the
// order in which kube-apiserver writes them.
#pragma once

#include <string>
#include <string_view>

#include "apiserver/catalog.h"

namespace quadra::apiserver {

// The plain form, a document a path.
std::string ApiVersionsBody(const Catalog& catalog, std::string_view server_address);
std::string GroupListBody(const Catalog& catalog);
std::string GroupBody(const Group& group);
std::string ResourceListBody(const GroupVersion& version);

// The aggregated form in this version of apidiscovery.k8s.io: of core, and of all other groups.
std::string AggregatedCoreBody(const Catalog& catalog, std::string_view api_version);
std::string AggregatedGroupsBody(const Catalog& catalog, std::string_view api_version);

}  // namespace quadra::apiserver

// Targets: which object of a cluster a manifest, or TYPE NAME, means. For `apply` and `delete`.
#pragma once

#include <string>
#include <string_view>

#include "api/object.h"
#include "base/result.h"
#include "cli/verb.h"
#include "client/api.h"
#include "live/objects.h"

namespace quadra::cli {

// resourceclaim.resource.k8s.io, as kubectl begins names.
std::string KindTitleOf(const client::Resource& resource);

// resourceclaim.resource.k8s.io/train, as kubectl prints names.
std::string TitleOf(const client::Resource& resource, std::string_view name);

// Where a manifest's object is: its own namespace, else that of -n, else the context's. Fails where
// -n says another.
Result<std::string> NamespaceFor(const Invocation& invocation, const live::Session& session,
                                 const api::Identity& identity);

// pods, pod, po, claims, resourceclaims.resource.k8s.io, …: a kind of the tables. Fails with the
// nearest words.
Result<client::Resource> ResourceNamed(std::string_view word);

}  // namespace quadra::cli

// GetObjects: `quadra get` of kinds that are shown as the API server's tables show them: pods, nodes,
// templates, classes, slices. GetWatch follows them, and claims, as they change.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "api/vocabulary.h"
#include "cli/dump_input.h"
#include "cli/get.h"
#include "cli/source.h"
#include "cli/verb.h"
#include "client/api.h"

namespace quadra::cli {

// What of a kind is asked for.
struct ObjectQuery {
  client::Resource resource;
  Listing listing;
  std::string ns;              // empty: all
  std::string label_selector;  // checked
  std::string field_selector;  // checked
};

// Fails where a selector makes no sense.
Result<ObjectQuery> ReadObjectQuery(const Invocation& invocation, client::Resource resource,
                                    Listing listing);

// The collection that answers the query.
live::Need NeedFor(const ObjectQuery& query);

// Prints what there is: kYes, or kNo where something named is not there.
ExitCode GetObjects(Source& source, const ObjectQuery& query, Console& console);

// Prints what there is, then every change, until the process is ended or a server denies it.
ExitCode WatchObjects(live::Session& session, const ObjectQuery& query, Console& console);

}  // namespace quadra::cli

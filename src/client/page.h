// Pages: how collections are asked for in parts, and taken apart. Private to src/client.
#pragma once

#include <string>
#include <string_view>

#include "client/api.h"
#include "client/sender.h"

namespace quadra::client {

// `paged`: 500 at a time; otherwise all at once. `token` is the server's, of the page before.
Ask ListAsk(const Resource& resource, const Choice& choice, bool metadata_only, bool paged,
            std::string_view token);

// Appends the items of a list to the page; the token of the next one, empty after the last. Items
// that do not say what they are, as lists of servers do, are given apiVersion and kind.
Result<std::string> AppendPage(std::string_view list, const Resource& resource, Page& page);

}  // namespace quadra::client

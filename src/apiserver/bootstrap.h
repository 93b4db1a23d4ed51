// Bootstrap: the objects that every cluster has before anybody asks for them.
#pragma once

#include <string_view>

#include "apiserver/ask.h"
#include "base/result.h"

namespace quadra::apiserver {

// Creates those that are not there; waits for the store. `authority`: the certificate that vouches
// for clients, in PEM.
Status CreateFirstObjects(const Backend& backend, std::string_view authority);

}  // namespace quadra::apiserver

// Authenticate: who asks. Until tokens come: the verified client certificate, whose common name is
// the user and whose organisations are the groups.
#pragma once

#include "apiserver/ask.h"
#include "apiserver/failure.h"

namespace quadra::apiserver {

// Fails with Unauthorized where nobody can be recognised. Impersonate-* headers then say as whom the
// request is made; they are never passed over.
OrFailure<User> Authenticate(const net::Request& request);

}  // namespace quadra::apiserver

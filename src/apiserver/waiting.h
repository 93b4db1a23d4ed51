// Waiting: requests for what is not there yet.
#pragma once

#include <functional>
#include <string>

#include "apiserver/ask.h"
#include "apiserver/pending.h"

namespace quadra::apiserver {

// Calls `serve` once the head of the store is at `least`, mostly at once; after three seconds in
// vain the request is answered with TooLargeVersion.
void WaitFor(const Backend& backend, store::Revision least, const PendingPtr& pending,
             std::function<void(Pending&)> serve);

// Calls `serve` once there is an object of that key; after one to two seconds in vain too.
void AwaitObject(const Backend& backend, const std::string& key, const PendingPtr& pending,
                 std::function<void(Pending&)> serve);

}  // namespace quadra::apiserver

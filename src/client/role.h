// What a role is made of: copies of collections, a queue of what to look at, events for people, a
// lease where only one may work, and a check of what it may do. A door of this folder; each header
// says what it promises.
#pragma once

#include "client/controller.h"       // IWYU pragma: export
#include "client/event_recorder.h"   // IWYU pragma: export
#include "client/informer.h"         // IWYU pragma: export
#include "client/informers.h"        // IWYU pragma: export
#include "client/leader_election.h"  // IWYU pragma: export
#include "client/permissions.h"      // IWYU pragma: export
#include "client/work_meters.h"      // IWYU pragma: export
#include "client/work_queue.h"       // IWYU pragma: export

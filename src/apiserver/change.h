// Change: reads what stands under a key, decides what becomes of it, and writes that, again from the
// start where somebody else was faster.
//
//   ChangeObject(backend, {.kind = kind, .key = key}, [&](const api::Object& standing) { … },
//                [exchange](OrFailure<Changed> changed) { … });
//
// Threads: `decide` and `done` are called by the caller's thread or by the store's, one at a time;
// they hold what they use. Events are gone an hour after their last write. Whoever cannot be decided twice says so by failing. Cost: one decode of
// what stands there and one encode of what becomes of it, each attempt.
#pragma once

#include <functional>
#include <string>
#include <utility>

#include "apiserver/ask.h"
#include "apiserver/failure.h"

namespace quadra::apiserver {

// What is to become of an object.
struct Plan {
  enum class Action : std::uint8_t {
    kKeep,           // nothing: it stays as it is
    kPut,            // `object` stands there instead
    kRemove,         // it goes; `object` is its last state
    kMarkAndRemove,  // `object` stands there until those who watch were told, then it goes
  };
  Action action = Action::kKeep;
  api::Object object;
};

struct Changed {
  store::RecordPtr record;  // what stands there now, or of a removal the last state
  bool removed = false;
};

struct Target {
  const api::KindSchema* kind = nullptr;
  std::string key;
  ResourceName resource;
  std::string name;
  bool dry_run = false;  // all but the writing
};

using Decide = std::function<OrFailure<Plan>(const api::Object& standing)>;
using Done = std::function<void(OrFailure<Changed>)>;

// Fails with NotFound where nothing stands there. A plan that leaves the object as it is, to the
// byte, writes nothing.
void ChangeObject(const Backend& backend, Target target, Decide decide, Done done);

// Writes an object where nothing stands yet; AlreadyExists otherwise.
void CreateObject(const Backend& backend, const Target& target, api::Object object, Done done);

}  // namespace quadra::apiserver

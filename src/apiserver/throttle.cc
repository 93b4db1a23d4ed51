#include "apiserver/throttle.h"

#include <algorithm>

namespace quadra::apiserver {
namespace {

bool IsMaster(const User& user) {
  return std::ranges::find(user.groups, "system:masters") != user.groups.end();
}

}  // namespace

bool FindRoom(const Backend& backend, const Ask& ask, InFlight::Kind kind, RequestWitness& witness,
              net::Exchange& exchange) {
  InFlight::Place place = backend.telemetry.in_flight.Enter(kind);
  if (!place && !IsMaster(ask.user)) {
    witness.Refuses();
    exchange.Answer(net::TooManyRequests());
    return false;
  }
  witness.Holds(std::move(place));
  return true;
}

}  // namespace quadra::apiserver

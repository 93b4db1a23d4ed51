// Telemetry: what the server knows of itself and tells others: its meters, its log, and how many
// requests are under way.
#pragma once

#include "apiserver/in_flight.h"
#include "apiserver/meters.h"
#include "apiserver/request_log.h"
#include "metrics/registry.h"

namespace quadra::apiserver {

// Thread-safe, all of it.
struct Telemetry {
  Telemetry(InFlightLimits limits, RequestLogOptions log_options)
      : in_flight(limits), log(std::move(log_options)) {
    in_flight.AddTo(registry);
  }

  metrics::Registry registry;
  RequestMeters requests{registry};
  WatchMeters watches{registry};
  InFlight in_flight;
  RequestLog log;
};

}  // namespace quadra::apiserver

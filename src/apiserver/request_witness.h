// RequestWitness: sees one request from its arrival to its end, whoever answers it and when, and
// tells meters and log.
//
//   RequestWitness& witness = RequestWitness::Attend(backend, ask, exchange);
//   witness.Counts(LabelsOf(ask, verb));      // else it is logged, but not counted
//   witness.Holds(std::move(place));          // until the end
//
// It belongs to the exchange: REQUIRES of all members that the exchange was neither answered nor
// given away.
#pragma once

#include <chrono>
#include <memory>
#include <optional>

#include "apiserver/ask.h"
#include "apiserver/telemetry.h"

namespace quadra::apiserver {

class RequestWitness final : public net::Witness {
 public:
  static RequestWitness& Attend(const Backend& backend, const Ask& ask, net::Exchange& exchange);

  RequestWitness(const Backend& backend, const Ask& ask);
  ~RequestWitness() override;
  RequestWitness(const RequestWitness&) = delete;
  RequestWitness& operator=(const RequestWitness&) = delete;

  void Counts(const RequestLabels& labels);
  void Holds(InFlight::Place place) { place_ = std::move(place); }
  // It finds no place: it is counted as refused.
  void Refuses();

  void Begins(int status, net::Headers& headers) override;
  void Ends(std::size_t bytes) override;

 private:
  // Not the backend: requests that wait for the store may end after it.
  Telemetry& telemetry_;
  const Clock& clock_;
  const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::optional<RequestLabels> labels_;
  metrics::Gauge* long_running_ = nullptr;  // counts us while we live
  InFlight::Place place_;
  std::unique_ptr<LoggedRequest> logged_;  // null: nothing is logged
  int status_ = 0;
};

}  // namespace quadra::apiserver

#include "apiserver/request_witness.h"

namespace quadra::apiserver {
namespace {

std::unique_ptr<LoggedRequest> LoggedOf(const Backend& backend, const Ask& ask) {
  if (!backend.telemetry.log.on()) {
    return nullptr;
  }
  std::string id = ask.Header("audit-id");
  return std::make_unique<LoggedRequest>(
      LoggedRequest{.verb = ask.request.method,
                    .uri = ask.request.target,
                    .user_agent = ask.Header("user-agent"),
                    .content_type = ask.Header("content-type"),
                    .id = id.empty() ? NewUuid(backend.random) : std::move(id),
                    .source = ask.request.peer->address});
}

}  // namespace

RequestWitness& RequestWitness::Attend(const Backend& backend, const Ask& ask,
                                       net::Exchange& exchange) {
  auto witness = std::make_unique<RequestWitness>(backend, ask);
  RequestWitness& attending = *witness;
  exchange.Attend(std::move(witness));
  return attending;
}

RequestWitness::RequestWitness(const Backend& backend, const Ask& ask)
    : telemetry_(backend.telemetry), clock_(backend.clock), logged_(LoggedOf(backend, ask)) {}

RequestWitness::~RequestWitness() {
  if (long_running_ != nullptr) {
    long_running_->Add(-1);
  }
}

void RequestWitness::Counts(const RequestLabels& labels) {
  labels_ = labels;
  const bool is_long_running = labels.verb == "WATCH";
  if (is_long_running) {
    long_running_ = &telemetry_.requests.LongRunning(labels);
    long_running_->Add(1);
  }
  if (logged_) {
    logged_->verb = labels.verb;
    logged_->is_long_running = is_long_running;
  }
}

void RequestWitness::Refuses() {
  if (labels_) {
    telemetry_.requests.CountRefused(*labels_);
    labels_.reset();
  }
}

void RequestWitness::Begins(int status, net::Headers& headers) {
  status_ = status;
  if (logged_) {
    headers.Add("audit-id", logged_->id);
  }
}

void RequestWitness::Ends(std::size_t bytes) {
  const std::chrono::nanoseconds elapsed = std::chrono::steady_clock::now() - start_;
  if (labels_) {
    telemetry_.requests.Count(*labels_, {.code = status_, .bytes = bytes, .elapsed = elapsed});
  }
  if (logged_) {
    telemetry_.log.Write(*logged_, status_, elapsed, clock_.Now());
  }
}

}  // namespace quadra::apiserver

#include "client/plugin_credentials.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace quadra::client {
namespace {

using std::chrono::microseconds;

constexpr microseconds kAhead = std::chrono::minutes(1);
constexpr microseconds kAfterFailure = std::chrono::seconds(10);

}  // namespace

PluginCredentials::PluginCredentials(PluginAnswer first, Ask ask, Use use, const Clock& clock)
    : ask_(std::move(ask)),
      use_(std::move(use)),
      clock_(clock),
      state_({.answer = std::move(first), .asked_at = clock.Now(), .failed_at = std::nullopt}) {}

PluginCredentials::~PluginCredentials() {
  cancelled_ = true;
  if (thread_.joinable()) {
    thread_.join();
  }
}

std::string PluginCredentials::Token() {
  bool expired = false;
  bool soon = false;
  std::uint64_t asked = 0;
  {
    MutexLock lock(mutex_);
    const std::optional<Time>& expires = state_.answer.expires;
    if (!expires) {
      return state_.answer.token;
    }
    const microseconds ahead =
        std::clamp((*expires - state_.asked_at) / 4, microseconds(0), kAhead);
    const Time now = clock_.Now();
    const bool may = !state_.failed_at || now - *state_.failed_at >= kAfterFailure;
    expired = may && now >= *expires;
    asked = state_.asked;
    soon = may && now >= *expires - ahead && !state_.asking;
  }
  if (expired) {
    AskNow(asked);
  } else if (soon) {
    AskInBackground(asked);
  }
  MutexLock lock(mutex_);
  return state_.answer.token;
}

bool PluginCredentials::Renew() {
  std::uint64_t asked = 0;
  {
    MutexLock lock(mutex_);
    if (state_.failed_at && clock_.Now() - *state_.failed_at < kAfterFailure) {
      return false;
    }
    asked = state_.asked;
  }
  return AskNow(asked);
}

void PluginCredentials::AskInBackground(std::uint64_t asked) {
  if (thread_.joinable()) {
    thread_.join();  // it has ended, but for its last steps
  }
  {
    MutexLock lock(mutex_);
    state_.asking = true;
  }
  thread_ = std::thread([this, asked] {
    AskNow(asked);
    MutexLock lock(mutex_);
    state_.asking = false;
  });
}

bool PluginCredentials::AskNow(std::uint64_t asked) {
  MutexLock one_at_a_time(asking_);
  {
    MutexLock lock(mutex_);
    if (state_.asked != asked) {
      return !state_.failed_at;
    }
  }
  return Keep(ask_(cancelled_));
}

bool PluginCredentials::Keep(Result<PluginAnswer> answer) {
  std::optional<net::Credential> other;
  {
    MutexLock lock(mutex_);
    ++state_.asked;
    if (!answer) {
      state_.failed_at = clock_.Now();
      return false;
    }
    const bool same = answer->Shows(state_.answer);
    other = same ? std::nullopt : answer->certificate;
    state_.answer = *std::move(answer);
    state_.asked_at = clock_.Now();
    // A renewal that brought nothing new is not asked for again at once either.
    state_.failed_at = same ? std::optional(state_.asked_at) : std::nullopt;
    if (same) {
      return false;
    }
  }
  if (other) {
    use_(*other);
  }
  return true;
}

}  // namespace quadra::client

#include "apiserver/request_log.h"

#include <ctime>

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <unistd.h>

#include "base/go_text.h"

namespace quadra::apiserver {
namespace {

constexpr int kTrouble = 2;
constexpr int kEverything = 3;
constexpr std::chrono::milliseconds kSlow{500};

// klog's: month, day, time of day to the microsecond.
std::string LogTime(Time time) {
  const auto seconds = std::chrono::floor<std::chrono::seconds>(time);
  const std::tm parts = fmt::gmtime(std::chrono::system_clock::to_time_t(seconds));
  return fmt::format("{:%m%d %H:%M:%S}.{:06}", parts, (time - seconds).count());
}

}  // namespace

std::string FormatLatency(std::chrono::nanoseconds latency) {
  using Micro = std::chrono::duration<double, std::micro>;
  const double micro = Micro(latency).count();
  if (micro < 1e3) {
    return fmt::format("{:.0f}µs", micro);
  }
  return micro < 1e6 ? fmt::format("{:.3f}ms", micro / 1e3) : fmt::format("{:.3f}s", micro / 1e6);
}

bool RequestLog::on() const { return options_.verbosity >= kTrouble; }

bool RequestLog::Wants(const LoggedRequest& request, int status,
                       std::chrono::nanoseconds latency) const {
  const bool is_slow = latency >= kSlow && !request.is_long_running;
  return options_.verbosity >= kEverything || (on() && (status >= 500 || is_slow));
}

void RequestLog::Write(const LoggedRequest& request, int status, std::chrono::nanoseconds latency,
                       Time now) const {
  if (!Wants(request, status, latency)) {
    return;
  }
  options_.write(fmt::format(
      "I{} {} apiserver] \"HTTP\" verb={} URI={} latency=\"{}\" userAgent={} contentType={} "
      "audit-ID={} srcIP={} resp={}\n",
      LogTime(now), getpid(), GoQuote(request.verb), GoQuote(request.uri), FormatLatency(latency),
      GoQuote(request.user_agent), GoQuote(request.content_type), GoQuote(request.id),
      GoQuote(request.source), status));
}

}  // namespace quadra::apiserver

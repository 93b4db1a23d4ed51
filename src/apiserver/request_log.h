// RequestLog: one line a request, as kube-apiserver's klog writes it.
//
//   I1116 16:12:13.153740 29411 apiserver] "HTTP" verb="LIST" URI="/api/v1/pods" latency="1.145ms"
//   userAgent="kubectl/v1.37.1" contentType="" audit-ID="…" srcIP="127.0.0.1:60770" resp=200
//
// By verbosity: below 2 nothing; from 2 on, requests that failed (5xx) or took half a second or
// longer, watches aside; from 3 on, every request. What clients sent is quoted, so no request can
// forge a line. While anything is logged, answers carry the header Audit-Id, by which a client finds
// its line; a client's own Audit-ID is kept.
//
// Threads: all members may be called by all; `write` is called by many at once.
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <string_view>

#include "base/clock.h"

namespace quadra::apiserver {

struct RequestLogOptions {
  int verbosity = 0;
  // Takes one line with its line break.
  std::function<void(std::string_view)> write = [](std::string_view) {};
};

// What a line says of a request before its outcome; made only where lines are written.
struct LoggedRequest {
  std::string verb;
  std::string uri;
  std::string user_agent;
  std::string content_type;
  std::string id;
  std::string source;
  bool is_long_running = false;
};

class RequestLog {
 public:
  explicit RequestLog(RequestLogOptions options) : options_(std::move(options)) {}

  // Whether any request may be logged.
  bool on() const;
  void Write(const LoggedRequest& request, int status, std::chrono::nanoseconds latency,
             Time now) const;

 private:
  bool Wants(const LoggedRequest& request, int status, std::chrono::nanoseconds latency) const;

  const RequestLogOptions options_;
};

// To the microsecond at most: 15µs, 1.145ms, 3.164s.
std::string FormatLatency(std::chrono::nanoseconds latency);

}  // namespace quadra::apiserver

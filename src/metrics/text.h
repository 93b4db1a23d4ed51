// Prometheus' text format, version 0.0.4: how families are told to who collects them.
//
//   # HELP apiserver_request_total Requests answered.
//   # TYPE apiserver_request_total counter
//   apiserver_request_total{verb="GET",code="200"} 7
//
// Numbers are written as Go writes them, since bounds are compared as texts. Pure, thread-safe.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "metrics/family.h"

namespace quadra::metrics {

template <typename Instrument>
constexpr std::string_view TypeOf() {
  if constexpr (std::is_same_v<Instrument, Counter>) {
    return "counter";
  } else if constexpr (std::is_same_v<Instrument, Gauge>) {
    return "gauge";
  } else {
    return "histogram";
  }
}

void PrintHead(const FamilyOptions& family, std::string_view type, std::string& out);

// The lines of one combination of label values.
using Values = std::span<const std::string>;
void PrintSample(const FamilyOptions& family, Values values, double sample, std::string& out);
void PrintSample(const FamilyOptions& family, Values values, const Counter& counter,
                 std::string& out);
void PrintSample(const FamilyOptions& family, Values values, const Gauge& gauge, std::string& out);
void PrintSample(const FamilyOptions& family, Values values, const Histogram& histogram,
                 std::string& out);

}  // namespace quadra::metrics

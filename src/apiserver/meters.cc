#include "apiserver/meters.h"

#include <array>

#include <fmt/format.h>

namespace quadra::apiserver {
namespace {

constexpr std::array kDurationSeconds = {0.005, 0.025, 0.05, 0.1,  0.2,  0.4,  0.6, 0.8,
                                         1.0,   1.25,  1.5,  2.0,  3.0,  4.0,  5.0, 6.0,
                                         8.0,   10.,   15.,  20.0, 30.0, 45.0, 60.0};
constexpr std::array kSliSeconds = {0.05, 0.1, 0.2, 0.4, 0.6, 0.8,  1.0,  1.25, 1.5,  2.0, 3.0,
                                    4.0,  5.0, 6.0, 8.0, 10., 15.0, 20.0, 30.0, 45.0, 60.0};
constexpr std::array kResponseBytes = {1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9};
constexpr std::array kEventBytes = {1024., 2048., 4096., 8192., 16384., 32768., 65536., 131072.};

}  // namespace

RequestMeters::RequestMeters(metrics::Registry& registry)
    : total_(registry.Counters({.name = "apiserver_request_total",
                                .help = "Requests that were answered, watches when they ended.",
                                .labels = {"verb", "dry_run", "group", "version", "resource",
                                           "subresource", "scope", "component", "code"}})),
      duration_(registry.Histograms(
          {.name = "apiserver_request_duration_seconds",
           .help = "Time from a request's arrival until all of its answer was handed over.",
           .labels = {"verb", "dry_run", "group", "version", "resource", "subresource", "scope",
                      "component"},
           .bounds = kDurationSeconds})),
      sli_duration_(registry.Histograms(
          {.name = "apiserver_request_sli_duration_seconds",
           .help = "The same without dry runs, for service levels.",
           .labels = {"verb", "group", "version", "resource", "subresource", "scope", "component"},
           .bounds = kSliSeconds})),
      response_sizes_(registry.Histograms(
          {.name = "apiserver_response_sizes",
           .help = "Bytes in the bodies that gets and lists were answered with.",
           .labels = {"verb", "group", "version", "resource", "subresource", "scope", "component"},
           .bounds = kResponseBytes})),
      terminations_(registry.Counters({.name = "apiserver_request_terminations_total",
                                       .help = "Requests that were refused to protect the server.",
                                       .labels = {"verb", "group", "version", "resource",
                                                  "subresource", "scope", "component", "code"}})),
      long_running_(registry.Gauges({.name = "apiserver_longrunning_requests",
                                     .help = "Watches that are open.",
                                     .labels = {"verb", "group", "version", "resource",
                                                "subresource", "scope", "component"}})) {}

void RequestMeters::Count(const RequestLabels& labels, const Outcome& outcome) {
  const auto& [verb, dry_run, group, version, resource, subresource, scope, component] = labels;
  const fmt::format_int code(outcome.code);
  const double seconds = std::chrono::duration<double>(outcome.elapsed).count();
  total_
      .With({verb,
             dry_run,
             group,
             version,
             resource,
             subresource,
             scope,
             component,
             {code.data(), code.size()}})
      .Add();
  duration_.With({verb, dry_run, group, version, resource, subresource, scope, component})
      .Observe(seconds);
  if (dry_run.empty()) {
    sli_duration_.With({verb, group, version, resource, subresource, scope, component})
        .Observe(seconds);
  }
  if (verb == "GET" || verb == "LIST") {
    response_sizes_.With({verb, group, version, resource, subresource, scope, component})
        .Observe(static_cast<double>(outcome.bytes));
  }
}

void RequestMeters::CountRefused(const RequestLabels& labels) {
  const auto& [verb, dry_run, group, version, resource, subresource, scope, component] = labels;
  constexpr std::string_view kCode = "429";
  total_.With({verb, dry_run, group, version, resource, subresource, scope, component, kCode})
      .Add();
  terminations_.With({verb, group, version, resource, subresource, scope, component, kCode}).Add();
}

metrics::Gauge& RequestMeters::LongRunning(const RequestLabels& labels) {
  return long_running_.With({labels.verb, labels.group, labels.version, labels.resource,
                             labels.subresource, labels.scope, labels.component});
}

WatchMeters::WatchMeters(metrics::Registry& registry)
    : events_(registry.Counters({.name = "apiserver_watch_events_total",
                                 .help = "Events that were told to watches.",
                                 .labels = {"group", "version", "resource"}})),
      initial_(registry.Counters({.name = "apiserver_init_events_total",
                                  .help = "Objects that were told to watches as they began.",
                                  .labels = {"group", "resource"}})),
      sizes_(registry.Histograms({.name = "apiserver_watch_events_sizes",
                                  .help = "Bytes of the events that were told to watches.",
                                  .labels = {"group", "version", "resource"},
                                  .bounds = kEventBytes})) {}

WatchMeters::One WatchMeters::Of(const api::KindSchema& kind) {
  return {.events = events_.With({kind.group, kind.version, kind.plural}),
          .initial = initial_.With({kind.group, kind.plural}),
          .sizes = sizes_.With({kind.group, kind.version, kind.plural})};
}

}  // namespace quadra::apiserver

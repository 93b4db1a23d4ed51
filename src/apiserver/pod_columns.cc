#include <algorithm>
#include <optional>
#include <string>

#include <fmt/format.h>

#include "apiserver/computed_columns.h"

namespace quadra::apiserver {
namespace {

using json::Value;

// How often containers were restarted, and when last.
struct Restarts {
  std::int64_t count = 0;
  std::optional<Time> last;

  void Add(const Value& container) {
    count += IntAt(container, "restartCount");
    const std::optional<Time> end = TimeAt(container, "lastState.terminated.finishedAt");
    if (end && (!last || *last < *end)) {
      last = end;
    }
  }
};

struct PodSummary {
  std::int64_t ready = 0;  // containers
  std::int64_t total = 0;
  Restarts restarts;
  std::string reason;
};

// Init containers that keep running beside the others.
bool IsSidecar(const Value& pod, const std::string& name) {
  bool sidecar = false;
  for (const Value& container : ItemsAt(pod, "spec.initContainers")) {
    if (TextAt(container, "name") == name) {
      sidecar = TextAt(container, "restartPolicy") == "Always";
    }
  }
  return sidecar;
}

// Why a container ended: what it says, else its signal, else its exit code.
std::string EndReason(const Value& terminated) {
  if (const std::string reason = TextAt(terminated, "reason"); !reason.empty()) {
    return reason;
  }
  if (const std::int64_t signal = IntAt(terminated, "signal"); signal != 0) {
    return fmt::format("Signal:{}", signal);
  }
  return fmt::format("ExitCode:{}", IntAt(terminated, "exitCode"));
}

std::string PhaseText(const Value& pod) {
  for (const Value& condition : ItemsAt(pod, "status.conditions")) {
    if (TextAt(condition, "type") == "PodScheduled" &&
        TextAt(condition, "reason") == "SchedulingGated") {
      return "SchedulingGated";
    }
  }
  return OrElse(TextAt(pod, "status.reason"), TextAt(pod, "status.phase"));
}

// What an init container that is not done holds the pod up with.
std::string InitReason(const Value& pod, const Value& container, std::size_t index) {
  if (const Value& terminated = At(container, "state.terminated"); !terminated.is_null()) {
    return "Init:" + EndReason(terminated);
  }
  const std::string waiting = TextAt(container, "state.waiting.reason");
  if (!waiting.empty() && waiting != "PodInitializing") {
    return "Init:" + waiting;
  }
  return fmt::format("Init:{}/{}", index, ItemsAt(pod, "spec.initContainers").size());
}

// Reads the init containers up to the first that is not done; whether there is one.
bool ReadInitContainers(const Value& pod, PodSummary& summary, Restarts& of_sidecars) {
  const auto containers = ItemsAt(pod, "status.initContainerStatuses");
  for (std::size_t i = 0; i < containers.size(); ++i) {
    const Value& container = containers[i];
    const bool sidecar = IsSidecar(pod, TextAt(container, "name"));
    summary.restarts.Add(container);
    if (sidecar) {
      of_sidecars.Add(container);
    }
    const Value& terminated = At(container, "state.terminated");
    if (!terminated.is_null() && IntAt(terminated, "exitCode") == 0) {
      continue;
    }
    if (sidecar && BoolAt(container, "started")) {
      summary.ready += BoolAt(container, "ready") ? 1 : 0;
      continue;
    }
    summary.reason = InitReason(pod, container, i);
    return true;
  }
  return false;
}

// Reads the containers, the last first, so that the first one's reason stays.
void ReadContainers(const Value& pod, PodSummary& summary) {
  bool running = false;
  std::string failure;
  const auto containers = ItemsAt(pod, "status.containerStatuses");
  for (std::size_t i = containers.size(); i-- > 0;) {
    const Value& container = containers[i];
    summary.restarts.Add(container);
    const std::string waiting = TextAt(container, "state.waiting.reason");
    const Value& terminated = At(container, "state.terminated");
    if (!waiting.empty()) {
      summary.reason = waiting;
    } else if (!terminated.is_null()) {
      summary.reason = EndReason(terminated);
      failure = IntAt(terminated, "exitCode") != 0 ? summary.reason : failure;
    } else if (BoolAt(container, "ready") && HasAt(container, "state.running")) {
      running = true;
      ++summary.ready;
    }
  }
  if (summary.reason != "Completed") {
    return;
  }
  if (running && ConditionHolds(pod, "Ready")) {
    summary.reason = "Running";
  } else if (!failure.empty()) {
    summary.reason = failure;
  } else if (running) {
    summary.reason = "NotReady";
  }
}

bool IsOver(const Value& pod) {
  const std::string phase = TextAt(pod, "status.phase");
  return phase == "Succeeded" || phase == "Failed";
}

std::int64_t ContainerCount(const Value& pod) {
  const auto sidecars = std::ranges::count_if(
      ItemsAt(pod, "spec.initContainers"),
      [](const Value& container) { return TextAt(container, "restartPolicy") == "Always"; });
  return static_cast<std::int64_t>(ItemsAt(pod, "spec.containers").size()) + sidecars;
}

PodSummary Summarize(const Value& pod) {
  PodSummary summary{.total = ContainerCount(pod), .reason = PhaseText(pod)};
  Restarts of_sidecars;
  const bool initializing = ReadInitContainers(pod, summary, of_sidecars);
  if (!initializing || ConditionHolds(pod, "Initialized")) {
    summary.restarts = of_sidecars;
    ReadContainers(pod, summary);
  }
  if (HasAt(pod, "metadata.deletionTimestamp")) {
    if (TextAt(pod, "status.reason") == "NodeLost") {
      summary.reason = "Unknown";
    } else if (!IsOver(pod)) {
      summary.reason = "Terminating";
    }
  }
  return summary;
}

Cell ReadyContainers(const RowSource& row) {
  const PodSummary summary = Summarize(row.object);
  return fmt::format("{}/{}", summary.ready, summary.total);
}

Cell PodStatus(const RowSource& row) { return Summarize(row.object).reason; }

Cell RestartCount(const RowSource& row) {
  const Restarts restarts = Summarize(row.object).restarts;
  if (restarts.count == 0 || !restarts.last) {
    return fmt::format("{}", restarts.count);
  }
  return fmt::format("{} ({} ago)", restarts.count, AgeOf(restarts.last, row.now));
}

Cell PodIp(const RowSource& row) {
  const std::vector<std::string> all = TextsAt(row.object, "status.podIPs", "ip");
  return all.empty() ? "<none>" : OrElse(all.front(), "<none>");
}

Cell ReadinessGates(const RowSource& row) {
  const std::vector<std::string> gates =
      TextsAt(row.object, "spec.readinessGates", "conditionType");
  if (gates.empty()) {
    return "<none>";
  }
  const auto open = std::ranges::count_if(
      gates, [&](const std::string& gate) { return ConditionHolds(row.object, gate); });
  return fmt::format("{}/{}", open, gates.size());
}

constexpr ComputedColumn kPodColumns[] = {
    {"<ready-containers>", ReadyContainers, "Containers that are ready, of all."},
    {"<pod-status>", PodStatus, "What the pod does, or what holds it up."},
    {"<restarts>", RestartCount, "How often its containers were restarted, and when last."},
    {"<pod-ip>", PodIp, "Its address."},
    {"<readiness-gates>", ReadinessGates, "Readiness gates that are open, of all."},
};

}  // namespace

std::span<const ComputedColumn> PodColumns() { return kPodColumns; }

}  // namespace quadra::apiserver

#include <string>

#include <fmt/format.h>

#include "api/vocabulary.h"
#include "apiserver/computed_columns.h"

namespace quadra::apiserver {
namespace {

using json::Value;

// The template of the pods that an object makes, wherever its kind keeps it.
const Value& TemplateOf(const RowSource& row) {
  if (row.kind.kind == "PodTemplate") {
    return row.object.Get("template");
  }
  return At(row.object,
            row.kind.kind == "CronJob" ? "spec.jobTemplate.spec.template" : "spec.template");
}

Cell ContainerNames(const RowSource& row) {
  return Joined(TextsAt(TemplateOf(row), "spec.containers", "name"));
}
Cell ContainerImages(const RowSource& row) {
  return Joined(TextsAt(TemplateOf(row), "spec.containers", "image"));
}
Cell PodLabels(const RowSource& row) { return LabelsText(At(TemplateOf(row), "metadata.labels")); }
Cell NodeSelector(const RowSource& row) {
  return LabelsText(At(TemplateOf(row), "spec.nodeSelector"));
}

// Services and replication controllers select by labels alone.
Cell Selector(const RowSource& row) {
  if (row.kind.group.empty()) {
    return LabelsText(At(row.object, "spec.selector"));
  }
  const bool cron = row.kind.kind == "CronJob";
  const std::optional<std::string> text =
      SelectorText(At(row.object, cron ? "spec.jobTemplate.spec.selector" : "spec.selector"));
  if (row.kind.kind == "Deployment") {
    return text.value_or("<invalid>");
  }
  return text ? OrElse(*text, "<none>") : "<error>";
}

Cell ReadyReplicas(const RowSource& row) {
  return fmt::format("{}/{}", IntAt(row.object, "status.readyReplicas"),
                     IntAt(row.object, "spec.replicas"));
}

Cell JobStatus(const RowSource& row) {
  const auto is = [&](std::string_view type) { return ConditionHolds(row.object, type); };
  if (is("Complete")) {
    return "Complete";
  }
  if (is("Failed")) {
    return "Failed";
  }
  if (HasAt(row.object, "metadata.deletionTimestamp")) {
    return "Terminating";
  }
  for (const std::string_view type : {"Suspended", "FailureTarget", "SuccessCriteriaMet"}) {
    if (is(type)) {
      return std::string(type);
    }
  }
  return "Running";
}

Cell Completions(const RowSource& row) {
  const std::int64_t done = IntAt(row.object, "status.succeeded");
  if (HasAt(row.object, "spec.completions")) {
    return fmt::format("{}/{}", done, IntAt(row.object, "spec.completions"));
  }
  const std::int64_t parallel = IntAt(row.object, "spec.parallelism");
  return parallel > 1 ? fmt::format("{}/1 of {}", done, parallel) : fmt::format("{}/1", done);
}

Cell JobDuration(const RowSource& row) {
  const std::optional<Time> start = TimeAt(row.object, "status.startTime");
  const std::optional<Time> end = TimeAt(row.object, "status.completionTime");
  return start ? HumanDuration(end.value_or(row.now) - *start) : "";
}

Cell Suspend(const RowSource& row) {
  if (!HasAt(row.object, "spec.suspend")) {
    return "<unset>";
  }
  return BoolAt(row.object, "spec.suspend") ? "True" : "False";
}

Cell ActiveJobs(const RowSource& row) {
  return static_cast<std::int64_t>(ItemsAt(row.object, "status.active").size());
}

Cell LastSchedule(const RowSource& row) {
  return HasAt(row.object, "status.lastScheduleTime")
             ? AgeOf(TimeAt(row.object, "status.lastScheduleTime"), row.now)
             : "<none>";
}

// kind.group/name in lower case of the owner that controls it.
Cell Controller(const RowSource& row) {
  for (const Value& owner : ItemsAt(row.object, "metadata.ownerReferences")) {
    if (BoolAt(owner, "controller")) {
      const std::string version = TextAt(owner, "apiVersion");
      const std::size_t slash = version.find('/');
      const std::string group = slash == std::string::npos ? "" : "." + version.substr(0, slash);
      return fmt::format("{}/{}", api::ToLower(TextAt(owner, "kind") + group),
                         TextAt(owner, "name"));
    }
  }
  return "<none>";
}

// A number or a percentage; N/A where there is none.
std::string AmountAt(const Value& value, std::string_view path) {
  const Value& amount = At(value, path);
  if (amount.kind() == json::Kind::kNumber) {
    return amount.number();
  }
  return amount.is_null() ? "N/A" : TextAt(amount, "");
}

Cell MinAvailable(const RowSource& row) { return AmountAt(row.object, "spec.minAvailable"); }
Cell MaxUnavailable(const RowSource& row) { return AmountAt(row.object, "spec.maxUnavailable"); }

constexpr ComputedColumn kWorkloadColumns[] = {
    {"<container-names>", ContainerNames, "Containers of its pods."},
    {"<container-images>", ContainerImages, "Images of its pods."},
    {"<pod-labels>", PodLabels, "Labels of its pods."},
    {"<node-selector>", NodeSelector, "Labels of the nodes that its pods run on."},
    {"<selector>", Selector, "Which pods belong to it."},
    {"<ready-replicas>", ReadyReplicas, "Pods that are ready, of those wanted."},
    {"<job-status>", JobStatus, "Whether the job is done."},
    {"<completions>", Completions, "Pods that succeeded, of those wanted."},
    {"<job-duration>", JobDuration, "How long it ran."},
    {"<suspend>", Suspend, "Whether it is suspended."},
    {"<active-jobs>", ActiveJobs, "How many of its jobs run."},
    {"<last-schedule>", LastSchedule, "Time since a job was made last."},
    {"<controller>", Controller, "The object that controls it."},
    {"<min-available>", MinAvailable, "Pods that must stay available."},
    {"<max-unavailable>", MaxUnavailable, "Pods that may be unavailable."},
};

}  // namespace

std::span<const ComputedColumn> WorkloadColumns() { return kWorkloadColumns; }

}  // namespace quadra::apiserver

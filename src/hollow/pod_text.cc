#include "hollow/pod_text.h"

#include <array>

#include <fmt/format.h>

#include "hollow/json_text.h"

namespace quadra::hollow {
namespace {

constexpr std::array<std::string_view, 4> kConditions = {"PodReadyToStartContainers", "Initialized",
                                                         "Ready", "ContainersReady"};

// Addresses that tell pods apart and lead nowhere (RFC 5737, RFC 6598).
std::string AddressOf(const api::Pod& pod) {
  constexpr unsigned kByte = 256;
  unsigned sum = 0;
  for (const char each : pod.metadata.uid) {
    sum = sum * 31 + static_cast<unsigned char>(each);
  }
  return fmt::format("100.64.{}.{}", sum / kByte % kByte, sum % kByte);
}

constexpr std::string_view kHostAddress = "192.0.2.1";

void WriteConditions(json::Writer& writer, bool runs, Time now) {
  writer.Key("conditions");
  writer.BeginArray();
  for (const std::string_view type : kConditions) {
    const bool stays = type == "Initialized";
    writer.BeginObject();
    writer.Member("type", type);
    writer.Member("status", runs || stays ? "True" : "False");
    writer.Member("lastTransitionTime", FormatSeconds(now));
    if (!runs && !stays) {
      writer.Member("reason", "PodCompleted");
    }
    writer.EndObject();
  }
  writer.EndArray();
}

struct ContainerState {
  bool runs = true;
  int exit_code = 0;
};

void WriteState(json::Writer& writer, const ContainerState& state, Time now) {
  writer.Key("state");
  writer.BeginObject();
  writer.Key(state.runs ? "running" : "terminated");
  writer.BeginObject();
  if (state.runs) {
    writer.Member("startedAt", FormatSeconds(now));
  } else {
    writer.Key("exitCode");
    writer.Int(state.exit_code);
    writer.Member("reason", state.exit_code == 0 ? "Completed" : "Error");
    writer.Member("finishedAt", FormatSeconds(now));
  }
  writer.EndObject();
  writer.EndObject();
}

void WriteContainer(json::Writer& writer, const api::Container& container,
                    const ContainerState& state, bool ready, Time now) {
  writer.BeginObject();
  writer.Member("name", container.name);
  writer.Member("image", container.image);
  writer.Member("imageID", container.image);
  writer.Key("ready");
  writer.Bool(ready);
  writer.Key("started");
  writer.Bool(state.runs);
  writer.Key("restartCount");
  writer.Int(0);
  WriteState(writer, state, now);
  writer.EndObject();
}

// Sidecars run beside the others; other init containers have done their work.
void WriteContainers(json::Writer& writer, const api::Pod& pod, const ContainerState& state,
                     Time now) {
  if (!pod.spec.init_containers.empty()) {
    writer.Key("initContainerStatuses");
    writer.BeginArray();
    for (const api::Container& each : pod.spec.init_containers) {
      const bool is_sidecar = each.restart_policy == "Always";
      WriteContainer(writer, each, is_sidecar ? state : ContainerState{.runs = false}, true, now);
    }
    writer.EndArray();
  }
  writer.Key("containerStatuses");
  writer.BeginArray();
  for (const api::Container& each : pod.spec.containers) {
    WriteContainer(writer, each, state, state.runs, now);
  }
  writer.EndArray();
}

void WriteAddresses(json::Writer& writer, const api::Pod& pod) {
  const std::string address = AddressOf(pod);
  writer.Member("hostIP", kHostAddress);
  writer.Member("podIP", address);
  for (const auto& [key, ip] :
       {std::pair("hostIPs", std::string(kHostAddress)), std::pair("podIPs", address)}) {
    writer.Key(key);
    writer.BeginArray();
    writer.BeginObject();
    writer.Member("ip", ip);
    writer.EndObject();
    writer.EndArray();
  }
}

}  // namespace

std::string RunningText(const api::Pod& pod, Time now) {
  return ObjectText([&](json::Writer& writer) {
    writer.Member("phase", "Running");
    writer.Member("startTime", FormatSeconds(now));
    WriteAddresses(writer, pod);
    WriteConditions(writer, true, now);
    WriteContainers(writer, pod, {}, now);
  });
}

std::string DoneText(const api::Pod& pod, bool failed, Time now) {
  return ObjectText([&](json::Writer& writer) {
    writer.Member("phase", failed ? "Failed" : "Succeeded");
    WriteConditions(writer, false, now);
    WriteContainers(writer, pod, {.runs = false, .exit_code = failed ? 1 : 0}, now);
  });
}

std::string RefusedText(std::string_view reason, std::string_view message) {
  return ObjectText([&](json::Writer& writer) {
    writer.Member("phase", "Failed");
    writer.Member("reason", reason);
    writer.Member("message", message);
  });
}

std::string PatchText(const api::Pod& pod, std::string_view status) {
  return ObjectText([&](json::Writer& writer) {
    writer.Key("metadata");
    writer.BeginObject();
    writer.Member("uid", pod.metadata.uid);
    writer.EndObject();
    writer.Key("status");
    writer.Raw(status);
  });
}

}  // namespace quadra::hollow

#include "scheduler/question.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "api/object.h"
#include "base/random.h"
#include "json/value.h"
#include "json/writer.h"
#include "scheduler/choice.h"
#include "scheduler/config.h"
#include "scheduler/framework/handle.h"
#include "scheduler/inquiry.h"
#include "scheduler/plugins/dynamic_resources/state.h"
#include "scheduler/plugins/registry.h"
#include "scheduler/question_cluster.h"

namespace quadra::scheduler {
namespace {

struct Question {
  std::string pod;  // JSON, as the others are
  std::vector<std::string> objects;
  api::FeatureGates gates;
  SchedulerConfig config = DefaultConfig();
  bool strict = false;
};

// --- Reading.

Error WrongMember(std::string_view name, std::string_view wanted) {
  return {.kind = ErrorKind::kUsage, .message = fmt::format("{} must be {}", name, wanted)};
}

quadra::Status ReadGates(const json::Value& in, api::FeatureGates& gates) {
  if (in.is_null()) {
    return {};
  }
  if (in.kind() != json::Kind::kObject) {
    return Fail(WrongMember("featureGates", "a JSON object"));
  }
  for (const json::Value::Member& gate : in.members()) {
    if (gate.value.kind() != json::Kind::kBool) {
      return Fail(WrongMember("feature gate " + gate.key, "true or false"));
    }
    QUADRA_RETURN_IF_ERROR(gates.Set(gate.key, gate.value.boolean()));
  }
  return gates.CheckDependencies();
}

quadra::Status ReadObjects(const json::Value& in, std::vector<std::string>& objects) {
  if (in.is_null()) {
    return {};
  }
  if (in.kind() != json::Kind::kArray) {
    return Fail(WrongMember("objects", "a JSON array"));
  }
  for (const json::Value& each : in.items()) {
    objects.push_back(json::ToJson(each));
  }
  return {};
}

Result<Question> ReadQuestion(std::string_view line) {
  QUADRA_TRY(const json::Value in, json::ParseValue(line));
  if (in.kind() != json::Kind::kObject) {
    return Fail(WrongMember("the question", "a JSON object"));
  }
  Question question;
  if (in.Get("pod").kind() != json::Kind::kObject) {
    return Fail(WrongMember("pod", "a JSON object"));
  }
  question.pod = json::ToJson(in.Get("pod"));
  QUADRA_RETURN_IF_ERROR(ReadObjects(in.Get("objects"), question.objects));
  QUADRA_RETURN_IF_ERROR(ReadGates(in.Get("featureGates"), question.gates));
  if (const json::Value& config = in.Get("config"); !config.is_null()) {
    QUADRA_TRY(question.config, ReadConfig(json::ToJson(config)));
  }
  const json::Value& strict = in.Get("strict");
  if (!strict.is_null() && strict.kind() != json::Kind::kBool) {
    return Fail(WrongMember("strict", "true or false"));
  }
  question.strict = !strict.is_null() && strict.boolean();
  return question;
}

Result<api::Pod> ReadPod(const std::string& json) {
  Result<api::Pod> pod = api::DecodePod({.api_version = "v1", .kind = "Pod", .json = json});
  if (!pod) {
    return Fail(ErrorKind::kUsage, "pod: " + pod.error().message);
  }
  return pod;
}

// The profile that serves the pod; of a pod that names none the first.
Result<const ProfileConfig*> ProfileFor(const api::Pod& pod, const SchedulerConfig& config) {
  const auto found = pod.spec.scheduler_name.empty()
                         ? config.profiles.begin()
                         : std::ranges::find(config.profiles, pod.spec.scheduler_name,
                                             &ProfileConfig::scheduler_name);
  if (found == config.profiles.end()) {
    return Fail(ErrorKind::kUsage,
                fmt::format("no profile serves schedulerName \"{}\"", pod.spec.scheduler_name));
  }
  return &*found;
}

// --- Answers.

void WriteStrings(json::Writer& writer, std::string_view key,
                  const std::vector<std::string>& texts) {
  writer.Key(key);
  writer.BeginArray();
  std::ranges::for_each(texts, [&](const std::string& text) { writer.String(text); });
  writer.EndArray();
}

// A plain success says nothing.
void WriteVerdicts(json::Writer& writer, std::string_view key,
                   const std::vector<PluginVerdict>& verdicts) {
  writer.Key(key);
  writer.BeginArray();
  for (const PluginVerdict& each : verdicts) {
    if (each.status.ok() && !each.nodes) {
      continue;
    }
    writer.BeginObject();
    writer.Member("plugin", each.plugin);
    writer.Member("code", NameOf(each.status.code()));
    if (!each.status.reasons().empty()) {
      WriteStrings(writer, "reasons", each.status.reasons());
    }
    if (each.nodes) {
      WriteStrings(writer, "nodes", *each.nodes);
    }
    writer.EndObject();
  }
  writer.EndArray();
}

void WriteRefused(json::Writer& writer, const std::vector<RefusedNode>& nodes) {
  writer.Key("refused");
  writer.BeginArray();
  for (const RefusedNode& each : nodes) {
    writer.BeginObject();
    writer.Member("node", each.node->name());
    WriteVerdicts(writer, "by", each.verdicts);
    writer.EndObject();
  }
  writer.EndArray();
}

void WriteCount(json::Writer& writer, std::string_view key, std::int64_t count) {
  writer.Key(key);
  writer.Int(count);
}

void WriteFeasible(json::Writer& writer, const std::vector<RatedNode>& nodes) {
  writer.Key("feasible");
  writer.BeginArray();
  for (const RatedNode& each : nodes) {
    writer.BeginObject();
    writer.Member("node", each.node->name());
    WriteCount(writer, "total", each.total);
    writer.Key("scores");
    writer.BeginArray();
    for (const PluginScore& score : each.scores) {
      writer.BeginObject();
      writer.Member("plugin", score.plugin);
      WriteCount(writer, "raw", score.raw);
      WriteCount(writer, "score", score.score);
      writer.EndObject();
    }
    writer.EndArray();
    writer.EndObject();
  }
  writer.EndArray();
}

std::string_view ResultOf(const Choice& choice) {
  if (!choice.error.ok()) {
    return "error";
  }
  return choice.node != nullptr ? "fits" : "unschedulable";
}

void WriteDevices(json::Writer& writer, const ClaimsOfPod* claims) {
  writer.Key("devices");
  writer.BeginArray();
  for (const PodClaim& each : claims == nullptr ? std::vector<PodClaim>() : claims->claims) {
    if (each.decided == nullptr) {
      continue;
    }
    writer.BeginObject();
    writer.Member("namespace", each.decided->metadata.ns);
    writer.Member("name", each.decided->metadata.name);
    writer.Key("allocation");
    writer.Raw(api::EncodeJson(*each.decided->status.allocation));
    writer.EndObject();
  }
  writer.EndArray();
}

std::string Written(const Inquiry& found, const Choice& choice) {
  std::string text;
  json::Writer writer(text);
  writer.BeginObject();
  writer.Member("result", ResultOf(choice));
  if (!choice.error.ok()) {
    writer.Member("message", choice.error.Message());
  } else if (choice.node == nullptr) {
    writer.Member("message", TextOf(choice.diagnosis));
  }
  WriteVerdicts(writer, "preFilter", found.pre_filter);
  WriteRefused(writer, found.refused);
  WriteVerdicts(writer, "preScore", found.pre_score);
  WriteVerdicts(writer, "failed", found.failed);
  WriteFeasible(writer, found.feasible);
  WriteDevices(writer, FindClaims(found.state));
  writer.EndObject();
  return text;
}

// --- Asking.

// On the best node, for who looks at them afterwards.
void TakeDevices(const Profile& profile, const PodInfo& pod, Inquiry& found) {
  if (found.feasible.empty()) {
    return;
  }
  Status status = profile.RunReserve(found.state, pod, found.feasible.front().node->name());
  if (!status.ok()) {
    const std::string_view plugin = status.plugin();
    found.failed.push_back({.plugin = plugin, .status = std::move(status), .nodes = std::nullopt});
  }
}

Result<std::string> Ask(const Question& question, const selector::Language& language) {
  QUADRA_TRY(api::Pod pod, ReadPod(question.pod));
  QUADRA_TRY(const ProfileConfig* const config, ProfileFor(pod, question.config));
  QuestionCluster cluster(language, question.gates);
  for (std::size_t i = 0; i < question.objects.size(); ++i) {
    if (const quadra::Status added = cluster.Add(question.objects[i]); !added) {
      return Fail(ErrorKind::kUsage, fmt::format("objects[{}]: {}", i, added.error().message));
    }
  }
  SeededRandom random(1);
  Handle handle{.gates = question.gates,
                .snapshot = cluster.cache(),
                .devices = cluster.devices(),
                .random = random,
                .strict = question.strict,
                .nominated = [&](const std::string& node) { return cluster.Nominated(node); }};
  QUADRA_TRY(std::vector<WeightedPlugin> plugins, MakePlugins(*config, handle));
  Profile profile(config->scheduler_name, std::move(plugins), handle);
  const PodInfoPtr asked = PodInfo::Of(std::move(pod), question.gates);
  CycleState state;
  NodeChooser chooser({.percentage = 100, .random = random});
  const Choice choice = chooser.Choose(profile, cluster.cache(), state, *asked);
  Inquiry found = Inquire(profile, cluster.cache(), *asked);
  TakeDevices(profile, *asked, found);
  return Written(found, choice);
}

}  // namespace

std::string ScheduleAnswerer::RefuseLine(std::size_t number, std::string_view message) {
  std::string text;
  json::Writer writer(text);
  writer.BeginObject();
  writer.Member("result", "error");
  WriteCount(writer, "line", static_cast<std::int64_t>(number));
  writer.Member("message", message);
  writer.EndObject();
  return text;
}

std::string ScheduleAnswerer::Answer(std::string_view line, std::size_t number) {
  const Result<Question> question = ReadQuestion(line);
  if (!question) {
    return RefuseLine(number, question.error().ToString());
  }
  const Result<std::string> answer = Ask(*question, language_);
  return answer ? *answer : RefuseLine(number, answer.error().ToString());
}

}  // namespace quadra::scheduler

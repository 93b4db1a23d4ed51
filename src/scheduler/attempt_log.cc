#include "scheduler/attempt_log.h"

#include <utility>

#include <fmt/format.h>

#include "json/writer.h"

namespace quadra::scheduler {
namespace {

std::string NameOf(std::string_view ns, std::string_view pod) {
  return fmt::format("{}/{}", ns, pod);
}

void WriteCount(json::Writer& writer, std::string_view key, std::uint64_t count) {
  writer.Key(key);
  writer.Int(static_cast<std::int64_t>(count));
}

void WriteNames(json::Writer& writer, std::string_view key, const std::vector<std::string>& names) {
  if (names.empty()) {
    return;
  }
  writer.Key(key);
  writer.BeginArray();
  for (const std::string& name : names) {
    writer.String(name);
  }
  writer.EndArray();
}

void Write(json::Writer& writer, const RefusedNodes& refused) {
  writer.BeginObject();
  writer.Member("plugin", refused.plugin);
  writer.Member("code", refused.code);
  writer.Member("reason", refused.reason);
  writer.MemberIfAny("why", refused.why);
  WriteCount(writer, "nodes", refused.nodes);
  writer.MemberIfAny("example", refused.example);
  writer.EndObject();
}

void Write(json::Writer& writer, const PreemptionPlan::Victim& victim) {
  writer.BeginObject();
  writer.Member("pod", victim.pod);
  writer.Key("priority");
  writer.Int(victim.priority);
  WriteNames(writer, "frees", victim.devices);
  writer.EndObject();
}

void Write(json::Writer& writer, const PreemptionPlan& plan) {
  writer.Key("preemption");
  writer.BeginObject();
  writer.Member("node", plan.node);
  writer.Key("victims");
  writer.BeginArray();
  for (const PreemptionPlan::Victim& victim : plan.victims) {
    Write(writer, victim);
  }
  writer.EndArray();
  WriteCount(writer, "violatedBudgets", plan.violations);
  WriteCount(writer, "candidates", plan.candidates);
  writer.Member("why", plan.why);
  writer.EndObject();
}

}  // namespace

void AttemptLog::Put(LastAttempt attempt) {
  const MutexLock lock(mutex_);
  const auto [found, is_new] = by_name_.try_emplace(NameOf(attempt.ns, attempt.pod));
  if (!is_new) {
    attempts_.erase(found->second);
  }
  found->second = attempts_.insert(attempts_.end(), std::move(attempt));
  if (attempts_.size() > most_) {
    by_name_.erase(NameOf(attempts_.front().ns, attempts_.front().pod));
    attempts_.pop_front();
  }
}

void AttemptLog::Remove(std::string_view ns, std::string_view pod, std::string_view uid) {
  const MutexLock lock(mutex_);
  const auto found = by_name_.find(NameOf(ns, pod));
  if (found != by_name_.end() && found->second->uid == uid) {
    attempts_.erase(found->second);
    by_name_.erase(found);
  }
}

std::optional<LastAttempt> AttemptLog::Find(std::string_view ns, std::string_view pod) const {
  const MutexLock lock(mutex_);
  const auto found = by_name_.find(NameOf(ns, pod));
  return found == by_name_.end() ? std::nullopt : std::optional(*found->second);
}

std::string ToJson(const LastAttempt& attempt) {
  std::string text;
  json::Writer writer(text, 2);
  writer.BeginObject();
  writer.Member("namespace", attempt.ns);
  writer.Member("pod", attempt.pod);
  writer.Member("uid", attempt.uid);
  writer.Member("result", attempt.result);
  writer.MemberIfAny("node", attempt.node);
  writer.MemberIfAny("nominatedNode", attempt.nominated);
  WriteNames(writer, "devices", attempt.devices);
  writer.MemberIfAny("message", attempt.message);
  writer.Key("attempt");
  writer.Int(attempt.attempt);
  writer.Member("at", FormatSeconds(attempt.at));
  writer.Key("milliseconds");
  writer.Double(std::chrono::duration<double, std::milli>(attempt.took).count());
  WriteCount(writer, "nodes", attempt.nodes);
  WriteCount(writer, "evaluated", attempt.evaluated);
  WriteCount(writer, "feasible", attempt.feasible);
  WriteCount(writer, "evaluations", attempt.evaluations);
  WriteCount(writer, "steps", attempt.steps);
  writer.Key("refused");
  writer.BeginArray();
  for (const RefusedNodes& refused : attempt.refused) {
    Write(writer, refused);
  }
  writer.EndArray();
  if (attempt.preemption) {
    Write(writer, *attempt.preemption);
  }
  writer.EndObject();
  return text + "\n";
}

}  // namespace quadra::scheduler

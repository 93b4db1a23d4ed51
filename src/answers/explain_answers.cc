// Our half of conformance/explain: what every node says to a pod, and whether `explain` says that
// it gets its devices.
#include <set>
#include <string>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "api/object.h"
#include "base/time_zones.h"
#include "diagnosis/diagnose.h"
#include "json/value.h"
#include "placement/cluster.h"
#include "placement/place.h"
#include "reasons/refusal.h"

namespace quadra::answers {

std::string AnswerExplain(std::string_view question);

namespace {

using diagnosis::Diagnosis;
using placement::NodeAnswer;

Status Fill(const json::Value& objects, placement::Cluster& cluster) {
  for (const json::Value& object : objects.items()) {
    const std::string text = json::ToJson(object);
    const Result<bool> taken =
        api::ReadObject({.api_version = object.Get("apiVersion").string(),
                         .kind = object.Get("kind").string(),
                         .json = text,
                         .defaults = api::Defaults::kFilled},
                        [&](auto&& read) { cluster.Put(std::forward<decltype(read)>(read)); });
    if (!taken) {
      return Fail(taken.error());
    }
  }
  return {};
}

// Upstream names what is insufficient in any order.
std::string Sorted(std::string_view words) {
  std::set<std::string> each;
  for (std::size_t end = 0; end != std::string_view::npos;) {
    end = words.find(", ");
    each.emplace(words.substr(0, end));
    words.remove_prefix(end == std::string_view::npos ? words.size() : end + 2);
  }
  return fmt::format("{}", fmt::join(each, ", "));
}

// The words of the node, less what is ours: what exactly is in the way.
std::string WordsOf(const NodeAnswer& answer) {
  if (answer.fits) {
    return "";
  }
  if (answer.failure) {
    return "error";
  }
  const reasons::Refusal& refusal = answer.rejection ? *answer.rejection : answer.refusals.front();
  const std::string words = refusal.message.substr(0, refusal.message.find(": "));
  const bool of_claims = refusal.code != reasons::Code::kNodeRejects ||
                         words == "resourceclaim not available on the node";
  return of_claims ? "devices" : Sorted(words);
}

bool Fits(const Diagnosis& diagnosis) {
  return diagnosis.state == Diagnosis::State::kHas ||
         diagnosis.state == Diagnosis::State::kWouldGet;
}

std::string Answer(placement::Cluster& cluster, const api::Pod& pod,
                   selector::ExpressionCache& expressions) {
  placement::Placer placer(cluster, {.strict = true}, expressions);
  const placement::Examination examined = placer.Examine(pod);
  json::Value answer{json::Value::Object()};
  answer.Set("fits", json::Value(Fits(diagnosis::DiagnosePod(placer, pod))));
  if (examined.refusal) {
    answer.Set("waits", json::Value(true));
    return json::ToJson(answer);
  }
  json::Value nodes{json::Value::Object()};
  for (const NodeAnswer& node : examined.nodes) {
    nodes.Set(node.view->node->metadata.name, json::Value(WordsOf(node)));
  }
  answer.Set("nodes", std::move(nodes));
  return json::ToJson(answer);
}

}  // namespace

std::string AnswerExplain(std::string_view question) {
  static const SystemTimeZones zones;
  static const selector::Language language(&zones);
  static auto* const expressions = new selector::ExpressionCache(language);
  const Result<json::Value> asked = json::ParseValue(question);
  placement::Cluster cluster(language, {});
  if (!asked || !Fill(asked->Get("objects"), cluster)) {
    return R"({"error":"no question"})";
  }
  const api::Pod* pod = cluster.pods().Find("default", asked->Get("pod").string());
  return pod == nullptr ? R"({"error":"no pod"})" : Answer(cluster, *pod, *expressions);
}

}  // namespace quadra::answers

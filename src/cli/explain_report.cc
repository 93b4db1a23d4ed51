#include "cli/explain_report.h"

#include <algorithm>
#include <ostream>

#include <fmt/format.h>
#include <fmt/ostream.h>
#include <fmt/ranges.h>

#include "api/object.h"
#include "cli/document.h"
#include "cli/line.h"
#include "cli/table.h"
#include "cli/words.h"
#include "json/writer.h"

namespace quadra::cli {
namespace {

using diagnosis::Diagnosis;

// --- What it has.

void PrintDevices(const Diagnosis& diagnosis, const ExplainStyle& style, std::ostream& out) {
  Table table({"CLAIM", "REQUEST", "DEVICE"});
  for (const api::ResourceClaim& claim : diagnosis.claims) {
    if (!claim.status.allocation) {
      continue;
    }
    for (const auto& result : claim.status.allocation->devices.results) {
      table.Add({claim.metadata.name, result.request,
                 fmt::format("{}/{}/{}", result.driver, result.pool, result.device)});
    }
  }
  table.Print(out, style.headings);
}

// What else keeps the pod, or may; what the scheduler wrote into it, and what to make of that where
// we say something else.
void PrintCondition(const Diagnosis& diagnosis, std::ostream& out) {
  if (!diagnosis.standing.empty()) {
    out << fmt::format("the scheduler does not look at it: {}\n", diagnosis.standing);
  }
  for (const std::string& remark : diagnosis.remarks) {
    PrintLine(out, remark);
  }
  if (!diagnosis.unchecked.empty()) {
    PrintLine(out, "not modelled, but there: " + diagnosis.unchecked);
  }
  if (!diagnosis.counted.empty()) {
    PrintLine(out, fmt::format("pods counted for cpu, memory and ports: {}; others may take "
                               "some too",
                               diagnosis.counted));
  }
  if (!diagnosis.scheduled || diagnosis.state == Diagnosis::State::kHas) {
    return;
  }
  const api::PodCondition& said = *diagnosis.scheduled;
  PrintLine(out, fmt::format("its scheduler said: PodScheduled={}{}{}{}{}", said.status,
                             said.reason.empty() ? "" : ", ", said.reason,
                             said.message.empty() ? "" : ": ", said.message));
  if (diagnosis.contradicted) {
    out << "that contradicts this answer: what is not modelled decided (see quadra allocate), or "
           "the cluster has changed since\n";
  }
}

void PrintPlace(const Diagnosis& diagnosis, const ExplainStyle& style, std::ostream& out) {
  const bool has = diagnosis.state == Diagnosis::State::kHas;
  PrintLine(out, fmt::format("{} in namespace {} {} its devices{}{}", diagnosis.subject,
                             diagnosis.ns, has ? "has" : "would get",
                             diagnosis.node.empty() ? "" : " on node ", diagnosis.node));
  PrintLine(out, "why that node: " + diagnosis.why_node);
  if (!diagnosis.upstream_failure.empty()) {
    PrintLine(out, "but " + diagnosis.upstream_failure);
  }
  PrintCondition(diagnosis, out);
  out << '\n';
  PrintDevices(diagnosis, style, out);
}

// --- Why not.

void PrintStages(const Diagnosis& diagnosis, const ExplainStyle& style, std::ostream& out) {
  if (diagnosis.stages.empty()) {
    return;
  }
  Table table({"STEP", "DEVICES", "NODES"});
  for (const diagnosis::Stage& stage : diagnosis.stages) {
    const bool last = &stage == &diagnosis.stages.back();
    table.Add({stage.step, fmt::format("{}{}", last ? "at most " : "", stage.devices),
               std::to_string(stage.nodes)});
  }
  out << '\n';
  table.Print(out, style.headings);
}

void PrintGroups(const Diagnosis& diagnosis, const ExplainStyle& style, std::ostream& out) {
  if (diagnosis.groups.size() < 2) {
    return;
  }
  Table table({"REASON", "NODES", "NEAREST", "WHY"});
  for (const diagnosis::ReasonGroup& group : diagnosis.groups) {
    table.Add({std::string(reasons::NameOf(group.code)), std::to_string(group.nodes), group.nearest,
               group.message});
  }
  out << '\n';
  table.Print(out, style.headings);
}

std::string HoldersText(const std::vector<diagnosis::Holding>& holders) {
  std::vector<std::string> texts;
  texts.reserve(holders.size());
  for (const diagnosis::Holding& holding : holders) {
    texts.push_back(holding.consumers.empty()
                        ? fmt::format("{}x{}", holding.devices, holding.claim)
                        : fmt::format("{}x{}({})", holding.devices, holding.claim,
                                      fmt::join(holding.consumers, ",")));
  }
  return fmt::format("{}", fmt::join(texts, ","));
}

void PrintNodes(const Diagnosis& diagnosis, const ExplainStyle& style, std::ostream& out) {
  if (diagnosis.nodes.empty()) {
    return;
  }
  const std::size_t shown =
      style.all_nodes ? diagnosis.nodes.size() : std::min(diagnosis.nodes.size(), kFewNodes);
  Table table({"NODE", "MATCH", "FREE", "REASON", "HELD-BY"});
  for (std::size_t i = 0; i < shown; ++i) {
    const diagnosis::NodeFinding& node = diagnosis.nodes[i];
    table.Add({node.name, node.counted ? std::to_string(node.matching) : "-",
               node.counted ? std::to_string(node.free) : "-",
               std::string(reasons::NameOf(node.refusal.code)), HoldersText(node.holders)});
  }
  out << '\n';
  table.Print(out, style.headings);
  if (const std::size_t rest = diagnosis.nodes.size() + diagnosis.further_nodes - shown; rest > 0) {
    out << fmt::format("{} more {}: --all-nodes\n", rest, rest == 1 ? "node" : "nodes");
  }
}

// Those that were tried and ran out of steps.
void PrintUndecided(const std::vector<allocator::Fix>& fixes, std::ostream& out) {
  constexpr std::size_t kFew = 5;
  if (fixes.empty()) {
    return;
  }
  out << "\ntried, but whether it helps is not known within the budget:\n";
  for (std::size_t i = 0; i < std::min(fixes.size(), kFew); ++i) {
    PrintLine(out, "  - " + fixes[i].text);
  }
  if (fixes.size() > kFew) {
    out << fmt::format("  - and {} more: -o json\n", fixes.size() - kFew);
  }
}

void PrintFixes(const Diagnosis& diagnosis, std::ostream& out) {
  const allocator::Fixes& fixes = diagnosis.fixes;
  if (!fixes.found.empty()) {
    out << "\nfixes, each tried on a copy of the cluster:\n";
    for (std::size_t i = 0; i < fixes.found.size(); ++i) {
      PrintLine(out, fmt::format("  {}. {}; it then fits on {}", i + 1, fixes.found[i].text,
                                 fixes.found[i].node));
    }
  }
  if (!fixes.futile.empty()) {
    out << "\ntried in vain:\n";
    for (const std::string& futile : fixes.futile) {
      PrintLine(out, "  - " + futile);
    }
  }
  PrintUndecided(fixes.undecided, out);
  if (fixes.untried > 0) {
    out << fmt::format(
        "\nnot tried: {}; the claims are hard to search for, and trying must end some time\n",
        Counted(fixes.untried, "further change"));
  }
}

void PrintRefusal(const Diagnosis& diagnosis, const ExplainStyle& style, std::ostream& out) {
  const bool undecided = diagnosis.key.code == reasons::Code::kUndecided;
  const std::string_view verdict = diagnosis.has_devices  ? "has its devices, but cannot use them"
                                   : undecided            ? "may or may not get its devices"
                                   : !style.wants_devices ? "does not get a node"
                                                          : "does not get its devices";
  PrintLine(out, fmt::format("{} in namespace {} {}: {}", diagnosis.subject, diagnosis.ns, verdict,
                             reasons::NameOf(diagnosis.key.code)));
  PrintLine(out,
            diagnosis.sentence + (diagnosis.key_node.empty()
                                      ? ""
                                      : fmt::format(" (nearest node: {})", diagnosis.key_node)));
  if (!diagnosis.elsewhere.empty()) {
    PrintLine(out, fmt::format("Quadra's own scheduler would pass over what fails and place it on "
                               "{}: --lenient",
                               diagnosis.elsewhere));
  }
  if (!diagnosis.retry.sentence.empty()) {
    PrintLine(out, diagnosis.retry.sentence);
  }
  if (!diagnosis.preemption.sentence.empty()) {
    PrintLine(out, diagnosis.preemption.sentence);
  }
  PrintCondition(diagnosis, out);
  PrintStages(diagnosis, style, out);
  PrintGroups(diagnosis, style, out);
  PrintNodes(diagnosis, style, out);
  PrintFixes(diagnosis, out);
}

// --- JSON.

class DiagnosisWriter {
 public:
  explicit DiagnosisWriter(const Diagnosis& diagnosis) : diagnosis_(diagnosis), writer_(text_) {}

  std::string Write() {
    writer_.BeginObject();
    Text("apiVersion", kDocumentVersion);
    Text("kind", "Explanation");
    Text("subject", diagnosis_.subject);
    Text("namespace", diagnosis_.ns);
    Text("verdict", StateName());
    if (diagnosis_.state == Diagnosis::State::kWouldNot) {
      WriteRefusal();
    } else {
      WritePlace();
    }
    Text("standing", diagnosis_.standing);
    Text("unchecked", diagnosis_.unchecked);
    Text("counted", diagnosis_.counted);
    if (!diagnosis_.remarks.empty()) {
      Array("remarks", diagnosis_.remarks,
            [&](const std::string& remark) { writer_.String(remark); });
    }
    WriteCondition();
    WriteEffort();
    writer_.EndObject();
    return std::move(text_);
  }

  std::string_view StateName() const {
    switch (diagnosis_.state) {
      case Diagnosis::State::kWantsNone:
        return "wantsNone";
      case Diagnosis::State::kPassedOver:
        return "passedOver";
      case Diagnosis::State::kHas:
        return "has";
      case Diagnosis::State::kWouldGet:
        return "wouldGet";
      case Diagnosis::State::kWouldNot:
        return diagnosis_.key.code == reasons::Code::kUndecided ? "notKnown" : "wouldNot";
    }
    return "";
  }

 private:
  void Text(std::string_view key, std::string_view value) {
    writer_.Key(key);
    writer_.String(value);
  }
  void Number(std::string_view key, std::uint64_t value) {
    writer_.Key(key);
    writer_.Int(static_cast<std::int64_t>(value));
  }
  template <typename Items, typename Write>
  void Array(std::string_view key, const Items& items, const Write& write) {
    writer_.Key(key);
    writer_.BeginArray();
    for (const auto& item : items) {
      write(item);
    }
    writer_.EndArray();
  }
  template <typename Items, typename Write>
  void Objects(std::string_view key, const Items& items, const Write& write) {
    Array(key, items, [&](const auto& item) {
      writer_.BeginObject();
      write(item);
      writer_.EndObject();
    });
  }

  void WritePlace() {
    Text("node", diagnosis_.node);
    Text("whyNode", diagnosis_.why_node);
    Text("upstreamFailure", diagnosis_.upstream_failure);
    Array("claims", diagnosis_.claims,
          [&](const api::ResourceClaim& claim) { writer_.Raw(api::EncodeJson(claim)); });
  }

  void WriteReason(const reasons::Refusal& refusal) {
    Text("code", reasons::NameOf(refusal.code));
    Text("claim", refusal.claim);
    Text("request", refusal.request);
    Text("message", refusal.message);
  }

  void WriteRefusal() {
    writer_.Key("reason");
    writer_.BeginObject();
    WriteReason(diagnosis_.key);
    Text("node", diagnosis_.key_node);
    writer_.EndObject();
    Text("elsewhere", diagnosis_.elsewhere);
    WriteRetry();
    WritePreemption();
    Objects("steps", diagnosis_.stages, [&](const diagnosis::Stage& stage) {
      Text("step", stage.step);
      Number("devices", stage.devices);
      Number("nodes", stage.nodes);
    });
    Objects("reasons", diagnosis_.groups, [&](const diagnosis::ReasonGroup& group) {
      Text("code", reasons::NameOf(group.code));
      Number("nodes", group.nodes);
      Text("nearest", group.nearest);
      Text("message", group.message);
    });
    Objects("nodes", diagnosis_.nodes,
            [&](const diagnosis::NodeFinding& node) { WriteNode(node); });
    Objects("fixes", diagnosis_.fixes.found, [&](const allocator::Fix& fix) {
      Text("kind", allocator::KindName(fix.kind));
      Text("text", fix.text);
      Text("node", fix.node);
    });
    Objects("undecidedFixes", diagnosis_.fixes.undecided, [&](const allocator::Fix& fix) {
      Text("kind", allocator::KindName(fix.kind));
      Text("text", fix.text);
    });
    Array("triedInVain", diagnosis_.fixes.futile,
          [&](const std::string& futile) { writer_.String(futile); });
    Number("untried", diagnosis_.fixes.untried);
  }

  void WriteRetry() {
    const Diagnosis::Retry& retry = diagnosis_.retry;
    if (retry.claims.empty()) {
      return;
    }
    writer_.Key("retry");
    writer_.BeginObject();
    Array("released", retry.claims, [&](const std::string& claim) { writer_.String(claim); });
    Text("verdict", !retry.node.empty() ? "wouldGet" : retry.undecided ? "notKnown" : "wouldNot");
    Text("node", retry.node);
    writer_.EndObject();
  }

  void WritePreemption() {
    const Diagnosis::Preemption& preemption = diagnosis_.preemption;
    if (preemption.sentence.empty()) {
      return;
    }
    writer_.Key("preemption");
    writer_.BeginObject();
    Text("node", preemption.node);
    Array("victims", preemption.victims,
          [&](const std::string& victim) { writer_.String(victim); });
    Text("message", preemption.sentence);
    writer_.EndObject();
  }

  void WriteNode(const diagnosis::NodeFinding& node) {
    Text("name", node.name);
    WriteReason(node.refusal);
    Number("matching", node.matching);
    Number("free", node.free);
    Objects("holders", node.holders, [&](const diagnosis::Holding& holding) {
      Text("claim", holding.claim);
      Array("consumers", holding.consumers,
            [&](const std::string& consumer) { writer_.String(consumer); });
      Number("devices", holding.devices);
    });
  }

  void WriteCondition() {
    if (!diagnosis_.scheduled) {
      return;
    }
    writer_.Key("podScheduled");
    writer_.BeginObject();
    Text("status", diagnosis_.scheduled->status);
    Text("reason", diagnosis_.scheduled->reason);
    Text("message", diagnosis_.scheduled->message);
    writer_.Key("contradicts");
    writer_.Bool(diagnosis_.contradicted);
    writer_.EndObject();
  }

  void WriteEffort() {
    writer_.Key("effort");
    writer_.BeginObject();
    Number("nodes", diagnosis_.effort.nodes);
    Number("devices", diagnosis_.effort.devices);
    Number("evaluations", diagnosis_.effort.evaluations);
    Number("steps", diagnosis_.effort.steps);
    Number("trialSteps", diagnosis_.effort.trial_steps);
    writer_.EndObject();
  }

  const Diagnosis& diagnosis_;
  std::string text_;
  json::Writer writer_;
};

}  // namespace

void PrintDiagnosis(const Diagnosis& diagnosis, const ExplainStyle& style, Console& console) {
  std::ostream& out = console.out;
  switch (diagnosis.state) {
    case Diagnosis::State::kWantsNone:
      PrintLine(out, fmt::format("{} in namespace {} has no claims: it waits for no devices",
                                 diagnosis.subject, diagnosis.ns));
      if (!diagnosis.scheduled || diagnosis.scheduled->status != "True") {
        PrintCondition(diagnosis, out);
      }
      break;
    case Diagnosis::State::kPassedOver:
      out << fmt::format("{} in namespace {} is not placed: {}\n", diagnosis.subject, diagnosis.ns,
                         diagnosis.standing);
      break;
    case Diagnosis::State::kHas:
    case Diagnosis::State::kWouldGet:
      PrintPlace(diagnosis, style, out);
      break;
    case Diagnosis::State::kWouldNot:
      PrintRefusal(diagnosis, style, out);
      break;
  }
  const Diagnosis::Effort& effort = diagnosis.effort;
  out << fmt::format("\neffort: {}, {}, {}, {}\n", Counted(effort.nodes, "node"),
                     Counted(effort.devices, "device"), Counted(effort.evaluations, "evaluation"),
                     Counted(effort.steps, "step"));
  if (!diagnosis.fixes.found.empty()) {
    PrintLine(out, fmt::format("next: {} --fix 1 > fix.yaml", style.next_prefix));
  }
}

std::string_view VerdictOf(const Diagnosis& diagnosis) {
  return DiagnosisWriter(diagnosis).StateName();
}

std::string DiagnosisJson(const Diagnosis& diagnosis) { return DiagnosisWriter(diagnosis).Write(); }

std::string ExplanationList(const std::vector<std::string>& explanations) {
  std::string text;
  json::Writer writer(text);
  writer.BeginObject();
  writer.Key("apiVersion");
  writer.String(kDocumentVersion);
  writer.Key("kind");
  writer.String("ExplanationList");
  writer.Key("items");
  writer.BeginArray();
  for (const std::string& explanation : explanations) {
    writer.Raw(explanation);
  }
  writer.EndArray();
  writer.EndObject();
  return text;
}

}  // namespace quadra::cli

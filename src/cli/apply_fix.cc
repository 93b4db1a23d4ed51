#include "cli/apply_fix.h"

#include <algorithm>
#include <array>
#include <istream>
#include <ostream>
#include <utility>

#include <fmt/format.h>

#include "cli/line.h"
#include "cli/source.h"
#include "cli/targets.h"
#include "json/value.h"
#include "live/objects.h"
#include "placement/pod_claims.h"

namespace quadra::cli {
namespace {

// One object that is changed, or deleted and made anew.
struct Step {
  live::Target target;
  json::Value object;
  bool in_place = false;

  std::string Title() const { return TitleOf(target.resource, target.name); }
};

// What the server writes itself, and a new object must not have.
json::Value AsNew(json::Value object) {
  constexpr std::array kOwn = {
      "uid",           "resourceVersion", "creationTimestamp", "generation",
      "managedFields", "selfLink",        "deletionTimestamp", "deletionGracePeriodSeconds"};
  if (json::Value* const metadata = object.Find("metadata")) {
    for (const char* const each : kOwn) {
      metadata->Erase(each);
    }
  }
  object.Erase("status");
  return object;
}

bool IsMadeForPod(const json::Value& claim) {
  return !claim.Get("metadata")
              .Get("annotations")
              .Get(placement::kPodClaimAnnotation)
              .text()
              .empty();
}

Result<Step> StepFor(const std::string& json) {
  QUADRA_TRY(json::Value object, json::ParseValue(json));
  const json::Value& metadata = object.Get("metadata");
  const std::string kind = object.Get("kind").text();
  Step step{.target = {.resource = client::ResourceFor(object.Get("apiVersion").text(), kind),
                       .ns = metadata.Get("namespace").text(),
                       .name = metadata.Get("name").text()},
            .object = {},
            .in_place = kind == "Node"};
  step.object = std::move(object);
  return step;
}

// Claims that were made for the pod are made again with it, out of the template.
Result<std::vector<Step>> StepsFor(const ChosenFix& fix) {
  std::vector<Step> steps;
  bool has_pod = false;
  bool has_template = false;
  for (const std::string& each : fix.objects) {
    QUADRA_TRY(Step step, StepFor(each));
    const std::string& kind = step.target.resource.kind;
    has_pod = has_pod || kind == "Pod";
    has_template = has_template || kind == "ResourceClaimTemplate";
    if (kind != "ResourceClaim" || !IsMadeForPod(step.object)) {
      steps.push_back(std::move(step));
    }
  }
  if (has_template && !has_pod && !fix.pod_as_written.empty()) {
    QUADRA_TRY(Step pod, StepFor(fix.pod_as_written));
    steps.push_back(std::move(pod));
  }
  return steps;
}

const Step* FindKind(const std::vector<Step>& steps, std::string_view kind) {
  const auto found = std::ranges::find_if(
      steps, [&](const Step& each) { return each.target.resource.kind == kind; });
  return found == steps.end() ? nullptr : &*found;
}

// Why it must not be done; empty: nothing speaks against it.
std::string Objection(const ChosenFix& fix, const std::vector<Step>& steps) {
  if (steps.empty()) {
    return "this fix changes no object; it says what to wait for, or whom to ask";
  }
  const Step* const pod = FindKind(steps, "Pod");
  if (pod != nullptr && fix.pod != nullptr) {
    for (const api::OwnerReference& owner : fix.pod->metadata.owner_references) {
      if (owner.controller.value_or(false)) {
        return fmt::format(
            "pod {} belongs to {} {}, which makes pods from its own template; change it there, as "
            "the fix shows: leave out --apply",
            pod->target.name, owner.kind, owner.name);
      }
    }
  }
  const Step* const claim = FindKind(steps, "ResourceClaim");
  if (claim != nullptr && !claim->object.Get("status").Get("allocation").is_null()) {
    return fmt::format("claim {} has devices, which pods may use; delete those pods first",
                       claim->target.name);
  }
  return {};
}

void PrintPlan(const ChosenFix& fix, const std::vector<Step>& steps, std::ostream& out) {
  PrintLine(out, fix.text + ":");
  for (const Step& each : steps) {
    PrintLine(out, fmt::format("  {} {}{}", each.in_place ? "change" : "delete and make anew",
                               each.Title(),
                               each.target.ns.empty() ? "" : " in namespace " + each.target.ns));
  }
}

bool Agrees(Console& console) {
  console.err << "go on? (y/N) " << std::flush;
  std::string answer;
  std::getline(console.in, answer);
  return answer == "y" || answer == "yes";
}

using Done = client::Answer<std::string>;

Done Replace(live::Session& session, const Step& step) {
  return session.Run<Done>([&](client::Api& api) -> loop::Task<Done> {
    loop::Later<Done> writing = api.Update(step.target.resource, step.target.ns, step.target.name,
                                           json::ToJson(step.object));
    Done written = co_await writing;
    co_return written;
  });
}

client::Answer<void> DeleteOld(live::Session& session, const Step& step) {
  client::Deletion deletion{.uid = step.object.Get("metadata").Get("uid").text()};
  if (step.target.resource.kind == "Pod") {
    deletion.grace_seconds = 0;  // it runs nowhere
  }
  client::Answer<void> deleted = live::Delete(session, step.target, deletion, /*wait=*/true);
  const bool is_gone = !deleted && deleted.error().Is(client::refused::kNotFound);
  return is_gone ? client::Answer<void>() : deleted;
}

// All that goes is gone before anything is made: a pod must not find the old claim.
ExitCode Do(const std::vector<Step>& steps, live::Session& session, Console& console) {
  for (auto each = steps.rbegin(); each != steps.rend(); ++each) {
    if (each->in_place) {
      continue;
    }
    if (const auto deleted = DeleteOld(session, *each); !deleted) {
      return RefuseAnswer(deleted.error(), session, console, Wish::kWrite);
    }
    PrintLine(console.out, each->Title() + " deleted");
  }
  for (const Step& each : steps) {
    const Done done = each.in_place
                          ? Replace(session, each)
                          : live::Create(session, each.target, json::ToJson(AsNew(each.object)));
    if (!done) {
      return RefuseAnswer(done.error(), session, console, Wish::kWrite);
    }
    PrintLine(console.out,
              fmt::format("{} {}", each.Title(), each.in_place ? "configured" : "created"));
  }
  return ExitCode::kYes;
}

}  // namespace

ExitCode ApplyFix(const ChosenFix& fix, live::Session& session, const ApplyFixOptions& options,
                  Console& console) {
  const Result<std::vector<Step>> steps = StepsFor(fix);
  if (!steps) {
    PrintLine(console.err, "error: " + steps.error().ToString());
    return ExitCode::kUsage;
  }
  if (const std::string objection = Objection(fix, *steps); !objection.empty()) {
    PrintLine(console.err, "error: " + objection);
    return ExitCode::kNo;
  }
  PrintPlan(fix, *steps, console.out);
  if (options.asks && !Agrees(console)) {
    PrintLine(console.err, "nothing was changed; --yes does not ask");
    return ExitCode::kNo;
  }
  return Do(*steps, session, console);
}

}  // namespace quadra::cli

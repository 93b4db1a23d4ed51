#include <algorithm>
#include <array>
#include <list>
#include <optional>
#include <ostream>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "api/object.h"
#include "base/clock.h"
#include "base/nearest.h"
#include "claims/eviction.h"
#include "cli/age.h"
#include "cli/line.h"
#include "cli/live.h"
#include "cli/needs.h"
#include "cli/source.h"
#include "cli/table.h"
#include "cli/verb.h"

namespace quadra::cli {
namespace {

constexpr auto kTaintFlags = WithAccessFlags(std::array{
    Flag{.name = "dry-run", .help = "Only say which pods would have to go, and change nothing."},
    Flag{.name = "name",
         .value = "NAME",
         .help = "The name of the rule; else the server makes one."},
});

// KEY=VALUE:EFFECT or KEY:EFFECT.
Result<api::DeviceTaint> ReadTaint(const std::string& text) {
  if (text.ends_with('-')) {
    return Fail(Usage(fmt::format("\"{}\" would take a taint away", text),
                      "delete its rule: quadra delete rule NAME"));
  }
  const std::size_t colon = text.rfind(':');
  const std::size_t equals = text.find('=');
  if (colon == std::string::npos || colon == 0 || equals == 0) {
    return Fail(Usage(fmt::format("\"{}\" is no taint", text),
                      "write KEY=VALUE:EFFECT, e.g. example.com/unhealthy=ecc:NoExecute"));
  }
  constexpr std::array<std::string_view, 3> kEffects = {"NoSchedule", "NoExecute", "None"};
  api::DeviceTaint taint{.key = text.substr(0, std::min(equals, colon)),
                         .value = equals < colon ? text.substr(equals + 1, colon - equals - 1) : "",
                         .effect = text.substr(colon + 1),
                         .time_added = std::nullopt};
  if (std::ranges::find(kEffects, taint.effect) == kEffects.end()) {
    return Fail(Usage(
        fmt::format("\"{}\" is no effect{}", taint.effect, DidYouMean(taint.effect, kEffects)),
        "it is NoSchedule (new pods stay away), NoExecute (pods have to go) or None"));
  }
  return taint;
}

std::vector<std::string> SplitAtSlashes(const std::string& text) {
  std::vector<std::string> parts;
  for (std::size_t start = 0; start <= text.size();) {
    const std::size_t end = std::min(text.find('/', start), text.size());
    parts.push_back(text.substr(start, end - start));
    start = end + 1;
  }
  return parts;
}

// DRIVER/POOL/DEVICE, DRIVER/POOL or DRIVER.
Result<api::DeviceTaintSelector> ReadDevice(const std::string& text) {
  const std::vector<std::string> parts = SplitAtSlashes(text);
  const auto is_empty = [](const std::string& part) { return part.empty(); };
  if (parts.size() > 3 || std::ranges::any_of(parts, is_empty)) {
    return Fail(
        Usage(fmt::format("\"{}\" is no device", text),
              "write DRIVER/POOL/DEVICE as quadra get devices does; DRIVER/POOL means all of "
              "a pool"));
  }
  const auto part = [&](std::size_t i) {
    return i < parts.size() ? std::optional(parts[i]) : std::nullopt;
  };
  return api::DeviceTaintSelector{.driver = part(0), .pool = part(1), .device = part(2)};
}

Result<api::DeviceTaintRule> ReadRule(const Invocation& invocation) {
  const std::vector<std::string>& words = invocation.arguments;
  if (words.size() != 3 || words[0] != "device") {
    return Fail(Usage("taint what? quadra taint device DRIVER/POOL/DEVICE KEY=VALUE:EFFECT"));
  }
  api::DeviceTaintRule rule;
  rule.metadata.name = invocation.Value("name");
  rule.metadata.generate_name = rule.metadata.name.empty() ? "quadra-taint-" : "";
  QUADRA_TRY(rule.spec.device_selector, ReadDevice(words[1]));
  QUADRA_TRY(rule.spec.taint, ReadTaint(words[2]));
  return rule;
}

// --- Who is there.

bool IsMeant(const api::DeviceTaintSelector& selector, std::string_view driver,
             std::string_view pool) {
  return (!selector.driver || *selector.driver == driver) &&
         (!selector.pool || *selector.pool == pool);
}

// What of the cluster a rule may hit.
struct Surroundings {
  std::list<api::Pod> pods;
  std::list<api::ResourceClaim> claims;
  std::set<std::string> devices;  // published, driver/pool/device
  std::size_t meant = 0;          // of these
  const api::DeviceTaintSelector* selector = nullptr;

  void operator()(api::Pod pod) { pods.push_back(std::move(pod)); }
  void operator()(api::ResourceClaim claim) { claims.push_back(std::move(claim)); }
  void operator()(const api::ResourceSlice& slice) {
    for (const api::Device& device : slice.spec.devices) {
      const bool is_meant = IsMeant(*selector, slice.spec.driver, slice.spec.pool.name) &&
                            (!selector->device || *selector->device == device.name);
      meant += is_meant ? 1 : 0;
      devices.insert(fmt::format("{}/{}/{}", slice.spec.driver, slice.spec.pool.name, device.name));
    }
  }

  claims::Bystanders Bystanders() const {
    claims::Bystanders bystanders;
    for (const api::Pod& pod : pods) {
      bystanders.pods.push_back(&pod);
    }
    for (const api::ResourceClaim& claim : claims) {
      bystanders.claims.push_back(&claim);
    }
    return bystanders;
  }
};

ExitCode ReadSurroundings(Source& source, Surroundings& surroundings, Console& console) {
  const auto take = [&](const json::Manifest& manifest, const api::Identity& identity) -> Status {
    QUADRA_RETURN_IF_ERROR(api::ReadObject(
        {.api_version = identity.api_version, .kind = identity.kind, .json = manifest.json()},
        surroundings));
    return {};
  };
  return source.Read(
      {Vital<api::Pod>(), Vital<api::ResourceClaim>(), Helpful<api::ResourceSlice>()}, console,
      {.take = take});
}

// A device that nobody publishes may come later; it may also be a slip of the pen.
void NoteMissing(const Surroundings& surroundings, const std::string& word, Console& console) {
  if (surroundings.meant > 0) {
    return;
  }
  const std::vector<std::string_view> known(surroundings.devices.begin(),
                                            surroundings.devices.end());
  PrintLine(console.err,
            fmt::format("note: no slice publishes {} now{}", word, DidYouMean(word, known)));
}

// --- The answer.

std::string WhenOf(const claims::Eviction& eviction, Time now) {
  return eviction.at <= now ? "now" : "in " + HumanDuration(eviction.at - now);
}

void PrintEvictions(const std::vector<claims::Eviction>& evictions, const api::DeviceTaint& taint,
                    Time now, Console& console) {
  const bool evicts = taint.effect == "NoExecute";
  const std::size_t count = evictions.size();
  PrintLine(console.out,
            fmt::format("{} {} pod{}{}", evicts ? "evicts" : "evicts no pod; NoExecute would evict",
                        count, count == 1 ? "" : "s", evictions.empty() ? "" : ":"));
  if (evictions.empty()) {
    return;
  }
  Table table({"NAMESPACE", "NAME", "WHEN", "CLAIM", "DEVICE"});
  for (const claims::Eviction& eviction : evictions) {
    table.Add({eviction.ns, eviction.name, WhenOf(eviction, now), eviction.claim, eviction.device});
  }
  table.Print(console.out, true);
}

loop::Task<client::Answer<api::DeviceTaintRule>> Make(client::Api& api, api::DeviceTaintRule rule) {
  const client::Answer<void> versions = co_await api.UseVersions();
  if (!versions) {
    co_return tl::unexpected(versions.error());
  }
  if (!api.Serves(client::ResourceOf<api::DeviceTaintRule>())) {
    co_return tl::unexpected(client::Failure{
        .code = 404,
        .reason = std::string(client::refused::kNotFound),
        .message =
            "the server has no DeviceTaintRules: feature gate DRADeviceTaintRules is off, or "
            "it is older than Kubernetes 1.33"});
  }
  co_return co_await api.Create<api::DeviceTaintRule>(std::move(rule));
}

ExitCode CreateRule(Source& source, const api::DeviceTaintRule& rule, Console& console) {
  using Made = client::Answer<api::DeviceTaintRule>;
  const Made made = source.session()->Run<Made>([&](client::Api& api) { return Make(api, rule); });
  if (!made) {
    return RefuseAnswer(made.error(), *source.session(), console, Wish::kWrite);
  }
  PrintLine(console.out,
            fmt::format("devicetaintrule.resource.k8s.io/{} created; take it back with "
                        "quadra delete rule {}",
                        made->metadata.name, made->metadata.name));
  return ExitCode::kYes;
}

ExitCode TaintIn(Source& source, const api::DeviceTaintRule& rule, const Invocation& invocation,
                 Console& console) {
  const api::DeviceTaintSelector selector =
      rule.spec.device_selector.value_or(api::DeviceTaintSelector());
  Surroundings surroundings{.selector = &selector};
  const ExitCode read = ReadSurroundings(source, surroundings, console);
  if (IsNoAnswer(read)) {
    return read;
  }
  const Time now = SystemClock().Now();
  NoteMissing(surroundings, invocation.arguments[1], console);
  PrintEvictions(claims::EvictionsBy(rule, surroundings.Bystanders(), now), rule.spec.taint, now,
                 console);
  console.out.flush();
  return invocation.Has("dry-run") ? read : Worst(read, CreateRule(source, rule, console));
}

ExitCode RunTaint(const Invocation& invocation, Console& console) {
  const Result<api::DeviceTaintRule> rule = ReadRule(invocation);
  if (!rule) {
    return RefuseUsage(rule.error(), invocation.program, FindVerb("taint"), console);
  }
  Sourced<Source> source = Source::Of(invocation, {}, console);
  if (!source) {
    return RefuseCluster(source.error(), console);
  }
  return TaintIn(*source, *rule, invocation, console);
}

}  // namespace

const Verb kTaintVerb{
    .name = "taint",
    .synopsis = "device DRIVER/POOL/DEVICE KEY=VALUE:EFFECT [--dry-run] [--name NAME]",
    .summary = "taint a device, having said which pods have to go",
    .description =
        "Creates a DeviceTaintRule for one device, for all of a pool (DRIVER/POOL) or of a driver. "
        "With effect NoSchedule the device is given to nobody new; with NoExecute pods that use it "
        "are evicted, too, unless their claims tolerate the taint, or once they do no longer. Who "
        "that is, and when, is printed before anything is changed; with --dry-run nothing is.\n"
        "Exit status 0; 1: the server refused the rule; 2: the input is wrong; 4: the server does "
        "not answer, or denies it.",
    .examples =
        "  quadra taint device gpu.example.com/gpu-07/gpu-0 example.com/ecc=errors:NoExecute "
        "--dry-run\n"
        "  quadra taint device gpu.example.com/gpu-07 example.com/service=:NoSchedule\n",
    .flags = kTaintFlags,
    .argument_choices = "device",
    .most_arguments = 3,
    .run = RunTaint,
};

}  // namespace quadra::cli

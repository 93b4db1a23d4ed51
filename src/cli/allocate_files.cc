#include "cli/allocate_files.h"

#include <charconv>
#include <cstdint>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "base/time_zones.h"
#include "cli/dump_input.h"
#include "cli/line.h"
#include "cli/needs.h"
#include "cli/now_flag.h"
#include "cli/placement_flag.h"
#include "cli/placement_report.h"
#include "cli/progress.h"
#include "cli/strictness_flags.h"
#include "diagnosis/report.h"
#include "offline/dump.h"
#include "placement/place.h"

namespace quadra::cli {
namespace {

struct AllocateTask {
  api::FeatureGates gates;
  Scope scope;
  placement::PlaceOptions place;
  bool together = false;
};

Result<std::uint64_t> ReadSeed(const Invocation& invocation) {
  const std::string text = invocation.Has("seed") ? invocation.Value("seed") : "1";
  std::uint64_t seed = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seed);
  if (error != std::errc() || end != text.data() + text.size()) {
    return Fail(ErrorKind::kUsage, "--seed: not a number: \"" + text + "\"");
  }
  return seed;
}

Result<AllocateTask> ReadAllocateTask(const Invocation& invocation) {
  AllocateTask task;
  QUADRA_TRY(task.gates, ReadFeatureGates(invocation));
  QUADRA_TRY(task.scope, Scope::Of(invocation));
  QUADRA_TRY(task.place.now, ReadNow(invocation));
  QUADRA_TRY(task.place.seed, ReadSeed(invocation));
  QUADRA_TRY(task.place.strict, ReadStrict(invocation, true));
  task.place.placement = ReadPlacement(invocation);
  if (invocation.Has("node")) {
    task.place.node = invocation.Value("node");
  }
  task.together = invocation.Has("together");
  return task;
}

// What can be said only when the dump is known.
Status CheckAgainst(offline::Dump& dump, const AllocateTask& task, std::string_view holds) {
  if (task.together && !dump.cluster().pods().all().empty()) {
    return Fail(
        {.kind = ErrorKind::kUsage,
         .message = fmt::format("--together is for claims without pods, and {} pods", holds),
         .remedy = "leave it out: the claims of a pod are always allocated together"});
  }
  return CheckNode(dump.cluster().Take(), task.place.node.value_or(""), holds);
}

diagnosis::Report PlaceDump(offline::Dump& dump, const AllocateTask& task,
                            const selector::Language& language, Console& console) {
  selector::ExpressionCache expressions(language);
  placement::Placer placer(dump.cluster(), task.place, expressions);
  Progress progress(
      console, "placing",
      {.total = dump.cluster().pods().all().empty() ? dump.cluster().claims().all().size()
                                                    : placer.queue().waiting.size()});
  return diagnosis::PlaceAll(placer, dump.cluster(), task.together, [&] { progress.Step("done"); });
}

ExitCode AllocateFrom(Source& source, const Invocation& invocation, Console& console) {
  Result<AllocateTask> task = ReadAllocateTask(invocation);
  if (!task) {
    return RefuseUsage(task.error(), invocation.program, FindVerb("allocate"), console);
  }
  task->place.whole = source.live();
  const SystemTimeZones zones;
  const selector::Language language(&zones);
  offline::Dump dump(language, task->gates);
  const ExitCode read = ReadDump(source, NeedsOfPlacing(), console, dump);
  if (IsNoAnswer(read)) {
    return read;
  }
  if (const Status fits = CheckAgainst(dump, *task, source.holds()); !fits) {
    PrintLine(console.err, "error: " + fits.error().ToString());
    return ExitCode::kUsage;
  }
  const diagnosis::Report report = PlaceDump(dump, *task, language, console);
  const ExitCode printed =
      PrintPlacement(report, dump.cluster(), task->scope,
                     {.format = invocation.Has("output") ? invocation.Value("output") : "table",
                      .headings = !invocation.Has("no-headers"),
                      .holds = source.holds()},
                     console);
  return Worst(read, printed);
}

}  // namespace

ExitCode AllocateFiles(const Invocation& invocation, Console& console) {
  if (const Result<AllocateTask> task = ReadAllocateTask(invocation); !task) {
    return RefuseUsage(task.error(), invocation.program, FindVerb("allocate"), console);
  }
  Sourced<Source> source = Source::Of(invocation, console);
  return source ? AllocateFrom(*source, source->Complete(invocation), console)
                : RefuseSource(source.error(), console);
}

}  // namespace quadra::cli

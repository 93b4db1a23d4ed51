#include <array>
#include <cstdint>

#include "allocator/stream.h"
#include "cli/answer_lines.h"
#include "cli/time_zones.h"
#include "cli/verb.h"

namespace quadra::cli {
namespace {

constexpr std::array kFlags = {
    Flag{.name = "stream",
         .help = "Read questions from standard input, one line of JSON each, and answer each with "
                 "one line."},
    Flag{.name = "strict",
         .help = "With --stream: behave as upstream does also where Quadra deviates on purpose; "
                 "one device on which a selector fails then fails the pod."},
};
constexpr std::array<std::string_view, 2> kStreamFlags = {"stream", "strict"};
constexpr std::uint64_t kDefaultSeed = 1;

ExitCode RunAllocate(const Invocation& invocation, Console& console) {
  if (!invocation.Has("stream")) {
    const Error error{.reason = Reason::kUsage, .message = "--stream is required"};
    return RefuseUsage(error, invocation.program, FindVerb("allocate"), console);
  }
  if (const auto refused = RefuseBesideStream(invocation, "allocate", kStreamFlags, console)) {
    return *refused;
  }
  const SystemTimeZones zones;
  allocator::AllocationAnswerer answerer(
      {.zones = &zones, .seed = kDefaultSeed, .strict = invocation.Has("strict")});
  return AnswerLines(console, [&](const std::string* line, std::size_t number) {
    return line != nullptr ? answerer.Answer(*line, number)
                           : answerer.RefuseLine(number, kLineTooLong);
  });
}

}  // namespace

const Verb kAllocateVerb{
    .name = "allocate",
    .synopsis = "--stream [--strict]",
    .summary = "say which devices claims get",
    .description =
        "Each line of standard input is a question:\n"
        "  {\"node\":\"n1\",\"objects\":[…],\"featureGates\":{…}}\n"
        "Objects are a Node, DeviceClasses, ResourceSlices, DeviceTaintRules and ResourceClaims; "
        "other kinds are ignored. Claims with an allocation are in use; the others, in order, are "
        "allocated together for that node. Each line of standard output is the answer, one of:\n"
        "  "
        "{\"result\":\"allocated\",\"claims\":[{\"namespace\":…,\"name\":…,\"allocation\":{…}}],"
        "\"work\":…}\n"
        "  {\"result\":\"unavailable\",\"reasons\":[…],\"work\":…}\n"
        "  {\"result\":\"undecided\",\"reasons\":[…],\"work\":…}\n"
        "  {\"result\":\"error\",\"message\":…,\"fatal\":…}\n"
        "  {\"result\":\"error\",\"line\":…,\"message\":…}",
    .examples = "  quadra allocate --stream < questions.jsonl\n",
    .flags = kFlags,
    .run = RunAllocate,
};

}  // namespace quadra::cli

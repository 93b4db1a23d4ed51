#include <array>

#include "base/time_zones.h"
#include "cli/answer_lines.h"
#include "cli/verb.h"
#include "scheduler/question.h"

namespace quadra::cli {
namespace {

constexpr std::array kScheduleFlags = {
    Flag{.name = "stream",
         .help = "For programs: read questions from standard input, one line of JSON each, and "
                 "answer each with one line."},
};
constexpr std::array kScheduleStreamFlags = {std::string_view("stream")};

ExitCode RunSchedule(const Invocation& invocation, Console& console) {
  if (!invocation.Has("stream")) {
    return RefuseUsage(Usage("schedule answers programs: give --stream",
                             "for people there are quadra explain and quadra fit"),
                       invocation.program, FindVerb("schedule"), console);
  }
  if (const auto refused =
          RefuseBesideStream(invocation, "schedule", kScheduleStreamFlags, console)) {
    return *refused;
  }
  const SystemTimeZones zones;
  scheduler::ScheduleAnswerer answerer(&zones);
  const auto answer = [&](const std::string& line, std::size_t number) {
    return answerer.Answer(line, number);
  };
  return AnswerLines(console, {.answer = answer, .refuse = answerer.RefuseLine});
}

}  // namespace

const Verb kScheduleVerb{
    .name = "schedule",
    .synopsis = "--stream",
    .summary = "say what each plugin of the scheduler says of a pod",
    .description =
        "Each line of standard input is a question: a pod, and the objects of a small cluster.\n"
        "  {\"pod\":{…},\"objects\":[…],\"featureGates\":{…},\"config\":{…},\"strict\":false}\n"
        "Objects are Nodes, Pods (on nodes, or nominated to one), Namespaces, Services and the "
        "controllers that own pods, ResourceClaims, ResourceSlices, DeviceClasses and "
        "DeviceTaintRules; other kinds are ignored. config is a KubeSchedulerConfiguration. All "
        "plugins are asked about all nodes, also where one has said no. Each line of standard "
        "output is the answer, one of:\n"
        "  {\"result\":\"fits\",\"preFilter\":[…],\"refused\":[…],\"preScore\":[…],\"failed\":[…],"
        "\"feasible\":[…],\"devices\":[…]}\n"
        "  {\"result\":\"unschedulable\",\"message\":…,…}\n"
        "  {\"result\":\"error\",\"message\":…,…}\n"
        "  {\"result\":\"error\",\"line\":…,\"message\":…}",
    .examples = "  quadra schedule --stream < questions.jsonl\n",
    .flags = kScheduleFlags,
    .run = RunSchedule,
};

}  // namespace quadra::cli

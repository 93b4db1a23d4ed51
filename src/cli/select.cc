#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <ostream>

#include <fmt/format.h>
#include <fmt/ostream.h>

#include "api/object_reader.h"
#include "cli/answer_lines.h"
#include "cli/device_dump.h"
#include "cli/expression_error.h"
#include "cli/identity.h"
#include "cli/inputs.h"
#include "cli/selection.h"
#include "cli/selection_report.h"
#include "cli/suggest.h"
#include "cli/time_zones.h"
#include "cli/verb.h"
#include "streams/selection.h"

namespace quadra::cli {
namespace {

constexpr std::array kFlags = {
    kDumpFlag,
    kRecursiveFlag,
    Flag{.name = "class",
         .value = "NAME",
         .help = "Ask with the selectors of this DeviceClass of the files."},
    Flag{.name = "claim",
         .value = "NAMESPACE/NAME",
         .help = "Ask with the selectors of a request of this ResourceClaim of the files, those of "
                 "its class first."},
    Flag{.name = "request",
         .value = "NAME",
         .help = "Which request of the claim; REQUEST/SUBREQUEST for an alternative. Needed where "
                 "there are several."},
    Flag{.name = "node", .value = "NAME", .help = "Only devices that this node can use."},
    Flag{.name = "output",
         .letter = 'o',
         .value = "FORMAT",
         .choices = "table wide name json yaml jsonpath=",
         .help =
             "table (the default); wide adds the slice and what the selectors read; name prints "
             "names alone; json and yaml print everything, jsonpath=TEMPLATE what kubectl's "
             "template "
             "language picks of that."},
    Flag{.name = "no-headers", .help = "Print tables without their headings."},
    Flag{.name = "stream",
         .help = "For programs: read questions from standard input, one JSON object a line, and "
                 "answer each with one line."},
};

constexpr std::array<std::string_view, 1> kStreamFlags = {"stream"};

Error Usage(std::string message) {
  return {.reason = Reason::kUsage, .message = std::move(message)};
}

// Exactly one of the three ways to say which selectors to ask with.
Status CheckUsage(const Invocation& invocation) {
  const int ways = static_cast<int>(!invocation.arguments.empty()) +
                   (invocation.Has("class") ? 1 : 0) + (invocation.Has("claim") ? 1 : 0);
  if (ways != 1) {
    return Fail(Usage(ways == 0 ? "which devices? Give an expression, --class or --claim"
                                : "give one of an expression, --class and --claim"));
  }
  if (invocation.Has("request") && !invocation.Has("claim")) {
    return Fail(Usage("--request needs --claim"));
  }
  if (!invocation.Has("filename")) {
    return Fail(Usage("which devices? Give a dump of ResourceSlices with -f FILE"));
  }
  return {};
}

// Reads the dump, and the claim if one is asked for.
class DumpReader {
 public:
  DumpReader(const Invocation& invocation, Console& console, DeviceDump& dump)
      : invocation_(invocation), console_(console), dump_(dump), wanted_claim_(ClaimKey()) {}

  ExitCode Read() {
    return ReadObjects(invocation_.Values("filename"), invocation_.Has("recursive"), console_,
                       [&](const json::Manifest& manifest, const Identity& identity) {
                         return Take(manifest, identity);
                       });
  }
  const std::optional<api::ResourceClaim>& claim() const { return claim_; }

 private:
  Status Take(const json::Manifest& manifest, const Identity& identity) {
    if (identity.kind == "ResourceClaim" && KeyOf(identity) == wanted_claim_) {
      QUADRA_RETURN_IF_ERROR(api::ReadObject(
          {.api_version = identity.api_version, .kind = identity.kind, .json = manifest.json()},
          [this](api::ResourceClaim claim) { claim_ = std::move(claim); }));
      return {};
    }
    return dump_.Take(manifest, identity);
  }

  // Without a namespace both mean "default", as for kubectl.
  static std::string KeyOf(const Identity& identity) {
    return (identity.ns.empty() ? "default" : identity.ns) + "/" + identity.name;
  }
  std::string ClaimKey() const {
    const std::string claim = invocation_.Value("claim");
    return claim.find('/') == std::string::npos ? "default/" + claim : claim;
  }

  const Invocation& invocation_;
  Console& console_;
  DeviceDump& dump_;
  std::string wanted_claim_;
  std::optional<api::ResourceClaim> claim_;
};

Result<std::vector<NamedSelector>> SelectorsFor(const Invocation& invocation,
                                                const DeviceDump& dump,
                                                const std::optional<api::ResourceClaim>& claim) {
  if (!invocation.arguments.empty()) {
    return std::vector<NamedSelector>{{.title = "the expression", .text = invocation.arguments[0]}};
  }
  if (invocation.Has("class")) {
    return SelectorsOfClass(dump, invocation.Value("class"));
  }
  if (!claim) {
    return Fail(
        {.reason = Reason::kNotFound,
         .message = fmt::format("the files hold no ResourceClaim {}", invocation.Value("claim")),
         .remedy = "give the claim's file with -f too, or name it as NAMESPACE/NAME"});
  }
  return SelectorsOfClaim(dump, *claim, invocation.Value("request"));
}

ExitCode RefuseInput(const Error& error, Console& console) {
  console.err << "error: " << error.ToString() << '\n';
  return ExitCode::kUsage;
}

ExitCode SelectDevices(const Invocation& invocation, Console& console) {
  if (const Status usage = CheckUsage(invocation); !usage) {
    return RefuseUsage(usage.error(), invocation.program, FindVerb("select"), console);
  }
  const SystemTimeZones zones;
  const selector::Language language(&zones);
  DeviceDump dump(language);
  DumpReader reader(invocation, console, dump);
  const ExitCode read = reader.Read();
  dump.Finish(invocation.Has("node") ? std::optional(invocation.Value("node")) : std::nullopt);
  if (read != ExitCode::kYes) {
    return read;
  }
  const Result<std::vector<NamedSelector>> selectors =
      SelectorsFor(invocation, dump, reader.claim());
  if (!selectors) {
    return RefuseInput(selectors.error(), console);
  }
  Result<Selection> selection = Select(*selectors, dump, language);
  if (!selection) {
    console.err << "error: " << selection.error().message;
    return ExitCode::kUsage;
  }
  return PrintSelection(*selection, dump,
                        {.format = invocation.Has("output") ? invocation.Value("output") : "table",
                         .headings = !invocation.Has("no-headers")},
                        console);
}

ExitCode RunSelect(const Invocation& invocation, Console& console) {
  if (!invocation.Has("stream")) {
    return SelectDevices(invocation, console);
  }
  if (const auto refused = RefuseBesideStream(invocation, "select", kStreamFlags, console)) {
    return *refused;
  }
  const SystemTimeZones zones;
  streams::SelectionAnswerer answerer(&zones);
  return AnswerLines(console, [&](const std::string* line, std::size_t number) {
    return line != nullptr ? answerer.Answer(*line, number)
                           : answerer.RefuseLine(number, kLineTooLong);
  });
}

}  // namespace

const Verb kSelectVerb{
    .name = "select",
    .synopsis =
        "'EXPRESSION' | --class NAME | --claim NS/NAME [--request NAME] -f FILE… [--node "
        "NAME] [-o FORMAT]",
    .summary = "list the devices of a dump that a selector matches",
    .description =
        "Asks every device of the ResourceSlices in the files whether a CEL selector matches it, "
        "as "
        "the scheduler does: an expression given here, the selectors of a DeviceClass, or those of "
        "a request of a ResourceClaim, class first. Selectors are asked one after the other; a "
        "device is out at the first that says no, and the first that fails on it counts as its "
        "error. Of each pool only the newest generation counts.\n"
        "Prints the devices that match as driver/pool/device, then how many match, do not match "
        "and "
        "fail, with the first error. Exit status 0: some match; 1: none does; 2: the expression or "
        "the input is wrong.\n"
        "With --stream each line of standard input is a question:\n"
        "  {\"expression\":\"…\",\"device\":{\"driver\":…,\"attributes\":{…},\"capacity\":{…}},"
        "\"env\":\"new|stored\",\"featureGates\":{…},\"as\":\"selector|derived\"}\n"
        "and each line of standard output its answer, one of:\n"
        "  {\"compile\":\"ok\",\"result\":true,\"cost\":…,\"estimate\":…}\n"
        "  {\"compile\":\"ok\",\"error\":…,\"cost\":…,\"estimate\":…}\n"
        "  {\"compile\":\"error\",\"message\":…}\n"
        "  {\"compile\":\"input\",\"line\":…,\"message\":…}",
    .examples =
        "  kubectl get resourceslices -o yaml | quadra select 'device.driver == "
        "\"gpu.example.com\"' -f -\n"
        "  quadra select --class gpu.example.com -f dump.yaml -o wide\n"
        "  quadra select --claim team-a/train --request gpu -f dump.yaml --node gpu-07\n",
    .flags = kFlags,
    .most_arguments = 1,
    .run = RunSelect,
};

}  // namespace quadra::cli

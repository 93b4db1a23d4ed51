#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <ostream>
#include <set>

#include <fmt/format.h>
#include <fmt/ostream.h>

#include "api/object.h"
#include "base/nearest.h"
#include "base/time_zones.h"
#include "cli/answer_lines.h"
#include "cli/inputs.h"
#include "cli/line.h"
#include "cli/live.h"
#include "cli/needs.h"
#include "cli/repeated_keys.h"
#include "cli/selection_report.h"
#include "cli/source.h"
#include "cli/verb.h"
#include "inspection/selection.h"
#include "streams/selection.h"

namespace quadra::cli {
namespace {

using inspection::DeviceList;
using inspection::NamedSelector;

constexpr auto kSelectFlags = WithAccessFlags(std::array{
    kDumpFlag,
    kRecursiveFlag,
    Flag{.name = "class",
         .value = "NAME",
         .help = "Ask with the selectors of this DeviceClass of the files."},
    Flag{.name = "claim",
         .value = "NAMESPACE/NAME",
         .help = "Ask with the selectors of a request of this ResourceClaim of the files, those of "
                 "its class first."},
    Flag{.name = "template",
         .value = "NAMESPACE/NAME",
         .help = "The same for a ResourceClaimTemplate of the files."},
    Flag{.name = "request",
         .value = "NAME",
         .help = "Which request of the claim or template; REQUEST/SUBREQUEST for an alternative. "
                 "Needed where "
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
});

constexpr std::array<std::string_view, 1> kSelectStreamFlags = {"stream"};

// Exactly one of the four ways to say which selectors to ask with.
Status CheckSelectUsage(const Invocation& invocation) {
  const int ways = static_cast<int>(!invocation.arguments.empty()) +
                   (invocation.Has("class") ? 1 : 0) + (invocation.Has("claim") ? 1 : 0) +
                   (invocation.Has("template") ? 1 : 0);
  if (ways != 1) {
    return Fail(Usage(ways == 0
                          ? "which devices? Give an expression, --class, --claim or --template"
                          : "give one of an expression, --class, --claim and --template"));
  }
  if (invocation.Has("request") && !invocation.Has("claim") && !invocation.Has("template")) {
    return Fail(Usage("--request needs --claim or --template"));
  }
  return {};
}

// What a question is about: the devices, and the claim and the node that it names.
class Subject {
 public:
  // `ns`: of claims and templates that are named without one.
  Subject(const Invocation& invocation, const std::string& ns, const selector::Language& language)
      : claim_name_(Qualified(invocation.Value("claim"), ns)),
        template_name_(Qualified(invocation.Value("template"), ns)),
        devices_(language) {
    if (invocation.Has("node")) {
      node_.emplace().metadata.name = invocation.Value("node");
    }
  }

  Status Take(const json::Manifest& manifest, const api::Identity& identity) {
    const api::RawObject object{
        .api_version = identity.api_version, .kind = identity.kind, .json = manifest.json()};
    if (identity.kind == "ResourceClaim") {
      return NameOf(identity) == claim_name_ ? Read(object, claim_) : Status();
    }
    if (identity.kind == "ResourceClaimTemplate") {
      return NameOf(identity) == template_name_ ? ReadTemplate(object) : Status();
    }
    if (identity.kind == "Node") {
      nodes_.insert(identity.name);
      return node_ && identity.name == node_->metadata.name ? Read(object, node_) : Status();
    }
    QUADRA_RETURN_IF_ERROR(api::ReadObject(object, devices_));
    return {};
  }

  // Fails where there are Nodes, and not the one that is named. Of a cluster only that one is read.
  Status CheckNode(const Source& source) const {
    const bool are_known = source.live() || !nodes_.empty();
    if (!node_ || !are_known || nodes_.contains(node_->metadata.name)) {
      return {};
    }
    const std::vector<std::string_view> known(nodes_.begin(), nodes_.end());
    return Fail({.kind = ErrorKind::kNotFound,
                 .message = fmt::format("{} no node {}{}", source.holds(), node_->metadata.name,
                                        DidYouMean(node_->metadata.name, known))});
  }

  const std::optional<api::ResourceClaim>& claim() const { return claim_; }
  DeviceList Devices() { return DeviceList(devices_.Take(), {.node = node_ ? &*node_ : nullptr}); }

 private:
  // Without a namespace objects of files are in "default", as for kubectl.
  static std::string NameOf(const api::Identity& identity) {
    return (identity.ns.empty() ? "default" : identity.ns) + "/" + identity.name;
  }
  static std::string Qualified(const std::string& name, const std::string& ns) {
    return name.find('/') == std::string::npos ? ns + "/" + name : name;
  }
  // A claim that would be made from it.
  Status ReadTemplate(const api::RawObject& object) {
    std::optional<api::ResourceClaimTemplate> made_from;
    QUADRA_RETURN_IF_ERROR(Read(object, made_from));
    if (made_from) {
      claim_.emplace(api::ResourceClaim{
          .metadata = made_from->metadata, .spec = made_from->spec.spec, .status = {}});
    }
    return {};
  }
  template <typename T>
  static Status Read(const api::RawObject& object, std::optional<T>& place) {
    QUADRA_RETURN_IF_ERROR(api::ReadObject(object, [&](T read) { place = std::move(read); }));
    return {};
  }

  std::string claim_name_;
  std::string template_name_;
  inspection::DeviceReader devices_;
  std::optional<api::ResourceClaim> claim_;
  std::set<std::string> nodes_;
  std::optional<api::Node> node_;  // with --node; only its name where the files do not hold it
};

Result<std::vector<NamedSelector>> SelectorsFor(const Invocation& invocation,
                                                const DeviceList& devices,
                                                const std::optional<api::ResourceClaim>& claim,
                                                const Source& source) {
  if (!invocation.arguments.empty()) {
    return std::vector<NamedSelector>{{.title = "the expression", .text = invocation.arguments[0]}};
  }
  if (invocation.Has("class")) {
    return inspection::SelectorsOfClass(devices, invocation.Value("class"));
  }
  if (!claim) {
    const bool is_claim = invocation.Has("claim");
    return Fail({.kind = ErrorKind::kNotFound,
                 .message = fmt::format("{} no {} {}", source.holds(),
                                        is_claim ? "ResourceClaim" : "ResourceClaimTemplate",
                                        invocation.Value(is_claim ? "claim" : "template")),
                 .remedy = source.live() ? "name it as NAMESPACE/NAME"
                                         : "give its file with -f too, or name it as "
                                           "NAMESPACE/NAME"});
  }
  return inspection::SelectorsOfClaim(devices, *claim, invocation.Value("request"));
}

ExitCode RefuseInput(const Error& error, Console& console) {
  PrintLine(console.err, "error: " + error.ToString());
  return ExitCode::kUsage;
}

// A claim or template that is NAMESPACE/NAME or NAME.
client::Choice Named(const std::string& word, const std::string& ns) {
  const std::size_t slash = word.find('/');
  return slash == std::string::npos ? ByName(ns, word)
                                    : ByName(word.substr(0, slash), word.substr(slash + 1));
}

// Of a cluster that runs no more than the question needs.
std::vector<live::Need> NeedsOfSelect(const Invocation& invocation, const std::string& ns) {
  std::vector<live::Need> needs = {Vital<api::ResourceSlice>()};
  if (invocation.arguments.empty()) {
    needs.push_back(Vital<api::DeviceClass>());
  }
  if (invocation.Has("claim")) {
    needs.push_back(Vital<api::ResourceClaim>(Named(invocation.Value("claim"), ns)));
  }
  if (invocation.Has("template")) {
    needs.push_back(Vital<api::ResourceClaimTemplate>(Named(invocation.Value("template"), ns)));
  }
  if (invocation.Has("node")) {
    needs.push_back(Vital<api::Node>(ByName("", invocation.Value("node"))));
  }
  return needs;
}

ExitCode AnswerFor(Subject& subject, const Source& source, const Invocation& invocation,
                   const selector::Language& language, Console& console) {
  if (const Status node = subject.CheckNode(source); !node) {
    return RefuseInput(node.error(), console);
  }
  const DeviceList devices = subject.Devices();
  const Result<std::vector<NamedSelector>> selectors =
      SelectorsFor(invocation, devices, subject.claim(), source);
  if (!selectors) {
    return RefuseInput(selectors.error(), console);
  }
  const Result<inspection::Selection> selection = Select(*selectors, devices, language);
  if (!selection) {
    PrintLines(console.err, "error: " + selection.error().message);
    return ExitCode::kUsage;
  }
  return PrintSelection(*selection, devices,
                        {.format = invocation.Has("output") ? invocation.Value("output") : "table",
                         .headings = !invocation.Has("no-headers")},
                        console);
}

ExitCode SelectFrom(Source& source, const Invocation& invocation, Console& console) {
  const std::string ns = source.live() ? source.session()->ns() : "default";
  const SystemTimeZones zones;
  const selector::Language language(&zones);
  Subject subject(invocation, ns, language);
  RepeatedKeys twice(console);
  const ExitCode objects =
      source.Read(NeedsOfSelect(invocation, ns), console,
                  {.take = [&](const json::Manifest& manifest, const api::Identity& identity) {
                    twice.Note(manifest, identity);
                    return subject.Take(manifest, identity);
                  }});
  const ExitCode read = Worst(objects, twice.Finish());
  if (IsNoAnswer(read)) {
    return read;
  }
  return Worst(read, AnswerFor(subject, source, invocation, language, console));
}

ExitCode SelectDevices(const Invocation& invocation, Console& console) {
  if (const Status usage = CheckSelectUsage(invocation); !usage) {
    return RefuseUsage(usage.error(), invocation.program, FindVerb("select"), console);
  }
  Sourced<Source> source = Source::Of(invocation, console);
  return source ? SelectFrom(*source, invocation, console) : RefuseSource(source.error(), console);
}

ExitCode RunSelect(const Invocation& invocation, Console& console) {
  if (!invocation.Has("stream")) {
    return SelectDevices(invocation, console);
  }
  if (const auto refused = RefuseBesideStream(invocation, "select", kSelectStreamFlags, console)) {
    return *refused;
  }
  const SystemTimeZones zones;
  streams::SelectionAnswerer answerer(&zones);
  const auto answer = [&](const std::string& line, std::size_t number) {
    return answerer.Answer(line, number);
  };
  return AnswerLines(console, {.answer = answer, .refuse = answerer.RefuseLine});
}

}  // namespace

const Verb kSelectVerb{
    .name = "select",
    .synopsis =
        "'EXPRESSION' | --class NAME | --claim NS/NAME | --template NS/NAME [--request NAME] "
        "[-f FILE…] [--node "
        "NAME] [-o FORMAT]",
    .summary = "list the devices that a selector matches",
    .description =
        "Asks every device of a cluster, or of the ResourceSlices in files, whether a CEL selector "
        "matches it, "
        "as "
        "the scheduler does: an expression given here, the selectors of a DeviceClass, or those of "
        "a request of a ResourceClaim or ResourceClaimTemplate, class first. Selectors are asked "
        "one after the other; a "
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
    .flags = kSelectFlags,
    .most_arguments = 1,
    .run = RunSelect,
};

}  // namespace quadra::cli

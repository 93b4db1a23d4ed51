#include "cli/cli.h"

#include <algorithm>
#include <array>
#include <ostream>

#include "base/guarded.h"
#include "base/nearest.h"
#include "cli/document.h"
#include "cli/line.h"
#include "cli/namespaces.h"
#include "cli/verb.h"

namespace quadra::cli {
namespace {

constexpr std::array kVerbs = {&kValidateVerb,  &kConvertVerb,    &kSelectVerb,    &kLintVerb,
                               &kApiserverVerb, &kControllerVerb, &kSchedulerVerb, &kUpVerb,
                               &kStatusVerb,    &kDownVerb,       &kSimulateVerb,  &kBackupVerb,
                               &kRestoreVerb,   &kAllocateVerb,   &kScheduleVerb,  &kExplainVerb,
                               &kFitVerb,       &kGetVerb,        &kApplyVerb,     &kDeleteVerb,
                               &kDumpVerb,      &kTaintVerb,      &kRbacVerb,      &kHelpVerb,
                               &kVersionVerb,   &kCompletionVerb};

// kubectl runs a plugin kubectl-a-b as `kubectl a b`; help should say what users typed.
std::string ProgramName(std::string_view path) {
  std::string name(path.substr(path.rfind('/') + 1));
  if (!name.starts_with("kubectl-")) {
    return "quadra";
  }
  std::ranges::replace(name, '-', ' ');
  std::ranges::replace(name, '_', '-');
  return name;
}

Error UnknownVerb(const std::string& word) {
  const std::string_view what = word.starts_with('-') ? "unknown flag: " : "unknown command: ";
  return {.kind = ErrorKind::kUsage,
          .message = std::string(what) + word + DidYouMean(word, VerbNames())};
}

ExitCode RunVerb(const Verb& verb, const std::string& program, std::vector<std::string> words,
                 Console& console) {
  Result<Invocation> invocation = ParseArguments(verb, std::move(words));
  if (!invocation) {
    return RefuseUsage(invocation.error(), program, &verb, console);
  }
  invocation->program = program;
  if (invocation->Has("help")) {
    console.out << VerbHelp(verb, program);
    return ExitCode::kYes;
  }
  if (const Status format = CheckFormat(invocation->Value("output")); !format) {
    return RefuseUsage(format.error(), program, &verb, console);
  }
  if (const Status ns = SettleNamespace(*invocation); !ns) {
    PrintLine(console.err, "error: " + ns.error().ToString());
    return ExitCode::kUsage;
  }
  return verb.run(*invocation, console);
}

bool AsksForHelp(const std::vector<std::string>& arguments) {
  return arguments.size() < 2 || arguments[1] == "-h" || arguments[1] == "--help";
}

ExitCode Dispatch(const std::vector<std::string>& arguments, Console& console) {
  const std::string program = ProgramName(arguments.empty() ? "" : arguments[0]);
  if (AsksForHelp(arguments)) {
    console.out << ProgramHelp(program);
    return ExitCode::kYes;
  }
  const std::string& word = arguments[1] == "--version" ? "version" : arguments[1];
  const Verb* verb = FindVerb(word);
  if (verb == nullptr) {
    return RefuseUsage(UnknownVerb(word), program, nullptr, console);
  }
  return RunVerb(*verb, program, {arguments.begin() + 2, arguments.end()}, console);
}

// What was lost on a full disk must not look like an answer.
ExitCode RefuseOutput(Console& console) {
  console.err << "error: the output cannot be written; check the space on its disk\n";
  return ExitCode::kUsage;
}

}  // namespace

std::span<const Verb* const> Verbs() { return kVerbs; }

const Verb* FindVerb(std::string_view name) {
  const auto found = std::ranges::find(kVerbs, name, &Verb::name);
  return found == kVerbs.end() ? nullptr : *found;
}

std::vector<std::string_view> VerbNames() {
  std::vector<std::string_view> names(kVerbs.size());
  std::ranges::transform(kVerbs, names.begin(), &Verb::name);
  return names;
}

ExitCode RefuseUsage(const Error& error, std::string_view program, const Verb* verb,
                     Console& console) {
  PrintLine(console.err, "error: " + error.ToString());
  console.err << "See '" << program << " help";
  if (verb != nullptr) {
    console.err << ' ' << verb->name;
  }
  console.err << "' for usage.\n";
  return ExitCode::kUsage;
}

int Run(const std::vector<std::string>& arguments, Console& console) {
  const Result<ExitCode> code = Guarded([&] {
    const ExitCode told = Dispatch(arguments, console);
    console.out.flush();
    return console.out ? told : RefuseOutput(console);
  });
  if (!code) {
    PrintLine(console.err, "error: " + code.error().ToString());
  }
  return static_cast<int>(code.value_or(ExitCode::kFailed));
}

}  // namespace quadra::cli

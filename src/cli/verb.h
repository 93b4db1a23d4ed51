// Verb: one command as data. Parsing, help and completion all read the same table, so they cannot
// disagree.
#pragma once

#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "cli/cli.h"
#include "cli/exit_code.h"

namespace quadra::cli {

struct Flag {
  std::string_view name;        // long form without dashes
  char letter = 0;              // short form, or 0
  std::string_view value = {};  // placeholder that help shows; empty: a switch without a value
  bool repeated = false;        // may be given several times; otherwise the last one counts
  bool joined = false;          // with repeated: one value may be several, with commas between
  // The only values allowed, space separated, where x= allows all that begin so; empty: any.
  std::string_view choices = {};
  std::string_view suggested = {};  // for completion, where other values are allowed too
  std::string_view help;
};

// A parsed command line of one verb.
struct Invocation {
  std::string program;  // as users call it: "quadra", or "kubectl quadra" when run as a plugin
  std::map<std::string, std::vector<std::string>, std::less<>> flags;  // by long name
  std::vector<std::string> arguments;                                  // what is not a flag

  bool Has(std::string_view flag) const { return flags.contains(flag); }
  // Empty when the flag was not given.
  std::string Value(std::string_view flag) const;
  std::vector<std::string> Values(std::string_view flag) const;
};

inline constexpr std::size_t kManyArguments = static_cast<std::size_t>(-1);

struct Verb {
  std::string_view name;
  std::string_view synopsis;     // what follows the name, e.g. -f FILE… [flags]
  std::string_view summary;      // one line, lower case, no full stop
  std::string_view description;  // paragraphs
  std::string_view examples;     // indented lines
  std::span<const Flag> flags;
  std::string_view argument_choices;  // for completion: what an argument may be, space separated
  std::size_t most_arguments = 0;
  ExitCode (*run)(const Invocation&, Console&) = nullptr;
};

// All verbs, in the order help lists them. One file defines each.
std::span<const Verb* const> Verbs();
const Verb* FindVerb(std::string_view name);
std::vector<std::string_view> VerbNames();

extern const Verb kAllocateVerb;
extern const Verb kApiserverVerb;
extern const Verb kApplyVerb;
extern const Verb kBackupVerb;
extern const Verb kCompletionVerb;
extern const Verb kControllerVerb;
extern const Verb kConvertVerb;
extern const Verb kDeleteVerb;
extern const Verb kDownVerb;
extern const Verb kDumpVerb;
extern const Verb kExplainVerb;
extern const Verb kFitVerb;
extern const Verb kGetVerb;
extern const Verb kHelpVerb;
extern const Verb kLintVerb;
extern const Verb kRbacVerb;
extern const Verb kRestoreVerb;
extern const Verb kScheduleVerb;
extern const Verb kSchedulerVerb;
extern const Verb kSelectVerb;
extern const Verb kSimulateVerb;
extern const Verb kStatusVerb;
extern const Verb kTaintVerb;
extern const Verb kUpVerb;
extern const Verb kValidateVerb;
extern const Verb kVersionVerb;

// An Error of ErrorKind::kUsage: the command line makes no sense.
Error Usage(std::string message, std::string remedy = {});

// `words` is what follows the verb's name. Fails with ErrorKind::kUsage and a sentence that names the
// flag at fault.
Result<Invocation> ParseArguments(const Verb& verb, std::vector<std::string> words);

// The help pages: of the whole program, and of one verb in the manner of a manual page.
std::string ProgramHelp(std::string_view program);
std::string VerbHelp(const Verb& verb, std::string_view program);

// Prints `error: …` and where to read on; returns kUsage.
ExitCode RefuseUsage(const Error& error, std::string_view program, const Verb* verb,
                     Console& console);

}  // namespace quadra::cli
